"""Formulas of the manuals: each one is set as MathML for the site."""

import xml.etree.ElementTree as ET

import pytest
from assembly.formulas import FormulaError, set_formula
from assembly.pages import list_sections
from assembly.rewriting import rewrite
from conftest import ROOT
from pages import code_of

PAGES = [
    page.source
    for _, pages in list_sections()
    for page in pages
    if page.source.endswith(".md") and (ROOT / page.source).is_file()
]


def parse(formula):
    return ET.fromstring(set_formula(formula).replace("&nbsp;", " "))


def test_every_formula_of_every_page_is_set():
    formulas = [formula for page in PAGES for formula in code_of(page, "math")]
    assert formulas
    for formula in formulas:
        assert "".join(parse(formula).itertext()).strip()


def test_fractions_limits_and_lines():
    fraction, total = parse(
        r"F_1 = \frac{2\,tp}{2\,tp + fp} \\" + "\n" + r"\sum_{i=1}^{n} x_i \le \text{all words}"
    )
    assert [part.tag for part in fraction] == ["msub", "mo", "mfrac"]
    assert ["".join(part.itertext()) for part in fraction[2]] == ["2tp", "2tp+fp"]
    assert [part.tag for part in total] == ["munderover", "msub", "mo", "mtext"]
    assert [text for part in total for text in part.itertext()][-2:] == ["≤", "all words"]


@pytest.mark.parametrize("formula", [r"\matrix{1}", r"\frac{1}{2", "^2"])
def test_an_unknown_formula_is_an_error(formula):
    with pytest.raises(FormulaError):
        set_formula(formula)


def test_a_page_holds_the_formula_and_no_code():
    text = rewrite("A\n\n```math\nP = \\frac{a}{b}\n```\n", "a.md", {})
    assert "<mfrac><mrow><mi>a</mi></mrow><mrow><mi>b</mi></mrow></mfrac>" in text
    assert "```" not in text
