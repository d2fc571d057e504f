"""torchmetrics: one process, batches, and two processes of which one may have no document."""

import json

import pytest
from harness.scripted import ALIGNMENT, ANSWERS, MODULE, NOTES
from needs import need

need("torchmetrics", "harness")

import torch
import torch.distributed
import torch.multiprocessing

import clineval
from clineval import InputError
from clineval.answers import align_quotes
from clineval.harness.torchmetrics import CorpusScore

pytestmark = pytest.mark.filterwarnings("default")
KEYS = ["strict_f1", "weighted_accuracy", "strict_tp"]


def found_in(note):
    """Mentions of the scripted model's quotes that are in the note."""
    try:
        items = json.loads(ANSWERS[note["id"]])
    except ValueError:
        return []
    quotes = [(i["text"],) if isinstance(i["text"], str) else tuple(i["text"]) for i in items]
    placed = align_quotes(quotes, note["note"], ALIGNMENT)
    return [
        {"spans": [list(span) for span in p.places[0]], "cui": item["cui"]}
        for p, item in zip(placed, items, strict=True)
        if p.places
    ]


def expected():
    score = clineval.score(MODULE, list(map(found_in, NOTES)), [n["gold"] for n in NOTES])
    assert 0 < score["strict_f1"] < 1
    return {key: float(score[key]) for key in KEYS}


def update(metric, notes):
    for note in notes:
        metric.update([found_in(note)], [note["gold"]], [note["id"]])


def test_batches_make_the_corpus_score():
    metric = CorpusScore(MODULE, KEYS)
    assert metric.compute() == {}
    update(metric, NOTES)
    assert {key: value.item() for key, value in metric.compute().items()} == expected()
    assert metric.total.documents == ("n1", "n2", "n3", "n4")
    metric.half()
    metric.reset()
    forward = metric(list(map(found_in, NOTES)), [n["gold"] for n in NOTES])
    assert {key: value.item() for key, value in forward.items()} == expected()
    assert {key: value.item() for key, value in metric.compute().items()} == expected()


def test_options_reach_the_metric_and_unknown_names_are_refused():
    metric = CorpusScore(MODULE, config="task1", scoring={"overlap": "character"})
    update(metric, NOTES)
    assert "strict_f1" in metric.compute()
    for given in ({"keys": ["bleu"]}, {"config": "x"}, {"scoring": {"overlap": "x"}}):
        with pytest.raises(InputError):
            CorpusScore(MODULE, **given)


def work(rank, folder, split):
    torch.set_num_threads(1)
    torch.distributed.init_process_group(
        "gloo", init_method=f"file://{folder}/init", rank=rank, world_size=2
    )
    metric = CorpusScore(MODULE, KEYS)
    update(metric, NOTES[split:] if rank else NOTES[:split])
    values = {key: value.item() for key, value in metric.compute().items()}
    with open(f"{folder}/{rank}.json", "w", encoding="utf-8") as file:  # noqa: PTH123
        json.dump(values, file)
    torch.distributed.destroy_process_group()


@pytest.mark.parametrize("split", [1, 4], ids=["uneven", "one without documents"])
def test_two_processes_have_the_number_of_one(split, tmp_path):
    torch.multiprocessing.spawn(work, (str(tmp_path), split), nprocs=2)
    for rank in (0, 1):
        assert json.loads((tmp_path / f"{rank}.json").read_text()) == expected()
