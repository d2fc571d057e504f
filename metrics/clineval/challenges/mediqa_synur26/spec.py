"""Read, split and pair MEDIQA-SYNUR 2026 by its definition; see the package's docstring."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import replace

import numpy as np

from clineval.base.arrays import BoolArray, Coded
from clineval.base.ratios import ratio
from clineval.formats.record_files import RecordFormat
from clineval.kinds.mentions.columns import Side
from clineval.kinds.records.corpus import RecordCorpus
from clineval.kinds.records.fields import Field
from clineval.kinds.records.pairing import number_keys
from clineval.kinds.records.values import INVALID, spell
from clineval.protocols.records import RecordMeasure, Records, say_value, with_whole
from clineval.results.challenge import Setup
from clineval.results.columns import MentionColumns
from clineval.results.formulas import Formula
from clineval.results.measures import Measure

CONCEPT, TYPE, VALUE, NAME = "concept", "value_type", "value", "name"
MULTI_SELECT = "MULTI_SELECT"
MATCHES = {"micro": (CONCEPT, VALUE), "concept": (CONCEPT,)}
FIELDS = (
    Field(CONCEPT, "label", required=True, key="id"),
    Field(TYPE, "label"),
    Field(NAME, "label"),
    Field(VALUE, "value"),
)
_UNITS = {"fahrenheit": "F", "celsius": "C"}


def fold_unit(text: str) -> str:
    """Return the letter of a unit of temperature, and any other text unchanged.

    Examples:
        >>> fold_unit("fahrenheit"), fold_unit("C"), fold_unit("Alert")
        ('F', 'C', 'Alert')
    """
    return _UNITS.get(text.lower(), text)


def spell_value(written: str) -> str:
    """Return a JSON value in a form in which equal values have the same text."""
    return written if written in ("", INVALID) else spell(json.loads(written), fold_unit)


class Observations(Records):
    """Score observations: concepts with values; a list of values may be several observations."""

    def unroll(self, side: MentionColumns, listed: BoolArray) -> MentionColumns:
        """Return the records; each list in the rows ``listed`` becomes one record per element."""
        column = side.attributes[VALUE]
        parts = [_elements_of(value) for value in column.values]
        counts = np.array([NOT_A_LIST if p is None else len(p) for p in parts], np.int64)
        of_row = counts[column.ids] if len(column.ids) else np.zeros(0, np.int64)
        split = listed & (of_row != NOT_A_LIST)
        repeats = np.where(split, of_row, 1)
        texts = [
            text
            for at, is_split in zip(column.ids.tolist(), split.tolist(), strict=True)
            for text in ((parts[at] or ()) if is_split else (column.values[at],))
        ]
        rows = np.repeat(np.arange(len(side)), repeats)
        taken = side.take(rows)
        return replace(taken, attributes={**taken.attributes, VALUE: Coded.of(texts)})

    def scores(self) -> Iterator[Measure]:
        """Yield the scores of observations and of concepts, and the accuracy of values."""
        title = "Observations"
        yield RecordMeasure("micro", title, heading="concept and value", shown=("right",))
        yield RecordMeasure("concept", title, heading="concept")
        place = "Values", "of concepts that are found", "accuracy"
        yield Formula("value_accuracy", lambda of: ratio(of["micro_tp"], of["concept_tp"]), place)

    def describe(self, corpus: RecordCorpus) -> RecordCorpus:
        """Return the corpus with the names of the gold standard added to concept numbers."""
        names = _name_concepts(corpus.gold)
        named = corpus.folded(
            {CONCEPT: lambda at: f"{at} {names.get(at, '')}".strip(), VALUE: say_value}
        )
        return named.with_sides(with_whole(side, self.shown) for side in named.sides)


NOT_A_LIST = -1


def _elements_of(written: str) -> list[str] | None:
    """Return the elements of a list, each as JSON; None if the value is not a list."""
    if not written.startswith("["):
        return None
    return [json.dumps(each, ensure_ascii=False) for each in json.loads(written)]


def _name_concepts(side: MentionColumns) -> Mapping[str, str]:
    """Map each concept to the first of its names."""
    concepts, names = side.attributes[CONCEPT], side.attributes[NAME]
    pairs = dict.fromkeys(zip(concepts.ids.tolist(), names.ids.tolist(), strict=True))
    named = ((concepts.values[at], names.values[of]) for at, of in pairs)
    return {concept: name for concept, name in reversed([*named]) if name != INVALID}


class Spec(Observations):
    """Compare concepts and values; the gold standard decides how lists are split."""

    def join(self, gold: Side, predicted: Side, setup: Setup, /) -> RecordCorpus:
        """Join both sides, and make one record for each value of a list."""
        corpus = super().join(gold, predicted, setup)
        keys = number_keys(corpus, (CONCEPT,))
        several = keys[0][_is_listed(corpus.gold)]
        sides = (
            self.unroll(side, np.isin(of, several) | ~np.isin(of, keys[0]))
            for side, of in zip(corpus.sides, keys, strict=True)
        )
        return corpus.with_sides(sides).folded({VALUE: spell_value})


def _is_listed(side: MentionColumns) -> BoolArray:
    """Return which records have several values or do not declare it, ``[n]``."""
    types = side.attributes[TYPE]
    several = np.array([value in (MULTI_SELECT, "") for value in types.values], np.bool_)
    return several[types.ids] if len(types.ids) else np.zeros(0, np.bool_)


SPEC = Spec(
    FIELDS,
    MATCHES,
    row=CONCEPT,
    word="value",
    form=RecordFormat(FIELDS, ("observations",)),
)
