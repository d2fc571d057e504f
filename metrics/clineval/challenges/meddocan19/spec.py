"""MEDDOCAN 2019 read, paired and counted; ``__init__.py`` says how."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import Any

import numpy as np

from clineval.base.arrays import IntArray
from clineval.base.errors import InputError, warn
from clineval.base.files import Source, find_path
from clineval.base.problems import Problem
from clineval.base.ratios import Columns, Number, Totals, precision_recall_f1, ratio
from clineval.challenges.meddocan19.official import count_merged
from clineval.challenges.meddocan19.sentence_counts import MISSING, Sentences
from clineval.formats import i2b2_xml
from clineval.formats.brat import columns as brat_columns
from clineval.formats.brat.columns import BratLabels
from clineval.formats.files import holds
from clineval.formats.given.mentions import read_side
from clineval.formats.given.texts import with_texts
from clineval.formats.i2b2_xml import I2b2Xml, Tag
from clineval.kinds.mentions.columns import Side
from clineval.kinds.mentions.corpus import Corpus, Reading, join_sides
from clineval.kinds.mentions.derived import (
    Texts,
    View,
    ViewPairing,
    merge,
    relabel,
    split_fragments,
    untyped,
)
from clineval.kinds.mentions.documents import check_texts, keep_common
from clineval.kinds.mentions.labelled import LabelScheme, pair_all
from clineval.kinds.mentions.leak import finish_leak, tally_leak
from clineval.kinds.mentions.outcomes import (
    MatchKind,
    Outcomes,
    columns_of,
    join_pairings,
    list_matches,
)
from clineval.kinds.mentions.slots import Slot
from clineval.results.challenge import Setup, Steps

LABELS = (
    *("NOMBRE_SUJETO_ASISTENCIA", "NOMBRE_PERSONAL_SANITARIO", "PROFESION", "HOSPITAL"),
    *("INSTITUCION", "CALLE", "TERRITORIO", "PAIS", "CENTRO_SALUD", "EDAD_SUJETO_ASISTENCIA"),
    *("FECHAS", "NUMERO_TELEFONO", "NUMERO_FAX", "CORREO_ELECTRONICO", "URL_WEB"),
    *("ID_ASEGURAMIENTO", "ID_CONTACTO_ASISTENCIAL", "NUMERO_BENEF_PLAN_SALUD"),
    *("IDENTIF_VEHICULOS_NRSERIE_PLACAS", "IDENTIF_DISPOSITIVOS_NRSERIE", "IDENTIF_BIOMETRICOS"),
    *("ID_SUJETO_ASISTENCIA", "ID_TITULACION_PERSONAL_SANITARIO", "ID_EMPLEO_PERSONAL_SANITARIO"),
    *("OTRO_NUMERO_IDENTIF", "SEXO_SUJETO_ASISTENCIA", "FAMILIARES_SUJETO_ASISTENCIA"),
    *("OTROS_SUJETO_ASISTENCIA", "DIREC_PROT_INTERNET"),
)
LABEL = Slot("label", "label", required=True)
SLOTS = (LABEL,)
SCHEME = LabelScheme(LABEL, LABELS, ("strict",))
_LETTER = re.compile(r"[^\W_]")
SPANS = View(LABEL, (untyped(LABEL), split_fragments))


@dataclass(frozen=True, slots=True)
class Rules:
    """The rules on which the protocols differ; ``merged`` is the view after merging."""

    official: bool
    xml: I2b2Xml
    merged: View


SPEC = Rules(
    official=False,
    xml=I2b2Xml(),
    merged=View(LABEL, (untyped(LABEL), split_fragments, merge(_LETTER))),
)


def _label_or_stop(tag: Tag) -> str:
    """Return the label; refuse an unknown one of a tag without id, as the script fails there."""
    if tag.attributes.get("TYPE") not in LABELS and "id" not in tag.attributes:
        raise InputError(
            "a tag of unknown TYPE without id, at which the released script stops",
            where=f"line {tag.line}",
        )
    return i2b2_xml.label_by_both(tag)


OFFICIAL = Rules(
    official=True,
    xml=I2b2Xml(_label_or_stop),
    merged=View(LABEL, (untyped(LABEL), split_fragments, merge(_LETTER, within=False))),
)
PROTOCOLS = {"spec": SPEC, "official": OFFICIAL}


@dataclass(frozen=True, slots=True)
class _Files(BratLabels):
    """brat's files, or i2b2's XML where there is any."""

    FILES: str = rf"{brat_columns.FILES}|{i2b2_xml.FILES}"
    xml: I2b2Xml = SPEC.xml

    def document_key(self, name: str) -> str:
        """Return the name without the ending of a file."""
        return self.xml.document_key(name)

    def read_side(self, source: Source, slots: Sequence[Slot], *, strict: bool) -> Side:
        """Read a directory, a file or a text."""
        path = find_path(source, "\t") if "<" not in str(source) else find_path(source, "<")
        if _is_xml(path, source):
            return self.xml.read_side(source, slots, strict=strict)
        return BratLabels.read_side(self, source, slots, strict=strict)

    def read_strings(self, strings: Sequence[str], slots: Sequence[Slot], *, strict: bool) -> Side:
        """Read one string for each document, of XML or of brat's lines."""
        if any(text.lstrip().startswith("<") for text in strings):
            return self.xml.read_strings(strings, slots, strict=strict)
        return BratLabels.read_strings(self, strings, slots, strict=strict)


def _is_xml(path: Any, source: Source) -> bool:
    if path is None:
        return str(source).lstrip().startswith("<")
    return path.suffix == ".xml" or holds(source, r"\.xml$")


def read(references: Any, predictions: Sequence[Any], setup: Setup) -> tuple[Side, list[Side]]:
    """Read both sides: brat's files, XML, JSON Lines, lists of dicts, or Documents."""
    rules: Rules = setup.rules

    def read_one(given: Any, side: str) -> Side:
        strict = not rules.official
        found = read_side(given, SLOTS, strict=strict, side=side, text_format=_Files(xml=rules.xml))
        texts = tuple(text and re.sub("\r\n?", "\n", text) for text in found.texts)
        return replace(found, texts=texts)

    gold = with_texts(read_one(references, "references"), setup["texts"])
    return gold, [read_one(given, "predictions") for given in predictions]


@dataclass(frozen=True, slots=True, eq=False)
class Cases(Corpus):
    """Mentions, and what else a document has.

    Args:
        own_texts: for each side number of a document to its text, where these may differ.
        sentences: ``[documents]``, how many sentences each has; -1 where that is not known.
    """

    own_texts: tuple[Texts, ...]
    sentences: IntArray

    def of_documents(self, first: int, last: int) -> Corpus:
        """Return some documents, as :meth:`Corpus.of_documents` does."""
        own = tuple(
            {n - first: text for n, text in texts.items() if first <= n < last}
            for texts in self.own_texts
        )
        block = Corpus.of_documents(self, first, last)
        return _as_cases(block, own, self.sentences[first:last])


def _as_cases(corpus: Corpus, own_texts: tuple[Texts, ...], sentences: IntArray) -> Cases:
    parts = {field.name: getattr(corpus, field.name) for field in fields(Corpus)}
    return Cases(**parts, own_texts=own_texts, sentences=sentences)


def join(gold: Side, predicted: Side, setup: Setup) -> Cases:
    """Join both sides, with the numbers of sentences."""
    rules: Rules = setup.rules
    own_texts: tuple[Texts, ...] = ()
    if rules.official:
        gold, predicted = keep_common(gold, predicted)
    else:
        check_texts(gold, predicted)
    corpus = join_sides(gold, predicted, SLOTS, Reading())
    if rules.official:
        own_texts = _texts_of(gold, predicted)
    if setup.config == "spans":  # the units of this sub-track
        corpus = SPANS.of(corpus)
    sentences = np.zeros(len(corpus.documents), np.int64)
    given: Sentences | None = setup["sentences"]
    if given is not None:
        known = len(gold.documents)  # they come first
        names = [re.sub(r"\.(txt|ann|xml)$", "", name) for name in corpus.documents[:known]]
        sentences[:known] = given.count(names, every=rules.official)
        _warn_of_missing(names, sentences[:known])
    return _as_cases(corpus, own_texts, sentences)


def _texts_of(gold: Side, predicted: Side) -> tuple[Texts, Texts]:
    """Return each side's texts by gold numbers of documents; predictions may take gold ones."""
    by_place = gold.keys is None or predicted.keys is None
    order = {key: at for at, key in enumerate(gold.keys or ())}
    texts: list[dict[int, str]] = []
    for side in (gold, predicted):
        numbers = range(len(side.texts)) if by_place else map(order.__getitem__, side.keys or ())
        both = zip(numbers, side.texts, strict=False)
        texts.append({at: text for at, text in both if text is not None})
    return texts[0], {**texts[0], **texts[1]}


def _warn_of_missing(names: Sequence[str], sentences: IntArray) -> None:
    missing = [name for name, n in zip(names, sentences.tolist(), strict=True) if n == MISSING]
    warn(
        "the number of sentences of {n} {document|documents} is not known and counts as 0: {names}",
        missing,
    )


def resolve(corpus: Cases, setup: Setup) -> Setup:
    """Warn of documents that cannot be merged for lack of a text."""
    if setup.config != "ner":
        there = corpus.own_texts[0].keys() if corpus.own_texts else corpus.texts.keys()
        filled = np.unique(corpus.gold.columns.document).tolist()
        without = [corpus.documents[n] for n in filled if n not in there]
        problem = "{n} {document has|documents have} no text, in which only touching spans merge"
        warn(f"{problem}: {{names}}", without)
    return setup


def settings(setup: Setup) -> Mapping[str, str]:
    """Return what the numbers depend on besides the protocol."""
    return {"sentences": "no" if setup["sentences"] is None else "yes"}


def pair(corpus: Cases, setup: Setup) -> ViewPairing:
    """Pair for both sub-tracks."""
    spans = pair_all(corpus, LABEL)
    if setup.config == "ner":
        return ViewPairing(spans, {})
    rules: Rules = setup.rules
    views = {"span": SPANS.pair(corpus), "merged": rules.merged.pair(corpus, corpus.own_texts)}
    return ViewPairing(spans, views)


def tally(corpus: Cases, pairing: ViewPairing, setup: Setup) -> Columns:
    """Return the counts of each document."""
    typed = _by_type(corpus)
    columns: dict[str, Any] = {}
    if setup.config != "spans":
        columns |= SCHEME.tally(typed, {"strict": pairing.spans["strict"]})
        if setup["sentences"] is not None:
            columns["sentences"] = np.maximum(corpus.sentences, 0)
    for name, viewed in pairing.views.items():
        columns |= LabelScheme(LABEL, (), (name,)).tally(viewed.corpus, {name: viewed.pairs})
    if setup.rules.official and pairing.views:
        columns |= count_merged(pairing.views["span"].corpus, pairing.views["merged"].corpus)
    sides = typed.gold.columns, typed.prediction.columns
    labels = {} if setup.config == "spans" else {LABEL.name: LABELS}
    return {**columns, **tally_leak(*sides, len(corpus.documents), labels)}


def _by_type(corpus: Corpus) -> Corpus:
    """Label mentions by their types alone, without the elements of XML."""
    rename = relabel(LABEL, lambda label: label.rpartition("/")[2])
    return corpus.with_columns(lambda columns: rename(columns, {}))


def list_outcomes(corpus: Cases, pairings: Sequence[ViewPairing], setup: Setup) -> Outcomes:
    """List what became of every mention: ``strict``, also by label, and wider matches."""
    pairing = join_pairings(corpus.blocks(), [each.spans for each in pairings])
    spans = setup.config == "spans"
    compare = SCHEME.kinds["strict"].compare
    kinds = {name: MatchKind({}, compare) for name in pairing}
    if spans:
        kinds["boundary"] = MatchKind(columns_of("span"), compare)
    matches = list_matches(corpus, pairing, kinds)
    if not spans:
        matches |= SCHEME.list_matches(corpus, pairing)
    return Outcomes.of(setup, corpus, matches, "overlap", any_class=True)


def finish(totals: Totals, config: str) -> dict[str, Number]:  # noqa: ARG001 - totals tell
    """Return scores from totals, by the formulas of the specification."""
    scores: dict[str, Number] = {}
    if "strict_tp" in totals:
        scores |= SCHEME.finish(totals)
    if "sentences" in totals:
        scores["leak"] = ratio(totals["strict_fn"], totals["sentences"])
        scores["sentences"] = totals["sentences"]
    for name in ("span", "merged"):
        if f"{name}_tp" in totals:
            scores |= precision_recall_f1(name, totals)
    return scores | finish_leak(totals, LABELS)


def find_problems(paths: Sequence[Path]) -> Iterator[Problem]:
    """Find all problems of brat's files and of XML."""
    for path in paths:
        if _is_xml(path, path):
            yield from i2b2_xml.find_problems([path])
        else:
            yield from brat_columns.find_problems([path], Slot("label", "label"), ())


STEPS = Steps(read, join, pair, tally, list_outcomes, resolve=resolve, settings=settings)
