"""The rules of evaluate.py, the released script of i2b2 2014 de-identification."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import cast

import numpy as np

from clineval.base.arrays import BoolArray, IntArray
from clineval.base.ratios import Columns
from clineval.challenges.i2b2_2014_deid.documents import element_of
from clineval.challenges.i2b2_2014_deid.spec import (
    LABEL,
    REACH,
    SLOTS,
    Phi,
    Spec,
    add_category,
    declare,
    protocol,
)
from clineval.formats.i2b2_annotations import I2b2Xml, label_by_both
from clineval.formats.i2b2_xml import find_record
from clineval.kinds.mentions.columns import Side, check_texts
from clineval.kinds.mentions.corpus import Corpus, trace_sides
from clineval.kinds.mentions.derived import Step, View, Viewed, cut, keep, relabel, untyped
from clineval.programs.common_documents import keep_common
from clineval.results.challenge import Setup
from clineval.results.columns import MentionColumns

_HIPAA_BEGINNINGS = (
    *("NAME/PATIENT", "LOCATION/CITY", "LOCATION/STREET", "LOCATION/ZIP"),
    *("LOCATION/ORGANIZATION", "DATE/", "AGE/", "CONTACT/PHONE", "CONTACT/FAX", "CONTACT/EMAIL"),
    *("ID/SSN", "ID/MEDICALRECORD", "ID/HEALTHPLAN", "ID/ACCOUNT", "ID/LICENSE", "ID/VEHICLE"),
    *("ID/DEVICE", "ID/BIOID", "ID/IDNUM "),
)


@dataclass(frozen=True, slots=True, eq=False)
class ScriptCorpus(Corpus):
    """Mentions without case of labels; the whole corpus is paired at once.

    Args:
        written: the mentions as they are written in files.
        order: for each side ``[n]``, the order of these mentions in the file.
    """

    written: Corpus
    order: tuple[IntArray, IntArray]

    def blocks(self, _documents: int = 0) -> Iterator[ScriptCorpus]:
        """Yield the whole corpus."""
        yield self


class ScriptPhi(Phi):
    """Scores of a view of the mentions as written; the mean is over all records."""

    def pair_view(self, corpus: Corpus) -> Viewed:
        """Build the view, and pair its mentions."""
        return super().pair_view(cast("ScriptCorpus", corpus).written)

    def find_averaged(self, counted: Columns) -> BoolArray:
        """Return which records are averaged: all, including records with nothing on either side."""
        return np.ones(len(counted[f"{self.name}_tp"]), np.bool_)


class Thinned(ScriptPhi):
    """Scores of relaxed mentions.

    Each side goes through its mentions in the order of the file, and keeps a mention if it is not
    near any mention kept before. A hit is a kept mention that is near any mention that the other
    side kept.
    """

    def count(self, corpus: Corpus, _labels: Sequence[str], /) -> Columns:
        """Count all mentions, or the mentions that HIPAA covers."""
        script = cast("ScriptCorpus", corpus)
        wanted = _HIPAA_BEGINNINGS if self.name == "hipaa_relaxed" else ("",)
        sides = script.written.gold.columns, script.written.prediction.columns
        gold, system = (_thin(*side, wanted) for side in zip(sides, script.order, strict=True))
        golds, hit_golds = _count_hits(gold, system, len(corpus.documents))
        found, hits = _count_hits(system, gold, len(corpus.documents))
        tp = np.where(found > golds, hit_golds, hits)
        counts = {"tp": tp, "fp": found - hits, "fn": golds - hit_golds}
        return {f"{self.name}_{verdict}": of for verdict, of in counts.items()}


class Official(Spec):
    """The released script: common records, labels and offsets as written, thinned mentions."""

    strict = False

    def name_label(self, label: str) -> str:
        """Return a label as in XML; objects and other formats only have the type."""
        return label if "/" in label else f"{element_of(label)}/{label}"

    def join(self, gold: Side, predicted: Side, _setup: Setup, /) -> ScriptCorpus:
        """Join the records that both sides have, with categories."""
        gold, predicted = keep_common(gold, predicted)
        check_texts(gold, predicted)
        written, (golds, found) = trace_sides(gold, predicted, SLOTS)
        order = _find_order(golds, len(written.gold)), _find_order(found, len(written.prediction))
        strict = _FOLDED.of(written).with_columns(add_category)
        sides = strict.gold, strict.prediction
        return ScriptCorpus(strict.documents, *sides, strict.texts, written, order)


def _find_order(rows: IntArray, size: int) -> IntArray:
    """Return the first position of each mention among the mentions that were read."""
    order = np.zeros(size, np.int64)
    order[rows[::-1]] = np.arange(len(rows))[::-1]
    return order


Kept = dict[tuple[int, str, str], list[int]]
"""The kept ends by document, label and start as written."""


def _thin(columns: MentionColumns, order: IntArray, wanted: tuple[str, ...]) -> Kept:
    """Keep mentions that are near no kept mention, with labels that begin as ``wanted``."""
    labels, spelled = columns.attributes[LABEL.name], columns.spelling
    kept: Kept = {}
    for row in np.argsort(order, kind="stable").tolist():
        label = labels.values[labels.ids[row]]
        if label.startswith(wanted):
            start, end = int(columns.starts[row]), int(columns.ends[row])
            written = spelled.values[spelled.ids[row]].partition("-")[0] or str(start)
            key = int(columns.document[row]), label.upper(), written
            ends = kept.setdefault(key, [])
            if not any(abs(end - other) <= REACH for other in ends):
                ends.append(end)
    return kept


def _count_hits(side: Kept, other: Kept, size: int) -> tuple[IntArray, IntArray]:
    """Count the kept mentions of a side, and the hits among them; ``[size]`` each."""
    kept, hits = np.zeros(size, np.int64), np.zeros(size, np.int64)
    for key, ends in side.items():
        near = other.get(key, ())
        kept[key[0]] += len(ends)
        hits[key[0]] += sum(any(abs(end - one) <= REACH for one in near) for end in ends)
    return kept, hits


def _declare_views() -> Iterator[Phi]:
    """Declare the views of labels as they are written, such as ``NAME/DOCTOR``."""
    bare = relabel(LABEL, lambda label: label.upper() if label.startswith("PHI/") else "")
    tokens = cut(LABEL, re.compile(r"[A-Za-z0-9]+"), empty=True)
    hipaa = keep(LABEL, lambda label: label.startswith(_HIPAA_BEGINNINGS))
    steps: dict[str, tuple[Step, ...]] = {
        "strict": _FOLDED.steps,
        "token": (tokens,),
        "hipaa_strict": (hipaa, *_FOLDED.steps),
        "hipaa_token": (hipaa, tokens),
        "binary_strict": (bare,),
        "binary_token": (tokens, untyped(LABEL)),
        "binary_hipaa_strict": (hipaa, bare),
        "binary_hipaa_token": (hipaa, tokens, untyped(LABEL)),
    }
    for name, of in steps.items():
        yield declare(name, View(LABEL, of), ScriptPhi)
    for name in ("relaxed", "hipaa_relaxed"):
        yield declare(name, View(LABEL), Thinned)


_FOLDED = View(LABEL, (relabel(LABEL, str.upper),))
OFFICIAL = protocol(Official, I2b2Xml(label_by_both, find_record), _declare_views())
