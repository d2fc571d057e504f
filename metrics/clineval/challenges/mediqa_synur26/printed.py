"""Print and write what the released script of MEDIQA-SYNUR 2026 does."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from pathlib import Path
from typing import Annotated

import typer

from clineval.kinds.pages import AnyScored
from clineval.results.scripts import Output, ScriptRun


def mediqa_synur(
    reference: Annotated[Path, typer.Option("-r", "--reference", help="Gold observations.")],
    predicted: Annotated[Path, typer.Option("-p", "--predicted", help="Predicted observations.")],
    output: Annotated[
        Path | None, typer.Option("-o", "--output", help="Directory for scores.json.")
    ] = None,
) -> ScriptRun:
    """Print precision, recall and F1, and write scores.json, as MEDIQA-SYNUR's script does."""
    return ScriptRun("default", predicted, reference, partial(write_scores, folder=output))


COMMANDS: Mapping[str, Callable[..., ScriptRun]] = {"mediqa-synur-2026": mediqa_synur}


def write_scores(evaluation: AnyScored, folder: Path | None = None) -> Iterator[Output]:
    """Yield the three scores with all digits, and a file with scores and sizes of both sides."""
    tp, fp, fn = (int(evaluation.counts.totals[f"micro_{of}"]) for of in ("tp", "fp", "fn"))
    precision, recall = (tp / (tp + of) if tp else 0.0 for of in (fp, fn))
    f1 = 2 * (precision * recall) / (precision + recall) if tp else 0.0
    lines = ["Final Results:", precision, recall, f1]
    if folder is not None:
        lines.append(f"Writing results to  {folder / 'scores.json'}")
    yield Output("".join(f"{line}\n" for line in lines))
    if folder is not None:
        scores = {"precision": precision, "recall": recall, "f1": f1}
        sizes = {"ref_obs": tp + fn, "hyp_obs": tp + fp}
        yield Output(json.dumps({**scores, **sizes}), "scores.json", folder=str(folder))
