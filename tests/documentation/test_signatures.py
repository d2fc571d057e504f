"""Each field of a signature is declared once, and the page on signatures follows."""

from pathlib import Path

import pytest
from assembly.signatures import PAGE, with_tables
from conftest import ROOT
from demos import arguments_of

import clineval
from clineval.results.comparable import find_settings
from clineval.results.registry import NAMES, find_challenge
from clineval.results.settings import GENERAL


@pytest.mark.filterwarnings("ignore::clineval.InputWarning")
@pytest.mark.parametrize("name", NAMES)
def test_every_field_is_declared(name):
    sides, options = arguments_of(name)
    for protocol in find_challenge(name).protocols:
        score = clineval.score(name, *sides, protocol=protocol, **options)
        assert set(score.signature.settings) <= set(find_settings(name))


def test_the_option_of_a_field_exists():
    """Fields whose option a challenge lacks are left out, so that advice never names it."""
    declared = {
        of
        for name in NAMES
        for each in find_challenge(name).protocols.values()
        for of in each.own_settings
    }
    kept = {of for name in NAMES for of in find_challenge(name).own_settings}
    assert declared == kept


def test_names_are_unique():
    general = [each.name for each in GENERAL]
    for name in NAMES:
        names = [*general, *(each.name for each in find_challenge(name).own_settings)]
        assert len(names) == len(set(names)), name


@pytest.mark.filterwarnings("ignore::clineval.InputWarning")
def test_those_of_intervals_and_comparisons_too():
    gold = [[{"spans": [[0, 4]], "label": "A", "negated": True}]] * 4
    how = {
        "slots": ["negated"],
        "touching": True,
        "tokens": True,
        "weighted": True,
        "beta": 2,
        "document_accuracy": True,
        "texts": ["a bc"] * 4,
        "cluster": {str(k): "x" for k in range(4)},
    }
    compared = clineval.compare("clinical_spans", {"a": gold, "b": gold}, gold, trials=9, **how)
    fields = set(compared.signature.settings)
    wanted = {"bs", "ci", "seed", "cluster", "test", "trials", *how}.difference(["texts"])
    assert wanted <= fields <= set(find_settings("clinical_spans"))


def test_the_page_has_the_declarations():
    """``PYTHONPATH=docs python -m assembly.signatures`` writes the tables."""
    page = Path(PAGE).read_text("utf-8")
    assert page == with_tables(page)


def test_the_readme_leads_there():
    assert "(metrics/clineval/results/README.md)" in (ROOT / "README.md").read_text("utf-8")
