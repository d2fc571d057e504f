"""Which gold entry each system entry stands for: the protocols' two ways."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from clineval.base.arrays import IntArray
from clineval.base.ratios import ratio
from clineval.challenges.i2b2_2009_medication.corpus import Entries, EntryCorpus
from clineval.challenges.i2b2_2009_medication.entry import FIELDS
from clineval.challenges.i2b2_2009_medication.near_ties import order_with_near_ties
from clineval.challenges.i2b2_2009_medication.rivals import Rivals, find_rivals
from clineval.challenges.i2b2_2009_medication.rounding import round_as_python2
from clineval.kinds.mentions.columns import MentionColumns
from clineval.kinds.mentions.overlap import SHARED, Candidates, find_candidates
from clineval.kinds.mentions.pairing import Pairs, pair_in_order

_AT_ONCE = 1 << 13


def align_in_stages(corpus: EntryCorpus) -> Pairs:
    """Align entries whose medications have the same offsets, then those whose medications meet.

    In each stage the pair with the best F over the tokens of all fields comes first, of equals
    that of the earlier system entry, then of the earlier gold entry.
    """
    rivals = find_rivals(corpus, corpus.system, corpus.gold)
    system, gold = rivals.left, rivals.right
    same = corpus.system.phrase[system, 0] == corpus.gold.phrase[gold, 0]
    f1 = ratio(2 * rivals.tokens, corpus.gold.sizes[gold] + corpus.system.sizes[system])
    order = np.argsort(-(same + np.asarray(f1)), kind="stable")
    return _pair(gold[order], system[order])


def align_by_pair(corpus: EntryCorpus) -> Pairs:
    """Align the pairs of a record, the best F first, as the released script does.

    F is rounded to four decimals, and differences under .001 are ties, which go to the earlier
    gold entry, then to the earlier system entry; see
    :mod:`clineval.challenges.i2b2_2009_medication.near_ties`.
    """
    rivals = find_rivals(corpus, corpus.gold, corpus.system)
    gold, system = rivals.left, rivals.right
    order = order_with_near_ties(corpus.gold.record[gold], _round_f1(rivals, corpus))
    return _pair(gold[order], system[order])


def _round_f1(rivals: Rivals, corpus: EntryCorpus) -> IntArray:
    """Return F in ten-thousandths, ``[k]``, computed as in the script."""
    result = np.empty(len(rivals.tokens), np.int16)
    sizes = corpus.gold.sizes, corpus.system.sizes
    for low in range(0, len(result), _AT_ONCE):
        part = slice(low, low + _AT_ONCE)
        precision = ratio(rivals.tokens[part], sizes[1][rivals.right[part]])
        recall = ratio(rivals.tokens[part], sizes[0][rivals.left[part]])
        f1 = round_as_python2(ratio(2 * precision * recall, precision + recall))
        result[part] = np.rint(f1 * 10_000)
    return result


def _pair(gold: IntArray, system: IntArray) -> Pairs:
    """Go through pairs in order and accept those whose two entries are both free."""
    accepted = pair_in_order(gold, system)
    return Pairs(gold[accepted], system[accepted])


def find_shared_tokens(corpus: EntryCorpus, pairs: Pairs) -> Candidates:
    """Find phrases of the same field of aligned entries that share tokens, and how many."""
    gold = _number_by_pair(corpus.gold, pairs.gold)
    system = _number_by_pair(corpus.system, pairs.prediction)
    rows, others = (np.flatnonzero(side.document >= 0) for side in (gold, system))
    return find_candidates(gold, system, rows, others, SHARED)


def _number_by_pair(side: Entries, rows: IntArray) -> MentionColumns:
    """Return phrases whose document is their pair and field; negative where there is no pair."""
    number = np.full(len(side), -1)
    number[rows] = np.arange(len(rows))
    field = side.mentions.document % len(FIELDS)
    return replace(side.mentions, document=number[side.owner] * len(FIELDS) + field)
