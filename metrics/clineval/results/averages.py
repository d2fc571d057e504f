"""Averages of scores over groups of annotations: over labels, or over documents."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import KW_ONLY, dataclass

import numpy as np

from clineval.base.errors import InputError, shown
from clineval.base.ratios import Columns, Number, Totals, prf_keys, ratio
from clineval.results.declaring import check_class, check_words
from clineval.results.formulas import PRF_HEADINGS, Prf
from clineval.results.measures import Grid, Measure
from clineval.results.options import check_name

PRF = ("precision", "recall", "f1")
"""The scores that are averaged over labels."""
MACRO, WEIGHTED, DOCUMENT = AVERAGES = ("macro", "weighted", "document")
"""The beginnings of the keys of averages."""
_COUNTS = ("tp", "fp", "fn")
_COUNT_HEADINGS = frozenset(PRF_HEADINGS[len(PRF) :])
_NO_KEY = re.compile(r"\W+")


def label_key(label: str) -> str:
    """Turn a label into part of a key: lower case, ``_`` for all but letters and digits.

    Examples:
        >>> label_key("ADE"), label_key("Strength-Drug")
        ('ade', 'strength_drug')
    """
    return _NO_KEY.sub("_", label.lower()).strip("_")


def average(
    name: str,
    groups: Sequence[Mapping[str, Number]],
    weigh: Callable[[Number, Number, Number], Number],
) -> dict[str, Number]:
    """Average precision, recall and F1 over groups.

    Args:
        name: the beginning of the keys of the averages.
        groups: precision, recall, F1, tp, fp and fn of each group, in this order.
        weigh: computes the weight of a group from tp, fp and fn.

    Examples:
        >>> from clineval.base.ratios import precision_recall_f1
        >>> drug = precision_recall_f1("drug", {"drug_tp": 1, "drug_fp": 0, "drug_fn": 1})
        >>> average("macro_strict", [drug], is_there)["macro_strict_recall"]
        0.5
    """
    rows = [tuple(group.values()) for group in groups]
    weights = [weigh(*row[len(PRF) :]) for row in rows]
    means = average_columns([row[: len(PRF)] for row in rows], weights)
    return {f"{name}_{score}": mean for score, mean in zip(PRF, means, strict=True)}


def average_columns(
    rows: Sequence[Sequence[Number]], weights: Sequence[Number], columns: int = len(PRF)
) -> list[Number]:
    """Compute the weighted mean of each column; 0 if all weights are 0.

    Args:
        rows: the values of each group, at least ``columns`` of them.
        weights: the weight of each group, 0 or more.
        columns: the number of columns to average.
    """
    both = [*zip(rows, weights, strict=True)]
    whole = sum(weights)
    return [ratio(sum(row[at] * of for row, of in both), whole) for at in range(columns)]


def is_there(tp: Number, fp: Number, fn: Number) -> Number:
    """Return 1 if either side has the group, otherwise 0."""
    there: Number = np.sign(tp + fp + fn)
    return there


def count_gold(tp: Number, _fp: Number, fn: Number) -> Number:
    """Return how many gold annotations a group has."""
    return tp + fn


WEIGHTS = {MACRO: is_there, WEIGHTED: count_gold, DOCUMENT: is_there}
"""Name of an average to the function that computes the weight of a label or document."""


def list_parts_of(
    name: str, prefixes: Iterable[str], scores: Mapping[str, Number]
) -> dict[str, Sequence[str]]:
    """Map the averages whose keys begin with a name to the scores that they average.

    Args:
        name: the beginning of the keys of the averages.
        prefixes: the beginnings of the keys of the groups; groups that neither side has are left
            out.
        scores: all scores and counts.

    Examples:
        >>> list_parts_of("macro_strict", ["a_strict"], {"a_strict_tp": 2})["macro_strict_f1"]
        ['a_strict_f1']
    """
    there = [key for key in prefixes if any(scores.get(f"{key}_{of}") for of in _COUNTS)]
    return {f"{name}_{score}": [f"{key}_{score}" for key in there] for score in PRF}


@dataclass(frozen=True)
class Averages(Measure):
    """Averages of a measure over labels and over documents, beside the measure itself.

        macro_<key>       the mean over the labels that either side has
        weighted_<key>    the mean over the labels, weighted by their gold annotations
        document_<key>    the mean over the documents that have an annotation on either side

    ``<key>`` is a key of the measure, whose own scores count all annotations together (micro). Any
    protocol and any ``Rule`` can have averages: add them to the measures of the challenge. Averages
    over labels need a protocol that counts each label separately, as in ``drug_strict_tp``.

    Args:
        measure: the measure, such as ``Prf("strict")`` or a ``Formula``.
        averages: any of ``macro``, ``weighted`` and ``document``.
        labels: the labels.
        match: the kind of match whose counts decide which labels and documents are averaged, and
            how labels are weighted; by default the match of the ``Prf``.
        main: whether averages of the measure's main scores are main scores.
        empty: whether the mean over documents includes documents without annotations, with 0.

    Raises:
        InputError: an argument is invalid; when a corpus is scored, the protocol does not count one
            of the labels.

    Examples:
        >>> from clineval import Challenge, Measures, Relations, Task, score
        >>> links = Relations(("CAUSES", "TREATS"), ends="ids")
        >>> averages = Averages(Prf("relations"), ("weighted", "document"), labels=links.labels)
        >>> task = Task("links", "Links", "https://example.org/", definition="", file="")
        >>> measures = Measures.of(*links.measures.each, averages)
        >>> challenge = Challenge(task, {"spec": links}, measures)
        >>> mentions = [{"id": k, "label": "x", "spans": [[0, 1]]} for k in "ab"]
        >>> gold = [{"mentions": mentions, "relations": [{"label": label, "from": "a", "to": "b"}]}
        ...         for label in ("CAUSES", "CAUSES", "TREATS")]
        >>> found = [*gold[:2], {"mentions": mentions, "relations": []}]
        >>> result = score(challenge, found, gold)
        >>> [round(float(result[f"{name}_relations_f1"]), 3)
        ...  for name in ("macro", "weighted", "document")]
        [0.5, 0.667, 0.667]
    """

    measure: Measure
    averages: tuple[str, ...] = (MACRO,)
    _: KW_ONLY
    labels: tuple[str, ...] = ()
    match: str = ""
    main: bool = False
    empty: bool = False

    def __post_init__(self) -> None:
        check_class([self.measure], Measure, "measure", "Give a measure such as Prf or Formula")
        check_words(self.averages, "averages", least=1)
        for name in self.averages:
            check_name("average", name, AVERAGES)
        check_words(self.labels, "labels", fold=label_key, least=min(1, len(self._over_labels)))
        if not self._matches[0]:
            problem = f"expected the name of a match, got {shown(self.match)}"
            raise InputError(
                problem, where="match", remedy="Pass match=, unless the measure is a Prf"
            )

    @property
    def _over_labels(self) -> Sequence[str]:
        return [name for name in self.averages if name != DOCUMENT]

    @property
    def _matches(self) -> tuple[str, str]:
        """The matches that count predictions and gold annotations."""
        if self.match or not isinstance(self.measure, Prf):
            return self.match, self.match
        return self.measure.name, self.measure.recall_of or self.measure.name

    @property
    def _keys(self) -> tuple[str, ...]:
        """The keys of the scores that are averaged."""
        if isinstance(self.measure, Prf):
            return prf_keys(self.measure.name)[: len(PRF)]
        tables = map(_leave_out_counts, self.measure.tables())
        return tuple(key for grid in tables for keys in grid.rows.values() for key in keys)

    def _is_counted(self, counts: Iterable[str]) -> bool:
        return {f"{match}_tp" for match in self._matches} <= {*counts}

    def _weigh(self, name: str, counts: Totals) -> Number:
        """Compute the weight of a group in an average."""
        system, gold = self._matches
        found = counts[f"{system}_fp"] + (counts[f"{system}_tp"] if system != gold else 0)
        return WEIGHTS[name](counts[f"{gold}_tp"], found, counts[f"{gold}_fn"])

    def complete(self, counted: Columns, config: str, /) -> Columns:
        """Return columns to be added up: 1 for each averaged document, and its scores."""
        if DOCUMENT not in self.averages or not self._is_counted(counted):
            return {}
        counts = {name: np.asarray(count, np.float64) for name, count in counted.items()}
        there = np.maximum(self._weigh(DOCUMENT, counts), self.empty)
        scores = self.measure.finish(counts, config)
        columns = {_sum_of(key): there * scores[key] for key in self._keys if key in scores}
        return {self._documents: there, **columns}

    @property
    def _documents(self) -> str:
        return f"{DOCUMENT}_{self._matches[0]}_documents"

    def finish(self, totals: Totals, config: str, /) -> dict[str, Number]:
        """Compute the averages."""
        averages_by_key: dict[str, Number] = {}
        for name in self.averages if self._is_counted(totals) else ():
            averages_by_key |= (
                self._finish_documents(totals)
                if name == DOCUMENT
                else self._finish_labels(name, totals, config)
            )
        return averages_by_key

    def _finish_documents(self, totals: Totals) -> dict[str, Number]:
        """Divide the sums by the number of documents; groups of annotations have no sums."""
        return {
            f"{DOCUMENT}_{key}": ratio(totals[_sum_of(key)], totals[self._documents])
            for key in self._keys
            if _sum_of(key) in totals
        }

    def _finish_labels(self, name: str, totals: Totals, config: str) -> dict[str, Number]:
        groups = [self._take(label, totals) for label in self.labels]
        scores = [self.measure.finish(group, config) for group in groups]
        keys = [key for key in self._keys if all(key in of_label for of_label in scores)]
        rows = [[of_label[key] for key in keys] for of_label in scores]
        weights = [self._weigh(name, group) for group in groups]
        means = average_columns(rows, weights, len(keys))
        return {f"{name}_{key}": mean for key, mean in zip(keys, means, strict=True)}

    def _take(self, label: str, totals: Totals) -> Totals:
        """Take the counts of a label, without the label in their names."""
        prefix = f"{label_key(label)}_"
        group = {
            name.removeprefix(prefix): count
            for name, count in totals.items()
            if name.startswith(prefix)
        }
        if not self._is_counted(group):
            problem = f"the protocol does not count {shown(label)} separately"
            remedy = "Give the labels that the protocol counts, or average over documents"
            raise InputError(problem, where="labels", remedy=remedy)
        return group

    def list_parts(self, scores: Mapping[str, Number], /) -> Mapping[str, Sequence[str]]:
        """Map each average over labels to the scores of the labels that either side has."""
        there = [
            label_key(label)
            for label in self.labels
            if self._is_counted(scores) and self._weigh(MACRO, self._take(label, scores))
        ]
        return {
            f"{name}_{key}": [f"{label}_{key}" for label in there]
            for name in self._over_labels
            for key in self._keys
        }

    def details(self) -> Iterable[Grid]:
        """Lay out the averages as the measure lays out its scores."""
        for grid in map(_leave_out_counts, self.measure.tables()):
            rows = {
                f"{heading}, {name}": tuple(f"{name}_{key}" for key in keys)
                for heading, keys in grid.rows.items()
                for name in self.averages
            }
            yield Grid(f"{grid.title}, averages", grid.columns, rows)

    @property
    def headline(self) -> tuple[str, ...]:
        """The averages of the measure's main scores, if they are main scores."""
        keys = self.measure.headline if self.main else ()
        return tuple(f"{name}_{key}" for name in self.averages for key in keys)


def _sum_of(key: str) -> str:
    return f"{DOCUMENT}_{key}_sum"


def _leave_out_counts(grid: Grid) -> Grid:
    """Return a table without its counts."""
    kept = [at for at, heading in enumerate(grid.columns) if heading not in _COUNT_HEADINGS]
    rows = {heading: tuple(keys[at] for at in kept) for heading, keys in grid.rows.items()}
    return Grid(grid.title, tuple(grid.columns[at] for at in kept), rows)
