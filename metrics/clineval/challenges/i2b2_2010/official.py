"""The rules of ``i2b2va-eval.jar``, the program of i2b2/VA 2010.

The program goes through lists: it pairs each gold item with the first free prediction that fits.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import pairwise
from pathlib import Path

import numpy as np

from clineval.base.arrays import BoolArray, IntArray, find_first, rank_rows
from clineval.base.errors import InputError, called
from clineval.base.files import Source, is_directory, is_file, read_bytes
from clineval.base.offsets import LARGEST, read_whole
from clineval.challenges.i2b2_2010.lines import (
    ENDINGS,
    FILES,
    KNOWN,
    Draft,
    ItemSide,
    Parsed,
    Place,
    split_as_java,
)
from clineval.challenges.i2b2_2010.spec import LABEL, Kinds, Spec
from clineval.formats import files
from clineval.kinds.mentions.batches import MOST_PAIRS, too_many_pairs
from clineval.kinds.mentions.columns import share_values
from clineval.kinds.mentions.corpus import Corpus, Mentions
from clineval.kinds.mentions.pairing import Pairs, pair_equal_keys
from clineval.kinds.mentions.rows import Rows
from clineval.results.challenge import Setup
from clineval.results.columns import MentionColumns

_TRIMMED = "".join(map(chr, range(33)))
_INTEGER = re.compile(r"[+-]?\d+\Z", re.ASCII)
_SHORTEST = 3
_NOT_FOUND = {
    "concepts": "[ERROR]The given file name was not found!",
    "assertions": "[ERROR]{path}: The given file name was not found!",
    "relations": "[ERROR] The given file name was not found!",
}


class Official(Spec):
    """The released program: lists in the order of files, with copies; lines have 1,000 tokens."""

    def read_folder(self, source: Source) -> ItemSide:
        """Read a folder as the program does, or a file by the definition."""
        if not is_directory(source):
            return super().read_folder(source)
        files.list_names(Path(source), FILES)  # warns about files that are not read
        return read_folder(os.path.join(source, "")).side  # noqa: PTH118

    def parse(self, line: str, kind: str) -> Parsed:
        """Parse a line that the definition or the program accepts."""
        try:
            return super().parse(line, kind)
        except InputError:
            found = parse_line(line, kind)
            if found is None:
                raise
            return found

    def find_widths(
        self, _sides: Sequence[ItemSide], _moved: Sequence[IntArray], documents: int, /
    ) -> IntArray:
        """Return 1,000 tokens for each document."""
        return np.full(documents, 1000)

    def join_columns(
        self,
        documents: tuple[str, ...],
        columns: Sequence[MentionColumns],
        sides: Sequence[ItemSide],
        moved: Sequence[IntArray],
        /,
    ) -> Corpus:
        """Join items in input order, with copies; equal places have the same lines and tokens."""
        keys = []
        for side, columns_of_side, document in zip(sides, columns, moved, strict=True):
            order = np.argsort(document, kind="stable")
            places = side.places[order], side.related[order]
            keys.append(np.column_stack([columns_of_side.document, *places]))
        table = np.concatenate(keys)
        ranks = rank_rows(list(table.T)) if len(table) else np.zeros(0, np.int64)
        both = zip(
            share_values(columns, {LABEL.name: ()}), np.split(ranks, [len(keys[0])]), strict=True
        )
        gold, found = (Mentions(side, at, np.zeros(len(side), np.int64)) for side, at in both)
        return Corpus(documents, gold, found, {})

    def match_items(self, corpus: Corpus) -> Mapping[str, Callable[[], Pairs]]:
        """Return the matches of the released program, in the order of the input."""
        gold, prediction = corpus.gold, corpus.prediction
        labels = gold.ids(LABEL.name), prediction.ids(LABEL.name)
        both = [
            np.column_stack(of) for of in ((gold.place, labels[0]), (prediction.place, labels[1]))
        ]

        def fit_alike(row: int, others: slice) -> BoolArray:
            alike: BoolArray = labels[1][others] == labels[0][row]
            return _fit(corpus, row, others) & alike

        return {
            "strict": lambda: pair_equal(*both),
            "exact": lambda: pair_equal(gold.place[:, None], prediction.place[:, None]),
            "lenient": lambda: pair_fitting(corpus, fit_alike),
            "overlap": lambda: pair_fitting(corpus, partial(_fit, corpus)),
        }

    def list_matches(self, block: Corpus, pairing: Kinds, setup: Setup, /) -> Mapping[str, Rows]:
        """Return the verdicts; one row gets its missed concepts from another row."""
        matches = dict(super().list_matches(block, pairing, setup))
        if "concepts" in pairing:
            lenient, overlap = matches["concepts_lenient"], matches["concepts_overlap"]
            counted = dict(lenient.columns)
            missed = {"concepts_lenient_fn": counted.pop("concepts_lenient_fn")}
            matches["concepts_lenient"] = replace(lenient, columns=counted)
            matches["concepts_overlap"] = replace(overlap, columns={**overlap.columns, **missed})
        return matches


def _fit(corpus: Corpus, row: int, others: slice) -> BoolArray:
    """Return which predictions overlap for the program: none that begins before and ends inside."""
    gold, prediction = corpus.gold.columns, corpus.prediction.columns
    start, end = gold.starts[row], gold.ends[row] - 1
    begin, stop = prediction.starts[others], prediction.ends[others] - 1
    fits: BoolArray = (begin >= start) & (stop <= end)
    fits |= (begin <= start) & (stop >= end)
    fits |= (begin >= start) & (begin <= end) & (stop >= end)
    return fits


def pair_equal(gold: IntArray, prediction: IntArray) -> Pairs:
    """Pair rows with equal keys, ``[g, k]`` and ``[p, k]``: the first with the first, and so on.

    Examples:
        >>> pairs = pair_equal(np.array([[7], [7], [8]]), np.array([[8], [7]]))
        >>> pairs.gold.tolist(), pairs.prediction.tolist()
        ([0, 2], [1, 0])
    """
    keys = rank_rows([*np.concatenate([gold, prediction]).T])
    return pair_equal_keys(*np.split(keys, [len(gold)]))


def pair_fitting(corpus: Corpus, fits: Callable[[int, slice], BoolArray]) -> Pairs:
    """Pair each gold mention with the first prediction of its document that is free and fits.

    Raises:
        InputError: more than :data:`~clineval.kinds.mentions.batches.MOST_PAIRS` pairs fit.
    """
    numbers = np.arange(len(corpus.documents) + 1)
    sides = corpus.gold.columns.document, corpus.prediction.columns.document
    rows, others = (pairwise(find_first(document, numbers).tolist()) for document in sides)
    pairs: list[tuple[int, int]] = []
    for name, own, (low, high) in zip(corpus.documents, rows, others, strict=True):
        free, total = np.ones(high - low, np.bool_), 0
        for row in range(*own):
            fitting = fits(row, slice(low, high))
            total += int(fitting.sum())
            if total > MOST_PAIRS:
                raise too_many_pairs(f"document {called(name)}")
            first = np.flatnonzero(fitting & free)[:1]
            free[first] = False
            pairs += [(row, low + at) for at in first.tolist()]
    return _as_pairs(pairs)


def _as_pairs(pairs: Sequence[tuple[int, int]]) -> Pairs:
    return Pairs(*np.array(pairs, np.int64).reshape(-1, 2).T)


@dataclass(frozen=True, slots=True)
class FileRead:
    """The number of lines read from a file, and the program's messages about other lines."""

    path: str
    lines: int
    messages: tuple[str, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Folder:
    """The items of a folder, and the file read for each kind and document."""

    side: ItemSide
    files: Mapping[str, Mapping[str, FileRead]]


def list_names(folder: str) -> Sequence[str] | None:
    """List the names in a folder; return None if the program rejects it."""
    try:
        names = sorted(os.listdir(folder))  # noqa: PTH208 - its name, as it is
    except OSError:
        return None
    return None if any(len(name) < _SHORTEST for name in names) else names


def read_folder(folder: str) -> Folder:
    """Read a folder; file names are appended to its name as it is, without adding a slash."""
    names = list_names(folder) or ()
    keys = {
        (kind, name): name[: -len(ending)]
        for kind, ending in ENDINGS.items()
        for name in names
        if name.endswith(ending)
    }
    stems = sorted(set(keys.values()))
    numbers = {stem: number for number, stem in enumerate(stems)}
    draft, files = Draft(), dict[str, dict[str, FileRead]]()
    for (kind, name), key in keys.items():
        read = _read(f"{folder}{name}", kind, numbers[key], draft)
        files.setdefault(kind, {})[key] = read
    return Folder(draft.finish(stems, stems, files), files)


def _read(path: str, kind: str, document: int, draft: Draft) -> FileRead:
    if not is_file(path):
        missing = (f"[ERROR]Problem reading line 1in file: {path}", _NOT_FOUND[kind])
        return FileRead(path, 0, tuple(message.format(path=path) for message in missing))
    content = read_bytes(path).decode(errors="replace")
    lines = split_as_java(content.removeprefix("\ufeff"))
    messages = []
    for number, line in enumerate(lines, 1):
        found = parse_line(line, kind)
        if found is None:
            messages.append(f"[ERROR]Problem reading line {number}in file: {path}")
        else:
            draft.add(document, *found)
    return FileRead(path, len(lines) - len(messages), tuple(messages))


def parse_line(line: str, kind: str) -> Parsed | None:
    """Parse a line as the released program does; None if it cannot read it.

    Examples:
        >>> parse_line('x="ECG"1:+4 1:5||y="Test"||z', "concepts")
        ('Test', (1, 4, 1, 5), None)
    """
    fields = line.split("||")
    while fields and not fields[-1]:
        fields.pop()
    needed = 2 if kind == "concepts" else 3
    if len(fields) < needed:
        return None
    value = _quoted(fields[2 if kind == "assertions" else 1])
    first = _offsets(fields[0])
    second = _offsets(fields[2]) if kind == "relations" else None
    if value is None or value.lower() not in KNOWN[kind] or first is None:
        return None
    return None if kind == "relations" and second is None else (value, first, second)


def _quoted(text: str) -> str | None:
    first, last = text.find('"'), text.rfind('"')
    return text[first + 1 : last] if 0 <= first < last else None


def _offsets(text: str) -> Place | None:
    if _quoted(text) is None:
        return None
    parts = text[text.rfind('"') + 1 :].strip(_TRIMMED).split(" ")
    numbers = [number for part in parts for number in part.partition(":")[::2]]
    if len(parts) != 2 or not all(map(_INTEGER.match, numbers)):  # noqa: PLR2004 - start, end
        return None
    line, token, last_line, last = map(read_whole, numbers)
    inside = all(-LARGEST - 1 <= at <= LARGEST for at in (line, token, last_line, last))
    return (line, token, last_line, last) if inside else None
