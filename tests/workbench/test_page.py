"""The page as a file: what stands in it, whatever a browser makes of it."""

import base64
import gzip
import hashlib
import json
import re
import subprocess
import sys

import numpy as np
import pytest
from conftest import ROOT
from hypothesis import given
from hypothesis import strategies as st
from strategies import corpora
from thorough import fewer

import clineval
from clineval.workbench import build_workbench
from clineval.workbench.packing import json_in_html, pack_columns

SEMEVAL = ROOT / "metrics" / "clineval" / "challenges" / "semeval15_task14" / "demo"


def page_of(systems, references, **options):
    return build_workbench("semeval15_task14", references, systems, **options).to_html()


@pytest.fixture(scope="module")
def html():
    return page_of({"tagger": SEMEVAL / "tagger"}, SEMEVAL / "gold", notes=SEMEVAL / "text")


def unpack(html, name):
    return gzip.decompress(base64.b64decode(re.search(rf'id="{name}">([^<]*)<', html)[1]))


def test_the_policy_allows_this_script_and_this_style_and_nothing_else(html):
    policy = re.search(r'Content-Security-Policy" content="([^"]*)"', html)[1]
    policy = policy.replace("&#39;", "'")
    parts = dict(part.strip().split(" ", 1) for part in policy.split(";"))
    for tag, directive in (("style", "style-src"), ("script", "script-src")):
        source = re.findall(rf"<{tag}>(.*?)</{tag}>", html, re.DOTALL)
        digest = base64.b64encode(hashlib.sha256(source[0].encode()).digest()).decode()
        assert (len(source), parts[directive]) == (1, f"'sha256-{digest}'")
    assert parts["default-src"] == parts["base-uri"] == parts["form-action"] == "'none'"


def test_nothing_refers_to_another_file_or_host(html):
    assert not re.search(r"""(src|href)\s*=\s*["'](?!#)""", html[: html.index("<script>")])
    assert "@import" not in html
    assert "url(" not in html


def test_the_same_input_gives_the_same_page(html):
    again = page_of({"tagger": SEMEVAL / "tagger"}, SEMEVAL / "gold", notes=SEMEVAL / "text")
    assert again == html


def test_texts_are_kept_as_they_are(html):
    texts = json.loads(unpack(html, "chunk-0"))
    tables = json.loads(unpack(html, "tables"))
    for name, text in zip(tables["documents"], texts, strict=True):
        assert text.encode() == (SEMEVAL / "text" / name).read_bytes()


def test_names_and_values_cannot_break_out_of_their_element():
    name = "</script><script>alert(1)</script>&<!--"
    gold = [clineval.Document(name, [clineval.Mention([(0, 4)], "C1")])]
    html = page_of({name: gold}, gold, notes=["</script> pain <!--"])
    assert "alert(1)</script>" not in html
    assert html.count("</script>") == html.count("<script")
    head = json.loads(re.search(r'id="head">(.*?)</script>', html)[1])
    assert head["systems"][0]["name"] == name


@given(st.text())
def test_json_in_a_page_is_json_and_ends_no_element(text):
    written = json_in_html({text: [text]})
    assert json.loads(written) == {text: [text]}
    assert "<" not in written


@given(st.dictionaries(st.text(max_size=3), st.lists(st.integers(-(2**31), 2**31 - 1)), min_size=1))
def test_columns_come_back_as_they_were(columns):
    block = pack_columns({name: np.array(c, np.int64) for name, c in columns.items()})
    data, at = gzip.decompress(base64.b64decode(block.data)), 0
    for name, kind, length in block.layout:
        width = int(re.search(r"\d+", kind)[0]) // 8
        assert at % width == 0
        dtype = f"<{'u' if kind[0] == 'U' else 'i'}{width}"
        assert np.frombuffer(data, dtype, length, at).tolist() == columns[name]
        at += length * width
    assert at == len(data)


def test_a_number_of_more_than_32_bits_is_refused():
    with pytest.raises(OverflowError):
        pack_columns({"large": np.array([2**40])})


@fewer(1 / 3)
@given(corpus=corpora())
def test_any_corpus_can_be_shown(corpus):
    references, predictions = corpus
    texts = ["x" * 40] * len(references)
    html = page_of({"a": predictions, "b": references}, references, notes=texts)
    assert json.loads(re.search(r'id="head">(.*?)</script>', html)[1])["problems"] == {
        "no text": [], "offsets beyond the text": [],
    }  # fmt: skip


def test_documents_of_the_systems_alone_are_shown_in_any_order():
    def documents(*names):
        return [clineval.Document(name, [clineval.Mention([(0, 4)], "C1")]) for name in names]

    with pytest.warns(clineval.InputWarning):
        html = page_of(
            {"a": documents("x", "y", "gold"), "b": documents("gold", "y", "x")}, documents("gold")
        )
    assert json.loads(unpack(html, "tables"))["documents"] == ["gold", "x", "y"]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["semeval15_task14", "g", "p"], "expected --text DIR"),
        (["semeval15_task14", "g", "g", "g", "--no-text"], "two systems have the same name"),
        (["semeval", "g", "p", "--no-text"], "Did you mean semeval15_task14?"),
    ],
)
def test_a_wrong_call_is_explained(tmp_path, arguments, message):
    (tmp_path / "g").mkdir()
    program = [sys.executable, "-m", "clineval", "report", *arguments]
    done = subprocess.run(program, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert message in done.stderr


def test_a_missing_package_is_said_before_anything_is_scored(tmp_path):
    script = "import sys; sys.modules['jinja2'] = None; from clineval.cli import main; main()"
    gold = str(SEMEVAL / "gold")
    arguments = ["report", "semeval15_task14", gold, gold, "--text", str(SEMEVAL / "text")]
    program = [sys.executable, "-c", script, *arguments]
    done = subprocess.run(program, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert done.stderr == (
        "clineval: reports need Jinja2, which is not installed. "
        "Install it: pip install 'clineval[report]'\n"
    )


def test_systems_of_the_same_name_are_told_apart_by_their_folders(tmp_path):
    for folder in ("before", "after"):
        (tmp_path / folder / "out").mkdir(parents=True)
        (tmp_path / folder / "out" / "d.pipe").write_text("d|0-4|C0000001|\n")
    arguments = ["before/out", "before/out", "after/out", "--no-text", "--config", "task1"]
    program = [sys.executable, "-m", "clineval", "report", "semeval15_task14", *arguments]
    subprocess.run(program, cwd=tmp_path, check=True, capture_output=True)
    head = re.search(r'id="head">(.*?)</script>', (tmp_path / "report.html").read_text())[1]
    assert [s["name"] for s in json.loads(head)["systems"]] == ["before/out", "after/out"]
