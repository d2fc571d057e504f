"""Mentions and the relations between them, scored apart and shown together."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping
from functools import cache, partial
from typing import ClassVar, TypeVar
from typing import Protocol as Structure

from clineval.kinds.mentions.outcomes import ANY_CLASS
from clineval.kinds.mentions.pairing import Pairs
from clineval.kinds.mentions.rows import Rows, Split, columns_of
from clineval.kinds.relations.columns import RelatedCorpus, RelatedSide
from clineval.kinds.relations.outcomes import NO_ROWS, UnitCorpus
from clineval.kinds.relations.pairing import pair_any_class
from clineval.results.challenge import Setup
from clineval.results.columns import Sides
from clineval.results.match import Match
from clineval.results.protocol import PairingT, Protocol
from clineval.results.slots import Slot
from clineval.results.views import Arrows

LABEL = Slot("label", "label", required=True)
"""The slot of a mention's label."""
RELATIONS = "relations"
SideT = TypeVar("SideT", bound=RelatedSide)
CorpusT = TypeVar("CorpusT", bound=RelatedCorpus)
PairedT = TypeVar("PairedT", bound=Pairs | Match)
"""The result of pairing the mentions or relations of a block."""


class KindScore(Structure):
    """A measure of one kind of annotation: ``relations``, or a name for the mentions."""

    @property
    def name(self) -> str:
        """The beginning of the names of its counts."""
        ...

    @property
    def kind(self) -> str:
        """The kind of annotation."""
        ...

    @property
    def keys(self) -> Mapping[str, str]:
        """Label to the beginning of the names of its counts."""
        ...


class OneTable(Protocol[SideT, CorpusT, PairingT]):
    """Show mentions and relations in one table."""

    relations_alone: ClassVar[str] = RELATIONS
    """The configuration that scores relations alone."""

    def units_of(self, corpus: RelatedCorpus, setup: Setup) -> UnitCorpus:
        """Put the mentions and relations that are scored in one table."""
        alone = setup.config == self.relations_alone
        return UnitCorpus.of(corpus, LABEL.name, alone=alone)

    def sides(self, corpus: CorpusT, setup: Setup, /) -> Sides:
        """Return the units that are scored."""
        return self.units_of(corpus, setup).sides

    def find_arrows(self, corpus: CorpusT, setup: Setup, /) -> Arrows:
        """Return the mentions that each relation connects."""
        units = self.units_of(corpus, setup)
        return Arrows(units.sources, units.arguments)


class MentionsAndRelations(OneTable[RelatedSide, CorpusT, Mapping[str, PairedT]]):
    """Count pairings of mentions and of relations, such as ``concepts_strict``.

    The name of a pairing is a kind of annotation and a kind of match. The page and lists of errors
    show both kinds of annotation in one table.
    """

    kinds: tuple[str, ...]
    """The kinds of annotation: mentions, under the challenge's name for them, and relations."""
    modes: tuple[str, ...]
    """The kinds of match. The second one is the widest that the page shows."""

    @property
    @abstractmethod
    def scores(self) -> Mapping[str, KindScore]:
        """Name of a pairing to its measure."""

    def list_matches(
        self, block: CorpusT, pairing: Mapping[str, PairedT], setup: Setup, /
    ) -> Mapping[str, Rows]:
        """Return the outcomes of all mentions and relations, and of each label."""
        units = cache(lambda: self.units_of(block, setup))
        matches = {}
        for name, paired in pairing.items():
            measure = self.scores[name]
            among = partial(lambda kind: units().rows_of(kind), measure.kind)
            split = Split.by(block.labels_of(measure.kind, LABEL.name), measure.keys)
            sides, columns = block.annotations_of(measure.kind), columns_of(measure.name)
            rows = Rows(paired, sides, columns, split=split, among=among)
            matches[name] = self.judge(block, measure, rows)
        return matches

    def judge(self, _block: CorpusT, _measure: KindScore, rows: Rows) -> Rows:
        """Return the rows in the way that they are counted: by default, unchanged."""
        return rows

    def widen(
        self, corpus: CorpusT, matches: Mapping[str, Match], setup: Setup, /
    ) -> Mapping[str, Match]:
        """Add matches that join mentions and relations, and ``any_class``, which ignores labels."""
        units, scores = self.units_of(corpus, setup), self.scores
        rows = {
            name: units.take(scores[name].kind, matches[name]) for name in scores.keys() & matches
        }
        of_modes = {
            m: [rows.get(f"{kind}_{m}", NO_ROWS) for kind in self.kinds] for m in self.modes
        }
        found = {mode: units.join(*of_kinds) for mode, of_kinds in of_modes.items()}
        found[ANY_CLASS] = units.join(*pair_any_class(corpus, *of_modes[self.modes[1]]))
        return {**matches, **found, **self.list_spans(found, units)}

    def list_spans(self, found: Mapping[str, Match], units: UnitCorpus) -> Mapping[str, Match]:
        """Return the outcomes for identical and for overlapping fragments, whatever the labels."""
        widest = found[ANY_CLASS]
        return {"exact": units.keep_same_spans(widest), "overlap": widest}
