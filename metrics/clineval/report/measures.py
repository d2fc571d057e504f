"""The table of outcome measures: what the Workbench's File, StoreOutcomeMeasures wrote."""

from __future__ import annotations

import csv
from collections.abc import Iterator, Mapping
from io import StringIO

import numpy as np

from clineval.arrays import BoolArray, IntArray
from clineval.mentions.slots import CUI_LESS
from clineval.report.partners import PairedMentions
from clineval.scores import ratio

COLUMNS = (
    *("system", "match", "criterion", "class"),
    *("tp", "fp", "fn", "wrong", "precision", "recall", "f1", "accuracy"),
)
_DECIMALS = 6


def measures_csv(systems: Mapping[str, PairedMentions]) -> str:
    """Counts and measures of every class, in each match mode and by each criterion.

    Criterion ``span`` looks at spans alone, ``both`` at span and code, and ``class``, among the
    pairs of ``span``, at the code: ``tp`` has the right code, ``wrong`` another one. A pair
    belongs to the class (code) of its gold mention, a prediction without partner to its own.

    Args:
        systems: system name to its pairs.

    Returns:
        A CSV with the columns :data:`COLUMNS`.
    """
    buffer = StringIO()
    writer = csv.writer(buffer, lineterminator="\n")
    writer.writerow(COLUMNS)
    for name, shown in systems.items():
        for match in ("exact", "overlap"):
            for criterion in shown.criteria:
                counts = _count_classes(shown, match, criterion)
                writer.writerows((name, match, criterion, *row) for row in _rows(shown, counts))
    return buffer.getvalue()


def _codes(shown: PairedMentions) -> tuple[str, ...]:
    return shown.corpus.gold.columns.attributes["cui"].values


def _count_classes(shown: PairedMentions, match: str, criterion: str) -> IntArray:
    """``[codes, 4]``: true positives, false positives, false negatives, wrong codes."""
    size = len(_codes(shown))
    partners = shown.pairings[f"{match}/{'span' if criterion == 'class' else criterion}"]
    gold_codes, codes = shown.corpus.gold.ids("cui"), shown.corpus.prediction.ids("cui")
    paired = partners.prediction >= 0
    of_pair = gold_codes[partners.prediction[paired]]

    def tally(ids: IntArray) -> IntArray:
        return np.bincount(ids, minlength=size)

    if criterion == "class":
        at = [slot.name for slot in shown.slots].index("cui")
        right: BoolArray = shown.equal[at][paired]
        none = np.zeros(size, np.int64)
        return np.column_stack([tally(of_pair[right]), none, none, tally(of_pair[~right])])
    return np.column_stack(
        [
            tally(of_pair),
            tally(codes[partners.prediction == -1]),
            tally(gold_codes[partners.gold < 0]),
            np.zeros(size, np.int64),
        ]
    )


def _rows(shown: PairedMentions, counts: IntArray) -> Iterator[tuple[str | int, ...]]:
    codes = _codes(shown)
    coded = np.array([code != CUI_LESS for code in codes], np.bool_)
    yield _row("All", counts.sum(axis=0))
    if coded.any():
        yield _row("With CUI", counts[coded].sum(axis=0))
        for at, code in enumerate(codes):
            if counts[at].any():
                yield _row("CUI-less" if code == CUI_LESS else code.upper(), counts[at])


def _row(label: str, counts: IntArray) -> tuple[str | int, ...]:
    tp, fp, fn, wrong = (int(count) for count in counts)
    measures = (
        ratio(tp, tp + fp),
        ratio(tp, tp + fn),
        ratio(2 * tp, 2 * tp + fp + fn),
        ratio(tp, tp + wrong),
    )
    return (label, tp, fp, fn, wrong, *(f"{measure:.{_DECIMALS}f}" for measure in measures))
