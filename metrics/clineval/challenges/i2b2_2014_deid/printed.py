"""Stand-in for evaluate.py, the released script of i2b2 2014."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from enum import StrEnum
from math import nan
from pathlib import Path
from typing import Annotated

import numpy as np
import typer

from clineval.base.arrays import FloatArray
from clineval.base.errors import InputError, agree
from clineval.base.files import name_path
from clineval.challenges.i2b2_2014_deid.documents import TYPES
from clineval.challenges.i2b2_2014_deid.spec import SLOTS, find_record
from clineval.formats.files import read_text_files
from clineval.formats.i2b2_xml import FILES, I2b2Xml, label_by_both, parse
from clineval.kinds.mentions.columns import Side, concatenate
from clineval.kinds.pages import AnyScored
from clineval.programs.iberlef_report import MEASURES, measure
from clineval.results.scripts import Output, ScriptRun

_BETWEEN = "\0"
"""Separator of a system's and a record's name; no file name contains it."""
_VIEWS = {
    "Token": "token",
    "Strict": "strict",
    "Relaxed": "relaxed",
    "HIPPA Token": "hipaa_token",
    "HIPAA Strict": "hipaa_strict",
    "HIPAA Relaxed": "hipaa_relaxed",
    "Binary Token": "binary_token",
    "Binary Strict": "binary_strict",
    "Binary HIPPA Token": "binary_hipaa_token",
    "Binary HIPAA Strict": "binary_hipaa_strict",
}
_CATEGORY_VIEWS = {
    "Token": "token",
    "Strict": "strict",
    "HIPPA Token": "hipaa_token",
    "Binary HIPAA Strict": "hipaa_strict",  # the script's name for it
}
_ORDER = ("CONTACT", "NAME", "DATE", "AGE", "PROFESSION", "ID", "OTHER", "LOCATION")
SECTIONS: Mapping[str, str] = _VIEWS | {
    f"{category} {title}": f"{category.lower()}_{name}"
    for category in _ORDER
    for title, name in _CATEGORY_VIEWS.items()
}
"""The sections of a report, in order, and the scores of each."""
_RULE = "-" * 75 + "\n"


class Track(StrEnum):
    """The only track that is emulated."""

    phi = "phi"


def evaluate_phi(
    track: Annotated[Track, typer.Argument(help="phi.", show_default=False)],  # noqa: ARG001
    system: Annotated[Path, typer.Argument(help="System: directory or file.", show_default=False)],
    gold: Annotated[Path, typer.Argument(help="Gold: directory or file.", show_default=False)],
    verbose: Annotated[bool, typer.Option("-v", help="Also the scores of each record.")] = False,  # noqa: FBT002
) -> ScriptRun:
    """Print what evaluate.py phi prints; warnings of unknown types come first.

    If both sides are files, it only prints the scores of the record.
    """
    reading = I2b2Xml(label_by_both)
    there = not system.is_dir() or any(re.search(FILES, path.name) for path in system.iterdir())
    found = reading.read_side(system, SLOTS, strict=False) if there else None
    if gold.is_dir():
        _check_names(gold)
    golds = reading.read_side(gold, SLOTS, strict=False)
    systems, sides = _pair_systems(found, golds)
    whole = system.is_dir() or gold.is_dir()
    warned = [*(_warn_of_types(system) if found else ()), *_warn_of_types(gold)]

    def write(evaluation: AnyScored) -> Iterator[Output]:
        yield Output("".join(warned))
        for name in systems:
            yield Output(format_report(evaluation, name, verbose=verbose or not whole, whole=whole))

    return ScriptRun("default", sides[1], sides[0], write)


COMMANDS: Mapping[str, Callable[..., ScriptRun]] = {"i2b2-2014": evaluate_phi}


def _warn_of_types(source: Path) -> Iterator[str]:
    """Yield the script's warnings about types that their element does not have."""
    for file in read_text_files(source, pattern=FILES, separator="<"):
        for tag in parse(file).tags:
            name, label = tag.attributes.get("id", ""), tag.attributes.get("TYPE")
            start = f"WARNING: Expected attribute 'TYPE' for xml element <{tag.element}"
            if label is None:
                yield f"{start} ('{name}')>, setting to ''\n"
            elif label.upper() not in TYPES.get(tag.element, (label.upper(),)):
                yield f"{start} ({name})>  was not valid ('{label}')\n"


def _check_names(gold: Path) -> None:
    others = [path.name for path in gold.iterdir() if not path.name.endswith("xml")]
    if others:
        problem = agree("{n} {file is|files are} not XML", len(others))
        raise InputError(
            f"{problem}: the released script stops here",
            where=name_path(gold),
            remedy="Keep only the notes' XML in the directory",
        )


def _pair_systems(found: Side | None, gold: Side) -> tuple[list[str], tuple[Side, Side]]:
    """Split systems by the part of file names after the record, and repeat gold for each."""
    if found is None:
        return [], (gold, replace(gold, mentions=gold.mentions.take(np.zeros(0, np.int64))))
    records = [find_record(name) for name in found.documents]
    suffixes = [name[len(r) :] for name, r in zip(found.documents, records, strict=True)]
    systems = sorted(set(suffixes))
    keys = tuple(f"{s}{_BETWEEN}{r}" for s, r in zip(suffixes, records, strict=True))
    golds = list(map(find_record, gold.documents))
    size = len(golds)
    parts = [
        replace(gold.mentions, document=gold.mentions.document + at * size)
        for at in range(len(systems))
    ]
    gold_keys = tuple(f"{system}{_BETWEEN}{record}" for system in systems for record in golds)
    repeated = Side(gold_keys, gold_keys, concatenate(parts), gold.texts * len(systems))
    return systems, (repeated, Side(keys, keys, found.mentions, found.texts))


def format_report(evaluation: AnyScored, system: str, *, verbose: bool, whole: bool) -> str:
    """Format the report of one system."""
    counts = evaluation.counts
    split = (name.partition(_BETWEEN) for name in counts.documents)
    rows = [(record, at) for at, (of, _, record) in enumerate(split) if of == system]
    prefix = f"{system} " if system else ""
    parts = []
    for title, name in SECTIONS.items():
        at = [counts.columns.index(f"{name}_{verdict}") for verdict in ("tp", "fp", "fn")]
        table = counts.table[np.array([row for _, row in rows], np.int64)][:, at]
        if verbose:
            parts.append(_format_records(f"{prefix}{title}", [record for record, _ in rows], table))
        if whole:
            parts.append(_format_section(f"{prefix}{title}", table))
    return "".join(parts)


def _line(*cells: object) -> str:
    return "{:<25}{:<15}{:<15}{:<20}\n".format(*cells)


def _format_records(title: str, records: Sequence[str], table: FloatArray) -> str:
    text = f"Report for {title}:\n" + _line("", "Measure", "", "Micro (Primary)") + _RULE
    for record, (tp, fp, fn) in sorted(zip(records, table.tolist(), strict=True)):
        heads = (record, f"[{tp + fn:.0f}({tp:.0f}){tp + fp:.0f}]", "")
        for head, name, value in zip(heads, MEASURES, measure(tp, fp, fn), strict=True):
            text += _line(head, name, "", f"{value:.4}")
        text += _RULE
    return text


def _format_section(title: str, table: FloatArray) -> str:
    values = np.array([measure(*row)[:2] for row in table.tolist()]).reshape(-1, 2)
    means = values.mean(axis=0).tolist() if len(values) else [nan, nan]
    spread = values.std(axis=0).tolist() if len(values) else [nan, nan]
    precision, recall = means
    both = precision + recall
    macro = 2 * precision * recall / both if both else nan
    shown = [f"{mean:.4} ({sd:.2})" for mean, sd in zip(means, spread, strict=True)]
    micro = [f"{value:.4}" for value in measure(*table.sum(axis=0).tolist())]
    lines = [_line(f"{title} ({len(table)})", "Measure", "Macro (SD)", "Micro (Primary)"), _RULE]
    rows = zip(("Total", "", ""), MEASURES, (*shown, f"{macro:.4}"), micro, strict=True)
    lines += [_line(*row) for row in rows]
    return "".join([*lines, "\n\n"])
