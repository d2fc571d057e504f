"""Mentions of tumour morphology: by the definition, and as the released library joins them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TypeVar

from clineval.base.arrays import Coded
from clineval.base.errors import InputError
from clineval.kinds.mentions.columns import Side
from clineval.kinds.mentions.corpus import Corpus
from clineval.kinds.mentions.kind import SpanKind
from clineval.programs.common_documents import keep_known
from clineval.programs.pandas_cells import Cell, Frame
from clineval.programs.span_rows import Keys, RowSide
from clineval.programs.table_joins import TableJoins
from clineval.protocols.linked_spans import CODE, LinkedSpans
from clineval.results.challenge import Setup

CellT = TypeVar("CellT", bound=Cell)
LABEL, HYPHENED = "MORFOLOGIA_NEOPLASIA", "MORFOLOGIA-NEOPLASIA"
EITHER = {("cc_onco838", "2509", "2534"): "8441/0", ("cc_onco1057", "2791", "2831"): "8803/3"}
"""Places of gold mentions with two right codes; the value is the code that does not count."""
_RIGHT = "either"


class Morphologies(LinkedSpans):
    """The task's definition: every gold mention has a code."""

    @property
    def kind(self) -> SpanKind:
        """Mentions, whose codes are notes in brat's files."""
        return replace(super().kind, noted=CODE.name)

    def read_side(self, given: object, side: str, setup: Setup) -> Side:
        """Read one side."""
        found = super().read_side(given, side, setup)
        codes = _cells_of(found)["code"] if CODE in self.slots else ()
        if side == "references" and "" in codes:
            name = found.documents[found.mentions.document[codes.index("")]]
            raise InputError("a gold mention without a code", where=f"{side}, {name}")
        return found

    def join(self, gold: Side, predicted: Side, setup: Setup, /) -> Corpus:
        """Join both sides; of two right codes, the one that does not count becomes the other."""
        known = gold.keys or () if CODE in self.slots else ()
        for place, second in (each for each in EITHER.items() if each[0][0] in known):
            codes = _codes_at(_cells_of(gold), place).values()
            first = next((code for code in codes if code != second), second)
            gold, predicted = (_recode(side, place, second, first) for side in (gold, predicted))
        return super().join(gold, predicted, setup)


def _cells_of(side: Side) -> Mapping[str, Sequence[str]]:
    columns, names = side.mentions, side.keys or side.documents
    codes = columns.attributes[CODE.name]
    return {
        "filename": [names[at] for at in columns.document.tolist()],
        "start": list(map(str, columns.starts[columns.bounds[:-1]].tolist())),
        "end": list(map(str, columns.ends[columns.bounds[1:] - 1].tolist())),
        "code": [codes.values[at] for at in codes.ids.tolist()],
    }


def _codes_at(cells: Mapping[str, Sequence[CellT]], place: tuple[str, ...]) -> dict[int, CellT]:
    """Return the codes of the coded mentions at a place, by mention number."""
    each = enumerate(zip(cells["filename"], cells["start"], cells["end"], strict=True))
    return {at: cells["code"][at] for at, of in each if of == place and cells["code"][at]}


def _recode(side: Side, place: tuple[str, ...], code: str, by: str) -> Side:
    cells = _cells_of(side)
    at = {row for row, of in _codes_at(cells, place).items() if of == code}
    column = Coded.of([by if row in at else of for row, of in enumerate(cells["code"])])
    attributes = {**side.mentions.attributes, CODE.name: column}
    return replace(side, mentions=replace(side.mentions, attributes=attributes))


class JoinedMorphologies(TableJoins):
    """The released library: each pair of a gold and a predicted row at a place is a hit."""

    def known_of(self, name: str) -> tuple[str, ...]:
        """Return the label; predictions may also spell it with a hyphen."""
        return (LABEL, HYPHENED) if name == "predictions" else (LABEL,)

    def drop_unknown(self, side: RowSide, _valid: object) -> RowSide:
        """Drop mentions without a code if codes are compared; the list of codes is ignored."""
        if CODE not in self.slots:
            return side
        codes = side.rows.columns[CODE.name]
        return side.take([at for at, row in enumerate(side.numbers) if codes[row]])

    def join(self, gold: Side, predicted: Side, setup: Setup, /) -> Corpus:
        """Join the documents that the gold standard has, even those without mentions."""
        found = keep_known(gold, predicted)
        if CODE in self.slots and isinstance(gold, RowSide) and isinstance(found, RowSide):
            gold, found = _accept_either(gold, found)
        return super().join(gold, found, setup)

    def find_keys(self, rows: Frame) -> Keys:
        """Find the place and the code of each row, whatever the label."""
        return super().find_keys(replace(rows, columns={**rows.columns, "label": [""] * len(rows)}))

    def format_cells(self, rows: Frame) -> list[str]:
        """Return the code of each row as it is."""
        return list(map(str, rows.columns[CODE.name]))


def _accept_either(gold: RowSide, found: RowSide) -> tuple[RowSide, RowSide]:
    """Make all rows at such a place right if one is, except the gold row that does not count."""
    for place, second in EITHER.items():
        golds, predicted = (_codes_at(side.rows.columns, place) for side in (gold, found))
        if set(golds.values()) & set(predicted.values()):
            gold = _with_codes(
                gold, {at: of if of == second else _RIGHT for at, of in golds.items()}
            )
            found = _with_codes(found, dict.fromkeys(predicted, _RIGHT))
    return gold, found


def _with_codes(side: RowSide, codes: Mapping[int, Cell]) -> RowSide:
    column = [codes.get(at, code) for at, code in enumerate(side.rows.columns[CODE.name])]
    return replace(side, rows=replace(side.rows, columns={**side.rows.columns, CODE.name: column}))
