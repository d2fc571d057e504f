"""GutBrainIE 2026 by the rules of the released program, ``Eval/evaluate.py``."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields

import numpy as np

from clineval.base.arrays import FloatArray, IntArray, rank_rows
from clineval.base.errors import InputError, called, warn
from clineval.base.ratios import harmonic_mean
from clineval.challenges.gutbrainie26.files import Named, as_columns
from clineval.challenges.gutbrainie26.native import write_related
from clineval.challenges.gutbrainie26.program_files import (
    OVERLAPPING,
    REPEATED,
    read_document,
    stop,
)
from clineval.challenges.gutbrainie26.spec import Spec
from clineval.formats.parts import PartedSide
from clineval.kinds.mentions.columns import Intake, Side
from clineval.kinds.mentions.corpus import Corpus, join_sides
from clineval.kinds.mentions.pairing import Pairs, pair_equal_keys
from clineval.kinds.mentions.rows import Pairing, list_units
from clineval.kinds.relations.columns import RelatedSide
from clineval.kinds.relations.tuples import LABEL, SORT, VALUE
from clineval.protocols.hierarchies import HIERARCHY, find_hierarchy
from clineval.protocols.item_codes import ItemJudge
from clineval.protocols.tuple_sets import DEFAULT, select_sort
from clineval.results.challenge import Setup
from clineval.results.label_means import LabelMeans
from clineval.results.match import VERDICTS
from clineval.results.measures import Measure

EPSILON = 1e-10


@dataclass(frozen=True, slots=True, eq=False)
class RowCorpus(Corpus):
    """Both sides of a system.

    Args:
        rows: the labels of the gold standard, in the order of their first items.
    """

    rows: tuple[str, ...] = ()


@dataclass(frozen=True)
class ProgramMeans(LabelMeans):
    """The program's averages, over the labels that the gold standard has.

    P = tp / (predicted + 1e-10), R = tp / (gold + 1e-10), F1 = 2 (P R) / (P + R + 1e-10), for each
    label, and of the sums over these labels (``micro_``). The program prints ``mean_f1`` as macro
    F1.
    """

    @property
    def computed(self) -> tuple[str, ...]:
        """The keys of the means, and of the micro-averages."""
        micro = ("micro_precision", "micro_recall", "micro_f1")
        return (*self.keys, *(f"{self.prefix}{name}" for name in micro))

    def average(self, fp: FloatArray, fn: FloatArray, tp: FloatArray) -> FloatArray:
        """Add up the scores of labels in their order, as the program does."""
        there = tp + fn > 0
        right, found, golds = (np.where(there, of, 0) for of in (tp, tp + fp, tp + fn))
        labels = np.maximum(there.sum(axis=1), 1)
        precision, recall, mean = (
            _add_up(np.where(there, of, 0)) / labels for of in _rate(right, found, golds)
        )
        macro = np.asarray(harmonic_mean(precision, recall))
        micro = _rate(*(of.sum(axis=1) for of in (right, found, golds)))
        return np.stack([precision, recall, macro, mean, *micro])


def _rate(
    right: FloatArray, found: FloatArray, golds: FloatArray
) -> tuple[FloatArray, FloatArray, FloatArray]:
    precision, recall = right / (found + EPSILON), right / (golds + EPSILON)
    return precision, recall, 2 * ((precision * recall) / (precision + recall + EPSILON))


def _add_up(values: FloatArray) -> FloatArray:
    """Add up each row from left to right."""
    sums: FloatArray = np.cumsum(values, axis=1)
    return sums[:, -1] if values.shape[1] else np.zeros(len(values))


@dataclass(frozen=True)
class Official(Spec):
    """The released program: it compares strings, and removes overlapping predictions."""

    @property
    def means(self) -> Iterator[Measure]:
        """The program's averages."""
        for means in super().means:
            if isinstance(means, LabelMeans):
                yield ProgramMeans(
                    means.prefix, among=means.among, configs=means.configs, heading=means.heading
                )

    def find_judge(self, setup: Setup) -> ItemJudge | None:
        """Reject a hierarchy, because the program compares codes together with words."""
        if find_hierarchy(setup) is not None:
            problem = "the released program compares strings, which have no hierarchy"
            raise InputError(problem, where=HIERARCHY.name, remedy="Pass protocol=spec")
        return None

    def read_native(self, documents: Iterable[Named], *, setup: Setup, gold: bool) -> Side:
        """Read documents as the program does; reject those at which it stops."""
        listed = list(documents)
        sorts = self.sorts_of(setup)
        found = [read_document(of, where, sorts, gold=gold) for _, of, where in listed]
        names = tuple(name or "" for name, _, _ in listed)
        rows = [(at, item) for at, document in enumerate(found) for item in document.items]
        counts = {
            name: np.array([document.removed[name] for document in found], np.int64)
            for name in (REPEATED, OVERLAPPING)
        }
        _warn_of_removed(counts)
        parts = tuple(document.parts for document in found)
        return PartedSide(
            names,
            names if any(names) or not names else None,
            as_columns(rows),
            tuple(of.text for of in parts),
            None if gold else Intake({}, counts),
            parts=parts,
        )

    def make_related(
        self, related: RelatedSide, texts: Sequence[str | None], setup: Setup, *, gold: bool
    ) -> Side:
        """Read mentions and relations as if they were written to the challenge's JSON."""
        names = related.side.keys or (None,) * len(related.side.documents)
        where = (f"document {called(str(name or at))}" for at, name in enumerate(names))
        written = zip(names, write_related(related, texts), where, strict=True)
        return self.read_native(written, setup=setup, gold=gold)

    def join_tuples(self, gold: Side, predicted: Side, setup: Setup) -> RowCorpus:
        """Join the tuples; reject gold standards and documents at which the program stops."""
        joined = join_sides(gold, predicted, (SORT, LABEL, VALUE))
        labels = gold.mentions.attributes[LABEL.name]
        rows = tuple(labels.values[at] for at in dict.fromkeys(labels.ids.tolist()))
        if not rows and setup.config != DEFAULT:
            raise InputError("the released program divides by zero if there is no gold annotation")
        _check_documents(gold, predicted)
        held = {name: getattr(joined, name) for name in (field.name for field in fields(joined))}
        return RowCorpus(**held, rows=rows)

    def pair(self, block: Corpus, setup: Setup, /) -> Pairing:
        """Pair equal tuples; predictions whose label the gold standard lacks do not count."""
        found = {}
        for sort in self.sorts_of(setup):
            part = select_sort(block, sort).corpus
            sides = part.gold, part.prediction
            match = list_units(_pair_equal(part), *(np.arange(len(side)) for side in sides))
            labels = part.prediction.columns.attributes[LABEL.name]
            other = np.array([value not in _rows_of(block) for value in labels.values], np.bool_)
            ignored = np.append(other[labels.ids], [False])
            match.verdict[ignored[match.prediction]] = VERDICTS.index("displaced")
            found[self.name_match(sort, setup)] = match
        return found

    def whole(self, _setup: Setup, /) -> str:
        """Return the reason why parts of a corpus cannot be counted alone."""
        return (
            "official only counts labels that some gold document has. Count all documents at once"
        )

    def order_labels(self, corpus: Corpus) -> tuple[str, ...]:
        """Return names of labels in the order in which the program adds them up."""
        ranks = {label: rank for rank, label in enumerate(_rows_of(corpus))}
        values = super().order_labels(corpus)
        names = (value.rpartition(": ") for value in values)
        return tuple(
            f"{sort}{separator}{ranks.get(value, len(ranks)):09} {label}"
            for value, (sort, separator, label) in zip(values, names, strict=True)
        )


def _rows_of(corpus: Corpus) -> Sequence[str]:
    return corpus.rows if isinstance(corpus, RowCorpus) else ()


def _pair_equal(part: Corpus) -> Pairs:
    """Pair tuples with equal labels and values, which contain the offsets."""
    sides = part.gold, part.prediction
    columns = [
        np.concatenate([side.columns.document for side in sides]),
        *(np.concatenate([side.ids(slot.name) for side in sides]) for slot in (LABEL, VALUE)),
    ]
    return pair_equal_keys(*np.split(rank_rows(columns), [len(part.gold)]))


def _check_documents(gold: Side, predicted: Side) -> None:
    """Reject predictions in a document that the gold standard lacks."""
    known = {*(gold.keys or ())}
    for number in np.unique(predicted.mentions.document).tolist() if gold.keys else ():
        name = (predicted.keys or gold.keys or ())[number]
        if name not in known:
            raise stop(f"document {called(name)}", "the gold standard lacks the document")


def _warn_of_removed(counts: Mapping[str, IntArray]) -> None:
    repeated, overlapping = (int(counts[name].sum()) for name in (REPEATED, OVERLAPPING))
    warn("{n} repeated {prediction|predictions} {does|do} not count", n=repeated)
    problem = "{n} {prediction|predictions} {does|do} not count, because a longer one overlaps"
    warn(problem, n=overlapping)
