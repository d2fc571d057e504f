"""BioCreative V CDR read, paired and counted; ``__init__.py`` says how."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from clineval.base.arrays import IntArray, rank_rows
from clineval.base.errors import InputError, called
from clineval.base.ratios import Columns, Number, Totals, precision_recall_f1
from clineval.challenges.bc5cdr.items import read_items
from clineval.challenges.bc5cdr.pubtator import KINDS, MENTIONS, RELATION, ItemSide
from clineval.kinds.documents import align_documents
from clineval.kinds.mentions.columns import MentionColumns, share_values
from clineval.kinds.mentions.corpus import Corpus, Mentions
from clineval.kinds.mentions.labelled import finish_labels
from clineval.kinds.mentions.match import Match
from clineval.kinds.mentions.outcomes import (
    MatchKind,
    Outcomes,
    columns_of,
    join_pairings,
    list_matches,
    tally_matches,
)
from clineval.kinds.mentions.pairing import Pairs
from clineval.kinds.mentions.parts import Part, stack_matches
from clineval.kinds.mentions.slots import Slot
from clineval.results.challenge import Setup, Steps

LABEL, CONCEPT = Slot("label", "label", (*MENTIONS, RELATION)), Slot("concept", "label")
KIND = "kind"


@dataclass(frozen=True, slots=True)
class Rules:
    """The rules on which the protocols differ.

    Args:
        strict: read as the document says, or as the program does.
        documents: predictions count in ``all`` documents, or where there are ``gold`` items of the
            same kind and type.
    """

    strict: bool
    documents: str


PROTOCOLS = {
    "spec": Rules(strict=True, documents="all"),
    "official": Rules(strict=False, documents="gold"),
}
SCORED: Mapping[str, tuple[str, tuple[str, ...]]] = {
    **{
        f"{label.lower()}_{kind}": (kind, (label,))
        for kind in ("mentions", "concepts")
        for label in MENTIONS
    },
    **{kind: (kind, ()) for kind in KINDS},
}
"""What is scored: a kind of items, and the types that it has; all if empty."""


def read(
    references: Any, predictions: Sequence[Any], setup: Setup
) -> tuple[ItemSide, list[ItemSide]]:
    """Read both sides: PubTator, BioC, JSON Lines, dicts, or Documents."""
    strict = setup.rules.strict
    gold = read_items(references, strict=strict, side="references")
    return gold, [read_items(each, strict=strict, side="predictions") for each in predictions]


def join(gold: ItemSide, predicted: ItemSide, setup: Setup) -> Corpus:
    """Join both sides; equal items have the same place."""
    documents, *numbers = align_documents(gold, predicted)
    asked = KINDS if setup.config == "default" else (setup.config,)
    columns = [_as_columns(s, n, asked) for s, n in zip((gold, predicted), numbers, strict=True)]
    if not setup.rules.strict:
        _refuse_several(columns, documents)
    columns = share_values(columns, dict.fromkeys(columns[0].attributes, ()))
    size = len(columns[0])
    texts: dict[str, int] = {}
    keys = [_keys_of(side, texts) for side in columns]
    ranks = rank_rows([np.concatenate(both) for both in zip(*keys, strict=True)])
    places = np.split(ranks, [size])
    sides = [
        Mentions(side, place, np.zeros(len(side), np.int64))
        for side, place in zip(columns, places, strict=True)
    ]
    return Corpus(documents, sides[0], sides[1], {})


def _as_columns(side: ItemSide, numbers: IntArray, kinds: Sequence[str]) -> MentionColumns:
    """Return the items of the kinds that are scored, as mentions."""
    document = numbers[side.document] if len(side.document) else side.document
    whole = MentionColumns(
        document,
        side.bounds,
        side.starts,
        side.ends,
        {KIND: side.kind, LABEL.name: side.label, CONCEPT.name: side.concept},
    )
    known = np.array([value in kinds for value in side.kind.values], np.bool_)
    wanted = known[side.kind.ids] if len(document) else np.zeros(0, np.bool_)
    order = np.argsort(document, kind="stable")
    return whole.take(order[np.flatnonzero(wanted[order])])


def _refuse_several(columns: Sequence[MentionColumns], documents: Sequence[str]) -> None:
    for side in columns:
        several = np.flatnonzero(side.fragment_counts > 1)
        if len(several):
            raise InputError(
                "the released program stops at a mention with several locations",
                where=f"document {called(documents[side.document[several[0]]])}",
            )


def _keys_of(side: MentionColumns, texts: dict[str, int]) -> list[IntArray]:
    """Return what makes two items the same; ``texts`` numbers spans of several fragments."""
    values = [column.ids for column in side.attributes.values()]
    first = side.bounds[:-1]
    rest = np.zeros(len(side), np.int64)
    for row in np.flatnonzero(side.fragment_counts > 1).tolist():
        rest[row] = texts.setdefault(side.text_of_spans(row), len(texts) + 1)
    return [side.document, *values, side.starts[first], side.ends[first], rest]


def pair(corpus: Corpus, setup: Setup) -> Mapping[str, Pairs]:
    """Pair equal items of each kind and type; predictions that do not count are displaced."""
    asked = KINDS if setup.config == "default" else (setup.config,)
    pairs = {}
    for name, (kind, _) in SCORED.items():
        if kind in asked:
            part = _select(corpus, name).corpus
            _, left, right = np.intersect1d(
                part.gold.place, part.prediction.place, assume_unique=True, return_indices=True
            )
            pairs[name] = Pairs(left, right, _find_displaced(part, setup))
    return pairs


def _find_displaced(part: Corpus, setup: Setup) -> IntArray:
    """Find predictions in documents without a gold item, where these do not count."""
    if setup.rules.documents == "all":
        return np.zeros(0, np.int64)
    visited = part.gold.columns.sizes(len(part.documents)) > 0
    return np.flatnonzero(~visited[part.prediction.columns.document])


def _select(corpus: Corpus, name: str) -> Part:
    """Select the items that a score is about."""
    kind, labels = SCORED[name]
    return Part.of(corpus, {KIND: (kind,), LABEL.name: labels})


def _compare(corpus: Corpus, pairs: Pairs) -> dict[str, Any]:  # noqa: ARG001 - they are equal
    return dict.fromkeys((LABEL.name, CONCEPT.name), np.ones(len(pairs), np.bool_))


def tally(corpus: Corpus, pairing: Mapping[str, Pairs], setup: Setup) -> Columns:  # noqa: ARG001
    """Return the counts of each document."""
    columns: dict[str, Any] = {}
    for name, pairs in pairing.items():
        kinds = {name: MatchKind(columns_of(name))}
        columns |= tally_matches(_select(corpus, name).corpus, {name: pairs}, kinds)
    return columns


def list_outcomes(
    corpus: Corpus, pairings: Sequence[Mapping[str, Pairs]], setup: Setup
) -> Outcomes:
    """List what became of every item; concepts and relations are mentions without words."""
    blocks = list(corpus.blocks())
    matches: dict[str, Match] = {}
    for name in pairings[0]:
        part = _select(corpus, name)
        parts = [_select(block, name).corpus for block in blocks]
        found = join_pairings(parts, [{name: pairs[name]} for pairs in pairings])
        kinds = {name: MatchKind(columns_of(name), _compare)}
        [match] = list_matches(part.corpus, found, kinds).values()
        matches[name] = part.put_back(match)
    matches["all"] = stack_matches([match for name, match in matches.items() if name in KINDS])
    return Outcomes.of(setup, corpus, matches, "all")


def finish(totals: Totals, config: str) -> dict[str, Number]:  # noqa: ARG001 - totals tell
    """Return scores from totals, by the formulas of the specification."""
    scores: dict[str, Number] = {}
    for kind in KINDS:
        if f"{kind}_tp" in totals:
            scores |= (
                precision_recall_f1(kind, totals)
                if kind == "relations"
                else finish_labels(totals, {kind: kind}, MENTIONS)
            )
    return scores


STEPS = Steps(read, join, pair, tally, list_outcomes)
