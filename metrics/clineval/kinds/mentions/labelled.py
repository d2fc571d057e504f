"""Labelled spans: scores of each label, micro and macro, under one or several kinds of match.

Shared by challenges whose mentions have a label, whatever the labels and rules of matching. A
challenge declares a :class:`LabelScheme`; it pairs a corpus itself, or with :func:`pair_strict` and
:func:`pair_lenient`. For every kind of match, such as ``strict``, there are

    strict_tp ...            of all mentions together (micro)
    drug_strict_tp ...       of the label Drug
    macro_strict_f1 ...      the mean over the labels that either side has

A pair counts for the label of its gold mention, as a missed gold mention does; a spurious
prediction counts for its own label.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from clineval.base.arrays import BoolArray, IntArray
from clineval.base.ratios import Columns, Number, Totals, precision_recall_f1, prf_keys, ratio
from clineval.kinds.mentions.corpus import Corpus
from clineval.kinds.mentions.match import Match
from clineval.kinds.mentions.matching import agreement, others, precedence, same_value
from clineval.kinds.mentions.outcomes import (
    MatchKind,
    Pairing,
    columns_of,
    list_matches,
    tally_matches,
)
from clineval.kinds.mentions.overlap import find_candidates_in_parts
from clineval.kinds.mentions.pairing import Key, Pairs, pair_greedily, pair_same_spans
from clineval.kinds.mentions.slots import Slot
from clineval.results.formulas import PRF_HEADINGS
from clineval.results.measures import Grid

MATCHES = {
    "exact/span": "boundary",
    "overlap/span": "overlap",
    "exact/both": "strict",
    "overlap/both": "lenient",
}
"""The pairings of a page, and the kinds of match that they are."""
PRF = ("precision", "recall", "f1")
"""The measures that are averaged over labels."""
_NO_KEY = re.compile(r"\W+")


def label_key(label: str) -> str:
    """Turn a label into part of a key: lower case, ``_`` for what is not a letter or digit.

    Examples:
        >>> label_key("ADE"), label_key("Strength-Drug")
        ('ade', 'strength_drug')
    """
    return _NO_KEY.sub("_", label.lower()).strip("_")


@dataclass(frozen=True, slots=True)
class LabelScheme:
    """The labels of a challenge, and the kinds of match under which they are scored.

    Args:
        slot: the slot that holds a mention's label.
        labels: the labels, in the order of the tables; as :meth:`Slot.fold` gives them.
        matches: the names of the kinds of match, those that pair least first.
        slots: the slots that outcomes compare; the label alone if left out.
        group: what these labels are, where a challenge has several schemes; it stands before the
            kinds of match in pairings and in the keys of all labels together:
            ``concepts_strict_tp``, ``macro_concepts_strict_f1``, but ``drug_strict_tp``.
        cased: whether labels that differ in case are different labels.
    """

    slot: Slot
    labels: tuple[str, ...]
    matches: tuple[str, ...] = ("strict", "lenient")
    slots: tuple[Slot, ...] = ()
    group: str = ""
    cased: bool = True

    @property
    def names(self) -> dict[str, str]:
        """Each kind of match, and what it is called in pairings and keys."""
        return {name: f"{self.group}_{name}" if self.group else name for name in self.matches}

    @property
    def kinds(self) -> dict[str, MatchKind]:
        """What is counted of all labels together."""
        return {name: MatchKind(columns_of(name), self._compare) for name in self.names.values()}

    def _compare(self, corpus: Corpus, pairs: Pairs) -> dict[str, BoolArray]:
        slots = self.slots or (self.slot,)
        return {slot.name: same_value(pairs, corpus, slot) for slot in slots}

    def tally(self, corpus: Corpus, pairing: Pairing) -> Columns:
        """Count each document, for :meth:`Protocol.tally`."""
        columns = dict(tally_matches(corpus, pairing, self.kinds))
        for name, full in self.names.items():
            pairs = pairing[full]
            if isinstance(pairs, Pairs):  # what is not one to one has no labels of its own
                columns |= self._tally_labels(corpus, name, pairs)
        return columns

    def _tally_labels(self, corpus: Corpus, name: str, pairs: Pairs) -> Columns:
        gold, prediction = corpus.gold, corpus.prediction
        counted = np.ones(len(prediction), np.bool_)
        counted[pairs.prediction] = counted[pairs.displaced] = False
        missed = others(pairs.gold, gold)
        spurious = np.flatnonzero(counted)
        sides = {"tp": (gold, pairs.gold), "fp": (prediction, spurious), "fn": (gold, missed)}
        size, width = len(corpus.documents), len(self.labels) + 1
        tables = {}
        for verdict, (side, rows) in sides.items():
            number = self._number_labels(side.columns.attributes[self.slot.name].values)
            at = number[side.ids(self.slot.name)[rows]]
            cell = side.columns.document[rows] * np.int64(width) + at
            tables[verdict] = np.bincount(cell, minlength=size * width).reshape(size, width)
        return {
            f"{label_key(label)}_{name}_{verdict}": table[:, at]
            for at, label in enumerate(self.labels)
            for verdict, table in tables.items()
        }

    def _number_labels(self, values: Sequence[str]) -> IntArray:
        """Find the index of the label that each value is; the number of labels if it is none."""
        fold = str if self.cased else str.lower
        places = {fold(label): at for at, label in enumerate(self.labels)}
        return np.array([places.get(fold(value), len(places)) for value in values], np.int64)

    def list_matches(self, corpus: Corpus, pairing: Pairing) -> dict[str, Match]:
        """List the outcomes, of all labels and of each, for :meth:`Protocol.list_outcomes`."""
        found = list_matches(corpus, pairing, self.kinds)
        for name, full in self.names.items():
            if isinstance(pairing[full], Pairs):
                found |= self._split(corpus, name, found[full])
        return found

    def _split(self, corpus: Corpus, name: str, match: Match) -> dict[str, Match]:
        """Split outcomes by label."""
        number = self._number_labels(corpus.gold.columns.attributes[self.slot.name].values)
        sides = (corpus.gold, corpus.prediction)
        gold, prediction = (number[side.ids(self.slot.name)] for side in sides)
        label = match.choose(gold, prediction)
        parts = {}
        for at, of in enumerate(self.labels):
            key = f"{label_key(of)}_{name}"
            parts[key] = take_outcomes(match, np.flatnonzero(label == at), columns_of(key))
        return parts

    def finish(self, totals: Totals) -> dict[str, Number]:
        """Compute scores of all labels, their means, and those of each label."""
        return finish_labels(totals, self.names, self.labels)

    def grids(self, title: str) -> tuple[Grid, ...]:
        """Make a table for each kind of match: a row for each label, then micro and macro."""
        keys = {label: label_key(label) for label in self.labels}
        tables = []
        for name, full in self.names.items():
            rows = {label: f"{key}_{name}" for label, key in keys.items()}
            tables.append(grid_of_prf(f"{title}, {name}", {**rows, "micro": full}))
        return (*tables, grid_of_means(f"{title}, mean of the labels", self.names))


def grid_of_prf(title: str, rows: Mapping[str, str]) -> Grid:
    """Make a table of precision, recall, F1 and counts; ``rows``: heading to prefix of keys.

    Examples:
        >>> grid_of_prf("Entities", {"strict": "ner_strict"}).rows["strict"][2]
        'ner_strict_f1'
    """
    return Grid(title, PRF_HEADINGS, {name: prf_keys(prefix) for name, prefix in rows.items()})


def grid_of_means(title: str, matches: Mapping[str, str]) -> Grid:
    """Make the table of means over the labels; ``matches`` as :attr:`LabelScheme.names`."""
    rows = {name: tuple(f"macro_{full}_{key}" for key in PRF) for name, full in matches.items()}
    return Grid(title, ("P", "R", "F1"), rows)


def take_outcomes(match: Match, rows: IntArray, columns: Mapping[str, tuple[str, ...]]) -> Match:
    """Take some of the outcomes under a kind of match, in their order."""
    pairs = rows[rows < match.pairs]
    return replace(
        match,
        gold=match.gold[rows],
        prediction=match.prediction[rows],
        verdict=match.verdict[rows],
        columns=columns,
        equal={slot: equal[pairs] for slot, equal in match.equal.items()},
    )


def finish_labels(
    totals: Totals, matches: Mapping[str, str], labels: Iterable[str]
) -> dict[str, Number]:
    """Compute scores of all labels, their means, and those of each label.

    ``totals`` has ``<match>_tp`` and the like, and ``<label>_<match>_tp`` for each label.

    Examples:
        >>> totals = {"strict_tp": 1, "strict_fp": 0, "strict_fn": 1}
        >>> totals |= {f"drug_{key}": value for key, value in totals.items()}
        >>> scores = finish_labels(totals, {"strict": "strict"}, ["Drug"])
        >>> scores["drug_strict_recall"], scores["macro_strict_recall"]
        (0.5, 0.5)
    """
    scores: dict[str, Number] = {}
    keys = [label_key(label) for label in labels]
    for name, full in matches.items():
        of_labels = [precision_recall_f1(f"{key}_{name}", totals) for key in keys]
        scores |= precision_recall_f1(full, totals) | _means(full, of_labels)
        for each in of_labels:
            scores |= each
    return scores


def _means(name: str, of_labels: Sequence[Mapping[str, Number]]) -> dict[str, Number]:
    """Average precision, recall and F1 over the labels that either side has."""
    there: Number = 0.0
    sums: dict[str, Number] = dict.fromkeys(PRF, 0.0)
    for scores in of_labels:
        precision, recall, f1, tp, fp, fn = scores.values()
        there = there + np.sign(tp + fp + fn)
        for measure, value in zip(PRF, (precision, recall, f1), strict=True):
            sums[measure] = sums[measure] + value
    return {f"macro_{name}_{measure}": ratio(total, there) for measure, total in sums.items()}


def pair_strict(corpus: Corpus, slots: Sequence[Slot]) -> Pairs:
    """Pair mentions with the same span and the same label, one to one.

    The first slot must agree; pairs that agree in more of the others come first.
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
    """Add to strict pairs overlapping pairs of the mentions that are left, one to one.

    ``label`` must agree, if it is given; ``order`` gives the sort keys of overlapping pairs.
    """
    candidates = find_candidates_in_parts(
        corpus.gold.columns,
        corpus.prediction.columns,
        others(strict.gold, corpus.gold),
        others(strict.prediction, corpus.prediction),
        corpus.documents,
    )
    keys = order(corpus)
    found = (
        pair_greedily(near.take(same_value(near, corpus, label)) if label else near, keys)
        for near in candidates
    )
    return Pairs.joined([strict, *found])
