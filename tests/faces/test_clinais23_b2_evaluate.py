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


@pytest.mark.parametrize("note", [GOLD[0], NOTE], ids=["labels", "sections"])
def test_its_features_take_every_form(note):
    """What evaluate needs where processes exchange data."""
    metric = evaluate.load(NAME)
    encoded = [
        features.encode_example({"predictions": note, "references": note})
        for features in metric.info.features
        if _fits(features, note)
    ]
    assert encoded == [{"predictions": note, "references": note}]


def _fits(features, note):
    try:
        features.encode_example({"predictions": note, "references": note})
    except (TypeError, ValueError, AttributeError, KeyError):
        return False
    return not isinstance(features.encode_example({"predictions": note, "references": note})[
        "references"
    ], str)  # fmt: skip


def test_several_processes_exchange_documents(tmp_path):
    """The first of two processes; each document travels as one string."""
    metrics = [
        evaluate.load(
            NAME, num_process=2, process_id=k, experiment_id="sections", cache_dir=str(tmp_path)
        )
        for k in (1, 0)
    ]
    for metric, k in zip(metrics, (1, 0), strict=True):
        metric.add_batch(predictions=FOUND[k : k + 1], references=GOLD[k : k + 1])
    import threading

    other = threading.Thread(target=metrics[0].compute)
    other.start()
    result = metrics[1].compute()
    other.join()
    assert result == clineval.score(NAME, FOUND, GOLD).as_dict()
