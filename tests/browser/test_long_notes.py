"""Notes of a million characters, and mentions over one another: drawn once, legible, all there."""

import pytest

WORDS = ("patient", "denies", "pain", "fever", "cough", "and", "mild", "swelling", "left", "knee")
PANE_TEXT = """() => [...document.querySelectorAll('.line[data-pane="0"]')].map((l) => l.textContent).join('')"""
ELEMENTS = "document.querySelectorAll('#document-body *').length"


def write_note(folder, text, lines):
    """A note with the same mentions on both sides; the arguments of a report."""
    for side in ("gold", "pred"):
        (folder / side).mkdir(parents=True)
        (folder / side / "big.pipe").write_text("".join(lines))
    (folder / "text").mkdir()
    (folder / "text" / "big.txt").write_text(text)
    sides = folder / "gold", folder / "pred"
    return ("semeval15_task14", *sides, "--config", "task1", "--text", folder / "text")


def make_text(size, every):
    """Words, with a line break after each so many, or none."""
    words = (WORDS * (size // 40))[: size // 6]
    ends = ("\n" if every and k % every == 0 else " " for k in range(1, len(words) + 1))
    return "".join(word + end for word, end in zip(words, ends, strict=True))


@pytest.mark.parametrize("every", [0, 10], ids=["one line", "many lines"])
def test_a_long_note_is_all_there_and_its_marks_grow_with_its_mentions(
    every, tmp_path, make_report, open_page
):
    text = make_text(1_000_000, every)
    elements = []
    for mentions in (1000, 2000, 4000):
        step = len(text) // mentions
        lines = [f"big.txt|{k * step + 1}-{k * step + 9}|C{k:07d}|\n" for k in range(mentions)]
        page = open_page(make_report(*write_note(tmp_path / str(mentions), text, lines)))
        elements.append(page.evaluate(ELEMENTS))
    assert page.evaluate(PANE_TEXT) == text
    first, second, third = elements
    assert third - second == pytest.approx(2 * (second - first), rel=0.1)


@pytest.fixture
def piled(tmp_path, make_report, open_page):
    """300 mentions, each inside the one before."""
    lines = [f"big.txt|{200 + k}-{1200 - k}|C{k:07d}|\n" for k in range(300)]
    text = make_text(3000, 10)
    page = open_page(make_report(*write_note(tmp_path, text, lines)), "#show=gold")
    assert page.evaluate(PANE_TEXT) == text
    return page


def test_of_many_mentions_over_one_another_most_are_folded_and_counted(piled):
    deepest = """() => Math.max(...[...document.querySelectorAll('mark')].map((mark) => {
      let depth = 0;
      for (let at = mark; at; at = at.parentElement.closest('mark')) depth++;
      return depth;
    }))"""
    assert piled.evaluate(deepest) == 5
    counts = piled.evaluate("[...document.querySelectorAll('.folded')].map((f) => f.dataset.count)")
    assert "+295" in counts
    assert piled.evaluate(ELEMENTS) < 1000


def test_a_folded_mention_that_is_chosen_is_in_sight(piled, expect, wait_until_drawn):
    assert piled.locator("mark[data-key=g150]").count() == 0
    piled.evaluate("change({ m: 'g150' })")
    wait_until_drawn(piled)
    expect(piled.locator("mark[data-key=g150]").first).to_have_attribute("aria-current", "true")
    assert piled.evaluate(PANE_TEXT)[200 + 150 : 1200 - 150] == piled.evaluate(
        "[...document.querySelectorAll('mark[data-key=g150]')].map((m) => m.textContent).join('')"
    )


def test_pressing_a_folded_place_goes_through_all_that_lie_there(piled):
    chosen = set()
    for _ in range(8):
        before = piled.evaluate("view.m")
        piled.evaluate("document.querySelector('.folded mark mark mark mark mark').click()")
        piled.wait_for_function("(before) => view.m !== before", arg=before)
        chosen.add(piled.evaluate("view.m"))
    assert len(chosen) == 8
