"""The table of outcome measures, as the Workbench's File, StoreOutcomeMeasures wrote it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import numpy as np

from clineval.base.arrays import IntArray
from clineval.base.escaping import write_csv
from clineval.base.ratios import ratio
from clineval.results.scores import Score
from clineval.workbench.links import NOBODY
from clineval.workbench.pairs import PairedMentions

COLUMNS = (
    *("system", "match", "criterion", "class"),
    *("tp", "fp", "fn", "wrong", "precision", "recall", "f1", "accuracy"),
)
SCORE = ("score", "value")
_DECIMALS = 6


def measures_csv(
    systems: Mapping[str, PairedMentions], scores: Mapping[str, Score] | None = None
) -> str:
    """Write counts and measures of every class, by match mode and criterion, and all scores.

    Criterion ``span`` compares only spans, and ``both`` compares span and class. ``class``
    compares the classes of the pairs of ``span``: ``tp`` counts right classes, ``wrong`` counts
    others. A pair belongs to the class of its gold mention; an unpaired prediction belongs to its
    own class.

    Undefined measures are empty. ``class`` covers only pairs, so it has no precision, recall and
    F1. The other criteria have no wrong classes, so they have no accuracy. If spans are given, as
    for abbreviations, each span has an answer. Then ``both`` has no precision either, and its
    accuracy is right answers / gold mentions.

    The columns are :data:`COLUMNS`, followed by those of :func:`score_rows`.
    """
    rows: list[Sequence[object]] = [(*COLUMNS, *SCORE)]
    for name, shown in systems.items():
        for match in shown.modes:
            for criterion in shown.criteria:
                counts = _count_classes(shown, match, criterion)
                found = _rows(shown, counts, criterion)
                rows += ((name, match, criterion, *row, "", "") for row in found)
    return write_csv([*rows, *score_rows(scores or {}, 2, 8)])


def score_rows(scores: Mapping[str, Score], before: int, after: int) -> Iterator[Sequence[object]]:
    """Yield one row for each score of each system, with empty cells around the row's name."""
    for name, score in scores.items():
        for key, value in score.values.items():
            spelled = int(value) if value == int(value) else f"{value:.{_DECIMALS}f}"
            yield name, *[""] * before, "All", *[""] * after, key, spelled


def _count_classes(shown: PairedMentions, match: str, criterion: str) -> IntArray:
    """Return ``[classes, 4]``: true and false positives, false negatives, wrong classes."""
    size = len(shown.class_values)
    partners = shown.pairing(match, criterion)
    gold_classes, classes = shown.class_ids()
    paired = partners.prediction >= 0
    of_pair = gold_classes[partners.prediction[paired]]

    def tally(ids: IntArray) -> IntArray:
        return np.bincount(ids, minlength=size)

    none = np.zeros(size, np.int64)
    if criterion == "class":
        right = shown.same_class()[paired]
        return np.column_stack([tally(of_pair[right]), none, none, tally(of_pair[~right])])
    spurious = tally(classes[partners.prediction == NOBODY])
    missed = tally(gold_classes[partners.gold == NOBODY])
    return np.column_stack([tally(of_pair), spurious, missed, none])


def _rows(
    shown: PairedMentions, counts: IntArray, criterion: str
) -> Iterator[tuple[str | int, ...]]:
    def row(label: str, own: IntArray) -> tuple[str | int, ...]:
        return label, *own.tolist(), *_measure(own, criterion, spans_given=shown.spans_given)

    yield from (row(label, own) for label, own in _add_up(shown, counts).items())
    some = np.array([value != shown.named.none for value in shown.class_values], np.bool_)
    if shown.classes is None or not some.any():
        return
    if shown.named.none:
        yield row(f"With {shown.named.name.upper()}", counts[some].sum(axis=0))
    for value, of_value in sorted(zip(shown.class_values, counts.tolist(), strict=True)):
        if any(of_value):
            yield row(shown.classes.spell(value), np.array(of_value))


def _add_up(shown: PairedMentions, counts: IntArray) -> dict[str, IntArray]:
    """Add up all classes, or the classes of each kind of items if no score adds up all."""
    values = [value.lower() for value in shown.class_values]
    named = {label.lower() for classes in shown.parts.values() for label in classes}
    found = {}
    for name, classes in shown.parts.items():
        own = {label.lower() for label in classes} or set(values) - named
        found[f"All {name}"] = counts[[value in own for value in values]].sum(axis=0)
    return {name: own for name, own in found.items() if own.any()} or {"All": counts.sum(axis=0)}


def _measure(counts: IntArray, criterion: str, *, spans_given: bool) -> tuple[str, ...]:
    """Return precision, recall, F1 and accuracy; empty if undefined, as for codes without gold."""
    tp, fp, fn, wrong = counts.tolist()
    if spans_given:
        return "", "", "", _spell(tp, tp + fn) if tp + fn else ""
    if criterion == "class":
        return "", "", "", _spell(tp, tp + wrong)
    return _spell(tp, tp + fp), _spell(tp, tp + fn), _spell(2 * tp, 2 * tp + fp + fn), ""


def _spell(part: int, whole: int) -> str:
    return f"{ratio(part, whole):.{_DECIMALS}f}"
