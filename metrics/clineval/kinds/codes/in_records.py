"""Codes in fields of records: they are compared with the same field of the paired record."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence

import numpy as np

from clineval.base.arrays import IntArray
from clineval.kinds.codes.placed import PlacedSides, join_placed, place_values
from clineval.kinds.records.corpus import RecordCorpus
from clineval.kinds.records.shape import ShapedField
from clineval.results.match import Match


def place_in_records(
    corpus: RecordCorpus, fields: Sequence[ShapedField], match: Match
) -> PlacedSides:
    """Place the codes of some fields at pairs of records, or at records without a partner.

    Args:
        corpus: both sides.
        fields: the fields that hold codes.
        match: the paired records.
    """
    pairs = number_pairs(corpus, match)
    parts = []
    for number, field in enumerate(fields):
        columns = corpus.gold.attributes[field.name], corpus.prediction.attributes[field.name]
        gold, prediction = (pair * len(fields) + number for pair in pairs)
        split = _split_set if field.compare == "set" else _split
        parts.append(place_values(corpus.sides, columns, (gold, prediction), split))
    return join_placed(parts)


def number_pairs(corpus: RecordCorpus, match: Match) -> tuple[IntArray, IntArray]:
    """Return ``[n]`` for each side: the same number for paired records, others for each other."""
    gold = np.arange(len(corpus.gold), dtype=np.int64)
    prediction = np.arange(len(corpus.prediction), dtype=np.int64) + len(gold)
    pairs = match.pairs
    prediction[match.prediction[:pairs]] = match.gold[:pairs]
    return gold, prediction


def _split(value: str) -> Iterable[str]:
    return (value,) if value else ()


def _split_set(value: str) -> Iterable[str]:
    found = json.loads(value) if value.startswith("[") else [value]
    return filter(None, map(str, found))
