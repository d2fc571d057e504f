"""Relations and mentions under three kinds of match, each wider than the one before it.

strict     the same fragments and labels of mentions
spans      the same fragments, whatever the labels
overlap    a character in common, whatever the labels
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from functools import partial

import numpy as np

from clineval.base.arrays import BoolArray, IntArray
from clineval.kinds.mentions.corpus import Corpus
from clineval.kinds.mentions.labelled import pair_lenient, pair_strict
from clineval.kinds.mentions.matching import agreement, closest, others, same_spans, same_value
from clineval.kinds.mentions.overlap import Candidates
from clineval.kinds.mentions.pairing import Pairs, find_same_spans, pair_same_spans
from clineval.kinds.relations.columns import RelatedCorpus
from clineval.kinds.relations.joining import has_label, pair_by_partners
from clineval.kinds.relations.near_misses import find_near, find_touched
from clineval.kinds.relations.pairing import Near, pair_relations
from clineval.results.slots import Slot

STRICT, SPANS, OVERLAP = DEGREES = ("strict", "spans", "overlap")
Ends = Mapping[str, tuple[BoolArray, BoolArray]]
"""Kind of match to whether each gold and each predicted mention matches any of the other side."""


def pair_by_degrees(
    block: RelatedCorpus, label: Slot, symmetric: Collection[str]
) -> dict[str, Pairs]:
    """Pair relations of equal types one to one; each kind of match begins with the one before it.

    Further pairs are accepted in the order of :func:`~clineval.kinds.relations.pairing.closest`.

    Args:
        block: both sides.
        label: the slot with the labels of mentions.
        symmetric: the types whose ends may be swapped; they lead from the end that comes first.
    """
    mentions = block.mentions
    same = find_same_spans(mentions)
    strict = pair_by_partners(block, same.take(same_value(same, mentions, label)))
    spans = _add_pairs(block, strict, partial(_find_same, mentions), symmetric)
    overlap = _add_pairs(block, spans, partial(find_near, mentions), symmetric)
    return {STRICT: strict, SPANS: spans, OVERLAP: overlap}


def _add_pairs(block: RelatedCorpus, pairs: Pairs, find: Near, symmetric: Collection[str]) -> Pairs:
    """Add pairs of the remaining relations, apart for types with and without direction."""
    parts = [pairs]
    sides = (pairs.gold, block.gold), (pairs.prediction, block.prediction)
    left = [(others(taken, relations), relations) for taken, relations in sides]
    turned = [has_label(relations, symmetric)[rows] for rows, relations in left]
    for which in (False, True):
        gold, prediction = (rows[has == which] for (rows, _), has in zip(left, turned, strict=True))
        if len(gold) and len(prediction):
            parts.append(pair_relations(block, gold, prediction, find, directed=not which))
    return Pairs.joined(parts)


def _find_same(mentions: Corpus, gold: IntArray, prediction: IntArray) -> Iterable[Candidates]:
    """Yield the pairs of some mentions with the same span."""
    for near in find_near(mentions, gold, prediction):
        columns = mentions.gold.columns, near.gold, mentions.prediction.columns, near.prediction
        yield near.take(same_spans(*columns))


def pair_mentions(mentions: Corpus, label: Slot) -> dict[str, Pairs]:
    """Pair mentions one to one for each kind of match."""
    same = pair_same_spans(mentions, agreement(mentions, [label]))
    shared = pair_lenient(mentions, same, None, order=closest)
    return {STRICT: pair_strict(mentions, [label]), SPANS: same, OVERLAP: shared}


def find_ends(mentions: Corpus, label: Slot) -> Ends:
    """Find the mentions that match any of the other side, for each kind of match."""
    same = find_same_spans(mentions)
    alike = same.take(same_value(same, mentions, label))
    found = {match: _mark(mentions, pairs) for match, pairs in ((STRICT, alike), (SPANS, same))}
    return {**found, OVERLAP: find_touched(mentions)}


def _mark(mentions: Corpus, pairs: Pairs) -> tuple[BoolArray, BoolArray]:
    """Return for both sides which mentions are in a pair."""
    gold, prediction = np.zeros(len(mentions.gold), bool), np.zeros(len(mentions.prediction), bool)
    gold[pairs.gold], prediction[pairs.prediction] = True, True
    return gold, prediction


def count_lost_ends(
    block: RelatedCorpus, pairs: Pairs, match: str, ends: Ends
) -> dict[str, IntArray]:
    """Count the wrong relations with an end that no mention of the other side matches.

    Returns:
        ``<match>_fn_ends`` and ``<match>_fp_ends``, ``[documents]`` each.
    """
    sides = ("fn", block.gold, pairs.gold), ("fp", block.prediction, pairs.prediction)
    counts: dict[str, IntArray] = {}
    for (verdict, relations, paired), known in zip(sides, ends[match], strict=True):
        lost = ~(known[relations.source] & known[relations.target])
        lost[paired] = False
        documents = relations.document[lost]
        counts[f"{match}_{verdict}_ends"] = np.bincount(documents, minlength=len(block.documents))
    return counts
