"""Read data sets in BigBIO's schemas, which many clinical data sets on the Hub use.

A row has ``passages`` and ``entities``. An entity has ``offsets`` (a list of ``[start, end]`` in
characters of the passages joined by blanks), ``type``, and ``normalized`` (a list of ``{"db_name",
"db_id"}``). Lists of dicts may also be dicts of lists, as in older versions of datasets.
(https://github.com/bigscience-workshop/biomedical, task_schemas.md)
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
"""The selected names; None for all."""
_LONGEST = 100_000_000
"""The maximum length of a text; for passages beyond it, blanks would fill the memory."""


def from_bigbio(
    rows: Iterable[Row],
    module: str = NAMES[0],
    *,
    types: Collection[str] | None = None,
    databases: Collection[str] | None = None,
) -> list[Any]:
    """Convert the annotations of a data set to input of a metric.

    - Spans become mentions. Metrics of relations and events also get relations and events.
    - Metrics of classes and codes get the labels of the text schema; metrics of codes also get the
      codes of entities.
    - Sections get the types as labels. ``clefehealth13_task2`` gets the codes of all entities.
    - Entries come from entities of the types ``m``, ``do`` ... or ``medication``, ``dosage`` ...
      The schema does not link them, so each field is linked to the nearest medication, with a
      warning.

    Args:
        rows: a ``datasets.Dataset`` in BigBIO's KB or text schema, or its rows.
        module: the metric.
        types: the types of entities to use; all by default.
        databases: names of databases whose codes are used, such as ``["UMLS"]``; all by default.

    Returns:
        One item for each row; for ``clefehealth13_task2``, one for each entity.

    Raises:
        InputError: a column or field is missing or has another type, an entity is outside its
            text, or the schema does not support the metric.

    Examples:
        >>> entity = {"id": "e1", "type": "Disease_Disorder", "text": ["knee", "tender"],
        ...           "offsets": [[0, 4], [9, 15]],
        ...           "normalized": [{"db_name": "UMLS", "db_id": "C0240094"}]}
        >>> from_bigbio([{"passages": [], "entities": [entity]}])
        [[{'spans': [[0, 4], [9, 15]], 'cui': 'C0240094'}]]
    """
    challenge = find_challenge(module)
    problem = f"{module} does not support BigBIO's schemas"
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
    """The selection from a data set: types of entities and databases of codes; None for all."""

    types: _Choice
    databases: _Choice


def _read_source(row: Row, where: str, kind: Kind, chosen: Chosen) -> Source:
    """Read the parts of a row that a kind uses."""
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
    """Return the text of a row's offsets, with each passage at its own offsets.

    Args:
        row: a row of a data set in BigBIO's schema, with ``passages``.

    Raises:
        InputError: a passage has another form, or begins before the previous one ends.

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
            raise InputError(f"a passage begins at {start}, but the previous one ends at {size}")
        parts += " " * (start - size), text
        size = start + len(text)
    return "".join(parts)


def _read_passage(passage: Row) -> tuple[int, str]:
    """Return the start of a passage and its text, which is a string or a list with one string."""
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
            # if spans are given, the spans of entities are ignored
            placed = not kind.given and "labels" not in kind.source_parts
            spans = _read_spans(entity) if placed else ()
            annotation = Annotation(spans, _string(entity, "type"))
            codes = _read_codes(entity.get("normalized"), chosen.databases)
            found.append(Entity(str(entity.get("id", "")), annotation, *codes))
    return found


def _read_spans(held: Row) -> Spans:
    return sort_fragments(_field(held, "offsets"))


def _read_codes(normalized: object, databases: _Choice) -> tuple[list[str], list[str]]:
    """Return codes, and the database of each."""
    codes = [
        (_string(code, "db_id"), str(code.get("db_name") or ""))
        for code in ([] if normalized is None else _as_dicts(normalized))
        if databases is None or _string(code, "db_name") in databases
    ]
    return [code for code, _ in codes], [database for _, database in codes]


def _read_relations(row: Row, entities: Collection[str]) -> Iterator[tuple[str, str, str]]:
    """Yield the relations between selected entities; warn about others."""
    outside = 0
    for relation in _as_dicts(row.get("relations") or []):
        ends = _string(relation, "arg1_id"), _string(relation, "arg2_id")
        if all(end in entities for end in ends):
            yield (_string(relation, "type"), *ends)
        else:
            outside += 1
    problem = "{n} {relation|relations} of entities that are not selected {is|are} left out"
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
        raise InputError(f"an entity ends at {end}, but its text has {len(text)} characters")
    return text


def _as_names(names: object, option: str) -> _Choice:
    return None if names is None else frozenset(expect_names(names, option))


def _as_dicts(items: object) -> list[Row]:
    """Return a list of dicts; convert a dict of lists."""
    if isinstance(items, Mapping):
        columns = [list(column) for column in items.values() if is_list(column)]
        if len(columns) < len(items) or len(set(map(len, columns))) > 1:
            raise InputError("expected a dict of lists of the same length")
        return [dict(zip(items, values, strict=True)) for values in zip(*columns, strict=True)]
    dicts = list(expect_list(items, "a list of dicts"))
    strays = [item for item in dicts if not isinstance(item, Mapping)]
    if strays:
        raise InputError(f"expected a list of dicts, but it contains {shown(strays[0])}")
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
