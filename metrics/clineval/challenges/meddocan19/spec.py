"""Score MEDDOCAN 2019 by its definition; see the package's docstring."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from clineval.base.arrays import IntArray, unite_keys
from clineval.base.errors import warn
from clineval.base.files import Source, find_path
from clineval.challenges.meddocan19.sentences import Cases, SentenceLeak, Sentences, as_cases
from clineval.formats import i2b2_xml
from clineval.formats.brat import standoff
from clineval.formats.brat.columns import BratLabels
from clineval.formats.files import holds
from clineval.formats.given.texts import option_of_texts
from clineval.formats.i2b2_annotations import I2b2Xml
from clineval.kinds.mentions.columns import Side, check_texts
from clineval.kinds.mentions.corpus import Corpus
from clineval.kinds.mentions.derived import View, merge, split_fragments, untyped
from clineval.kinds.mentions.leak import Leak
from clineval.kinds.mentions.measures import Derived, SpanMeasure, Spans
from clineval.protocols.labelled_spans import LabelledSpans
from clineval.results.challenge import Configurations, Setup
from clineval.results.settings import Setting, declare_settings
from clineval.results.slots import Slot

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
LETTER = re.compile(r"[^\W_]")
SPANS = View(LABEL, (untyped(LABEL), split_fragments))
MERGED = View(LABEL, (*SPANS.steps, merge(LETTER)))


@dataclass(frozen=True, slots=True)
class CaseFiles:
    """Read brat files, or i2b2 XML if there is any."""

    ann: BratLabels = BratLabels()  # noqa: RUF009 - it is frozen
    xml: I2b2Xml = I2b2Xml()  # noqa: RUF009
    FILES: str = rf"{standoff.FILES}|{i2b2_xml.FILES}"
    UNREAD: AbstractSet[str] = frozenset({"cui"})

    def document_key(self, name: str) -> str:
        """Return the name without a file suffix."""
        return self.xml.document_key(name)

    def read_side(self, source: Source, slots: Sequence[Slot], *, strict: bool) -> Side:
        """Read a directory, a file or a text."""
        xml = _is_xml(find_path(source, "<" if "<" in str(source) else "\t"), source)
        return (self.xml if xml else self.ann).read_side(source, slots, strict=strict)

    def read_strings(self, strings: Sequence[str], slots: Sequence[Slot], *, strict: bool) -> Side:
        """Read one string of XML or brat lines for each document."""
        xml = any(text.lstrip().startswith("<") for text in strings)
        return (self.xml if xml else self.ann).read_strings(strings, slots, strict=strict)


def _is_xml(path: Path | None, source: Source) -> bool:
    if path is None:
        return str(source).lstrip().startswith("<")
    return path.suffix == ".xml" or holds(source, r"\.xml$")


class Spec(LabelledSpans):
    """Score both sub-tracks, or one of them."""

    every_line: bool = False
    """Whether all lines of the sentence files count."""

    def read_side(self, given: object, side: str, setup: Setup) -> Side:
        """Read one side; a line end is one character."""
        found = super().read_side(given, side, setup)
        texts = tuple(text and re.sub("\r\n?", "\n", text) for text in found.texts)
        return replace(found, texts=texts)

    def join(self, gold: Side, predicted: Side, setup: Setup, /) -> Cases:
        """Join both sides, with the numbers of sentences."""
        self.check_sides(gold, predicted)
        corpus = super().join(gold, predicted, setup)
        if setup.config == "spans":  # this sub-track scores spans
            corpus = SPANS.of(corpus)
        given: Sentences | None = setup["sentences"]
        counted = setup.config != "spans" and given is not None
        return as_cases(corpus, self._count(given, gold, corpus) if counted else None)

    def check_sides(self, gold: Side, predicted: Side) -> None:
        """Reject texts of a document that differ."""
        check_texts(gold, predicted)

    def _count(self, given: Sentences | None, gold: Side, corpus: Corpus) -> IntArray:
        """Count the sentences of the gold documents, which come first."""
        known = len(gold.documents)
        names = [re.sub(r"\.(txt|ann|xml)$", "", name) for name in corpus.documents[:known]]
        sentences = np.zeros(len(corpus.documents), np.int64)
        if given is not None:
            sentences[:known] = given.count(names, every=self.every_line)
        return sentences

    def texts_of(self, corpus: Corpus) -> Mapping[int, str]:
        """Return the texts that are used to merge gold mentions."""
        return corpus.texts

    def resolve(self, corpus: Corpus, setup: Setup, /) -> Setup:
        """Warn about documents that lack the text for merging."""
        if setup.config != "ner":
            there = self.texts_of(corpus)
            filled = unite_keys(corpus.gold.columns.document).tolist()
            without = [corpus.documents[n] for n in filled if n not in there]
            problem = (
                "{n} {document has|documents have} no text; without it only touching spans merge"
            )
            warn(f"{problem}: {{names}}", without)
        return setup

    own_settings = declare_settings(
        Setting(
            "sentences",
            "whether sentences were given, for leak scores",
            option="--sentences",
            literal=False,
        ),
    )

    def settings(self, setup: Setup, /) -> Mapping[str, str]:
        """Return the settings that the scores depend on, besides the protocol."""
        return {"sentences": "no" if setup["sentences"] is None else "yes"}


ENTITIES = Spans("strict", labels=LABELS, title="Sub-track 1: entities", short="ner")
SENSITIVE = Derived(
    "span",
    "Sub-track 2: sensitive spans",
    heading="strict",
    place="exact/span",
    preset="span",
    view=SPANS,
)
TEXTS = option_of_texts(
    "reports and merging, if the files contain no text",
    "for merging: the text of each document, if the mentions come without it.",
)


def protocol(of: type[Spec], files: CaseFiles, merged: Derived) -> Configurations[Spec]:
    """Return a protocol for both sub-tracks together and for each one alone."""

    def score(*scores: SpanMeasure) -> Spec:
        return of(
            LABELS,
            files=files,
            scores=scores,
            short="med19",
            columns={
                "default": ("strict_f1", "span_f1", "leaked_mentions_share"),
                "ner": ("strict_f1", "leaked_mentions_share"),
                "spans": ("span_f1", "merged_f1"),
            },
            format="brat",
            texts=TEXTS,
        )

    first = (ENTITIES, SentenceLeak())
    leak = Leak(labels=LABELS)
    listed = replace(SENSITIVE, listed_as="boundary")
    return Configurations(
        score(*first, SENSITIVE, merged, leak),
        {"ner": score(*first, leak), "spans": score(listed, merged, Leak(by=""))},
    )


MERGED_SPANS = Derived("merged", SENSITIVE.title, short="mrg", view=MERGED)
SPEC = protocol(Spec, CaseFiles(), MERGED_SPANS)
