"""Slots of labelled spans: slots that count are scored, others are kept for groups."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from clineval.base.arrays import BoolArray, IntArray
from clineval.base.errors import warn
from clineval.base.hashing import Hashes
from clineval.base.ratios import Number, Totals, precision_recall_f1, prf_keys, ratio
from clineval.kinds.mentions.columns import Side, share_values
from clineval.kinds.mentions.corpus import Corpus, Mentions, trace_sides
from clineval.kinds.mentions.digest import digest_documents
from clineval.kinds.mentions.matching import same_value
from clineval.kinds.mentions.measures import SpanMeasure, compare_all
from clineval.kinds.mentions.pairing import Pairs
from clineval.kinds.mentions.rows import MatchKind, Pairing, Rows, columns_of, rows_of
from clineval.results.averages import label_key
from clineval.results.columns import MentionColumns
from clineval.results.formulas import PRF_HEADINGS
from clineval.results.measures import Grid
from clineval.results.slots import Slot

STRICT_SLOTS = "strict_slots"
MATCHES = ("strict", "lenient")


@dataclass(frozen=True, slots=True, eq=False)
class SpanCorpus(Corpus):
    """A corpus whose mentions also have slots that neither scores nor digests use.

    Args:
        scored: the label and the slots that count.
    """

    scored: tuple[Slot, ...] = field(default=(), kw_only=True)

    @property
    def digests(self) -> Hashes:
        """``[documents]``, a digest of each document's gold mentions with the slots that count."""
        columns = self.gold.columns
        counted = {slot.name: columns.attributes[slot.name] for slot in self.scored}
        return digest_documents(replace(columns, attributes=counted), len(self.documents))


def join_scored(gold: Side, predicted: Side, scored: tuple[Slot, ...]) -> SpanCorpus:
    """Join both sides; mentions with the same fragments, label and scored slots count once."""
    corpus, rows = trace_sides(gold, predicted, scored)
    both = gold.mentions, predicted.mentions
    others = sorted(gold.mentions.attributes.keys() - {slot.name for slot in scored})
    shared = share_values(both, dict.fromkeys(others, ())) if others else both
    names = [slot.name for slot in scored]
    sides = zip((corpus.gold, corpus.prediction), shared, rows, strict=True)
    (lost, gold_side), (lost_too, predicted_side) = (_carry(*side, names) for side in sides)
    warn(
        "{n} {mention has|mentions have} the fragments and label of another mention and differ "
        "only in slots that are not scored; {it counts|they count} once, with one value of each "
        "slot. To score slots, pass slots=",
        n=lost + lost_too,
    )
    joined = corpus.documents, gold_side, predicted_side, corpus.texts
    return SpanCorpus(*joined, intake=corpus.intake, scored=scored)


def _carry(
    side: Mentions, given: MentionColumns, rows: IntArray, scored: Sequence[str]
) -> tuple[int, Mentions]:
    """Add the ``given`` values of other slots; return the number of lost values, and the side.

    If mentions are merged, the first value in the order of values is kept.
    """
    kept = np.flatnonzero(rows >= 0)
    attributes, lost = dict(side.columns.attributes), np.zeros(len(kept), np.bool_)
    for name, column in given.attributes.items():
        if name in scored:
            continue
        values: IntArray = column.ids[kept].astype(np.int64)
        ids = np.zeros(len(side), np.int64)
        order = np.argsort(-values, kind="stable")
        ids[rows[kept[order]]] = values[order]
        lost |= ids[rows[kept]] != values
        attributes[name] = replace(column, ids=ids)
    return int(lost.sum()), replace(side, columns=replace(side.columns, attributes=attributes))


class SlotScores(SpanMeasure):
    """Strict matches with all scored slots, and the accuracy of each slot in pairs."""

    def list_matches(
        self, corpus: Corpus, pairing: Pairing, _labels: Sequence[str], /
    ) -> Mapping[str, Rows]:
        """Return the strict rows with all slots, and the pairs whose slots are compared."""
        return {
            name if name == STRICT_SLOTS else f"{name}_accuracy": rows
            for name, rows in rows_of(corpus, pairing, _kinds(corpus)).items()
        }

    def finish(self, totals: Totals, _config: str, /) -> dict[str, Number]:
        """Compute them."""
        scores: dict[str, Number] = {}
        if f"{STRICT_SLOTS}_tp" in totals:
            scores |= precision_recall_f1(STRICT_SLOTS, totals)
        for match in MATCHES:
            for key in totals:
                name = key.removesuffix(f"_{match}_equal")
                if name != key:
                    scores[f"{name}_{match}_accuracy"] = ratio(totals[key], totals[f"{match}_tp"])
        return scores

    def tables(self) -> Iterable[Grid]:
        """Lay out the scores; the rows depend on the scored slots."""
        yield Grid("Strict, with slots", PRF_HEADINGS, {"all": prf_keys(STRICT_SLOTS)})
        yield Grid("Accuracy of slots in pairs", MATCHES, {}, _find_rows)


def _find_rows(scores: Iterable[str]) -> Mapping[str, tuple[str, ...]]:
    """Return the rows of the table of slots, from the keys of a score."""
    endings = [f"_{match}_accuracy" for match in MATCHES]
    slots = [key.removesuffix(endings[0]) for key in scores if key.endswith(endings[0])]
    return {slot: tuple(f"{slot}{ending}" for ending in endings) for slot in slots}


def pair_slots(strict: Pairs, corpus: Corpus) -> dict[str, Pairs]:
    """Return the strict pairs that agree in all scored slots; empty without scored slots."""
    slots = _scored(corpus)
    if not slots:
        return {}
    equal = [same_value(strict, corpus, slot) for slot in slots]
    return {STRICT_SLOTS: strict.take(np.logical_and.reduce(equal))}


def _scored(corpus: Corpus) -> tuple[Slot, ...]:
    return corpus.scored[1:] if isinstance(corpus, SpanCorpus) else ()


def _kinds(corpus: Corpus) -> dict[str, MatchKind]:
    if not _scored(corpus):
        return {}
    sums = {name: MatchKind({}, compare_all, _Agreeing(name)) for name in MATCHES}
    return {STRICT_SLOTS: MatchKind(columns_of(STRICT_SLOTS), compare_all), **sums}


@dataclass(frozen=True, slots=True)
class _Agreeing:
    """Yield which pairs of a match agree in each scored slot."""

    match: str

    def __call__(self, corpus: Corpus, pairs: Pairs) -> Iterator[tuple[str, BoolArray]]:
        for slot in _scored(corpus):
            yield f"{label_key(slot.name)}_{self.match}_equal", same_value(pairs, corpus, slot)
