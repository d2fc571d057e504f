"""Join two sides of entries: align records, number tokens, compare phrases."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np

from clineval.base.arrays import BoolArray, IntArray, cover, expand_ranges, rank_rows
from clineval.base.errors import InputError, warn
from clineval.base.hashing import Hashes
from clineval.kinds.documents import Whole, align_documents
from clineval.kinds.entries.columns import (
    EntryColumns,
    EntrySide,
    RecordLines,
    TokenRanges,
    number_tokens,
)
from clineval.kinds.entries.entry import FIELDS
from clineval.kinds.mentions.digest import digest_documents
from clineval.results.columns import MentionColumns

_FIELD_SHIFT = 48


@dataclass(frozen=True, slots=True)
class EntryReading:
    """The rules by which a protocol reads entries.

    Args:
        strict: reject reversed and overlapping fragments, and tokens beyond their line; otherwise
            they lose the tokens that do not exist.
        documents: whether ``all`` records count, or only those in the ``gold`` standard whose
            names are numbers.
        phrases: phrases are equal if their ``offsets`` or their ``tokens`` are equal.
        order: the order of entries: ``canonical``, by position field by field, or as
            ``written``.
    """

    strict: bool
    documents: Literal["all", "gold"]
    phrases: Literal["offsets", "tokens"]
    order: Literal["canonical", "written"]


@dataclass(frozen=True, slots=True, eq=False)
class Entries:
    """The entries of one side, each once.

    Args:
        record: ``[n]``, the entry's record, never decreasing.
        phrase: ``[n, 6]``, a number for the phrase of each field, the same on both sides for
            equal phrases; 0 if the field is not mentioned.
        mentions: the ``p`` phrases as ranges of tokens; their document is the number of the
            record times 6 plus the number of the field.
        owner: ``[p]``, the entry of each phrase.
        lengths: ``[p]``, the number of tokens of each phrase.
        columns: the entries as they were read.
    """

    record: IntArray
    phrase: IntArray
    mentions: MentionColumns
    owner: IntArray
    lengths: IntArray
    columns: EntryColumns

    def __len__(self) -> int:
        return len(self.record)

    @property
    def sizes(self) -> IntArray:
        """``[n]``, the number of tokens of all phrases of each entry."""
        return np.bincount(self.owner, self.lengths, len(self)).astype(np.int64)


@dataclass(frozen=True, slots=True, eq=False)
class EntryCorpus(Whole):
    """Gold and system entries of the same records, ready for alignment.

    Args:
        documents: the names of the records.
        visited: ``[records]``, which records count.
        in_gold: ``[records]``, which records the gold standard has.
        gold: the gold entries.
        system: the system's entries.
        texts: known texts by number of the record.
    """

    documents: tuple[str, ...]
    visited: BoolArray
    in_gold: BoolArray
    gold: Entries
    system: Entries
    texts: Mapping[int, str]

    @property
    def digests(self) -> Hashes:
        """``[records]``, a digest of the offsets and fields of the gold entries."""
        entries = self.gold.columns
        fields = entries.field.astype(np.int64) << _FIELD_SHIFT
        columns = MentionColumns(
            entries.record, entries.bounds, entries.first | fields, entries.last, {}
        )
        return digest_documents(columns, len(self.documents))

    @property
    def gold_sizes(self) -> IntArray:
        """``[records]``, the number of gold entries of each record."""
        return np.bincount(self.gold.columns.record, minlength=len(self.documents))


def join_entries(
    gold: EntrySide,
    system: EntrySide,
    reading: EntryReading,
    *,
    subset: str | None = None,
) -> EntryCorpus:
    """Join gold and system entries: all, or a subset, ``list`` or ``narrative``.

    Raises:
        InputError: records cannot be paired, offsets are outside their record, or an entry does
            not state whether it belongs to the subset.
    """
    documents, *numbers = align_documents(gold, system, visited=reading.documents)
    in_gold = np.isin(np.arange(len(documents)), numbers[0])
    visited = _visited(documents, in_gold, reading)
    sides = [
        _renumber(side.entries, number, visited, subset)
        for side, number in zip((gold, system), numbers, strict=True)
    ]
    texts = gold.texts(documents) if gold.texts else [None] * len(documents)
    lines = RecordLines.of(texts)
    ranges = number_tokens(sides, lines, strict=reading.strict)
    known = {number: text for number, text in enumerate(texts) if text is not None}
    gold_entries, entries = _compare(sides, ranges, reading)
    return EntryCorpus(documents, visited, in_gold, gold_entries, entries, known)


def _visited(names: Sequence[str], in_gold: BoolArray, reading: EntryReading) -> BoolArray:
    if reading.documents == "all":
        return np.ones(len(names), np.bool_)
    others = [name for name in names if not name.isdecimal()]
    warn(
        "{n} {record whose name is not a number does|records whose names are not numbers do} not "
        "count, as in the released script: {names}",
        others,
    )
    return in_gold & np.array([name.isdecimal() for name in names], np.bool_)


def _renumber(
    entries: EntryColumns, numbers: IntArray, visited: BoolArray, subset: str | None
) -> EntryColumns:
    """Renumber the records, and keep the entries that count, in the order of records."""
    record = numbers[entries.record] if len(entries) else entries.record
    chosen = visited[record]
    if subset is not None:
        chosen &= _is_in(subset, entries)
    rows = np.flatnonzero(chosen)
    rows = rows[np.argsort(record[rows], kind="stable")]
    return replace(entries, record=record).take(rows)


def _is_in(subset: str, entries: EntryColumns) -> BoolArray:
    silent = np.array([not value for value in entries.genre.values], np.bool_)[entries.genre.ids]
    if silent.any():
        raise InputError(
            f"ln is missing; subset={subset!r} needs it",
            where=entries.place(int(entries.row[np.argmax(silent)])),
            remedy='Add ln="list" or ln="narrative"',
        )
    wanted = np.array([value == subset for value in entries.genre.values], np.bool_)
    chosen: BoolArray = wanted[entries.genre.ids]
    return chosen


def _compare(
    sides: Sequence[EntryColumns], ranges: Sequence[TokenRanges], reading: EntryReading
) -> list[Entries]:
    """Drop repeated entries, sort the rest, and number the phrases of both sides."""
    written = [_Phrases.of(side, side.first, side.last) for side in sides]
    numbers = _number_phrases(written)
    result = []
    for side, tokens, number in zip(sides, ranges, numbers, strict=True):
        rows = _distinct(side.record, number, reading)
        fragments = expand_ranges(side.bounds[rows], side.bounds[rows + 1])
        chosen = TokenRanges(tokens.starts[fragments], tokens.ends[fragments])
        result.append((side.take(rows), chosen, number[rows]))
    phrases = [_Phrases.of(side, chosen.starts, chosen.ends) for side, chosen, _ in result]
    if reading.phrases == "tokens":
        phrases = [phrase.joined() for phrase in phrases]
        numbers = _number_phrases(phrases)
    else:
        numbers = [number for *_, number in result]
    return [
        _as_entries(side, phrase, number)
        for (side, *_), phrase, number in zip(result, phrases, numbers, strict=True)
    ]


def _distinct(record: IntArray, number: IntArray, reading: EntryReading) -> IntArray:
    """Select the first of equal entries, in the protocol's order."""
    keys = [record, *number.T]
    order = np.lexsort(keys[::-1])
    new = np.ones(len(order), np.bool_)
    if len(order):
        new[1:] = np.any([key[order][1:] != key[order][:-1] for key in keys], axis=0)
    rows: IntArray = order[new]
    return rows if reading.order == "canonical" else np.sort(rows)


@dataclass(frozen=True, slots=True, eq=False)
class _Phrases:
    """``[p]`` phrases of ``size`` entries; their ``[f]`` fragments are sorted."""

    size: int
    owner: IntArray
    field: IntArray
    bounds: IntArray
    starts: IntArray
    ends: IntArray

    @classmethod
    def of(cls, entries: EntryColumns, starts: IntArray, ends: IntArray) -> _Phrases:
        of_phrase = entries.owners * len(FIELDS) + entries.field
        order = np.lexsort((ends, starts, of_phrase))
        return cls.grouped(len(entries), of_phrase[order], starts[order], ends[order])

    @classmethod
    def grouped(cls, size: int, of_phrase: IntArray, starts: IntArray, ends: IntArray) -> _Phrases:
        first = np.flatnonzero(np.diff(of_phrase, prepend=-1))
        owner, field = np.divmod(of_phrase[first], len(FIELDS))
        return cls(size, owner, field, np.append(first, len(starts)), starts, ends)

    def joined(self) -> _Phrases:
        """Join fragments to as few as possible, and drop phrases without a token."""
        of_phrase = np.repeat(self.owner * len(FIELDS) + self.field, np.diff(self.bounds))
        filled = np.flatnonzero(self.ends > self.starts)
        at, starts, ends = cover(of_phrase[filled], self.starts[filled], self.ends[filled])
        return _Phrases.grouped(self.size, at, starts, ends)


def _number_phrases(sides: Sequence[_Phrases]) -> list[IntArray]:
    """Rank the phrases from 1, equally on both sides: ``[n, 6]`` for each side."""
    counts = np.concatenate([np.diff(side.bounds) for side in sides])
    shift = len(sides[0].starts)
    low = np.concatenate([sides[0].bounds[:-1], sides[1].bounds[:-1] + shift])
    starts, ends = (
        np.concatenate([getattr(side, name) for side in sides]) for name in ("starts", "ends")
    )
    columns = []
    for k in range(int(counts.max(initial=0))):
        at = np.where(counts > k, low + k, 0)
        columns += [np.where(counts > k, part[at], -1) for part in (starts, ends)]
    numbers = np.split(rank_rows(columns) + 1, [len(sides[0].owner)])
    tables: list[IntArray] = []
    for side, number in zip(sides, numbers, strict=True):
        table = np.zeros((side.size, len(FIELDS)), np.int64)
        table[side.owner, side.field] = number
        tables.append(table)
    return tables


def _as_entries(side: EntryColumns, phrases: _Phrases, number: IntArray) -> Entries:
    document = side.record[phrases.owner].astype(np.int64) * len(FIELDS) + phrases.field
    plain = MentionColumns(document, phrases.bounds, phrases.starts, phrases.ends, {})
    order = np.argsort(document, kind="stable")
    mentions = plain.take(order)
    lengths = mentions.lengths(np.arange(len(mentions)))
    return Entries(side.record, number, mentions, phrases.owner[order], lengths, side)
