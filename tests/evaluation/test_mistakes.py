"""Confusion matrices and frequent errors count the rows of the widest match."""

import json
from collections import Counter
from functools import partial

import laws
import pytest
from demos import arguments_of
from hypothesis import given
from processes import run_clineval
from strategies import corpora
from thorough import fewer

import clineval
from clineval.evaluation.analysis.mistakes import (
    KINDS,
    classify,
    confuse,
    count_mistakes,
    find_frequent,
)
from clineval.evaluation.evaluate import evaluate
from clineval.results.columns import ABSENT
from clineval.results.registry import NAMES, find_challenge

NAME = "semeval15_task14"
LISTED = [name for name in NAMES if find_challenge(name).steps.listed]
FEW = fewer(0.5)


def mention(start, end, cui="C1", **slots):
    return {"spans": [[start, end]], "cui": cui, **slots}


def test_every_kind_has_its_name():
    gold = [[mention(0, 4), mention(10, 14), mention(20, 24), mention(30, 34), mention(40, 44)]]
    found = [[mention(0, 4), mention(10, 15), mention(20, 24, "C2"), mention(30, 35, "C2"),
              mention(50, 54)]]  # fmt: skip
    outcomes = evaluate(NAME, found, gold).outcomes
    counts = {"right": 1, "boundary": 1, "code": 1, "both": 1, "spurious": 1, "missed": 1}
    assert count_mistakes(outcomes) == {**counts, "displaced": 0}
    errors = {(m.kind, m.gold, m.prediction): len(m) for m in find_frequent(outcomes)}
    assert errors == {
        ("boundary", "c1", "c1"): 1, ("code", "c1", "c2"): 1, ("both", "c1", "c2"): 1,
        ("spurious", None, "c1"): 1, ("missed", "c1", None): 1,
    }  # fmt: skip


@pytest.mark.filterwarnings("ignore:1 label of predictions")
@pytest.mark.parametrize(("name", "slot", "word"), [("clinical_spans", "label", "label"),
                                                    (NAME, "cui", "code")])  # fmt: skip
@pytest.mark.filterwarnings("ignore:1 label of predictions:clineval.InputWarning")
def test_a_wrong_class_is_called_what_the_challenge_calls_it(name, slot, word):
    gold, found = ([[{"spans": [[0, 4]], slot: value}]] for value in "ab")
    outcomes = evaluate(name, found, gold).outcomes
    assert [(m.kind, m.gold, m.prediction) for m in find_frequent(outcomes)] == [(word, "a", "b")]
    assert count_mistakes(outcomes)[word] == 1


@FEW
@given(corpora())
def test_kinds_agree_with_the_scores(corpus):
    references, predictions = corpus
    outcomes = evaluate(NAME, predictions, references).outcomes
    score = clineval.score(NAME, predictions, references)
    kinds = count_mistakes(outcomes)
    assert kinds["spurious"] == score["span_fp"]
    assert kinds["missed"] == score["span_fn"]
    assert sum(kinds[kind] for kind in KINDS[:4]) == score["span_tp"]
    assert kinds["right"] == score["strict_tp"]
    found = Counter()
    for mistake in find_frequent(outcomes, most=1000):
        found[mistake.kind] += len(mistake)
        for row in mistake.rows:
            values = outcomes.value("cui", outcomes.matches["span"], row)
            assert values == (mistake.gold, mistake.prediction)
            assert KINDS[classify(outcomes)[row]] == mistake.kind
    assert found == Counter({k: n for k, n in kinds.items() if k not in ("right", "displaced")})


@FEW
@given(corpora())
def test_cells_of_a_confusion_matrix_are_lists_of_outcomes(corpus):
    references, predictions = corpus
    outcomes = evaluate(NAME, predictions, references).outcomes
    score = clineval.score(NAME, predictions, references)
    for slot in ("negation", "cui", "body_location"):
        confusion = confuse(outcomes, slot)
        names = [*confusion.values, None]
        for row, gold in enumerate(names):
            for column, found in enumerate(names):
                rows = confusion.outcomes(gold, found)
                assert len(rows) == confusion.table[row, column]
                for at in rows:
                    values = outcomes.value(slot, outcomes.matches["span"], at)
                    assert values == (gold, found)
        table = confusion.table
        assert table[:-1, :-1].sum() == score["span_tp"]
        assert table[:-1, :-1].trace() == score.counts.totals[f"{slot}_equal"]
        assert (table[-1].sum(), table[:, -1].sum()) == (score["span_fp"], score["span_fn"])


def test_what_a_script_counts_as_nothing_is_in_no_cell():
    references, predictions = ["a.txt|10-20|C1"], ["a.txt|10-20|C1\na.txt|8-25|C1"]
    outcomes = evaluate(NAME, predictions, references, protocol="official").outcomes
    score = clineval.score(NAME, predictions, references, protocol="official")
    assert count_mistakes(outcomes)["displaced"] == 1
    assert confuse(outcomes, "cui").table.sum() == (
        score["span_tp"] + score["span_fp"] + score["span_fn"]
    )


@pytest.mark.filterwarnings("ignore::clineval.InputWarning")
@pytest.mark.parametrize("name", LISTED)
def test_every_challenge_has_errors_and_confusion(name):
    sides, options = arguments_of(name)
    outcomes = evaluate(name, *sides, **options).outcomes
    match = outcomes.matches[outcomes.widest]
    errors = outcomes.matches.get("near_misses", match)
    assert sum(count_mistakes(outcomes).values()) == len(errors)
    for slot in outcomes.gold.attributes:
        values = [outcomes.value(slot, match, row) for row in range(len(match))]
        there = [pair for pair in values if ABSENT not in pair]  # all, if any item has the slot
        assert confuse(outcomes, slot).table.sum() == len(there)
        assert there == values or name in (
            "clinical_records",
            "clinical_tempeval",
            "i2b2_2012_temporal",
        )


def test_an_unknown_slot_is_refused():
    outcomes = evaluate(NAME, [[]], [[mention(0, 4)]]).outcomes
    laws.refuses(lambda: confuse(outcomes, "x"), "negation")


run = partial(run_clineval, "errors")


def test_the_command_line_shows_errors_and_confusion():
    (predicted, gold), _ = arguments_of(NAME, 1)
    outcomes = evaluate(NAME, predicted, gold).outcomes
    kinds = count_mistakes(outcomes)
    out = run(NAME, gold, predicted).stdout
    assert f"{kinds['boundary']} boundary" in out
    shown = json.loads(run(NAME, gold, predicted, "--format", "json", "--most", 2).stdout)
    assert shown["kinds"] == kinds
    assert sum(error["kind"] == "missed" for error in shown["errors"]) == 2
    shown = json.loads(run(NAME, gold, predicted, "--slot", "severity", "--format", "json").stdout)
    assert shown["confusion"] == confuse(outcomes, "severity").table.tolist()
    for notation, part in (("csv", "severe,"), ("latex", "tabular"), ("markdown", "| severe |")):
        assert part in run(NAME, gold, predicted, "--slot", "severity", "--format", notation).stdout
    assert "(others)" in run(NAME, gold, predicted, "--slot", "cui").stdout
    assert "negation" in run(NAME, gold, predicted, "--slot", "x", status=2).stderr


def test_what_right_means_is_said_where_scores_ask_for_more():
    """Of records the strict score asks for equal fields; a pair with one type is no error here."""
    (predicted, gold), _ = arguments_of("mediqa_oe25", 1)
    words = ("mediqa_oe25", gold, predicted)
    said = "right: records that are paired and have the same type; other fields may differ"
    assert said in run(*words).stdout
    assert said in run(*words, "--format", "markdown").stdout
    assert list(json.loads(run(*words, "--format", "json").stdout)) == ["kinds", "errors"]
    (predicted, gold), _ = arguments_of(NAME, 1)
    assert "right:" not in run(NAME, gold, predicted).stdout
