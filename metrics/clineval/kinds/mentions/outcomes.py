"""Outcomes: what became of every mention, the lists whose lengths are the counts.

A challenge pairs a corpus once. Every kind of match that it knows (``strict`` and ``relaxed``,
``exact`` and ``overlap``) is a list of outcomes of its own: a row of the gold mention, a row of
the predicted one, a verdict. Counts are lengths of parts of such a list, so a number and the rows
behind it cannot differ:

    outcomes = evaluate("semeval15_task14", predictions, references, config="task2b").outcomes
    match = outcomes.matches["span"]
    rows = match.rows("span_fp")                        # rows of the list; len(rows) == span_fp
    document = outcomes.documents_of(match)[rows]       # index into outcomes.documents
    outcomes.prediction.text_of_spans(match.prediction[rows[0]])     # '4-15,31-38'
    match.equal["negation"]                             # of the pairs, which come first
    outcomes.value("negation", match, rows[0])          # (None, 'yes'): gold's, prediction's
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from clineval.base.arrays import BoolArray, FloatArray, IntArray
from clineval.base.ratios import Columns
from clineval.kinds.mentions.any_class import pair_any_class
from clineval.kinds.mentions.columns import MentionColumns
from clineval.kinds.mentions.corpus import Corpus
from clineval.kinds.mentions.match import NONE, VERDICTS, Match, Values, no_sums
from clineval.kinds.mentions.pairing import Pairs
from clineval.kinds.mentions.parts import stack_matches
from clineval.results.challenge import Challenge, Setup
from clineval.results.measures import Finish

ANY_CLASS = "any_class"
"""The match of mentions that overlap whatever their class, where a challenge has none."""
Pairing = Mapping[str, Pairs | Match]
"""Name of a kind of match to the index pairs of a corpus, or of a block of it.

Where pairs do not tell what counts, it is a match, whose columns are empty."""


@dataclass(frozen=True, slots=True)
class MatchKind:
    """A kind of match, as a challenge declares it.

    Args:
        columns: name of a count to the verdicts that it counts.
        compare: for a corpus and its pairs, the slots in which they agree, ``[p]`` each.
        weigh: for a corpus and its pairs, names of counts and ``[p]``, what each pair adds.
    """

    columns: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    compare: Callable[[Corpus, Pairs], Mapping[str, BoolArray]] | None = None
    weigh: Callable[[Corpus, Pairs], Iterable[tuple[str, Values]]] | None = None


def columns_of(prefix: str) -> dict[str, tuple[str, ...]]:
    """Name the counts of one kind of match, as in :attr:`MatchKind.columns`.

    Examples:
        >>> columns_of("strict")
        {'strict_tp': ('tp',), 'strict_fp': ('fp',), 'strict_fn': ('fn',)}
    """
    return {f"{prefix}_{verdict}": (verdict,) for verdict in ("tp", "fp", "fn")}


@dataclass(frozen=True, slots=True, eq=False)
class Outcomes:
    """What became of the mentions of a corpus.

    Args:
        challenge: the challenge.
        config: the configuration.
        documents: the names of the documents.
        gold: the gold mentions; a boundary, a phrase or an abbreviation counts as a mention.
        prediction: the predicted mentions, with the same attributes; the numbers of values are
            the same on both sides.
        matches: name of a kind of match to its outcomes.
        widest: the match that pairs most, mentions of any class; in it every mention is in at
            most one row.
        finish: the scores of a group of outcomes.
        languages: name of a document to its language, where the files say it.
    """

    challenge: Challenge
    config: str
    documents: tuple[str, ...]
    gold: MentionColumns
    prediction: MentionColumns
    matches: Mapping[str, Match]
    widest: str
    finish: Finish
    languages: Mapping[str, str] = field(default_factory=dict)

    @classmethod
    def of(  # noqa: PLR0913
        cls,
        setup: Setup,
        corpus: Any,
        matches: Mapping[str, Match],
        widest: str,
        sides: tuple[MentionColumns, MentionColumns] | None = None,
        *,
        any_class: bool = False,
    ) -> Outcomes:
        """Return the outcomes of a corpus; ``sides`` are what rows refer to, if not its mentions.

        Where the widest match does not pair mentions of ``any_class``, one of its mentions that
        does is added; of ``sides`` it must do so.
        """
        gold, prediction = sides or (corpus.gold.columns, corpus.prediction.columns)
        of, documents = setup.challenge, corpus.documents
        if sides is None and not any_class and of.task.class_slot:
            whole = pair_any_class(matches[widest], gold, prediction, documents)
            matches, widest = {**matches, ANY_CLASS: whole}, ANY_CLASS
        sides, finish = (gold, prediction), of.measures.finish
        return cls(of, setup.config, documents, *sides, matches, widest, finish)

    @property
    def class_slot(self) -> str:
        """The name of the slot that says what a mention is."""
        return self.challenge.task.class_slot.name if self.challenge.task.class_slot else ""

    def documents_of(self, match: Match) -> IntArray:
        """Find the document of each row of a match, ``[n]``, as an index."""
        return match.choose(self.gold.document, self.prediction.document)

    def value(self, slot: str, match: Match, row: int) -> tuple[str | None, str | None]:
        """Return the gold and the predicted value of a slot; None where there is no mention."""
        sides = ((self.gold, match.gold[row]), (self.prediction, match.prediction[row]))
        columns = [(side.attributes[slot], at) for side, at in sides]
        gold, prediction = (c.values[c.ids[at]] if at >= 0 else None for c, at in columns)
        return gold, prediction


def tally_matches(corpus: Corpus, pairing: Pairing, kinds: Mapping[str, MatchKind]) -> Columns:
    """Count each document of a paired corpus, ``[documents]`` each."""
    columns: dict[str, IntArray | FloatArray] = {}
    for name, kind in kinds.items():
        pairs = pairing[name]
        if kind.columns:
            of_verdict = _count_verdicts(pairs, corpus)
            for column, (first, *rest) in kind.columns.items():
                columns[column] = sum((of_verdict[v] for v in rest), start=of_verdict[first])
        if kind.weigh:
            columns |= _add_up(pairs_of(pairs), corpus, kind.weigh)
    return columns


def _count_verdicts(pairs: Pairs | Match, corpus: Corpus) -> dict[str, IntArray]:
    size = len(corpus.documents)
    gold, prediction = corpus.gold.columns, corpus.prediction.columns
    if isinstance(pairs, Match):
        document = pairs.choose(gold.document, prediction.document)
        return {
            verdict: np.bincount(document[pairs.is_among([verdict])], minlength=size)
            for verdict in dict.fromkeys((*VERDICTS, *pairs.verdicts))
        }
    tp = np.bincount(gold.document[pairs.gold], minlength=size)
    return {"tp": tp, "fp": prediction.sizes(size) - tp, "fn": gold.sizes(size) - tp}


def pairs_of(pairs: Pairs | Match) -> Pairs:
    """Return the pairs alone."""
    if isinstance(pairs, Pairs):
        return pairs
    return Pairs(pairs.gold[: pairs.pairs], pairs.prediction[: pairs.pairs])


def _add_up(
    pairs: Pairs, corpus: Corpus, weigh: Callable[..., Iterable[tuple[str, Values]]]
) -> dict[str, FloatArray]:
    ordered = pairs.take(np.argsort(pairs.gold, kind="stable"))
    document = corpus.gold.columns.document[ordered.gold]
    starts = np.flatnonzero(np.diff(document, prepend=-1))
    sums: dict[str, FloatArray] = {}
    for column, values in weigh(corpus, ordered):
        sums[column] = np.zeros(len(corpus.documents))
        if len(starts):
            of_document = np.add.reduceat(values, starts, dtype=np.float64)
            sums[column][document[starts]] = of_document
    return sums


def join_pairings(blocks: Iterable[Corpus], pairings: Sequence[Pairing]) -> Pairing:
    """Join the pairs of a corpus's blocks."""
    if len(pairings) == 1:
        return pairings[0]
    gold, prediction = 0, 0
    shifted = []
    for block, pairing in zip(blocks, pairings, strict=True):
        shifted.append({name: pairs.shift(gold, prediction) for name, pairs in pairing.items()})
        gold, prediction = gold + len(block.gold), prediction + len(block.prediction)
    return {name: _join([pairing[name] for pairing in shifted]) for name in pairings[0]}


def _join(parts: Sequence[Pairs | Match]) -> Pairs | Match:
    matches = [part for part in parts if isinstance(part, Match)]
    if matches:
        return stack_matches(matches)
    return Pairs.joined(part for part in parts if isinstance(part, Pairs))


def list_matches(
    corpus: Corpus, pairing: Pairing, kinds: Mapping[str, MatchKind]
) -> dict[str, Match]:
    """List the outcomes under each match; the arguments are those of :func:`tally_matches`."""
    return {name: _list_match(corpus, pairing[name], kind) for name, kind in kinds.items()}


def _list_match(corpus: Corpus, pairs: Pairs | Match, kind: MatchKind) -> Match:
    weigh, paired = kind.weigh, pairs_of(pairs)
    if isinstance(pairs, Match):
        rows, verdicts = (pairs.gold, pairs.prediction, pairs.verdict), pairs.verdicts
    else:
        rows, verdicts = list_units(pairs, len(corpus.gold), len(corpus.prediction)), VERDICTS
    return Match(
        *rows,
        verdicts,
        kind.columns,
        kind.compare(corpus, paired) if kind.compare else {},
        (lambda: weigh(corpus, paired)) if weigh else no_sums,
    )


def list_units(pairs: Pairs, golds: int, predictions: int) -> tuple[IntArray, IntArray, IntArray]:
    """List gold row, predicted row and verdict: pairs, then all other predictions and golds."""
    spurious, missed = np.ones(predictions, np.bool_), np.ones(golds, np.bool_)
    spurious[pairs.prediction] = False
    missed[pairs.gold] = False
    alone, unfound = np.flatnonzero(spurious), np.flatnonzero(missed)
    verdict = np.repeat(np.arange(3, dtype=np.int8), [len(pairs), len(alone), len(unfound)])
    return (
        np.concatenate([pairs.gold, np.full(len(alone), NONE), unfound]),
        np.concatenate([pairs.prediction, alone, np.full(len(unfound), NONE)]),
        verdict,
    )
