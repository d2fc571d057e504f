"""Scores of mentions, each declared once: its counts, keys, formula, tables and short names."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import KW_ONLY, dataclass, replace
from itertools import chain

from clineval.base.arrays import BoolArray, Coded
from clineval.base.ratios import Columns, Number, Totals, precision_recall_f1, prf_keys, ratio
from clineval.kinds.mentions.corpus import Corpus
from clineval.kinds.mentions.derived import View, Viewed
from clineval.kinds.mentions.labelled import MATCHES
from clineval.kinds.mentions.matching import same_value
from clineval.kinds.mentions.pairing import Pairs
from clineval.kinds.mentions.rows import MatchKind, Pairing, Rows, Split, columns_of
from clineval.results.averages import MACRO, PRF, average, is_there, label_key, list_parts_of
from clineval.results.formulas import PRF_HEADINGS, Prf
from clineval.results.match import Match
from clineval.results.measures import Grid, Measure
from clineval.results.slots import Slot
from clineval.results.views import PairCheck


class SpanMeasure(Measure):
    """A measure that is counted from the pairs of mentions.

    The methods take the labels that are also scored separately.
    """

    def list_matches(
        self, _corpus: Corpus, _pairing: Pairing, _labels: Sequence[str], /
    ) -> Mapping[str, Rows]:
        """Return the counted rows of a block of a corpus."""
        return {}

    def count(self, _corpus: Corpus, _labels: Sequence[str], /) -> Columns:
        """Count everything that is not a row, ``[documents]`` each."""
        return {}


def find_labels(totals: Totals, ending: str, labels: Sequence[str]) -> list[str]:
    """Find the keys of the counted labels; without known labels, of any label."""
    found = [key.removesuffix(ending) for key in totals if key.endswith(ending)]
    keys = {*map(label_key, labels)}
    return [key for key in found if key in keys] if keys else found


def compare_all(corpus: Corpus, pairs: Pairs) -> dict[str, BoolArray]:
    """Return for each slot of the mentions which pairs agree in it, ``[p]`` each."""
    slots = (Slot(name, "free") for name in corpus.gold.columns.attributes)
    return {slot.name: same_value(pairs, corpus, slot) for slot in slots}


PLACES = {name: place for place, name in MATCHES.items()}
"""Kind of match to its default place on a page."""


@dataclass(frozen=True)
class Spans(Prf, SpanMeasure):
    """Precision, recall and F1 of one kind of match, for all mentions and for each label.

    With labels there is also ``macro_``, the mean over the labels that either side has; a label
    without a gold mention has F1 0. The name of the measure is the name of the match.

    Args:
        by: the slot with labels that are scored separately; empty for none.
        labels: all labels that may count, in the order of the tables; empty for any.
        ending: the end of the keys of labels; by default the name.
        labels_title: heading of the table of labels.
        all_heading: heading of the row of all mentions in that table; empty for no such row.
        means_title: heading of the table of means.
        cased: whether labels that differ in case are different labels.
    """

    title: str = "Labelled spans"
    by: str = "label"
    labels: tuple[str, ...] = ()
    ending: str = ""
    labels_title: str = ""
    all_heading: str = "micro"
    means_title: str = "Labels, mean of the labels"
    cased: bool = True

    def __post_init__(self) -> None:
        if self.name in PLACES and not self.place:
            object.__setattr__(self, "place", PLACES[self.name])
            object.__setattr__(self, "preset", self.preset or self.name)

    def name_labels(self, labels: Sequence[str]) -> dict[str, str]:
        """Return the beginning of the keys of each label."""
        return {label: f"{label_key(label)}_{self.ending or self.name}" for label in labels}

    def list_rows(self, corpus: Corpus, pairs: Pairs | Match, labels: Sequence[str]) -> Rows:
        """Return the rows of pairs, and of each label."""
        rows = MatchKind(columns_of(self.name), compare_all).of(corpus, pairs)
        if not self.by:
            return rows
        columns = (side.columns.attributes[self.by] for side in (corpus.gold, corpus.prediction))
        return self.split(rows, columns, labels)

    def split(self, rows: Rows, columns: Iterable[Coded], labels: Sequence[str]) -> Rows:
        """Add the rows of each label, from the labels of both sides' annotations."""
        fold = str if self.cased else str.lower
        return replace(rows, split=Split.by(columns, self.name_labels(labels), fold=fold))

    def list_matches(
        self, corpus: Corpus, pairing: Pairing, labels: Sequence[str], /
    ) -> Mapping[str, Rows]:
        """Return the rows of all mentions, and of each label."""
        return {self.name: self.list_rows(corpus, pairing[self.name], labels)}

    def finish(self, totals: Totals, config: str, /) -> dict[str, Number]:
        """Compute the scores of all mentions and of each label, and the mean over labels."""
        scores = super().finish(totals, config)
        if not scores or not self.by:
            return scores
        labels = find_labels(totals, f"_{self.ending or self.name}_tp", self.labels)
        keys = self.name_labels(labels).values()
        of_labels = [precision_recall_f1(key, totals) for key in keys]
        means = average(f"{MACRO}_{self.name}", of_labels, is_there)
        return dict(chain.from_iterable(each.items() for each in (scores, means, *of_labels)))

    def list_parts(self, scores: Mapping[str, Number], /) -> Mapping[str, Sequence[str]]:
        """Map each mean over labels to the scores of the labels that either side has."""
        labels = find_labels(scores, f"_{self.ending or self.name}_tp", self.labels)
        return list_parts_of(f"{MACRO}_{self.name}", self.name_labels(labels).values(), scores)

    def details(self) -> Iterable[Grid]:
        """Lay out each label, and the means over labels."""
        if self.by:
            yield self.lay_out_labels()
            yield self.lay_out_means()

    def lay_out_labels(self) -> Grid:
        """Lay out each label, and all labels."""
        title, keys = self.labels_title or f"Labels, {self.name}", prf_keys(self.name)
        if not self.labels:
            return Grid(title, PRF_HEADINGS, {}, RowsOfLabels(keys))
        rows = {label: prf_keys(key) for label, key in self.name_labels(self.labels).items()}
        whole = {self.all_heading: keys} if self.all_heading else {}
        return Grid(title, PRF_HEADINGS, {**rows, **whole})

    def lay_out_means(self) -> Grid:
        """Lay out the means over the labels."""
        keys = tuple(f"{MACRO}_{self.name}_{key}" for key in PRF)
        return Grid(self.means_title, PRF_HEADINGS[:3], {self.ending or self.name: keys})


@dataclass(frozen=True, slots=True)
class RowsOfLabels:
    """The rows of a table of labels, found from the keys of a score.

    Args:
        keys: the keys of a row, without the label.
    """

    keys: tuple[str, ...]

    def __call__(self, scores: Collection[str]) -> Mapping[str, tuple[str, ...]]:
        """Find the rows."""
        ending = f"_{self.keys[-1]}"
        labels = [key.removesuffix(ending) for key in scores if key.endswith(ending)]
        return {label: tuple(f"{label}_{key}" for key in self.keys) for label in labels}


@dataclass(frozen=True, slots=True)
class Accuracy(SpanMeasure):
    """The share of the pairs of a match that agree in a slot: ``<slot>_accuracy``.

    Args:
        slot: the slot.
        match: the match.
        title: heading of the table of all slots.
    """

    slot: Slot
    match: str = "strict"
    title: str = "Slots of pairs"

    @property
    def _correct(self) -> str:
        return f"{label_key(self.slot.name)}_correct"

    @property
    def _key(self) -> str:
        return f"{label_key(self.slot.name)}_accuracy"

    def _weigh(self, corpus: Corpus, pairs: Pairs) -> Iterable[tuple[str, BoolArray]]:
        yield self._correct, same_value(pairs, corpus, self.slot)

    def list_matches(
        self, corpus: Corpus, pairing: Pairing, _labels: Sequence[str], /
    ) -> Mapping[str, Rows]:
        """Return the pairs, and the pairs that agree."""
        return {self._key: MatchKind(weigh=self._weigh).of(corpus, pairing[self.match])}

    def finish(self, totals: Totals, _config: str, /) -> dict[str, Number]:
        """Divide the number of pairs that agree by the number of pairs."""
        if self._correct not in totals:
            return {}
        return {self._key: ratio(totals[self._correct], totals[f"{self.match}_tp"])}

    def tables(self) -> Iterable[Grid]:
        """Lay the accuracy out beside other slots of the same match."""
        yield Grid(f"{self.title}, {self.match}", ("accuracy",), {self.slot.name: (self._key,)})

    @property
    def headline(self) -> tuple[str, ...]:
        """The accuracy."""
        return (self._key,)


@dataclass(frozen=True)
class Derived(Spans):
    """Precision, recall and F1 of equal mentions of a view, independent of other pairings.

    Args:
        view: the view of the mentions to compare.
        listed_as: the kind of match that lists the rows of the measure, if the corpus is the view
            itself; empty for none.
    """

    by: str = ""
    _: KW_ONLY
    view: View
    listed_as: str = ""

    def pair_view(self, corpus: Corpus) -> Viewed:
        """Build the view, and pair it."""
        return self.view.pair(corpus)

    def list_matches(
        self, corpus: Corpus, pairing: Pairing, labels: Sequence[str], /
    ) -> Mapping[str, Rows]:
        """Return the rows, if the corpus is the view itself."""
        if not self.listed_as:
            return {}
        return {self.listed_as: self.list_rows(corpus, pairing[self.listed_as], labels)}

    def count(self, corpus: Corpus, labels: Sequence[str], /) -> Columns:
        """Count the rows of the view, also for each label; they are not rows of the corpus."""
        if self.listed_as:
            return {}
        viewed, pairs = self.pair_view(corpus)
        return self.list_rows(viewed, pairs, labels).count(len(viewed.documents))

    @property
    def shown_per_document(self) -> tuple[str, ...]:
        """F1 alone."""
        return self.headline

    def checks(self) -> Iterable[PairCheck]:
        """List all checks, if a page shows the view; other pages have other units."""
        return super().checks() if self.listed_as == self.name else ()
