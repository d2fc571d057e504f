"""ClinAIS 2023 through evaluate."""

import evaluate
import pytest

import clineval

NAME = "clinais23_b2"
GOLD = [["TREATMENT", None, None, "EVOLUTION", None], [None, None]]
FOUND = [["TREATMENT", None, None, None, "EVOLUTION"], [None, "TREATMENT"]]
TEXT = "Reposo. Mejora clara."
NOTE = {
    "text": TEXT,
    "sections": [
        {"start": 0, "end": 8, "label": "TREATMENT"},
        {"start": 8, "end": 21, "label": "EVOLUTION"},
    ],
}


def test_it_scores_as_the_core_does():
    metric = evaluate.load(NAME)
    result = metric.compute(predictions=FOUND, references=GOLD, n_t=10, per_document=True)
    expected = clineval.score(NAME, FOUND, GOLD, n_t=10).as_dict(per_document=True)
    assert result == expected


def test_batches_add_up():
    metric = evaluate.load(NAME)
    metric.add(prediction=FOUND[0], reference=GOLD[0])
    metric.add_batch(predictions=FOUND[1:], references=GOLD[1:])
    assert metric.compute() == clineval.score(NAME, FOUND, GOLD).as_dict()


def test_all_options_reach_the_core():
    options = {
        "protocol": "official",
        "n_t": 5,
        "weights": {"substitution": 1.0},
        "b_weights": "scaled",
        "labels": ["TREATMENT", "EVOLUTION"],
    }
    result = evaluate.load(NAME).compute(predictions=FOUND, references=GOLD, **options)
    assert result == clineval.score(NAME, FOUND, GOLD, **options).as_dict()
    assert "|protocol:official|n_t:5|weights:substitution=1.0|b:scaled|" in result["signature"]


def test_unknown_options_and_bad_labels_are_named():
    metric = evaluate.load(NAME)
    with pytest.raises(clineval.InputError, match="unknown option 'nt'"):
        metric.compute(predictions=FOUND, references=GOLD, nt=3)
    with pytest.raises(clineval.InputError, match="predictions, note 1: token 0: unknown label"):
        metric.compute(predictions=[FOUND[0], ["x", None]], references=GOLD)
