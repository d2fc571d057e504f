"""Codes of documents: equal to a plain scorer, to scikit-learn, and to laws."""

import warnings
from operator import itemgetter

import laws
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn import metrics

import clineval
from clineval import Counts
from clineval.definitions.scored_codes import (
    orders,
    score_areas,
    score_ranks,
    score_sets,
)
from clineval.evaluation.analysis.breakdown import add_intervals, break_down
from clineval.evaluation.evaluate import evaluate

NAME = "clinical_codes"
CODES = ("A00", "B01.1", "C5", "D7.2", "E11")
CUTOFFS = (1, 2, 4)
LEVELS = (0.0, 0.2, 0.5, 0.7, 1.0)
pytestmark = pytest.mark.filterwarnings("ignore::clineval.InputWarning")

sets = st.lists(st.sampled_from(CODES), unique=True)
scores = st.dictionaries(st.sampled_from(CODES), st.sampled_from(LEVELS))
set_corpora = st.lists(st.tuples(sets, sets), min_size=1, max_size=5)
scored_corpora = st.lists(st.tuples(sets, scores), min_size=1, max_size=5)


def sides_of(corpus):
    golds, founds = zip(*corpus, strict=True)
    return list(founds), list(golds)


def score(corpus, **options):
    return clineval.score(NAME, *sides_of(corpus), cutoffs=CUTOFFS, **options)


def agree(found, expected):
    for key, value in expected.items():
        assert found[key] == pytest.approx(float(value), abs=1e-12), key


@given(set_corpora)
def test_sets_are_scored_as_a_plain_scorer_does(corpus):
    found = score(corpus)
    agree(found, score_sets([{*gold} for gold, _ in corpus], [{*of} for _, of in corpus]))
    assert "map" not in found
    assert "auc_micro" not in found


@given(set_corpora)
def test_lists_are_ranked_if_one_asks_for_it(corpus):
    expected = score_ranks([{*gold} for gold, _ in corpus], [[of] for _, of in corpus], CUTOFFS)
    ranks = score(corpus, ranked=True)
    if any(of for _, of in corpus):
        agree(ranks, expected)
        assert "order" in ranks.signature.settings["ranked"]


@given(scored_corpora, st.sampled_from([0.5, 0.2, 0.0]), st.booleans())
def test_codes_with_scores_are_scored_as_a_plain_scorer_does(corpus, threshold, listed):
    found = score(corpus, threshold=threshold, codes=CODES if listed else None)
    golds = [{*gold} for gold, _ in corpus]
    predicted = [{c for c, value in of.items() if value > threshold} for _, of in corpus]
    agree(found, score_sets(golds, predicted))
    if not any(of for _, of in corpus):
        assert "map" not in found
        return
    codes = CODES if listed else sorted(set().union(*golds, *(of for _, of in corpus)))
    whole = [{code: of.get(code, 0) for code in codes} for _, of in corpus]
    agree(found, score_ranks(golds, map(orders, whole), CUTOFFS))
    agree(found, score_areas(golds, whole, codes))


def matrices_of(corpus, codes):
    gold = np.array([[code in of for code in codes] for of, _ in corpus], int)
    values = np.array([[of.get(code, 0.0) for code in codes] for _, of in corpus])
    return gold, values


@given(scored_corpora)
def test_sets_and_areas_are_those_of_scikit_learn(corpus):
    gold, values = matrices_of(corpus, CODES)
    found = score(corpus, codes=CODES)
    predicted = (values > 0.5).astype(int)
    there = np.flatnonzero((gold + predicted).any(axis=0))
    for name, average, columns in (
        ("micro", "micro", slice(None)),
        ("macro", "macro", there),
        ("macro_gold", "macro", np.flatnonzero(gold.any(axis=0))),
    ):
        if gold[:, columns].shape[1] > 1:  # else scikit-learn takes the answers for two classes
            expected = metrics.precision_recall_fscore_support(
                gold[:, columns], predicted[:, columns], average=average, zero_division=0
            )
            agree(
                found,
                dict(
                    zip(
                        (f"{name}_{k}" for k in ("precision", "recall", "f1")),
                        expected,
                        strict=False,
                    )
                ),
            )
    agree(found, {"exact_match": metrics.accuracy_score(gold, predicted)})
    both = [at for at in range(len(CODES)) if 0 < gold[:, at].sum() < len(gold)]
    if both and "auc_macro" in found:
        agree(found, {
            "auc_macro": metrics.roc_auc_score(gold[:, both], values[:, both], average="macro"),
            "auc_micro": metrics.roc_auc_score(gold.ravel(), values.ravel()),
        })  # fmt: skip


@given(st.lists(st.tuples(sets.filter(bool), st.permutations(CODES)), min_size=1, max_size=5))
def test_without_ties_map_is_that_of_scikit_learn(corpus):
    scored = [(gold, {code: 0.9 - at / 10 for at, code in enumerate(of)}) for gold, of in corpus]
    gold, values = matrices_of(scored, CODES)
    expected = metrics.label_ranking_average_precision_score(gold, values)
    assert score(scored)["map"] == pytest.approx(expected)


class TestLaws:
    @given(scored_corpora, st.integers(0, 9))
    def test_the_engine(self, corpus, seed):
        founds, golds = sides_of(corpus)

        def scored(predictions, references):
            return clineval.score(NAME, predictions, references, cutoffs=CUTOFFS)

        def count(predictions, references):
            return clineval.count(NAME, predictions, references, cutoffs=CUTOFFS)

        laws.hold_for_the_engine(
            lambda *sides: scored(*sides).as_dict(), count, (golds, founds), seed
        )

    @given(set_corpora)
    def test_swapping_sides_swaps_precision_and_recall(self, corpus):
        one, other = score(corpus), score([(found, gold) for gold, found in corpus])
        for name in ("micro", "macro", "document"):
            assert one[f"{name}_precision"] == pytest.approx(other[f"{name}_recall"])
            assert one[f"{name}_f1"] == pytest.approx(other[f"{name}_f1"])

    @given(st.lists(sets.filter(bool), min_size=1, max_size=4))
    def test_a_perfect_system_has_1(self, golds):
        found = score([(gold, dict.fromkeys(gold, 0.9)) for gold in golds])
        sets_and_ranks = (
            "micro_f1",
            "macro_f1",
            "document_f1",
            "exact_match",
            "map",
            "r_precision",
        )
        assert itemgetter(*sets_and_ranks)(found.values) == pytest.approx((1,) * 6)

    @given(scored_corpora)
    def test_parts_and_processes_change_nothing(self, corpus):
        sides = sides_of(corpus)
        whole = clineval.count(NAME, *sides)
        for size in (1, 2):
            assert clineval.count(NAME, *sides, batch_size=size, jobs=1) == whole


def spread(seed, documents=40):
    """A larger corpus, in which most pairs are right."""
    random = np.random.default_rng(seed)
    corpus = []
    for _ in range(documents):
        gold = [code for code in CODES if random.random() < 0.4]
        drawn = random.normal(0.3, 0.2, len(CODES)) + [0.4 * (code in gold) for code in CODES]
        found = dict(zip(CODES, drawn.clip(0, 1).round(3).tolist(), strict=True))
        corpus.append((gold, found))
    return corpus


class TestIntervals:
    def test_scores_of_drawn_corpora_are_those_of_these_corpora(self):
        """Weights of documents give the scores of the corpus that repeats documents as often."""
        corpus = spread(1, 6)
        counts = score(corpus, codes=CODES).counts
        times = [2, 0, 1, 3, 0, 1]
        drawn = [pair for pair, n in zip(corpus, times, strict=True) for _ in range(n)]
        found = counts.finish((np.array(times) @ counts.rows)[None])
        expected = score(drawn, codes=CODES)
        for key in counts.rates(counts.rows[:1]):
            assert found[key][0] == pytest.approx(expected[key]), key

    def test_every_score_has_an_interval_around_it(self):
        found = score(spread(2), confidence=0.9, n_resamples=200)
        rates = {*found.values} - {*found.counts.columns, "n_documents"}
        assert {*found.intervals} == rates
        for key, (low, high) in found.intervals.items():
            assert low <= found[key] <= high, key

    def test_large_corpora_leave_out_groups_for_the_scores_that_need_codes(self, monkeypatch):
        corpus = spread(2, 40)
        whole = score(corpus, confidence=0.9, interval="bca").intervals
        monkeypatch.setattr("clineval.results.resampled.MOST_LEFT_OUT", 39)
        monkeypatch.setattr("clineval.results.resampled.GROUPS", 40)  # each has one document
        assert score(corpus, confidence=0.9, interval="bca").intervals == whole
        monkeypatch.setattr("clineval.results.resampled.GROUPS", 10)
        grouped = score(corpus, confidence=0.9, interval="bca").intervals
        assert [*grouped] == [*whole]
        changed = {key for key, bounds in grouped.items() if bounds != whole[key]}
        assert {"macro_f1", "auc_micro", "map"} <= changed
        assert not [key for key in changed if key.startswith(("micro_", "document_", "exact_"))]
        for key in changed:
            assert grouped[key] == pytest.approx(whole[key], abs=0.03), key

    def test_the_order_of_documents_does_not_matter(self):
        corpus = spread(3, 12)
        one, other = (score(of, confidence=0.9, n_resamples=50) for of in (corpus, corpus[::-1]))
        for key, bounds in one.intervals.items():
            assert other.intervals[key] == pytest.approx(bounds), key

    def test_rows_of_a_document_are_its_own_scores(self):
        corpus = spread(4, 5)
        rows = score(corpus, codes=CODES).per_document
        for row, pair in zip(rows, corpus, strict=True):
            alone = score([pair], codes=CODES)
            for key in ("macro_f1", "map", "auc_micro", "recall_at_2"):
                assert row[key] == pytest.approx(alone[key]), key


class TestComparison:
    def test_a_system_against_itself(self):
        founds, golds = sides_of(spread(5, 20))
        result = clineval.compare(NAME, {"a": founds, "b": founds}, golds, trials=100)
        assert {of.value for of in result.differences["b"].values()} == {0}
        assert {of.p for of in result.differences["b"].values()} == {1}

    def test_differences_are_those_of_the_scores(self):
        corpus = spread(6, 20)
        founds, golds = sides_of(corpus)
        worse = [dict.fromkeys(CODES, 0.6) for _ in golds]
        result = clineval.compare(NAME, {"worse": worse, "good": founds}, golds, trials=200)
        for key in ("macro_f1", "auc_macro", "map"):
            found = result.differences["good"][key]
            expected = result.scores["good"][key] - result.scores["worse"][key]
            assert found.value == pytest.approx(expected), key
            assert found.p < 0.05, key
            assert found.low < found.value < found.high

    def test_swapped_outputs_are_scored_as_a_mixed_system(self):
        """If all but one output is the same, all ways to swap are two: p is exact, and 1."""
        founds, golds = sides_of(spread(7, 8))
        other = [dict.fromkeys(CODES, 0.9), *founds[1:]]
        result = clineval.compare(NAME, {"a": founds, "b": other}, golds)
        found = result.differences["b"]["macro_f1"]
        assert (found.p, found.exact) == (1.0, True)


class TestGroups:
    TRAIN = [["A00"]] * 60 + [["B01.1"]] * 7 + [["C5"]]

    def groups_of(self, corpus, by="frequency"):
        evaluation = evaluate(NAME, *sides_of(corpus))
        train = evaluate(NAME, self.TRAIN, self.TRAIN).outcomes
        return evaluation, break_down(evaluation.outcomes, by, train=train)

    def test_codes_are_grouped_by_the_training_documents_that_have_them(self):
        corpus = [([*CODES], ["A00", "C5"]), (["A00"], ["A00", "E11"])]
        _, found = self.groups_of(corpus)
        true = dict(zip(found.names, found.counts["micro_tp"].tolist(), strict=True))
        assert true == {
            "unseen": 0, "1 to 5 documents": 1, "6 to 50 documents": 0, "51 to 500 documents": 2
        }  # fmt: skip
        f1 = dict(zip(found.names, found.scores["macro_f1"].tolist(), strict=True))
        assert f1["51 to 500 documents"] == f1["1 to 5 documents"] == 1
        assert f1["unseen"] == 0

    @given(set_corpora)
    def test_groups_are_scored_as_their_codes_alone(self, corpus):
        evaluation, found = self.groups_of(corpus, "code")
        for at, code in enumerate(found.names):
            alone = [
                tuple([c for c in side if c.lower() == code] for side in pair) for pair in corpus
            ]
            expected = score_sets(*([{*pair[at]} for pair in alone] for at in (0, 1)))
            for key in ("micro_f1", "macro_f1", "macro_gold_f1"):
                assert found.scores[key][at] == pytest.approx(float(expected[key])), key
        if len(corpus) > 1 and found.names:
            sure = add_intervals(found, evaluation.score(confidence=0.9, n_resamples=10)).sure
            for at, name in enumerate(found.names):
                assert sure[name]["macro_f1"] == pytest.approx(found.scores["macro_f1"][at])

    def test_groups_need_the_training_corpus(self):
        outcomes = evaluate(NAME, [["A00"]], [["A00"]]).outcomes
        laws.refuses(lambda: break_down(outcomes, "frequency"), "training corpus", "--train")


class TestOptions:
    def test_points_are_compared_unless_one_says_otherwise(self):
        corpus = [(["J45.0", "I10"], ["J450", "I10"])]
        with pytest.warns(clineval.InputWarning, match="pass ignore_points=$"):
            assert score(corpus)["micro_tp"] == 1
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            found = score(corpus, ignore_points=True)
        assert found["micro_tp"] == 2
        assert found.signature.settings["points"] == "ignored"

    def test_other_codes_than_those_that_exist(self):
        found = [["A00", "X1"]]
        with pytest.warns(clineval.InputWarning, match="1 code is not in the list of valid codes"):
            assert clineval.score(NAME, found, [["A00"]], codes=CODES)["micro_fp"] == 1
        laws.refuses(lambda: clineval.score(NAME, found, [["X1"]], codes=CODES), "not in the list")
        points = clineval.score(NAME, [["B011"]], [["B01.1"]], codes=CODES, ignore_points=True)
        assert points["micro_tp"] == 1

    @pytest.mark.parametrize("value", ["x", -0.1, 1.5, "nan", None, True])
    def test_a_threshold_is_a_number_from_0_to_1(self, value):
        laws.refuses(lambda: score([([], [])], threshold=value), "threshold", "from 0 to 1")

    def test_counts_of_other_options_do_not_add_up(self):
        one, other = (score([(["A00"], ["A00"])], threshold=t).counts for t in (0.5, 0.2))
        laws.refuses(lambda: one + other, "threshold")

    def test_a_part_without_scores_counts_as_the_whole_does(self):
        founds, golds = [[{"code": "A00", "score": 0.4}], ["C5"]], [["A00"], ["C5", "E11"]]
        parts = [
            clineval.count(NAME, [f], [g]).named(str(at))
            for at, (f, g) in enumerate(zip(founds, golds, strict=True))
        ]
        whole = clineval.count(NAME, founds, golds)
        assert dict(Counts.sum(parts).score()) == dict(whole.score())
