"""Records of several annotators side by side, from the pairs of every two annotators.

A unit has at most one record of each annotator. The annotators follow each other in their order,
and so do the records of each. A record joins the unit of the first earlier annotator with whose
record it is paired, unless that unit already has a record of the same annotator; otherwise it
begins a unit. If the fields that pair records identify them, a unit is all records with the same
values in these fields.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from clineval.base.arrays import IntArray
from clineval.evaluation.analysis.ratings import NO_ANSWER, Answers
from clineval.kinds.mentions.outcomes import Outcomes
from clineval.results.columns import ABSENT, MentionColumns

Record = tuple[str, int]
"""The name of a document, and the number of a record in it."""


@dataclass(frozen=True, slots=True, eq=False)
class PairedRecords:
    """The records of two annotators, and their pairs.

    Args:
        documents: the names of the documents.
        sides: the records of both.
        pairs: ``[p]`` rows of each side.
        empty: the values that are no answer.
    """

    documents: tuple[str, ...]
    sides: tuple[MentionColumns, MentionColumns]
    pairs: tuple[IntArray, IntArray]
    empty: frozenset[str | None]

    @classmethod
    def of(cls, outcomes: Outcomes) -> PairedRecords | None:
        """Return the records of a pair of annotators; None for other annotations."""
        if outcomes.kind.no_value is None:
            return None
        match = outcomes.matches[outcomes.widest]
        pairs = match.gold[: match.pairs], match.prediction[: match.pairs]
        sides = outcomes.gold, outcomes.prediction
        return cls(outcomes.documents, sides, pairs, frozenset([ABSENT, outcomes.kind.no_value]))

    def list_records(self, side: int) -> list[Record]:
        """Name the records of a side by their rows."""
        document = self.sides[side].document.astype(np.int64)
        order = np.argsort(document, kind="stable")
        first = np.searchsorted(document[order], document[order])
        place = np.empty(len(document), np.int64)
        place[order] = np.arange(len(document)) - first
        names = [self.documents[at] for at in document.tolist()]
        return list(zip(names, place.tolist(), strict=True))

    def list_pairs(self) -> Iterator[tuple[Record, Record]]:
        """Yield the pairs of records."""
        gold, prediction = self.list_records(0), self.list_records(1)
        for row, other in zip(*(rows.tolist() for rows in self.pairs), strict=True):
            yield gold[row], prediction[other]

    def read(self, side: int, slot: str) -> Mapping[Record, str]:
        """Return the values of a slot of a side, without records that have none."""
        column = self.sides[side].attributes[slot]
        values = [column.values[at] for at in column.ids.tolist()]
        both = zip(self.list_records(side), values, strict=True)
        return {record: value for record, value in both if value not in self.empty}


@dataclass(frozen=True, slots=True, eq=False)
class UnitedRecords:
    """The records of three or more annotators.

    Args:
        pairs: the positions of two annotators to their records.
        units: the record of each annotator, by position, in each unit.
        documents: the names of all documents.
    """

    pairs: Mapping[tuple[int, int], PairedRecords]
    units: Sequence[Mapping[int, Record]]
    documents: tuple[str, ...]

    @classmethod
    def of(cls, pairs: Mapping[tuple[int, int], PairedRecords]) -> UnitedRecords:
        """Put together the records of all annotators.

        Args:
            pairs: the positions of every two annotators to their records.
        """
        partners: dict[tuple[int, int], dict[Record, Record]] = {
            key: {other: record for record, other in of.list_pairs()} for key, of in pairs.items()
        }
        units: list[dict[int, Record]] = []
        number: dict[tuple[int, Record], int] = {}
        for own in range(1 + max(second for _, second in pairs)):
            of, side = (pairs[0, own], 1) if own else (pairs[0, 1], 0)
            for record in of.list_records(side):
                found = (partners[at, own].get(record) for at in range(own))
                known = [number[at, other] for at, other in enumerate(found) if other]
                unit = next((each for each in known if own not in units[each]), len(units))
                if unit == len(units):
                    units.append({})
                units[unit][own] = record
                number[own, record] = unit
        documents = dict.fromkeys(name for of in pairs.values() for name in of.documents)
        return cls(pairs, units, tuple(documents))

    def answer(self, slot: str) -> Answers:
        """Return the values of all annotators in a slot."""
        people = range(1 + max(second for _, second in self.pairs))
        given = [self.pairs[0, own or 1].read(int(own > 0), slot) for own in people]
        names = tuple(dict.fromkeys(value for of in given for value in of.values()))
        numbers = {name: number for number, name in enumerate(names)}
        table = np.full((len(self.units), len(people)), NO_ANSWER)
        for at, unit in enumerate(self.units):
            for own, record in unit.items():
                table[at, own] = numbers.get(given[own].get(record, ""), NO_ANSWER)
        places = {name: number for number, name in enumerate(self.documents)}
        document = [places[next(iter(unit.values()))[0]] for unit in self.units]
        return Answers(np.array(document, np.int64), table, np.ones(len(table)), names, len(names))
