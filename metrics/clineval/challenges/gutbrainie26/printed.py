"""Print what the released program of GutBrainIE 2026 prints."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from enum import StrEnum
from functools import partial
from pathlib import Path
from typing import Annotated

import typer

from clineval.challenges.gutbrainie26.files import CONCEPTS, MENTIONS, NER, NERD
from clineval.challenges.gutbrainie26.program_files import OVERLAPPING, REPEATED
from clineval.kinds.mentions.corpus import Corpus
from clineval.kinds.mentions.rows import Pairing
from clineval.kinds.pages import Scored
from clineval.results.scripts import Output, ScriptRun


class Task(StrEnum):
    """The subtasks."""

    ner = "NER"
    nerd = "NERD"
    mentions = "mention_level_RE"
    concepts = "concept_level_RE"


_TASKS = {
    Task.ner: (NER, "NER", "entities"),
    Task.nerd: (NERD, "NERD", "entities"),
    Task.mentions: (MENTIONS, "Mention-level RE", "mention-level relations"),
    Task.concepts: (CONCEPTS, "Concept-level RE", "concept-level relations"),
}
"""Task to its configuration, its heading, and the name of its items."""
_LINES = {
    "Macro-precision": "macro_precision",
    "Macro-recall": "macro_recall",
    "Macro-F1": "mean_f1",
    "Micro-precision": "micro_precision",
    "Micro-recall": "micro_recall",
    "Micro-F1": "micro_f1",
}


def gutbrainie(
    task: Annotated[Task, typer.Argument(help="NER, NERD, mention_level_RE or concept_level_RE.")],
    gold: Annotated[Path, typer.Argument(help="The gold standard.")],
    pred: Annotated[Path, typer.Argument(help="The predictions.")],
) -> ScriptRun:
    """Print the scores of a subtask, as GutBrainIE's Eval/evaluate.py does."""
    config, title, items = _TASKS[task]
    return ScriptRun(config, pred, gold, partial(write_scores, title=title, items=items))


COMMANDS: Mapping[str, Callable[..., ScriptRun]] = {"gutbrainie-2026": gutbrainie}


def write_scores(evaluation: Scored[Corpus, Pairing], title: str, items: str) -> Iterator[Output]:
    """Yield how many predictions were removed, and the scores."""
    score = evaluation.score()
    said = {REPEATED: f"duplicated {items} from predictions", OVERLAPPING: "overlapping entities"}
    lines = [f"=== Removed {score[name]} {what} ===" for name, what in said.items() if score[name]]
    lines += ["", "", f"=== {title} ==="]
    lines += [f"{name}: {round(float(score[key]), 4)}" for name, key in _LINES.items()]
    yield Output("\n".join([*lines, ""]))
