"""Every challenge of the registry has all that a challenge needs."""

import inspect

import evaluate
import pytest
from conftest import DATA, ROOT

from clineval.registry import NAMES, find_challenge
from clineval.report.workbench import VIEWS

pytestmark = pytest.mark.parametrize("name", NAMES)


def test_it_is_declared_in_full(name):
    challenge = find_challenge(name)
    assert challenge.name == name
    assert set(challenge.configs) >= {"default"}
    assert "spec" in challenge.protocols
    assert challenge.citation.startswith("@")
    assert challenge.homepage.startswith("https://")
    assert challenge.specification.count("\n") > 10
    assert all(p.default is not inspect.Parameter.empty for p in challenge.options.values())


def test_its_options_are_explained(name):
    challenge = find_challenge(name)
    for option in challenge.options:
        assert f"{option}:" in inspect.getdoc(challenge.count)


def test_its_outcomes_take_the_same_options(name):
    challenge = find_challenge(name)
    if challenge.outcomes:
        ours, theirs = map(inspect.signature, (challenge.outcomes, challenge.count))
        assert ours.parameters == theirs.parameters


def test_its_main_scores_exist(name):
    challenge = find_challenge(name)
    keys = {key for grid in challenge.grids for row in grid.rows.values() for key in row}
    assert set(challenge.headline) <= keys


def test_its_evaluate_module_takes_the_same_options(name):
    metric = evaluate.load(name)
    assert metric.name == name
    parameters = inspect.signature(metric._compute).parameters.values()
    assert all(p.kind is not inspect.Parameter.VAR_KEYWORD for p in parameters)
    options = {p.name: p.default for p in parameters if p.kind is inspect.Parameter.KEYWORD_ONLY}
    expected = {n: p.default for n, p in find_challenge(name).options.items()}
    intervals = {"confidence": None, "n_resamples": 1000, "seed": 12345, "interval": "percentile"}
    assert options == {"protocol": "spec", **expected, **intervals, "per_document": False}


def test_its_errors_can_be_seen(name):
    assert name in VIEWS


def test_its_evaluate_module_is_thin(name):
    source = (ROOT / "metrics" / name / f"{name}.py").read_text()
    body = source[source.index("def _compute") :]
    assert not any(word in body for word in ("for ", "while ", " if ", "+", "/"))


def test_it_has_goldens_and_a_demo(name):
    assert (DATA / "oracle" / name / "PROVENANCE.md").is_file()
    assert (ROOT / "metrics" / "clineval" / "demo" / name).is_dir()


def test_its_tables_show_keys_that_exist(name):
    challenge = find_challenge(name)
    keys = {key for grid in challenge.grids for row in grid.rows.values() for key in row}
    assert keys
