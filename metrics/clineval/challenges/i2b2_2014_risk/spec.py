"""Read, pair and count i2b2 2014 risk factors as the package's docstring defines it."""

from __future__ import annotations

from collections.abc import Iterator

from clineval.base.arrays import BoolArray
from clineval.base.ratios import Columns
from clineval.challenges.i2b2_2014_risk.tags import (
    ATTRIBUTES,
    FIELDS,
    INDICATOR,
    MEDICATION,
    NAMES,
    TAG,
    TIME,
    TIMES,
    VALUES,
    VARIANTS,
)
from clineval.formats.document_tags import FILES, TagFiles
from clineval.kinds.mentions.columns import Side
from clineval.kinds.records.allowed import Allowed
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
PARTS = (*BY_TAG, *BY_INDICATOR)
_LISTED = {TIME: frozenset(map(str.lower, TIMES))}
ALLOWED = Allowed(
    TAG,
    {
        tag: {
            **(_LISTED if TIME in ATTRIBUTES[tag] else {}),
            INDICATOR: frozenset(map(str.lower, (*values, *VARIANTS))),
        }
        for tag, values in VALUES.items()
    },
)


class Risk(Records):
    """Score the tags of records: tag, time and indicator."""

    def read_side(self, source: object, side: str, setup: Setup, /) -> Side:
        """Read one side; values that the challenge does not list are kept, with a warning."""
        return ALLOWED.apply(super().read_side(source, side, setup))

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


FORM = TagFiles(FIELDS, ("tags",), FILES, elements=ATTRIBUTES)
SPEC = Risk(FIELDS, MATCHES, row=TAG, word=WORD, form=FORM, distinct=True, parts=PARTS)
