"""Who found whom: the pairs behind the counts, for every mention of both sides."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from clineval.arrays import BoolArray, Coded, FloatArray, IntArray
from clineval.challenges import clefehealth13_task1, clefehealth13_task2, semeval15_task14
from clineval.errors import InputError
from clineval.formats import nbest
from clineval.mentions.columns import MentionColumns
from clineval.mentions.corpus import Corpus
from clineval.mentions.matching import agreement, same_code
from clineval.mentions.overlap import Candidates, find_candidates, overlaps_any
from clineval.mentions.pairing import Pairs, find_same_spans, pair_greedily
from clineval.mentions.slots import CUI_LESS, Slot
from clineval.mentions.weights import Weights

_NONE = np.zeros(0, np.int64)
NOBODY = -1
DISPLACED = -2
"""A prediction that lost its gold mention to another one and counts as nothing."""


@dataclass(frozen=True, slots=True, eq=False)
class Partners:
    """Who is paired with whom: rows of the other side, or :data:`NOBODY`, :data:`DISPLACED`.

    True positives are the predictions with a partner, false positives those without, false
    negatives the gold mentions without. Under the released CLEF script several predictions
    may have the same partner.

    Args:
        gold: ``[g]``, row of the prediction of each gold mention.
        prediction: ``[p]``, row of the gold mention of each prediction.
    """

    gold: IntArray
    prediction: IntArray

    @classmethod
    def of(cls, pairs: Pairs, corpus: Corpus) -> Partners:
        """The partners that follow from pairs."""
        gold = np.full(len(corpus.gold), NOBODY, np.int64)
        prediction = np.full(len(corpus.prediction), NOBODY, np.int64)
        prediction[pairs.displaced] = DISPLACED
        gold[pairs.gold] = pairs.prediction
        prediction[pairs.prediction] = pairs.gold
        return cls(gold, prediction)


@dataclass(frozen=True, slots=True, eq=False)
class PairedMentions:
    """Who is paired with whom, under each match mode and criterion.

    Args:
        corpus: the mentions of both sides, as they were scored.
        slots: the slots that are scored.
        weights: the weights of the slots' values; None where nothing is weighted.
        exact: partners of the same span.
        overlap: partners that overlap.
        exact_coded: partners of the same span and code.
        overlap_coded: partners that overlap and have the same code.
        equal: ``[slots, p]``, which slots each prediction has in common with its partner in
            ``exact`` and, where it has none, in ``overlap``.
        modes: what a page calls the match modes ``exact`` and ``overlap``.
        spans_given: whether the spans are given to the systems, so that only codes are scored.
    """

    corpus: Corpus
    slots: Sequence[Slot]
    weights: Weights | None
    exact: Partners
    overlap: Partners
    exact_coded: Partners
    overlap_coded: Partners
    equal: BoolArray
    modes: tuple[str, str] = ("Exact", "Overlap")
    spans_given: bool = False

    @property
    def criteria(self) -> tuple[str, ...]:
        """What pairs can be judged by: ``span``, ``class`` (the code), ``both``."""
        if self.spans_given:
            return ("both",)
        coded = set(self.corpus.gold.columns.attributes["cui"].values) != {CUI_LESS}
        return ("span", "class", "both") if coded else ("span",)

    @property
    def pairings(self) -> Mapping[str, Partners]:
        """The four pairings by the name that a page gives them."""
        return {
            "exact/span": self.exact,
            "overlap/span": self.overlap,
            "exact/both": self.exact_coded,
            "overlap/both": self.overlap_coded,
        }

    def weight_columns(self) -> list[FloatArray]:
        """For each slot the weight of each of its values."""
        attributes = self.corpus.gold.columns.attributes
        values = [attributes[slot.name].values for slot in self.slots]
        if self.weights is None:
            return [np.ones(len(known)) for known in values]
        return [self.weights.column(s, v) for s, v in zip(self.slots, values, strict=True)]


def find_partners(
    module: str,
    predictions: Any,
    references: Any,
    *,
    config: str,
    protocol: str,
    **options: Any,
) -> PairedMentions:
    """Pair the mentions of a corpus as :func:`clineval.score` does, and keep the pairs.

    Args:
        module: a challenge whose unit is the mention.
        predictions: as in :func:`clineval.score`.
        references: as the predictions.
        config: as in :func:`clineval.score`.
        protocol: as in :func:`clineval.score`.
        options: the challenge's options.

    Examples:
        >>> gold = [[{"spans": [[4, 15]], "cui": "C1"}]]
        >>> found = [[{"spans": [[4, 9]], "cui": "C1"}]]
        >>> outcomes = find_partners(
        ...     "semeval15_task14", found, gold, config="default", protocol="spec")
        >>> outcomes.exact.prediction.tolist(), outcomes.overlap.prediction.tolist()
        ([-1], [0])
    """
    return FINDERS[module](predictions, references, config, protocol, **options)


def _find_semeval15(  # noqa: PLR0913 - the options are the challenge's
    predictions: Any,
    references: Any,
    config: str,
    protocol: str,
    *,
    overlap: str = "character",
    texts: Any = None,
    weights: Any = "share",
) -> PairedMentions:
    task = semeval15_task14
    rules = task.PROTOCOLS[protocol]
    corpus = task.read_corpus(predictions, references, rules, texts)
    pairing = task.pair(corpus, rules, overlap)
    same = find_same_spans(corpus.gold, corpus.prediction)
    exact = pair_greedily(same, lambda rivals: agreement(rivals, corpus, task.SLOTS))
    slots = task.SLOTS[:1] if config == "task1" else task.SLOTS
    partners = Partners.of(exact, corpus), Partners.of(pairing.span, corpus)
    return PairedMentions(
        corpus,
        slots,
        task.choose_weights(weights, corpus.gold, rules),
        *partners,
        Partners.of(pairing.strict, corpus),
        Partners.of(pairing.relaxed, corpus),
        _compare(corpus, partners, slots, intersect=rules.locations == "intersect"),
    )


def _find_clefehealth13(
    predictions: Any, references: Any, config: str, protocol: str
) -> PairedMentions:
    task = clefehealth13_task1
    rules = task.PROTOCOLS[protocol]
    corpus = task.read_corpus(predictions, references, config, rules)
    pairs = task.pair_exactly(corpus)
    coded = pairs.take(same_code(pairs, corpus))
    exact = Partners.of(pairs, corpus)
    if rules.overlap == "any":
        overlap, overlap_coded = _any_partners(corpus, exact)
    else:
        overlapping = task.pair_overlapping(corpus, pairs)
        same = overlapping.take(same_code(overlapping, corpus))
        overlap, overlap_coded = Partners.of(overlapping, corpus), Partners.of(same, corpus)
    return PairedMentions(
        corpus,
        task.SLOTS,
        None,
        exact,
        overlap,
        Partners.of(coded, corpus),
        overlap_coded,
        _compare(corpus, (exact, overlap), task.SLOTS, intersect=False),
    )


def _find_abbreviations(
    predictions: Any, references: Any, config: str, protocol: str
) -> PairedMentions:
    """Task 2: the code is the annotators' first one, or any that they listed."""
    del config, protocol  # there is one each
    if not all(isinstance(given, (str, os.PathLike)) for given in (predictions, references)):
        raise InputError(
            "a report shows where abbreviations are, and lists of codes do not say it",
            remedy="Give files, or text, in the format of Task 1",
        )
    corpus = nbest.read_corpus(predictions, references)
    best, listed = clefehealth13_task2.compare(nbest.pair_codes(corpus))
    pairs = find_same_spans(corpus.gold, corpus.prediction)
    equal = np.zeros((1, len(corpus.prediction)), np.bool_)
    equal[0, pairs.prediction] = best[pairs.gold]
    same_span = Partners.of(pairs, corpus)
    return PairedMentions(
        corpus,
        (nbest.ANSWERS,),
        None,
        same_span,
        same_span,
        Partners.of(pairs.take(best[pairs.gold]), corpus),
        Partners.of(pairs.take(listed[pairs.gold]), corpus),
        equal,
        modes=("First code", "Listed code"),
        spans_given=True,
    )


FINDERS: Mapping[str, Callable[..., PairedMentions]] = {
    "semeval15_task14": _find_semeval15,
    "clefehealth13_task1": _find_clefehealth13,
    "clefehealth13_task2": _find_abbreviations,
}
"""The challenges whose unit is the mention."""


def _compare(
    corpus: Corpus, partners: Sequence[Partners], slots: Sequence[Slot], *, intersect: bool
) -> BoolArray:
    """``[slots, p]``, what each prediction and its partner have in common."""
    exact, overlap = partners
    gold_rows = np.where(overlap.prediction >= 0, overlap.prediction, exact.prediction)
    rows = np.flatnonzero(gold_rows >= 0)
    equal = np.zeros((len(slots), len(corpus.prediction)), np.bool_)
    for at, slot in enumerate(slots):
        ids = corpus.prediction.ids(slot.name)[rows]
        gold_ids = corpus.gold.ids(slot.name)[gold_rows[rows]]
        equal[at, rows] = ids == gold_ids
        if slot.kind == "codes" and intersect:
            equal[at, rows] |= _intersect(corpus.gold.columns.attributes[slot.name], gold_ids, ids)
    return equal


def _intersect(column: Coded, left: IntArray, right: IntArray) -> BoolArray:
    sets = [set(value.split(",")) for value in column.values]
    return np.array(
        [bool(sets[a] & sets[b]) for a, b in zip(left.tolist(), right.tolist(), strict=True)],
        np.bool_,
    )


def _any_partners(corpus: Corpus, exact: Partners) -> tuple[Partners, Partners]:
    """A partner for every mention that overlaps any, and one of its own code if there is one.

    Of several the one of the same span comes first, then one of the same code, then the one
    that shares most. The script looks for no partner; these are for people to look at.
    """
    gold, prediction = corpus.gold.columns, corpus.prediction.columns
    near = find_candidates(
        gold,
        prediction,
        np.arange(len(gold)),
        np.arange(len(prediction)),
        clefehealth13_task1.SHARED,
    )
    near = _add_empty(near, corpus)
    same_span = exact.prediction[near.prediction] == near.gold
    coded = same_code(near, corpus)
    order = np.lexsort((near.gold, -near.shared, ~coded, ~same_span))
    near, coded = near.take(order), coded[order]
    return _first_partners(near, corpus), _first_partners(near.take(coded), corpus)


def _add_empty(near: Candidates, corpus: Corpus) -> Candidates:
    """The pairs of empty fragments with what they lie inside of: they share no character."""
    gold, prediction = corpus.gold.columns, corpus.prediction.columns
    sides = ((prediction, gold, near.prediction), (gold, prediction, near.gold))
    found = []
    for swapped, (mentions, others_, known) in enumerate(sides):
        lonely = np.flatnonzero(overlaps_any(mentions, others_))
        for row in np.setdiff1d(lonely, known).tolist():
            other = _first_overlapped(mentions, row, others_)
            found.append((row, other) if swapped else (other, row))
    more = np.array(sorted(set(found)), np.int64).reshape(-1, 2)
    return Candidates(
        np.concatenate([near.gold, more[:, 0]]),
        np.concatenate([near.prediction, more[:, 1]]),
        np.concatenate([near.shared, np.zeros(len(more), np.int64)]),
    )


def _first_overlapped(mentions: MentionColumns, row: int, others_: MentionColumns) -> int:
    low, high = mentions.bounds[row], mentions.bounds[row + 1]
    owners = others_.owners
    inside = others_.document[owners] == mentions.document[row]
    touched = np.zeros(len(owners), np.bool_)
    for start, end in zip(mentions.starts[low:high], mentions.ends[low:high], strict=True):
        touched |= (others_.starts < end) & (others_.ends > start)
    return int(owners[np.flatnonzero(inside & touched)[0]])


def _first_partners(near: Candidates, corpus: Corpus) -> Partners:
    partners = Partners.of(Pairs(_NONE, _NONE), corpus)
    # of repeated indices the last assignment stands, so backwards the first one does
    partners.gold[near.gold[::-1]] = near.prediction[::-1]
    partners.prediction[near.prediction[::-1]] = near.gold[::-1]
    return partners
