"""The table that i2b2eval.py, the script of the i2b2 2009 medication challenge, prints."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Annotated

import numpy as np
import typer

from clineval.base.escaping import visible
from clineval.challenges.i2b2_2009_medication.official import round_as_python2
from clineval.challenges.i2b2_2009_medication.spec import ScoredEntries
from clineval.formats.entry_lines import record_names
from clineval.kinds.entries.entry import FIELD_NAMES, FIELDS
from clineval.results.scores import Score
from clineval.results.scripts import Output, ScriptRun

_ORDER = ("do", "f", "mo", "m", "r", "du")
_HEADER = "#in/exact\tvert/horiz\tsys/pat\ttag/X\tfmeasure\tprecision\trecall"
_MEASURES = ("f1", "precision", "recall")


def i2b2_2009(
    gold: Annotated[
        Path, typer.Option("-g", help="Directory of the gold entries.", show_default=False)
    ],
    system: Annotated[
        Path, typer.Option("-s", help="Directory of the system's entries.", show_default=False)
    ],
    records: Annotated[
        Path, typer.Option("-r", help="Directory of the records.", show_default=False)
    ],
) -> ScriptRun:
    """Print the table that i2b2eval.py prints (its steps -x and -p at once).

    The system has the name of its directory, as if its entries were in SYSTEM.xml.
    """

    def write(evaluation: ScoredEntries) -> Iterator[Output]:
        missing = missing_records(str(gold), str(system))
        yield Output(
            format_table(evaluation.counts.score(), visible(f"{system.name}.xml"), missing)
        )

    return ScriptRun("default", system, gold, write, {"records": records})


COMMANDS: Mapping[str, Callable[..., ScriptRun]] = {"i2b2-2009": i2b2_2009}


def format_table(score: Score, label: str, missing: Sequence[str]) -> str:
    """Format the table that the script prints after it has read both sides.

    Args:
        score: a score with ``protocol="official"``.
        label: the script's name for the system, which is the name of its file.
        missing: the gold records that the system does not have.
    """
    lines = [f"Could not find entry file for {name}." for name in missing]
    lines += [label, _HEADER]
    for match in ("inexact", "exact"):
        lines += [f"# Record `{name}' not present in system!" for name in missing]
        lines += _format_match(score, label, match)
    return "".join(f"{line}\n" for line in lines)


def missing_records(gold: str, system: str) -> list[str]:
    """Return the gold records that the system does not have, in the order of their names."""
    present = set(record_names(system))
    return [name for name in record_names(gold) if name not in present and name.isdecimal()]


def _format_match(score: Score, label: str, match: str) -> Iterator[str]:
    totals = score.counts.totals
    for part in ("shared", "gold", "system"):
        yield _as_python2(totals[f"{match}_horizontal_{part}"])
    directions = {"X": "horizontal"}
    directions |= {tag: f"vertical_{FIELD_NAMES[FIELDS.index(tag)]}" for tag in _ORDER}
    for tag, direction in directions.items():
        for level in ("system", "patient"):
            cells = (match, direction.partition("_")[0], f"{level}-level", tag)
            prefix = f"{match}_{direction}_{level}"
            values = np.array([score.values[f"{prefix}_{measure}"] for measure in _MEASURES])
            rounded = values if level == "patient" else round_as_python2(values)
            yield "\t".join([label, *cells, *map(_as_python2, rounded.tolist())])


def _as_python2(value: float) -> str:
    """Format a number as ``print`` of Python 2 does: with at most twelve digits.

    Examples:
        >>> _as_python2(15), _as_python2(0.652733333333333)
        ('15.0', '0.652733333333')
    """
    text = f"{value:.12g}"
    return text if "." in text or "e" in text else f"{text}.0"
