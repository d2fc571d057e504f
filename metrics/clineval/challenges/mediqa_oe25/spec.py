"""Read, pair and count MEDIQA-OE 2025 by its definition; see the package's docstring."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import partial

from clineval.base.errors import InputError, shown
from clineval.base.ratios import Number, Totals, mean_of_present
from clineval.challenges.mediqa_oe25.orders import (
    DESCRIPTION,
    FIELDS,
    FILES,
    KEYS,
    REASON,
    TURNS,
    TYPE,
    choose_part,
)
from clineval.formats.record_files import RecordFormat
from clineval.kinds.records.fields import Field
from clineval.kinds.records.shares import Shares
from clineval.protocols.fitting_records import FittingRecords
from clineval.results.challenge import Setup
from clineval.results.faces import Faces
from clineval.results.formulas import Formula, Prf
from clineval.results.measures import Measure
from clineval.results.options import Option

_SHARED, _EQUAL = ("gold", "predicted"), ("tp", "fp", "fn")
RANKED: tuple[tuple[Shares | Prf, tuple[str, ...]], ...] = (
    (Shares(DESCRIPTION), _SHARED),
    (Shares(REASON), _SHARED),
    (Prf(TYPE), _EQUAL),
    (Shares(TURNS), _SHARED),
)
"""The scores in the mean of the challenge's table; a score counts if its counts are not all 0."""
COUNTED = "counted_fields"
"""The column that is not 0 if the mean includes fields that neither side has."""


def average(totals: Totals) -> Number:
    """Return the mean F1 of the four fields, without fields that neither side has."""
    values = [measure.compute_f1(totals) for measure, _ in RANKED]
    sizes = [sum(totals[f"{measure.name}_{of}"] for of in counts) for measure, counts in RANKED]
    return mean_of_present(values, sizes, totals.get(COUNTED, 0.0))


def make_form(fields: tuple[Field, ...], dataset: str | None = None) -> RecordFormat:
    """Return the format of files; ``dataset`` is the part to read."""
    return RecordFormat(fields, KEYS, FILES, partial(choose_part, dataset=dataset))


def parse_part(given: object) -> str | None:
    """Return the value of the option ``part``; reject anything but a string or None."""
    if given is None or isinstance(given, str):
        return given
    raise InputError(f"expected the name of a data set, got {shown(given)}", where="part")


class Orders(FittingRecords):
    """Score the orders of encounters."""

    def find_form(self, setup: Setup, /) -> RecordFormat:
        """Return the format of files, with the part to read."""
        return make_form(self.fields, setup["part"])

    def scores(self) -> Iterator[Measure]:
        """Yield the mean that ranks systems, the scores in it, and the scores of whole orders."""
        place = "Mean", "of description, reason, order_type and provenance", "F1"
        yield Formula("average_f1", average, place, main=True)
        yield from super().scores()

    @property
    def options(self) -> tuple[Option, ...]:
        """The texts of the dialogues, and the part of a published file to score."""
        return (*super().options, PART)

    @property
    def faces(self) -> Faces:
        """The faces of records; ``validate`` takes ``part`` too."""
        return replace(super().faces, validation_options=(PART,))


PART = Option(
    "part",
    "The part of a published file to score, such as train or dev.",
    parse=parse_part,
)
SPEC = Orders(
    FIELDS,
    by=(DESCRIPTION, TYPE, REASON, TURNS),
    row=TYPE,
    word="type",
    form=make_form(FIELDS),
)
