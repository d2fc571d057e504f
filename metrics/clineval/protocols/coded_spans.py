"""Labelled spans with codes, ready to be scored by a hierarchy too."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import KW_ONLY, dataclass

from clineval.kinds.codes.at_spans import place_at_spans
from clineval.kinds.codes.hierarchical import HierarchyScores
from clineval.kinds.codes.hierarchy import Fold
from clineval.kinds.codes.placed import PlacedSides, are_at_one_place
from clineval.kinds.mentions.corpus import Corpus
from clineval.kinds.mentions.rows import Pairing, Rows
from clineval.protocols.hierarchies import HIERARCHY, HIERARCHY_SETTING, name_hierarchy
from clineval.protocols.labelled_spans import LabelledSpans
from clineval.protocols.placed_codes import HierarchyJudge, find_judge
from clineval.results.challenge import Setup
from clineval.results.match import Match
from clineval.results.measures import Measures
from clineval.results.options import Option, check_name
from clineval.results.settings import declare_settings
from clineval.results.slots import Slot


@dataclass(frozen=True)
class CodedSpans(LabelledSpans):
    """Labelled spans with a slot of codes, which a hierarchy can score too.

    A code is compared with the codes of mentions with the same fragments, label and other slots.
    Let A be the codes at such a place with all their ancestors, and G and P the two sides. Over the
    places of all documents,

        h_precision = sum |A(P) and A(G)| / sum |A(P)|
        h_recall    = sum |A(P) and A(G)| / sum |A(G)|

    Args:
        codes: the name of the slot of codes.
        labels: as in :class:`clineval.LabelledSpans`.
        matches: as in :class:`clineval.LabelledSpans`.
        label: as in :class:`clineval.LabelledSpans`.
        word: as in :class:`clineval.LabelledSpans`.
        closed: as in :class:`clineval.LabelledSpans`.
        slots: as in :class:`clineval.LabelledSpans`.
        drop: as in :class:`clineval.LabelledSpans`.
        leak: as in :class:`clineval.LabelledSpans`.
        files: as in :class:`clineval.LabelledSpans`.
        scores: as in :class:`clineval.LabelledSpans`.
        short: as in :class:`clineval.LabelledSpans`.
        columns: as in :class:`clineval.LabelledSpans`.
        format: as in :class:`clineval.LabelledSpans`.
        texts: as in :class:`clineval.LabelledSpans`.

    Raises:
        InputError: an argument is invalid.

    Examples:
        >>> from clineval import Slot
        >>> coded = CodedSpans(("sign",), slots=(Slot("icd", "code"),), codes="icd")
        >>> [option.name for option in coded.options]
        ['texts', 'hierarchy']
    """

    _: KW_ONLY
    codes: str = ""

    def __post_init__(self) -> None:
        super().__post_init__()
        self._check_codes()

    def _check_codes(self) -> None:
        """Reject an unknown slot of codes."""
        check_name("slot", self.codes, [slot.name for slot in self.all_slots])

    def find_slots(self, _setup: Setup) -> tuple[Slot, tuple[Slot, ...]]:
        """Return the slot of codes, and all other slots that count."""
        codes = next(slot for slot in self.all_slots if slot.name == self.codes)
        return codes, tuple(slot for slot in self.all_slots if slot is not codes)

    def find_judge(self, setup: Setup) -> HierarchyJudge | None:
        """Return the judge of codes, if there is a hierarchy."""
        if HIERARCHY.name not in setup.options or setup.options[HIERARCHY.name] is None:
            return None
        slot, _ = self.find_slots(setup)
        return find_judge(setup, _FOLDS.get(slot.kind, str), *filter(None, [slot.default]))

    def place(self, corpus: Corpus, setup: Setup) -> PlacedSides:
        """Return the codes of both sides at their places."""
        return place_at_spans(corpus, *self.find_slots(setup))

    def resolve(self, corpus: Corpus, setup: Setup, /) -> Setup:
        """Check that codes are in the hierarchy, if there is one."""
        if judge := self.find_judge(setup):
            judge.check(self.place(corpus, setup), corpus.documents)
        return setup

    def list_matches(self, block: Corpus, pairing: Pairing, setup: Setup, /) -> Mapping[str, Rows]:
        """Add the outcomes of codes and their ancestors, if there is a hierarchy."""
        matches, judge = super().list_matches(block, pairing, setup), self.find_judge(setup)
        return {**matches, **judge.list_matches(self.place(block, setup))} if judge else matches

    def widen(
        self, corpus: Corpus, matches: Mapping[str, Match], setup: Setup, /
    ) -> Mapping[str, Match]:
        """Add how codes of pairs are related, if there is a hierarchy."""
        judge = self.find_judge(setup)
        if not judge:
            return matches
        sides, match = self.place(corpus, setup), matches[self.widest]
        slot, _ = self.find_slots(setup)
        same = are_at_one_place(sides, match)
        return {**matches, **judge.explain(sides, match, same, slot.name)}

    own_settings = declare_settings(HIERARCHY_SETTING)

    def settings(self, setup: Setup, /) -> Mapping[str, str]:
        """Return the hierarchy, if there is one."""
        return name_hierarchy(setup)

    @property
    def options(self) -> tuple[Option, ...]:
        """The notes' texts, and the hierarchy."""
        return (*super().options, HIERARCHY)

    @property
    def measures(self) -> Measures:
        """The scores, and scores by hierarchy."""
        return Measures.of(*self.scores, HierarchyScores())


_FOLDS: Mapping[str, Fold] = {"code": str.lower, "codes": str.lower}
"""How to compare codes, by the kind of their slot; other values are compared as they are."""
