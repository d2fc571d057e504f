"""Read, pair and count MEDIQA-OE 2025 as its released program does."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import groupby
from typing import Any, NoReturn

import numpy as np

from clineval.base.arrays import Coded
from clineval.base.errors import InputError
from clineval.challenges.mediqa_oe25.orders import (
    DESCRIPTION,
    REASON,
    TURNS,
    TYPE,
    TYPES,
)
from clineval.challenges.mediqa_oe25.spec import COUNTED, SPEC, Orders, make_form
from clineval.formats.given.records import read_records
from clineval.kinds.mentions.columns import Side
from clineval.kinds.mentions.pairing import Pairs
from clineval.kinds.records.assignment import assign
from clineval.kinds.records.corpus import RecordCorpus, join_records
from clineval.kinds.records.fields import Field, Written
from clineval.kinds.records.fitting import Compared
from clineval.kinds.records.members import find_members
from clineval.protocols.fitting_records import MATCH, SAME
from clineval.protocols.records import RecordPairing
from clineval.results.challenge import Setup
from clineval.results.columns import MentionColumns
from clineval.results.match import VERDICTS, Match

ORDER = "order"
"""The column of orders as written."""
ALONE = "encounters of one side"
"""Whether there are encounters of one side; only the program itself stops at them."""
_KEYS = (DESCRIPTION, REASON, TYPE, TURNS)
_POINTS = re.compile(r"[.,?!]")
_DASH = re.compile(r"(?<=\d)-")
Order = Mapping[str, object]
OrderPair = tuple[Order | None, Order | None]


class _Whole(Written):
    """A whole order as written."""

    def find(self, record: Mapping[str, object]) -> object:
        """Return the whole order."""
        return [record]


class Official(Orders):
    """Pair orders by the share of gold words that are found; scipy breaks ties."""

    def read_side(self, given: object, side: str, setup: Setup, /) -> Side:
        """Read one side as the program does; only the fields that it compares are checked."""
        form = make_form((_Whole(ORDER, "value"),), setup["part"])
        return read_records(given, side, form, strict=True)

    def join(self, gold: Side, predicted: Side, _setup: Setup, /) -> RecordCorpus:
        """Join both sides without the orders that the program drops."""
        corpus = join_records(gold, predicted, [ORDER], self.shown)
        found = corpus.with_sides(map(_read_fields, corpus.sides))
        found.known[ALONE] = {*(gold.keys or ())} != {*(predicted.keys or ())}
        return found

    def pair(self, block: RecordCorpus, _setup: Setup, /) -> RecordPairing:
        """Pair the orders of each encounter."""
        rows = [_rows_of(side) for side in block.sides]
        texts = [_texts_of(side, DESCRIPTION) for side in block.sides]
        found = []
        for document in sorted(rows[0].keys() & rows[1].keys()):
            golds, others = rows[0][document], rows[1][document]
            table = [[weigh(texts[0][g], texts[1][s]) for s in others] for g in golds]
            found += [(golds[g], others[s]) for g, s in assign(table) if table[g][s] > 0]
        gold, prediction = np.array(found, np.int64).reshape(-1, 2).T
        pairs = Pairs(gold, prediction)
        return {SAME: self.take_same(block, pairs), MATCH: pairs}

    def list_fields(self, corpus: RecordCorpus, pairing: RecordPairing) -> dict[str, Match]:
        """List the outcomes of all orders.

        An order whose description has no words does not count. The mean covers all fields, even
        if neither side has them.
        """
        matches = super().list_fields(corpus, pairing)
        rows = matches[MATCH]
        values = (side.attributes[DESCRIPTION] for side in corpus.sides)
        empty = [np.array([not text for text in of.values], np.bool_)[of.ids] for of in values]
        verdict = rows.verdict.copy()
        verdict[rows.choose(empty[0], empty[1])] = VERDICTS.index("displaced")
        columns = {**rows.columns, COUNTED: VERDICTS}
        return {**matches, MATCH: replace(rows, verdict=verdict, columns=columns)}

    def compare(self, corpus: RecordCorpus, name: str) -> Compared:
        """Compare a field of both sides; a word counts each time if the other side contains it."""
        columns = [side.attributes[name] for side in corpus.sides]
        values = columns[0].values
        filled = np.array([value not in ("", "[]") for value in values], np.bool_)
        members = None
        if name == TURNS:
            members = find_members([*map(_write_turns, values)], listed=True)
        elif name in (DESCRIPTION, REASON):
            members = find_members(values)
        return Compared((columns[0].ids, columns[1].ids), members, filled, clipped=False)


def stop(what: str) -> NoReturn:
    """Reject input at which the program stops."""
    raise InputError(
        f"{what}: the released program stops here",
        remedy="protocol='spec' scores it, or reports where it is",
    )


def clean(value: object) -> str:
    """Return a text as the program compares it; an empty string if there is none.

    Examples:
        >>> clean("12.5 mg, 7-day"), clean(None)
        ('125 mg 7 day', '')
    """
    return _DASH.sub(" ", _POINTS.sub("", str(value).lower())).strip() if value else ""


def weigh(gold: str, found: str) -> float:
    """Return the share of gold words that the prediction contains; 1 for equal descriptions."""
    if gold == found:
        return 1.0
    words, others = gold.split(), set(found.split())
    return sum(word in others for word in words) / len(words) if words else 0.0


def keep_order(order: object) -> Order | None:
    """Return the fields of an order that the program keeps; None if it drops the order."""
    if not isinstance(order, dict):
        stop("an order is not an object")
    if not order.get(DESCRIPTION):
        return None
    kind = order.get(TYPE, "")
    if not isinstance(kind, str):
        stop("an order_type is not a string")
    if kind.lower() not in TYPES:
        return None
    if isinstance(order[DESCRIPTION], (list, dict)):
        stop("a description is not a string")
    return {name: value for name, value in order.items() if name in _KEYS and value}


def read_turns(given: Any) -> list[int]:
    """Return the turns that the program reads from a provenance.

    Examples:
        >>> read_turns([1, "2", 3.0, "turn 4"]), read_turns("[1, 2]"), read_turns(" ")
        ([1, 2], [1, 2], [])
    """
    try:
        if isinstance(given, list):
            return [int(e) for e in given if isinstance(e, int) or _is_numeric(e)]
        if isinstance(given, str) and not given.strip():
            return []
        if isinstance(given, str) and given.startswith("[") and given.endswith("]"):
            return [int(e) for e in given[1:-1].split(",")]
        if _is_numeric(given):
            return [int(given)]
    except ValueError:
        pass
    stop("a provenance is not a list of numbers")


def _is_numeric(member: object) -> bool:
    return isinstance(member, str) and member.isnumeric()


def _read_fields(side: MentionColumns) -> MentionColumns:
    """Return the orders that are kept, with their fields and as written."""
    column = side.attributes[ORDER]
    kept = [keep_order(json.loads(written)) for written in column.values]
    rows = [row for row, at in enumerate(column.ids.tolist()) if kept[at] is not None]
    some = side.take(np.array(rows, np.int64))
    orders = [kept[at] or {} for at in some.attributes[ORDER].ids.tolist()]
    attributes = {name: Coded.of([_spell(order, name) for order in orders]) for name in _KEYS}
    return replace(some, attributes={**attributes, ORDER: some.attributes[ORDER]})


def _spell(order: Order, name: str) -> str:
    if name != TURNS:
        return clean(order.get(name))
    return json.dumps(order[name]) if name in order else "[]"


def _write_turns(written: str) -> str:
    given = json.loads(written)
    return json.dumps(read_turns(given) if given else [])


def _rows_of(side: MentionColumns) -> dict[int, list[int]]:
    rows = enumerate(side.document.tolist())
    groups = groupby(rows, key=lambda row: row[1])
    return {document: [row for row, _ in of] for document, of in groups}


def _texts_of(side: MentionColumns, name: str) -> Sequence[str]:
    column = side.attributes[name]
    return [column.values[at] for at in column.ids.tolist()]


def list_pairs(corpus: RecordCorpus, pairs: Pairs) -> list[list[OrderPair]]:
    """List the orders of each encounter as the program does: pairs, then unpaired orders."""
    sides = [_rows_of(side) for side in corpus.sides]
    partner = dict(zip(pairs.gold.tolist(), pairs.prediction.tolist(), strict=True))
    taken = set(partner.values())
    listed = []
    for document, name in enumerate(corpus.documents):
        golds, found = (rows.get(document, []) for rows in sides)
        rows: list[tuple[int | None, int | None]] = [(g, partner[g]) for g in golds if g in partner]
        rows += [(g, None) for g in golds if g not in partner]
        rows += [(None, s) for s in found if s not in taken]
        listed.append(
            [(_open(corpus.gold, g, name), _open(corpus.prediction, s, name)) for g, s in rows]
        )
    return listed


def _open(side: MentionColumns, row: int | None, name: str) -> Order | None:
    if row is None:
        return None
    column = side.attributes[ORDER]
    order = keep_order(json.loads(column.values[column.ids[row]])) or {}
    return {**order, "transcript_id": name}


OFFICIAL = Official(
    tuple(replace(each, fold=str) if type(each) is Field else each for each in SPEC.fields),
    by=SPEC.by,
    row=TYPE,
    word="type",
    form=SPEC.form,
)
