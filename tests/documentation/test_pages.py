"""Links between the pages, and what README.md says of them."""

import re
from pathlib import Path

import pytest
from conftest import ROOT
from pages import CARDS, OTHERS, PAGES, code_of, read, without_code

import clineval

LINK = re.compile(r"!?\[[^\]]*\]\(([^)\s]+)\)")
CORPUS = ROOT / "metrics" / "clineval" / "challenges" / "semeval15_task14" / "demo"


def links_of(page):
    """Relative links: the file, and the heading in it or ''."""
    targets = LINK.findall(without_code(read(page)))
    return [target.partition("#")[::2] for target in targets if "://" not in target]


def headings_of(path):
    """The anchors of a page's headings, as GitHub makes them."""
    headings = re.findall(r"^#+ (.*)$", without_code(path.read_text("utf-8")), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


@pytest.mark.parametrize("page", [*PAGES, *OTHERS, "tests/README.md"])
def test_every_relative_link_leads_somewhere(page):
    for target, heading in links_of(page):
        path = (ROOT / page).parent / target if target else ROOT / page
        assert path.exists(), f"{page}: {target}"
        assert path.resolve().is_relative_to(ROOT)
        assert not heading or heading in headings_of(path), f"{page}: #{heading}"


@pytest.mark.parametrize("page", CARDS)
def test_cards_have_no_relative_links_as_the_hub_shows_them_alone(page):
    assert links_of(page) == []


def test_the_readme_leads_to_every_page():
    assert {target for target, _ in links_of("README.md")} >= set(PAGES) - {"README.md"}


def test_the_readme_is_short():
    assert len(read("README.md").splitlines()) <= 150


def test_the_doors_stand_on_the_first_screen_in_their_order():
    table = read("README.md").partition("| where you are |")[2].partition("\n\n")[0]
    doors = [row.split(" | ")[0].strip("| ") for row in table.splitlines()[2:]]
    assert [re.sub(r"\[(.*?)\]\(.*\)", r"\1", door) for door in doors] == [
        "command line", "Python", "training", "spaCy", "language models", "evaluate",
    ]  # fmt: skip
    first = "\n".join(read("README.md").splitlines()[:25])
    assert '`evaluate.load("semeval15_task14")`' in first


def test_the_map_names_what_is_there():
    table = read("metrics/README.md").partition("| in `clineval/` |")[2].partition("\n\n")[0]
    rows = [row.split(" | ")[0] for row in table.splitlines()[2:]]
    named = [name for row in rows for name in re.findall(r"`([\w./]+)`", row)]
    core = ROOT / "metrics" / "clineval"
    folders = {path.name for path in core.iterdir() if any(path.glob("*.py"))}
    assert all((core / name).exists() for name in named)
    assert folders - {Path(name).name for name in named} <= {"autoload", "demo"}


def test_the_readme_cites_a_score_that_is_right():
    score = clineval.score("semeval15_task14", CORPUS / "tagger", CORPUS / "gold", config="task1")
    [said] = re.findall(r"^> Strict F1 is (\.\d+) \(`(.*)`\)\.$", read("README.md"), re.MULTILINE)
    assert said == (f"{score['strict_f1']:.3f}"[1:], score.signature_line)
    [citation] = code_of("README.md", "bibtex")
    assert f"version = {{{clineval.__version__}}}" in citation
