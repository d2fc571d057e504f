"""Systems in one folder, as evaluate.py of i2b2 2014 tells them apart by the names of files."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import numpy as np

from clineval.base.errors import InputError, agree
from clineval.base.files import name_path
from clineval.formats.i2b2_xml import find_record
from clineval.kinds.mentions.columns import Side, concatenate

BETWEEN = "\0"
"""Separator of a system's and a record's name; no file name contains it."""


def name_record(record: str) -> str:
    """Return a record's name as the script prints it.

    Examples:
        >>> name_record("100-01"), name_record("abc")
        ('100-01', 'abc-')
    """
    return record if re.fullmatch(r"\d+-\d+", record) else f"{record}-"


def refuse_other_files(gold: Path) -> None:
    """Reject a folder of the gold standard with files that are not XML.

    Raises:
        InputError: there are such files; the released script stops at the first one.
    """
    listed = gold.iterdir() if gold.is_dir() else ()
    others = [path.name for path in listed if not path.name.endswith("xml")]
    if others:
        problem = agree("{n} {file is|files are} not XML", len(others))
        raise InputError(
            f"{problem}: the released script stops here",
            where=name_path(gold),
            remedy="Keep only the notes' XML in the directory",
        )


def pair_systems(found: Side | None, gold: Side) -> tuple[list[str], tuple[Side, Side]]:
    """Split systems by the part of file names after the record, and repeat gold for each.

    Args:
        found: the predictions of all systems, by names of files; None if there are none.
        gold: the gold standard, by names of files.

    Returns:
        The names of the systems, and both sides; the name of a document contains its system.
    """
    if found is None:
        return [], (gold, replace(gold, mentions=gold.mentions.take(np.zeros(0, np.int64))))
    records = [find_record(name) for name in found.documents]
    suffixes = [name[len(r) :] for name, r in zip(found.documents, records, strict=True)]
    systems = sorted(set(suffixes))
    keys = tuple(f"{s}{BETWEEN}{r}" for s, r in zip(suffixes, records, strict=True))
    golds = list(map(find_record, gold.documents))
    size = len(golds)
    parts = [
        replace(gold.mentions, document=gold.mentions.document + at * size)
        for at in range(len(systems))
    ]
    gold_keys = tuple(f"{system}{BETWEEN}{record}" for system in systems for record in golds)
    repeated = Side(gold_keys, gold_keys, concatenate(parts), gold.texts * len(systems))
    return systems, (repeated, Side(keys, keys, found.mentions, found.texts))
