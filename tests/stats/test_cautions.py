"""What a small sample can say: the interval that is chosen, and what is warned of."""

import json
import warnings

import numpy as np
import pytest
from conftest import ROOT
from hypothesis import given
from hypothesis import strategies as st
from processes import run_clineval
from scipy import stats

import clineval
from clineval.base.ratios import ratio
from clineval.stats.confidence import Confidence, intervals_of
from clineval.stats.distributions import beta_quantile, t_quantile, t_tails
from clineval.stats.intervals import (
    Drawn,
    by_binomial,
    by_student,
    choose,
    choose_for_difference,
    differ_at_most,
)

NAME = "semeval15_task14"
DEMO = ROOT / "metrics" / "clineval" / "challenges" / NAME / "demo"
RIGHT = {"spans": [[0, 4]], "cui": "C1"}


def corpus(right, wrong=0, empty=0):
    """Predictions and references of notes with a mention each: found, missed, none."""
    gold = [[RIGHT]] * (right + wrong) + [[]] * empty
    return [[RIGHT]] * right + [[]] * (wrong + empty), gold


def said(predictions, references, **options):
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        score = clineval.score(NAME, predictions, references, config="task1", confidence=0.95,
                               **options)  # fmt: skip
        _ = score.intervals, score.intervals
    return [str(warning.message) for warning in caught]


def test_few_documents_are_warned_of_once():
    [few] = said(*corpus(15, 14))
    assert "only 29 documents: below 30" in few
    assert "Annotate more" in few
    assert said(*corpus(15, 15)) == []


def test_few_clusters_are_warned_of():
    [few] = said(*corpus(30, 30), cluster=lambda name: int(name) % 20)
    assert "only 20 clusters" in few


@pytest.mark.parametrize(("right", "wrong"), [(9, 40), (40, 2), (40, 0), (0, 40)])
def test_few_true_positives_or_errors_are_warned_of(right, wrong):
    [few] = said(*corpus(right, wrong))
    assert "few documents with true positives or errors, below 10: strict_f1, relaxed_f1" in few


def test_documents_bear_witness_and_not_mentions():
    """20 errors in 9 notes say little, and empty notes nothing; 10 notes with errors are enough."""
    crowd = [{"spans": [[k, k + 1]], "cui": "C1"} for k in range(12)]
    found, gold = corpus(30, 8, empty=20)
    [few] = said([*found, []], [*gold, crowd])
    assert "few documents with true positives or errors, below 10" in few
    assert said([*found, [], []], [*gold, crowd, crowd]) == []
    [few] = said([*found, [], []], [*gold, crowd, crowd], cluster=lambda name: int(name) // 2)
    assert "few clusters with true positives or errors, below 10" in few


@pytest.mark.parametrize(
    ("alone", "without", "witnesses"),
    [
        ([1, 1, 0, 0], [0.4, 0.4, 0.6, 0.6], 2),
        ([1, 0.5, 0.5, 0], [0.4, 0.5, 0.5, 0.6], 3),  # half right is both, though it moves nothing
        ([1, 1, 1, 0], [0.5, 0.5, 0.4, 0.6], 1),  # two of them are empty
        ([1, 0, 0, 0], [0.5, 0.5, 0.5, 0.5], 0),
    ],
)
def test_witnesses_have_a_hit_or_an_error(alone, without, witnesses):
    score = Drawn(0.5, np.zeros(0), np.array(without), alone=np.array(alone))
    assert score.witnesses == witnesses


@pytest.mark.parametrize(("value", "alone"), [(1.5, np.ones(3)), (-0.1, np.ones(3)), (0.5, None)])
def test_what_is_no_share_has_no_witnesses(value, alone):
    assert Drawn(value, np.zeros(0), np.zeros(3), alone=alone).witnesses == np.inf


@pytest.mark.parametrize("test", ["ar", "bootstrap"])
def test_tests_of_few_documents_are_warned_of(test):
    found, gold = corpus(9, 9)
    with pytest.warns(clineval.InputWarning, match="only 18 documents.*p-values"):
        clineval.compare(NAME, {"a": found, "b": gold}, gold, test=test, trials=9)


def said_of_two(first, second, gold, **options):
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        systems = {"a": first, "b": second}
        clineval.compare(NAME, systems, gold, config="task1", trials=9, **options)
    return [str(warning.message) for warning in caught]


def test_the_bootstrap_of_fewer_than_60_documents_is_warned_of():
    found, gold = corpus(40, 19)
    [few] = said_of_two(found, gold, gold, test="bootstrap")
    assert "only 59 documents: below 60, the paired bootstrap's p is too small" in few
    assert "approximate randomization" in few
    assert said_of_two(found, gold, gold, test="ar") == []
    assert said_of_two([*found, []], [*gold, []], [*gold, []], test="bootstrap") == []
    pairs = {"test": "bootstrap", "cluster": lambda name: int(name) // 2}
    few, *_ = said_of_two([*found, []], [*gold, []], [*gold, []], **pairs)
    assert "only 30 clusters" in few


@pytest.mark.parametrize("test", ["ar", "bootstrap"])
def test_systems_that_differ_in_few_documents_are_warned_of(test):
    found, gold = corpus(50, 14)
    [few] = said_of_two(found, gold, gold, test=test)
    assert "few documents in which systems differ, below 15: p may be too large" in few
    assert "for strict_f1, relaxed_f1" in few
    assert said_of_two(*2 * [corpus(45, 15)[0]], corpus(45, 15)[1], test=test) == []  # nothing
    assert said_of_two(corpus(45, 15)[0], *2 * [corpus(45, 15)[1]], test=test) == []  # enough


def test_the_command_line_warns_once():
    systems = (DEMO / "dictionary", DEMO / "tagger")
    done = run_clineval("compare", NAME, DEMO / "gold", *systems, "--config", "task1")
    assert done.stderr.count("only 24 documents") == done.stderr.count("warning") == 1


def test_json_says_which_interval_was_used():
    sides = (DEMO / "gold", DEMO / "tagger")
    done = run_clineval("score", NAME, *sides, "--confidence", "0.95", "--format", "json")
    methods = json.loads(done.stdout)["interval_methods"]
    assert methods == dict(
        clineval.score(NAME, sides[1], sides[0], confidence=0.95).interval_methods
    )
    assert set(methods.values()) == {"binomial"}


def drawn_from(values, units=400):
    """A score of which units make equal steps, and these drawn values."""
    steps = np.where(np.arange(units) % 2, 1, -1) * 0.02 / units**0.5
    return Drawn(float(np.median(values)), np.asarray(values), np.median(values) + steps)


def test_a_drawn_score_that_is_the_score_is_half_below_it():
    assert Drawn(0.5, np.array([0.5, 0.5, 0.4, 0.6]), np.zeros(3)).bias == 0


def test_auto_chooses_by_what_there_is():
    random = np.random.default_rng(1)
    usual = random.normal(0.7, 0.02, 999)
    assert choose(drawn_from(usual)) == "percentile"
    assert choose(drawn_from(usual, 60)) == "binomial"  # few units
    assert choose(drawn_from(random.normal(0.98, 0.003, 999))) == "binomial"  # few errors
    assert choose(drawn_from(usual + 0.6)) == "bca"  # no share
    off = drawn_from(usual)
    assert choose(Drawn(off.value + 0.01, off.drawn, off.without)) == "bca"  # biased
    assert choose(Drawn(1.0, np.ones(9), np.ones(50))) == "binomial"
    assert choose(Drawn(0.5, np.full(9, 0.5), np.full(50, 0.5))) == "percentile"
    assert choose_for_difference(drawn_from(usual)) == "percentile"
    assert choose_for_difference(drawn_from(usual, 60)) == "student"


def test_of_equal_documents_the_binomial_interval_is_that_of_jeffreys():
    """200 documents of one mention, 150 found: 200 trials, but for t in place of z."""
    found = np.repeat([1.0, 0.0], [150, 50])
    score = Drawn(0.75, np.array([0.7, 0.8]), (150 - found) / 199)
    low, high = stats.beta.ppf([0.025, 0.975], 150.5, 50.5)
    assert by_binomial(score, 0.95) == pytest.approx((low, high), abs=0.002)


def bounds_of(predictions, references, key="strict_f1", **options):
    score = clineval.score(
        NAME, predictions, references, config="task1", confidence=0.95, n_resamples=50, **options
    )
    assert score.interval_methods[key] == "binomial"
    return score.intervals[key]


def jeffreys(right, wrong):
    low, high = stats.beta.ppf([0.025, 0.975], right + 0.5, wrong + 0.5)
    return pytest.approx((low if right else 0, high if wrong or not right else 1), abs=1e-4)


@pytest.mark.filterwarnings("ignore:(few|only):clineval.InputWarning")
@pytest.mark.parametrize(
    ("right", "wrong", "empty"),
    [
        (right, wrong, empty)
        for right, wrong in [(40, 0), (0, 40), (2, 0), (0, 2), (1, 0), (0, 1), (0, 0)]
        for empty in (0, 998)
        if right + wrong + empty > 1  # of one document there is no interval
    ],
)
def test_all_or_nothing_is_as_many_trials_as_documents_with_something_to_score(right, wrong, empty):
    found = bounds_of(*corpus(right, wrong, empty), key="strict_recall")
    assert found == jeffreys(right, wrong)


@pytest.mark.filterwarnings("ignore:(few|only):clineval.InputWarning")
def test_of_clusters_those_that_have_something_to_score_count():
    """Six notes of three patients have a mention, and those of a hundred others none."""
    found = bounds_of(*corpus(6, 0, 200), cluster=lambda name: int(name) // 2)
    assert found == jeffreys(3, 0)


def test_a_score_looks_at_the_documents_of_its_own_denominator():
    """Of 50 notes 30 have a gold mention, and 40 a prediction: recall has 30 trials."""
    gold = [[RIGHT]] * 30 + [[]] * 20
    found = [[RIGHT]] * 40 + [[]] * 10
    assert bounds_of(found, gold, "strict_recall") == jeffreys(30, 0)
    assert bounds_of(gold, found, "strict_precision") == jeffreys(30, 0)


@pytest.mark.filterwarnings("ignore:(few|only):clineval.InputWarning")
def test_of_runs_too():
    found, gold = corpus(30, 0, empty=20)
    compared = clineval.compare(
        NAME, {"a": clineval.Runs([found] * 2), "b": found}, gold, config="task1", trials=9
    )
    assert compared.scores["a"].intervals["strict_f1"] == jeffreys(30, 0)


@pytest.mark.filterwarnings("ignore:(few|only):clineval.InputWarning")
def test_intervals_of_rare_classes_hold_the_true_value():
    """Three mentions in 60 notes, of which seven in ten are found: 62 % held it once."""
    random, held = np.random.default_rng(6), []
    for seed in range(100):
        mentions = random.poisson(3 / 60, 60)
        found = random.binomial(mentions, 0.7)
        if mentions.any():
            share = lambda totals: {"recall": ratio(totals[:, 0], totals[:, 1])}  # noqa: E731
            how = Confidence(n_resamples=50, seed=seed)
            table = np.column_stack([found, mentions]).astype(float)
            low, high = intervals_of(share, table, how)["recall"].bounds
            held.append(low <= 0.7 <= high)
    assert len(held) > 90
    assert np.mean(held) >= 0.9


@pytest.mark.filterwarnings("ignore:.*few:clineval.InputWarning")
@pytest.mark.parametrize("runs", [1, 3])
def test_a_difference_of_shares_is_at_most_one(runs):
    """One of three notes is right with one system, and another one with the other."""
    gold = [[RIGHT]] * 3
    one, other = [[RIGHT], [], []], [[], [RIGHT], [RIGHT]]
    systems = {"a": one, "b": clineval.Runs([other, gold, one][:runs])}
    compared = clineval.compare(NAME, systems, gold, config="task1", trials=9)
    for difference in compared.differences["b"].values():
        assert difference.method == "student"
        assert -1 <= difference.low < difference.value < difference.high == 1


def test_differences_of_what_is_no_share_have_no_bounds():
    score = Drawn(3.0, np.zeros(9), np.array([1.0, 3.0, 5.0]), most=differ_at_most(np.array([2])))
    assert by_student(score, 0.95)[1] > 3


@pytest.mark.parametrize("level", [1e-17, 1e-320, 1e-9, 1 - 2**-53])
def test_levels_next_to_0_and_1_have_intervals(level):
    low, high = bounds_of(*corpus(40, 20), key="strict_recall")
    score = clineval.score(NAME, *corpus(40, 20), config="task1", confidence=level, n_resamples=9)
    lower, higher = score.intervals["strict_recall"]
    assert (lower >= low and higher <= high) == (level < 0.5)
    assert 0 <= lower <= score["strict_recall"] <= higher <= 1


@given(st.floats(0.5, 1e5), st.floats(0.5, 1e5), st.sampled_from([0.005, 0.025, 0.5, 0.95, 0.995]))
def test_quantiles_of_beta_are_those_of_scipy(a, b, share):
    spread = stats.beta.std(a, b)
    assert beta_quantile(share, a, b) == pytest.approx(
        stats.beta.ppf(share, a, b), abs=spread / 200
    )


@given(st.floats(2, 1e5), st.sampled_from([0.005, 0.025, 0.9, 0.975, 0.995]))
def test_quantiles_of_student_are_those_of_scipy(df, share):
    assert t_quantile(share, df) == pytest.approx(stats.t.ppf(share, df), rel=1e-3)


@given(st.floats(1, 1e5), st.floats(0, 6))
def test_tails_of_student_are_those_of_scipy(df, value):
    assert t_tails(value, df) == pytest.approx(2 * stats.t.sf(value, df), rel=1e-3)
