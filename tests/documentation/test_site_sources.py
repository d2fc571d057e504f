"""What the site is made of: every manual is a page, and no text stands twice."""

import re
from collections import defaultdict
from importlib import import_module

import pytest
from assembly.definitions import write_code
from assembly.notebooks import render
from assembly.pages import REFERENCE, list_sections
from assembly.rewriting import rewrite, title_of
from conftest import ROOT
from pages import CARDS, PAGES, without_code

from clineval.results.registry import NAMES, find_challenge

SECTIONS = dict(list_sections())
MADE = re.compile(r"<!-- (\w+): begin -->.*?<!-- \1: end -->", re.DOTALL)
"""What clineval.hub writes into cards."""
LONG = 20
"""Words; shorter ones, such as how to get the demo corpora, each manual may say."""


def text_of(page):
    notebook = page.source.endswith(".ipynb")
    return render(ROOT / page.source).text if notebook else page.read()


def paragraphs_of(page):
    """The paragraphs and items of a page's prose, without front matter, code and tables."""
    text = re.sub(r"\A---\n.*?^---\n", "", text_of(page), flags=re.DOTALL | re.MULTILINE)
    for paragraph in re.split(r"\n\s*\n|\n(?=- )", MADE.sub("", without_code(text))):
        words = paragraph.split()
        if len(words) >= LONG and not paragraph.startswith("|"):
            yield " ".join(words)


def test_no_text_stands_twice():
    """Cards may share a sentence: on the Hub each is alone."""
    where = defaultdict(set)
    for pages in SECTIONS.values():
        for page in pages:
            for paragraph in paragraphs_of(page):
                where[paragraph].add(page.source)
    assert len(where) > 200
    assert {p: on for p, on in where.items() if len(on) > 1 and not on <= set(CARDS)} == {}


@pytest.mark.parametrize("name", NAMES)
def test_the_page_of_a_challenge_shows_its_definition(name):
    section = write_code(f"hub_cards/{name}/README.md")
    assert section.count("```") % 2 == 0
    assert section.count("<details") == section.count("</details>")
    assert find_challenge(name).task.code.read_text("utf-8") in section
    assert write_code("hub_cards/README.md") == ""


def test_every_manual_is_a_page():
    pages = [page for pages in SECTIONS.values() for page in pages]
    assert {page.source for page in pages} >= {*PAGES, "CHANGELOG.md"}
    assert len({page.target for page in pages}) == len(pages)


@pytest.mark.parametrize("section", SECTIONS)
def test_the_navigation_tells_pages_apart(section):
    titles = [page.title or title_of(text_of(page)) for page in SECTIONS[section]]
    assert len(set(titles)) == len(titles)
    assert "?" not in titles


@pytest.mark.parametrize("name", REFERENCE)
def test_the_reference_has_every_public_name(name):
    page = (ROOT / f"docs/reference/{name}.md").read_text("utf-8")
    said = re.findall(r"^::: ([\w.]+)\.(\w+)$", page, re.MULTILINE)
    package = "clineval." * (name not in {"clineval", "spacy_clin"}) + name
    shown = [member for home, member in said if home == package]
    assert len(set(shown)) == len(shown)
    public = getattr(import_module(package), "__all__", ("load", "metric_path", "register"))
    assert set(shown) == set(public), f"docs/reference/{name}.md lists the public names"


def test_links_lead_to_where_the_pages_are():
    text = "[a](../b/README.md#how), [c](../../LICENSE), [d](https://e.org), `[f](g)`\n"
    targets = {"x/a/README.md": "one/a.md", "x/b/README.md": "two/b.md", "LICENSE": "files/L.txt"}
    done = rewrite(text + "\n```\n[h](i)\n```\n", "x/a/README.md", {**targets, "x/a/g": "g"})
    assert done.startswith("[a](../two/b.md#how), [c](../files/L.txt), [d](https://e.org)")
    assert "\n[h](i)\n" in done
