"""Formulas of the manuals: each one is set as MathML for the site."""

import re
import xml.etree.ElementTree as ET

import pytest
from assembly.formulas import FormulaError, set_formula
from assembly.pages import list_sections
from assembly.rewriting import rewrite
from conftest import ROOT
from pages import read

PAGES = [
    page.source
    for _, pages in list_sections()
    for page in pages
    if page.source.endswith(".md") and (ROOT / page.source).is_file()
]


FORMULA = re.compile(r"^\$\$\n(.*?)^\$\$$", re.DOTALL | re.MULTILINE)


def parse(formula):
    return ET.fromstring(set_formula(formula).replace("&nbsp;", " "))


def test_every_formula_of_every_page_is_set():
    formulas = [(page, text) for page in PAGES for text in FORMULA.findall(read(page))]
    assert len(formulas) > 20
    for page, formula in formulas:
        assert "".join(parse(formula).itertext()).strip(), page
        assert not re.search(r"\\[^A-Za-z]", formula), f"{page}: GitHub loses the backslash"


def test_every_formula_is_closed():
    for page in PAGES:
        assert read(page).count("\n$$\n") == 2 * len(FORMULA.findall(read(page))), page


def test_fractions_and_limits():
    [fraction] = parse(r"F_1 = \frac{2 tp}{2 tp + fp}")
    assert [part.tag for part in fraction] == ["msub", "mo", "mfrac"]
    assert ["".join(part.itertext()) for part in fraction[2]] == ["2tp", "2tp+fp"]
    [total] = parse(r"\sum_{i=1}^{n} x_i \le \text{all words}")
    assert [part.tag for part in total] == ["munderover", "msub", "mo", "mtext"]
    assert ["".join(part.itertext()) for part in total] == ["∑i=1n", "xi", "≤", "all words"]


@pytest.mark.parametrize("formula", [r"\matrix{1}", r"\frac{1}{2", "^2"])
def test_an_unknown_formula_is_an_error(formula):
    with pytest.raises(FormulaError):
        set_formula(formula)


def test_a_page_holds_the_formula_and_no_code():
    text = rewrite("A\n\n$$\nP = \\frac{a}{b}\n$$\n", "a.md", {})
    assert "<mfrac><mrow><mi>a</mi></mrow><mrow><mi>b</mi></mrow></mfrac>" in text
    assert "$$" not in text
