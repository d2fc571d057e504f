"""Slots of labelled spans: those that count, and those that only describe mentions."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any

import numpy as np

from clineval.base.arrays import BoolArray, IntArray
from clineval.base.errors import warn
from clineval.base.hashing import Hashes
from clineval.base.ratios import Number, Totals, precision_recall_f1, ratio
from clineval.challenges.clinical_spans.reading import LABEL
from clineval.kinds.mentions.columns import MentionColumns, Side, share_values
from clineval.kinds.mentions.corpus import Corpus, Mentions, Reading, trace_sides
from clineval.kinds.mentions.digest import digest_documents
from clineval.kinds.mentions.labelled import label_key
from clineval.kinds.mentions.match import Match
from clineval.kinds.mentions.matching import same_value
from clineval.kinds.mentions.outcomes import MatchKind, Pairing, columns_of
from clineval.kinds.mentions.pairing import Pairs
from clineval.kinds.mentions.slots import Slot
from clineval.results.challenge import Setup

READING = Reading()
STRICT_SLOTS = "strict_slots"
_MATCHES = ("strict", "lenient")
_EQUAL = "_equal"


@dataclass(frozen=True, slots=True, eq=False)
class SpanCorpus(Corpus):
    """A corpus whose mentions have slots that do not count, nor in the digest.

    Args:
        scored: the names of what counts.
    """

    scored: tuple[str, ...] = field(default=(), kw_only=True)

    @property
    def digests(self) -> Hashes:
        """``[documents]``, a digest of what counts of the gold mentions of each."""
        columns = self.gold.columns
        counted = {name: columns.attributes[name] for name in self.scored}
        return digest_documents(replace(columns, attributes=counted), len(self.documents))


def scored_slots(setup: Setup) -> tuple[Slot, ...]:
    """Return the label, and the slots that count."""
    return (LABEL, *(Slot(name, "free") for name in setup["slots"] or ()))


def all_slots(corpus: Corpus) -> tuple[Slot, ...]:
    """Return the label, and the slots that mentions have."""
    names = corpus.gold.columns.attributes.keys() - {LABEL.name}
    return (LABEL, *(Slot(name, "free") for name in sorted(names)))


def join(gold: Side, predicted: Side, setup: Setup) -> Corpus:
    """Join both sides; mentions with the same fragments, label and slots that count are one."""
    scored = scored_slots(setup)
    names = [slot.name for slot in scored]
    corpus, rows = trace_sides(gold, predicted, scored, READING)
    others = sorted(gold.mentions.attributes.keys() - {*names})
    if not others:
        return corpus
    shared = share_values((gold.mentions, predicted.mentions), dict.fromkeys(others, ()))
    sides = zip((corpus.gold, corpus.prediction), shared, rows, strict=True)
    (lost, gold_side), (lost_too, predicted_side) = (_carry(*side) for side in sides)
    warn(
        "{n} {mention has|mentions have} the fragments and label of another, but other slots; as "
        "these do not count, {it is|they are} one with it, with one value of each",
        n=lost + lost_too,
    )
    both = gold_side, predicted_side
    return SpanCorpus(
        corpus.documents, *both, corpus.texts, intake=corpus.intake, scored=tuple(names)
    )


def _carry(side: Mentions, given: MentionColumns, rows: IntArray) -> tuple[int, Mentions]:
    """Add other slots as they were ``given``; return how many mentions differed in them too.

    Where mentions are one, the first value counts, in the order of the values.
    """
    kept = np.flatnonzero(rows >= 0)
    attributes, lost = dict(side.columns.attributes), np.zeros(len(kept), np.bool_)
    for name, column in given.attributes.items():
        values: IntArray = column.ids[kept].astype(np.int64)
        ids = np.zeros(len(side), np.int64)
        order = np.argsort(-values, kind="stable")
        ids[rows[kept[order]]] = values[order]
        lost |= ids[rows[kept]] != values
        attributes[name] = replace(column, ids=ids)
    return int(lost.sum()), replace(side, columns=replace(side.columns, attributes=attributes))


def compare(corpus: Corpus, pairs: Pairs, slots: Sequence[Slot] = ()) -> dict[str, BoolArray]:
    """Tell which pairs agree in each slot; by default in all slots."""
    return {s.name: same_value(pairs, corpus, s) for s in slots or all_slots(corpus)}


def pair_slots(strict: Pairs, corpus: Corpus, setup: Setup) -> dict[str, Pairs]:
    """Return the strict pairs that agree in all slots that count, if any does."""
    if not setup["slots"]:
        return {}
    equal = compare(corpus, strict, scored_slots(setup))
    return {STRICT_SLOTS: strict.take(np.logical_and.reduce([*equal.values()]))}


def kinds_of(setup: Setup) -> dict[str, MatchKind]:
    """Return what else is counted where slots count."""
    if not setup["slots"]:
        return {}
    sums = {name: MatchKind(weigh=partial(_weigh, setup, name)) for name in _MATCHES}
    return {STRICT_SLOTS: MatchKind(columns_of(STRICT_SLOTS), compare), **sums}


def _weigh(setup: Setup, match: str, corpus: Corpus, pairs: Any) -> Iterator[tuple[str, Any]]:
    """Yield which pairs of a match agree in each slot that counts."""
    for slot in scored_slots(setup)[1:]:
        yield f"{label_key(slot.name)}_{match}{_EQUAL}", same_value(pairs, corpus, slot)


def add_sums(
    matches: Mapping[str, Match], corpus: Corpus, pairing: Pairing, setup: Setup
) -> dict[str, Match]:
    """Return the outcomes, with the slots in which strict and lenient pairs agree."""
    found = dict(matches)
    for name in _MATCHES if setup["slots"] else ():
        found[name] = replace(found[name], sums=partial(_weigh, setup, name, corpus, pairing[name]))
    return found


def finish_slots(totals: Totals) -> dict[str, Number]:
    """Return the scores of slots that count, and of strict matches with all of them."""
    scores: dict[str, Number] = {}
    if f"{STRICT_SLOTS}_tp" in totals:
        scores |= precision_recall_f1(STRICT_SLOTS, totals)
    for match in _MATCHES:
        ending = f"_{match}{_EQUAL}"
        for key in totals:
            if key.endswith(ending):
                accuracy = ratio(totals[key], totals[f"{match}_tp"])
                scores[f"{key.removesuffix(ending)}_{match}_accuracy"] = accuracy
    return scores
