"""Print precision, recall and F1 of each record and of all, as evaluate.py of i2b2 2014 does."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from math import nan

import numpy as np

from clineval.base.arrays import FloatArray
from clineval.programs.iberlef_report import MEASURES, measure
from clineval.results.scorable import Counts

BETWEEN = "\0"
"""Separator of a system's and a record's name; no file name contains it."""
_RULE = "-" * 75 + "\n"


def name_record(record: str) -> str:
    """Return a record's name as the script prints it.

    Examples:
        >>> name_record("100-01"), name_record("abc")
        ('100-01', 'abc-')
    """
    return record if re.fullmatch(r"\d+-\d+", record) else f"{record}-"


def format_report(
    counts: Counts, system: str, sections: Mapping[str, str], *, verbose: bool, whole: bool
) -> str:
    """Format the report of one system.

    Args:
        counts: the counts of the records of all systems.
        system: the name of the system.
        sections: the title of each section, and the beginning of the names of its counts.
        verbose: whether to print the scores of each record, sorted by name.
        whole: whether to print the scores of all records.
    """
    split = (name.partition(BETWEEN) for name in counts.documents)
    rows = [(record, at) for at, (of, _, record) in enumerate(split) if of == system]
    prefix = f"{system} " if system else ""
    parts = []
    for title, name in sections.items():
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
        heads = (name_record(record), f"[{tp + fn:.0f}({tp:.0f}){tp + fp:.0f}]", "")
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
