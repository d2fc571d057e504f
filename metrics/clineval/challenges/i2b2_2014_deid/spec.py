"""i2b2 2014 de-identification by its definition, which the package's docstring states."""

from __future__ import annotations

import re
from abc import abstractmethod
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TypeVar

import numpy as np

from clineval.base.arrays import BoolArray, Coded, FloatArray, IntArray
from clineval.base.errors import warn
from clineval.base.ratios import Columns, Number, Totals, ratio
from clineval.challenges.i2b2_2014_deid.documents import TYPES, element_of
from clineval.formats.given.mentions import read_side
from clineval.formats.given.texts import with_texts
from clineval.formats.i2b2_xml import ELEMENTS, I2b2Xml
from clineval.kinds.mentions.columns import MentionColumns, Side, check_texts
from clineval.kinds.mentions.corpus import Corpus, join_sides
from clineval.kinds.mentions.derived import (
    Step,
    View,
    ViewPairing,
    cut,
    keep,
    relabel,
    untyped,
)
from clineval.kinds.mentions.labelled import PRF, pair_all
from clineval.kinds.mentions.measures import Leak, Spans, compare_all
from clineval.kinds.mentions.outcomes import MatchKind, Outcomes, join_pairings, list_matches
from clineval.kinds.mentions.slots import Slot
from clineval.results.challenge import Protocol, Setup
from clineval.results.formulas import PRF_HEADINGS
from clineval.results.measures import Grid, Measure, Measures
from clineval.results.scores import Counts

LABEL = Slot("label", "label", required=True)
CATEGORY = Slot("category", "label")
SLOTS = (LABEL,)
CATEGORIES = tuple(TYPES)
REACH = 2
"""By how many characters ends may differ."""
HIPAA = frozenset(
    ("PATIENT", "AGE", "CITY", "STREET", "ZIP", "ORGANIZATION", "DATE", "PHONE", "FAX", "EMAIL",
     "SSN", "MEDICALRECORD", "HEALTHPLAN", "ACCOUNT", "LICENSE", "VEHICLE", "DEVICE", "BIOID",
     "IDNUM")
)  # fmt: skip
_RECORD = re.compile(r"(\d+)-(\d+)")
_TOKEN = re.compile(r"[^\W_]+")


def find_record(name: str) -> str:
    """Return the record of a file: what its name begins with, ``100-01``, else its name."""
    found = _RECORD.match(name)
    return found[0] if found else name


def _list_views() -> dict[str, View]:
    """Make the views: of all mentions or HIPAA alone, with types or without."""
    found: dict[str, View] = {}
    chosen: Mapping[str, tuple[Step, ...]] = {"": (), "hipaa_": (keep(LABEL, HIPAA.__contains__),)}
    bared: Mapping[str, tuple[Step, ...]] = {"": (), "binary_": (untyped(LABEL),)}
    for hipaa, kept in chosen.items():
        for binary, bare in bared.items():
            steps = (*kept, *bare)
            found |= {
                f"{binary}{hipaa}strict": View(LABEL, steps),
                f"{binary}{hipaa}relaxed": View(LABEL, steps, REACH),
                f"{binary}{hipaa}token": View(LABEL, (*steps, cut(LABEL, _TOKEN))),
            }
    return found


CorpusT = TypeVar("CorpusT", bound=Corpus)


class ByViews(Protocol[Side, CorpusT, ViewPairing]):
    """What protocols share: mentions are paired and counted view by view."""

    reading: I2b2Xml
    strict: bool
    """Whether files must keep to the format."""
    views: Mapping[str, View]

    @abstractmethod
    def name_label(self, label: str) -> str:
        """Return the label by which a mention is scored."""

    def read(
        self, references: object, predictions: Sequence[object], setup: Setup, /
    ) -> tuple[Side, list[Side]]:
        """Read both sides: i2b2's XML, JSON Lines, lists of dicts, or Documents."""
        gold = with_texts(self._read(references, "references"), setup["texts"])
        return gold, [self._read(given, "predictions") for given in predictions]

    def _read(self, given: object, side: str) -> Side:
        found = read_side(given, SLOTS, strict=self.strict, side=side, text_format=self.reading)
        return replace(found, mentions=relabel(LABEL, self.name_label)(found.mentions, {}))

    def resolve(self, corpus: CorpusT, setup: Setup, /) -> Setup:
        """Set whether there are tokens: every document with mentions has its text."""
        sides = (corpus.gold.columns, corpus.prediction.columns)
        with_mentions = {int(n) for side in sides for n in np.unique(side.document)}
        without = sorted(with_mentions - corpus.texts.keys())
        problem = "{n} {document has|documents have} no text, so that tokens are not scored"
        warn(f"{problem}: {{names}}", [corpus.documents[n] for n in without])
        return setup.with_options(texts=not without)

    def unite(self, parts: Sequence[Counts], /) -> Sequence[Counts]:
        """Drop tokens unless all parts have them: scores of tokens need all texts of a corpus."""
        least = min(parts, key=lambda part: len(part.columns))
        if not all(set(least.columns) <= set(part.columns) for part in parts):
            return parts
        return [part.only(least.columns, tokens=least.settings["tokens"]) for part in parts]

    def settings(self, setup: Setup, /) -> Mapping[str, str]:
        """Return what the numbers depend on besides the protocol."""
        return {"tokens": "yes" if setup["texts"] else "no"}

    def pair_views(self, corpus: Corpus, source: Corpus, setup: Setup) -> ViewPairing:
        """Pair whole mentions of a corpus, and for all views those that views are made of."""
        views = {
            name: view.pair(source)
            for name, view in self.views.items()
            if setup["texts"] or not name.endswith("token")
        }
        return ViewPairing(pair_all(corpus, LABEL), views)

    def tally(self, corpus: CorpusT, pairing: ViewPairing, _setup: Setup, /) -> Columns:
        """Return the counts of each document."""
        columns: dict[str, IntArray | FloatArray] = {}
        for name, viewed in pairing.views.items():
            with_category = (
                viewed.corpus.with_columns(add_category) if PHI[name].by else viewed.corpus
            )
            columns |= PHI[name].tally(with_category, {name: viewed.pairs}, CATEGORIES)
        columns |= self.tally_rest(corpus)
        for name in PHI:
            if f"{name}_tp" in columns:
                columns |= self._tally_records(name, columns)
        return {**columns, **LEAK.tally(corpus, {}, CATEGORIES)}

    @abstractmethod
    def tally_rest(self, corpus: CorpusT) -> Columns:
        """Count what is not counted by views."""

    def _tally_records(self, name: str, columns: Columns) -> Columns:
        """Return what each record adds to the means over records."""
        tp, fp, fn = (columns[f"{name}_{verdict}"] for verdict in ("tp", "fp", "fn"))
        return {
            f"{name}_records": self.find_averaged(tp + fp + fn).astype(np.int64),
            f"{name}_precision_sum": np.asarray(ratio(tp, tp + fp)),
            f"{name}_recall_sum": np.asarray(ratio(tp, tp + fn)),
        }

    @abstractmethod
    def find_averaged(self, sizes: IntArray | FloatArray) -> BoolArray:
        """Tell which records are averaged, from what is there on either side of each."""

    def list_outcomes(
        self, corpus: CorpusT, pairings: Sequence[ViewPairing], setup: Setup, /
    ) -> Outcomes:
        """List what became of every mention: ``strict``, also by category, and wider matches."""
        pairing = join_pairings(corpus.blocks(), [each.spans for each in pairings])
        wider = dict.fromkeys(("boundary", "lenient", "overlap"), MatchKind({}, compare_all))
        matches = PHI["strict"].list_matches(corpus, pairing, CATEGORIES)
        matches |= list_matches(corpus, pairing, wider)
        return Outcomes.of(setup, corpus, matches, "overlap", any_class=True)


class Spec(ByViews[Corpus]):
    """The challenge's definition."""

    reading = I2b2Xml(key=find_record)
    strict = True
    views = _list_views()

    def name_label(self, label: str) -> str:
        """Return the label in upper case."""
        return label.strip().upper()

    def join(self, gold: Side, predicted: Side, _setup: Setup, /) -> Corpus:
        """Join both sides, with categories."""
        check_texts(gold, predicted)
        return join_sides(gold, predicted, SLOTS).with_columns(add_category)

    def pair(self, corpus: Corpus, setup: Setup, /) -> ViewPairing:
        """Pair for all views, and whole mentions."""
        return self.pair_views(corpus, corpus, setup)

    def tally_rest(self, _corpus: Corpus) -> Columns:
        """Count nothing: all is counted by views."""
        return {}

    def find_averaged(self, sizes: IntArray | FloatArray) -> BoolArray:
        """Tell which records are averaged: those with anything on either side."""
        return np.asarray(sizes > 0)


def add_category(columns: MentionColumns) -> MentionColumns:
    """Add the category of each mention's label; an unknown label is in OTHER."""
    column = columns.attributes[LABEL.name]
    values = (*CATEGORIES, "PHI")
    of_label = np.array([values.index(_find_category(label)) for label in column.values], np.int64)
    category = Coded(of_label[column.ids], values)
    return replace(columns, attributes={**columns.attributes, CATEGORY.name: category})


def _find_category(label: str) -> str:
    element, slash, _ = label.partition("/")
    return element if slash and element in ELEMENTS else element_of(label)


@dataclass(frozen=True)
class Phi(Spans):
    """Precision, recall and F1 of a view, and the mean over the records: ``record_``.

    P and R are averaged, and F1 is theirs.
    """

    @property
    def short_names(self) -> Mapping[str, str]:
        """Precision, recall and F1, if they have a name."""
        return super().short_names if self.short else {}

    def _name_means(self) -> tuple[str, ...]:
        return tuple(f"record_{self.name}_{measure}" for measure in PRF)

    def finish(self, totals: Totals, config: str, /) -> dict[str, Number]:
        """Compute the scores of all mentions, of each category, and the mean over the records."""
        scores = super().finish(totals, config)
        records = totals.get(f"{self.name}_records")
        if records is None:
            return scores
        precision, recall = (
            ratio(totals[f"{self.name}_{measure}_sum"], records)
            for measure in ("precision", "recall")
        )
        f1 = ratio(2 * precision * recall, precision + recall)
        return {**scores, **dict(zip(self._name_means(), (precision, recall, f1), strict=True))}

    def tables(self) -> Iterable[Grid]:
        """Lay out all mentions, and the mean over the records."""
        yield from super().tables()
        yield Grid("Mean of the records", PRF_HEADINGS[:3], {self.name: self._name_means()})

    def details(self) -> Iterable[Grid]:
        """Lay out nothing: categories stand in the order of :class:`Categories`."""
        return ()


class Categories(Measure):
    """The tables of categories: spans before tokens."""

    def finish(self, _totals: Totals, _config: str, /) -> dict[str, Number]:
        """Compute nothing more."""
        return {}

    def details(self) -> Iterable[Grid]:
        """Lay out the categories of each view that has them."""
        for name in ("strict", "hipaa_strict", "token", "hipaa_token"):
            yield from Spans.details(PHI[name])


def _declare_views() -> Iterator[Phi]:
    """Declare the scores of all views: those of PHI with types are also by category."""
    short = {"strict": "str", "relaxed": "rel", "hipaa_strict": "hip"}
    for binary, without in (("", ""), ("binary_", ", without types")):
        for hipaa, what in (("", "All PHI"), ("hipaa_", "HIPAA PHI")):
            for match in ("strict", "relaxed", "token"):
                name = f"{binary}{hipaa}{match}"
                yield Phi(
                    name,
                    f"{what}{without}",
                    heading=match,
                    main=name in ("strict", "relaxed", "token", "hipaa_strict"),
                    short=short.get(name, ""),
                    by="" if binary or match == "relaxed" else CATEGORY.name,
                    labels=CATEGORIES,
                    labels_title=f"Categories, {name}",
                    all_heading="",
                    means_title="Mean of the categories",
                )


PHI = {measure.name: measure for measure in _declare_views()}
"""Name of a view to its scores."""
LEAK = Leak(CATEGORY.name, CATEGORIES, main=True)
MEASURES = Measures.of(
    *PHI.values(),
    Categories(),
    LEAK,
    shown_per_document=(*PHI["strict"].shown_per_document, "leaked_characters"),
)
