"""Precision, recall and F1 of the evidence of answers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain

import numpy as np

from clineval.base.arrays import BoolArray, Coded, IntArray
from clineval.base.errors import warn
from clineval.kinds.classes.evidence import list_spans
from clineval.kinds.classes.parts import EXACT, MATCHES, OVERLAP
from clineval.kinds.classes.scheme import ANSWER, EVIDENCE
from clineval.kinds.mentions.columns import Side
from clineval.kinds.mentions.corpus import trace_sides
from clineval.kinds.mentions.labelled import pair_lenient, pair_strict
from clineval.kinds.mentions.rows import Rows, columns_of
from clineval.kinds.records.corpus import RecordCorpus, place_nowhere
from clineval.results.columns import MentionColumns, Sides
from clineval.results.formulas import Prf
from clineval.results.match import Match
from clineval.results.protocol import CountsT
from clineval.results.slots import Slot

_ANSWER = Slot(ANSWER, "label", required=True)
_COUNTS = tuple(chain.from_iterable(map(columns_of, MATCHES)))
_ENDS = {(True, True): "", (True, False): "_references", (False, True): "_predictions"}
"""Whether each side has evidence, to the end of the counts; only those of both have scores."""


@dataclass(frozen=True)
class EvidenceScores(Prf):
    """Precision, recall and F1 of the evidence of answers, if both sides have some.

        evidence_exact      the same start and end
        evidence_overlap    a character in common

    The unit is a span of an answer: a document, a question, a class, a start and an end. Spans are
    paired one to one with spans of the same answer: equal ones first, then the longest predictions.
    All answers count: the evidence of an answer that the other side does not give is all missed, or
    all spurious. If both sides give the same answers, the exact scores are those of ERASER's
    rationales (``instance_micro`` of ``score_hard_rationale_predictions``; DeYoung et al. 2020,
    https://doi.org/10.18653/v1/2020.acl-main.408). ERASER does not compare the answers. They must
    be equal here, as for "Selection+Label" of SciFact (Wadden et al. 2020,
    https://doi.org/10.18653/v1/2020.emnlp-main.609).
    """

    title: str = "Evidence of answers"
    main: bool = False


EVIDENCE_SCORES = tuple(
    EvidenceScores(match, heading=match.removeprefix(f"{EVIDENCE}_")) for match in MATCHES
)


def have_evidence(sides: Sides) -> tuple[bool, bool]:
    """Return whether the gold and the predicted answers have evidence."""
    gold, predicted = (len(side.starts) > 0 for side in sides)
    return gold, predicted


def list_evidence(block: RecordCorpus, numbers: tuple[IntArray, IntArray]) -> Mapping[str, Rows]:
    """Pair the evidence of equal answers, and return its rows, which refer to the answers.

    If only one side has evidence, its spans are counted without scores. Another part of the corpus
    can have evidence on both sides.

    Args:
        block: both sides.
        numbers: for each side, a number for question and class of each answer.
    """
    values = tuple(map(str, range(1 + max(int(of.max(initial=0)) for of in numbers))))
    gold, predicted = (
        Side(
            block.documents, None, split_spans(side, {ANSWER: Coded(of_side[side.owners], values)})
        )
        for side, of_side in zip(block.sides, numbers, strict=True)
    )
    corpus, places = trace_sides(gold, predicted, [_ANSWER])
    owners = np.zeros(len(corpus.gold), np.int64), np.zeros(len(corpus.prediction), np.int64)
    for of_side, place, side in zip(owners, places, block.sides, strict=True):
        of_side[place] = side.owners
    end, exact = _ENDS[have_evidence(block.sides)], pair_strict(corpus, [_ANSWER])
    pairings = {EXACT: exact, OVERLAP: pair_lenient(corpus, exact, _ANSWER)}
    return {
        match: Rows(
            pairs,
            corpus.sides,
            {f"{count}{end}": verdicts for count, verdicts in columns_of(match).items()},
            among=lambda: owners,
        )
        for match, pairs in pairings.items()
    }


def split_spans(side: MentionColumns, attributes: Mapping[str, Coded]) -> MentionColumns:
    """Return the evidence of a side as mentions, each with one span."""
    document, bounds = side.document[side.owners], np.arange(len(side.starts) + 1)
    return MentionColumns(document, bounds, side.starts, side.ends, attributes)


def leave_out_spans(sides: Sides) -> Sides:
    """Return the answers of both sides without evidence."""
    gold, predicted = (place_nowhere(side.document, side.attributes) for side in sides)
    return gold, predicted


def find_differing(sides: Sides, match: Match, slot: str) -> BoolArray:
    """Return ``[n]``, which rows of a match pair equal answers with different evidence."""
    gold, predicted = (
        list(zip(side.attributes[slot].ids.tolist(), list_spans(side), strict=True))
        for side in sides
    )
    rows = zip(match.gold.tolist(), match.prediction.tolist(), strict=True)
    both = [(gold[g], predicted[p]) if min(g, p) >= 0 else None for g, p in rows]
    differing = [pair and pair[0][0] == pair[1][0] and pair[0] != pair[1] for pair in both]
    return np.array(differing, np.bool_)


def unite_evidence(parts: Sequence[CountsT]) -> Sequence[CountsT]:
    """Give all parts of a corpus the same counts of evidence, 0 if a part has no evidence."""
    held = {name.removeprefix(_COUNTS[0]) for part in parts for name in part.columns}
    ends = held & {*_ENDS.values()}
    if not ends:
        return parts
    end = ends.pop() if len(ends) == 1 else _ENDS[True, True]
    named = [[_rename(name, end) for name in part.columns] for part in parts]
    longest = max(named, key=len)
    missing = {name for names in named for name in {*names} ^ {*longest}}
    if missing - {f"{name}{end}" for name in _COUNTS}:
        return parts
    return [_fill(part, names, longest) for part, names in zip(parts, named, strict=True)]


def _rename(name: str, end: str) -> str:
    """Return the name of a count of evidence with another end; other names stay."""
    known = {f"{count}{other}": count for count in _COUNTS for other in _ENDS.values()}
    return f"{known[name]}{end}" if name in known else name


def _fill(part: CountsT, names: Sequence[str], wanted: Sequence[str]) -> CountsT:
    """Return counts with other columns, from the names of their own."""
    table = np.zeros((len(part), len(wanted)))
    table[:, [wanted.index(name) for name in names]] = part.table
    return replace(part, columns=tuple(wanted), cells=table)


def leave_out_evidence(systems: Sequence[CountsT]) -> Sequence[CountsT]:
    """Leave out the counts of evidence, unless all systems have them."""
    lacking = sum(_COUNTS[0] not in system.columns for system in systems)
    if not lacking:
        return systems
    problem = "{n} {system has|systems have} no evidence, so that evidence is not compared"
    warn(problem, n=lacking % len(systems))
    kept = ([name for name in each.columns if not name.startswith(MATCHES)] for each in systems)
    return [each.only(names) for each, names in zip(systems, kept, strict=True)]
