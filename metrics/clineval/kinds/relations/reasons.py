"""Outcomes of links: right by inference with the path, contradictory with the cycle."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial

import numpy as np

from clineval.base.arrays import BoolArray, IntArray
from clineval.kinds.relations.closure import Step
from clineval.kinds.relations.linked import LinkedCorpus, LinkedDocument
from clineval.results.match import NONE, VERDICTS, Match
from clineval.results.reasoning import NamedLink, Reasoning

INFERRED, CONTRADICTORY = "right by inference", "contradictory"
"""Kinds of outcomes: an unpaired link that follows from those of the other side; and a wrong one
that contradicts others of its own side."""
_SIDES = ("gold", "predicted")
_TP, _DISPLACED = VERDICTS.index("tp"), VERDICTS.index("displaced")


def mark_inferred(match: Match, gold: Match, prediction: Match) -> Match:
    """Return a match whose unpaired links are true positives if they follow.

    Args:
        match: the links that both sides have, in pairs.
        gold: the outcomes of all gold links, without pairs.
        prediction: the outcomes of all predicted links.
    """
    right = np.isin(match.gold, gold.gold[gold.verdict == _TP])
    right |= np.isin(match.prediction, prediction.prediction[prediction.verdict == _TP])
    verdict = np.where(right & _is_alone(match), np.int8(_TP), match.verdict)
    return replace(match, verdict=verdict)


def _is_alone(match: Match) -> BoolArray:
    alone: BoolArray = (match.gold == NONE) | (match.prediction == NONE)
    return alone


@dataclass(frozen=True, slots=True, eq=False)
class LinkReasons:
    """Finds out why links of a corpus count as they do.

    Args:
        linked: the links of both sides.
        name_end: returns the name of a mention from its side, 0 or 1, and its row.
    """

    linked: LinkedCorpus
    name_end: Callable[[int, int], str]

    def add_to(self, match: Match, explain: Callable[[Match], Match]) -> Match:
        """Add the kinds of outcomes to a match, and the chains of links to list on demand.

        Args:
            match: all outcomes, after :func:`mark_inferred`.
            explain: names what is wrong with other links.
        """
        contradictory = _is_alone(match) & (match.verdict != _TP) & self._find_contradictory(match)
        verdict = np.where(contradictory, np.int8(_DISPLACED), match.verdict)
        named = explain(replace(match, verdict=verdict))
        inferred, contradictory = (
            _is_alone(named) & (named.verdict == verdict) for verdict in (_TP, _DISPLACED)
        )
        rows = np.sort(named.gold[inferred]), np.sort(named.prediction[inferred])
        return replace(
            named,
            reasons={**named.reasons, INFERRED: inferred, CONTRADICTORY: contradictory},
            reasonings=partial(self.list_reasonings, rows),
        )

    def _find_contradictory(self, match: Match) -> BoolArray:
        """Return which rows have a contradictory link."""
        sides = [np.zeros(len(links) + 1, np.bool_) for links in self.linked.links]
        for document in self.linked.list_documents():
            for flags, rows, own in zip(sides, document.rows, document.closed, strict=True):
                flags[rows] = own.contradictory
        found: BoolArray = sides[0][match.gold] | sides[1][match.prediction]  # the last is NONE
        return found

    def list_reasonings(self, inferred: tuple[IntArray, IntArray]) -> Iterator[Reasoning]:
        """Yield the path of each inferred link, and the cycle of each contradictory one.

        The links of a cycle are contradictory even if the other side has them.

        Args:
            inferred: the rows of the gold and of the predicted links that only follow.
        """
        for document in self.linked.list_documents():
            for side, rows in enumerate(document.rows):
                within = slice(*np.searchsorted(inferred[side], [rows.start, rows.stop]))
                chosen = inferred[side][within] - rows.start
                yield from self._list_paths(document, side, chosen.tolist())
                yield from self._list_cycles(document, side)

    def _list_paths(
        self, document: LinkedDocument, side: int, rows: Sequence[int]
    ) -> Iterator[Reasoning]:
        links, other = document.closed[side].links, 1 - side
        for row in rows:
            ends = int(links.first[row]), int(links.second[row])
            path = document.closed[other].find_path(*ends)
            yield self._reason(document, INFERRED, (side, row), (other, path))

    def _list_cycles(self, document: LinkedDocument, side: int) -> Iterator[Reasoning]:
        own = document.closed[side]
        rows = np.flatnonzero(own.contradictory)
        order = np.argsort(own.links.second[rows], kind="stable")  # quick: one search for each end
        cycles = {row: own.find_cycle(row) for row in rows[order].tolist()}
        for row in rows.tolist():
            yield self._reason(document, CONTRADICTORY, (side, row), (side, cycles[row]))

    def _reason(
        self,
        document: LinkedDocument,
        kind: str,
        link: tuple[int, int],
        chain: tuple[int, Sequence[Step]],
    ) -> Reasoning:
        """Name a link, its side and row, and a chain of links of a side."""
        side, row = link
        of_chain, steps = chain
        return Reasoning(
            self.linked.corpus.documents[document.document],
            kind,
            _SIDES[side],
            self._name(document, side, Step(row, backwards=False)),
            tuple(self._name(document, of_chain, step) for step in steps),
            self._name_relation(side, document.rows[side].start + row, turned=False),
        )

    def _name(self, document: LinkedDocument, side: int, step: Step) -> NamedLink:
        """Name a link in the direction of a chain."""
        row = document.rows[side].start + step.row
        turned = bool(self.linked.turned[side][row]) != step.backwards
        return self._name_relation(side, row, turned=turned)

    def _name_relation(self, side: int, row: int, *, turned: bool) -> NamedLink:
        mentions, relations = self.linked.corpus.sides[side]
        ends = int(relations.source[row]), int(relations.target[row])
        source, target = ends[::-1] if turned else ends
        label = relations.label.values[relations.label.ids[row]]
        names = self.name_end(side, source), self.name_end(side, target)
        places = mentions.columns.fragments_of(source), mentions.columns.fragments_of(target)
        return NamedLink(label, *names, places)
