"""The functions that clineval_demo.yaml names."""

import json

import clineval
from clineval.answers import Alignment
from clineval.harness.lm_eval import CorpusTask
from clineval.results.registry import NAMES, find_challenge

MODULE = NAMES[0]
KEYS = ("strict_f1", "relaxed_f1", "n_unaligned", "n_unreadable")
task = CorpusTask(MODULE, KEYS, alignment=Alignment(match="fold"))
process_results = task.process_results
strict_f1, relaxed_f1, n_unaligned, n_unreadable = task.aggregations


def load_notes(**_: object) -> dict[str, object]:
    """Load the notes and the gold mentions, as JSON because Arrow would add missing slots."""
    from datasets import Dataset

    corpus = find_challenge(MODULE).task.corpora
    documents = clineval.read(corpus / "gold", MODULE, texts=corpus / "text")
    rows = [
        {"id": d.id, "note": d.text, "gold": json.dumps([m.as_dict() for m in d.mentions])}
        for d in documents
    ]
    return {"test": Dataset.from_list(rows)}
