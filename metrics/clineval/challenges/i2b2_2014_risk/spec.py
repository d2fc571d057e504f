"""Read, pair and count i2b2 2014 risk factors as the package's docstring defines it."""

from __future__ import annotations

from collections.abc import Iterator

from clineval.base.arrays import BoolArray
from clineval.base.ratios import Columns
from clineval.challenges.i2b2_2014_risk.tags import (
    ALLOWED,
    ATTRIBUTES,
    FIELDS,
    INDICATOR,
    MEDICATION,
    NAMES,
    TAG,
    VALUES,
)
from clineval.formats.i2b2_annotations import TAG_FILES, TagFiles
from clineval.kinds.records.corpus import RecordCorpus
from clineval.kinds.records.parts import Part, PartScores
from clineval.protocols.records import RecordMeasure, RecordPairing, Records, with_whole
from clineval.results.averages import label_key
from clineval.results.challenge import Setup
from clineval.results.document_means import DocumentMeans
from clineval.results.measures import Measure

MATCHES = {"micro": NAMES, "any_time": (TAG, INDICATOR), "tag": (TAG,)}
WORD = "tag, time and indicator"
MEANS = DocumentMeans("micro", "record", title="Mean of the records", heading="all", main=True)
BY_TAG = tuple(Part(label_key(tag), tag, {TAG: tag}) for tag in VALUES)
BY_INDICATOR = tuple(
    Part(label_key(f"{tag} {of}"), f"{tag}, {of}", {TAG: tag, INDICATOR: of})
    for tag, indicators in VALUES.items()
    for of in indicators
    if tag != MEDICATION
)


class Risk(Records):
    """Score the tags of records: tag, time and indicator."""

    def complete(
        self, _corpus: RecordCorpus, _pairing: RecordPairing, counted: Columns, _setup: Setup, /
    ) -> Columns:
        """Add the summands of the means over records."""
        return {**counted, **MEANS.count(counted, self.find_averaged(counted))}

    def find_averaged(self, counted: Columns) -> BoolArray:
        """Return which records are averaged, ``[records]``: those with a tag on either side."""
        return MEANS.find_filled(counted)

    def describe(self, corpus: RecordCorpus) -> RecordCorpus:
        """Return a copy with the fields, and with those that are not empty in one."""
        return corpus.with_sides(with_whole(side, self.shown, _say_tag) for side in corpus.sides)

    def scores(self) -> Iterator[Measure]:
        """Yield the scores of all tags, then of each tag and indicator."""
        yield RecordMeasure("micro", "Tags", heading=WORD, shown=("right",))
        yield RecordMeasure("any_time", "Tags", heading="tag and indicator", main=False)
        yield RecordMeasure("tag", "Tags", main=False)
        yield MEANS
        yield PartScores(BY_TAG, "By tag", means="all tags")
        yield PartScores(BY_INDICATOR, "By indicator")


def _say_tag(*texts: str) -> str:
    return ", ".join(filter(None, texts))


def declare(of: type[Risk], form: TagFiles) -> Risk:
    """Return a protocol that reads files in a form."""
    parts = (*BY_TAG, *BY_INDICATOR)
    return of(
        form.fields, MATCHES, row=TAG, word=WORD, form=form, distinct=True, allowed=ALLOWED,
        parts=parts,
    )  # fmt: skip


SPEC = declare(Risk, TagFiles(FIELDS, ("tags",), TAG_FILES, elements=ATTRIBUTES))
