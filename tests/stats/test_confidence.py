"""Confidence intervals: against scipy, by simulation, and what they do not depend on."""

import laws
import numpy as np
import pytest
import simulation
from conftest import ROOT
from demos import OTHER_FILES, arguments_of
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats
from strategies import corpora
from thorough import each, fewer

import clineval
from clineval.results.registry import NAMES, find_challenge
from clineval.stats.confidence import INTERVALS, Confidence, find_scored, intervals_of
from clineval.stats.intervals import Drawn
from clineval.stats.resampling import all_draws, bootstrap, count_draws
from clineval.stats.units import group_units, make_units

NAME = "semeval15_task14"
DEMO = ROOT / "metrics" / "clineval" / "challenges" / NAME / "demo"
COUNTS = clineval.count(NAME, DEMO / "tagger", DEMO / "gold")
FEW = fewer(0.3)


def f1_of(tp, fp, fn, axis=-1):
    tp, fp, fn = (part.sum(axis=axis) for part in (tp, fp, fn))
    return 2 * tp / (2 * tp + fp + fn)


@pytest.mark.parametrize(("interval", "method"), [("percentile", "percentile"), ("bca", "BCa")])
@pytest.mark.parametrize("prefix", ["strict", "relaxed", "span"])
def test_intervals_agree_with_scipy(interval, method, prefix):
    at = [COUNTS.columns.index(f"{prefix}_{part}") for part in ("tp", "fp", "fn")]
    ours = COUNTS.score(confidence=0.9, n_resamples=20_000, interval=interval)
    theirs = stats.bootstrap(
        tuple(COUNTS.table[:, at].T), f1_of, paired=True, vectorized=True, method=method,
        confidence_level=0.9, n_resamples=20_000, rng=np.random.default_rng(7),
    ).confidence_interval  # fmt: skip
    assert ours.intervals[f"{prefix}_f1"] == pytest.approx(tuple(theirs), abs=0.002)


def test_bca_of_the_same_draws_is_that_of_scipy():
    random = np.random.default_rng(3)
    tp, fp, fn = random.integers(0, 9, (3, 25)).astype(float)
    theirs = stats.bootstrap(
        (tp, fp, fn), f1_of, paired=True, vectorized=True, method="BCa", n_resamples=999, rng=1
    )
    without = np.array([f1_of(*(np.delete(part, k) for part in (tp, fp, fn))) for k in range(25)])
    score = Drawn(float(f1_of(tp, fp, fn)), theirs.bootstrap_distribution, without)
    ours = Confidence(0.95, interval="bca").enclose(score).bounds
    assert ours == pytest.approx(tuple(theirs.confidence_interval), abs=1e-12)


def test_draws_have_the_mean_and_the_spread_of_drawing_with_replacement():
    table = np.random.default_rng(0).integers(0, 10, (40, 3)).astype(float)
    drawn = bootstrap(table, 20_000, 1)
    expected = np.sqrt(40 * table.var(axis=0))
    assert drawn.mean(axis=0) == pytest.approx(table.sum(axis=0), abs=4 * expected.max() / 141)
    assert drawn.std(axis=0) == pytest.approx(expected, rel=0.03)


def test_all_draws_are_the_limit_of_random_ones():
    table = np.array([[1.0, 0.0], [5.0, 2.0], [0.0, 7.0], [4.0, 4.0]])
    weights, probabilities = all_draws(4)
    assert len(weights) == count_draws(4) == 35
    assert weights.sum(axis=1).tolist() == [4.0] * 35
    assert probabilities.sum() == pytest.approx(1)
    exact = weights @ table
    drawn = bootstrap(table, 50_000, 2)
    for level in (0, 5, 8):
        share = probabilities[exact[:, 0] <= level].sum()
        assert (drawn[:, 0] <= level).mean() == pytest.approx(share, abs=0.01)


@pytest.mark.parametrize("interval", each(["percentile", "bca"], fast=["bca"]))
def test_95_percent_intervals_hold_the_true_f1_about_95_percent_of_the_time(interval):
    # 500 corpora: a standard error of 1 %; benchmarks/bench_confidence.py has more of them
    held = simulation.coverage(500, 133, seed=4, interval=interval, n_resamples=500)
    assert 0.92 <= held <= 0.98


@pytest.mark.parametrize("interval", each(["auto", "bca"], fast=["bca"]))
def test_intervals_that_leave_out_groups_hold_the_true_f1_as_often(interval):
    # 250 corpora: a standard error of 1.4 %
    options = {"interval": interval, "n_resamples": 300}
    held = simulation.coverage_of_groups(250, 1200, 200, seed=5, **options)
    assert 0.92 <= held <= 0.98


@pytest.mark.parametrize("interval", INTERVALS)
def test_groups_of_documents_change_intervals_little(interval):
    random = np.random.default_rng(8)
    counts = simulation.draw_system(random, *simulation.draw_documents(random, 1500))
    how = Confidence(0.95, interval=interval)
    whole = intervals_of(counts.rates, counts.table, how)
    grouped = intervals_of(counts.rates, counts.table, how, group_units(counts.table, 200))
    changes = [
        abs(a - b) / (found.high - found.low)
        for key, found in whole.items()
        for a, b in zip(found.bounds, grouped[key].bounds, strict=True)
    ]
    assert max(changes) < (0.1 if interval == "binomial" else 0.02)
    assert any(changes) == (interval in {"bca", "binomial"})


@given(st.integers(1, 40), st.data())
def test_groups_have_every_unit_once_and_are_equally_large(size, data):
    groups = data.draw(st.integers(1, size))
    found = group_units(np.eye(size), groups)
    assert (found.sum(axis=0) == 1).all()
    assert np.ptp(found.sum(axis=1)) <= 1
    assert group_units(np.eye(size), size).tolist() == np.eye(size).tolist()


def test_neither_block_size_nor_kept_draws_matter(monkeypatch):
    whole = bootstrap(COUNTS.table, 50, 9)
    assert (bootstrap(COUNTS.table, 50, 9) == whole).all()  # the draws are kept
    assert (bootstrap(COUNTS.table, 50, 8) != whole).any()
    monkeypatch.setattr("clineval.stats.resampling._KEPT", 0)
    monkeypatch.setattr("clineval.stats.resampling._CELLS", 100)
    assert bootstrap(COUNTS.table, 50, 9) == pytest.approx(whole, rel=1e-13)


@FEW
@given(corpora(), st.integers(0, 9))
def test_order_of_documents_does_not_matter(corpus, seed):
    references, predictions = corpus
    references, predictions = [*references, []], [*predictions, []]

    def score(predicted, gold):
        options = {"confidence": 0.9, "n_resamples": 20, "interval": "bca"}
        return clineval.score(NAME, predicted, gold, **options).as_dict()

    laws.order_of_documents_does_not_matter(score, predictions, references, seed, near=1e-9)


@pytest.mark.parametrize("named", [True, False])
def test_units_have_an_order_of_their_own(named):
    size = len(COUNTS)
    names = COUNTS.documents if named else tuple(map(str, range(size)))
    backwards = names[::-1] if named else names
    units = make_units(names, COUNTS.digests, COUNTS.table)
    turned = make_units(backwards, COUNTS.digests[::-1], COUNTS.table[::-1])
    assert np.array_equal(units, turned)


RENAMED = {"i2b2_2008_obesity", "gutbrainie26", "chemu20"}
"""Challenges whose configurations give their scores other keys than the default one."""
NARROWED = {"medmentions"}
"""Challenges whose configurations score other annotations under the same keys."""


@pytest.mark.filterwarnings("ignore::clineval.InputWarning")
@pytest.mark.parametrize(
    "name",
    [name for name in NAMES if len(find_challenge(name).task.configs) > 1 and name not in NARROWED],
)
def test_a_score_has_the_same_bounds_whatever_else_is_scored(name):
    sides, options = arguments_of(name)
    alike = 0
    whole = clineval.score(name, *sides, confidence=0.95, n_resamples=99, **options)
    others = {"default", *OTHER_FILES.get(name, ())}
    for config in set(find_challenge(name).task.configs) - others:
        part = clineval.score(
            name, *sides, config=config, confidence=0.95, n_resamples=99, **options
        )
        begin = f"{config}_" if name in RENAMED else ""
        of_whole, of_part = (score.counts.finish_each() for score in (whole, part))
        for key, bounds in part.intervals.items():
            usual = f"{begin}{key}"
            same = usual in whole.intervals and whole[usual] == part[key]
            if same and np.array_equal(of_whole[usual], of_part[key]):
                assert bounds == pytest.approx(whole.intervals[usual], abs=1e-12)
                alike += 1
    assert alike


@pytest.mark.filterwarnings("ignore::clineval.InputWarning")
@pytest.mark.parametrize("name", NAMES)
def test_documents_without_anything_have_nothing_to_score(name):
    sides, options = arguments_of(name)
    counts = clineval.count(name, *sides, **options)
    table = np.vstack([counts.table, np.zeros(len(counts.columns))])
    for key, scored in find_scored(counts.rates, table).items():
        assert not scored[-1], key
        assert scored.any() or not counts.score()[key], key


@pytest.mark.parametrize("interval", ["percentile", "bca"])
def test_a_perfect_score_is_its_own_interval(interval):
    perfect = clineval.score(NAME, DEMO / "gold", DEMO / "gold", confidence=0.95, interval=interval)
    assert perfect.intervals["strict_f1"] == (1.0, 1.0)


def test_bounds_hold_the_score_and_grow_with_the_level():
    narrow, wide = (COUNTS.score(confidence=level) for level in (0.5, 0.99))
    for key in ("strict_f1", "negation_weighted_accuracy", "f1_x_weighted_accuracy"):
        (low, high), (lower, higher) = narrow.intervals[key], wide.intervals[key]
        assert lower < low < narrow[key] < high < higher


def test_scores_have_bounds_and_counts_have_none():
    score = COUNTS.score(confidence=0.95)
    result = score.as_dict()
    assert result["strict_f1_low"] < result["strict_f1"] < result["strict_f1_high"]
    assert "strict_tp_low" not in result
    assert "n_documents_low" not in result
    assert COUNTS.score().as_dict().items() <= (result | {"signature": ""}).items() | {
        ("signature", str(COUNTS.score().signature))
    }


def test_the_signature_says_how_intervals_were_made():
    score = COUNTS.score(confidence=0.9, n_resamples=50, seed=3, interval="bca")
    assert "|bs:50|seed:3|ci:bca-0.9|v:" in str(score.signature)
    assert "bs:" not in str(COUNTS.score().signature)


def test_the_seed_makes_the_intervals():
    how = {"confidence": 0.95, "interval": "percentile"}  # others need no draws of few documents
    one, same, other = (COUNTS.score(**how, seed=seed).intervals for seed in (1, 1, 2))
    assert one == same != other


@pytest.mark.parametrize(
    ("options", "named"),
    [({"confidence": 0}, "confidence"), ({"confidence": 95}, "0.95"),
     ({"confidence": "high"}, "confidence"), ({"n_resamples": 0}, "n_resamples"),
     ({"n_resamples": 1.5}, "n_resamples"), ({"seed": -1}, "seed"),
     ({"interval": "normal"}, "percentile, bca")],
)  # fmt: skip
def test_what_cannot_be_is_refused(options, named):
    laws.refuses(lambda: COUNTS.score(**{"confidence": 0.95, **options}), named)


@pytest.mark.parametrize("interval", INTERVALS)
def test_the_interval_of_one_document_and_of_none_is_undefined(interval):
    """Nobody can tell from one how far others would differ."""
    for rows in ([0], []):
        score = COUNTS.take(rows).score(confidence=0.95, interval=interval)
        assert not score.intervals
        assert score.bounds
        assert {*score.bounds.values()} == {None}
        assert {*score.interval_methods.values()} == {"undefined"}


CORRELATED = ("kappa", "mcc")
"""The scores that can be negative."""


@pytest.mark.filterwarnings("ignore::clineval.InputWarning")
@pytest.mark.parametrize("name", NAMES)
def test_every_challenge_finishes_many_totals_at_once(name):
    sides, options = arguments_of(name)
    for protocol in clineval.results.registry.find_challenge(name).protocols:
        counts = clineval.count(name, *sides, protocol=protocol, **options)
        rows = counts.rows
        table = np.vstack([rows.sum(axis=0), np.zeros(rows.shape[1])])
        together = counts.finish(table)
        for key, value in counts.score().values.items():
            if key != "n_documents":
                assert together[key][0] == pytest.approx(value, abs=1e-12), key
                perfect = name == "clinical_tempeval" and protocol == "official"
                if not (perfect and isinstance(value, float)):  # 0 / 0 is 1 in its program
                    assert together[key][1] == pytest.approx(0, abs=0.1), key
        intervals = counts.score(confidence=0.95, n_resamples=50).intervals
        assert set(intervals) == set(together) - set(counts.columns)
        for key, (low, high) in intervals.items():
            assert (-1 if key.endswith(CORRELATED) else 0) <= low <= high <= 1


@given(st.lists(st.integers(-9, 9), min_size=4, max_size=40).filter(lambda of: len({*of}) > 1))
def test_freedom_shrinks_with_heavy_tails(steps):
    """Two for each unit by the excess of its kurtosis over that of a coin, and at least two."""
    units, mean = len(steps), sum(steps) / len(steps)
    second, fourth = (sum((step - mean) ** power for step in steps) / units for power in (2, 4))
    excess = max(fourth / second**2 - 1, 1 / units)
    without = np.array(steps, float)
    found = Drawn(0.5, without, without).freedom_of_units
    assert found == pytest.approx(min(max(2 * units / excess, 2), units - 1))


@pytest.mark.parametrize(("value", "share"), [(1.0, 0.95), (-1.0, 0.05)])
def test_where_all_draws_are_on_one_side_half_of_one_is_on_the_other(value, share):
    drawn = np.zeros(10)
    assert Drawn(value, drawn, drawn).bias == pytest.approx(stats.norm.ppf(share))
