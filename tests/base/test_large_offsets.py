"""The largest offsets that columns hold are added, compared and counted like any others."""

import numpy as np
import pytest

import clineval
from clineval.evaluation.analysis.breakdown import break_down
from clineval.evaluation.evaluate import evaluate

MODULES = ("semeval15_task14", "clefehealth13_task1")
LARGEST = np.iinfo(np.int32).max
# pytest turns the warnings of an overflow into errors


def corpus(last):
    """Two documents, a far prediction and a near one, both shorter than what they overlap."""
    gold = [[{"spans": [[0, last]], "cui": "C1"}], [{"spans": [[5, 9]], "cui": "C1"}]]
    found = [[{"spans": [[0, last - 5]], "cui": "C1"}], [{"spans": [[5, 8]], "cui": "C1"}]]
    return found, gold


@pytest.mark.parametrize("protocol", ["spec", "official"])
@pytest.mark.parametrize("module", MODULES)
def test_the_largest_offset_scores_as_any_other(module, protocol):
    far, near = (
        clineval.score(module, *corpus(last), protocol=protocol).as_dict()
        for last in (LARGEST, 1000)
    )
    far.pop("signature"), near.pop("signature")
    assert far == near
    assert far["relaxed_f1" if "relaxed_f1" in far else "overlap_f1"] == 1


@pytest.mark.parametrize("protocol", ["spec", "official"])
@pytest.mark.parametrize("module", MODULES)
def test_places_of_more_than_63_bits_score_as_any_other(module, protocol):
    """A document, a start and an end: packed into one number where they fit, else ranked."""

    def score(first):
        def side(*places):
            return [[m(first + start, first + end) for start, end in part] for part in places]

        gold = side([(0, 4), (6, 9)], [(0, 4)], [(2, 6), (0, 9)], [(5, 9)])
        found = side([(6, 9), (0, 3)], [(1, 4)], [(0, 9)], [(0, 4)])
        scores = clineval.score(module, found, gold, protocol=protocol).as_dict()
        return {key: value for key, value in scores.items() if key != "signature"}

    def m(start, end):
        return {"spans": [[start, end]], "cui": "C1"}

    assert score(LARGEST - 9) == score(5)


@pytest.mark.parametrize("by", ["length", "fragments", "document"])
def test_groups_of_the_longest_mentions(by):
    found, gold = corpus(LARGEST)
    result = break_down(evaluate(MODULES[0], found, gold).outcomes, by)
    assert sum(result.counts["span_tp"]) == 2


def test_lengths_are_sums_of_more_than_32_bits():
    """The released script takes fragments that overlap, so that a mention's may add up so far."""
    spans = ",".join(["0-999999999"] * 3)
    text = f"a|{spans}|C1|\n"
    outcomes = evaluate(MODULES[0], text, text, protocol="official").outcomes
    assert outcomes.gold.lengths(np.array([0])).tolist() == [3 * 999_999_999]
    assert break_down(outcomes, "length").names == ("31 characters and more",)
