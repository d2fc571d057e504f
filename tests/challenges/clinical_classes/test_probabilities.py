"""Probabilities of classes of any scheme: areas, Brier score, thresholds."""

import json
import math
import random

import numpy as np
import pytest
from commands import invoke
from hypothesis import given
from hypothesis import strategies as st
from sklearn.metrics import average_precision_score, brier_score_loss, roc_auc_score

import clineval
from clineval import InputError
from clineval.evaluation import plots

NAME = "clinical_classes"
CLASSES = ["never", "now", "past"]
SHARE = st.sampled_from([0.0, 0.125, 0.25, 0.5, 0.625, 1.0])


def likely(shares, classes=CLASSES):
    return {"probabilities": dict(zip(classes, shares, strict=True))}


@given(
    st.lists(
        st.tuples(st.sampled_from(CLASSES), st.tuples(SHARE, SHARE, SHARE)), min_size=1, max_size=12
    )
)
@pytest.mark.filterwarnings("ignore:.*(do not add up|add up to 1|undefined)")
def test_areas_are_those_of_scikit_learn(rows):
    gold = [value for value, _ in rows]
    shares = np.array([of for _, of in rows])
    scores = clineval.score(NAME, [likely(of) for of in shares.tolist()], gold, classes=CLASSES)
    for at, name in enumerate(CLASSES):
        truth = [value == name for value in gold]
        if any(truth):
            expected = average_precision_score(truth, shares[:, at])
            assert scores[f"{name}_pr_auc"] == pytest.approx(expected)
        if any(truth) and not all(truth):
            assert scores[f"{name}_roc_auc"] == pytest.approx(roc_auc_score(truth, shares[:, at]))
        else:
            assert f"{name}_roc_auc" not in scores.values
    truth = np.array([[value == name for name in CLASSES] for value in gold])
    assert scores["brier"] == pytest.approx(((shares - truth) ** 2).sum(axis=1).mean())
    best = [CLASSES[of.argmax()] if of.any() else None for of in shares]
    answers = clineval.score(NAME, best, gold, classes=CLASSES)
    assert {key: scores[key] for key in answers.values} == dict(answers.values)


@given(st.lists(st.tuples(st.booleans(), SHARE), min_size=1, max_size=12), SHARE)
@pytest.mark.filterwarnings("ignore:.*undefined")
def test_the_positive_class_of_two_has_a_threshold(rows, threshold):
    gold = ["yes" if truth else "no" for truth, _ in rows]
    found = [likely((1 - share, share), ["no", "yes"]) for _, share in rows]
    scores = clineval.score(
        NAME, found, gold, classes=["no", "yes"], positive="yes", threshold=threshold
    )
    chosen = [share >= threshold for _, share in rows]
    tp = sum(truth and accepted for (truth, _), accepted in zip(rows, chosen, strict=True))
    assert (scores["yes_tp"], scores["yes_fp"]) == (tp, sum(chosen) - tp)
    assert f"threshold:{threshold}" in str(scores.signature)
    truths, shares = [truth for truth, _ in rows], [share for _, share in rows]
    assert scores["brier"] == pytest.approx(
        brier_score_loss(truths, shares, labels=[False, True], pos_label=True)
    )
    if len({*truths}) == 2:
        assert scores["roc_auc"] == scores["yes_roc_auc"]
        assert scores["roc_auc"] == pytest.approx(roc_auc_score(truths, shares))


def test_each_question_has_its_own_classes():
    gold = [{"pain": "yes", "smoker": "past"}, {"pain": "no", "smoker": "now"}]
    found = [
        {"probabilities": {"pain": {"yes": 0.75, "no": 0.25}, "smoker": {"past": 0.5, "now": 0.5}}},
        {"probabilities": {"pain": {"yes": 0.5, "no": 0.5}, "smoker": {"past": 0.25, "now": 0.75}}},
    ]
    scores = clineval.score(NAME, found, gold)
    assert scores["pain_brier"] == pytest.approx((0.25**2 + 0.5**2) / 2)
    assert scores["smoker_brier"] == pytest.approx((0.5**2 + 0.25**2) / 2)
    assert scores["brier"] == pytest.approx((scores["pain_brier"] + scores["smoker_brier"]) / 2)
    assert scores["yes_roc_auc"] == scores["pain_yes_roc_auc"] == 1
    assert "pain_past_roc_auc" not in scores.values


@pytest.mark.filterwarnings("ignore:.*undefined")
def test_a_class_that_gold_lacks_is_no_answer_if_it_is_the_likeliest():
    found = [likely((0.2, 0.8), ["past", "gone"]), likely((0.6, 0.4), ["past", "gone"])]
    with pytest.warns(clineval.InputWarning, match="1 predicted answer is not a class"):
        scores = clineval.score(NAME, found, ["past", "past"])
    assert (scores["micro_tp"], scores["micro_fn"], scores["micro_fp"]) == (1, 1, 0)


def test_a_class_without_a_probability_has_0_with_a_warning():
    found = [likely((0.75,), ["past"]), likely((0.25, 0.75), ["past", "now"])]
    with pytest.warns(clineval.InputWarning, match="1 document has no probability of some classes"):
        scores = clineval.score(NAME, found, ["past", "now"])
    assert scores["now_roc_auc"] == 1


@pytest.mark.parametrize("share", [math.nan, -0.5, 1.5, "high", True, None])
def test_a_probability_is_a_number_from_0_to_1(share):
    with pytest.raises(InputError, match="expected a number from 0 to 1") as caught:
        clineval.score(NAME, [likely((0.5, share), ["past", "now"])], ["past"])
    assert "document 0" in str(caught.value)


@pytest.mark.parametrize("given_value", [[0.5], "past", 3])
def test_probabilities_are_a_dict(given_value):
    with pytest.raises(InputError, match="expected a dict of classes to numbers"):
        clineval.score(NAME, [{"probabilities": given_value}], ["past"])


def test_answers_count_before_probabilities():
    found = [
        {"label": "past", **likely((0.25, 0.75), ["past", "now"])},
        likely((0.5, 0.5), ["past", "now"]),
    ]
    scores = clineval.score(NAME, found, ["past", "now"])
    assert (scores["past_tp"], scores["brier"]) == (1, pytest.approx((0.75**2 + 0.5**2) / 2))


def test_what_predictions_cannot_give_is_left_out():
    scores = clineval.score(NAME, ["past", "now"], ["now", "past"])
    assert not [key for key in scores.values if "auc" in key or "brier" in key]


def test_a_threshold_needs_several_answers_or_a_positive_class_of_two():
    with pytest.raises(InputError, match="the likeliest class is the answer"):
        clineval.score(NAME, ["past"], ["past"], threshold=0.25)
    found, gold = [likely((0.3, 0.2, 0.9)), likely((0.1, 0.2, 0.1))], [["never", "past"], ["now"]]
    several = clineval.score(NAME, found, gold, classes=CLASSES, threshold=0.25)
    assert (several["micro_tp"], several["micro_fp"]) == (2, 0)


@pytest.fixture
def folder(tmp_path):
    rows = [("a", "yes", 0.75), ("b", "no", 0.5), ("c", "no", 0.125), ("d", "yes", 0.625)]
    (tmp_path / "gold.csv").write_text(
        "id,label\n" + "".join(f"{name},{value}\n" for name, value, _ in rows)
    )
    (tmp_path / "system.csv").write_text(
        "id,yes,no\n" + "".join(f"{name},{share},{1 - share}\n" for name, _, share in rows)
    )
    lines = (
        {"id": name, "probabilities": {"yes": share, "no": 1 - share}} for name, _, share in rows
    )
    (tmp_path / "system.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
    return tmp_path


def run(*words):
    done = invoke([*map(str, words)])
    assert done.exit_code == 0, (done.output, done.exception)
    return done.stdout


@pytest.mark.parametrize("name", ["system.csv", "system.jsonl"])
def test_files_are_scored_with_the_best_threshold_of_a_development_set(folder, name):
    asked = [NAME, folder / "gold.csv", folder / name, "--positive", "yes", "--format", "json"]
    scores = json.loads(run("score", *asked))
    assert (scores["scores"]["yes_fp"], scores["scores"]["roc_auc"]) == (1, 1)
    development = f"{folder / 'gold.csv'},{folder / name}"
    chosen = json.loads(run("score", *asked, "--threshold-from", development))
    assert chosen["scores"]["yes_f1"] == 1
    assert "threshold:0.625" in chosen["signature"]


def test_parts_and_processes_give_the_same(folder):
    asked = [
        NAME,
        folder / "gold.csv",
        folder / "system.csv",
        "--classes",
        "yes,no",
        "--format",
        "json",
    ]
    whole = json.loads(run("score", *asked))["scores"]
    assert whole["macro_roc_auc"] == 1
    assert json.loads(run("score", *asked, "--jobs", "2"))["scores"] == whole


def test_areas_have_intervals(folder):
    asked = [
        NAME,
        folder / "gold.csv",
        folder / "system.csv",
        "--confidence",
        ".95",
        "--format",
        "json",
    ]
    scores = json.loads(run("score", *asked))["scores"]
    low, high = scores["brier_low"], scores["brier_high"]
    assert 0 <= low < high <= 1


def test_systems_with_and_without_probabilities_are_compared(folder):
    (folder / "answers.csv").write_text("id,label\na,yes\nb,no\nc,no\nd,no\n")
    paths = folder / "system.csv", folder / "answers.csv"
    with pytest.warns(clineval.InputWarning, match="7 scores are not compared"):
        shown = run("compare", NAME, folder / "gold.csv", *paths, "--format", "json")
    assert json.loads(shown)
    assert "accuracy" in shown


def drawn(axes):
    """Map the name of each curve to its points."""
    lines = [line for line in axes.lines if not line.get_label().startswith("_")]
    return {line.get_label(): (line.get_xdata(), line.get_ydata()) for line in lines}


def test_plots_have_curves_with_the_areas_of_the_scores():
    draw = random.Random(5)
    gold = [draw.choice(CLASSES) for _ in range(40)]
    found = [likely([draw.choice([0.1, 0.2, 0.3]) for _ in CLASSES]) for _ in gold]
    score = clineval.score(NAME, found, gold)
    _, roc, precision = plots.plot_score(score).axes
    assert list(drawn(roc)) == sorted(CLASSES, key=lambda name: -gold.count(name))
    for name, (wrong, right) in drawn(roc).items():
        area = (np.diff(wrong) * (right[1:] + right[:-1]) / 2).sum()
        assert area == pytest.approx(score[f"{name}_roc_auc"])
    for name, (recall, height) in drawn(precision).items():
        assert (np.diff(recall) * height[1:]).sum() == pytest.approx(score[f"{name}_pr_auc"])


def test_the_positive_class_alone_is_drawn(folder):
    asked = [NAME, folder / "gold.csv", folder / "system.csv", "--positive", "yes"]
    run("score", *asked, "--plot", folder / "curves.svg")
    score = clineval.score(NAME, folder / "system.csv", folder / "gold.csv", positive="yes")
    _, roc, precision = plots.plot_score(score).axes
    assert [*drawn(roc)] == [*drawn(precision)] == ["yes"]
    assert "Precision and recall" in (folder / "curves.svg").read_text()


def test_answers_alone_have_no_curves():
    score = clineval.score(NAME, ["past", "now"], ["now", "past"])
    assert len(plots.plot_score(score).axes) == 1
