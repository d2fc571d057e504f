"""Print and write what the released program of MEDIQA-OE 2025 does."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import chain
from pathlib import Path
from typing import Annotated

import typer

from clineval.challenges.mediqa_oe25.official import (
    ALONE,
    Order,
    OrderPair,
    list_pairs,
    read_turns,
    stop,
)
from clineval.challenges.mediqa_oe25.orders import DESCRIPTION, REASON, TURNS, TYPE
from clineval.kinds.pages import Scored
from clineval.kinds.records.corpus import RecordCorpus
from clineval.protocols.fitting_records import MATCH, STRICT
from clineval.protocols.records import RecordPairing
from clineval.results.scripts import Output, ScriptRun

Evaluation = Scored[RecordCorpus, RecordPairing]
_COUNTED = {"description_Match": MATCH, "description_Strict": STRICT, "order_type_Strict": TYPE}
_SHARED = {
    "description_Rouge1": DESCRIPTION,
    "reason_Rouge1": REASON,
    "provenance_MultiLabel": TURNS,
}
_ORDER = (
    "description_Match",
    "description_Strict",
    "description_Rouge1",
    "reason_Rouge1",
    "order_type_Strict",
    "provenance_MultiLabel",
)


def mediqa_oe(
    truth: Annotated[Path, typer.Option("-t", "--truth", help="Gold orders.")],
    pred: Annotated[Path, typer.Option("-p", "--pred", help="Predicted orders.")],
    dataset: Annotated[
        str | None, typer.Option("-d", "--dataset", help="Part of a published file: train or dev.")
    ] = None,
    output: Annotated[
        Path, typer.Option("-o", "--output", help="Directory for scores.json.")
    ] = Path("test"),
) -> ScriptRun:
    """Print all scores, and write scores.json, as MEDIQA-OE's evaluate_oe.py does."""
    write = partial(write_scores, folder=output)
    return ScriptRun("default", pred, truth, write, {"part": dataset})


COMMANDS: Mapping[str, Callable[..., ScriptRun]] = {"mediqa-oe-2025": mediqa_oe}


def write_scores(evaluation: Evaluation, folder: Path) -> Iterator[Output]:
    """Yield the turns that are compared, the scores by field, and a file of the scores."""
    if evaluation.corpus.known[ALONE]:
        stop("an encounter is on one side only")
    scores = compute(evaluation)
    fields: dict[str, dict[str, float]] = {}
    flat: dict[str, float] = {}
    for key, each in scores.items():
        name, _, metric = key.rpartition("_")
        fields.setdefault(name, {}).update({f"{metric}_{of}": each[of] for of in each})
        flat |= {f"{key}_{of}": each[of] for of in each}
    turns = "".join(_list_turns(evaluation))
    yield Output(f"{turns}{json.dumps(fields, indent=4)}\n")
    yield Output(json.dumps(flat, indent=4), "scores.json", folder=str(folder))


def _list_turns(evaluation: Evaluation) -> Iterator[str]:
    """Yield the lines that the program prints about the provenance of orders."""
    for pair in chain.from_iterable(_list_encounters(evaluation)):
        gold, found = (order.get(TURNS, "") if order else "" for order in pair)
        if gold or found:
            yield f"Reference: {gold}, Prediction: {found}\n"
            read = [read_turns(given) for given in (gold, found)]
            yield f"Processed Reference: {read[0]}, Processed Prediction: {read[1]}\n"


def _list_encounters(evaluation: Evaluation) -> list[list[OrderPair]]:
    """List the pairs of orders of each encounter."""
    corpus, [pairing] = evaluation.corpus, evaluation.pairings
    return list_pairs(corpus, pairing[MATCH])


def compute(evaluation: Evaluation) -> dict[str, dict[str, float]]:
    """Compute the program's scores, including the scores of whole orders and encounters."""
    totals = evaluation.counts.totals
    found = {
        key: _score(totals[f"{of}_tp"], totals[f"{of}_tp"] + totals[f"{of}_fp"],
                    totals[f"{of}_tp"], totals[f"{of}_tp"] + totals[f"{of}_fn"])
        for key, of in _COUNTED.items()
    }  # fmt: skip
    found |= {
        key: _score(totals[f"{of}_precision_sum"], totals[f"{of}_predicted"],
                    totals[f"{of}_recall_sum"], totals[f"{of}_gold"])
        for key, of in _SHARED.items()
    }  # fmt: skip
    scores = {key: found[key] for key in _ORDER}
    encounters = _list_encounters(evaluation)
    orders = ((_say(g), _say(s)) for pairs in encounters for g, s in pairs)
    scores["order_level_metrics_Rouge1"] = _compare(orders)
    wholes = ((str([g for g, _ in of]), str([s for _, s in of])) for of in encounters if of)
    scores["encounter_level_metrics_Rouge1"] = _compare(wholes)
    return scores


def _say(order: Order | None) -> str:
    return str(order) if order else ""


def _score(right: float, found: float, recalled: float, gold: float) -> dict[str, float]:
    precision = right / found if found else 0.0
    recall = recalled / gold if gold else 0.0
    both = precision + recall
    f1 = 2 * precision * recall / both if both else 0.0
    return {"precision": precision, "recall": recall, "f1": f1}


@dataclass(slots=True)
class _Mean:
    total: float = 0.0
    size: int = 0

    def add(self, words: Sequence[str], others: Sequence[str]) -> None:
        """Add the share of words that are in ``others``, if there are words."""
        if words:
            known = set(others)
            self.total += sum(word in known for word in words) / len(words)
            self.size += 1


def _compare(texts: Iterable[tuple[str, str]]) -> dict[str, float]:
    """Compare the words of Python's representations of orders, unchanged."""
    precision, recall = _Mean(), _Mean()
    for gold, found in texts:
        words = gold.split(), found.split()
        precision.add(words[1], words[0])
        recall.add(words[0], words[1])
    return _score(precision.total, precision.size, recall.total, recall.size)
