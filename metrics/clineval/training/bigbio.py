"""Columns of a data set in the BigBIO KB schema, as the Hub's clinical data sets have them.

A row has ``passages`` and ``entities``; an entity has ``offsets``, a list of ``[start, end]`` in
characters of the passages joined by blanks, ``type``, and ``normalized``, a list of ``{"db_name",
"db_id"}``. Lists of dicts and dicts of lists, as older versions of datasets have them, are the
same. (https://github.com/bigscience-workshop/biomedical, task_schemas.md)
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from operator import index
from typing import Any

from clineval.base.arrays import expect_list, expect_names, is_list
from clineval.base.errors import InputError, listed, located, shown, warn
from clineval.kinds.entries.entry import FIELDS
from clineval.kinds.entries.tagged import as_entries
from clineval.kinds.mentions.mention import sort_fragments
from clineval.kinds.sections.tagged import as_sections
from clineval.kinds.tagged import Annotation
from clineval.results.challenge import Challenge
from clineval.results.options import check_name
from clineval.results.registry import NAMES, all_challenges, find_challenge
from clineval.results.views import MentionView

Row = Mapping[str, Any]
Entity = Mapping[str, Any]
_LONGEST = 100_000_000
"""Characters of a text: where a passage lies beyond them, blanks would fill the memory."""
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
        able = [known.name for known in all_challenges() if _kind_of(known) in _BUILDS]
        check_name("metric for the BigBIO schema", module, able)
    given = expect_list(rows, "the rows of a data set")
    wanted = _Wanted(kind, _as_names(types, "types"), _as_names(databases, "databases"))
    documents = [located(f"row {at}", wanted.read, row) for at, row in enumerate(given)]
    return _BUILDS[kind](documents, challenge)


def _kind_of(challenge: Challenge) -> str:
    """Return the kind of annotation, or ``codes`` where the spans are given."""
    given = isinstance(challenge.faces.page, MentionView) and challenge.faces.page.spans_given
    return "codes" if given else challenge.task.kind


def text_of(row: Row) -> str:
    """Return the text that a row's offsets count in: each passage where its own offsets say.

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


def _read_passage(passage: Mapping[str, Any]) -> tuple[int, str]:
    """Return where a passage begins, and its text, which is a string or a list of one."""
    given = _field(passage, "text")
    texts = list(given) if is_list(given) else [given]
    if len(texts) != 1 or not isinstance(texts[0], str):
        raise InputError(f"expected the text of a passage in one string, got {shown(given)}")
    try:
        start = index(_field(passage, "offsets")[0][0])
    except (TypeError, LookupError):
        start = -1
    if not 0 <= start <= _LONGEST:
        raise InputError(f"expected the offsets of a passage, [[start, end]] of at most {_LONGEST}")
    return start, texts[0]


Read = tuple[Annotation, list[str]]
Documents = Sequence[tuple[Row, list[Read]]]


@dataclass(frozen=True, slots=True)
class _Wanted:
    """What is read of rows: for which kind of annotation, of which types and databases."""

    kind: str
    types: Collection[str] | None
    databases: Collection[str] | None

    def read(self, row: Row) -> tuple[Row, list[Read]]:
        """Return the row, and its entities with their codes."""
        entities = _as_dicts(_field(row, "entities"))
        chosen = [e for e in entities if self.types is None or _string(e, "type") in self.types]
        return row, [(self._annotate(entity), self._codes(entity)) for entity in chosen]

    def _annotate(self, entity: Entity) -> Annotation:
        given = self.kind == "codes"  # spans are, and entities' are not looked at
        spans = () if given else sort_fragments(_field(entity, "offsets"))
        return Annotation(spans, _string(entity, "type"))

    def _codes(self, entity: Entity) -> list[str]:
        codes = entity.get("normalized")
        return [
            _string(code, "db_id")
            for code in ([] if codes is None else _as_dicts(codes))
            if self.databases is None or _string(code, "db_name") in self.databases
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


def _as_mentions(documents: Documents, challenge: Challenge) -> list[Any]:
    classes = challenge.task.class_slot
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
        as_entries([Annotation(a.spans, _FIELD_TYPES[a.label]) for a in annotations], text)
        for annotations, text in _with_texts(documents)
    ]


_BUILDS: Mapping[str, Callable[[Documents, Challenge], list[Any]]] = {
    "mentions": _as_mentions,
    "codes": lambda documents, _: [
        codes or ["CUI-less"] for _, entities in documents for _, codes in entities
    ],
    "sections": lambda documents, _: [
        as_sections(annotations, text) for annotations, text in _with_texts(documents)
    ],
    "entries": _as_entries,
}
"""What is built of entities for each kind of annotation."""


def _as_names(given: Any, name: str) -> Collection[str] | None:
    """Return names that are to be taken; None for all."""
    return None if given is None else frozenset(expect_names(given, name))


def _as_dicts(items: Any) -> list[Mapping[str, Any]]:
    """Return a list of dicts; a dict of lists is turned into one."""
    if isinstance(items, Mapping):
        columns = [list(column) for column in items.values() if is_list(column)]
        if len(columns) < len(items) or len(set(map(len, columns))) > 1:
            raise InputError("expected a dict of lists of one length")
        return [dict(zip(items, values, strict=True)) for values in zip(*columns, strict=True)]
    dicts = list(expect_list(items, "a list of dicts"))
    others = [item for item in dicts if not isinstance(item, Mapping)]
    if others:
        raise InputError(f"expected a list of dicts, got {shown(others[0])} in it")
    return dicts


def _field(item: Any, name: str) -> Any:
    if not isinstance(item, Mapping) or name not in item:
        raise InputError(f"no {name!r}", remedy="Load the data set in its bigbio_kb configuration")
    return item[name]


def _string(item: Mapping[str, Any], name: str) -> str:
    given = _field(item, name)
    if not isinstance(given, str):
        raise InputError(f"{name}: expected a string, got {shown(given)}")
    return given
