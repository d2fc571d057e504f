"""Print what the released program of MultiClinAI 2026 prints."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated

import typer

from clineval.kinds.pages import AnyScored
from clineval.results.scripts import Output, ScriptRun


def multiclinai(
    reference: Annotated[Path, typer.Option("--reference", help="TSV file, gold standard.")],
    prediction: Annotated[Path, typer.Option("--pred", help="TSV file, predictions.")],
    entity: Annotated[str | None, typer.Option("--entity", help="The only label to score.")] = None,
) -> ScriptRun:
    """Print what evaluate.py prints: strict and char_f1, as JSON."""

    def write(evaluation: AnyScored) -> Iterator[Output]:
        score = evaluation.score()
        tp, fp, fn = (int(score[f"strict_{of}"]) for of in ("tp", "fp", "fn"))
        precision, recall = (tp / (tp + of) if tp + of else 0 for of in (fp, fn))
        f1 = 2 * precision * recall / (precision + recall) if tp else 0
        strict = {"precision": precision, "recall": recall, "f1": f1}
        char = {of: float(score[f"char_{of}"]) for of in strict}
        sizes = {"n_gold": tp + fn, "n_pred": tp + fp}
        told = {
            "entity": entity,
            "strict": {**_round(strict), "tp": tp, "fp": fp, "fn": fn},
            "char_f1": {**_round(char), **sizes},
        }
        yield Output(json.dumps(told, indent=2) + "\n")

    return ScriptRun("default", prediction, reference, write, {"entity": entity})


def _round(values: dict[str, float]) -> dict[str, float]:
    return {name: round(value, 4) for name, value in values.items()}


COMMANDS = {"multiclinai-2026": multiclinai}
