"""Relations in answers: convert mentions with quotes, and relations, to one side of a corpus."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Self

import numpy as np

from clineval.answers.placing import PlacedAnswers
from clineval.answers.reading import Answer, Item, Response, read_item, read_responses
from clineval.answers.repair import Shape
from clineval.base.arrays import Coded, IntArray
from clineval.base.errors import InputError, warn
from clineval.formats.argument_tables import Link as NamedLink
from clineval.formats.given.given_relations import add_ends
from clineval.kinds.mentions.columns import Intake, Lost, Side
from clineval.kinds.mentions.items import ID
from clineval.kinds.relations.columns import RelatedSide, RelationColumns
from clineval.results.slots import INVENTED, Slot

_MENTIONS, _RELATIONS, _ENDS = ("mentions", "entities"), "relations", ("from", "to")
_SHAPE = Shape(
    (),
    (*_MENTIONS, _RELATIONS, *_ENDS, "text"),
    words=False,
    parts=(*_MENTIONS, _RELATIONS),
)
"""The form in which models write them: an object of mentions and relations, or only relations."""
_LABEL = Slot("label", "label")
_NOWHERE = -1
Known = Mapping[str | int, Collection[str]]
"""The ids of given mentions, by the name of a document or by its number."""


@dataclass(frozen=True, slots=True)
class Link:
    """A relation of an answer.

    Args:
        label: its label; None if it has none.
        ends: the positions of the items that it links; -1 for an end that is not an item.
        given: the ids of given mentions at its ends; empty for other ends.
    """

    label: str | None
    ends: tuple[int, int]
    given: tuple[str, str] = ("", "")


@dataclass(frozen=True, slots=True)
class RelatedAnswer(Answer):
    """An answer with relations between its items."""

    links: tuple[Link, ...] = ()


def read_relations(
    given: object, class_slot: str = "label", known: Known | None = None
) -> list[Answer]:
    """Read answers with mentions and relations between them.

    An answer is ``{"mentions": [{"id", "text", ...}], "relations": [{"label", "from", "to"}]}``.
    The ends of a relation are ids of mentions, or words. Words that no mention has become a new
    mention.

    Args:
        given: as for :func:`~clineval.answers.reading.read_answers`; a list may contain only
            relations, or only mentions.
        class_slot: the slot of the labels of mentions.
        known: the ids of given mentions by the name of a document, or by its number; None if
            mentions are not given.

    Raises:
        InputError: as for :func:`~clineval.answers.reading.read_answers`.

    Examples:
        >>> relation = {"label": "causes", "from": "aspirin", "to": "rash"}
        >>> [answer] = read_relations([{"relations": [relation]}])
        >>> [item.quote for item in answer.items], answer.links[0].ends
        ([('aspirin',), ('rash',)], (0, 1))
    """
    return [
        _as_answer(response, class_slot, (known or {}).get(response.document or number, ()))
        for number, response in enumerate(read_responses(given, _SHAPE))
    ]


def _as_answer(response: Response, class_slot: str, given: Collection[str]) -> RelatedAnswer:
    parts = [part if isinstance(part, Mapping) else {} for part in response.items]
    whole = [part for part in parts if any(name in part for name in (*_MENTIONS, _RELATIONS))]
    bare = [part for part in parts if part not in whole]
    linked = [part for part in bare if any(end in part for end in _ENDS)]
    items: list[Item] = []
    names: dict[str, int] = {}
    alone = (part for part in bare if part not in linked)
    for mention in (*_list_parts(whole, _MENTIONS), *alone):
        item = read_item(mention, class_slot)
        own = item.values.get("id")
        for name in (own, " ".join(item.quote)):
            if isinstance(name, str) and name:
                names.setdefault(name, len(items))
        values = {name: value for name, value in item.values.items() if name != "id"}
        items.append(Item(item.quote, values))
    links = [
        _read_link(relation, items, names, given)
        for relation in (*_list_parts(whole, (_RELATIONS,)), *linked)
    ]
    return RelatedAnswer(
        response.document, tuple(items), response.state, response.text, tuple(links)
    )


def _list_parts(objects: Sequence[Mapping[str, object]], names: Sequence[str]) -> Iterator[object]:
    for each in objects:
        for name in names:
            part = each.get(name)
            yield from part if isinstance(part, (list, tuple)) else ()


def _read_link(
    relation: object, items: list[Item], names: dict[str, int], given: Collection[str]
) -> Link:
    """Read a relation; if no mention has the words of an end, add an item with these words."""
    held = relation if isinstance(relation, Mapping) else {}
    ends, ids = [], ["", ""]
    for at, end in enumerate(_ENDS):
        named = held.get(end)
        if isinstance(named, str) and named in given and named not in names:
            ids[at] = named
        elif isinstance(named, str) and named.strip() and named not in names:
            names[named] = len(items)
            items.append(Item.of(named, {}))
        ends.append(names.get(named, _NOWHERE) if isinstance(named, str) else _NOWHERE)
    label = held.get("label", held.get("type"))
    written = label if isinstance(label, str) and label.strip() else None
    return Link(written, (ends[0], ends[1]), (ids[0], ids[1]))


@dataclass(frozen=True)
class PlacedRelations(PlacedAnswers):
    """The mentions of answers with the places of their quotes, and the relations between them.

    A relation with an unknown label, or with an end that is not a mention, is scored as absent from
    the gold standard.

    Args:
        answers: answers of the class :class:`RelatedAnswer`.
        texts: as in :class:`PlacedAnswers`, like ``alignment`` and ``below``.
        slots: the slots of mentions.
        labels: the labels of relations; if empty, all labels are valid.
    """

    slots: Sequence[Slot] = field(kw_only=True)
    labels: Sequence[str] = field(kw_only=True)

    @classmethod
    def of(cls, placed: PlacedAnswers, slots: Sequence[Slot], labels: Sequence[str]) -> Self:
        """Make placed relations from the answers and notes of placed answers.

        Raises:
            InputError: with the policy, an end could have several places, or none.
        """
        policies = placed.alignment
        if policies.align == "all" or policies.by_words:
            where = "match" if policies.by_words else "align"
            value = policies.match if policies.by_words else policies.align
            problem = f"each end of a relation needs one place, and {value!r} does not assign one"
            raise InputError(problem, where=where, remedy="Choose another policy")
        answers = [_complete(answer) for answer in placed.answers]
        return cls(answers, placed.texts, policies, placed.below, slots=slots, labels=labels)

    def as_given(self) -> RelatedSide:
        """Return mentions and relations as predictions, and list those that cannot be right."""
        side = self.as_side(self.slots, frozenset({"cui"}))
        linked = [
            (document, link)
            for document, answer in enumerate(self.answers)
            for link in _links_of(answer)
        ]
        wrong = [self._is_wrong(link) for _, link in linked]
        warn(
            "{n} {relation|relations} in the answers {has|have} no valid label, or an end that is "
            "not a mention, and {counts|count} as wrong",
            n=sum(wrong),
        )
        named = zip(wrong, linked, strict=True)
        labels = [INVENTED if bad else str(link.label) for bad, (_, link) in named]
        intake = side.intake and self._count_relations(side.intake, linked, wrong)
        return self._relate(replace(side, intake=intake), linked, labels)

    def _relate(
        self, side: Side, linked: Sequence[tuple[int, Link]], labels: Sequence[str]
    ) -> RelatedSide:
        """Return relations between the items of answers."""
        before = np.cumsum([0, *(len(answer.items) for answer in self.answers)])
        first, second = (
            np.array([before[document] + link.ends[end] for document, link in linked], np.int64)
            for end in (0, 1)
        )
        documents = np.array([document for document, _ in linked], np.int32)
        return RelatedSide(side, RelationColumns(documents, Coded.of(labels), first, second))

    def _count_relations(
        self, intake: Intake, linked: Sequence[tuple[int, Link]], wrong: Sequence[bool]
    ) -> Intake:
        """Add counts and problems of the relations."""
        added = {"n_answers": [True] * len(wrong), "n_invalid": wrong}
        counts = {
            name: intake.counts[name] + self._add_up(linked, of) for name, of in added.items()
        }
        lost = (*intake.lost, *self._list_wrong(linked, wrong))
        return replace(intake, counts={**intake.counts, **counts}, lost=lost)

    def _is_wrong(self, link: Link) -> bool:
        return link.label is None or (bool(self.labels) and link.label not in self.labels)

    def _add_up(self, linked: Sequence[tuple[int, Link]], counted: Sequence[bool]) -> IntArray:
        documents = [at for (at, _), count in zip(linked, counted, strict=True) if count]
        return np.bincount(np.array(documents, np.int64), minlength=len(self.answers))

    def _list_wrong(
        self, linked: Sequence[tuple[int, Link]], wrong: Sequence[bool]
    ) -> Iterator[Lost]:
        position = dict.fromkeys(range(len(self.answers)), 0)
        for (at, _), bad in zip(linked, wrong, strict=True):
            if bad:
                name = self.answers[at].document or str(at)
                yield Lost(name, position[at], "invalid relation")
            position[at] += 1


@dataclass(frozen=True)
class RelationsOfGiven(PlacedRelations):
    """Relations between given mentions, which answers name by their ids or by quotes."""

    def _relate(
        self, side: Side, linked: Sequence[tuple[int, Link]], labels: Sequence[str]
    ) -> RelatedSide:
        """Return relations between items and ids; items have ids that no given mention has."""
        mentions, numbers = side.mentions, side.number_items().tolist()
        slots = {_LABEL.name: Coded.of([""] * len(mentions))}
        slots[ID.name] = Coded.of([f"{INVENTED}{number}" for number in numbers])
        links = [
            NamedLink("", str(document), label, *(
                given or f"{INVENTED}{end}"
                for end, given in zip(link.ends, link.given, strict=True)
            ))
            for (document, link), label in zip(linked, labels, strict=True)
        ]  # fmt: skip
        texts = tuple(text or None for text in side.texts)
        named = replace(side, mentions=replace(mentions, attributes=slots), texts=texts)
        return add_ends(named, links, _LABEL)


def _links_of(answer: Answer) -> Sequence[Link]:
    return answer.links if isinstance(answer, RelatedAnswer) else ()


def _complete(answer: Answer) -> Answer:
    """Add an item without a quote for each end that is not a mention; it matches nothing."""
    if not isinstance(answer, RelatedAnswer):
        return answer
    items, links = list(answer.items), []
    for link in answer.links:
        ends = []
        for end, given in zip(link.ends, link.given, strict=True):
            if end == _NOWHERE and not given:
                end = len(items)  # noqa: PLW2901 - the added item
                items.append(Item((), {}))
            ends.append(end)
        links.append(replace(link, ends=(ends[0], ends[1])))
    return replace(answer, items=tuple(items), links=tuple(links))
