"""Read, merge and count MEDDOCAN 2019 as the released evaluate.py does."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Self

import numpy as np

from clineval.base.errors import InputError
from clineval.base.ratios import Columns
from clineval.challenges.meddocan19.sentences import Cases
from clineval.challenges.meddocan19.spec import (
    LABEL,
    LABELS,
    LETTER,
    MERGED_SPANS,
    SPANS,
    CaseFiles,
    Spec,
    protocol,
)
from clineval.formats.i2b2_annotations import I2b2Xml, label_by_both
from clineval.formats.i2b2_xml import Tag
from clineval.kinds.mentions.columns import Side
from clineval.kinds.mentions.corpus import Corpus
from clineval.kinds.mentions.derived import Texts, View, merge, relabel
from clineval.kinds.mentions.measures import Derived
from clineval.kinds.mentions.rows import Pairing, Rows
from clineval.programs.common_documents import keep_common
from clineval.programs.word_lines import WordFiles
from clineval.results.challenge import Setup
from clineval.results.columns import MentionColumns

Spans = list[set[tuple[int, int]]]
"""The spans of each document."""


@dataclass(frozen=True, slots=True, eq=False)
class OwnTexts(Cases):
    """Mentions, with each side's own texts by the number of the document."""

    own_texts: tuple[Texts, Texts]

    def of_documents(self, first: int, last: int) -> Self:
        """Return some documents, as :meth:`Corpus.of_documents` does."""
        gold, predicted = (
            {n - first: text for n, text in texts.items() if first <= n < last}
            for texts in self.own_texts
        )
        return replace(Cases.of_documents(self, first, last), own_texts=(gold, predicted))


class Official(Spec):
    """Score documents that both sides have; in XML, labels include the name of the element."""

    strict = False
    every_line = True

    def join(self, gold: Side, predicted: Side, setup: Setup, /) -> OwnTexts:
        """Join the documents that both sides have, with each side's own texts."""
        gold, predicted = keep_common(gold, predicted)
        cases = super().join(gold, predicted, setup)
        joined = cases.documents, cases.gold, cases.prediction, cases.texts
        found, texts = cases.sentences, _texts_of(gold, predicted)
        return OwnTexts(*joined, intake=cases.intake, sentences=found, own_texts=texts)

    def check_sides(self, _gold: Side, _predicted: Side) -> None:
        """Accept texts of a document that differ."""

    def texts_of(self, corpus: Corpus) -> Mapping[int, str]:
        """Return the texts of the gold side."""
        return corpus.own_texts[0] if isinstance(corpus, OwnTexts) else corpus.texts

    def list_matches(self, block: Corpus, pairing: Pairing, setup: Setup, /) -> Mapping[str, Rows]:
        """Return the rows by type alone, without the elements of XML."""
        return super().list_matches(_by_type(block), pairing, setup)

    def complete(
        self, block: Corpus, pairing: Pairing, counted: Columns, setup: Setup, /
    ) -> Columns:
        """Count by type alone, without the elements of XML."""
        return super().complete(_by_type(block), pairing, counted, setup)


def _by_type(corpus: Corpus) -> Corpus:
    rename = relabel(LABEL, lambda label: label.rpartition("/")[2])
    return corpus.with_columns(lambda columns: rename(columns, {}))


def _texts_of(gold: Side, predicted: Side) -> tuple[Texts, Texts]:
    """Return the texts of each side by gold document number; gold texts fill missing ones."""
    by_place = gold.keys is None or predicted.keys is None
    order = {key: at for at, key in enumerate(gold.keys or ())}
    texts: list[dict[int, str]] = []
    for side in (gold, predicted):
        numbers = range(len(side.texts)) if by_place else map(order.__getitem__, side.keys or ())
        both = zip(numbers, side.texts, strict=False)
        texts.append({at: text for at, text in both if text is not None})
    return texts[0], {**texts[0], **texts[1]}


class MergedByParts(Derived):
    """Merged spans: hits are spans that both sides have, before or after merging.

    Misses and false positives are unmerged spans that lie inside no hit.
    """

    def count(self, corpus: Corpus, _labels: Sequence[str], /) -> Columns:
        """Count hits, false positives and misses of each document."""
        texts = corpus.own_texts if isinstance(corpus, OwnTexts) else ()
        size = len(corpus.documents)
        views = SPANS.of(corpus), self.view.of(corpus, texts)
        sides = [_group(view.gold.columns, size) for view in views]
        sides += [_group(view.prediction.columns, size) for view in views]
        rows = [_count(*spans) for spans in zip(*sides, strict=True)]
        table = np.array(rows, np.int64).reshape(-1, 3)
        return {
            f"{self.name}_{verdict}": table[:, k] for k, verdict in enumerate(("tp", "fp", "fn"))
        }


def _group(columns: MentionColumns, size: int) -> Spans:
    found: Spans = [set() for _ in range(size)]
    spans = zip(columns.starts.tolist(), columns.ends.tolist(), strict=True)
    for document, span in zip(columns.document.tolist(), spans, strict=True):
        found[document].add(span)
    return found


def _count(
    gold: set[tuple[int, int]],
    merged_gold: set[tuple[int, int]],
    system: set[tuple[int, int]],
    merged_system: set[tuple[int, int]],
) -> tuple[int, int, int]:
    hits = (gold & system) | (merged_gold & merged_system)

    def left(spans: set[tuple[int, int]]) -> int:
        return sum(not any(h[0] <= s[0] and s[1] <= h[1] for h in hits) for s in spans)

    return len(hits), left(system - gold), left(gold - system)


def _label_or_stop(tag: Tag) -> str:
    """Return the label; reject an unknown label of a tag without id, as the script fails there."""
    if tag.attributes.get("TYPE") not in LABELS and "id" not in tag.attributes:
        raise InputError(
            "a tag has an unknown TYPE and no id: the released script stops here",
            where=f"line {tag.line}",
        )
    return label_by_both(tag)


_MERGED = View(LABEL, (*SPANS.steps, merge(LETTER, within=False)))
_MERGED_SPANS = MergedByParts(
    MERGED_SPANS.name, MERGED_SPANS.title, short=MERGED_SPANS.short, view=_MERGED
)
OFFICIAL = protocol(Official, CaseFiles(WordFiles(), I2b2Xml(_label_or_stop)), _MERGED_SPANS)
