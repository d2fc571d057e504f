"""Outcomes: what became of every mention, the lists whose lengths are the counts.

A challenge gives its pairs once, as :class:`Outcomes`, made when a report, a breakdown or a
confusion matrix asks :func:`find_outcomes` for them. Every match of the challenge (``strict`` and
``relaxed``, ``exact`` and ``overlap``) is a list of outcomes of its own: a row of the gold mention,
a row of the predicted one, a verdict. Counts are lengths of parts of such a list, so a number and
the rows behind it cannot differ:

    outcomes = find_outcomes("semeval15_task14", predictions, references, config="task2b")
    match = outcomes.matches["span"]
    rows = match.rows("span_fp")                        # rows of the list; len(rows) == span_fp
    document = outcomes.documents_of(match)[rows]       # index into outcomes.documents
    outcomes.prediction.text_of_spans(match.prediction[rows[0]])     # '4-15,31-38'
    match.equal["negation"]                             # of the pairs, which come first
    outcomes.value("negation", match, rows[0])          # (None, 'yes'): gold's, prediction's
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from clineval.arrays import BoolArray, FloatArray, IntArray
from clineval.errors import InputError
from clineval.mentions.columns import MentionColumns
from clineval.mentions.corpus import Corpus
from clineval.mentions.pairing import Pairs
from clineval.scores import Number, Totals

NONE = -1
MENTION_VERDICTS = ("tp", "fp", "fn", "displaced")
Scalar = TypeVar("Scalar", bound=np.generic)


def _nothing() -> Iterable[tuple[str, Any]]:
    return ()


@dataclass(frozen=True, slots=True, eq=False)
class Match:
    """All outcomes under one kind of match: ``n`` rows, the first ``p`` of which are pairs.

    Args:
        gold: ``[n]``, row of the gold mention; -1 where there is none. (Where a released script
            does not pair one to one, true positives have none either.)
        prediction: ``[n]``, row of the predicted mention; -1 where there is none.
        verdict: ``[n]``, index into ``verdicts``.
        verdicts: the verdicts' names. Of mentions ``tp``, ``fp``, ``fn``, and ``displaced`` for
            a prediction that a released script counts as neither.
        columns: name of a column of the counts to the verdicts that it counts.
        equal: slot to ``[p]``, which pairs agree in it by the protocol's rules.
        sums: gives names and ``[p]`` values of the columns that are sums over the pairs.
    """

    gold: IntArray
    prediction: IntArray
    verdict: IntArray
    verdicts: tuple[str, ...]
    columns: Mapping[str, tuple[str, ...]]
    equal: Mapping[str, BoolArray] = field(default_factory=dict)
    sums: Callable[[], Iterable[tuple[str, Any]]] = _nothing

    def __len__(self) -> int:
        return len(self.gold)

    @property
    def pairs(self) -> int:
        """``p``, how many rows have both a gold and a predicted mention."""
        return int(((self.gold >= 0) & (self.prediction >= 0)).sum())

    def rows(self, column: str) -> IntArray:
        """The rows that a column of the counts counts."""
        wanted = [self.verdicts.index(verdict) for verdict in self.columns[column]]
        return np.flatnonzero(np.isin(self.verdict, wanted))

    def choose(self, gold: NDArray[Scalar], prediction: NDArray[Scalar]) -> NDArray[Scalar]:
        """``[n]``, a value of each row's gold mention, or of the predicted one if it has none.

        Args:
            gold: a value of each gold mention.
            prediction: a value of each predicted mention.
        """
        chosen = np.empty(len(self), np.result_type(gold, prediction))
        has_gold = self.gold >= 0
        chosen[has_gold] = gold[self.gold[has_gold]]
        chosen[~has_gold] = prediction[self.prediction[~has_gold]]
        return chosen

    def tally(self, group: IntArray, groups: int) -> dict[str, FloatArray]:
        """``[groups]`` for each column: the counts, group by group.

        Args:
            group: ``[n]``, the group of each row.
            groups: how many groups there are.
        """
        counts: dict[str, FloatArray] = {
            column: np.bincount(group[self.rows(column)], minlength=groups).astype(np.float64)
            for column in self.columns
        }
        for column, values in self.sums():
            counts[column] = np.bincount(group[: len(values)], values, groups).astype(np.float64)
        return counts


@dataclass(frozen=True, slots=True, eq=False)
class Outcomes:
    """What became of the mentions of a corpus.

    Args:
        metric: the challenge's module name.
        config: the configuration.
        documents: the names of the documents.
        gold: the gold mentions; a boundary, a phrase or an abbreviation counts as a mention.
        prediction: the predicted mentions, with the same attributes; the numbers of values are
            the same on both sides.
        matches: name of a kind of match to its outcomes.
        widest: the match that pairs most; in it every mention is in at most one row.
        finish: the scores of a group of outcomes; None if those of the challenge.
    """

    metric: str
    config: str
    documents: tuple[str, ...]
    gold: MentionColumns
    prediction: MentionColumns
    matches: Mapping[str, Match]
    widest: str
    finish: Callable[[Totals, str], dict[str, Number]] | None = None

    def documents_of(self, match: Match) -> IntArray:
        """``[n]``, index of the document of each row of a match."""
        return match.choose(self.gold.document, self.prediction.document)

    def value(self, slot: str, match: Match, row: int) -> tuple[str | None, str | None]:
        """The gold and the predicted value of a slot; None where there is no mention."""
        sides = ((self.gold, match.gold[row]), (self.prediction, match.prediction[row]))
        columns = [(side.attributes[slot], at) for side, at in sides]
        gold, prediction = (c.values[c.ids[at]] if at >= 0 else None for c, at in columns)
        return gold, prediction


def find_outcomes(
    module: str,
    predictions: Any,
    references: Any,
    *,
    config: str = "default",
    protocol: str = "spec",
    **options: Any,
) -> Outcomes:
    """The outcomes behind ``clineval.score``, whose arguments these are.

    Raises:
        InputError: as ``clineval.score``; or the challenge has no mentions.

    Examples:
        >>> gold = [[{"spans": [[4, 15], [31, 38]], "cui": "C0344720"}]]
        >>> found = [[{"spans": [[4, 15]], "cui": "C0344720"}]]
        >>> outcomes = find_outcomes("semeval15_task14", found, gold)
        >>> {name: [match.verdicts[v] for v in match.verdict]
        ...  for name, match in outcomes.matches.items()}
        {'strict': ['fp', 'fn'], 'relaxed': ['tp'], 'span': ['tp']}
    """
    from clineval.scoring import check_options

    challenge = check_options(module, config, protocol, options)
    if challenge.outcomes is None:
        raise InputError(f"{module} has no mentions to list")
    return challenge.outcomes(predictions, references, config=config, protocol=protocol, **options)


def list_units(pairs: Pairs, golds: int, predictions: int) -> tuple[IntArray, IntArray, IntArray]:
    """Gold row, predicted row and verdict: the pairs, then all other predictions and golds.

    Args:
        pairs: rows of gold and predicted mentions that belong together.
        golds: how many gold mentions there are.
        predictions: how many predicted ones.
    """
    spurious, missed = np.ones(predictions, np.bool_), np.ones(golds, np.bool_)
    spurious[pairs.prediction] = False
    missed[pairs.gold] = False
    alone, unfound = np.flatnonzero(spurious), np.flatnonzero(missed)
    verdict = np.repeat(np.arange(3, dtype=np.int8), [len(pairs), len(alone), len(unfound)])
    displaced = len(pairs) + np.searchsorted(alone, pairs.displaced)
    verdict[displaced] = MENTION_VERDICTS.index("displaced")
    return (
        np.concatenate([pairs.gold, np.full(len(alone), NONE), unfound]),
        np.concatenate([pairs.prediction, alone, np.full(len(unfound), NONE)]),
        verdict,
    )


def match_mentions(
    pairs: Pairs, corpus: Corpus, columns: Mapping[str, tuple[str, ...]], **more: Any
) -> Match:
    """The outcomes of paired mentions; ``more`` are fields of :class:`Match`."""
    rows = list_units(pairs, len(corpus.gold), len(corpus.prediction))
    return Match(*rows, MENTION_VERDICTS, columns, **more)


def matches_of(prefix: str) -> dict[str, tuple[str, ...]]:
    """The columns of one kind of match, as :attr:`Match.columns`.

    Examples:
        >>> matches_of("strict")
        {'strict_tp': ('tp',), 'strict_fp': ('fp',), 'strict_fn': ('fn',)}
    """
    return {f"{prefix}_{verdict}": (verdict,) for verdict in ("tp", "fp", "fn")}
