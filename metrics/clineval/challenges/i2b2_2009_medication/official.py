"""The rules of i2b2eval.py, the script of the i2b2 2009 medication challenge."""

from __future__ import annotations

from decimal import ROUND_HALF_UP, Decimal

import numpy as np

from clineval.base.arrays import FloatArray, IntArray
from clineval.base.ratios import Number, harmonic_mean, ratio
from clineval.challenges.i2b2_2009_medication.alignment import Rivals, find_rivals, pair_in_turn
from clineval.challenges.i2b2_2009_medication.corpus import EntryCorpus, EntryReading
from clineval.challenges.i2b2_2009_medication.levels import Counting
from clineval.challenges.i2b2_2009_medication.spec import Spec
from clineval.challenges.i2b2_2009_medication.timsort import order_with_near_ties
from clineval.kinds.mentions.pairing import Pairs
from clineval.results.challenge import Setup

AT_ONCE = 1 << 13
_DIGITS, _UNSURE = 4, 1e-6


def round_as_python2(values: Number) -> FloatArray:
    """Round numbers that are not negative to four decimals, halves away from zero.

    Examples:
        >>> round_as_python2(np.array([0.03125, 0.00625, 2 / 3])).tolist()
        [0.0313, 0.0063, 0.6667]
    """
    given = np.asarray(values, np.float64)
    scale = 10.0**_DIGITS
    scaled = given * scale
    whole = np.rint(scaled)
    unsure = np.abs(scaled - np.floor(scaled) - 0.5) < _UNSURE
    if unsure.any():
        unit = Decimal(1).scaleb(-_DIGITS)
        distinct, which = np.unique(given[unsure], return_inverse=True)
        exact = [Decimal(value).quantize(unit, ROUND_HALF_UP) for value in distinct.tolist()]
        whole[unsure] = np.array([float(value.scaleb(_DIGITS)) for value in exact])[which]
    rounded: FloatArray = whole / scale
    return rounded


class Official(Spec):
    """The released script: best pair of a record first; lists only hold aligned entries' fields."""

    reading = EntryReading(strict=False, documents="gold", phrases="tokens", order="written")
    counting = Counting(
        vertical="aligned", patients="gold", rounded=round_as_python2, recall_of_nothing=0.09
    )

    def pair(self, corpus: EntryCorpus, _setup: Setup, /) -> Pairs:
        """Align the pairs of a record, the best F first, as the script does.

        F is rounded to four decimals. Differences under .001 are ties, which go to the earlier gold
        entry, then to the earlier system entry; see :mod:`timsort`.
        """
        rivals = find_rivals(corpus, corpus.gold, corpus.system)
        order = order_with_near_ties(corpus.gold.record[rivals.left], _round_f1(rivals, corpus))
        return pair_in_turn(rivals.left[order], rivals.right[order])


def _round_f1(rivals: Rivals, corpus: EntryCorpus) -> IntArray:
    """Return F in ten-thousandths, ``[k]``, computed as in the script."""
    result = np.empty(len(rivals.tokens), np.int16)
    sizes = corpus.gold.sizes, corpus.system.sizes
    for low in range(0, len(result), AT_ONCE):
        part = slice(low, low + AT_ONCE)
        precision = ratio(rivals.tokens[part], sizes[1][rivals.right[part]])
        recall = ratio(rivals.tokens[part], sizes[0][rivals.left[part]])
        f1 = round_as_python2(harmonic_mean(precision, recall))
        result[part] = np.rint(f1 * 10_000)
    return result
