"""i2b2 2014 de-identification as the released evaluate.py scores it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from clineval.base.arrays import BoolArray, FloatArray, IntArray
from clineval.base.ratios import Columns
from clineval.challenges.common_documents import keep_common
from clineval.challenges.i2b2_2014_deid.documents import element_of
from clineval.challenges.i2b2_2014_deid.spec import (
    LABEL,
    REACH,
    SLOTS,
    ByViews,
    add_category,
    find_record,
)
from clineval.formats.i2b2_xml import I2b2Xml, label_by_both
from clineval.kinds.mentions.columns import MentionColumns, Side, check_texts
from clineval.kinds.mentions.corpus import Corpus, trace_sides
from clineval.kinds.mentions.derived import Step, View, ViewPairing, cut, keep, relabel, untyped
from clineval.results.challenge import Setup

_HIPAA_BEGINNINGS = (
    *("NAME/PATIENT", "LOCATION/CITY", "LOCATION/STREET", "LOCATION/ZIP"),
    *("LOCATION/ORGANIZATION", "DATE/", "AGE/", "CONTACT/PHONE", "CONTACT/FAX", "CONTACT/EMAIL"),
    *("ID/SSN", "ID/MEDICALRECORD", "ID/HEALTHPLAN", "ID/ACCOUNT", "ID/LICENSE", "ID/VEHICLE"),
    *("ID/DEVICE", "ID/BIOID", "ID/IDNUM "),
)


def _list_views() -> dict[str, View]:
    """Make the views of labels as they are written, such as ``NAME/DOCTOR``."""
    folded = relabel(LABEL, str.upper)
    bare = relabel(LABEL, lambda label: label.upper() if label.startswith("PHI/") else "")
    tokens = cut(LABEL, re.compile(r"[A-Za-z0-9]+"), empty=True)
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


@dataclass(frozen=True, slots=True, eq=False)
class ScriptCorpus(Corpus):
    """Mentions without the case of labels, paired as a whole.

    Args:
        written: the mentions as they are written.
        order: for each side ``[n]``, a number for the place of each of these in its file.
    """

    written: Corpus
    order: tuple[IntArray, IntArray]

    def blocks(self, _documents: int = 0) -> Iterator[ScriptCorpus]:
        """Yield the whole corpus."""
        yield self


class Official(ByViews[ScriptCorpus]):
    """Records of both sides alone, labels and offsets as they are written, thinned mentions."""

    reading = I2b2Xml(label_by_both, find_record)
    strict = False
    views = _list_views()

    def name_label(self, label: str) -> str:
        """Return a label as in XML; objects and other formats give its type alone."""
        return label if "/" in label else f"{element_of(label)}/{label}"

    def join(self, gold: Side, predicted: Side, _setup: Setup, /) -> ScriptCorpus:
        """Join the records that both sides have, with categories."""
        gold, predicted = keep_common(gold, predicted)
        check_texts(gold, predicted)
        written, (golds, found) = trace_sides(gold, predicted, SLOTS)
        order = _find_order(golds, len(written.gold)), _find_order(found, len(written.prediction))
        strict = self.views["strict"].of(written).with_columns(add_category)
        sides = strict.gold, strict.prediction
        return ScriptCorpus(strict.documents, *sides, strict.texts, written, order)

    def pair(self, corpus: ScriptCorpus, setup: Setup, /) -> ViewPairing:
        """Pair for all views of the mentions as they are written, and whole mentions."""
        return self.pair_views(corpus, corpus.written, setup)

    def tally_rest(self, corpus: ScriptCorpus) -> Columns:
        """Count relaxed mentions, all of them and those that HIPAA names.

        Each side keeps those of its mentions, in the order of the file, that are near none that
        was kept before; a hit is one that is near any that the other side kept.
        """
        counts: dict[str, IntArray] = {}
        sides = corpus.written.gold.columns, corpus.written.prediction.columns
        for name, wanted in (("relaxed", ("",)), ("hipaa_relaxed", _HIPAA_BEGINNINGS)):
            gold, system = (_thin(*side, wanted) for side in zip(sides, corpus.order, strict=True))
            golds, hit_golds = _count_hits(gold, system, len(corpus.documents))
            found, hits = _count_hits(system, gold, len(corpus.documents))
            counts[f"{name}_tp"] = np.where(found > golds, hit_golds, hits)
            counts[f"{name}_fp"] = found - hits
            counts[f"{name}_fn"] = golds - hit_golds
        return counts

    def find_averaged(self, sizes: IntArray | FloatArray) -> BoolArray:
        """Tell which records are averaged: all, also those with nothing on either side."""
        return np.ones(len(sizes), np.bool_)


def _find_order(rows: IntArray, size: int) -> IntArray:
    """Return where each mention came first among those that were read."""
    order = np.zeros(size, np.int64)
    order[rows[::-1]] = np.arange(len(rows))[::-1]
    return order


Kept = dict[tuple[int, str, str], list[int]]
"""Document, label and start as it is written, to the ends that were kept."""


def _thin(columns: MentionColumns, order: IntArray, wanted: tuple[str, ...]) -> Kept:
    """Keep mentions that are near none before them, of labels that begin as ``wanted``."""
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
    """Count what a side has kept, and how many of it are hits; ``[size]`` each."""
    kept, hits = np.zeros(size, np.int64), np.zeros(size, np.int64)
    for key, ends in side.items():
        near = other.get(key, ())
        kept[key[0]] += len(ends)
        hits[key[0]] += sum(any(abs(end - one) <= REACH for one in near) for end in ends)
    return kept, hits
