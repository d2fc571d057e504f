"""Intervals that rest on few documents are marked wherever they are written."""

import json

import pytest

import clineval
from clineval.evaluation.analysis.breakdown import add_intervals, break_down
from clineval.results.tables import WRITERS
from clineval.statistics.confidence import Confidence

pytestmark = pytest.mark.filterwarnings("ignore::clineval.InputWarning")
# a hit of "a" in 30 documents, an error in 11; of "b" a hit in 2, an error in 1
GOLD = [[{"spans": [[0, 3]], "label": "a"}] for _ in range(41)]
GOLD[0] = GOLD[1] = [*GOLD[0], {"spans": [[5, 8]], "label": "b"}]
FOUND = [mentions if row < 30 else [] for row, mentions in enumerate(GOLD)]
FOUND[2] = [*GOLD[2], {"spans": [[5, 8]], "label": "b"}]


@pytest.fixture(scope="module")
def score():
    return clineval.score("clinical_spans", FOUND, GOLD, labels=["a", "b"], confidence=0.9)


def test_scores_with_fewer_than_ten_documents_with_hits_or_with_errors_are_few(score):
    assert {"b_strict_f1", "b_strict_recall", "a_strict_precision"} <= set(score.few_units)
    assert not {"a_strict_f1", "a_strict_recall", "strict_f1"} & set(score.few_units)
    assert set(score.few_units) <= set(score.intervals)


@pytest.mark.parametrize(("notation", "mark"), [("markdown", "] † |"), ("latex", r"] $^\dagger$")])
def test_a_dagger_is_explained_below_the_tables(score, notation, mark):
    written = WRITERS[notation](score.sheet())
    assert mark in written
    assert "fewer than 10 documents" in written[written.rindex(mark) :]
    assert score.format_interval("strict_recall") in written
    assert score.format_interval("b_strict_f1").endswith("] †")
    assert score.format_interval("strict_recall").endswith("]")


def test_a_score_without_intervals_has_no_marks():
    plain = clineval.score("clinical_spans", FOUND, GOLD)
    assert plain.few_units == ()
    assert "few_units" not in WRITERS["json"](plain.sheet()) + WRITERS["csv"](plain.sheet())
    assert "†" not in WRITERS["markdown"](plain.sheet())


def test_programs_are_told_by_key(score):
    told = json.loads(WRITERS["json"](score.sheet()))
    assert tuple(told["few_units"]) == score.few_units
    head, *lines = (line.split(",") for line in WRITERS["csv"](score.sheet()).splitlines())
    assert head == ["key", "value", "few_units"]
    assert {key for key, *_, few in lines if few == "yes"} == set(score.few_units)


def test_groups_and_comparisons_mark_them_too():
    evaluation = clineval.evaluate("clinical_spans", FOUND, GOLD, labels=["a", "b"])
    whole = clineval.Score(evaluation.counts, Confidence(0.9))
    sheet = add_intervals(break_down(evaluation.outcomes, "label"), whole).sheet(whole)
    told = sheet.data()["few_units"]
    assert "strict_f1" in told["b"]
    assert "strict_f1" not in told["a"]
    head, *lines = map(tuple, sheet.lines())
    assert {line[0]: line[head.index("few_units")].split() for line in lines} == {
        name: list(keys) for name, keys in told.items()
    }
    compared = clineval.compare("clinical_spans", {"x": FOUND, "y": GOLD}, GOLD, labels=["a", "b"])
    told = compared.sheet(["strict_f1"]).data()["few_units"]
    head, *lines = map(tuple, compared.sheet(["strict_f1"]).lines())
    marked = [line[head.index("system")] for line in lines if line[head.index("few_units")]]
    assert marked == [name for name, keys in told.items() if keys] == ["y"]
