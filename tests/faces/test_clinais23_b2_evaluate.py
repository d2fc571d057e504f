"""ClinAIS 2023 through evaluate."""

import json
import subprocess
import sys
import textwrap

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


def test_two_processes_score_as_one(tmp_path):
    """evaluate's own way: each process adds its notes, the first one computes."""
    forms = {"labels": [GOLD, FOUND], "sections": [[NOTE, NOTE], [NOTE, {**NOTE, "sections": []}]]}
    (tmp_path / "data.json").write_text(json.dumps(forms))
    worker = """
        import json, sys
        import evaluate
        rank, form = int(sys.argv[1]), sys.argv[2]
        gold, found = json.load(open("data.json"))[form]
        metric = evaluate.load("clinais23_b2", num_process=2, process_id=rank,
                               experiment_id=form, cache_dir=".")
        metric.add(prediction=found[rank], reference=gold[rank])
        print(json.dumps(metric.compute(n_t=30)))
    """
    for form, (gold, found) in forms.items():
        processes = [
            subprocess.Popen(
                [sys.executable, "-c", textwrap.dedent(worker), str(rank), form], cwd=tmp_path,
                stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
            )
            for rank in (0, 1)
        ]  # fmt: skip
        outputs = [process.communicate(timeout=300) for process in processes]
        assert [process.returncode for process in processes] == [0, 0], outputs
        first, second = (json.loads(out.splitlines()[-1]) for out, _ in outputs)
        assert first == clineval.score(NAME, found, gold, n_t=30).as_dict()
        assert second is None
