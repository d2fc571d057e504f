"""Classes of any scheme: worked examples, a plain scorer, scikit-learn, and laws."""

import json
from collections import Counter
from fractions import Fraction

import numpy as np
import pytest
from conftest import DATA
from hypothesis import given
from hypothesis import strategies as st
from sklearn import metrics
from sklearn.dummy import DummyClassifier

import clineval
from clineval import InputError
from clineval.definitions import answers

NAME = "clinical_classes"
CASES = json.loads((DATA / "oracle" / NAME / "cases.json").read_text())
pytestmark = pytest.mark.filterwarnings("ignore::clineval.InputWarning")
one = st.sampled_from(["a", "b", "c", None])
some = st.sets(st.sampled_from(["a", "b", "c", "d"]), max_size=3)


def corpora(answers, questions=("x", "y")):
    """The gold standard, and predictions that may have classes of their own."""
    document = st.fixed_dictionaries(dict.fromkeys(questions, answers))
    return st.lists(st.tuples(document, document), min_size=1, max_size=8)


def write(document):
    return {q: sorted(a) if isinstance(a, (set, frozenset)) else a for q, a in document.items()}


def score(pairs, **options):
    gold, found = ([write(document) for document in side] for side in zip(*pairs, strict=True))
    return clineval.score(NAME, found, gold, **options)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["why"])
def test_worked_examples(case):
    found = clineval.score(NAME, case["found"], case["gold"])
    expected = {key: float(Fraction(value)) for key, value in case["scores"].items()}
    assert {key: found.get(key) for key in expected} == pytest.approx(expected)


@given(corpora(one))
def test_one_answer_scores_as_a_plain_scorer(pairs):
    check_plainly(pairs, several=False)


@given(corpora(one, ("x",)))
def test_one_question_scores_as_a_plain_scorer(pairs):
    check_plainly(pairs, several=False)


@given(corpora(some))
def test_several_answers_score_as_a_plain_scorer(pairs):
    check_plainly(pairs, several=True)


def check_plainly(pairs, several):
    expected = answers.score(*zip(*pairs, strict=True), several=several)
    found = score(pairs).values
    assert {key: found.get(key) for key in expected} == pytest.approx(expected)
    own = {key for key in found if not key.endswith("mcc") and "majority_" not in key}
    own -= {"n_documents"}
    assert own == {key for key, value in expected.items() if value is not None}


@given(st.lists(st.tuples(*[st.sampled_from("abc")] * 2), min_size=1, max_size=20))
def test_scikit_learn_computes_the_same(pairs):
    gold, found = map(list, zip(*pairs, strict=True))
    classes = ["a", "b", "c"]
    scores = clineval.score(NAME, found, gold, classes=classes)
    there = sorted({*gold, *found})
    for average in ("micro", "macro", "weighted"):
        expected = metrics.precision_recall_fscore_support(
            gold, found, labels=there, average=average, zero_division=0
        )
        names = [f"{average}_{key}" for key in ("precision", "recall", "f1")]
        assert [scores[name] for name in names] == pytest.approx(expected[:3])
    each = metrics.precision_recall_fscore_support(gold, found, labels=classes, zero_division=0)
    for key, values in zip(("precision", "recall", "f1"), each, strict=False):
        assert [scores[f"{name}_{key}"] for name in classes] == pytest.approx(values)
    assert scores["accuracy"] == pytest.approx(metrics.accuracy_score(gold, found))
    if len(there) > 1:
        assert scores["kappa"] == pytest.approx(metrics.cohen_kappa_score(gold, found))
        assert scores["mcc"] == pytest.approx(metrics.matthews_corrcoef(gold, found))
    for name in classes:
        negative = [each != name for each in gold]
        rejected = [each != name for each in found]
        expected = metrics.recall_score(negative, rejected, zero_division=0)
        assert scores[f"{name}_specificity"] == pytest.approx(expected)


@pytest.mark.filterwarnings("ignore:y_pred contains classes", "ignore:A single label was found")
@given(st.lists(st.tuples(*[st.sampled_from("abc")] * 2), min_size=1, max_size=20))
def test_balanced_accuracy_is_that_of_scikit_learn(pairs):
    gold, found = map(list, zip(*pairs, strict=True))
    scores = clineval.score(NAME, found, gold, classes=["a", "b", "c"])
    expected = metrics.balanced_accuracy_score(gold, found)
    assert scores["balanced_accuracy"] == pytest.approx(expected)


@given(st.lists(st.tuples(some, some), min_size=1, max_size=12))
def test_scikit_learn_computes_the_same_for_several_answers(pairs):
    classes = ["a", "b", "c", "d"]
    gold, found = (
        [[int(c in each) for c in classes] for each in side] for side in zip(*pairs, strict=True)
    )
    golds, founds = ([sorted(each) for each in side] for side in zip(*pairs, strict=True))
    scores = clineval.score(NAME, founds, golds, classes=classes)
    assert scores["accuracy"] == pytest.approx(metrics.accuracy_score(gold, found))
    assert scores["hamming_loss"] == pytest.approx(metrics.hamming_loss(gold, found))
    expected = metrics.precision_recall_fscore_support(
        gold, found, average="micro", zero_division=0
    )
    names = [f"micro_{key}" for key in ("precision", "recall", "f1")]
    assert [scores[name] for name in names] == pytest.approx(expected[:3])


@given(corpora(one), st.randoms(use_true_random=False))
def test_the_order_of_documents_and_questions_does_not_matter(pairs, random):
    mixed = [tuple(dict(sorted(side.items(), reverse=True)) for side in pair) for pair in pairs]
    random.shuffle(mixed)
    first, second = score(pairs), score(mixed)
    assert dict(first.values) == pytest.approx(dict(second.values))
    assert first.counts.columns == second.counts.columns
    assert str(first.signature) == str(second.signature)


@given(corpora(one))
def test_swapped_sides_swap_precision_and_recall(pairs):
    classes = {"x": ["a", "b", "c"], "y": ["a", "b", "c"]}
    first = score(pairs, classes=classes)
    second = score([pair[::-1] for pair in pairs], classes=classes)
    for key in ("micro", "macro", "x_a", "y_micro"):
        assert first[f"{key}_precision"] == pytest.approx(second[f"{key}_recall"])
        assert first[f"{key}_f1"] == pytest.approx(second[f"{key}_f1"])
    assert first.get("kappa") == pytest.approx(second.get("kappa"))


@given(corpora(one), corpora(one))
def test_documents_add_up(first, second):
    classes = {"x": ["a", "b", "c"], "y": ["a", "b", "c"]}

    def count(pairs):
        gold, found = map(list, zip(*pairs, strict=True))
        return clineval.count(NAME, found, gold, classes=classes)

    whole = (count(first) + count(second)).score()
    assert dict(whole.values) == pytest.approx(dict(count([*first, *second]).score().values))


@given(corpora(one))
def test_perfect_is_one(pairs):
    scores = score([(gold, gold) for gold, _ in pairs])
    if scores["questions"]:
        assert {scores[key] for key in ("accuracy", "macro_f1", "weighted_f1")} == {1.0}


def most_frequent(gold, found):
    """What a classifier of scikit-learn predicts that learned the gold standard alone."""
    return DummyClassifier(strategy="most_frequent").fit(gold, gold).predict(found).tolist()


@given(corpora(st.sampled_from(["a", "b", "c"])))
def test_the_majority_baseline_is_the_score_of_its_answers(pairs):
    gold, _ = zip(*pairs, strict=True)
    guesses = {q: most_frequent([d[q] for d in gold], [d[q] for d in gold]) for q in ("x", "y")}
    guessed = [{q: guesses[q][at] for q in guesses} for at in range(len(gold))]
    scores, expected = score(pairs), score(list(zip(gold, guessed, strict=True)))
    for prefix in ("", "x_", "y_"):
        for key in ("accuracy", "macro_f1", "micro_f1"):
            found = scores[f"{prefix}majority_{key}"]
            assert found == pytest.approx(expected[f"{prefix}{key}"]), (prefix, key)


@given(corpora(some))
def test_the_majority_baseline_of_several_answers(pairs):
    gold = [document for document, _ in pairs]
    golds = {q: Counter(answer for document in gold for answer in document[q]) for q in ("x", "y")}
    chosen = {
        q: {min(of, key=lambda a, of=of: (-of[a], a))} if of else set() for q, of in golds.items()
    }
    scores, expected = score(pairs), score([(document, chosen) for document in gold])
    if all(golds.values()):
        for key in ("macro_f1", "micro_f1", "x_macro_f1", "y_micro_f1"):
            name = key.replace("macro", "majority_macro").replace("micro", "majority_micro")
            assert scores[name] == pytest.approx(expected[key]), key
    assert "majority_accuracy" not in scores


def test_the_baseline_of_resampled_corpora_is_that_of_each():
    gold, found = ["a", "b", "b", "a", "a"], ["a", "b", "a", "a", "b"]
    counts = clineval.count(NAME, found, gold)
    rows = [[0, 1, 2], [0, 3, 3], [1, 1, 4], []]
    table = [[sum(counts.table[at, k] for at in some) for k in range(len(counts.columns))]
             for some in rows]  # fmt: skip
    together = counts.finish(np.array(table))["majority_accuracy"]
    assert together.tolist() == pytest.approx([2 / 3, 1, 2 / 3, 0])


def test_the_positive_class_has_the_main_scores():
    gold, found = ["yes", "no", "yes", "no"], ["yes", "yes", "no", "no"]
    scores = clineval.score(NAME, found, gold, positive="Yes")
    assert scores.headline[:4] == ("yes_f1", "yes_precision", "yes_recall", "yes_specificity")
    assert str(scores.signature).count("|positive:yes|") == 1
    assert scores.values == clineval.score(NAME, found, gold).values
    assert clineval.score(NAME, found, gold).headline == ("macro_f1", "micro_f1", "accuracy")
    compared = clineval.compare(NAME, {"a": found, "b": gold}, gold, positive="yes")
    assert next(iter(compared.sheet().data()["differences"]["b"])) == "yes_f1"
    with pytest.raises(
        InputError, match="positive: no class is called 'maybe', expected one of no"
    ):
        clineval.score(NAME, found, gold, positive="maybe")
    with pytest.raises(InputError, match="positive: expected the name of a class, got 3"):
        clineval.score(NAME, found, gold, positive=3)
