"""Paired tests: exact values by plain enumeration, type I error by simulation, laws."""

import itertools
import json
from dataclasses import replace

import laws
import numpy as np
import pytest
import simulation
from conftest import ROOT
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats
from strategies import corpora
from thorough import each, fewer

import clineval
from clineval.results.aligned import align_counts
from clineval.stats.resampling import all_swaps, swaps
from clineval.stats.significance import correct_by_holm, mcnemar, randomize

NAME = "semeval15_task14"
DEMO = ROOT / "metrics" / "clineval" / "challenges" / NAME / "demo"
GOLD = clineval.count(NAME, DEMO / "gold", DEMO / "gold", config="task1")
SYSTEMS = {
    name: clineval.count(NAME, DEMO / name, DEMO / "gold", config="task1")
    for name in ("dictionary", "tagger")
}
FEW = fewer(0.3)


def some(documents, first=0):
    rows = range(first, first + documents)
    return {name: counts.take(rows) for name, counts in SYSTEMS.items()}


def f1_of(table):
    tp, fp, fn = table[:, :3].sum(axis=0)
    return 2 * tp / (2 * tp + fp + fn) if tp else 0.0


def swap_one_by_one(a, b):
    """p of approximate randomization by going through all swaps in plain Python."""
    observed = abs(f1_of(b) - f1_of(a))
    reached = 0
    for swapped in itertools.product([False, True], repeat=len(a)):
        left = np.array([b[k] if swap else a[k] for k, swap in enumerate(swapped)])
        right = np.array([a[k] if swap else b[k] for k, swap in enumerate(swapped)])
        reached += abs(f1_of(right) - f1_of(left)) >= observed - 1e-12
    return reached / 2 ** len(a)


def draw_one_by_one(a, b):
    """p of the paired bootstrap by going through all draws in plain Python."""
    observed = f1_of(b) - f1_of(a)
    reached = 0
    for drawn in itertools.product(range(len(a)), repeat=len(a)):
        rows = list(drawn)
        difference = f1_of(b[rows]) - f1_of(a[rows])
        reached += abs(difference - observed) >= abs(observed) - 1e-12
    return reached / len(a) ** len(a)


PLAIN = {"ar": swap_one_by_one, "bootstrap": draw_one_by_one}


@pytest.mark.parametrize("first", [0, 6, 12])
@pytest.mark.parametrize(("test", "documents"), [("ar", 6), ("ar", 9), ("bootstrap", 5)])
def test_few_documents_are_gone_through_in_full(test, documents, first):
    systems = some(documents, first)
    found = clineval.compare_counts(systems, test=test).differences["tagger"]["strict_f1"]
    tables = [counts.table for counts in systems.values()]
    assert found.exact
    assert found.p == pytest.approx(PLAIN[test](*tables), abs=1e-12)


@pytest.mark.parametrize("test", ["ar", "bootstrap"])
def test_random_trials_come_near_the_exact_value(test):
    systems = some(8)
    exact = clineval.compare_counts(systems, test=test, trials=10_000).differences["tagger"]
    near = clineval.compare_counts(systems, test=test, trials=6_000).differences["tagger"]
    few = clineval.compare_counts(systems, test=test, trials=200).differences["tagger"]
    assert exact["strict_f1"].exact
    assert not few["strict_f1"].exact
    assert near["strict_f1"].p == pytest.approx(exact["strict_f1"].p, abs=0.03)
    assert few["strict_f1"].p == pytest.approx(exact["strict_f1"].p, abs=0.12)


def test_randomization_agrees_with_scipy():
    a, b = (counts.table[:, 0] for counts in some(24).values())
    theirs = stats.permutation_test(
        (a, b), lambda x, y, axis: y.sum(axis=axis) - x.sum(axis=axis),
        permutation_type="samples", vectorized=True, n_resamples=20_000, rng=1,
    )  # fmt: skip
    # recall has the same denominator for both, so it tests the sums of true positives
    comparison = clineval.compare_counts(SYSTEMS, trials=20_000)
    ours = comparison.differences["tagger"]["strict_recall"]
    assert ours.p == pytest.approx(theirs.pvalue, abs=0.01)


@pytest.mark.parametrize("test", each(["ar", "bootstrap"], fast=["ar"]))
def test_equal_systems_differ_in_about_5_percent_of_corpora(test):
    # 400 corpora: a standard error of 1.1 %; benchmarks/bench_confidence.py has more of them
    rejected = simulation.rejections(400, 133, 11, test, trials=300, n_resamples=1)
    assert 0.02 <= rejected <= 0.08


@pytest.mark.parametrize("test", ["ar", "bootstrap"])
def test_a_clear_difference_is_found(test):
    comparison = clineval.compare_counts(
        {"dictionary": SYSTEMS["dictionary"], "gold": GOLD}, test=test
    )
    found = comparison.differences["gold"]["strict_f1"]
    assert found.p == pytest.approx(1 / 10_001)
    assert 0 < found.low < found.value < found.high


@pytest.mark.parametrize("test", ["ar", "bootstrap"])
def test_a_system_does_not_differ_from_itself(test):
    comparison = clineval.compare_counts({"a": GOLD, "b": replace(GOLD)}, test=test)
    for found in comparison.differences["b"].values():
        assert (found.value, found.low, found.high, found.p) == (0, 0, 0, 1)


def test_the_other_way_round_signs_change_and_p_stays():
    forth = clineval.compare_counts(some(10)).differences["tagger"]
    systems = dict(reversed(some(10).items()))
    back = clineval.compare_counts(systems).differences["dictionary"]
    for key, found in forth.items():
        assert back[key].value == -found.value
        assert back[key].p == pytest.approx(found.p)


@FEW
@given(corpora(documents=4), st.integers(0, 9))
def test_order_of_documents_does_not_matter(corpus, seed):
    references, predictions = corpus

    def compare(order):
        gold = [references[k] for k in order]
        systems = {"found": [predictions[k] for k in order], "none": [[] for _ in order]}
        result = clineval.compare(NAME, systems, gold, trials=8, n_resamples=20)
        return [x for d in result.differences["none"].values() for x in (d.p, d.low, d.high)]

    order = np.random.default_rng(seed).permutation(len(references))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("warnings.warn", lambda *_, **__: None)
        assert compare(order) == pytest.approx(compare(range(len(references))), abs=1e-9)


def test_random_swaps_are_fair_coins():
    steps = np.eye(6)
    moved = swaps(steps, 20_000, 3)
    assert set(np.unique(moved)) == {0.0, 1.0}
    assert moved.mean(axis=0) == pytest.approx(0.5, abs=0.015)
    assert np.corrcoef(moved.T) == pytest.approx(np.eye(6), abs=0.03)
    assert len(np.unique(all_swaps(steps), axis=0)) == len(all_swaps(steps)) == 64


@given(st.lists(st.floats(0, 1), min_size=1, max_size=8))
def test_holm_is_that_of_the_definition(values):
    corrected = correct_by_holm(values)
    order = sorted(range(len(values)), key=values.__getitem__)
    for place, k in enumerate(order):
        before = [(len(values) - i) * values[order[i]] for i in range(place + 1)]
        assert corrected[k] == pytest.approx(min(1, max(before)))


def test_p_is_corrected_for_the_number_of_systems():
    systems = {**SYSTEMS, "gold": GOLD}
    comparison = clineval.compare_counts(systems)
    values = {name: of["strict_f1"] for name, of in comparison.differences.items()}
    assert values["gold"].p_holm == 2 * values["gold"].p
    assert values["tagger"].p_holm == max(values["tagger"].p, 2 * values["gold"].p)
    assert comparison.baseline == "dictionary"


def test_p_is_corrected_for_systems_and_scores_together():
    comparison = clineval.compare_counts({**SYSTEMS, "gold": GOLD}, trials=99)
    keys = ["strict_f1", "relaxed_f1", "strict_recall"]
    places = [(name, key) for name in ("tagger", "gold") for key in keys]
    plain = correct_by_holm([comparison.differences[name][key].p for name, key in places])
    found = comparison.correct_all(keys)
    assert [found[name][key] for name, key in places] == plain
    one = comparison.correct_all(["strict_f1"])
    assert one["tagger"]["strict_f1"] == comparison.differences["tagger"]["strict_f1"].p_holm


@given(st.lists(st.tuples(st.booleans(), st.booleans()), max_size=40))
def test_mcnemar_is_the_binomial_test_of_the_discordant_items(items):
    left, right = np.array(items, bool).reshape(-1, 2).T
    ours, theirs = int((left & ~right).sum()), int((right & ~left).sum())
    expected = stats.binomtest(ours, ours + theirs).pvalue if ours + theirs else 1
    assert mcnemar(left, right) == pytest.approx(expected)


def codes_of(path):
    rows = [line.split("||") for line in path.read_text("utf-8").splitlines()]
    return {(name, *place): code.upper() for name, _, code, *place in rows}


@pytest.mark.filterwarnings("ignore:.*have no prediction")
def test_accuracies_are_compared_by_item():
    folder = DEMO.parents[1] / "clefehealth13_task2" / "demo"
    systems = {name: folder / f"{name}.pipe" for name in ("dictionary", "first_sense")}
    gold = folder / "gold.pipe"
    compared = clineval.compare("clefehealth13_task2", systems, gold, test="mcnemar")
    firsts = {place: codes.split(",")[0] for place, codes in codes_of(gold).items()}
    left, right = (codes_of(path) for path in systems.values())
    ours, theirs = (
        sum(one.get(place) == code != other.get(place) for place, code in firsts.items())
        for one, other in ((left, right), (right, left))
    )
    found = compared.differences["first_sense"]
    assert set(found) == {"strict_accuracy", "relaxed_accuracy"}
    assert found["strict_accuracy"].p == pytest.approx(stats.binomtest(ours, ours + theirs).pvalue)
    assert found["strict_accuracy"].exact
    assert "|test:mcnemar|v:" in str(compared.signature)
    assert "McNemar" in repr(compared)


def test_mcnemar_refuses_what_it_does_not_compare():
    systems = {"a": DEMO / "gold", "b": DEMO / "tagger"}
    for options, said in (({}, "accuracies"), ({"cluster": str}, "clusters")):
        laws.refuses(
            lambda o=options: clineval.compare(
                NAME, systems, DEMO / "gold", test="mcnemar", **o
            ),
            "McNemar", said,
        )  # fmt: skip


def test_scores_and_intervals_are_those_of_the_system_alone():
    comparison = clineval.compare_counts(SYSTEMS, confidence=0.9, interval="bca")
    for name, counts in SYSTEMS.items():
        alone = counts.score(confidence=0.9, interval="bca")
        assert comparison.scores[name].as_dict() == alone.as_dict()


def test_the_signature_says_how_systems_were_compared():
    comparison = clineval.compare_counts(SYSTEMS, test="bootstrap", trials=99)
    text = str(comparison.signature)
    assert "|bs:1000|seed:12345|ci:auto-0.95|test:bootstrap|trials:99|v:" in text
    assert clineval.Signature.parse(text) == comparison.signature


def test_documents_that_one_system_lacks_count_nothing_for_it():
    gold = [clineval.Document("a", [clineval.Mention([(0, 4)], "C1")])]
    more = [*gold, clineval.Document("b", [clineval.Mention([(0, 4)], "C1")])]
    with pytest.warns(clineval.InputWarning, match="not in the gold"):
        comparison = clineval.compare(NAME, {"more": more, "same": gold}, gold, config="task1")
    assert [score["strict_fp"] for score in comparison.scores.values()] == [1, 0]
    assert comparison.differences["same"]["strict_precision"].value == 0.5


@pytest.mark.parametrize(
    ("systems", "options", "said"),
    [({"a": GOLD}, {}, "two systems"), ({"a": GOLD, "b": GOLD}, {"test": "t"}, "ar, bootstrap"),
     ({"a": GOLD, "b": GOLD}, {"trials": 0}, "trials"),
     ({"a": GOLD, "b": replace(GOLD, config="default")}, {}, "config")],
)  # fmt: skip
def test_what_cannot_be_compared_is_refused(systems, options, said):
    laws.refuses(lambda: clineval.compare_counts(systems, **options), said)


def test_other_references_are_refused():
    digests = GOLD.digests.copy()
    digests[3] += np.uint64(1)
    laws.refuses(
        lambda: align_counts([GOLD, replace(GOLD, digests=digests)]),
        "different references in 1 document", GOLD.documents[3],
    )  # fmt: skip


def test_systems_whose_documents_have_one_name_must_agree_in_them():
    twice = replace(GOLD.take([0, 1]), documents=("x", "x"))
    laws.refuses(lambda: align_counts([twice, GOLD.take([0])]), "a name of its own")


def test_it_shows_itself_as_a_table():
    text = repr(clineval.compare_counts(SYSTEMS))
    assert "strict_f1" in text
    assert "approximate randomization, 10000 trials" in text


def test_ranks_are_shared_by_equals_and_less_is_better_of_what_leaks():
    gold = [[{"spans": [[k, k + 1]], "label": "leak"} for k in range(4)]]
    systems = {name: [gold[0][:size]] for name, size in {"a": 1, "b": 3, "c": 2, "d": 3}.items()}
    with pytest.warns(clineval.InputWarning, match="only . document"):
        found = clineval.compare("clinical_spans", systems, gold)
    by_f1 = {"b": 1, "d": 1, "c": 3, "a": 4}
    assert list(found.rank("strict_f1").items()) == list(by_f1.items())
    for key in ("leaked_mentions_share", "leak_leaked_characters_share", "leak_strict_f1"):
        assert found.rank(key) == by_f1
    assert found.baseline == "a"
    assert found.sheet().data()["ranks"]["strict_f1"] == by_f1
    shown = [row[0] for row in next(iter(found.sheet(ranked=True).tables())).rows]
    assert (shown, [row[0] for row in found.sheet().tables()[0].rows]) == (
        list(by_f1),
        list("abcd"),
    )


@pytest.mark.parametrize("test", [np.arange(3), ["ar"], None, "mcnemer"])
def test_a_test_that_is_none_is_refused_before_anything_is_read(test):
    laws.refuses(
        lambda: clineval.compare(NAME, {"a": "nowhere", "b": "nowhere"}, "nowhere", test=test),
        "unknown test", "ar, bootstrap, mcnemar",
    )  # fmt: skip


def test_p_of_a_score_does_not_depend_on_what_else_is_counted():
    """Neither by chance nor exactly: other columns make other documents differ."""
    random = np.random.default_rng(5)
    for documents, rare in ((200, 1.0), (200, 0.04)):
        shape = documents, 2
        left, right = (
            np.column_stack([found, np.full(documents, 4.0)])
            for found in random.integers(0, 5, shape).T * (random.random(documents) < rare)
        )
        more = [
            np.hstack([side, random.integers(0, 9, (documents, 2)) + 1.0]) for side in (left, right)
        ]

        def share(totals):
            found = {"recall": totals[:, 0] / totals[:, 1]}
            others = totals[:, 2] / totals[:, 3] if totals.shape[1] > 2 else totals[:, 0]
            return {**found, "other": others}

        alone = randomize(share, left, right, 2000, 7)
        beside = randomize(share, *more, 2000, 7)
        assert alone[0]["recall"] == beside[0]["recall"]
        assert alone[1]["recall"] == beside[1]["recall"] == (rare < 1)
        assert not beside[1]["other"]


def test_p_of_strict_f1_is_the_same_with_and_without_slots(tmp_path):
    random = np.random.default_rng(3)
    places = [{"spans": [[k * 9, k * 9 + 4]], "label": "P"} for k in range(3)]
    for name, kept in (("gold", 1.0), ("a", 0.6), ("b", 0.68)):
        notes = [
            {
                "id": f"note-{at:02}",
                "mentions": [
                    {**place, "negated": bool(random.integers(2))}
                    for place in places
                    if random.random() < kept
                ],
            }
            for at in range(40)
        ]
        (tmp_path / f"{name}.jsonl").write_text("".join(json.dumps(n) + "\n" for n in notes))
    systems = {name: tmp_path / f"{name}.jsonl" for name in "ab"}
    alone, beside = (
        clineval.compare("clinical_spans", systems, tmp_path / "gold.jsonl", **options)
        for options in ({}, {"slots": ["negated"]})
    )
    found = {key: beside.differences["b"][key].p for key in alone.differences["b"]}
    assert found == {key: of.p for key, of in alone.differences["b"].items()}
    assert 0.0005 < found["strict_f1"] < 1
