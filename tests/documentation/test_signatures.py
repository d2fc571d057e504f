"""The page on signatures has a line for each field that any metric writes."""

import re

import pytest
from conftest import ROOT
from demos import arguments_of

import clineval
from clineval.results.registry import NAMES, find_challenge

PAGE = (ROOT / "metrics" / "clineval" / "results" / "README.md").read_text("utf-8")
FIELDS = {
    name
    for line in PAGE.splitlines()
    if line.startswith("| `")
    for name in re.findall(r"`(\w+)`", line.split("|")[1])
}


@pytest.mark.filterwarnings("ignore::clineval.InputWarning")
@pytest.mark.parametrize("name", NAMES)
def test_every_field_is_explained(name):
    sides, options = arguments_of(name)
    for protocol in find_challenge(name).protocols:
        score = clineval.score(name, *sides, protocol=protocol, **options)
        assert set(score.signature.settings) <= FIELDS


@pytest.mark.filterwarnings("ignore::clineval.InputWarning")
def test_those_of_intervals_and_comparisons_too():
    gold = [[{"spans": [[0, 4]], "label": "A", "negated": True}]] * 4
    how = {"slots": ["negated"], "touching": True, "cluster": {str(k): "x" for k in range(4)}}
    compared = clineval.compare("clinical_spans", {"a": gold, "b": gold}, gold, trials=9, **how)
    assert {"bs", "ci", "seed", "cluster", "test", "trials", "slots", "touching"} <= set(
        compared.signature.settings
    )
    assert set(compared.signature.settings) <= FIELDS
    assert {"left_out", "answers", "runs"} <= FIELDS


def test_the_readme_leads_there():
    assert "(metrics/clineval/results/README.md)" in (ROOT / "README.md").read_text("utf-8")
