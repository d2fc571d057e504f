"""Represent mentions as table rows, for released programs that compare rows cell by cell.

These programs keep the order of a file, and count repeated rows separately. Here a mention is a
row. It keeps its place in the file and the keys by which a program compares it.
"""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import KW_ONLY, dataclass, field, replace
from typing import Literal, Self

import numpy as np

from clineval.base.arrays import Coded, IntArray, find_first
from clineval.base.errors import warn
from clineval.base.files import Source
from clineval.base.offsets import are_offsets
from clineval.formats.delimited.span_tables import FILES, SpanTables
from clineval.formats.files import TextFile, open_strings, read_text_files
from clineval.kinds.mentions.columns import Side
from clineval.kinds.mentions.corpus import Corpus, Mentions, join_sides
from clineval.kinds.mentions.languages import tell_languages
from clineval.kinds.mentions.pairing import Pairs
from clineval.programs.pandas_cells import Cell, Frame, Reading, is_gap, stop
from clineval.results.columns import MentionColumns
from clineval.results.slots import Slot

ROW = Slot("row", "label")
"""The number of a mention's row, which keeps equal mentions apart."""
USUAL = {"filename": "filename", "label": "label", "start": "start_span", "end": "end_span",
         "text": "text", "code": "code", "language": "language"}  # fmt: skip
Keys = Mapping[str, Sequence[Sequence[Hashable]]]
"""The keys of each row, by kind of match; two rows match if they share a key in any position."""


@dataclass(frozen=True, slots=True, eq=False)
class RowSide(Side):
    """One side of a corpus, with the rows that its mentions come from.

    Args:
        rows: the cells that a program compares. The columns are filename, label, start, end, text
            and the slots.
        worded: whether the texts of mentions are known.
        written: whether the mentions came as a table.
    """

    _: KW_ONLY
    rows: Frame
    worded: bool = True
    written: bool = True

    @property
    def numbers(self) -> list[int]:
        """The row of each mention, ``[n]``."""
        return _numbers_of(self.mentions)

    def take(self, kept: Sequence[int]) -> Self:
        """Return the side with only these mentions."""
        return replace(self, mentions=self.mentions.take(np.array(kept, np.int64)))


def _numbers_of(columns: MentionColumns) -> list[int]:
    column = columns.attributes[ROW.name]
    numbers = list(map(int, column.values))
    return [numbers[at] for at in column.ids.tolist()]


@dataclass(frozen=True, slots=True)
class RowTables(SpanTables):
    """Tables as a program reads them.

    Args:
        reading: how the program reads cells.
        names: maps the content of a column to the name that its header must have.
        headers: maps each accepted header (names separated by commas) to what the program prints
            for it; empty to accept any header.
        empty: whether a table without rows is accepted.
    """

    reading: Reading = Reading()  # noqa: RUF009 - it is frozen
    names: Mapping[str, str] = field(default_factory=lambda: USUAL)
    headers: Mapping[str, str] = field(default_factory=dict)
    empty: bool = False

    def document_key(self, name: str) -> str:
        """Return the name unchanged."""
        return name

    def read_side(self, source: Source, slots: Sequence[Slot], *, strict: bool) -> RowSide:  # noqa: ARG002
        """Read a file, or all files of a directory as one table; sort documents by name."""
        files = read_text_files(source, pattern=FILES, separator="\t", as_written=True)
        return self.arrange(self.read_frame(files, slots), slots)

    def arrange(self, rows: Frame, slots: Sequence[Slot], others: Iterable[str] = ()) -> RowSide:
        """Build a side from rows; rows without a document name are dropped.

        Args:
            rows: the rows.
            slots: the slots of mentions.
            others: names of further documents, which have no rows.
        """
        found = {cell for cell in rows.columns["filename"] if not is_gap(cell)}.union(others)
        if not (found or (self.empty and not len(rows))):
            raise stop("expected rows of mentions below the header, got none")
        names = sorted(found, key=lambda cell: (isinstance(cell, str), cell))
        numbers = {name: at for at, name in enumerate(names)}
        documents = [numbers.get(name, -1) for name in rows.columns["filename"]]
        side = Side(tuple(map(str, names)), tuple(map(_key_of, names)), _no_mentions(slots))
        told = zip(documents, rows.columns.get("language", ()), rows.places, strict=False)
        known = tell_languages(
            (at, "" if is_gap(of) else str(of), where) for at, of, where in told if at >= 0
        )
        side = replace(side, languages=tuple(known.get(at, "") for at in range(len(names))))
        return as_row_side(side, rows, documents, slots)

    def read_strings(
        self,
        strings: Sequence[str],
        slots: Sequence[Slot],
        *,
        strict: bool,  # noqa: ARG002
    ) -> RowSide:
        """Read one string with a header and rows for each document."""
        texts = open_strings(strings)
        rows = self.read_frame(texts, slots)
        side = Side(("",) * len(strings), None, _no_mentions(slots))
        return as_row_side(side, rows, rows.files, slots)

    def read_frame(self, files: Iterable[TextFile], slots: Sequence[Slot]) -> Frame:
        """Read files as one table of the columns that a program compares."""
        frame = self.reading.read(files)
        if self.headers and ",".join(frame.columns) not in self.headers:
            raise stop(f"expected one of the headers {' / '.join(self.headers)}")
        wanted = ("filename", "start", "end", "text", *(slot.name for slot in slots))
        frame.need([self.names[name] for name in wanted])
        there = {of: name for of, name in self.names.items() if name in frame.columns}
        return replace(frame, columns={of: frame.columns[name] for of, name in there.items()})

    def as_rows(self, side: Side, slots: Sequence[Slot]) -> RowSide:
        """Write mentions of another format as a table, and read it as the program does.

        The texts of mentions are cut from the documents if these are known.
        """
        mentions, texts = side.mentions, side.texts or (None,) * len(side.documents)
        if (mentions.fragment_counts > 1).any():
            raise stop("a mention has several fragments, which the tables cannot represent")
        # if cells are compared as sets, a bare number could equal an offset
        unnamed = [f"document {at}" for at in range(len(side.documents))]
        names = self.reading.type(side.keys or unnamed)
        of = mentions.document.tolist()
        starts, ends = mentions.starts.tolist(), mentions.ends.tolist()
        words = [(texts[d] or "")[s:e] for d, s, e in zip(of, starts, ends, strict=True)]
        written = {
            "start": list(map(str, starts)),
            "end": list(map(str, ends)),
            "text": words,
            **{slot.name: _strings_of(mentions.attributes[slot.name]) for slot in slots},
        }
        columns = {name: self.reading.type(cells) for name, cells in written.items()}
        columns["filename"] = [names[at] for at in of]
        rows = Frame(columns, [f"mention {at}" for at in range(len(of))], of)
        worded = None not in [texts[at] for at in set(of)]
        keys = side.keys and tuple(map(_key_of, names))
        return replace(as_row_side(side, rows, of, slots), keys=keys, worded=worded, written=False)


ROW_TABLES = RowTables()


def _no_mentions(slots: Sequence[Slot]) -> MentionColumns:
    none = np.zeros(0, np.int64)
    return MentionColumns(
        none, np.zeros(1, np.int64), none, none, {s.name: Coded.of([]) for s in slots}
    )


def _strings_of(column: Coded) -> list[str]:
    return [column.values[at] for at in column.ids.tolist()]


def _key_of(name: Cell) -> str:
    """Return the key that pairs documents: equal numbers are equal; a number and a word are not."""
    return repr(int(name)) if isinstance(name, float) and name.is_integer() else repr(name)


def as_row_side(
    side: Side, rows: Frame, documents: Sequence[int], slots: Sequence[Slot]
) -> RowSide:
    """Build a side from rows and the number of the document of each; -1 drops a row."""
    kept = [at for at, document in enumerate(documents) if document >= 0]
    kept.sort(key=documents.__getitem__)
    places = [
        _read_place(rows.columns["start"][at], rows.columns["end"][at], rows.places[at])
        for at in kept
    ]
    values = {s.name: [_write(rows.columns[s.name][at]) for at in kept] for s in slots}
    values[ROW.name] = [f"{at:09}" for at in kept]
    mentions = MentionColumns.of(
        [documents[at] for at in kept],
        [[(start, end)] for start, end, _ in places],
        {name: Coded.of(cells) for name, cells in values.items()},
    )
    written = Coded.of(["", *(spelled for *_, spelled in places)])
    mentions = replace(mentions, spelling=Coded(written.ids[1:], written.values))
    return RowSide(
        side.documents, side.keys, mentions, side.texts, languages=side.languages, rows=rows
    )


def _write(cell: Cell) -> str:
    return "nan" if cell is None else str(cell)


def _read_place(start: Cell, end: Cell, where: str) -> tuple[int, int, str]:
    """Return start and end, and their spelling if it is unusual (otherwise an empty string)."""
    ends = [cut_offset(cell, where) for cell in (start, end)]
    low, high = min(ends), max(*ends, min(ends) + 1)
    if not are_offsets(low, high):
        raise stop("offsets are out of range", where)
    words = isinstance(start, str)
    written = f"{start}-{end}" if words else f"{ends[0]}-{ends[1]}"
    return low, high, "" if written == f"{low}-{high}" else written


def cut_offset(cell: Cell, where: str) -> int:
    """Truncate an offset to a whole number."""
    try:
        return cell if isinstance(cell, int) else int(float(cell or ""))
    except (ValueError, OverflowError):
        raise stop("expected numbers as offsets", where) from None


@dataclass(frozen=True, slots=True, eq=False)
class RowCorpus(Corpus):
    """Rows of both sides.

    Args:
        order: the row of each mention, ``[n]`` for each side.
        keys: the numbers of the keys of each mention, ``[n, k]`` for each side, by kind of match.
    """

    order: tuple[IntArray, IntArray]
    keys: Mapping[str, tuple[IntArray, IntArray]]

    def of_documents(self, first: int, last: int) -> Self:
        """Return some documents, as :meth:`Corpus.of_documents` does."""
        sides = self.gold, self.prediction
        gold, found = (slice(*find_first(s.columns.document, [first, last])) for s in sides)
        return replace(
            Corpus.of_documents(self, first, last),
            order=(self.order[0][gold], self.order[1][found]),
            keys={name: (of[0][gold], of[1][found]) for name, of in self.keys.items()},
        )

    def pair(self, match: str) -> Pairs:
        """Pair each gold row, in the order of the file, with the first free matching prediction."""
        gold, prediction = self.keys[match]
        waiting: list[defaultdict[int, deque[tuple[int, int]]]] = [
            defaultdict(deque) for _ in range(max(gold.shape[1], prediction.shape[1]))
        ]
        rows = self.order[1].tolist()
        for at in np.argsort(self.order[1], kind="stable").tolist():
            for queue, key in zip(waiting, prediction[at].tolist(), strict=False):
                queue[key].append((rows[at], at))
        taken: set[int] = set()
        pairs = []
        for at in np.argsort(self.order[0], kind="stable").tolist():
            queues = [of[key] for of, key in zip(waiting, gold[at].tolist(), strict=False)]
            first = _take_first(queues, taken)
            if first >= 0:
                pairs.append((at, first))
        columns = np.array(sorted(pairs), np.int64).reshape(-1, 2).T
        return Pairs(columns[0], columns[1])


def _take_first(queues: Sequence[deque[tuple[int, int]]], taken: set[int]) -> int:
    """Take the first free mention of all queues; return -1 if there is none."""
    for queue in queues:
        while queue and queue[0][1] in taken:
            queue.popleft()
    found = min((queue[0] for queue in queues if queue), default=(0, -1))[1]
    taken.add(found)
    return found


def join_rows(
    gold: RowSide,
    predicted: RowSide,
    slots: Sequence[Slot],
    find_keys: Callable[[Frame], Keys],
    visited: Literal["all", "gold"],
) -> RowCorpus:
    """Join the rows of both sides; ``find_keys`` returns the keys of the rows of one side."""
    corpus = join_sides(gold, predicted, [*slots, ROW], visited=visited)
    sides = corpus.gold, corpus.prediction
    order = [np.array(_numbers_of(side.columns), np.int64) for side in sides]
    numbers: dict[Hashable, int] = {}
    keys: dict[str, list[IntArray]] = {}
    for side, rows in zip(_alike(gold, predicted), order, strict=True):
        for name, of in find_keys(side.rows).items():
            found = [[numbers.setdefault(key, len(numbers)) for key in each] for each in of]
            table = np.array(found, np.int64).reshape(len(found), -1 if found else 1)
            keys.setdefault(name, []).append(table[rows])
    whole = [_without_rows(side) for side in sides]
    joined = {name: (of[0], of[1]) for name, of in keys.items()}
    given = corpus.documents, whole[0], whole[1], corpus.texts
    numbered = order[0], order[1]
    return RowCorpus(*given, intake=corpus.intake, order=numbered, keys=joined)


def _alike(gold: RowSide, predicted: RowSide) -> Sequence[RowSide]:
    """Return both sides with texts if both have them, otherwise both without."""
    if gold.worded and predicted.worded:
        return gold, predicted
    if (gold.worded or predicted.worded) and len(gold.mentions) and len(predicted.mentions):
        warn("the released program compares texts of mentions, but only one side has them, so "
             "texts are ignored")  # fmt: skip
    return [replace(side, rows=side.rows.without("text")) for side in (gold, predicted)]


def _without_rows(side: Mentions) -> Mentions:
    attributes = {n: of for n, of in side.columns.attributes.items() if n != ROW.name}
    return replace(side, columns=replace(side.columns, attributes=attributes))
