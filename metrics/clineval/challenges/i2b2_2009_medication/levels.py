"""Count each record for horizontal and vertical measures, at system and patient level."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from clineval.base.arrays import BoolArray, FloatArray, IntArray, cover
from clineval.base.ratios import Columns, Number, harmonic_mean, ratio
from clineval.challenges.i2b2_2009_medication.alignment import find_shared_tokens
from clineval.challenges.i2b2_2009_medication.corpus import Entries, EntryCorpus
from clineval.kinds.entries.entry import FIELD_NAMES, FIELDS
from clineval.kinds.mentions.pairing import Pairs


@dataclass(frozen=True, slots=True, eq=False)
class Sizes:
    """D, S and N for each record and field, ``[records, 6]``, or for each record, ``[records]``."""

    shared: IntArray
    gold: IntArray
    system: IntArray

    def of_field(self, number: int) -> Sizes:
        """Return the sizes of one field, ``[records]``."""
        return Sizes(self.shared[:, number], self.gold[:, number], self.system[:, number])

    def sum(self) -> Sizes:
        """Add up all fields, ``[records]``."""
        return Sizes(self.shared.sum(axis=1), self.gold.sum(axis=1), self.system.sum(axis=1))


def phrases_of_aligned(corpus: EntryCorpus, pairs: Pairs) -> Sizes:
    """Count the phrases of all entries, and the equal phrases of aligned entries (exact)."""
    gold, system = corpus.gold, corpus.system
    size = len(corpus.documents)
    phrase = gold.phrase[pairs.gold]
    equal = (phrase == system.phrase[pairs.prediction]) & (phrase > 0)
    return Sizes(
        _add_up(gold.record[pairs.gold], equal, size),
        _add_up(gold.record, gold.phrase > 0, size),
        _add_up(system.record, system.phrase > 0, size),
    )


def tokens_of_aligned(corpus: EntryCorpus, pairs: Pairs) -> Sizes:
    """Count the tokens of all phrases, and the shared tokens of aligned entries (inexact)."""
    found = find_shared_tokens(corpus, pairs)
    return Sizes(
        _by_field(corpus.gold.mentions.document[found.gold], found.shared, corpus),
        _by_field(corpus.gold.mentions.document, corpus.gold.lengths, corpus),
        _by_field(corpus.system.mentions.document, corpus.system.lengths, corpus),
    )


def phrases_of_lists(corpus: EntryCorpus, _: Pairs) -> Sizes:
    """Count the different phrases of each record and field (exact)."""
    stride = 1 + max(int(side.phrase.max(initial=0)) for side in (corpus.gold, corpus.system))
    lists = []
    for side in (corpus.gold, corpus.system):
        document = side.record[:, None].astype(np.int64) * len(FIELDS) + np.arange(len(FIELDS))
        lists.append(np.unique((document * stride + side.phrase)[side.phrase > 0]))
    gold, system = lists
    shared = np.intersect1d(gold, system, assume_unique=True)
    return Sizes(
        *(_by_field(keys // stride, np.ones(len(keys)), corpus) for keys in (shared, gold, system))
    )


def tokens_of_lists(corpus: EntryCorpus, _: Pairs) -> Sizes:
    """Count the tokens that the phrases of each record and field cover (inexact)."""
    sides = (corpus.gold, corpus.system)
    gold, system, either = (_covered(chosen, corpus) for chosen in (sides[:1], sides[1:], sides))
    return Sizes(gold + system - either, gold, system)


def _covered(sides: Sequence[Entries], corpus: EntryCorpus) -> IntArray:
    """Count the distinct tokens that the phrases of some sides cover, ``[records, 6]``."""
    mentions = [side.mentions for side in sides]
    document, starts, ends = cover(
        np.concatenate([side.document[side.owners] for side in mentions]),
        np.concatenate([side.starts for side in mentions]),
        np.concatenate([side.ends for side in mentions]),
    )
    return _by_field(document, ends - starts, corpus)


def _by_field(document: IntArray, weights: IntArray | FloatArray, corpus: EntryCorpus) -> IntArray:
    """Add up weights by record and field, ``[records, 6]``; ``document`` is record * 6 + field."""
    size = len(corpus.documents) * len(FIELDS)
    return np.bincount(document, weights, size).astype(np.int64).reshape(-1, len(FIELDS))


def _add_up(record: IntArray, table: BoolArray, size: int) -> IntArray:
    columns = [np.bincount(record, column, size) for column in table.T]
    return np.stack(columns, axis=1).astype(np.int64)


MATCHES = ("exact", "inexact")
HORIZONTAL = "exact_horizontal"
DIRECTIONS = ("horizontal", *(f"vertical_{name}" for name in (*FIELD_NAMES, "all")))
PRF = ("precision", "recall", "f1")
_MEASURES = {
    ("exact", "aligned"): phrases_of_aligned,
    ("inexact", "aligned"): tokens_of_aligned,
    ("exact", "lists"): phrases_of_lists,
    ("inexact", "lists"): tokens_of_lists,
}


@dataclass(frozen=True, slots=True)
class Counting:
    """A protocol's rules of counting.

    Args:
        vertical: compare ``lists`` of phrases whatever the entries, or ``aligned`` entries.
        patients: records of the ground truth in a patient-level mean. With ``either``, they are
            the records in which either side has something. With ``gold``, they are all records;
            for a field, the records in which the gold standard has it.
        rounded: function that rounds P, R and F of a record.
        recall_of_nothing: recall if the gold standard has nothing.
    """

    vertical: Literal["lists", "aligned"]
    patients: Literal["either", "gold"]
    rounded: Callable[[Number], Number]
    recall_of_nothing: float


def count_records(
    corpus: EntryCorpus, pairs: Pairs, rules: Counting, counted: Columns
) -> dict[str, FloatArray]:
    """Count phrases and tokens of each record, and its P, R and F; each column ``[records]``.

    ``counted`` holds the exact horizontal phrases.
    """
    shared, gold, system = (
        counted[f"{HORIZONTAL}_{of}"].astype(np.int64) for of in ("shared", "gold", "system")
    )
    horizontal = {
        "exact": lambda: Sizes(shared, gold, system),
        "inexact": lambda: tokens_of_aligned(corpus, pairs).sum(),
    }
    every = np.ones(len(corpus.documents))
    columns: dict[str, IntArray | Number] = {
        "records": every,
        "recall_of_nothing": every * rules.recall_of_nothing,
    }
    for match in MATCHES:
        vertical = _MEASURES[match, rules.vertical](corpus, pairs)
        sizes = {
            "horizontal": horizontal[match](),
            "vertical_all": vertical.sum(),
            **{f"vertical_{name}": vertical.of_field(k) for k, name in enumerate(FIELD_NAMES)},
        }
        for direction, of in sizes.items():
            if rules.patients == "either":
                counts = corpus.in_gold & ((of.gold > 0) | (of.system > 0))
            else:  # for a field, only records in which the gold standard has it
                whole = direction in ("horizontal", "vertical_all")
                counts = corpus.visited if whole else of.gold > 0
            columns |= _score_records(f"{match}_{direction}", of, counts, rules)
    return {name: np.asarray(column, np.float64) for name, column in columns.items()}


def _score_records(
    name: str, sizes: Sizes, counts: BoolArray, rules: Counting
) -> dict[str, IntArray | Number]:
    """Return the sizes of each record, and its P, R and F if it counts at patient level."""
    precision = ratio(sizes.shared, sizes.system)
    recall = np.where(sizes.gold > 0, ratio(sizes.shared, sizes.gold), rules.recall_of_nothing)
    f1 = harmonic_mean(precision, recall)
    scores = dict(zip(PRF, map(rules.rounded, (precision, recall, f1)), strict=True))
    return {
        f"{name}_shared": sizes.shared,
        f"{name}_gold": sizes.gold,
        f"{name}_system": sizes.system,
        **{f"{name}_{measure}_sum": np.asarray(s * counts) for measure, s in scores.items()},
        f"{name}_records": counts.astype(np.int64),
    }
