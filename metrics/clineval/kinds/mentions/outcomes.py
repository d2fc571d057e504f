"""Outcomes: lists of all mentions with their pairs and verdicts, whose lengths are the counts.

A challenge pairs a corpus once. Each of its kinds of match (``strict`` and ``relaxed``, ``exact``
and ``overlap``) has its own list of outcomes: the row of the gold mention, the row of the predicted
mention, and a verdict. Counts are lengths of parts of such a list, so that a number always equals
its rows:

    outcomes = evaluate("semeval15_task14", predictions, references, config="task2b").outcomes
    match = outcomes.matches["span"]
    rows = match.rows("span_fp")                        # rows of the list; len(rows) == span_fp
    document = outcomes.documents_of(match)[rows]       # index into outcomes.documents
    outcomes.prediction.text_of_spans(match.prediction[rows[0]])     # '4-15,31-38'
    match.equal["negation"]                             # of the pairs, which come first
    outcomes.value("negation", match, rows[0])          # (None, 'yes'): gold's, prediction's
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from clineval.base.arrays import Coded, IntArray
from clineval.kinds.mentions.any_class import pair_any_class
from clineval.kinds.mentions.parts import join_blocks
from clineval.kinds.mentions.rows import (
    list_rows,
)
from clineval.results.challenge import Challenge, Setup
from clineval.results.columns import MentionColumns
from clineval.results.kind import Kind
from clineval.results.label_rows import LabelRows
from clineval.results.match import NONE, Match
from clineval.results.measures import Finish, Measures
from clineval.results.protocol import Corpus

ANY_CLASS = "any_class"
"""The match of mentions that overlap, whatever their class, if a challenge has no such match."""
NEAR_MISSES = "near_misses"
"""The widest match with further pairs, which only the list of errors shows."""


@dataclass(frozen=True, slots=True, eq=False)
class Outcomes:
    """The outcomes of all mentions of a corpus.

    Args:
        challenge: the challenge.
        config: the configuration.
        kind: the kind of annotation.
        documents: the names of the documents.
        gold: the gold mentions; a boundary, a phrase or an abbreviation counts as a mention.
        prediction: the predicted mentions, with the same attributes; the numbers of values are
            the same on both sides.
        matches: name of a kind of match to its outcomes.
        widest: the match with most pairs, of mentions of any class; every mention is in at most one
            of its rows.
        finish: computes the scores of a group of outcomes.
        languages: name of a document to its language, if the files state it.
        label_match: the match whose rows are labels of documents; empty if no score needs labels.
        protocol: the name of the protocol.
    """

    challenge: Challenge
    config: str
    kind: Kind
    documents: tuple[str, ...]
    gold: MentionColumns
    prediction: MentionColumns
    matches: Mapping[str, Match]
    widest: str
    finish: Finish
    languages: Mapping[str, str] = field(default_factory=dict)
    label_match: str = ""
    protocol: str = "spec"

    @property
    def measures(self) -> Measures:
        """The scores of the protocol."""
        return self.challenge.measures.of_protocol(self.protocol)

    @property
    def class_slot(self) -> str:
        """The name of the slot of the class."""
        return self.kind.class_slot.name if self.kind.class_slot else ""

    def documents_of(self, match: Match) -> IntArray:
        """Find the document of each row of a match, ``[n]``, as an index."""
        return match.choose(self.gold.document, self.prediction.document)

    def list_labels(self, number: IntArray, size: int) -> LabelRows:
        """Return the labels of groups, without scores.

        Args:
            number: ``[n]``, the number of the group of each row of the match :attr:`label_match`;
                rows with another number are left out.
            size: the number of groups.
        """
        match = self.matches[self.label_match]
        rows = np.flatnonzero((number >= 0) & (number < size))
        columns = [side.attributes[self.class_slot] for side in (self.gold, self.prediction)]
        ids = match.choose(columns[0].ids, columns[1].ids)[rows]
        sides = match.gold[rows] != NONE, match.prediction[rows] != NONE
        return LabelRows.of(size, number[rows], Coded(ids, columns[0].values), sides)

    def value(self, slot: str, match: Match, row: int) -> tuple[str | None, str | None]:
        """Return the gold and the predicted value of a slot; None if there is no mention."""
        sides = ((self.gold, match.gold[row]), (self.prediction, match.prediction[row]))
        columns = [(side.attributes[slot], at) for side, at in sides]
        gold, prediction = (c.values[c.ids[at]] if at >= 0 else None for c, at in columns)
        return gold, prediction


def list_outcomes(corpus: Corpus, pairings: Sequence[object], setup: Setup) -> Outcomes:
    """Compute the outcomes of all annotations from the pairing of each block of a corpus."""
    steps, challenge = setup.steps, setup.challenge
    matches = dict(steps.widen(corpus, _list_blocks(corpus, pairings, setup), setup))
    sides, widest = steps.sides(corpus, setup), steps.widest or [*matches][-1]
    if ANY_CLASS not in matches and steps.kind.class_slot and not steps.any_class:
        matches[ANY_CLASS] = pair_any_class(matches[widest], *sides, corpus.documents)
    widest = ANY_CLASS if ANY_CLASS in matches else widest
    finish = steps.finish(setup)
    return Outcomes(
        challenge,
        setup.config,
        steps.kind,
        corpus.documents,
        *sides,
        matches,
        widest,
        finish,
        label_match=steps.label_match,
        protocol=setup.protocol,
    )


def _list_blocks(corpus: Corpus, pairings: Sequence[object], setup: Setup) -> Mapping[str, Match]:
    """List the rows of all blocks, pairs first."""
    steps = setup.steps
    if len(pairings) == 1:
        return _list_block(corpus, pairings[0], setup)
    parts: dict[str, list[Match]] = {}
    before = 0, 0
    for block, pairing in zip(corpus.blocks(), pairings, strict=True):
        for name, match in _list_block(block, pairing, setup).items():
            parts.setdefault(name, []).append(match.shift(*before))
        gold, prediction = map(len, steps.sides(block, setup))
        before = before[0] + gold, before[1] + prediction
    return {name: join_blocks(matches) for name, matches in parts.items()}


def _list_block(block: Corpus, pairing: object, setup: Setup) -> Mapping[str, Match]:
    return list_rows(setup.steps.list_matches(block, pairing, setup))
