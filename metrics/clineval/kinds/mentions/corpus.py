"""Join two sides: align documents, share values, and sort mentions."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Literal, Self, runtime_checkable
from typing import Protocol as Structure

import numpy as np

from clineval.base.arrays import Coded, IntArray, find_first, rank_rows, unite_keys
from clineval.base.errors import warn
from clineval.base.hashing import Hashes
from clineval.kinds.documents import align_documents
from clineval.kinds.mentions.columns import (
    Intake,
    Side,
    check_words,
    join_texts,
    share_values,
    sort_fragments,
)
from clineval.kinds.mentions.digest import digest_documents
from clineval.results.columns import MentionColumns, Sides
from clineval.results.slots import Slot


@dataclass(frozen=True, slots=True, eq=False)
class Mentions:
    """The mentions of one side in canonical order: by span, then by values.

    Args:
        columns: the ``n`` mentions.
        place: ``[n]``, a number for document and first fragment, in that order.
        shape: ``[n]``, a number for the rest of the span; 0 for one fragment written the usual way.
            Two mentions have the same span if and only if place and shape are equal.
    """

    columns: MentionColumns
    place: IntArray
    shape: IntArray

    def __len__(self) -> int:
        return len(self.columns)

    def take(self, rows: IntArray) -> Mentions:
        """Return the mentions at ``rows``, in that order."""
        return Mentions(self.columns.take(rows), self.place[rows], self.shape[rows])

    def of_documents(self, first: int, last: int) -> Mentions:
        """Return the mentions of the documents ``first:last``, renumbered from 0."""
        low, high = find_first(self.columns.document, [first, last])
        columns = self.columns.of_documents(first, last)
        return Mentions(columns, self.place[low:high], self.shape[low:high])

    def ids(self, slot: str) -> IntArray:
        """Return the values of one slot, ``[n]``, as numbers that both sides share."""
        return self.columns.attributes[slot].ids


@dataclass(frozen=True, slots=True, eq=False)
class Corpus:
    """Gold and predicted mentions of the same documents, ready for pairing.

    Args:
        documents: the names of the documents.
        gold: the gold mentions.
        prediction: the predicted mentions.
        texts: document number to text, if texts are known.
        intake: facts from reading the predictions, if there are any.
    """

    documents: tuple[str, ...]
    gold: Mentions
    prediction: Mentions
    texts: Mapping[int, str]
    intake: Intake | None = field(default=None, kw_only=True)

    @property
    def digests(self) -> Hashes:
        """``[documents]``, a digest of each document's gold mentions."""
        return digest_documents(self.gold.columns, len(self.documents))

    @property
    def gold_sizes(self) -> IntArray:
        """``[documents]``, the number of each document's gold mentions."""
        return self.gold.columns.sizes(len(self.documents))

    @property
    def mentions(self) -> Corpus:
        """The corpus of mentions, which is this corpus; a corpus with relations overrides it."""
        return self

    @property
    def sides(self) -> Sides:
        """The gold and the predicted mentions."""
        return self.gold.columns, self.prediction.columns

    @property
    def all_documents(self) -> tuple[str, ...]:
        """The names of all documents, including those that do not count."""
        return self.documents

    def with_columns(self, change: Callable[[MentionColumns], MentionColumns]) -> Corpus:
        """Return a copy with changed columns on both sides."""
        gold, prediction = (
            replace(side, columns=change(side.columns)) for side in (self.gold, self.prediction)
        )
        return replace(self, gold=gold, prediction=prediction)

    def blocks(self, documents: int = 2048) -> Iterator[Self]:
        """Yield the corpus in parts whose columns fit into the processor's cache."""
        if len(self.documents) <= documents:
            yield self
            return
        for first in range(0, len(self.documents), documents):
            yield self.of_documents(first, first + documents)

    def of_documents(self, first: int, last: int) -> Self:
        """Return the corpus of the documents ``first:last``, renumbered from 0.

        A corpus with more data for each document overrides this.
        """
        return replace(
            self,
            documents=self.documents[first:last],
            gold=self.gold.of_documents(first, last),
            prediction=self.prediction.of_documents(first, last),
            texts={n - first: text for n, text in self.texts.items() if first <= n < last},
            intake=None,
        )


@runtime_checkable
class Mentioned(Structure):
    """A corpus of mentions, with or without relations between them."""

    @property
    def mentions(self) -> Corpus:
        """The mentions of both sides."""
        ...


def as_mentions(corpus: object) -> Corpus:
    """Return the mentions of a corpus that has some.

    Raises:
        TypeError: it has none.
    """
    if isinstance(corpus, Mentioned):
        return corpus.mentions
    raise TypeError(f"expected a corpus of mentions, got {type(corpus).__name__}")


def join_sides(
    gold: Side, prediction: Side, slots: Sequence[Slot], *, visited: Literal["all", "gold"] = "all"
) -> Corpus:
    """Join gold and predictions.

    Mentions that differ only in a set of codes become one mention with all codes. If only ``gold``
    documents are visited, predictions in documents without a gold mention do not count.

    Raises:
        InputError: documents are paired by position, and their number or names differ.
    """
    corpus, _ = trace_sides(gold, prediction, slots, visited=visited)
    return corpus


def trace_sides(
    gold: Side, prediction: Side, slots: Sequence[Slot], *, visited: Literal["all", "gold"] = "all"
) -> tuple[Corpus, tuple[IntArray, IntArray]]:
    """Join sides as :func:`join_sides` does, and trace the mentions.

    Returns:
        The corpus, and for each side ``[n]`` the row in the corpus of every mention that was read.
        Merged mentions have the same row; a mention that does not count has -1.
    """
    documents, gold_numbers, predicted_numbers = align_documents(gold, prediction, visited=visited)
    check_words(gold, prediction)
    renumbered = (
        _renumber(gold.mentions, gold_numbers),
        _renumber(prediction.mentions, predicted_numbers),
    )
    columns, kept = [side for side, _ in renumbered], [rows for _, rows in renumbered]
    if visited == "gold":
        counted = _find_visited(columns, len(documents))
        columns[1], kept[1] = columns[1].take(counted), kept[1][counted]
    columns = [_fold_values(sort_fragments(side), slots) for side in columns]
    numbered = _number_spans(columns, len(documents))
    arranged, places = zip(*(_arrange(side, slots) for side in numbered), strict=True)
    sides = _share_values(arranged, slots)
    numbers = gold_numbers, predicted_numbers
    texts = join_texts(gold, prediction, numbers)
    sizes = len(gold.mentions), len(prediction.mentions)
    rows = (_trace(*side) for side in zip(sizes, kept, places, strict=True))
    intake = renumber_intake(prediction.intake, predicted_numbers, len(documents))
    corpus = Corpus(documents, sides[0], sides[1], texts, intake=intake)
    return corpus, (next(rows), next(rows))


def arrange_again(
    corpus: Corpus, columns: Sequence[MentionColumns], slots: Sequence[Slot]
) -> Corpus:
    """Build a corpus from mentions that were derived from a joined corpus.

    In the gold and predicted ``columns`` the documents never decrease.
    """
    folded = [sort_fragments(side) for side in columns]
    numbered = _number_spans(folded, len(corpus.documents))
    sides = _share_values(numbered, slots)
    arranged = [_arrange(side, slots)[0] for side in sides]
    return Corpus(corpus.documents, arranged[0], arranged[1], corpus.texts)


def _trace(size: int, kept: IntArray, places: IntArray) -> IntArray:
    """Return the place of each row, ``[size]``; only the rows ``kept`` have places."""
    trace = np.full(size, -1)
    trace[kept] = places
    return trace


def renumber_intake(intake: Intake | None, numbers: IntArray, documents: int) -> Intake | None:
    """Turn counts for predicted documents into counts for the documents of the corpus."""
    if intake is None:
        return None
    counts = {}
    is_joined = numbers < documents
    for name, given in intake.counts.items():
        counts[name] = np.zeros(documents, np.int64)
        counts[name][numbers[is_joined]] = given[is_joined]
    return Intake(intake.settings, counts)


def _renumber(columns: MentionColumns, numbers: IntArray) -> tuple[MentionColumns, IntArray]:
    """Renumber the documents and sort the mentions by them; also return their old rows."""
    document = numbers[columns.document] if len(columns) else columns.document
    renumbered = replace(columns, document=document)
    if (document[1:] >= document[:-1]).all():
        return renumbered, np.arange(len(columns))
    order = np.argsort(document, kind="stable")
    return renumbered.take(order), order


def _find_visited(columns: Sequence[MentionColumns], documents: int) -> IntArray:
    """Find the rows of the predictions in documents that have a gold mention."""
    gold, prediction = columns
    visited = np.bincount(gold.document, minlength=documents) > 0
    kept = np.flatnonzero(visited[prediction.document])
    dropped = len(prediction) - len(kept)
    warn(
        "{n} {prediction|predictions} in documents without a gold mention {does|do} not count",
        n=dropped,
    )
    return kept


def _fold_values(columns: MentionColumns, slots: Sequence[Slot]) -> MentionColumns:
    """Make equal values equal, and number them in their order."""
    attributes = {}
    for slot in slots:
        column = columns.attributes[slot.name]
        folded = {value: slot.fold(value) for value in column.values}
        values = tuple(sorted({*slot.values, *folded.values()}))
        attributes[slot.name] = column.fold(folded.__getitem__, values)
    return replace(columns, attributes=attributes)


def _share_values(sides: Sequence[Mentions], slots: Sequence[Slot]) -> list[Mentions]:
    shared = share_values([side.columns for side in sides], {s.name: s.values for s in slots})
    return [
        side if side.columns is columns else Mentions(columns, side.place, side.shape)
        for side, columns in zip(sides, shared, strict=True)
    ]


def _number_spans(columns: Sequence[MentionColumns], documents: int) -> list[Mentions]:
    """Assign numbers to the place and the shape of every mention of both sides."""
    firsts = [
        (side.document, side.starts[side.bounds[:-1]], side.ends[side.bounds[:-1]])
        for side in columns
    ]
    places, shapes = _number_places(firsts, documents), _number_shapes(columns)
    return [Mentions(*side) for side in zip(columns, places, shapes, strict=True)]


def _number_places(
    firsts: Sequence[tuple[IntArray, IntArray, IntArray]], documents: int
) -> list[IntArray]:
    """Pack document, start and end into one number, or rank them if they need over 63 bits."""
    largest = [max(int(side[k].max(initial=0)) for side in firsts) for k in (1, 2)]
    start_bits, end_bits = (number.bit_length() for number in largest)
    if documents.bit_length() + start_bits + end_bits <= 63:  # noqa: PLR2004
        return [
            (document.astype(np.int64) << (start_bits + end_bits))
            | (start.astype(np.int64) << end_bits)
            | end
            for document, start, end in firsts
        ]
    both = [np.concatenate(parts) for parts in zip(*firsts, strict=True)]
    return np.split(rank_rows(both), [len(firsts[0][0])])


def _number_shapes(columns: Sequence[MentionColumns]) -> list[IntArray]:
    """Rank the further fragments and unusual spellings; 0 for the usual span."""
    spellings = tuple(sorted({value for side in columns for value in side.spelling.values}))
    counts = np.concatenate([side.fragment_counts for side in columns])
    if len(spellings) <= 1 and not (counts > 1).any():
        return [np.zeros(len(side), np.int64) for side in columns]
    spelled = np.concatenate([side.spelling.fold(str, spellings).ids for side in columns])
    bounds = np.concatenate([columns[0].bounds[:-1], columns[1].bounds + columns[0].bounds[-1]])
    starts, ends = (
        np.concatenate([getattr(side, name) for side in columns]) for name in ("starts", "ends")
    )
    unusual = (counts > 1) | (spelled > 0)
    shapes = np.zeros(len(counts), np.int64)
    following = 1
    for count in unite_keys(counts[unusual]).tolist():
        rows = np.flatnonzero(unusual & (counts == count))
        at = bounds[rows]
        rest = [array[at + k] for k in range(1, count) for array in (starts, ends)]
        ranks = rank_rows([*rest, spelled[rows]])
        shapes[rows] = following + ranks
        following += int(ranks.max()) + 1
    return np.split(shapes, [len(columns[0])])


def _arrange(side: Mentions, slots: Sequence[Slot]) -> tuple[Mentions, IntArray]:
    """Sort mentions into canonical order and merge repeats; also return their new rows."""
    if (side.place[1:] > side.place[:-1]).all():
        return side, np.arange(len(side))
    order = np.lexsort((side.shape, side.place))
    place, shape = side.place[order], side.shape[order]
    same_as_next = (place[1:] == place[:-1]) & (shape[1:] == shape[:-1])
    if not same_as_next.any():
        return side.take(order), _invert(order, len(side))
    shared = np.append(same_as_next, [False])
    shared[1:] |= same_as_next
    positions = np.flatnonzero(shared)
    rows = order[positions]
    values = [side.ids(slot.name)[rows] for slot in slots if slot.kind != "codes"]
    sets = [side.ids(slot.name)[rows] for slot in slots if slot.kind == "codes"]
    identity = [place[positions], shape[positions], *values]
    arrangement = np.lexsort([*identity, *sets][::-1])
    order[positions] = rows = rows[arrangement]
    bounds = _runs_of_equals([key[arrangement] for key in identity])
    survivors = bounds[:-1]
    attributes = dict(side.columns.attributes)
    for slot in slots:
        if slot.kind == "codes":
            attributes[slot.name] = _unite_sets(attributes[slot.name], rows, bounds, slot)
    side = replace(side, columns=replace(side.columns, attributes=attributes))
    distinct = np.delete(order, np.delete(positions, survivors))
    places = _invert(distinct, len(side))
    places[rows] = np.repeat(places[rows[survivors]], np.diff(bounds))
    return side.take(distinct), places


def _invert(order: IntArray, size: int) -> IntArray:
    """Return the place of each row, ``[size]``, in an order."""
    places = np.zeros(size, np.int64)
    places[order] = np.arange(len(order))
    return places


def _runs_of_equals(keys: Sequence[IntArray]) -> IntArray:
    """Find the bounds of runs of rows that are equal in all keys."""
    changed = np.any([key[1:] != key[:-1] for key in keys], axis=0)
    return np.concatenate([[0], np.flatnonzero(changed) + 1, [len(keys[0])]])


def _unite_sets(column: Coded, rows: IntArray, bounds: IntArray, slot: Slot) -> Coded:
    """Give the first row of each run of ``rows`` the codes of all rows of the run."""
    ids = column.ids.astype(np.int64)
    numbers = {value: number for number, value in enumerate(column.values)}
    values = column.ids[rows]
    low, high = (extreme.reduceat(values, bounds[:-1]) for extreme in (np.minimum, np.maximum))
    for run in np.flatnonzero(low != high).tolist():
        parts = {column.values[k] for k in values[bounds[run] : bounds[run + 1]].tolist()}
        union = slot.fold(",".join(parts))
        ids[rows[bounds[run]]] = numbers.setdefault(union, len(numbers))
    return Coded(ids, tuple(numbers))
