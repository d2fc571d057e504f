"""Sorting with near ties: what Python 2.7 does, on every Python."""

import json
from hashlib import sha256

import numpy as np
import pytest
from conftest import DATA
from hypothesis import given
from hypothesis import strategies as st
from near_scores import KINDS
from plain import timsort as plain

from clineval.challenges.i2b2_2009_medication.official import round_as_python2
from clineval.challenges.i2b2_2009_medication.timsort import TIE, order_with_near_ties, sort_stably

ORACLE = DATA / "oracle" / "i2b2_2009_medication"
CASES = json.loads((ORACLE / "python2_sort.json").read_text())
LONG_CASES = json.loads((ORACLE / "python2_sort_long.json").read_text())


def order(scores, group=None):
    group = np.zeros(len(scores), int) if group is None else group
    return order_with_near_ties(np.array(group), np.array(scores)).tolist()


def test_python_2_7_sorts_these_lists_so():
    for case in CASES:
        assert order(case["scores"]) == case["order"]


@pytest.mark.parametrize("case", LONG_CASES, ids=lambda case: case["kind"])
def test_python_2_7_sorts_long_lists_so(case):
    scores = KINDS[case["kind"]](case["size"], case["seed"])
    found = order_with_near_ties(np.zeros(len(scores), int), np.array(scores))
    assert sha256(found.astype("<i4").tobytes()).hexdigest() == case["sha256"]


class TestAgainstThePlainSort:
    @pytest.mark.parametrize("kind", KINDS)
    @pytest.mark.parametrize("size", [63, 64, 700, 6000])
    def test_of_lists(self, kind, size):
        self.compare(KINDS[kind](int(size**0.5) if kind == "nested" else size, size))

    @given(st.lists(st.integers(0, 60), max_size=300))
    def test_of_short_lists(self, scores):
        self.compare(scores)

    @given(st.lists(st.tuples(st.integers(-9, 12), st.integers(1, 90)), max_size=40))
    def test_of_slopes(self, slopes):
        """Scores that rise or fall a little from one to the next."""
        scores, at = [], 5000
        for step, length in slopes:
            for _ in range(length):
                at = min(10_000, max(0, at + step))
                scores.append(at)
        self.compare(scores)

    def compare(self, scores):
        expected = plain.sort_stably(range(len(scores)), lambda a, b: scores[b] - scores[a] >= TIE)
        assert sort_stably(np.array(scores, np.int64), TIE).tolist() == expected


def test_among_them_are_orders_that_no_stable_sort_by_score_gives():
    by_score = [
        sorted(range(len(case["scores"])), key=lambda k: -case["scores"][k]) for case in CASES
    ]
    assert sum(case["order"] != plain for case, plain in zip(CASES, by_score, strict=True)) > 50
    assert max(len(case["scores"]) for case in CASES) > 256


@given(st.lists(st.lists(st.integers(0, 60), max_size=80), max_size=4))
def test_groups_are_sorted_each_for_itself(lists):
    group = [number for number, scores in enumerate(lists) for _ in scores]
    expected, start = [], 0
    for scores in lists:
        expected += [start + k for k in order(scores)] if scores else []
        start += len(scores)
    assert order([score for scores in lists for score in scores], group) == expected


@given(st.lists(st.integers(0, 5000)))
def test_scores_that_are_far_apart_come_highest_first(scores):
    apart = [score * TIE for score in scores]
    assert order(apart) == sorted(range(len(apart)), key=lambda k: -apart[k])


@given(st.lists(st.integers(0, 50), max_size=400))
def test_a_consistent_order_is_sorted_stably(numbers):
    result = sort_stably(np.array(numbers, np.int64), 1)
    assert result.tolist() == sorted(range(len(numbers)), key=numbers.__getitem__)


@pytest.mark.parametrize(
    ("value", "rounded"),
    [(1 / 32, 0.0313), (5 / 32, 0.1563), (0.00625, 0.0063), (2 / 3, 0.6667), (0.0, 0.0), (1, 1)],
)
def test_halves_are_rounded_away_from_zero(value, rounded):
    """As Python 2.7.18 does; Python 3 gives 0.0312 and 0.1562 for the first two."""
    assert round_as_python2(np.array([value, 0.5, value])).tolist() == [rounded, 0.5, rounded]
