"""Kappa and alpha: against the krippendorff package and plain sums."""

import json
import shutil
import subprocess
import sys
from pathlib import Path

import krippendorff
import laws
import numpy as np
import pytest
from demos import arguments_of
from hypothesis import given
from hypothesis import strategies as st

import clineval
from clineval.analysis.agreement import agree, agree_in
from clineval.analysis.outcomes import find_outcomes
from clineval.registry import NAMES, find_challenge

NAME = "semeval15_task14"
PROGRAM = shutil.which("clineval", path=str(Path(sys.executable).parent))
PAIRS = st.lists(st.tuples(st.integers(0, 3), st.integers(0, 3)), min_size=1, max_size=30)
LISTED = [name for name in NAMES if find_challenge(name).outcomes]


def tabulate(pairs):
    table = np.zeros((4, 4), np.int64)
    for left, right in pairs:
        table[left, right] += 1
    return table


@given(PAIRS)
def test_alpha_is_that_of_the_krippendorff_package(pairs):
    found = agree_in(tabulate(pairs))
    if len({value for pair in pairs for value in pair}) == 1:
        assert found.alpha == 0
    else:
        theirs = krippendorff.alpha(np.array(pairs).T, level_of_measurement="nominal")
        assert found.alpha == pytest.approx(theirs)


@given(PAIRS)
def test_kappa_is_that_of_the_definition(pairs):
    n = len(pairs)
    observed = sum(left == right for left, right in pairs)
    chance = sum(left == right for left, _ in pairs for _, right in pairs)
    found = agree_in(tabulate(pairs))
    assert found.agreement == observed / n
    if chance == n * n:
        assert found.kappa == 0
    else:
        assert found.kappa == pytest.approx((observed * n - chance) / (n * n - chance))


def test_no_pairs_no_agreement():
    found = agree_in(np.zeros((0, 0), np.int64))
    assert (found.pairs, found.agreement, found.kappa, found.alpha) == (0, 0, 0, 0)


def test_slots_are_compared_in_the_mentions_that_both_marked():
    (predicted, gold), _ = arguments_of(NAME, 1)
    [found] = agree(NAME, {"a": gold, "b": predicted}, config="task2b")
    score = clineval.score(NAME, predicted, gold, config="task2b")
    assert found.score["span_f1"] == score["span_f1"]
    for slot, of in found.slots.items():
        assert of.pairs == score["span_tp"]
        assert of.agreement == pytest.approx(score[f"{slot}_accuracy"])
    outcomes = find_outcomes(NAME, predicted, gold)
    match = outcomes.matches["span"]
    values = [outcomes.value("severity", match, row) for row in range(match.pairs)]
    numbers = {value: k for k, value in enumerate(sorted({v for pair in values for v in pair}))}
    units = np.array([[numbers[value] for value in pair] for pair in values]).T
    theirs = krippendorff.alpha(units, level_of_measurement="nominal")
    assert found.slots["severity"].alpha == pytest.approx(theirs)


def test_every_two_annotators_are_compared():
    gold = [[{"spans": [[0, 4]], "cui": "C1"}]] * 2
    found = agree(NAME, {"a": gold, "b": gold, "c": gold})
    assert [(f.first, f.second) for f in found] == [("a", "b"), ("a", "c"), ("b", "c")]
    laws.refuses(lambda: agree(NAME, {"a": gold}), "two annotators")


@pytest.mark.filterwarnings("ignore::clineval.InputWarning")
@pytest.mark.parametrize("name", LISTED)
def test_every_challenge_with_mentions_has_agreement(name):
    (predicted, gold), options = arguments_of(name)
    [found] = agree(name, {"a": gold, "b": predicted}, **options)
    assert found.slots
    assert all(of.kappa <= 1 and of.alpha <= 1 for of in found.slots.values())


def run(*arguments, status=0):
    command = [PROGRAM, "agreement", NAME, *map(str, arguments)]
    result = subprocess.run(command, capture_output=True, text=True, check=False)
    assert result.returncode == status, result.stderr
    return result


def test_the_command_line_shows_agreement():
    (predicted, gold), _ = arguments_of(NAME, 1)
    [found] = agree(NAME, {"gold": gold, "tagger": predicted})
    out = run(gold, predicted).stdout
    assert f"{found.slots['severity'].kappa:.4f}" in out
    assert f"{found.score['strict_f1']:.4f}" in out
    [shown] = json.loads(run(gold, predicted, "--format", "json").stdout)
    assert shown["slots"]["severity"]["alpha"] == found.slots["severity"].alpha
    assert "| severity | " in run(gold, predicted, "--format", "markdown").stdout
    assert "tabular" in run(gold, predicted, "--format", "latex").stdout
    assert "single table" in run(gold, predicted, "--format", "csv", status=2).stderr
