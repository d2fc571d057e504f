"""Score i2b2 2012 as the released program does."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from clineval.base.errors import InputError
from clineval.base.narrowing import as_type
from clineval.base.ratios import Columns
from clineval.challenges.i2b2_2012_temporal.items import read_documents
from clineval.challenges.i2b2_2012_temporal.official.counts import (
    Links,
    Mode,
    Part,
    Spans,
    count_document,
)
from clineval.challenges.i2b2_2012_temporal.official.measures import MEASURES, count_columns
from clineval.challenges.i2b2_2012_temporal.official.rendering import render
from clineval.challenges.i2b2_2012_temporal.official.tags import Tags
from clineval.challenges.i2b2_2012_temporal.spec import Spec, TemporalCorpus
from clineval.challenges.i2b2_2012_temporal.tags import read_notes
from clineval.formats.files import TextFile, open_strings, read_text_files
from clineval.formats.given.forms import Items, open_given
from clineval.formats.i2b2_xml import FILES
from clineval.kinds.documents import Whole, align_documents
from clineval.kinds.relations.columns import RelatedCorpus, RelatedSide
from clineval.protocols.mentions_and_links import Pairing
from clineval.results.challenge import Setup
from clineval.results.measures import Measures
from clineval.results.options import Option

OPTIONS = (
    Option(
        "links",
        "How the program compares links.",
        "tempeval",
        "choice",
        choices=("tempeval", "oo", "oc", "cc"),
    ),
    Option(
        "spans",
        "How the program compares spans.",
        "overlap",
        "choice",
        choices=("overlap", "exact", "partial"),
    ),
)
"""The options of protocol ``official``."""
SPANS: Mapping[str, Spans] = {"overlap": "overlap", "exact": "exact", "partial": "partialCredit"}


@dataclass(frozen=True, slots=True, eq=False)
class ProgramSide(RelatedSide):
    """One side, with the tags of each document.

    Args:
        tags: the tags.
    """

    tags: tuple[Tags, ...]


@dataclass(frozen=True, slots=True, eq=False)
class ProgramCorpus(Whole, TemporalCorpus):
    """Both sides, with the tags of each document.

    Args:
        tags: the gold and the predicted tags of each document.
    """

    tags: Sequence[tuple[Tags, Tags]]


class Official(Spec):
    """The numbers of the program; rows of annotations are those of ``spec``."""

    @property
    def measures(self) -> Measures:
        """The scores that the program prints."""
        return MEASURES

    def read_side(self, given: object, side: str, _setup: Setup, /) -> ProgramSide:
        """Read XML as the program does; other forms are written as its tags, in their order."""

        def read(files: Sequence[TextFile]) -> ProgramSide:
            own = read_notes(files, side)
            tags = tuple(Tags.of(file.label, file.content) for file in files)
            return ProgramSide(own.side, own.relations, tags)

        def read_related(items: Items) -> ProgramSide:
            own = read_documents(items)
            return ProgramSide(own.side, own.relations, tuple(render(own)))

        return open_given(
            given,
            side,
            ProgramSide,
            read_files=lambda of: read([*read_text_files(of, pattern=FILES, separator="<")]),
            read_items=read_related,
            read_strings=lambda texts: read([*open_strings(texts)]),
            lines_beside=FILES,
            separator="<",
        )

    def join(self, gold: RelatedSide, predicted: RelatedSide, setup: Setup, /) -> ProgramCorpus:
        """Join both sides; the program needs the same documents on both [i20, i20b]."""
        first, second = as_type(gold, ProgramSide), as_type(predicted, ProgramSide)
        corpus = super().join(gold, predicted, setup)
        documents, *numbers = align_documents(first.side, second.side)
        pairs: list[list[Tags | None]] = [[None, None] for _ in documents]
        for at, (side, rows) in enumerate(zip((first, second), numbers, strict=True)):
            for own, row in zip(side.tags, rows.tolist(), strict=True):
                pairs[row][at] = own
        tags = [(one, other) for one, other in pairs if one is not None and other is not None]
        if len(tags) != len(documents):
            problem = "the program stops at a document that is on one side only"
            raise InputError(problem, remedy="Add the missing files, or use protocol='spec'")
        return ProgramCorpus(corpus.mentions, corpus.gold, corpus.prediction, tags)

    def complete(
        self, block: RelatedCorpus, _pairing: Pairing, counted: Columns, setup: Setup, /
    ) -> Columns:
        """Count the tags of each document as the program does, beside the rows of ``spec``."""
        parts: Mapping[str, Part] = {"links": "tlink"}
        links: Links = "oo" if setup.config == "entities" else setup["links"]
        mode = Mode(parts.get(setup.config, "all"), SPANS[setup["spans"]], links)
        tags = as_type(block, ProgramCorpus).tags
        counts = [count_document(gold, system, mode) for gold, system in tags]
        return {**counted, **count_columns(counts, mode.spans)}
