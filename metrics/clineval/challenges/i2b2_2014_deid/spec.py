"""Read, pair and count i2b2 2014 de-identification as the package's docstring defines it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from clineval.base.arrays import BoolArray, Coded, unite_keys
from clineval.base.errors import warn
from clineval.base.ratios import Columns, Number, Totals, prf_keys
from clineval.challenges.i2b2_2014_deid.documents import TYPES, element_of
from clineval.formats.given.texts import option_of_texts
from clineval.formats.i2b2_annotations import I2b2Xml
from clineval.formats.i2b2_xml import ELEMENTS, find_record
from clineval.kinds.mentions.columns import Side, check_texts
from clineval.kinds.mentions.corpus import Corpus
from clineval.kinds.mentions.derived import Step, View, Viewed, cut, keep, relabel, untyped
from clineval.kinds.mentions.leak import Leak
from clineval.kinds.mentions.measures import Derived, Spans
from clineval.kinds.mentions.rows import Pairing
from clineval.protocols.labelled_spans import LabelledSpans
from clineval.results.challenge import Setup
from clineval.results.columns import MentionColumns
from clineval.results.document_means import DocumentMeans
from clineval.results.measures import Grid, Measure, Measures
from clineval.results.protocol import CountsT
from clineval.results.settings import Setting, declare_settings
from clineval.results.slots import Slot

LABEL = Slot("label", "label", required=True)
CATEGORY = Slot("category", "label")
SLOTS = (LABEL,)
CATEGORIES = tuple(TYPES)
REACH = 2
"""The most characters by which ends of relaxed matches may differ."""
HIPAA = frozenset(
    ("PATIENT", "AGE", "CITY", "STREET", "ZIP", "ORGANIZATION", "DATE", "PHONE", "FAX", "EMAIL",
     "SSN", "MEDICALRECORD", "HEALTHPLAN", "ACCOUNT", "LICENSE", "VEHICLE", "DEVICE", "BIOID",
     "IDNUM")
)  # fmt: skip
_TOKEN = re.compile(r"[^\W_]+")


def add_category(columns: MentionColumns) -> MentionColumns:
    """Add the category of each mention's label; an unknown label belongs to OTHER."""
    column = columns.attributes[LABEL.name]
    values = (*CATEGORIES, "PHI")
    of_label = np.array([values.index(_find_category(label)) for label in column.values], np.int64)
    category = Coded(of_label[column.ids], values)
    return replace(columns, attributes={**columns.attributes, CATEGORY.name: category})


def _find_category(label: str) -> str:
    element, slash, _ = label.partition("/")
    return element if slash and element in ELEMENTS else element_of(label)


@dataclass(frozen=True)
class Phi(Derived):
    """Precision, recall and F1 of a view, and the mean over the records: ``record_``.

    In the mean, P and R are averaged over records, and F1 is computed from the averages.
    """

    def pair_view(self, corpus: Corpus) -> Viewed:
        """Build the view, and pair its mentions."""
        viewed = super().pair_view(corpus)
        return (
            viewed._replace(corpus=viewed.corpus.with_columns(add_category)) if self.by else viewed
        )

    @property
    def means(self) -> DocumentMeans:
        """The mean over the records."""
        title = "Mean of the records"
        return DocumentMeans(self.name, f"record_{self.name}", title=title, heading=self.name)

    def find_averaged(self, counted: Columns) -> BoolArray:
        """Return which records are averaged, ``[records]``: those with anything on either side."""
        return self.means.find_filled(counted)

    def tally_records(self, counted: Columns) -> Columns:
        """Return the summands of each record for the means over records."""
        return self.means.count(counted, self.find_averaged(counted))

    @property
    def short_names(self) -> Mapping[str, str]:
        """The short names of precision, recall and F1, if they have one."""
        return super().short_names if self.short else {}

    def finish(self, totals: Totals, config: str, /) -> dict[str, Number]:
        """Compute the scores of all mentions and of each category, and the mean over records."""
        return super().finish(totals, config) | self.means.finish(totals, config)

    def tables(self) -> Iterable[Grid]:
        """Lay out the scores of all mentions, and the mean over the records."""
        yield from super().tables()
        yield from self.means.tables()

    def details(self) -> Iterable[Grid]:
        """Lay out nothing; :class:`Categories` lays out the categories in its order."""
        return ()


class Categories(Measure):
    """The tables of categories; spans come before tokens."""

    def finish(self, _totals: Totals, _config: str, /) -> dict[str, Number]:
        """Compute nothing more."""
        return {}

    def details(self) -> Iterable[Grid]:
        """Lay out the categories of each view that has them."""
        for name in ("strict", "hipaa_strict", "token", "hipaa_token"):
            yield from Spans.details(SCORES[name])


def declare(name: str, view: View, of: type[Phi] = Phi) -> Phi:
    """Declare the scores of a view; views with types also have scores by category."""
    what, match = ("HIPAA PHI" if "hipaa_" in name else "All PHI"), name.rpartition("_")[2]
    binary = name.startswith("binary_")
    return of(
        name,
        f"{what}, without types" if binary else what,
        heading=match,
        main=name in ("strict", "relaxed", "token", "hipaa_strict"),
        short={"strict": "str", "relaxed": "rel", "hipaa_strict": "hip"}.get(name, ""),
        place="exact/span" if name == "binary_strict" else "",
        preset="span" if name == "binary_strict" else "",
        by="" if binary or match == "relaxed" else CATEGORY.name,
        labels=CATEGORIES,
        labels_title=f"Categories, {name}",
        all_heading="",
        means_title="Mean of the categories",
        view=view,
        listed_as=name if name == "strict" else "",
    )


def _declare_views() -> Iterator[Phi]:
    """Declare all views: all mentions or only HIPAA, with or without types."""
    chosen: Mapping[str, tuple[Step, ...]] = {"": (), "hipaa_": (keep(LABEL, HIPAA.__contains__),)}
    bared: Mapping[str, tuple[Step, ...]] = {"": (), "binary_": (untyped(LABEL),)}
    for hipaa, kept in chosen.items():
        for binary, bare in bared.items():
            steps, name = (*kept, *bare), f"{binary}{hipaa}"
            yield declare(f"{name}strict", View(LABEL, steps))
            yield declare(f"{name}relaxed", View(LABEL, steps, REACH))
            yield declare(f"{name}token", View(LABEL, (*steps, cut(LABEL, _TOKEN))))


SCORES = {measure.name: measure for measure in _declare_views()}
"""Scores by name of the view."""
_NAMES = sorted(SCORES, key=lambda name: ("binary_" in name, "hipaa_" in name))
"""The order of views in tables: views without types come after views with types."""
LEAK = Leak(CATEGORY.name, CATEGORIES, main=True)
MEASURES = Measures.of(
    *map(SCORES.__getitem__, _NAMES),
    Categories(),
    LEAK,
    shown_per_document=(*prf_keys("strict")[2:], "leaked_characters"),
)


class Spec(LabelledSpans):
    """The challenge's definition."""

    def name_label(self, label: str) -> str:
        """Return the label by which a mention is scored: in upper case."""
        return label.strip().upper()

    def read_side(self, given: object, side: str, setup: Setup) -> Side:
        """Read one side: i2b2's XML, JSON Lines, lists of dicts, or Documents."""
        found = super().read_side(given, side, setup)
        return replace(found, mentions=relabel(LABEL, self.name_label)(found.mentions, {}))

    def join(self, gold: Side, predicted: Side, setup: Setup, /) -> Corpus:
        """Join both sides, with categories."""
        check_texts(gold, predicted)
        return super().join(gold, predicted, setup).with_columns(add_category)

    def resolve(self, corpus: Corpus, setup: Setup, /) -> Setup:
        """Set whether tokens are scored: only if every document with mentions has its text."""
        sides = (corpus.gold.columns, corpus.prediction.columns)
        with_mentions = {int(n) for side in sides for n in unite_keys(side.document)}
        without = sorted(with_mentions - corpus.texts.keys())
        problem = "{n} {document has|documents have} no text, so tokens are not scored"
        warn(f"{problem}: {{names}}", [corpus.documents[n] for n in without])
        return setup.with_options(texts=not without)

    def unite(self, parts: Sequence[CountsT], /) -> Sequence[CountsT]:
        """Drop tokens unless all parts have them; scores of tokens need all texts of a corpus."""
        least = min(parts, key=lambda part: len(part.columns))
        if not all(set(least.columns) <= set(part.columns) for part in parts):
            return parts
        return [part.only(least.columns, tokens=least.settings["tokens"]) for part in parts]

    own_settings = declare_settings(
        Setting(
            "tokens",
            "whether tokens are scored, which needs the texts",
            option="--text",
            literal=False,
        ),
    )

    def settings(self, setup: Setup, /) -> Mapping[str, str]:
        """Return the options that the scores depend on."""
        return {"tokens": "yes" if setup["texts"] else "no"}

    def complete(
        self, corpus: Corpus, _pairing: Pairing, counted: Columns, setup: Setup, /
    ) -> Columns:
        """Add the counts of the views, then the summands of means."""
        columns = dict(counted)
        scores = {of.name: of for of in self.scores if isinstance(of, Phi)}
        for name, measure in scores.items():
            if setup["texts"] or not name.endswith("token"):
                columns |= measure.count(corpus, CATEGORIES)
        for name in _NAMES:
            if f"{name}_tp" in columns:
                columns |= scores[name].tally_records(columns)
        return {**columns, **LEAK.count(corpus, CATEGORIES)}


def protocol(of: type[Spec], files: I2b2Xml, scores: Iterable[Phi]) -> Spec:
    """Return a protocol whose views are scored."""
    texts = option_of_texts(
        "reports, and for tokens if the files have no text",
        "for tokens: the text of each document, if mentions came without it.",
    )
    return of(
        CATEGORIES,
        files=files,
        scores=(*scores, LEAK),
        short="i14",
        columns={"default": ("strict_f1", "hipaa_strict_f1", "leaked_mentions_share")},
        format="xml",
        texts=texts,
    )


SPEC = protocol(Spec, I2b2Xml(key=find_record), SCORES.values())
