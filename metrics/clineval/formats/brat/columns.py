"""brat's standoff files straight into columns, for scoring."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path

import numpy as np

from clineval.base.files import Source, is_file
from clineval.base.problems import Problem
from clineval.formats import checking
from clineval.formats.brat import standoff
from clineval.formats.brat.standoff import Standoff, chunks_of, parse
from clineval.formats.brat_attributes import read_attributes
from clineval.formats.files import TextFile, from_string, read_text, read_text_files
from clineval.kinds.mentions.columns import MentionColumns, Side, concatenate, fill_slots
from clineval.kinds.mentions.slots import Slot
from clineval.kinds.relations.columns import RelatedSide, RelationColumns
from clineval.kinds.relations.columns import concatenate as concatenate_relations

FILES = standoff.FILES
Part = tuple[MentionColumns, RelationColumns]


def read_side(
    source: Source, slot: Slot, labels: Sequence[str], *, attributes: bool = False
) -> RelatedSide:
    r"""Read files for scoring; documents are paired by the names of the files.

    Args:
        source: a directory of ``*.ann``, one file, or the text itself.
        slot: the slot that a mention's type is, with its types.
        labels: the types that relations can have; empty for any.
        attributes: whether brat's attributes are read, as slots.

    Raises:
        InputError: names the file and the line, also of a mention that a text beside the file
            does not reach. All other problems of the same files come with it.

    Examples:
        >>> text = "T1\tDrug 0 7\taspirin\nT2\tForm 8 14\ttablet\nR1\tForm-Drug Arg1:T2 Arg2:T1\n"
        >>> side = read_side(text, Slot("label", "label"), [])
        >>> side.side.mentions.ends.tolist(), side.relations.source.tolist()
        ([7, 14], [1])
    """
    names: list[str] = []
    texts: list[str | None] = []
    parts = []
    for chunk in chunks_of(read_text_files(source, pattern=FILES, separator="\t")):
        found = list(map(find_text, chunk))
        parts.append(_read(chunk, found, slot, labels, len(names), attributes=attributes))
        names += [file.stem or "" for file in chunk]
        texts += found
    keys = tuple(names) if all(names) else None
    return as_side(parts, tuple(names), keys, tuple(texts))


def read_strings(strings: Sequence[str], slot: Slot, labels: Sequence[str]) -> RelatedSide:
    """Read one string of lines for each document; they are paired by position."""
    files = (from_string(f"document {number}", text) for number, text in enumerate(strings))
    first, parts = 0, []
    for chunk in chunks_of(files):
        parts.append(_read(chunk, [None] * len(chunk), slot, labels, first))
        first += len(chunk)
    return as_side(parts, ("",) * first, None)


def find_text(file: TextFile) -> str | None:
    """Return the text beside a file, if it is there."""
    beside = Path(file.path).with_suffix(".txt") if file.path else None
    return read_text(beside) if beside is not None and is_file(beside) else None


def _read(  # noqa: PLR0913 - as read_side, and where the files stand
    files: Sequence[TextFile],
    texts: Sequence[str | None],
    slot: Slot,
    labels: Sequence[str],
    first: int,
    *,
    attributes: bool = False,
) -> Part:
    """Read the mentions and relations of some files; documents are numbered from ``first``."""
    standoff = parse(files, labels=slot.values, relations=labels)
    standoff.check_offsets(texts)
    slots = read_attributes(standoff) if attributes else {}
    standoff.refuse()
    mentions, relations = as_columns(standoff, slot.name, first)
    return replace(mentions, attributes={**slots, **mentions.attributes}), relations


def as_columns(standoff: Standoff, slot: str, first: int) -> Part:
    """Return the content of some files as columns for scoring; the first has number ``first``."""
    mentions, relations = standoff.mentions, standoff.relations
    columns = MentionColumns(
        (mentions.file + first).astype(np.int32),
        mentions.bounds,
        mentions.starts,
        mentions.ends,
        {slot: mentions.label},
    )
    ends = relations.source, relations.target
    related = RelationColumns((relations.file + first).astype(np.int32), relations.label, *ends)
    return columns, related


def as_side(
    parts: Sequence[Part],
    names: tuple[str, ...],
    keys: tuple[str, ...] | None,
    texts: tuple[str | None, ...] = (),
) -> RelatedSide:
    """Join the parts of one side of a corpus."""
    mentions = fill_slots([mentions for mentions, _ in parts])
    relations = concatenate_relations([part for _, part in parts], list(map(len, mentions)))
    return RelatedSide(Side(names, keys, concatenate(mentions), texts), relations)


def find_problems(
    paths: Sequence[Path], slot: Slot, labels: Sequence[str], *, attributes: bool = False
) -> Iterator[Problem]:
    """Yield all problems of some files and directories; arguments as in :func:`read_side`."""
    look = partial(check, slot=slot, labels=labels, attributes=attributes)
    return checking.find_problems(paths, FILES, look, by_line=False)


def check(file: TextFile, slot: Slot, labels: Sequence[str], *, attributes: bool = False) -> None:
    """Refuse what :func:`read_side` refuses of one file, all at once."""
    for chunk in chunks_of([file]):
        if chunk:
            _read(chunk, list(map(find_text, chunk)), slot, labels, 0, attributes=attributes)
