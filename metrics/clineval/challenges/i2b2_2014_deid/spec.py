"""i2b2 2014 de-identification read, paired and counted; ``__init__.py`` says how."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from clineval.base.arrays import Coded, IntArray, find_first
from clineval.base.errors import warn
from clineval.base.ratios import Columns, Number, Totals, precision_recall_f1, ratio
from clineval.challenges.i2b2_2014_deid.official import count_relaxed
from clineval.challenges.i2b2_2014_deid.views import LABEL, list_script_views, list_views
from clineval.formats import i2b2_xml
from clineval.formats.given.mentions import read_side
from clineval.formats.given.texts import with_texts
from clineval.formats.i2b2_xml import I2b2Xml
from clineval.formats.i2b2_xml_documents import TYPES, element_of
from clineval.kinds.mentions.columns import MentionColumns, Side
from clineval.kinds.mentions.corpus import Corpus, Reading, join_sides, trace_sides
from clineval.kinds.mentions.derived import View, Viewed, ViewPairing, relabel
from clineval.kinds.mentions.documents import check_texts, keep_common
from clineval.kinds.mentions.labelled import LabelScheme, finish_labels, pair_all
from clineval.kinds.mentions.leak import finish_leak, tally_leak
from clineval.kinds.mentions.outcomes import MatchKind, Outcomes, join_pairings, list_matches
from clineval.kinds.mentions.slots import Slot
from clineval.results.challenge import Setup, Steps
from clineval.results.scores import Counts

CATEGORY = Slot("category", "label")
SLOTS = (LABEL,)
CATEGORIES = tuple(TYPES)
_RECORD = re.compile(r"(\d+)-(\d+)")
TYPED = ("strict", "hipaa_strict", "token", "hipaa_token")
"""The views that have scores of categories."""


def find_record(name: str) -> str:
    """Return the record of a file: what its name begins with, ``100-01``, else its name."""
    found = _RECORD.match(name)
    return found[0] if found else name


@dataclass(frozen=True, slots=True)
class Rules:
    """The rules on which the protocols differ; views lack what the script counts its own way."""

    reading: I2b2Xml
    official: bool
    views: Mapping[str, View]


SPEC = Rules(I2b2Xml(key=find_record), official=False, views=list_views())
OFFICIAL = Rules(
    I2b2Xml(i2b2_xml.label_by_both, find_record), official=True, views=list_script_views()
)
PROTOCOLS = {"spec": SPEC, "official": OFFICIAL}


def read(references: Any, predictions: Sequence[Any], setup: Setup) -> tuple[Side, list[Side]]:
    """Read both sides: i2b2's XML, JSON Lines, lists of dicts, or Documents."""
    rules: Rules = setup.rules

    def read_one(given: Any, side: str) -> Side:
        strict = not rules.official
        found = read_side(given, SLOTS, strict=strict, side=side, text_format=rules.reading)
        named = relabel(LABEL, _with_category if rules.official else _folded)
        return replace(found, mentions=named(found.mentions, {}))

    gold = with_texts(read_one(references, "references"), setup["texts"])
    return gold, [read_one(given, "predictions") for given in predictions]


def _folded(label: str) -> str:
    return label.strip().upper()


def _with_category(label: str) -> str:
    """Return a label as in XML; objects and other formats give its type alone."""
    return label if "/" in label else f"{element_of(label)}/{label}"


@dataclass(frozen=True, slots=True, eq=False)
class DeidCorpus(Corpus):
    """Mentions, each with its category.

    Args:
        written: the mentions as the released script reads them; the corpus itself by ``spec``.
        order: for each side ``[n]``, a number for the place of each of these in its file.
    """

    written: Corpus | None
    order: tuple[IntArray, IntArray]

    def of_documents(self, first: int, last: int) -> Corpus:
        """Return some documents, as :meth:`Corpus.of_documents` does."""
        block = Corpus.of_documents(self, first, last)
        if self.written is None:
            return _as_deid(block, None, self.order)
        sides = self.written.gold.columns, self.written.prediction.columns
        (start, end), (begin, stop) = (find_first(s.document, [first, last]) for s in sides)
        order = self.order[0][start:end], self.order[1][begin:stop]
        return _as_deid(block, self.written.of_documents(first, last), order)


_NO_ORDER = (np.zeros(0, np.int64), np.zeros(0, np.int64))


def _as_deid(
    corpus: Corpus, written: Corpus | None, order: tuple[IntArray, IntArray]
) -> DeidCorpus:
    sides = corpus.gold, corpus.prediction
    return DeidCorpus(corpus.documents, *sides, corpus.texts, written, order)


def join(gold: Side, predicted: Side, setup: Setup) -> DeidCorpus:
    """Join both sides, with categories."""
    rules: Rules = setup.rules
    if not rules.official:
        check_texts(gold, predicted)
        corpus = join_sides(gold, predicted, SLOTS, Reading())
        return _as_deid(corpus.with_columns(add_category), None, _NO_ORDER)
    gold, predicted = keep_common(gold, predicted)
    check_texts(gold, predicted)
    written, rows = trace_sides(gold, predicted, SLOTS, Reading())
    order = tuple(
        _find_order(found, len(side))
        for found, side in zip(rows, (written.gold, written.prediction), strict=True)
    )
    strict = rules.views["strict"].of(written).with_columns(add_category)
    return _as_deid(strict, written, (order[0], order[1]))


def _find_order(rows: IntArray, size: int) -> IntArray:
    """Return where each mention came first among those that were read."""
    order = np.zeros(size, np.int64)
    order[rows[::-1]] = np.arange(len(rows))[::-1]
    return order


def add_category(columns: MentionColumns) -> MentionColumns:
    """Add the category of each mention's label; an unknown label is in OTHER."""
    column = columns.attributes[LABEL.name]
    named = [_find_category(label) for label in column.values]
    numbers = {category: at for at, category in enumerate((*CATEGORIES, "PHI"))}
    of_label = np.array([numbers[name] for name in named], np.int64)
    category = Coded(of_label[column.ids], tuple(numbers))
    return replace(columns, attributes={**columns.attributes, CATEGORY.name: category})


def _find_category(label: str) -> str:
    element, slash, _ = label.partition("/")
    if slash and element in i2b2_xml.ELEMENTS:
        return element
    return element_of(label)


def resolve(corpus: DeidCorpus, setup: Setup) -> Setup:
    """Set whether there are tokens: every document with mentions has its text."""
    sides = (corpus.gold.columns, corpus.prediction.columns)
    with_mentions = {int(n) for side in sides for n in np.unique(side.document)}
    without = sorted(with_mentions - corpus.texts.keys())
    names = [corpus.documents[n] for n in without]
    problem = "{n} {document has|documents have} no text, so that tokens are not scored"
    warn(f"{problem}: {{names}}", names)
    return setup.with_options(texts=not without)


def unite(parts: Sequence[Counts]) -> Sequence[Counts]:
    """Drop tokens unless all parts have them: scores of tokens need all texts of a corpus."""
    least = min(parts, key=lambda part: len(part.columns))
    tokens = least.settings["tokens"]
    known = [part for part in parts if set(least.columns) <= set(part.columns)]
    if len(known) < len(parts):
        return parts
    return [part.only(least.columns, tokens=tokens) for part in parts]


def settings(setup: Setup) -> Mapping[str, str]:
    """Return what the numbers depend on besides the protocol."""
    return {"tokens": "yes" if setup["texts"] else "no"}


def pair(corpus: DeidCorpus, setup: Setup) -> ViewPairing:
    """Pair for all views, and whole mentions."""
    rules: Rules = setup.rules
    source = corpus.written or corpus
    views = {
        name: view.pair(source)
        for name, view in rules.views.items()
        if setup["texts"] or not name.endswith("token")
    }
    return ViewPairing(pair_all(corpus, LABEL), views)


def tally(corpus: DeidCorpus, pairing: ViewPairing, setup: Setup) -> Columns:
    """Return the counts of each document."""
    columns: dict[str, Any] = {}
    rules: Rules = setup.rules
    for name, viewed in pairing.views.items():
        columns |= _tally_view(name, viewed)
    if corpus.written is not None:
        columns |= count_relaxed(corpus.written, corpus.order)
    for name in _names_of(columns):
        columns |= _tally_records(name, columns, every=rules.official)
    sides = corpus.gold.columns, corpus.prediction.columns
    leak = tally_leak(*sides, len(corpus.documents), {CATEGORY.name: CATEGORIES})
    return {**columns, **leak}


def _tally_view(name: str, viewed: Viewed) -> Columns:
    if name not in TYPED:
        return LabelScheme(LABEL, (), (name,)).tally(viewed.corpus, {name: viewed.pairs})
    corpus = viewed.corpus.with_columns(add_category)
    return LabelScheme(CATEGORY, CATEGORIES, (name,)).tally(corpus, {name: viewed.pairs})


def _names_of(totals: Mapping[str, Any]) -> list[str]:
    """List the views that have counts."""
    names = [f"{b}{h}{m}" for b in ("", "binary_") for h in ("", "hipaa_") for m in MEASURES]
    return [name for name in names if f"{name}_tp" in totals]


MEASURES = ("strict", "relaxed", "token")


def _tally_records(name: str, columns: Mapping[str, Any], *, every: bool) -> Columns:
    """Return what each record adds to the means over records."""
    tp, fp, fn = (columns[f"{name}_{verdict}"] for verdict in ("tp", "fp", "fn"))
    filled = (tp + fp + fn > 0) | every
    return {
        f"{name}_records": filled.astype(np.int64),
        f"{name}_precision_sum": np.asarray(ratio(tp, tp + fp)),
        f"{name}_recall_sum": np.asarray(ratio(tp, tp + fn)),
    }


def list_outcomes(corpus: DeidCorpus, pairings: Sequence[ViewPairing], setup: Setup) -> Outcomes:
    """List what became of every mention: ``strict``, also by category, and wider matches."""
    pairing = join_pairings(corpus.blocks(), [each.spans for each in pairings])
    scheme = LabelScheme(CATEGORY, CATEGORIES, ("strict",), (LABEL, CATEGORY))
    compare = scheme.kinds["strict"].compare
    wider = {name: MatchKind({}, compare) for name in ("boundary", "lenient", "overlap")}
    matches = {**scheme.list_matches(corpus, pairing), **list_matches(corpus, pairing, wider)}
    return Outcomes.of(setup, corpus, matches, "overlap", any_class=True)


def finish(totals: Totals, config: str) -> dict[str, Number]:  # noqa: ARG001 - there is one
    """Return scores from totals, by the formulas of the specification."""
    scores: dict[str, Number] = {}
    for name in _names_of(totals):
        if name in TYPED:
            scores |= finish_labels(totals, {name: name}, CATEGORIES)
        else:
            scores |= precision_recall_f1(name, totals)
        if f"{name}_records" in totals:
            scores |= _finish_records(name, totals)
    return scores | finish_leak(totals, CATEGORIES)


def _finish_records(name: str, totals: Totals) -> dict[str, Number]:
    records = totals[f"{name}_records"]
    precision, recall = (
        ratio(totals[f"{name}_{measure}_sum"], records) for measure in ("precision", "recall")
    )
    f1 = ratio(2 * precision * recall, precision + recall)
    values = {"precision": precision, "recall": recall, "f1": f1}
    return {f"record_{name}_{measure}": value for measure, value in values.items()}


STEPS = Steps(
    read, join, pair, tally, list_outcomes, resolve=resolve, unite=unite, settings=settings
)
