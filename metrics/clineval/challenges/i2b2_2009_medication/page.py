"""Page of medication entries: every field of every entry, and its verdict."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from clineval.base.arrays import IntArray, find_first
from clineval.challenges.i2b2_2009_medication.corpus import Entries, EntryCorpus
from clineval.challenges.i2b2_2009_medication.spec import ScoredEntries, Spec
from clineval.kinds.entries.columns import split_position
from clineval.kinds.entries.entry import FIELD_NAMES, FIELDS
from clineval.kinds.mentions.pairing import Pairs
from clineval.kinds.pages import Columns, FindTexts, Items, Kind, Layout, Mode

_SAME, _DIFFERENT, _MISSED, _SPURIOUS = "same", "different", "missed", "spurious"
_GOLD = (_SAME, _DIFFERENT, _MISSED)
_SYSTEM = (_SAME, _DIFFERENT, _SPURIOUS)
_COLUMNS = {
    "Gold": _GOLD,
    "System": _SYSTEM,
    "Same": (_SAME,),
    "Different": (_DIFFERENT,),
    "Missed": (_MISSED,),
    "Spurious": (_SPURIOUS,),
}
LAYOUT = Layout(
    "entries",
    Path(__file__).with_suffix(".js"),
    (
        Kind(_SAME, "same", "right", "the same phrase on both sides", right=True),
        Kind(_DIFFERENT, "different", "boundary", "aligned entries have different phrases here"),
        Kind(_MISSED, "missed", "missed", "a gold phrase that the system does not have"),
        Kind(_SPURIOUS, "spurious", "spurious", "a phrase that the gold standard does not have"),
    ),
    (
        Mode("horizontal", "Horizontal: linked fields", (*_GOLD, _SPURIOUS), _COLUMNS),
        Mode("vertical", "Vertical: fields by themselves", (*_GOLD, _SPURIOUS), _COLUMNS),
    ),
    row_title="Field",
    document_title="Records",
)


@dataclass(frozen=True, slots=True)
class _Item:
    """A field of an entry of either side, or of two aligned entries."""

    record: int
    field: int
    kind: str
    gold: int
    system: int


def list_items(scored: Sequence[ScoredEntries], texts: FindTexts | None) -> Items:
    """List the fields of the entries of scored systems."""
    documents = tuple(dict.fromkeys(name for each in scored for name in each.corpus.documents))
    notes = texts(documents) if texts else None
    missing = [n for n, t in zip(documents, notes or (), strict=False) if t is None]
    systems = [_list_modes(evaluation, documents) for evaluation in scored]
    return Items(documents, FIELD_NAMES, systems, {"fields": FIELDS}, notes, {"no text": missing})


def _list_modes(evaluation: ScoredEntries, documents: Sequence[str]) -> dict[str, Columns]:
    corpus, [pairs] = evaluation.corpus, evaluation.pairings
    linked = list(_link(corpus, pairs))
    steps = evaluation.setup.steps
    lists = isinstance(steps, Spec) and steps.counting.vertical == "lists"
    listed = list(_list_phrases(corpus)) if lists else linked
    return {
        "horizontal": _tabulate(corpus, linked, documents),
        "vertical": _tabulate(corpus, listed, documents),
    }


def _link(corpus: EntryCorpus, pairs: Pairs) -> Iterator[_Item]:
    """Link the fields of aligned entries, then list the fields of the remaining entries."""
    rows = [
        *zip(pairs.gold.tolist(), pairs.prediction.tolist(), strict=True),
        *((g, -1) for g in np.setdiff1d(np.arange(len(corpus.gold)), pairs.gold).tolist()),
        *((-1, s) for s in np.setdiff1d(np.arange(len(corpus.system)), pairs.prediction).tolist()),
    ]
    for gold, system in rows:
        left = corpus.gold.phrase[gold] if gold >= 0 else np.zeros(len(FIELDS))
        right = corpus.system.phrase[system] if system >= 0 else np.zeros(len(FIELDS))
        record = corpus.gold.record[gold] if gold >= 0 else corpus.system.record[system]
        for field, (one, other) in enumerate(zip(left.tolist(), right.tolist(), strict=True)):
            if one or other:
                yield _Item(int(record), field, _compare(one, other), gold, system)


def _compare(gold: float, system: float) -> str:
    if gold == system:
        return _SAME
    if gold and system:
        return _DIFFERENT
    return _MISSED if gold else _SPURIOUS


def _list_phrases(corpus: EntryCorpus) -> Iterator[_Item]:
    """List the different phrases of each record and field, with the first entry that has each."""
    gold, system = _first_entries(corpus.gold), _first_entries(corpus.system)
    for record, field, phrase in sorted(gold.keys() | system.keys()):
        key = (record, field, phrase)
        kind = _SAME if key in gold and key in system else _MISSED if key in gold else _SPURIOUS
        yield _Item(record, field, kind, gold.get(key, -1), system.get(key, -1))


def _first_entries(side: Entries) -> dict[tuple[int, int, int], int]:
    found: dict[tuple[int, int, int], int] = {}
    for entry, (record, phrases) in enumerate(
        zip(side.record.tolist(), side.phrase.tolist(), strict=True)
    ):
        for field, phrase in enumerate(phrases):
            if phrase:
                found.setdefault((record, field, phrase), entry)
    return found


def _tabulate(corpus: EntryCorpus, items: Sequence[_Item], documents: Sequence[str]) -> Columns:
    numbers = {name: at for at, name in enumerate(documents)}
    document = [numbers[corpus.documents[item.record]] for item in items]
    firsts = [
        find_first(side.record, np.arange(len(corpus.documents)))
        for side in (corpus.gold, corpus.system)
    ]
    offsets = [_spell_offsets(side) for side in (corpus.gold, corpus.system)]
    rows = [
        (
            at,
            item.field,
            LAYOUT.number(item.kind),
            item.gold * len(FIELDS) + item.field if item.kind != _SPURIOUS else -1,
            _local(item.gold, firsts[0], item.record),
            _local(item.system, firsts[1], item.record),
            offsets[0].get((item.gold, item.field), ""),
            offsets[1].get((item.system, item.field), ""),
        )
        for at, item in zip(document, items, strict=True)
    ]
    rows.sort(key=lambda row: (row[0], min(k for k in row[4:6] if k >= 0), row[4:6], row[1]))
    names = ("document", "row", "kind", "unit", "gold_entry", "system_entry", "gold", "system")
    return {name: [row[at] for row in rows] for at, name in enumerate(names)}


def _local(entry: int, firsts: IntArray, record: int) -> int:
    return entry - int(firsts[record]) if entry >= 0 else -1


def _spell_offsets(side: Entries) -> dict[tuple[int, int], str]:
    """Map entry and field to offsets, as the challenge's format writes them."""
    columns = side.columns
    first, last = (
        list(zip(*(part.tolist() for part in split_position(place)), strict=True))
        for place in (columns.first, columns.last)
    )
    found: dict[tuple[int, int], list[str]] = {}
    owners, fields = columns.owners.tolist(), columns.field.tolist()
    for entry, field, begin, end in zip(owners, fields, first, last, strict=True):
        text = f"{begin[0]}:{begin[1]} {end[0]}:{end[1]}"
        found.setdefault((entry, field), []).append(text)
    return {key: ",".join(texts) for key, texts in found.items()}
