"""Labelled spans: scores of each label, micro and macro, under one or several kinds of match.

Challenges whose mentions have labels share this module. A challenge declares
:class:`~clineval.kinds.mentions.measures.Spans` for each kind of match; it pairs a corpus itself,
or with :func:`pair_strict` and :func:`pair_lenient`. The keys of ``strict`` are

    strict_tp ...            of all mentions together (micro)
    drug_strict_tp ...       of the label Drug
    macro_strict_f1 ...      the mean over the labels that either side has
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from clineval.kinds.mentions.corpus import Corpus
from clineval.kinds.mentions.matching import agreement, others, precedence, same_value
from clineval.kinds.mentions.overlap import find_candidates_in_parts
from clineval.kinds.mentions.pairing import Key, Pairs, pair_greedily, pair_same_spans
from clineval.results.slots import Slot

MATCHES = {
    "exact/span": "boundary",
    "overlap/span": "overlap",
    "exact/both": "strict",
    "overlap/both": "lenient",
}
"""Pairing of a page to kind of match."""


def pair_strict(corpus: Corpus, slots: Sequence[Slot]) -> Pairs:
    """Pair mentions with the same span and the same label, one to one.

    The first slot must agree; pairs that agree in more of the other slots come first.
    """
    exact = pair_same_spans(corpus, agreement(corpus, slots))
    return exact.take(same_value(exact, corpus, slots[0]))


def pair_all(corpus: Corpus, *slots: Slot) -> dict[str, Pairs]:
    """Pair by every kind of match of :data:`MATCHES`; the first slot is the label."""
    strict = pair_strict(corpus, slots)
    boundary = pair_same_spans(corpus, agreement(corpus, slots))
    return {
        "strict": strict,
        "boundary": boundary,
        "lenient": pair_lenient(corpus, strict, slots[0]),
        "overlap": pair_lenient(corpus, boundary, None),
    }


def pair_lenient(
    corpus: Corpus,
    strict: Pairs,
    label: Slot | None,
    *,
    order: Callable[[Corpus], Sequence[Key]] = precedence,
) -> Pairs:
    """Add overlapping pairs of the remaining mentions to strict pairs, one to one.

    Args:
        corpus: both sides.
        strict: the strict pairs.
        label: the slot that must agree; None for none.
        order: returns the sort keys of overlapping pairs.
    """
    candidates = find_candidates_in_parts(
        corpus.gold.columns,
        corpus.prediction.columns,
        others(strict.gold, corpus.gold),
        others(strict.prediction, corpus.prediction),
        corpus.documents,
    )
    keys = order(corpus)
    lenient = (
        pair_greedily(near.take(same_value(near, corpus, label)) if label else near, keys)
        for near in candidates
    )
    return Pairs.joined([strict, *lenient])
