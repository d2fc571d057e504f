"""i2b2/UTHealth 2014 Track 1: De-identification of longitudinal clinical narratives.

Mentions of protected health information (PHI) have a start, an end and a TYPE such as ``DOCTOR``;
types belong to the categories NAME, PROFESSION, LOCATION, AGE, DATE, CONTACT, ID and OTHER. A TYPE
is compared in upper case, and what is none of the challenge's types is a label like any other.
Mentions of a record that agree in start, end and TYPE are one.

Three kinds of match, one to one:

    strict     the same start, end and TYPE
    relaxed    the same start and TYPE, ends that differ by at most 2; as many pairs as possible
    token      runs of letters and digits in the text of a mention: same start, end and TYPE

each of all mentions, of those that a strict reading of the HIPAA guidelines names (``hipaa_``:
PATIENT, AGE, CITY, STREET, ZIP, ORGANIZATION, DATE, PHONE, FAX, EMAIL, SSN, MEDICALRECORD,
HEALTHPLAN, ACCOUNT, LICENSE, VEHICLE, DEVICE, BIOID, IDNUM; each side is filtered by its own
types), and of both without their types (``binary_``, ``binary_hipaa_``), where mentions of one span
are one.

    P = tp / (tp + fp)        R = tp / (tp + fn)        F1 = 2 tp / (2 tp + fp + fn)

of all mentions together (the challenge's primary scores, ``strict_f1`` first); and ``record_``,
the mean of P and of R over the records that have anything on either side, whose F1 is the harmonic
mean of these two. ``strict``, ``token``, ``hipaa_strict`` and ``hipaa_token`` have scores of each
category too, such as ``name_strict_f1``, and ``macro_``, their mean over the categories that either
side has. A score whose denominator is 0 is 0. Records of one side count: all missed, or all
spurious.

What no prediction covers, in all and of each category (see :mod:`clineval.mentions.leak`):
``leaked_characters``, ``leaked_mentions`` and ``leaked_whole_mentions``, with ``_share``.

Tokens need the text, which XML brings. Where a document with mentions has none there are no scores
of tokens. The texts of both sides must be the same.

``protocol="official"`` gives the numbers of the released evaluate.py, the 2014 scoring script
(kotfic/i2b2_evaluation_scripts). It compares element names and offsets as they are written, looks
at records of both sides only, leaves IDNUM out of HIPAA, takes ASCII letters and digits for tokens,
pairs relaxed mentions in a way of its own, and has no ``binary_relaxed``.

Sources: Stubbs, Kotfila and Uzuner (2015); README of the released script.
"""

from __future__ import annotations

import re
import warnings
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from clineval.arrays import Coded, IntArray
from clineval.challenge import Challenge, ClassSlot, Demo, Difference, Grid, Option, Setup
from clineval.errors import InputWarning
from clineval.formats import i2b2_xml
from clineval.formats.i2b2_xml import I2b2Xml
from clineval.formats.i2b2_xml_documents import TYPES, element_of
from clineval.inputs.mentions import read_side
from clineval.inputs.texts import with_texts
from clineval.mentions.columns import MentionColumns, Side
from clineval.mentions.corpus import Corpus, Reading, join_sides, trace_sides
from clineval.mentions.derived import Step, View, Viewed, cut, keep, relabel, untyped
from clineval.mentions.documents import check_texts, keep_common
from clineval.mentions.labelled import (
    MATCHES,
    LabelScheme,
    finish_labels,
    grid_of_means,
    pair_lenient,
    pair_strict,
)
from clineval.mentions.leak import finish_leak, grid_of_leak, tally_leak
from clineval.mentions.matching import agreement
from clineval.mentions.outcomes import MatchKind, Outcomes, join_pairings, list_matches
from clineval.mentions.pairing import Pairs, pair_same_spans
from clineval.mentions.slots import Slot
from clineval.mentions.tagged import as_mentions
from clineval.ratios import Columns, Number, Totals, precision_recall_f1, prf_keys, ratio
from clineval.scores import Counts
from clineval.views import DocView, MentionView, Preset, check_prf, short_prf

LABEL = Slot("label", "label", required=True)
CATEGORY = Slot("category", "label")
SLOTS = (LABEL,)
CATEGORIES = tuple(TYPES)
HIPAA = frozenset(
    ("PATIENT", "AGE", "CITY", "STREET", "ZIP", "ORGANIZATION", "DATE", "PHONE", "FAX", "EMAIL",
     "SSN", "MEDICALRECORD", "HEALTHPLAN", "ACCOUNT", "LICENSE", "VEHICLE", "DEVICE", "BIOID",
     "IDNUM")
)  # fmt: skip
_HIPAA_BEGINNINGS = (
    *("NAME/PATIENT", "LOCATION/CITY", "LOCATION/STREET", "LOCATION/ZIP"),
    *("LOCATION/ORGANIZATION", "DATE/", "AGE/", "CONTACT/PHONE", "CONTACT/FAX", "CONTACT/EMAIL"),
    *("ID/SSN", "ID/MEDICALRECORD", "ID/HEALTHPLAN", "ID/ACCOUNT", "ID/LICENSE", "ID/VEHICLE"),
    *("ID/DEVICE", "ID/BIOID", "ID/IDNUM "),
)
REACH = 2
"""By how many characters ends may differ."""
_RECORD = re.compile(r"(\d+)-(\d+)")
_TOKEN, _ASCII_TOKEN = re.compile(r"[^\W_]+"), re.compile(r"[A-Za-z0-9]+")
READING = Reading(strict=True, values="folded", repeats="merged", documents="all")
TYPED = ("strict", "hipaa_strict", "token", "hipaa_token")
"""The views that have scores of categories."""


def find_record(name: str) -> str:
    """The record that a file is of: what its name begins with, ``100-01``, else its name."""
    found = _RECORD.match(name)
    return found[0] if found else name


@dataclass(frozen=True, slots=True)
class Rules:
    """The rules on which the protocols differ.

    Args:
        reading: reads the files.
        official: whether mentions are what the released script makes of them.
        views: name to what is compared; without relaxed ones where the script has its own.
    """

    reading: I2b2Xml
    official: bool
    views: Mapping[str, View]


def _views() -> dict[str, View]:
    found: dict[str, View] = {}
    chosen: Mapping[str, tuple[Step, ...]] = {"": (), "hipaa_": (keep(LABEL, HIPAA.__contains__),)}
    bared: Mapping[str, tuple[Step, ...]] = {"": (), "binary_": (untyped(LABEL),)}
    for hipaa, some in chosen.items():
        for binary, bare in bared.items():
            steps = (*some, *bare)
            found |= {
                f"{binary}{hipaa}strict": View(LABEL, steps),
                f"{binary}{hipaa}relaxed": View(LABEL, steps, REACH),
                f"{binary}{hipaa}token": View(LABEL, (*steps, cut(_TOKEN))),
            }
    return found


def _bare_but_phi(label: str) -> str:
    return label.upper() if label.startswith("PHI/") else ""


def _script_views() -> dict[str, View]:
    """The views of the released script, of labels such as ``NAME/DOCTOR`` as they are written."""
    folded, bare = relabel(LABEL, str.upper), relabel(LABEL, _bare_but_phi)
    tokens = cut(_ASCII_TOKEN, empty=True)
    hipaa = keep(LABEL, lambda label: label.startswith(_HIPAA_BEGINNINGS))
    steps: dict[str, tuple[Step, ...]] = {
        "strict": (folded,),
        "token": (tokens,),
        "hipaa_strict": (hipaa, folded),
        "hipaa_token": (hipaa, tokens),
        "binary_strict": (bare,),
        "binary_token": (tokens, untyped(LABEL)),
        "binary_hipaa_strict": (hipaa, bare),
        "binary_hipaa_token": (hipaa, tokens, untyped(LABEL)),
    }
    return {name: View(LABEL, of) for name, of in steps.items()}


SPEC = Rules(I2b2Xml(key=find_record), official=False, views=_views())
OFFICIAL = Rules(I2b2Xml(i2b2_xml.label_by_both, find_record), official=True, views=_script_views())
PROTOCOLS = {"spec": SPEC, "official": OFFICIAL}


def read(references: Any, predictions: Sequence[Any], setup: Setup) -> tuple[Side, list[Side]]:
    """Both sides: i2b2's XML, JSON Lines, lists of dicts, or Documents."""
    rules: Rules = setup.rules

    def read_one(given: Any, side: str) -> Side:
        strict = not rules.official
        found = read_side(given, SLOTS, strict=strict, side=side, text_format=rules.reading)
        return _relabelled(found, _with_category if rules.official else _folded)

    gold = with_texts(read_one(references, "references"), setup["texts"])
    return gold, [read_one(given, "predictions") for given in predictions]


def _folded(label: str) -> str:
    return label.strip().upper()


def _with_category(label: str) -> str:
    """A label as XML has it, which objects and other formats give by its type alone."""
    return label if "/" in label else f"{element_of(label)}/{label}"


def _relabelled(side: Side, name: Any) -> Side:
    mentions = relabel(LABEL, name)(side.mentions, {})
    return replace(side, mentions=mentions)


@dataclass(frozen=True, slots=True, eq=False)
class DeidCorpus(Corpus):
    """Mentions, each with its category.

    Args:
        written: the mentions as the released script reads them; the corpus itself by ``spec``.
        order: for each side ``[n]``, a number for the place of each of these in its file.
    """

    written: Corpus | None
    order: tuple[IntArray, IntArray]

    def blocks(self, documents: int = 2048) -> Iterator[Corpus]:
        """As :meth:`Corpus.blocks`."""
        if self.written is None:
            for block in Corpus.blocks(self, documents):
                yield _as_deid(block, None, self.order)
            return
        at = [0, 0]
        parts = zip(Corpus.blocks(self, documents), self.written.blocks(documents), strict=True)
        for block, written in parts:
            sizes = len(written.gold), len(written.prediction)
            left, right = (o[s : s + n] for o, s, n in zip(self.order, at, sizes, strict=True))
            yield _as_deid(block, written, (left, right))
            at = [start + size for start, size in zip(at, sizes, strict=True)]


_NO_ORDER = (np.zeros(0, np.int64), np.zeros(0, np.int64))


def _as_deid(
    corpus: Corpus, written: Corpus | None, order: tuple[IntArray, IntArray]
) -> DeidCorpus:
    sides = corpus.gold, corpus.prediction
    return DeidCorpus(corpus.documents, *sides, corpus.texts, written, order)


def join(gold: Side, predicted: Side, setup: Setup) -> DeidCorpus:
    """Both sides together, with categories."""
    rules: Rules = setup.rules
    if not rules.official:
        check_texts(gold, predicted)
        return _as_deid(_categorized(join_sides(gold, predicted, SLOTS, READING)), None, _NO_ORDER)
    gold, predicted = keep_common(gold, predicted)
    check_texts(gold, predicted)
    written, rows = trace_sides(gold, predicted, SLOTS, READING)
    order = tuple(
        _find_order(found, len(side))
        for found, side in zip(rows, (written.gold, written.prediction), strict=True)
    )
    strict = _categorized(rules.views["strict"].of(written))
    return _as_deid(strict, written, (order[0], order[1]))


def _find_order(rows: IntArray, size: int) -> IntArray:
    """Where each mention came first among those that were read."""
    order = np.zeros(size, np.int64)
    order[rows[::-1]] = np.arange(len(rows))[::-1]
    return order


def _categorized(corpus: Corpus) -> Corpus:
    sides = [
        replace(side, columns=add_category(side.columns))
        for side in (corpus.gold, corpus.prediction)
    ]
    return replace(corpus, gold=sides[0], prediction=sides[1])


def add_category(columns: MentionColumns) -> MentionColumns:
    """Mentions with the category of their label; a label of its own kind is in OTHER."""
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
    """Whether there are tokens: every document with mentions has its text."""
    sides = (corpus.gold.columns, corpus.prediction.columns)
    with_mentions = {int(n) for side in sides for n in np.unique(side.document)}
    without = sorted(with_mentions - corpus.texts.keys())
    if without:
        names = [corpus.documents[n] for n in without]
        problem = "{n} documents have no text, so that tokens are not scored: {names}"
        warnings.warn(InputWarning(problem, names, n=len(names)), stacklevel=2)
    return setup.with_options(texts=not without)


def unite(parts: Sequence[Counts]) -> Sequence[Counts]:
    """Tokens count if all parts have them: a corpus has all its texts, or no scores of tokens."""
    least = min(parts, key=lambda part: len(part.columns))
    told = least.settings["tokens"]
    known = [part for part in parts if set(least.columns) <= set(part.columns)]
    if len(known) < len(parts):
        return parts
    return [part.only(least.columns, tokens=told) for part in parts]


def settings(setup: Setup) -> Mapping[str, str]:
    """What the numbers depend on besides the protocol."""
    return {"tokens": "yes" if setup["texts"] else "no"}


@dataclass(frozen=True, slots=True, eq=False)
class Pairing:
    """The pairs of a block.

    Args:
        spans: kind of match to pairs of whole mentions, for outcomes.
        views: name of a view to its pairs.
    """

    spans: Mapping[str, Pairs]
    views: Mapping[str, Viewed]


def pair(corpus: DeidCorpus, setup: Setup) -> Pairing:
    """The pairs of all views, and of whole mentions."""
    rules: Rules = setup.rules
    source = corpus.written or corpus
    views = {
        name: view.pair(source)
        for name, view in rules.views.items()
        if setup["texts"] or not name.endswith("token")
    }
    strict = pair_strict(corpus, SLOTS)
    boundary = pair_same_spans(corpus, agreement(corpus, SLOTS))
    spans = {
        "strict": strict,
        "boundary": boundary,
        "lenient": pair_lenient(corpus, strict, LABEL),
        "overlap": pair_lenient(corpus, boundary, None),
    }
    return Pairing(spans, views)


def tally(corpus: DeidCorpus, pairing: Pairing, setup: Setup) -> Columns:
    """The counts of each document."""
    columns: dict[str, Any] = {}
    rules: Rules = setup.rules
    for name, viewed in pairing.views.items():
        columns |= _tally_view(name, viewed)
    if corpus.written is not None:
        columns |= _count_relaxed(corpus)
    for name in _names_of(columns):
        columns |= _tally_records(name, columns, every=rules.official)
    sides = corpus.gold.columns, corpus.prediction.columns
    leak = tally_leak(*sides, len(corpus.documents), {CATEGORY.name: CATEGORIES})
    return {**columns, **leak}


def _tally_view(name: str, viewed: Viewed) -> Columns:
    if name not in TYPED:
        return LabelScheme(LABEL, (), (name,)).tally(viewed.corpus, {name: viewed.pairs})
    corpus = _categorized(viewed.corpus)
    return LabelScheme(CATEGORY, CATEGORIES, (name,)).tally(corpus, {name: viewed.pairs})


def _count_relaxed(corpus: DeidCorpus) -> Columns:
    """The counts of the released script, whose pairs are not one to one."""
    from clineval.challenges.i2b2_2014_deid_script import count_relaxed

    return count_relaxed(corpus, LABEL, _HIPAA_BEGINNINGS, REACH)


def _names_of(totals: Mapping[str, Any]) -> list[str]:
    """The views that have counts."""
    names = [f"{b}{h}{m}" for b in ("", "binary_") for h in ("", "hipaa_") for m in MEASURES]
    return [name for name in names if f"{name}_tp" in totals]


MEASURES = ("strict", "relaxed", "token")


def _tally_records(name: str, columns: Mapping[str, Any], *, every: bool) -> Columns:
    """What each record adds to the means over records."""
    tp, fp, fn = (columns[f"{name}_{verdict}"] for verdict in ("tp", "fp", "fn"))
    filled = (tp + fp + fn > 0) | every
    return {
        f"{name}_records": filled.astype(np.int64),
        f"{name}_precision_sum": np.asarray(ratio(tp, tp + fp)),
        f"{name}_recall_sum": np.asarray(ratio(tp, tp + fn)),
    }


def list_outcomes(corpus: DeidCorpus, pairings: Sequence[Pairing], setup: Setup) -> Outcomes:
    """What became of every mention: ``strict``, also by category, and wider matches."""
    pairing = join_pairings(corpus.blocks(), [each.spans for each in pairings])
    scheme = LabelScheme(CATEGORY, CATEGORIES, ("strict",), (LABEL, CATEGORY))
    compare = scheme.kinds["strict"].compare
    wider = {name: MatchKind({}, compare) for name in ("boundary", "lenient", "overlap")}
    matches = {**scheme.list_matches(corpus, pairing), **list_matches(corpus, pairing, wider)}
    sides = corpus.gold.columns, corpus.prediction.columns
    documents = corpus.documents
    return Outcomes(CHALLENGE, setup.config, documents, *sides, matches, "overlap", finish)


def finish(totals: Totals, config: str) -> dict[str, Number]:  # noqa: ARG001 - there is one
    """Scores from totals; see the top of the file for the formulas."""
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


def _grids() -> Iterator[Grid]:
    headings = ("P", "R", "F1", "TP", "FP", "FN")
    titles = {
        "": "All PHI",
        "hipaa_": "HIPAA PHI",
        "binary_": "All PHI, without types",
        "binary_hipaa_": "HIPAA PHI, without types",
    }
    for prefix, title in titles.items():
        yield Grid(title, headings, {m: prf_keys(f"{prefix}{m}") for m in MEASURES})
    names = [f"{prefix}{measure}" for prefix in titles for measure in MEASURES]
    rows = {
        name: tuple(f"record_{name}_{m}" for m in ("precision", "recall", "f1")) for name in names
    }
    yield Grid("Mean of the records", headings[:3], rows)
    for name in TYPED:
        keys = {category: prf_keys(f"{category.lower()}_{name}") for category in CATEGORIES}
        yield Grid(f"Categories, {name}", headings, keys)
    yield grid_of_means("Mean of the categories", {name: name for name in TYPED})
    yield grid_of_leak("What no prediction covers", CATEGORIES)


CHALLENGE = Challenge(
    name="i2b2_2014_deid",
    kind="mentions",
    title="i2b2/UTHealth 2014 Track 1: De-identification",
    configs={"default": "all views"},
    protocols=PROTOCOLS,
    differences=(
        Difference(
            "a record on one side only",
            "counts: all missed, or all spurious",
            "is ignored",
            "documents_on_one_side",
        ),
        Difference(
            "relaxed mentions",
            "are paired one to one, as many as possible",
            "are thinned to those that differ from all before them; hits are counted from the side "
            "that has fewer mentions",
            "relaxed_one_pred_two_gold",
        ),
        Difference(
            "what a mention is", "its TYPE", "its element and its TYPE", "category_is_compared"
        ),
        Difference(
            "case of a TYPE",
            "does not matter",
            "does not matter for spans, and does for tokens and HIPAA",
            "type_case_strict_vs_token",
        ),
        Difference(
            "offsets",
            "are numbers",
            "are compared as they are written: 012 is not 12; but for tokens and relaxed ends",
            "leading_zero_start",
        ),
        Difference(
            "a token",
            "is a run of letters and digits; a mention may have none",
            "is a run of ASCII letters and digits; a mention without one has an empty one",
            "token_non_ascii",
        ),
        Difference(
            "HIPAA",
            "has IDNUM, and types as a whole",
            "lacks IDNUM, and has all types that begin like one of its own",
            "hipaa_idnum_left_out",
        ),
        Difference(
            "PHI elements without types",
            "are like all others",
            "keep their type but for tokens",
            "binary_phi_element_keeps_type",
        ),
        Difference(
            "means over records",
            "leave out records with nothing on either side",
            "count them as P = R = 0",
            "macro_empty_document",
        ),
        Difference("relaxed mentions without types", "have scores", "have none", "exact"),
        Difference(
            "a tag without TYPE, an empty span, a span beyond the text",
            "is refused with file and line",
            "is a mention like any other",
            "missing_type_counts_as_empty",
        ),
    ),
    options=(
        Option(
            "texts",
            "Directory of the notes, for reports, and for tokens where the files have no text.",
            None,
            "texts",
            flag="--text",
            python="for tokens: the text of each document, where mentions came without it.",
        ),
    ),
    read=read,
    join=join,
    resolve=resolve,
    unite=unite,
    settings=settings,
    pair=pair,
    tally=tally,
    finish=finish,
    list_outcomes=list_outcomes,
    build=as_mentions(label="label"),
    class_slot=ClassSlot("label", "label"),
    view=MentionView(
        checks=check_prf("strict", "exact", "both"),
        presets=(
            Preset("strict", "exact", "both", "strict_f1"),
            Preset("span", "exact", "span", "binary_strict_f1"),
        ),
        slots=lambda _: SLOTS,
        matches=MATCHES,
    ),
    docs=DocView(
        prefix="i14",
        names={
            **short_prf("strict", "str"),
            **short_prf("relaxed", "rel"),
            **short_prf("hipaa_strict", "hip"),
            "leaked_mentions_share": "leak",
        },
        columns={"default": ("strict_f1", "hipaa_strict_f1", "leaked_mentions_share")},
        group="clin",
        slots=lambda _: SLOTS,
        format="xml",
    ),
    ranking={"default": ("strict_f1",)},
    scripts=("i2b2-2014",),
    demo=Demo(
        "i2b2 2014 de-identification: rules and a tagger on 6 notes",
        "gold",
        {"rules": "rules", "tagger": "tagger"},
        headline=2,
    ),
    grids=tuple(_grids()),
    homepage="https://www.i2b2.org/NLP/HeartDisease/",
    citation="""\
@article{stubbs-etal-2015-automated,
    title = "Automated systems for the de-identification of longitudinal clinical narratives:
        Overview of 2014 i2b2/{UTHealth} shared task Track 1",
    author = {Stubbs, Amber and Kotfila, Christopher and Uzuner, {\\"O}zlem},
    journal = "Journal of Biomedical Informatics",
    volume = "58",
    number = "Supplement",
    pages = "S11--S19",
    doi = "10.1016/j.jbi.2015.06.007",
    year = "2015",
}""",
    headline=("strict_f1", "relaxed_f1", "token_f1", "hipaa_strict_f1", "leaked_mentions_share"),
    shown_per_document=("strict_f1", "strict_tp", "strict_fp", "strict_fn", "leaked_characters"),
    validate=i2b2_xml.find_problems,
)
