"""Hostile notes, damaged files, privacy: what a page must never do."""

import base64
import gzip
import json
import re
from dataclasses import asdict

import pytest
from conftest import ROOT
from hostile_notes import NOTES, words_of_notes, write_corpus

from clineval.results.comparable import find_settings

SEMEVAL = ROOT / "metrics" / "clineval" / "challenges" / "semeval15_task14" / "demo"
PANE_TEXT = """(pane) => [...document.querySelectorAll(`.line[data-pane="${pane}"]`)]
    .map((line) => line.textContent).join('')"""


@pytest.fixture(scope="module")
def corpus(tmp_path_factory):
    return write_corpus(tmp_path_factory.mktemp("hostile"))


@pytest.fixture(scope="module")
def hostile(corpus, make_report):
    notes, gold, pred = corpus
    return make_report("semeval15_task14", gold, pred, "--text", notes)


@pytest.mark.parametrize("show", ["gold", "system", "both", "merged"])
def test_a_pane_s_text_is_the_note_s_text(hostile, open_page, go_to, show):
    page = open_page(hostile)
    for name, text in NOTES.items():
        go_to(page, doc=f"{name}.txt", show=show)
        panes = page.locator(".pane-title").count()
        assert panes == (2 if show == "both" else 1)
        for pane in range(panes):
            assert page.evaluate(PANE_TEXT, pane) == text, name
    assert page.evaluate("document.images.length") == 0


def test_marks_stand_where_the_offsets_say_in_code_points(hostile, open_page, go_to):
    page = open_page(hostile)
    for name in ("emoji", "rtl", "combining", "crlf"):
        go_to(page, doc=f"{name}.txt", show="gold")
        marked = page.evaluate(
            """() => panesOf(current.document)[0].mentions.map((m) => [m.fragments,
              [...document.querySelectorAll(`mark[data-key="${m.key}"]`)].map((x) => x.textContent).join('')])"""
        )
        assert marked
        for fragments, text in marked:
            assert text == "".join(NOTES[name][start:end] for start, end in fragments)


def test_nothing_can_be_loaded_or_sent(hostile, open_page):
    page = open_page(hostile)
    failures = []
    page.on("requestfailed", lambda request: failures.append(request.failure))
    page.on("requestfinished", lambda request: failures.append(request.url))
    blocked = page.evaluate(
        """async () => {
          const refused = [];
          const all = new Promise((done) => document.addEventListener('securitypolicyviolation', (event) => {
            if (refused.push(event.effectiveDirective) === 4) done(refused);
          }));
          const image = new Image();
          const failed = new Promise((done) => { image.onerror = () => done('blocked'); image.onload = () => done('loaded'); });
          image.src = 'https://example.org/x.png';
          const fetched = await fetch('https://example.org/').then(() => 'sent', () => 'blocked');
          navigator.sendBeacon('https://example.org/');
          const inline = document.createElement('script');
          inline.textContent = 'globalThis.ran = true';
          document.body.append(inline);
          return [await failed, fetched, globalThis.ran ?? 'blocked', ...(await all).sort()];
        }"""
    )
    assert blocked[:3] == ["blocked", "blocked", "blocked"]
    assert blocked[3:] == ["connect-src", "connect-src", "img-src", "script-src-elem"]
    # what was said before this has arrived, too
    with page.expect_console_message(lambda message: message.text == "last"):
        page.evaluate("console.log('last')")
    assert set(failures) == {"csp"}
    # that the policy complains of these attempts is the point
    assert all("Content Security Policy" in c or "request:" in c for c in open_page.complaints)
    open_page.complaints.clear()


@pytest.mark.parametrize("scored_with_texts", [False, True])
def test_without_text_a_page_has_no_character_of_any_note(
    corpus, make_report, open_page, scored_with_texts
):
    text, gold, pred = corpus
    words = ("--overlap", "word", "--text", text) if scored_with_texts else ()
    path = make_report("semeval15_task14", gold, pred, "--no-text", *words)
    html = path.read_text("utf-8")
    packed = re.findall(r'<script type="application/octet-stream" id="([^"]+)">([^<]*)<', html)
    assert {name for name, _ in packed} == {"tables", "block-gold", "block-system0"}
    tables = gzip.decompress(base64.b64decode(dict(packed)["tables"])).decode()
    head = json.loads(re.search(r'id="head">(.*?)</script>', html)[1])
    settings = [asdict(each) for each in find_settings("semeval15_task14").values()]
    assert head.pop("fields") == json.loads(json.dumps(settings))  # sentences of ours
    head, words = json.dumps(head), words_of_notes()
    assert len(words) > 15
    assert not [word for word in words if word in tables or word in head]
    assert json.loads(tables)["phrases"] == []
    page = open_page(path, "#doc=emoji.txt")
    assert "no text" in page.locator("#document-body").inner_text()
    assert page.locator("#document-body mark").count() > 0
    page.locator("#document-body mark").first.click()
    assert page.locator("#detail-body .fields tr").count() > 9


def unpack(html, name):
    found = re.search(rf'id="{name}">([^<]*)<', html)
    return found, bytearray(gzip.decompress(base64.b64decode(found[1])))


def pack(html, found, data):
    packed = base64.b64encode(gzip.compress(bytes(data))).decode()
    return html[: found.start(1)] + packed + html[found.end(1) :]


def change_score(html):
    assert '"span_f1":' in html
    return re.sub(r'"span_f1":0\.\d', '"span_f1":0.1', html)


def change_count(html):
    return re.sub(r'"strict_tp":(\d+)', lambda m: f'"strict_tp":{int(m[1]) + 1}', html)


def change_weighted_accuracy(html):
    return re.sub(r'"severity_weighted_accuracy":0\.\d', '"severity_weighted_accuracy":0.0', html)


def place_of(html, column):
    """Where a column begins in its block, its width, and its length."""
    layout = json.loads(re.search(r'id="head">(.*?)</script>', html)[1])["layouts"]["system0"]
    at = 0
    for name, kind, length in layout:
        width = int(re.search(r"\d+", kind)[0]) // 8
        if name == column:
            return at, width, length
        at += length * width
    raise AssertionError(column)


def change_pairing(html):
    found, data = unpack(html, "block-system0")
    at, width, length = place_of(html, "overlap/span/system")
    paired = next(k for k in range(at, at + width * length, width) if data[k])
    data[paired : paired + width] = bytes(width)
    return pack(html, found, data)


def change_slot(html):
    found, data = unpack(html, "block-system0")
    at, width, length = place_of(html, "equal")
    for k in range(at, at + width * length, width):
        data[k] ^= 2
    return pack(html, found, data)


def damage_block(html):
    found = re.search(r'id="block-gold">([^<]*)<', html)
    at = found.start(1) + len(found[1]) // 2
    return html[:at] + ("A" if html[at] != "A" else "B") + html[at + 1 :]


@pytest.mark.parametrize(
    "mutate",
    [
        change_score, change_count, change_weighted_accuracy, change_pairing, change_slot,
        damage_block,
    ],
)  # fmt: skip
def test_a_page_that_was_changed_by_hand_warns(open_page, tmp_path, make_report, mutate):
    original = make_report(
        "semeval15_task14", SEMEVAL / "gold", SEMEVAL / "tagger", "--text", SEMEVAL / "text"
    )
    assert open_page(original).locator("#warning").is_hidden()
    changed = mutate(original.read_text("utf-8"))
    assert changed != original.read_text("utf-8")
    path = tmp_path / "changed.html"
    path.write_text(changed, "utf-8")
    page = open_page(path)
    assert "the file was changed or is damaged" in page.locator("#warning").inner_text()


def test_a_damaged_text_is_warned_of(open_page, tmp_path, make_report):
    original = make_report(
        "semeval15_task14", SEMEVAL / "gold", SEMEVAL / "tagger", "--text", SEMEVAL / "text"
    )
    html = original.read_text("utf-8")
    at = re.search(r'id="chunk-0">', html).end() + 400
    path = tmp_path / "changed.html"
    path.write_text(html[:at] + ("A" if html[at] != "A" else "B") + html[at + 1 :], "utf-8")
    page = open_page(path)
    page.wait_for_selector("#warning p")
    assert "damaged" in page.locator("#warning").inner_text()


def test_texts_that_do_not_fit_are_listed_by_document(open_page, go_to, tmp_path, make_report):
    for folder, name, content in (
        ("gold", "short.pipe", "short.txt|0-5|C0000001|\nshort.txt|100-105|C0000001|\n"),
        ("gold", "none.pipe", "none.txt|0-5|C0000001|\n"),
        ("pred", "short.pipe", "short.txt|0-5|C0000001|\n"),
        ("pred", "none.pipe", "none.txt|0-5|C0000001|\n"),
        ("notes", "short.txt", "a short note"),
    ):
        (tmp_path / folder).mkdir(exist_ok=True)
        (tmp_path / folder / name).write_text(content)
    arguments = ("--config", "task1", "--text", tmp_path / "notes")
    page = open_page(
        make_report("semeval15_task14", tmp_path / "gold", tmp_path / "pred", *arguments)
    )
    warning = page.locator("#warning").inner_text()
    assert "1 document, no text: none.txt" in warning
    assert "1 document, offsets beyond the text: short.txt" in warning
    go_to(page, doc="none.txt")
    assert "does not have the text of this document" in page.locator("#document-body").inner_text()
