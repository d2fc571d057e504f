"""The pairs of an evaluation for a page of mentions."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field, replace

import numpy as np

from clineval.base.arrays import BoolArray, IntArray
from clineval.evaluation.evaluate import Evaluation
from clineval.kinds.codes.related import RELATED, find_related, find_relations
from clineval.kinds.events.units import EVENT
from clineval.kinds.mentions.any_class import as_side
from clineval.kinds.mentions.corpus import Corpus, as_mentions
from clineval.kinds.mentions.outcomes import Outcomes
from clineval.kinds.mentions.rows import list_rows
from clineval.kinds.mentions.weights import Weights
from clineval.results.match import VERDICTS, Match
from clineval.results.slots import ANY, Slot
from clineval.results.task import ClassSlot
from clineval.results.views import NO_ARROWS, Arrows, MentionView
from clineval.workbench.links import Links, Partners, link_any

MODES = ("exact", "overlap")
_PAIRINGS = tuple(
    f"{mode}/{criterion}" for criterion in ("span", "both", "class") for mode in MODES
)
_UNNAMED = ClassSlot("", "class")
RELATED_CODES = "related/codes"
"""The pairing of codes that are related in a hierarchy."""
_FEW_VALUES = 12
"""The most values in a confusion matrix."""


@dataclass(frozen=True, slots=True, eq=False)
class PairedMentions:
    """The mentions of a system and of the gold standard, and their pairs.

    Args:
        corpus: the mentions of both sides, as they were scored.
        slots: the slots that the page shows.
        classes: the slot with the class of a mention; None if there is none.
        named: the names of that slot.
        weights: the weights of the slots' values; None if nothing is weighted.
        pairings: the pairings of the page by name, see :class:`MentionView`. Pairings for
            criterion ``class`` are included only if they differ from those for ``span``.
        equal: ``[slots, p]``, whether each prediction agrees with its partner in each slot, by
            criterion ``class``, in the overlap pairing or, without a partner, the exact pairing.
        spans_given: whether the spans are given to the systems, so that only codes are scored.
        equal_only: whether pairs must be equal in everything.
        arrows: the ends of the arrows that the page draws.
        parts: kinds of items that are added up separately, with their classes.
        relations: ``[p]``, how each wrong code is related to a gold code, as an index into
            :data:`~clineval.kinds.codes.related.RELATED` plus 1, or 0; None without a hierarchy.
        code_slot: the slot of these codes.
    """

    corpus: Corpus
    slots: Sequence[Slot]
    classes: Slot | None
    named: ClassSlot
    weights: Weights | None
    pairings: Mapping[str, Partners]
    equal: BoolArray
    spans_given: bool = False
    equal_only: bool = False
    arrows: Arrows = NO_ARROWS
    parts: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    relations: IntArray | None = None
    code_slot: str = ""

    @property
    def modes(self) -> tuple[str, ...]:
        """The match modes that differ."""
        return MODES[:1] if self.equal_only else MODES

    @property
    def criteria(self) -> tuple[str, ...]:
        """The criteria for pairs: ``span``, ``class``, ``both``."""
        if self.spans_given or self.equal_only:
            return ("both",)
        return ("span", "class", "both") if self.has_classes else ("span",)

    @property
    def class_values(self) -> tuple[str, ...]:
        """The values of the class slot by their numbers."""
        return self.values_of(self.classes) if self.classes else ("",)

    @property
    def has_classes(self) -> bool:
        """Whether any mention has a class to compare."""
        return self.classes is not None and set(self.class_values) != {self.named.none}

    def pairing(self, match: str, criterion: str) -> Partners:
        """Return the pairing for a match mode and a criterion."""
        return self.pairings.get(f"{match}/{criterion}", self.pairings[f"{match}/span"])

    def values_of(self, slot: Slot) -> tuple[str, ...]:
        """Return the values of a slot by their numbers, which both sides share."""
        return self.corpus.gold.columns.attributes[slot.name].values

    def class_ids(self) -> tuple[IntArray, IntArray]:
        """Return ``[g]`` and ``[p]``, the class number of each mention."""
        sides = (self.corpus.gold, self.corpus.prediction)
        gold: IntArray
        prediction: IntArray
        if self.classes is None:
            gold, prediction = (np.zeros(len(side), np.int64) for side in sides)
        else:
            gold, prediction = (side.ids(self.classes.name) for side in sides)
        return gold, prediction

    def same_class(self) -> BoolArray:
        """Return ``[p]``, whether each prediction has the class of its partner."""
        if self.classes is None:
            return np.ones(len(self.corpus.prediction), np.bool_)
        same: BoolArray = self.equal[list(self.slots).index(self.classes)]
        return same


def pair_mentions(evaluation: Evaluation, view: MentionView) -> PairedMentions:
    """Pair the mentions of an evaluation with their partners.

    Examples:
        >>> from clineval import evaluate
        >>> gold = [[{"spans": [[4, 15]], "cui": "C1"}]]
        >>> found = [[{"spans": [[4, 9]], "cui": "C1"}]]
        >>> evaluation = evaluate("semeval15_task14", found, gold)
        >>> paired = pair_mentions(evaluation, evaluation.challenge.faces.page)
        >>> {name: of.prediction.tolist() for name, of in paired.pairings.items()}
        {'exact/span': [-1], 'overlap/span': [0], 'exact/both': [-1], 'overlap/both': [0]}
    """
    setup, kind = evaluation.setup, evaluation.setup.steps.kind
    named = kind.class_slot or _UNNAMED
    corpus, arrows = _show(evaluation), setup.steps.find_arrows(evaluation.corpus, setup)
    slots = tuple(kind.slots(setup.config))
    if kind.free:
        slots += tuple(_find_free(corpus, {EVENT.name, *(slot.name for slot in slots)}))
    if arrows.triggers is not None:
        types = () if ANY in kind.triggers else kind.triggers
        slots += (replace(EVENT, kind="closed", values=types) if types else EVENT,)
    classes = next((slot for slot in slots if slot.name == named.name), None)
    links = _link(corpus, _list_matches(evaluation, view), classes)
    compared = [links.get(f"{mode}/class", links[f"{mode}/span"]) for mode in MODES]
    partners = {name: Partners.of(links[name], corpus) for name in _PAIRINGS if name in links}
    related = find_related(evaluation.outcomes)
    if related:
        partners[RELATED_CODES] = Partners.of(Links.of(related, corpus), corpus)
    return PairedMentions(
        corpus,
        slots,
        classes,
        named,
        setup[view.weights] if view.weights else None,
        partners,
        _compare(corpus, compared, slots),
        kind.given,
        view.equal_only,
        arrows,
        view.parts,
        _number_relations(evaluation.outcomes, len(corpus.prediction)) if related else None,
        related.reason_slot if related else "",
    )


def _number_relations(outcomes: Outcomes, predictions: int) -> IntArray:
    """Return how each wrong code is related to a gold code, as numbers."""
    names = ["", *(kind.name for kind in RELATED)]
    numbers = np.zeros(predictions, np.int64)
    for row, name in find_relations(outcomes).items():
        numbers[row] = names.index(name)
    return numbers


def _show(evaluation: Evaluation) -> Corpus:
    """Return the mentions of both sides as the page shows them, in the rows of the outcomes."""
    scored, setup = as_mentions(evaluation.corpus), evaluation.setup
    gold, prediction = map(as_side, setup.steps.page_sides(evaluation.corpus, setup))
    return replace(scored, gold=gold, prediction=prediction)


def _find_free(corpus: Corpus, known: AbstractSet[str]) -> Iterator[Slot]:
    """Yield the slots of mentions that are not known; those with few values are closed."""
    for name, column in sorted(corpus.gold.columns.attributes.items()):
        values = ("no", *(value for value in column.values if value != "no"))
        if name not in known:
            few = len(values) <= _FEW_VALUES
            yield Slot(name, "closed", values) if few else Slot(name, "free")


def _list_matches(evaluation: Evaluation, view: MentionView) -> Mapping[str, Match]:
    """List the pairings of the page by name."""
    corpus, pairings, setup = evaluation.corpus, evaluation.pairings, evaluation.setup
    whole = pairings[0] if len(pairings) == 1 else setup.steps.pair(corpus, setup)
    if own := setup.steps.list_pairings(corpus, whole, setup):
        return list_rows(own)
    matches = evaluation.outcomes.matches
    return {name: matches[own] for name, own in view.matches.items()}


def _link(corpus: Corpus, matches: Mapping[str, Match], classes: Slot | None) -> dict[str, Links]:
    """Return the links of each pairing of the page."""
    exact, overlap = (f"{mode}/span" for mode in MODES)
    links = {
        name: Links.of(match, corpus) for name, match in matches.items() if not _pairs_nobody(match)
    }
    if overlap not in links:
        links[overlap], both = link_any(corpus, links[exact], classes)
        links.setdefault("overlap/both", both)
    for mode in MODES:
        alike = links.get(f"{mode}/class", links[f"{mode}/span"])
        both = alike.take(alike.agree(classes, corpus)) if classes else alike
        links.setdefault(f"{mode}/both", both)
    return links


def _pairs_nobody(match: Match) -> bool:
    """Return whether any true positive has no gold mention."""
    return bool((match.gold[match.roles == VERDICTS.index("tp")] < 0).any())


def _compare(corpus: Corpus, pairings: Sequence[Links], slots: Sequence[Slot]) -> BoolArray:
    """Return ``[slots, p]``, whether predictions agree with partners, in their last pairing."""
    equal = np.zeros((len(slots), len(corpus.prediction)), np.bool_)
    for links in pairings:
        for at, slot in enumerate(slots):
            equal[at, links.prediction[::-1]] = links.agree(slot, corpus)[::-1]
    return equal
