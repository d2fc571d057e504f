"""Score the judgments of a source, or of both."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from clineval.base.errors import warn
from clineval.challenges.i2b2_2008_obesity.files import ObesityXml
from clineval.challenges.i2b2_2008_obesity.measures import (
    DISEASES,
    INTUITIVE,
    JUDGMENTS,
    SOURCES,
    TEXTUAL,
    THERE,
    split_sources,
)
from clineval.kinds.classes.scheme import QUESTION, Scheme
from clineval.kinds.mentions.columns import Side
from clineval.kinds.records.corpus import RecordCorpus
from clineval.protocols.classes import Classes
from clineval.results.challenge import Configurations, Setup
from clineval.results.columns import MentionColumns
from clineval.results.measures import Finish
from clineval.results.protocol import CountsT
from clineval.results.settings import Setting, declare_settings

_DISEASES = {source: tuple(f"{source} {name}" for name in DISEASES) for source in SOURCES}
"""Source to its questions."""


@dataclass(frozen=True)
class SourceScheme(Scheme):
    """The diseases of both sources, such as ``intuitive CAD``; without a source, a textual one."""

    def find_question(self, name: str) -> str | None:
        """Find a disease of a source by its name, in any case."""
        return super().find_question(name) or super().find_question(f"{TEXTUAL} {name}")


@dataclass(frozen=True)
class BothSources(Classes):
    """The judgments of both sources; scores of a source that neither side has are left out."""

    @property
    def scheme(self) -> Scheme:
        """The diseases of both sources, and their classes."""
        return SourceScheme(self.values, self.questions, each=self.each)

    def join(self, gold: Side, predicted: Side, setup: Setup, /) -> RecordCorpus:
        """Join both sides; warn about the judgments of a source that the gold standard lacks."""
        corpus = super().join(gold, predicted, setup)
        gold_counts, counts = map(_count_sources, corpus.sides)
        known = [source for source in SOURCES if gold_counts[source]]
        for source in SOURCES if known else ():
            problem = f"{{n}} {source} {{judgment counts|judgments count}} as spurious, because the"
            advice = f"gold documents read with them have none. config={known[0]!r} leaves them out"
            warn(f"{problem} {advice}", n=0 if source in known else counts[source])
        return corpus

    def resolve(self, corpus: RecordCorpus, setup: Setup, /) -> Setup:
        """Set the sources that either side has."""
        counts = list(map(_count_sources, corpus.sides))
        there = [source for source in SOURCES if any(of[source] for of in counts)]
        return setup.with_options(**{THERE: "+".join(there)})

    own_settings = declare_settings(
        Setting(
            "sources",
            "the sources that have judgments, if the configuration scores both",
        ),
    )

    def settings(self, setup: Setup, /) -> Mapping[str, str]:
        """Return the sources that either side has."""
        there = setup.options.get(THERE)
        return {THERE: str(there)} if there else {}

    def unite(self, parts: Sequence[CountsT], /) -> Sequence[CountsT]:
        """Unite the sources of the parts."""
        words = "+".join(part.settings.get(THERE, "") for part in parts).strip("+")
        there = "+".join(split_sources(words))
        return [part.only(part.columns, **{THERE: there}) for part in parts] if words else parts

    def finish(self, setup: Setup, /) -> Finish:
        """Return the function that computes the scores of a group of judgments."""
        return setup.challenge.measures.under(self.settings(setup)).finish


def _count_sources(side: MentionColumns) -> Counter[str]:
    """Count the judgments of each source."""
    column = side.attributes[QUESTION]
    sources = [name.partition(" ")[0] for name in column.values]
    return Counter(sources[number] for number in column.ids.tolist())


_TEXTUAL, _INTUITIVE = (Classes(JUDGMENTS[of], DISEASES, files=ObesityXml((of,))) for of in SOURCES)
BOTH = BothSources(
    JUDGMENTS[TEXTUAL],
    (*_DISEASES[TEXTUAL], *_DISEASES[INTUITIVE]),
    files=ObesityXml(SOURCES),
    each=tuple(values for values in JUDGMENTS.values() for _ in DISEASES),
    groups=_DISEASES,
)
SPEC = Configurations(BOTH, {TEXTUAL: _TEXTUAL, INTUITIVE: _INTUITIVE})
