"""Columns of a data set in the BigBIO KB schema, as the Hub's clinical data sets have them.

A row has ``passages`` and ``entities``; an entity has ``offsets``, a list of ``[start, end]`` in
characters of the passages joined by blanks, ``type``, and ``normalized``, a list of ``{"db_name",
"db_id"}``. Lists of dicts and dicts of lists, as older versions of datasets have them, are the
same. (https://github.com/bigscience-workshop/biomedical, task_schemas.md)
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from operator import index
from typing import Any

from clineval.base.arrays import expect_list, expect_names, is_list
from clineval.base.errors import InputError, listed, located, shown, warn
from clineval.kinds.mentions.mention import sort_fragments
from clineval.kinds.tagged import Annotation
from clineval.results.challenge import Challenge
from clineval.results.options import check_name
from clineval.results.registry import NAMES, all_challenges, find_challenge
from clineval.results.views import MentionView

Row = Mapping[str, object]
Entities = Sequence[tuple[Annotation, Sequence[str]]]
"""What is read of a row: annotations, and the codes of each."""
Documents = Sequence[tuple[Row, Entities]]
_Choice = Collection[str] | None
"""The names that are taken; None for all."""
_LONGEST = 100_000_000
"""Characters of a text: where a passage lies beyond them, blanks would fill the memory."""
_FIELD_TYPES = {
    "medication": "m", "dosage": "do", "mode": "mo", "frequency": "f", "duration": "du",
    "reason": "r", **{field: field for field in ("m", "do", "mo", "f", "du", "r")},
}  # fmt: skip


def from_bigbio(
    rows: Iterable[Row],
    module: str = NAMES[0],
    *,
    types: Collection[str] | None = None,
    databases: Collection[str] | None = None,
) -> list[Any]:
    """Return a data set's annotations as a metric takes them.

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
    kind = _kind_of(challenge)
    if kind not in _BUILDS:
        able = [each.name for each in all_challenges() if _kind_of(each) in _BUILDS]
        check_name("metric for the BigBIO schema", module, able)
    all_rows = expect_list(rows, "the rows of a data set")
    chosen = _as_names(types, "types"), _as_names(databases, "databases")
    documents = [
        (row, located(f"row {at}", _read_entities, row, kind, *chosen))
        for at, row in enumerate(all_rows)
    ]
    return _BUILDS[kind](documents, challenge)


def _kind_of(challenge: Challenge) -> str:
    """Return the kind of annotation, or ``codes`` where the spans are given."""
    page = challenge.faces.page
    spans_given = isinstance(page, MentionView) and page.spans_given
    return "codes" if spans_given else challenge.task.kind


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


def _read_entities(row: Row, kind: str, types: _Choice, databases: _Choice) -> Entities:
    entities: list[tuple[Annotation, list[str]]] = []
    for entity in _as_dicts(_field(row, "entities")):
        if types is None or _string(entity, "type") in types:
            # where the spans are given, those of entities are not looked at
            spans = () if kind == "codes" else sort_fragments(_field(entity, "offsets"))
            annotation = Annotation(spans, _string(entity, "type"))
            entities.append((annotation, _read_codes(entity.get("normalized"), databases)))
    return entities


def _read_codes(normalized: object, databases: _Choice) -> list[str]:
    return [
        _string(code, "db_id")
        for code in ([] if normalized is None else _as_dicts(normalized))
        if databases is None or _string(code, "db_name") in databases
    ]


def _with_texts(documents: Documents) -> Iterator[tuple[list[Annotation], str]]:
    """Yield the annotations of each row, and the text that they are in."""
    for at, (row, entities) in enumerate(documents):
        annotations = [annotation for annotation, _ in entities]
        yield annotations, located(f"row {at}", _text_around, row, annotations)


def _text_around(row: Row, annotations: Sequence[Annotation]) -> str:
    text = text_of(row)
    end = max((annotation.spans[-1][1] for annotation in annotations), default=0)
    if end > len(text):
        raise InputError(f"an entity ends at {end}, its text has {len(text)} characters")
    return text


def _as_mentions(documents: Documents, challenge: Challenge) -> list[object]:
    classes = challenge.task.class_slot
    coded = classes is not None and bool(classes.none)
    several = sum(len(codes) > 1 for _, entities in documents for _, codes in entities)
    if coded:
        warn("{n} {entity has|entities have} several codes, of which the first is taken", n=several)

    def describe(annotation: Annotation, codes: Sequence[str]) -> dict[str, object]:
        mention: dict[str, object] = {"spans": [list(span) for span in annotation.spans]}
        if classes:
            mention[classes.name] = next(iter(codes), None) if coded else annotation.label
        return mention

    return [[describe(*entity) for entity in entities] for _, entities in documents]


def _as_entries(documents: Documents, challenge: Challenge) -> list[object]:
    labels = [annotation.label for _, entities in documents for annotation, _ in entities]
    unknown = sorted(set(labels) - _FIELD_TYPES.keys())
    if unknown:
        problem = f"entities of unknown types {listed(list(map(shown, unknown)))}"
        expected = f"expected {', '.join(_FIELD_TYPES)}"
        raise InputError(f"{problem}, {expected}", remedy="Choose with types=")
    warn(
        "{n} {field is|fields are} linked to the nearest medication, as the schema has no entries",
        n=sum(_FIELD_TYPES[label] != "m" for label in labels),
    )
    build = _find_build(challenge)
    return [
        build([Annotation(a.spans, _FIELD_TYPES[a.label]) for a in annotations], text)
        for annotations, text in _with_texts(documents)
    ]


def _find_build(challenge: Challenge) -> Callable[..., object]:
    """Return what turns tagged spans into the challenge's input, which these kinds all have."""
    if challenge.faces.build is None:
        raise InputError(f"{challenge.name} has no input that can be built of tagged spans")
    return challenge.faces.build


def _as_built(documents: Documents, challenge: Challenge) -> list[object]:
    build = _find_build(challenge)
    return [build(annotations, text) for annotations, text in _with_texts(documents)]


_BUILDS: Mapping[str, Callable[[Documents, Challenge], list[object]]] = {
    "mentions": _as_mentions,
    "codes": lambda documents, _: [
        codes or ["CUI-less"] for _, entities in documents for _, codes in entities
    ],
    "sections": _as_built,
    "entries": _as_entries,
}
"""What is built of entities for each kind of annotation."""


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
