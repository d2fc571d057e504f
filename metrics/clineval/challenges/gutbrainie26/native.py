"""Write mentions and relations as the challenge's JSON holds them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

import numpy as np

from clineval.base.arrays import find_first
from clineval.challenges.gutbrainie26.files import CONCEPTS, LISTS, MENTIONS, NER, PARTS
from clineval.formats.parts import BETWEEN, Parts
from clineval.kinds.relations.columns import RelatedSide
from clineval.kinds.relations.tuples import LABEL, NO_CODE, VALUE, spell

Object = dict[str, object]


class Entity(NamedTuple):
    """A mention: its first and last offset in the whole text, its label and its code."""

    start: int
    end: int
    label: str
    code: str


Link = tuple[str, int, int]
"""The label of a relation, and the numbers of the entities at its ends."""


def split_text(text: str | None) -> Parts | None:
    r"""Return the parts of a text, whose first line is the title; None without several lines.

    Examples:
        >>> split_text("Gut flora\nNo effect.").find(13, 19)
        ('abstract', 3, 8)
    """
    title, between, abstract = (text or "").partition(BETWEEN)
    if not between:
        return None
    return Parts.of(dict(zip(PARTS, (title, abstract), strict=True)), inclusive=True)


def write_entity(entity: Entity, text: str | None) -> Object:
    """Return an entity; without a text of several lines, all of it is the abstract.

    Raises:
        InputError: the entity is neither in the title nor in the abstract.
    """
    place = PARTS[1], entity.start, entity.end - 1
    if parts := split_text(text):
        place = parts.find(entity.start, entity.end)
    location, start, end = place
    return {
        "start_idx": start,
        "end_idx": end,
        "location": location,
        "text_span": (text or "")[entity.start : entity.end],
        "label": entity.label,
        "uri": entity.code or NO_CODE,
    }


def write_document(entities: Sequence[Entity], links: Iterable[Link], text: str | None) -> Object:
    """Return a document with the lists of all subtasks.

    Raises:
        InputError: an entity is neither in the title nor in the abstract.
    """
    written = [write_entity(entity, text) for entity in entities]
    related = [(written[source], label, written[target]) for label, source, target in links]
    return {
        LISTS[NER][0]: written,
        "relations": [
            {**_add_side("subject", first), "predicate": label, **_add_side("object", second)}
            for first, label, second in related
        ],
        LISTS[MENTIONS][0]: [_write_relation(*each, "text_span") for each in related],
        LISTS[CONCEPTS][0]: [_write_relation(*each, "uri") for each in related],
    }


def write_related(related: RelatedSide, texts: Sequence[str | None]) -> Iterator[Object]:
    """Yield documents; mentions with several fragments become one from the first to the last."""
    columns, relations = related.side.mentions.without_gaps(), related.relations
    values = [spell(columns, slot) for slot in (LABEL, VALUE)]
    rows = zip(columns.starts.tolist(), columns.ends.tolist(), *values, strict=True)
    entities = [Entity(*row) for row in rows]
    bounds = find_first(columns.document, np.arange(len(texts) + 1)).tolist()
    links: list[list[Link]] = [[] for _ in texts]
    named = [relations.label.values[at] for at in relations.label.ids.tolist()]
    ends = relations.source.tolist(), relations.target.tolist()
    for document, label, *pair in zip(relations.document.tolist(), named, *ends, strict=True):
        source, target = (end - bounds[document] for end in pair)
        links[document].append((label, source, target))
    for number, text in enumerate(texts):
        yield write_document(entities[bounds[number] : bounds[number + 1]], links[number], text)


def _add_side(side: str, entity: Object) -> Object:
    return {f"{side}_{name}": value for name, value in entity.items()}


def _write_relation(first: Object, predicate: str, second: Object, end: str) -> Object:
    return {
        f"subject_{end}": first[end],
        "subject_label": first["label"],
        "predicate": predicate,
        f"object_{end}": second[end],
        "object_label": second["label"],
    }
