"""What became of the fields of entries."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import numpy as np

from clineval.base.arrays import Coded, IntArray
from clineval.challenges.i2b2_2009_medication.corpus import Entries, EntryCorpus
from clineval.challenges.i2b2_2009_medication.entry import FIELD_NAMES, FIELDS, GENRES
from clineval.kinds.mentions.columns import MentionColumns
from clineval.kinds.mentions.match import NONE, VERDICTS, Match
from clineval.kinds.mentions.outcomes import list_units
from clineval.kinds.mentions.pairing import Pairs


def as_phrases(side: Entries) -> MentionColumns:
    """Return the phrases as mentions, with their field and their entry's genre."""
    genre = side.columns.genre
    values = (*GENRES, "")
    return replace(
        side.mentions,
        document=side.mentions.document // len(FIELDS),
        attributes={
            "field": Coded(side.mentions.document % len(FIELDS), FIELD_NAMES),
            "genre": Coded(genre.fold(str, values).ids[side.owner], values),
        },
    )


def match_fields(
    corpus: EntryCorpus, entries: Pairs, counted: Mapping[str, Mapping[str, tuple[str, ...]]]
) -> dict[str, Match]:
    """Match the phrases of all fields, with what is counted of each match.

    ``horizontal`` pairs equal phrases of aligned entries, ``aligned`` all phrases of the same
    field.
    """
    left = _find_phrases(corpus.gold, entries.gold)
    right = _find_phrases(corpus.system, entries.prediction)
    both = (left >= 0) & (right >= 0)
    same = corpus.gold.phrase[entries.gold] == corpus.system.phrase[entries.prediction]
    sizes = len(corpus.gold.mentions), len(corpus.system.mentions)
    chosen = {"horizontal": both & same, "aligned": both}
    return {
        name: Match(*list_units(Pairs(left[rows], right[rows]), *sizes), VERDICTS, counted[name])
        for name, rows in chosen.items()
    }


def _find_phrases(side: Entries, rows: IntArray) -> IntArray:
    """Return the phrase of each field of some entries, ``[k, 6]``; -1 if not mentioned."""
    phrases = np.full((len(side), len(FIELDS)), NONE)
    phrases[side.owner, side.mentions.document % len(FIELDS)] = np.arange(len(side.mentions))
    return phrases[rows]
