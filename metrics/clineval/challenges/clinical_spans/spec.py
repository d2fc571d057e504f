"""Labelled spans read, paired and counted; ``__init__.py`` says how."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from clineval.base.hashing import hash_text
from clineval.base.ratios import Columns, Number, Totals, precision_recall_f1, ratio
from clineval.challenges.clinical_spans.reading import LABEL, read, resolve, whole
from clineval.challenges.clinical_spans.slots import (
    add_sums,
    all_slots,
    compare,
    finish_slots,
    join,
    kinds_of,
    pair_slots,
    scored_slots,
)
from clineval.kinds.mentions.closeness import closest
from clineval.kinds.mentions.columns import MentionColumns
from clineval.kinds.mentions.corpus import Corpus
from clineval.kinds.mentions.labelled import LabelScheme, finish_labels, label_key, pair_strict
from clineval.kinds.mentions.leak import finish_leak, tally_leak
from clineval.kinds.mentions.matching import agreement, others, outside, precedence, same_value
from clineval.kinds.mentions.outcomes import (
    MatchKind,
    Outcomes,
    Pairing,
    columns_of,
    join_pairings,
    list_matches,
    tally_matches,
)
from clineval.kinds.mentions.overlap import Candidates, Overlap, find_candidates_in_parts, in_words
from clineval.kinds.mentions.pairing import Key, Pairs, pair_greedily, pair_same_spans
from clineval.kinds.mentions.slots import Slot
from clineval.results.challenge import Setup, Steps

MATCHES = ("strict", "lenient")
NAMES = {name: name for name in MATCHES}
ORDERS: Mapping[str, Callable[[Corpus], Sequence[Key]]] = {
    "closest": closest,
    "longest": precedence,
    "position": lambda corpus: precedence(corpus)[2:],
}
"""The orders in which overlapping pairs are accepted."""
_FEW = 8
"""How many labels a signature names."""


def settings(setup: Setup) -> Mapping[str, str]:
    """Return what the numbers depend on besides the protocol."""
    labels = setup["labels"]
    name = "+".join(map(label_key, labels))
    if len(labels) > _FEW:
        name = f"{len(labels)}-{hash_text(name):016x}"[:12]
    slots = {"slots": "+".join(map(label_key, setup["slots"]))} if setup["slots"] else {}
    touching = {"touching": "yes"} if setup["touching"] else {}
    return {
        "labels": name,
        **slots,
        "overlap": setup["overlap"],
        "order": setup["order"],
        **touching,
    }


def scheme_of(setup: Setup, slots: tuple[Slot, ...] = ()) -> LabelScheme:
    """Return the labels, under those matches that look at them."""
    return LabelScheme(LABEL, setup["labels"], MATCHES, slots)


def pair(corpus: Corpus, setup: Setup) -> Pairing:
    """Pair for each kind of match."""
    slots = scored_slots(setup)
    strict, boundary = pair_strict(corpus, slots), pair_same_spans(corpus, agreement(corpus, slots))
    lenient, typed, partial = [strict], [strict], [boundary]
    keys = ORDERS[setup["order"]](corpus)
    for near in _find_candidates(corpus, strict, setup):
        alike = pair_greedily(near.take(same_value(near, corpus, LABEL)), keys)
        lenient.append(alike)
        typed += [alike, pair_greedily(_without(near, alike, corpus), keys)]
        partial.append(pair_greedily(_without(near, boundary, corpus), keys))
    return {
        "strict": strict,
        **pair_slots(strict, corpus, setup),
        "lenient": Pairs.joined(lenient),
        "boundary": boundary,
        "type": Pairs.joined(typed),
        "partial": Pairs.joined(partial),
    }


def _find_candidates(corpus: Corpus, strict: Pairs, setup: Setup) -> Iterator[Candidates]:
    """Find overlapping pairs of mentions without a partner of the same span and label."""
    measure = _MEASURES[setup["overlap"]]
    return find_candidates_in_parts(
        measure(corpus.gold.columns, corpus),
        measure(corpus.prediction.columns, corpus),
        others(strict.gold, corpus.gold),
        others(strict.prediction, corpus.prediction),
        Overlap(reach=int(setup["touching"]), fragments="total"),
        corpus.documents,
    )


def _without(near: Candidates, taken: Pairs, corpus: Corpus) -> Candidates:
    """Return the pairs of mentions that are in none of those taken."""
    free = outside(near.gold, taken.gold, len(corpus.gold))
    return near.take(free & outside(near.prediction, taken.prediction, len(corpus.prediction)))


def _in_hulls(columns: MentionColumns, corpus: Corpus) -> MentionColumns:  # noqa: ARG001
    """Fill the gaps of mentions, each from its first character to its last."""
    first, last = columns.bounds[:-1], columns.bounds[1:] - 1
    return replace(
        columns,
        bounds=np.arange(len(columns) + 1),
        starts=columns.starts[first],
        ends=columns.ends[last],
    )


_MEASURES: Mapping[str, Callable[[MentionColumns, Corpus], MentionColumns]] = {
    "character": lambda columns, _: columns,
    "word": lambda columns, corpus: in_words(columns, corpus.texts, corpus.documents),
    "hull": _in_hulls,
}
"""What mentions are while their overlap is measured."""


PAIRED = {name: MatchKind(columns_of(name), compare) for name in ("boundary", "type", "partial")}
"""What is counted of matches that pair other labels too."""


def tally(corpus: Corpus, pairing: Pairing, setup: Setup) -> Columns:
    """Return the counts of each document."""
    kinds = {**PAIRED, **kinds_of(setup)}
    columns = {**scheme_of(setup).tally(corpus, pairing), **tally_matches(corpus, pairing, kinds)}
    counted: dict[str, Any] = {}
    for name in MEASURES:
        counted |= {f"{name}_{key}": of for key, of in _categories(name, columns).items()}
    labels = {LABEL.name: setup["labels"]}
    sides = corpus.gold.columns, corpus.prediction.columns
    return {**columns, **counted, **tally_leak(*sides, len(corpus.documents), labels)}


def list_outcomes(corpus: Corpus, pairings: Sequence[Pairing], setup: Setup) -> Outcomes:
    """List what became of every mention."""
    pairing = join_pairings(corpus.blocks(), pairings)
    matches = list_matches(corpus, pairing, {**kinds_of(setup), **PAIRED})
    matches |= scheme_of(setup, all_slots(corpus)).list_matches(corpus, pairing)
    matches = add_sums(matches, corpus, pairing, setup)
    return Outcomes.of(setup, corpus, matches, "partial", any_class=True)


def finish(totals: Totals, config: str) -> dict[str, Number]:  # noqa: ARG001
    """Return scores from totals, by the formulas of the specification."""
    labels = [key.removesuffix("_strict_tp") for key in totals if key.endswith("_strict_tp")]
    scores = finish_labels(totals, NAMES, labels) | precision_recall_f1("boundary", totals)
    scores |= finish_slots(totals) | finish_leak(totals, labels)
    for name in MEASURES:
        counts = _categories(name, totals)
        worth = counts["cor"] + counts["par"] / 2
        actual, possible = counts["actual"], counts["possible"]
        scores[f"{name}_precision"] = ratio(worth, actual)
        scores[f"{name}_recall"] = ratio(worth, possible)
        scores[f"{name}_f1"] = ratio(2 * worth, possible + actual)
        scores |= {f"{name}_{key}": value for key, value in counts.items()}
    return scores


MEASURES: Mapping[str, tuple[str, str]] = {
    "strict": ("strict_tp", "partial"),
    "boundary": ("boundary_tp", "partial"),
    "partial": ("boundary_tp", "partial"),
    "type": ("lenient_tp", "type"),
}
"""The measures of SemEval-2013 Task 9: the count of correct pairs, and the match that has all."""


def _categories(measure: str, counts: Mapping[str, Any]) -> dict[str, Any]:
    """Return the counts of a measure of SemEval-2013 Task 9.

    Examples:
        >>> counts = {"boundary_tp": 2, "partial_tp": 3, "partial_fp": 0, "partial_fn": 1}
        >>> _categories("partial", counts)
        {'cor': 2, 'inc': 0, 'par': 1, 'mis': 1, 'spu': 0, 'possible': 4, 'actual': 3}
    """
    correct, match = MEASURES[measure]
    pairs, spurious, missed = (counts[f"{match}_{verdict}"] for verdict in ("tp", "fp", "fn"))
    own = {verdict: counts[f"{measure}_{verdict}"] for verdict in ("tp", "fp", "fn")}
    right, other = counts[correct], pairs - counts[correct]
    none = pairs - pairs
    return {
        "cor": right,
        "inc": none if measure == "partial" else other,
        "par": other if measure == "partial" else none,
        "mis": missed,
        "spu": spurious,
        # of a group, in which two mentions of a pair need not be, what the measure's match counts
        "possible": own["tp"] + own["fn"],
        "actual": own["tp"] + own["fp"],
    }


STEPS = Steps(
    read, join, pair, tally, list_outcomes, resolve=resolve, whole=whole, settings=settings
)
