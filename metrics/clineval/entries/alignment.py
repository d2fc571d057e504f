"""Which gold entry each system entry stands for: the protocols' two ways."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from clineval.arrays import IntArray
from clineval.entries.corpus import EntryCorpus
from clineval.entries.entry import FIELDS
from clineval.entries.near_ties import order_with_near_ties
from clineval.entries.rounding import round_as_python2
from clineval.mentions.overlap import Overlap, find_candidates
from clineval.mentions.pairing import Pairs, pair_in_order
from clineval.scores import ratio

_SHARED = Overlap(reach=0, fragments="total")


@dataclass(frozen=True, slots=True, eq=False)
class SharedTokens:
    """How many tokens the same field of two entries of one record shares.

    Args:
        gold: ``[k]``, the gold entry.
        system: ``[k]``, the system's entry.
        field: ``[k]``, the field.
        tokens: ``[k]``, at least 1.
    """

    gold: IntArray
    system: IntArray
    field: IntArray
    tokens: IntArray


def find_shared_tokens(corpus: EntryCorpus) -> SharedTokens:
    """All fields of two entries that share a token."""
    gold, system = corpus.gold, corpus.system
    rows, others = (np.arange(len(side.mentions)) for side in (gold, system))
    found = find_candidates(gold.mentions, system.mentions, rows, others, _SHARED)
    field = gold.mentions.document[found.gold] % len(FIELDS)
    return SharedTokens(gold.owner[found.gold], system.owner[found.prediction], field, found.shared)


def align_by_entry(corpus: EntryCorpus, shared: SharedTokens) -> Pairs:
    """For each system entry in order the free gold entry with the best F.

    F is over the tokens of all fields; of equals the earlier gold entry is taken. Only entries
    whose medications share a token can be aligned.
    """
    gold, system, tokens = _candidates(shared, len(corpus.system))
    f1 = ratio(2 * tokens, corpus.gold.sizes[gold] + corpus.system.sizes[system])
    order = np.lexsort([gold, -np.asarray(f1), system])
    accepted = order[pair_in_order(gold[order], system[order])]
    return Pairs(gold[accepted], system[accepted])


def align_by_pair(corpus: EntryCorpus, shared: SharedTokens) -> Pairs:
    """The pairs of a record with the best F first, as the released script does it.

    F is rounded to four decimals, and differences under .001 are ties, which go to the earlier
    gold entry, then to the earlier system entry; see :mod:`clineval.entries.near_ties`.
    """
    gold, system, tokens = _candidates(shared, len(corpus.system))
    precision = ratio(tokens, corpus.system.sizes[system])
    recall = ratio(tokens, corpus.gold.sizes[gold])
    f1 = round_as_python2(ratio(2 * precision * recall, precision + recall))
    order = order_with_near_ties(corpus.gold.record[gold], np.rint(f1 * 10_000).astype(np.int64))
    accepted = order[pair_in_order(gold[order], system[order])]
    return Pairs(gold[accepted], system[accepted])


def _candidates(shared: SharedTokens, systems: int) -> tuple[IntArray, IntArray, IntArray]:
    """Entries whose medications share a token, gold-major, and the tokens of all their fields."""
    pair = shared.gold * systems + shared.system
    wanted = np.unique(pair[shared.field == 0])
    at = np.searchsorted(wanted, pair)
    counts = np.append(wanted, -1)[at] == pair
    tokens = np.bincount(at[counts], shared.tokens[counts], len(wanted))
    gold, system = np.divmod(wanted, max(systems, 1))
    return gold, system, tokens.astype(np.int64)
