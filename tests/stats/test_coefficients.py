"""Coefficients of agreement: against scikit-learn, krippendorff and a published example."""

import krippendorff
import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from sklearn.metrics import cohen_kappa_score

from clineval.stats.chance import ValuePairs, compare_answers, compare_many, compare_ordered

ANSWERS = 4
PAIRS = st.lists(
    st.tuples(st.integers(0, ANSWERS - 1), st.integers(0, ANSWERS - 1)), min_size=2, max_size=30
)
ROWS = st.lists(
    st.lists(st.integers(-1, ANSWERS - 1), min_size=4, max_size=4), min_size=2, max_size=20
)


def pair(rows):
    left, right = np.array(rows).T
    return ValuePairs.of(np.arange(len(rows)), left, right)


def spread(table):
    return np.repeat(np.argwhere(table >= 0), table.ravel(), axis=0)


@given(PAIRS)
def test_kappa_and_weighted_kappa_are_those_of_scikit_learn(rows):
    left, right = np.array(rows).T
    assume(len({*left, *right}) > 1)
    found = compare_answers(pair(rows), len(rows), ANSWERS)
    found |= compare_ordered(pair(rows), len(rows), ANSWERS)
    names = {"kappa": None, "linear_kappa": "linear", "quadratic_kappa": "quadratic"}
    for name, weights in names.items():
        expected = cohen_kappa_score(left, right, labels=range(ANSWERS), weights=weights)
        assert found[name].value == pytest.approx(expected), name


@given(PAIRS)
def test_alpha_of_two_is_that_of_krippendorff(rows):
    assume(len({value for row in rows for value in row}) > 1)
    found = compare_answers(pair(rows), len(rows), ANSWERS)
    found |= compare_ordered(pair(rows), len(rows), ANSWERS)
    for name, level in (("alpha", "nominal"), ("ordinal_alpha", "ordinal")):
        expected = krippendorff.alpha(np.array(rows).T, level_of_measurement=level)
        assert found[name].value == pytest.approx(expected), name


def coincide(table):
    """Every two answers to a unit, in both orders, each 1 / (m - 1) times."""
    rows = []
    for unit, row in enumerate(table):
        known = [answer for answer in row if answer >= 0]
        for i, one in enumerate(known):
            others = known[:i] + known[i + 1 :]
            rows += [(unit, one, other, 1 / len(others)) for other in others]
    unit, left, right, times = np.array(rows).reshape(-1, 4).T
    return ValuePairs(unit.astype(int), left.astype(int), right.astype(int), times)


@given(ROWS)
def test_alpha_of_many_with_missing_answers_is_that_of_krippendorff(rows):
    table = np.array(rows, float)
    table[table < 0] = np.nan
    compared = {v for row in rows for v in row if v >= 0 and sum(a >= 0 for a in row) > 1}
    found = compare_many(coincide(rows), len(rows), ANSWERS, ordered=True)
    for name, level in (("alpha", "nominal"), ("ordinal_alpha", "ordinal")):
        if len(compared) < 2:
            assert found[name].value is None
        else:
            theirs = krippendorff.alpha(table.T, level_of_measurement=level)
            assert found[name].value == pytest.approx(theirs), name


def test_ac1_is_that_of_gwet_s_own_program():
    """100 women by type of pregnancy and abstractor, in Gwet's handbook and package irrCAC 1.0.

    The package's overview, https://cran.r-project.org/web/packages/irrCAC/vignettes/overview.html,
    prints the three coefficients.
    """
    rows = spread(np.array([[13, 0, 0], [0, 20, 7], [0, 4, 56]]))
    found = compare_answers(pair(rows), len(rows), 3)
    assert round(found["ac1"].value, 7) == 0.8493305
    assert round(found["kappa"].value, 7) == 0.7964094
    assert round(found["alpha"].value, 7) == 0.7972585


def test_ac1_is_high_where_kappa_is_paradoxical():
    rows = spread(np.array([[118, 5], [2, 0]]))
    found = compare_answers(pair(rows), len(rows), 2)
    assert found["ac1"].value == pytest.approx(0.9408, abs=5e-5)  # by hand: (.944 - .0544) / .9456
    assert found["kappa"].value < 0


def test_what_does_not_vary_is_undefined():
    rows = [(1, 1)] * 5
    found = compare_answers(pair(rows), 5, 1) | compare_ordered(pair(rows), 5, 3)
    assert {of.value for of in found.values()} == {None}
    assert {of.bounds(0.95) for of in found.values()} == {None}
    assert compare_answers(pair(rows), 5, 2)["ac1"].value == 1  # a second answer was possible


def test_annotators_who_never_disagree_have_an_interval():
    rows = [(0, 0)] * 30 + [(1, 1)] * 30
    low, high = compare_answers(pair(rows), 60, 2)["kappa"].bounds(0.95)
    assert high == 1
    assert low == pytest.approx(1 - 0.0410 / 0.5, abs=1e-3)  # Jeffreys' bound of 0 of 60


def test_more_documents_make_intervals_narrower():
    rows = [(0, 0), (0, 1), (1, 1), (1, 1), (2, 2)] * 6
    widths = []
    for times in (1, 4):
        more = rows * times
        found = compare_answers(pair(more), len(more), 3)
        found |= compare_ordered(pair(more), len(more), 3)
        widths.append([np.diff(of.bounds(0.95))[0] for of in found.values()])
    assert np.all(np.array(widths[0]) > 1.5 * np.array(widths[1]))
