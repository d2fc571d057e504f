"""Write what ``brat_scoring``, the package of n2c2 2022 Track 2, writes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import numpy as np
import typer

from clineval.base.ratios import ratio
from clineval.kinds.events.rows import PAIRED
from clineval.kinds.events.units import EVENT, LABEL, NO_VALUE, VALUE, EventCorpus
from clineval.kinds.mentions.rows import Pairing
from clineval.kinds.pages import Scored
from clineval.results.scripts import Output, ScriptRun

_HEAD = "event,argument,subtype,NT,NP,TP,P,R,F1"
_OVERALL = ("OVERALL",) * 3
Rows = Mapping[tuple[str, str, str], tuple[int, int, int]]
"""NT, NP and TP, by event, argument and subtype."""


class Trigger(StrEnum):
    """The criterion for equivalent triggers."""

    overlap = "overlap"
    exact = "exact"
    min_dist = "min_dist"


class Span(StrEnum):
    """The criterion for equivalent span-only arguments."""

    exact = "exact"
    overlap = "overlap"


class Labeled(StrEnum):
    """The criterion for equivalent labelled arguments with equal values."""

    label = "label"
    exact = "exact"
    overlap = "overlap"


def track2(
    gold: Annotated[Path, typer.Argument(help="Directory of the gold standard's .ann files.")],
    system: Annotated[Path, typer.Argument(help="Directory of the system's .ann files.")],
    *,
    output: Annotated[
        Path, typer.Option("-o", "--output", help="Path of the table to write.")
    ] = Path("scores.csv"),
    trigger: Annotated[Trigger, typer.Option(help="Match of triggers.")] = Trigger.overlap,
    span: Annotated[Span, typer.Option(help="Match of span-only arguments.")] = Span.exact,
    labeled: Annotated[Labeled, typer.Option(help="Match of labelled arguments.")] = Labeled.label,
) -> ScriptRun:
    """Write the table of brat_scoring's score_brat_sdoh: a row for each argument and subtype.

    The criterion "partial" is left out, because it counts tokens and does not pair one to one.
    """

    def write(evaluation: Scored[EventCorpus, Pairing]) -> Iterator[Output]:
        table = format_table(count_rows(evaluation.corpus, evaluation.pairings))
        yield Output(table, output.name, folder=str(output.parent))

    options = {"trigger": trigger.value, "span": span.value, "labeled": labeled.value}
    return ScriptRun("default", system, gold, write, options)


COMMANDS: Mapping[str, Callable[..., ScriptRun]] = {"n2c2-2022-track2": track2}


def count_rows(corpus: EventCorpus, pairings: Sequence[Pairing]) -> Rows:
    """Count the units in each row of the package's table; a pair counts in the gold unit's row."""
    counts = [Counter[tuple[str, str, str]]() for _ in range(3)]
    for block, pairing in zip(corpus.blocks(), pairings, strict=True):
        sides = [_name(block, at) for at in (0, 1)]
        counts[0].update(sides[0])
        counts[1].update(sides[1])
        counts[2].update(sides[0][row] for row in pairing[PAIRED].gold.tolist())
    names = sorted({*counts[0], *counts[1]})
    return {name: (counts[0][name], counts[1][name], counts[2][name]) for name in names}


def _name(corpus: EventCorpus, side: int) -> list[tuple[str, str, str]]:
    """Return event, argument and subtype of each unit."""
    units, heads = (corpus.gold, corpus.prediction)[side], corpus.heads[side]
    columns = [units.columns.attributes[slot.name] for slot in (EVENT, LABEL, VALUE)]
    names = [[of.values[at] for at in of.ids.tolist()] for of in columns]
    triggers = (heads == np.arange(len(heads))).tolist()
    return [
        (event, "Trigger" if first else label, "N/A" if value == NO_VALUE else value)
        for event, label, value, first in zip(*names, triggers, strict=True)
    ]


def format_table(rows: Rows) -> str:
    """Format the table as the package does; the first row is the total."""
    total = tuple(sum(column) for column in zip(*rows.values(), strict=True)) if rows else (0, 0, 0)
    lines = [_HEAD]
    for name, (there, found, right) in {_OVERALL: total, **rows}.items():
        precision, recall = float(ratio(right, found)), float(ratio(right, there))
        f1 = 2 * precision * recall / (precision + recall) if precision * recall else 0.0
        lines.append(",".join(map(str, (*name, there, found, right, precision, recall, f1))))
    return "".join(f"{line}\n" for line in lines)
