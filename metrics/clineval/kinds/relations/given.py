"""Relations between given mentions: systems receive the mentions, and predict relations only."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from typing import TypeVar

import numpy as np

from clineval.base.arrays import BoolArray, Coded, IntArray, expand_ranges, find_first
from clineval.kinds.asking import ask_for_list, say_values
from clineval.kinds.mentions.columns import Side, concatenate
from clineval.kinds.mentions.items import ID
from clineval.kinds.relations.columns import RelatedSide, RelationColumns
from clineval.kinds.relations.kind import RelationKind
from clineval.results.columns import MentionColumns
from clineval.results.kind import AnswerWays

UNPLACED = (0, 0)
"""The span of a mention without a known place."""
T = TypeVar("T")
Key = tuple[int, str]
"""The number of a document, and the id or the span of a mention."""


@dataclass(frozen=True, slots=True)
class Roles:
    """The labels of mentions at the ends of relations.

    Args:
        source: the labels of sources.
        target: the labels of targets.
    """

    source: tuple[str, ...]
    target: tuple[str, ...]

    def fit(self, labels: Sequence[str]) -> bool:
        """Return whether two labels, in any order, are those of a source and a target.

        Examples:
            >>> roles = Roles(("DRUG",), ("EFFECT",))
            >>> roles.fit(("EFFECT", "DRUG")), roles.fit(("DRUG", "DRUG"))
            (True, False)
        """
        first, second = labels
        return any(
            one in self.source and other in self.target
            for one, other in ((first, second), (second, first))
        )

    def orient(self, side: RelatedSide, slot: str) -> RelatedSide:
        """Turn relations that go from a target to a source; others go from the first mention."""
        label, of = side.side.mentions.attributes[slot], side.relations
        forward, backward = self._fit(of, label), self._fit(_turn(of), label)
        turned = ~forward & (backward | (of.source > of.target))
        source = np.where(turned, of.target, of.source)
        target = np.where(turned, of.source, of.target)
        return replace(side, relations=RelationColumns(of.document, of.label, source, target))

    def find_misfits(self, side: RelatedSide, slot: str) -> IntArray:
        """Return the relations of an oriented side whose ends have other labels."""
        return np.flatnonzero(~self._fit(side.relations, side.side.mentions.attributes[slot]))

    def _fit(self, relations: RelationColumns, label: Coded) -> BoolArray:
        source, target = (
            np.array([value in known for value in label.values], np.bool_)[label.ids]
            for known in (self.source, self.target)
        )
        fitting: BoolArray = source[relations.source] & target[relations.target]
        return fitting


def _turn(relations: RelationColumns) -> RelationColumns:
    return replace(relations, source=relations.target, target=relations.source)


@dataclass(frozen=True)
class GivenRelationKind(RelationKind):
    """Relations between mentions that systems receive."""

    def answer(self, ways: AnswerWays[T], /) -> T:
        """Read relations between the ids of given mentions, or quotes."""
        return ways.related(self.labels, given=True)

    def ask(self, _config: str, /) -> Sequence[str]:
        """Ask for relations between the given mentions."""
        label = ("label", say_values(self.labels) or "the label, as the guidelines spell it")
        ends = [(end, "the id of a given mention, such as T1") for end in ("from", "to")]
        return ask_for_list("relation between two of the given mentions", [label, *ends])


def keep_documents(related: RelatedSide, kept: Sequence[int]) -> RelatedSide:
    """Return some documents of a side, in this order, with their mentions and relations.

    Args:
        related: the side.
        kept: the numbers of the documents; -1 for a document without annotations.
    """
    side, relations = related.side, related.relations
    numbers = np.full(len(side.documents) + 1, -1)
    numbers[list(kept)] = np.arange(len(kept))
    document = numbers[:-1][side.mentions.document]
    rows = np.argsort(document, kind="stable")
    rows = rows[document[rows] >= 0]
    mentions = side.mentions.take(rows)
    places = np.zeros(len(document), np.int64)
    places[rows] = np.arange(len(rows))
    of = relations.take(np.flatnonzero(numbers[:-1][relations.document] >= 0))
    moved = replace(
        side,
        documents=_pick(side.documents, kept, ""),
        keys=None if side.keys is None else _pick(side.keys, kept, ""),
        mentions=replace(mentions, document=numbers[mentions.document].astype(np.int32)),
        texts=_pick(side.texts, kept, None) if side.texts else (),
        languages=_pick(side.languages, kept, "") if side.languages else (),
    )
    ends = places[of.source], places[of.target]
    return RelatedSide(moved, RelationColumns(numbers[of.document], of.label, *ends))


def _pick(values: Sequence[T], kept: Sequence[int], missing: T) -> tuple[T, ...]:
    return tuple(values[at] if at >= 0 else missing for at in kept)


def is_unplaced(mentions: MentionColumns) -> BoolArray:
    """Return for each mention whether only its id is known, ``[n]``."""
    unplaced: BoolArray = mentions.ends[mentions.bounds[:-1]] == 0
    return unplaced


def name_all(side: Side) -> Side:
    """Give an id to each mention without one."""
    ids = side.mentions.attributes[ID.name]
    if "" not in ids.values:
        return side
    numbers = side.number_items().tolist()
    named = [ids.values[at] or f"#{n}" for at, n in zip(ids.ids.tolist(), numbers, strict=True)]
    attributes = {**side.mentions.attributes, ID.name: Coded.of(named)}
    return replace(side, mentions=replace(side.mentions, attributes=attributes))


def give_mentions(gold: RelatedSide, side: RelatedSide, slot: str) -> RelatedSide:
    """Replace the mentions of predictions by the given ones.

    A predicted mention is the given one with the same fragments, and if there are several, with the
    same id, the same label, or the first. A mention without a place is the one with its id, or the
    first one with its words. Predicted mentions that are not given remain, so that relations to
    them are wrong.

    Args:
        gold: the gold standard, with the given mentions.
        side: the predictions.
        slot: the slot with the labels of mentions.
    """
    own, others = gold.side.mentions, side.side.mentions
    documents = _find_documents(gold.side, side.side)
    rows = _find_given(gold.side, others, documents, slot)
    bounds = find_first(own.document, np.arange(len(gold.side.documents) + 1))
    known = np.flatnonzero(documents >= 0)
    low, high = bounds[documents[known]], bounds[documents[known] + 1]
    taken = expand_ranges(low, high)
    given = replace(own.take(taken), document=np.repeat(known, high - low).astype(np.int32))
    rest = np.flatnonzero(rows < 0)
    both = concatenate([_only(given, slot), _only(others.take(rest), slot)])
    order = np.argsort(both.document, kind="stable")
    new = np.empty(len(order), np.int64)
    new[order] = np.arange(len(order))
    firsts = np.zeros(len(documents), np.int64)
    firsts[known] = np.cumsum(high - low) - (high - low) - low
    places = np.where(rows >= 0, rows + firsts[others.document], 0)
    places[rest] = len(given) + np.arange(len(rest))
    of = side.relations
    ends = new[places[of.source]], new[places[of.target]]
    related = RelationColumns(of.document, of.label, *ends)
    return RelatedSide(replace(side.side, mentions=both.take(order)), related)


def _only(mentions: MentionColumns, slot: str) -> MentionColumns:
    attributes = {name: mentions.attributes[name] for name in (slot, ID.name)}
    return replace(mentions, attributes=attributes)


def _find_documents(gold: Side, side: Side) -> IntArray:
    """Return the number of the gold document of each predicted one; -1 for none."""
    if gold.keys is None or side.keys is None:
        numbers = np.arange(len(side.documents))
        return np.where(numbers < len(gold.documents), numbers, -1)
    known = {key: number for number, key in enumerate(gold.keys)}
    return np.array([known.get(key, -1) for key in side.keys], np.int64)


def _find_given(gold: Side, mentions: MentionColumns, documents: IntArray, slot: str) -> IntArray:
    """Return the row of the given mention that each predicted mention is; -1 for none."""
    unplaced, given = is_unplaced(mentions), gold.mentions
    by_id = _index(given.document.tolist(), _values(given, ID.name))
    words = _index_words(gold) if unplaced.any() else {}
    by_place: dict[Key, list[int]] = {}
    if not unplaced.all():
        by_place = _index(given.document.tolist(), map(given.text_of_spans, range(len(given))))
    found = np.full(len(mentions), -1)
    ids, labels = _values(mentions, ID.name), _values(mentions, slot)
    own_ids, own_labels = _values(given, ID.name), _values(given, slot)
    for row, document in enumerate(documents[mentions.document].tolist()):
        key = document, ids[row] if unplaced[row] else mentions.text_of_spans(row)
        rows = (by_id.get(key) or words.get(key, [])) if unplaced[row] else by_place.get(key, [])
        rows = [of for of in rows if own_ids[of] == ids[row]] or rows
        rows = [of for of in rows if own_labels[of] == labels[row]] or rows
        if rows:
            found[row] = rows[0]
    return found


def _values(mentions: MentionColumns, slot: str) -> list[str]:
    column = mentions.attributes[slot]
    return [column.values[at] for at in column.ids.tolist()]


def _index(documents: Sequence[int], names: Collection[str] | map[str]) -> dict[Key, list[int]]:
    """Map document and name to rows."""
    found: dict[Key, list[int]] = {}
    for row, key in enumerate(zip(documents, names, strict=True)):
        found.setdefault(key, []).append(row)
    return found


def _index_words(side: Side) -> dict[Key, list[int]]:
    """Map document and words of a mention to rows; empty without texts."""
    mentions = side.mentions
    firsts, lasts = mentions.bounds[:-1], mentions.bounds[1:] - 1
    spans = zip(mentions.starts[firsts].tolist(), mentions.ends[lasts].tolist(), strict=True)
    found: dict[Key, list[int]] = {}
    if not side.texts:
        return found
    for row, (document, (start, end)) in enumerate(
        zip(mentions.document.tolist(), spans, strict=True)
    ):
        text = side.texts[document]
        if text is not None:
            found.setdefault((document, " ".join(text[start:end].split())), []).append(row)
    return found
