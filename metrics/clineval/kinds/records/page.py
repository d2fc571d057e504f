"""The page of records: the records of both sides beside each other, and the note."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from itertools import chain
from pathlib import Path

from clineval.kinds.codes.related import RELATED, find_related, find_relations
from clineval.kinds.mentions.pairing import Pairs
from clineval.kinds.pages import Columns, FindTexts, Items, Kind, Layout, Mode, Scored
from clineval.kinds.records.corpus import RecordCorpus
from clineval.kinds.records.fields import Field
from clineval.kinds.records.kind import WHOLE
from clineval.kinds.records.shape import WHOLE as SHAPED
from clineval.kinds.records.withheld import Withholder
from clineval.results.columns import ABSENT, MentionColumns
from clineval.results.match import NONE

ScoredRecords = Scored[RecordCorpus, Mapping[str, Pairs]]
COLUMNS = ("document", "row", "kind", "unit", "gold", "system")
_CONFUSION = "confusion"
"""The column of what was taken for what, if a protocol declares ``confused``."""
_GOLD, _SYSTEM = ("right", "other", "missed"), ("right", "other", "spurious")
_OTHER = Kind("other", "other values", "boundary", "paired records with different values")
LAYOUT = Layout(
    "records",
    Path(__file__).with_suffix(".js"),
    (
        Kind(
            "right", "right", "right", "equal in every field; some scores require less", right=True
        ),
        _OTHER,
        Kind("spurious", "spurious", "spurious", "predicted, and not in the gold standard"),
        Kind("missed", "missed", "missed", "in the gold standard, and not predicted"),
    ),
    (
        Mode(
            "records",
            "Records",
            ("right", "other", "spurious", "missed"),
            {
                "Gold": _GOLD,
                "Predicted": _SYSTEM,
                "Right": ("right",),
                "Other values": ("other",),
                "Spurious": ("spurious",),
                "Missed": ("missed",),
            },
        ),
    ),
    row_title="Kind of record",
    document_title="Documents",
)
BY_HIERARCHY = LAYOUT.split("other", (*RELATED, _OTHER))


def list_items(scored: Sequence[ScoredRecords], texts: FindTexts | None) -> Items:
    """List the records of scored systems; rows are the values of the protocol's ``row``.

    Without texts, :class:`Withholder` removes the words of notes.
    """
    documents = tuple(dict.fromkeys(name for system in scored for name in system.corpus.documents))
    found = texts(documents) if texts else ()
    notes = found if any(text is not None for text in found) else None
    missing = [n for n, t in zip(documents, notes or (), strict=False) if t is None]
    sides = _spell_sides(scored) if texts else _withhold_words(scored)
    placed = any(len(side.starts) for each in scored for side in each.corpus.sides)
    both = list(zip(scored, map(_add_evidence, scored, sides) if placed else sides, strict=True))
    found_items = (_list_records(system, documents, of) for system, of in both)
    listed = [sorted(items, key=lambda item: item[:2]) for items in found_items]
    rows = sorted({item[1] for items in listed for item in items})
    numbers = {row: at for at, row in enumerate(rows)}
    confused: bool = getattr(scored[0].setup.steps, "confused", False)
    related = any(find_related(each.outcomes) for each in scored)
    layout = BY_HIERARCHY if related else None
    tables = (_tabulate(items, numbers, layout or LAYOUT, confused=confused) for items in listed)
    systems = [{"records": table} for table in tables]
    fields = _fields_of(scored[0])
    known = _know_fields(scored[0])
    near = {field.name: field.tolerance for field in known}
    evidence = {"evidence": len(fields)} if placed else {}
    fields = [*fields, *evidence]
    tolerances = [near.get(name, 0) for name in fields]
    groupings = [_CONFUSION] if confused else []
    extra = {"fields": fields, "tolerances": tolerances, "groupings": groupings, **evidence}
    words = getattr(scored[0].corpus, "words", ())
    problems = {"no text": missing}
    return Items(documents, rows, systems, extra, notes, problems, words=words, layout=layout)


_Item = tuple[int, str, str, int, str, str]
"""Document, row, kind, gold record, and the fields of both sides as JSON, empty for no record."""
_Texts = Sequence[Sequence[str]]
"""The texts of the fields of each record of a side."""


def _fields_of(evaluation: ScoredRecords) -> Sequence[str]:
    """Return the names of the shown fields."""
    wholes = (WHOLE, SHAPED)
    return [name for name in evaluation.outcomes.gold.attributes if name not in wholes]


def _know_fields(evaluation: ScoredRecords) -> Sequence[Field]:
    """Return the fields of the protocol; if these depend on the data, those of the corpus."""
    fields: Sequence[Field] = getattr(evaluation.setup.steps, "fields", ())
    return getattr(evaluation.corpus, "fields", fields)


def _list_records(
    evaluation: ScoredRecords, documents: Sequence[str], sides: Sequence[_Texts]
) -> Iterator[_Item]:
    outcomes, pairing = evaluation.outcomes, evaluation.pairings[0]
    match, fields = outcomes.matches[outcomes.widest], _fields_of(evaluation)
    right = set(next(iter(pairing.values())).gold.tolist())
    numbers, relations = {name: at for at, name in enumerate(documents)}, find_relations(outcomes)
    of_row = fields.index(getattr(evaluation.setup.steps, "row", "") or fields[0])
    texts = [[json.dumps(record, ensure_ascii=False) for record in side] for side in sides]
    both = zip(match.gold.tolist(), match.prediction.tolist(), strict=True)
    for document, (gold, predicted) in zip(
        outcomes.documents_of(match).tolist(), both, strict=True
    ):
        other = relations.get(predicted, "other")
        kind = "missed" if predicted == NONE else "right" if gold in right else other
        yield (
            numbers[outcomes.documents[document]],
            (sides[0][gold] if gold != NONE else sides[1][predicted])[of_row],
            "spurious" if gold == NONE else kind,
            gold,
            "" if gold == NONE else texts[0][gold],
            "" if predicted == NONE else texts[1][predicted],
        )


def _spell_sides(scored: Sequence[ScoredRecords]) -> Iterator[tuple[_Texts, _Texts]]:
    """Yield the records of both sides of each system, for people."""
    for each in scored:
        fields, outcomes = _fields_of(each), each.outcomes
        yield _spell(outcomes.gold, fields), _spell(outcomes.prediction, fields)


def _withhold_words(scored: Sequence[ScoredRecords]) -> Iterator[tuple[_Texts, _Texts]]:
    """Yield the records without possible words of notes; equal texts look equal everywhere."""
    protocols = scored[0].setup.challenge.protocols.values()
    others = chain.from_iterable(getattr(steps, "fields", ()) for steps in protocols)
    withholder = Withholder.of([*getattr(scored[0].corpus, "fields", ()), *others])
    for each in scored:
        fields, corpus = _fields_of(each), each.corpus  # as read: without the names of concepts
        sides = (_spell(side, fields) for side in (corpus.gold, corpus.prediction))
        gold, found = ([withholder.shorten(fields, record) for record in side] for side in sides)
        yield gold, found


def _add_evidence(evaluation: ScoredRecords, texts: tuple[_Texts, _Texts]) -> tuple[_Texts, _Texts]:
    """Add the spans of evidence of each record as a last field."""
    gold, predicted = (
        [(*record, side.text_of_spans(row)) for row, record in enumerate(of_side)]
        for side, of_side in zip(evaluation.corpus.sides, texts, strict=True)
    )
    return gold, predicted


def _spell(side: MentionColumns, fields: Sequence[str]) -> list[tuple[str, ...]]:
    """Return the texts of the fields of each record."""
    columns = [side.attributes[name] for name in fields]
    values = (("" if v == ABSENT else v for v in column.values) for column in columns)
    texts = (
        [of[at] for at in column.ids.tolist()]
        for column, of in zip(columns, map(tuple, values), strict=True)
    )
    return list(zip(*texts, strict=True))


def _tabulate(
    items: Sequence[_Item], rows: Mapping[str, int], layout: Layout, *, confused: bool
) -> Columns:
    table = [(d, rows[row], layout.number(kind), *rest) for d, row, kind, *rest in items]
    columns: dict[str, Sequence[object]] = {
        name: [item[at] for item in table] for at, name in enumerate(COLUMNS)
    }
    if confused:
        columns[_CONFUSION] = [_confuse(*item[-2:]) for item in items]
    return columns


def _confuse(gold: str, prediction: str) -> str:
    """Say what was taken for what: the last field of both sides, after the other fields.

    Examples:
        >>> _confuse('["cough", "no"]', '["cough", "yes"]'), _confuse('["past"]', "")
        ('cough: no → yes', 'past → none')
    """
    both: list[list[str]] = [json.loads(side) if side else [] for side in (gold, prediction)]
    asked = (both[0] or both[1])[:-1]
    return ": ".join([*asked, " → ".join(side[-1] if side else "none" for side in both)])
