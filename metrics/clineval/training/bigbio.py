"""Columns of a data set in the BigBIO KB schema, as the Hub's clinical data sets have them.

A row has ``passages`` and ``entities``; an entity has ``offsets``, a list of ``[start, end]`` in
characters of the passages joined by blanks, ``type``, and ``normalized``, a list of ``{"db_name",
"db_id"}``. Lists of dicts and dicts of lists, as older versions of datasets have them, are the
same. (https://github.com/bigscience-workshop/biomedical, task_schemas.md)
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from typing import Any

from clineval.challenge import Challenge, check_name
from clineval.entries.entry import FIELDS
from clineval.entries.tagged import as_entries
from clineval.errors import InputError, listed, shown, warn
from clineval.registry import NAMES, find_challenge, known_names
from clineval.sections.tagged import as_sections
from clineval.tagged import Annotation
from clineval.views import MentionView

Row = Mapping[str, Any]
Entity = Mapping[str, Any]
_FIELD_TYPES = {
    "medication": "m", "dosage": "do", "mode": "mo", "frequency": "f", "duration": "du",
    "reason": "r", **{field: field for field in FIELDS},
}  # fmt: skip


def from_bigbio(
    rows: Iterable[Row],
    module: str = NAMES[0],
    *,
    types: Collection[str] | None = None,
    databases: Collection[str] | None = None,
) -> list[Any]:
    """A data set's annotations as a metric takes them.

    Args:
        rows: a ``datasets.Dataset`` in the BigBIO KB schema, or its rows.
        module: the metric: ``semeval15_task14`` and ``clefehealth13_task1`` get mentions,
            ``clefehealth13_task2`` the lists of codes of all entities, ``clinais23_b2`` sections
            whose labels are the types, ``i2b2_2009_medication`` entries. Entities of the last have
            the types ``m``, ``do`` ... or ``medication``, ``dosage`` ...; the schema does not say
            which belong together, so each field is linked to the nearest medication, with a
            warning.
        types: types of entities to take; all if left out.
        databases: names of databases whose codes are taken, such as ``["UMLS"]``; all if left out.

    Returns:
        One item for each row; for ``clefehealth13_task2`` one for each entity.

    Raises:
        InputError: a column or a field that is missing, or a metric that the schema cannot serve.

    Examples:
        >>> entity = {"id": "e1", "type": "Disease_Disorder", "text": ["knee", "tender"],
        ...           "offsets": [[0, 4], [9, 15]],
        ...           "normalized": [{"db_name": "UMLS", "db_id": "C0240094"}]}
        >>> from_bigbio([{"passages": [], "entities": [entity]}])
        [[{'spans': [[0, 4], [9, 15]], 'cui': 'C0240094'}]]
    """
    challenge = find_challenge(module)
    kind = _kind_of(challenge)
    if kind not in _BUILDS:
        able = [name for name in known_names() if _kind_of(find_challenge(name)) in _BUILDS]
        check_name("metric for the BigBIO schema", module, able)
    documents = []
    for number, row in enumerate(rows):
        where = f"row {number}"
        entities = _as_dicts(_field(row, "entities", where), where)
        chosen = [e for e in entities if types is None or _field(e, "type", where) in types]
        documents.append((row, [_read(entity, databases, where) for entity in chosen]))
    return _BUILDS[kind](documents, challenge)


def _kind_of(challenge: Challenge) -> str:
    """The kind of annotation, or ``codes`` where the spans are given."""
    given = isinstance(challenge.view, MentionView) and challenge.view.spans_given
    return "codes" if given else challenge.kind


def text_of(row: Row) -> str:
    """The text that a row's offsets count in: each passage where its own offsets say.

    Examples:
        >>> passages = [{"text": ["Chest pain."], "offsets": [[0, 11]]},
        ...             {"text": ["No fever."], "offsets": [[12, 21]]}]
        >>> text_of({"passages": passages})
        'Chest pain. No fever.'
    """
    text = ""
    passages = _as_dicts(_field(row, "passages", "row"), "passages")
    for passage in sorted(passages, key=lambda passage: passage["offsets"][0][0]):
        own = passage["text"]
        text = text.ljust(passage["offsets"][0][0]) + (own if isinstance(own, str) else own[0])
    return text


Read = tuple[Annotation, list[str]]
Documents = Sequence[tuple[Row, list[Read]]]


def _read(entity: Entity, databases: Collection[str] | None, where: str) -> Read:
    spans = sorted((int(start), int(end)) for start, end in _field(entity, "offsets", where))
    codes = [
        _field(code, "db_id", where)
        for code in _as_dicts(entity.get("normalized") or [], where)
        if databases is None or _field(code, "db_name", where) in databases
    ]
    return Annotation(tuple(spans), str(entity.get("type"))), codes


def _as_mentions(documents: Documents, challenge: Challenge) -> list[Any]:
    classes = challenge.class_slot
    coded = classes is not None and bool(classes.none)
    several = sum(len(codes) > 1 for _, entities in documents for _, codes in entities)
    if coded:
        warn("{n} {entity has|entities have} several codes, of which the first is taken", n=several)

    def describe(found: Annotation, codes: Sequence[str]) -> dict[str, Any]:
        if classes is None:
            return {}
        return {classes.name: (codes[0] if codes else None) if coded else found.label}

    return [
        [
            {"spans": [list(span) for span in found.spans], **describe(found, codes)}
            for found, codes in entities
        ]
        for _, entities in documents
    ]


def _as_entries(documents: Documents, challenge: Challenge) -> list[Any]:  # noqa: ARG001
    found = [[a.label for a, _ in entities] for _, entities in documents]
    unknown = sorted({label for labels in found for label in labels} - _FIELD_TYPES.keys())
    if unknown:
        raise InputError(
            f"entities of unknown types {listed([shown(label) for label in unknown])}, expected "
            f"{', '.join(_FIELD_TYPES)}",
            remedy="Choose with types=",
        )
    fields = sum(_FIELD_TYPES[label] != "m" for labels in found for label in labels)
    warn(
        "{n} {field is|fields are} linked to the nearest medication, as the schema has no entries",
        n=fields,
    )
    return [
        as_entries([Annotation(a.spans, _FIELD_TYPES[a.label]) for a, _ in entities], text_of(row))
        for row, entities in documents
    ]


_BUILDS: Mapping[str, Callable[[Documents, Challenge], list[Any]]] = {
    "mentions": _as_mentions,
    "codes": lambda documents, _: [
        codes or ["CUI-less"] for _, entities in documents for _, codes in entities
    ],
    "sections": lambda documents, _: [
        as_sections([found for found, _ in read], text_of(row)) for row, read in documents
    ],
    "entries": _as_entries,
}
"""What is built of entities for each kind of annotation."""


def _as_dicts(items: Any, where: str) -> list[Any]:
    if isinstance(items, Mapping):  # a dict of lists
        return [
            dict(zip(items, values, strict=True)) for values in zip(*items.values(), strict=True)
        ]
    if not isinstance(items, Iterable) or isinstance(items, str):
        raise InputError(f"expected a list of dicts, got {shown(items)}", where=where)
    return list(items)


def _field(item: Any, name: str, where: str) -> Any:
    if not isinstance(item, Mapping) or name not in item:
        raise InputError(
            f"no {name!r}", where=where, remedy="Load the data set in its bigbio_kb configuration"
        )
    return item[name]
