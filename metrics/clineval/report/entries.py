"""What a page of medication entries shows: every field of every entry, and what became of it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from clineval.arrays import IntArray, find_first
from clineval.challenges import i2b2_2009_medication as task
from clineval.entries.columns import split_position
from clineval.entries.corpus import Entries, EntryCorpus, join_entries
from clineval.entries.entry import FIELDS
from clineval.formats.i2b2_columns import read_side
from clineval.formats.texts import find_texts
from clineval.report.lists import Check, Columns, Kind, Lists, ListView, Mode, show_lists
from clineval.report.page import Workbench
from clineval.scores import Score

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


def _checks(mode: str, key: str, row: str) -> Iterator[Check]:
    yield Check(f"{key}_system_precision", mode, (_SAME,), _SYSTEM, row)
    yield Check(f"{key}_system_recall", mode, (_SAME,), _GOLD, row)
    yield Check(f"{key}_system_f1", mode, (_SAME, _SAME), (*_GOLD, *_SYSTEM), row)


VIEW = ListView(
    "entries",
    (
        Kind(_SAME, "same", "right", "the same phrase on both sides", right=True),
        Kind(_DIFFERENT, "different", "boundary", "aligned entries have other phrases here"),
        Kind(_MISSED, "missed", "missed", "a gold phrase that the system does not have"),
        Kind(_SPURIOUS, "spurious", "spurious", "a phrase that the gold standard does not have"),
    ),
    (
        Mode("horizontal", "Horizontal: linked fields", (*_GOLD, _SPURIOUS), _COLUMNS),
        Mode("vertical", "Vertical: fields by themselves", (*_GOLD, _SPURIOUS), _COLUMNS),
    ),
    (
        *_checks("horizontal", "exact_horizontal", ""),
        *_checks("vertical", "exact_vertical_all", ""),
        *(
            c
            for name in task.FIELD_NAMES
            for c in _checks("vertical", f"exact_vertical_{name}", name)
        ),
    ),
    row_title="Field",
    document_title="Records",
    headline="exact_horizontal_system_f1",
    measures={"exact_horizontal_system_f1": "F1"},
)


@dataclass(frozen=True, slots=True)
class _Item:
    """A field of an entry of either side, or of two aligned ones."""

    record: int
    field: int
    kind: str
    gold: int
    system: int


def show_entries(  # noqa: PLR0913 - the options are the challenge's
    scores: Mapping[str, Score],
    systems: Mapping[str, Any],
    references: Any,
    *,
    notes: Any,
    with_text: bool,
    protocol: str = "spec",
    records: Any = None,
    subset: str | None = None,
    **_: Any,
) -> Workbench:
    """All that a page of medication entries needs; the options are those of the challenge.

    Args:
        scores: system name to its score.
        systems: system name to its predictions.
        references: the gold standard.
        notes: the records' texts, as a directory, a mapping or a list.
        with_text: whether the page holds the records' texts.
        protocol: as in the challenge.
        records: as in the challenge.
        subset: as in the challenge.
    """
    rules = task.PROTOCOLS[protocol]
    gold = read_side(references, side="references")
    corpora = [
        join_entries(
            gold,
            read_side(found, side="predictions"),
            rules.reading,
            records=records,
            subset=subset,
        )
        for found in systems.values()
    ]
    documents = tuple(dict.fromkeys(name for c in corpora for name in c.documents))
    texts = find_texts(documents, notes, "notes") if with_text else None
    missing = [n for n, t in zip(documents, texts or (), strict=False) if t is None]
    lists = Lists(
        documents,
        task.FIELD_NAMES,
        [_list_modes(corpus, rules, documents) for corpus in corpora],
        {"fields": FIELDS},
        texts,
        {"no text": missing},
    )
    return show_lists(VIEW, scores, lists)


def _list_modes(
    corpus: EntryCorpus, rules: task.Rules, documents: Sequence[str]
) -> dict[str, Columns]:
    linked = list(_link(corpus, rules))
    vertical = list(_list_phrases(corpus)) if rules.vertical == "lists" else linked
    return {
        "horizontal": _tabulate(corpus, linked, documents),
        "vertical": _tabulate(corpus, vertical, documents),
    }


def _link(corpus: EntryCorpus, rules: task.Rules) -> Iterator[_Item]:
    """The fields of aligned entries, and those of the entries that are left."""
    pairs, _ = task.align(corpus, rules)
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
    """The different phrases of each record and field, with the first entry that has each."""
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
            VIEW.number(item.kind),
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
    return (
        dict(zip(names, map(list, zip(*rows, strict=True)), strict=True))
        if rows
        else {name: [] for name in names}
    )


def _local(entry: int, firsts: IntArray, record: int) -> int:
    return entry - int(firsts[record]) if entry >= 0 else -1


def _spell_offsets(side: Entries) -> dict[tuple[int, int], str]:
    """Entry and field to offsets, as the challenge's format writes them."""
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
