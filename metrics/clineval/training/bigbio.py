"""Columns of a data set in BigBIO's schemas, as the Hub's clinical data sets have them.

A row has ``passages`` and ``entities``; an entity has ``offsets``, a list of ``[start, end]`` in
characters of the passages joined by blanks, ``type``, and ``normalized``, a list of ``{"db_name",
"db_id"}``. Lists of dicts and dicts of lists, as older versions of datasets have them, are the
same. (https://github.com/bigscience-workshop/biomedical, task_schemas.md)
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from operator import index
from typing import Any, NamedTuple

from clineval.base.arrays import expect_list, expect_names, is_list
from clineval.base.errors import InputError, located, shown, warn
from clineval.kinds.mentions.mention import sort_fragments
from clineval.results.kind import Kind
from clineval.results.registry import NAMES, check_face, find_challenge
from clineval.results.sources import Entity, Event, Source
from clineval.results.tagged import Annotation

Row = Mapping[str, object]
Spans = tuple[tuple[int, int], ...]
_Choice = Collection[str] | None
"""The names that are taken; None for all."""
_LONGEST = 100_000_000
"""Characters of a text: where a passage lies beyond them, blanks would fill the memory."""


def from_bigbio(
    rows: Iterable[Row],
    module: str = NAMES[0],
    *,
    types: Collection[str] | None = None,
    databases: Collection[str] | None = None,
) -> list[Any]:
    """Return a data set's annotations as a metric takes them.

    Metrics of spans get mentions, those of relations and of events get these too, those of codes
    and classes the labels of the text schema (of codes also those of entities). Sections have the
    types as labels. ``clefehealth13_task2`` gets the codes of all entities. Entries are made of
    entities of the types ``m``, ``do`` ... or ``medication``, ``dosage`` ...; the schema does not
    say which belong together, so each field is linked to the nearest medication, with a warning.

    Args:
        rows: a ``datasets.Dataset`` in BigBIO's KB or text schema, or its rows.
        module: the metric.
        types: types of entities to take; all if left out.
        databases: names of databases whose codes are taken, such as ``["UMLS"]``; all if left out.

    Returns:
        One item for each row; for ``clefehealth13_task2`` one for each entity.

    Raises:
        InputError: a column or a field that is missing or of another kind, an entity outside a
            text that is looked at, or a metric that the schema cannot serve.

    Examples:
        >>> entity = {"id": "e1", "type": "Disease_Disorder", "text": ["knee", "tender"],
        ...           "offsets": [[0, 4], [9, 15]],
        ...           "normalized": [{"db_name": "UMLS", "db_id": "C0240094"}]}
        >>> from_bigbio([{"passages": [], "entities": [entity]}])
        [[{'spans': [[0, 4], [9, 15]], 'cui': 'C0240094'}]]
    """
    challenge = find_challenge(module)
    problem = f"{module} cannot be made of BigBIO's schema"
    check_face(challenge, "bigbio", problem, "these can")
    kind = challenge.kind
    chosen = Chosen(_as_names(types, "types"), _as_names(databases, "databases"))
    all_rows = expect_list(rows, "the rows of a data set")
    return kind.of_sources(
        [
            located(f"row {at}", _read_source, row, f"row {at}", kind, chosen)
            for at, row in enumerate(all_rows)
        ]
    )


class Chosen(NamedTuple):
    """What is taken of a data set: types of entities, and databases of codes; None for all."""

    types: _Choice
    databases: _Choice


def _read_source(row: Row, where: str, kind: Kind, chosen: Chosen) -> Source:
    """Read what a kind looks at of a row."""
    parts = kind.source_parts
    of_text = "labels" in parts and isinstance(row, Mapping) and "entities" not in row
    known = [] if of_text or parts == {"labels"} else _read_entities(row, kind, chosen)
    entities = {entity.id: entity for entity in known}
    return Source(
        where,
        known,
        list(_read_relations(row, entities)) if "relations" in parts else (),
        list(_read_events(row)) if "events" in parts else (),
        _read_labels(row) if of_text or parts == {"labels"} else (),
        lambda: _text_around(row, [entity.annotation for entity in known]),
    )


def text_of(row: Row) -> str:
    """Return the text that a row's offsets count in: each passage where its own offsets say.

    Args:
        row: of a data set in BigBIO's schema, with ``passages``.

    Raises:
        InputError: passages of another form, or one that begins before the one before it ends.

    Examples:
        >>> passages = [{"text": ["Chest pain."], "offsets": [[0, 11]]},
        ...             {"text": ["No fever."], "offsets": [[12, 21]]}]
        >>> text_of({"passages": passages})
        'Chest pain. No fever.'
    """
    parts: list[str] = []
    size = 0
    for start, text in sorted(map(_read_passage, _as_dicts(_field(row, "passages")))):
        if start < size:
            raise InputError(f"a passage begins at {start}, and the one before it ends at {size}")
        parts += " " * (start - size), text
        size = start + len(text)
    return "".join(parts)


def _read_passage(passage: Row) -> tuple[int, str]:
    """Return where a passage begins, and its text, which is a string or a list of one."""
    field = _field(passage, "text")
    texts = list(field) if is_list(field) else [field]
    if len(texts) != 1 or not isinstance(texts[0], str):
        raise InputError(f"expected the text of a passage in one string, got {shown(field)}")
    try:
        start = index(_field(passage, "offsets")[0][0])
    except (TypeError, LookupError):
        start = -1
    if not 0 <= start <= _LONGEST:
        raise InputError(f"expected the offsets of a passage, [[start, end]] of at most {_LONGEST}")
    return start, texts[0]


def _read_entities(row: Row, kind: Kind, chosen: Chosen) -> list[Entity]:
    found = []
    for entity in _as_dicts(_field(row, "entities")):
        if chosen.types is None or _string(entity, "type") in chosen.types:
            # where the spans are given, those of entities are not looked at
            placed = not kind.given and "labels" not in kind.source_parts
            spans = _read_spans(entity) if placed else ()
            annotation = Annotation(spans, _string(entity, "type"))
            codes = _read_codes(entity.get("normalized"), chosen.databases)
            found.append(Entity(str(entity.get("id", "")), annotation, codes))
    return found


def _read_spans(held: Row) -> Spans:
    return sort_fragments(_field(held, "offsets"))


def _read_codes(normalized: object, databases: _Choice) -> list[str]:
    return [
        _string(code, "db_id")
        for code in ([] if normalized is None else _as_dicts(normalized))
        if databases is None or _string(code, "db_name") in databases
    ]


def _read_relations(row: Row, entities: Collection[str]) -> Iterator[tuple[str, str, str]]:
    """Yield the relations between entities that are taken; warn of others."""
    outside = 0
    for relation in _as_dicts(row.get("relations") or []):
        ends = _string(relation, "arg1_id"), _string(relation, "arg2_id")
        if all(end in entities for end in ends):
            yield (_string(relation, "type"), *ends)
        else:
            outside += 1
    problem = "{n} {relation is|relations are} of entities that are not taken, and left out"
    warn(problem, n=outside)


def _read_events(row: Row) -> Iterator[Event]:
    for event in _as_dicts(row.get("events") or []):
        trigger = Annotation(_read_spans(_field(event, "trigger")), _string(event, "type"))
        arguments = _as_dicts(event.get("arguments") or [])
        roles = [(_string(each, "role"), _string(each, "ref_id")) for each in arguments]
        yield Event(trigger, roles)


def _read_labels(row: Row) -> Sequence[str]:
    return expect_names(_field(row, "labels"), "labels")


def _text_around(row: Row, annotations: Sequence[Annotation]) -> str:
    text = text_of(row)
    end = max((annotation.spans[-1][1] for annotation in annotations), default=0)
    if end > len(text):
        raise InputError(f"an entity ends at {end}, its text has {len(text)} characters")
    return text


def _as_names(names: object, option: str) -> _Choice:
    return None if names is None else frozenset(expect_names(names, option))


def _as_dicts(items: object) -> list[Row]:
    """Return a list of dicts; a dict of lists is turned into one."""
    if isinstance(items, Mapping):
        columns = [list(column) for column in items.values() if is_list(column)]
        if len(columns) < len(items) or len(set(map(len, columns))) > 1:
            raise InputError("expected a dict of lists of one length")
        return [dict(zip(items, values, strict=True)) for values in zip(*columns, strict=True)]
    dicts = list(expect_list(items, "a list of dicts"))
    strays = [item for item in dicts if not isinstance(item, Mapping)]
    if strays:
        raise InputError(f"expected a list of dicts, got {shown(strays[0])} in it")
    return dicts


def _field(item: object, name: str) -> Any:
    if not isinstance(item, Mapping) or name not in item:
        raise InputError(f"no {name!r}", remedy="Load the data set in its bigbio_kb configuration")
    return item[name]


def _string(item: Row, name: str) -> str:
    field = _field(item, name)
    if not isinstance(field, str):
        raise InputError(f"{name}: expected a string, got {shown(field)}")
    return field
