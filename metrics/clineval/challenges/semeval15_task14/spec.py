"""Read, pair and count SemEval-2015 Task 14 by its definition; see the package's docstring."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import ClassVar

import numpy as np

from clineval.base.arrays import BoolArray
from clineval.base.errors import warn
from clineval.base.files import Source
from clineval.base.ratios import ratio
from clineval.formats.delimited.pipe import CUI, SLOTS
from clineval.formats.given.mentions import check, read_side
from clineval.formats.given.texts import with_texts
from clineval.kinds.mentions.columns import Side
from clineval.kinds.mentions.corpus import Corpus, Mentions, join_sides
from clineval.kinds.mentions.kind import SpanKind
from clineval.kinds.mentions.matching import agreement, others, outside, precedence, same_value
from clineval.kinds.mentions.overlap import OVERLAP_SETTING, find_candidates_in_parts, in_words
from clineval.kinds.mentions.pairing import Pairs, pair_greedily, pair_same_spans
from clineval.kinds.mentions.rows import MatchKind, Pairing, Rows, columns_of, rows_of
from clineval.kinds.mentions.weights import (
    Weights,
    WeightTable,
    digest_weights,
    read_weights,
    weigh_by_prevalence,
)
from clineval.results.challenge import Setup
from clineval.results.columns import MentionColumns
from clineval.results.match import Values
from clineval.results.protocol import Protocol
from clineval.results.settings import Setting, declare_settings
from clineval.results.slots import CUI_LESS, Slot
from clineval.results.task import ClassSlot

_RARE = 0.95
_FAINT = 2.0**-1000  # a power of two, so that sums and quotients of such weights are exact
SHARE_WEIGHTS: WeightTable = {
    "cui": 1.0,
    "negation": {"no": 0.21, "yes": 0.79},
    "subject": {"patient": 0.05, "family_member": _RARE, "other": _RARE, "doner_other": _RARE},
    "uncertainty": {"no": 0.07, "yes": 0.93},
    "course": {
        "unmarked": 0.05, "changed": _RARE, "increased": _RARE, "decreased": _RARE,
        "improved": _RARE, "worsened": _RARE, "resolved": _RARE,
    },
    "severity": {"unmarked": 0.08, "slight": _RARE, "moderate": _RARE, "severe": _RARE},
    "conditional": {"false": 0.06, "true": 0.94},
    "generic": {"false": 0.05, "true": _RARE},
    "body_location": {"NULL": 0.51, "CUI": 0.49},
}  # fmt: skip
"""The table of the final official script, including its misspelt "doner_other"."""


KIND = SpanKind(
    ClassSlot("cui", "code", CUI_LESS),
    slots_of=lambda config: SLOTS[:1] if config == "task1" else SLOTS,
)


class Spec(Protocol[Side, Corpus, Pairing]):
    """Score by the challenge's document."""

    kind = KIND

    by_line: ClassVar[bool] = True
    any_class = True
    strict: ClassVar[bool] = True
    """Whether text must follow the format; if not, everything that the scripts read is read."""
    unlisted: ClassVar[float] = _RARE
    """The weight of a slot value that is missing from the table of weights."""
    least: ClassVar[float] = _FAINT
    """The value that replaces a weight of 0 in the average of its slot.

    It vanishes beside any other weight. If all weights are 0, the average becomes the unweighted
    one; with a value of 0, the average is 0.
    """

    def read(
        self, references: object, predictions: Sequence[object], setup: Setup, /
    ) -> tuple[Side, list[Side]]:
        """Read both sides, and the texts of the notes."""
        gold, systems = super().read(references, predictions, setup)
        return with_texts(gold, setup["texts"]), systems

    def read_side(self, given: object, side: str, _setup: Setup, /) -> Side:
        """Read pipe or JSON Lines files, pipe text, lists of dicts, or Documents."""
        return read_side(given, SLOTS, strict=self.strict, side=side)

    def check(self, source: Source, _setup: Setup, /) -> None:
        """Reject files that do not follow the format of submissions."""
        check(source, SLOTS)

    def as_gold(self, gold: Side, side: Side, setup: Setup, /) -> Side:
        """Return an annotator's side with texts; they are read again only for other documents."""
        if setup["texts"] is not None and side.documents == gold.documents:
            return replace(side, texts=gold.texts)
        return with_texts(side, setup["texts"])

    def join(self, gold: Side, predicted: Side, _setup: Setup, /) -> Corpus:
        """Join both sides."""
        return join_sides(gold, predicted, SLOTS)

    def resolve(self, corpus: Corpus, setup: Setup, /) -> Setup:
        """Replace the value of the option ``weights`` by the table of weights."""
        if setup.config == "task2a":
            _warn_of_other_spans(corpus, len(self.pair_exact(corpus)))
        weights = choose_weights(setup["weights"], corpus.gold, self.unlisted)
        return setup.with_options(weights=weights)

    def whole(self, setup: Setup, /) -> str:
        """Return why parts cannot be counted alone: weights may depend on all references."""
        asked = setup["weights"]  # may be an array by mistake, which is rejected later
        if not isinstance(asked, str) or asked != "references":
            return ""
        return (
            "weights='references' depends on all references. Write the weights to a file first "
            "(clineval prevalence)"
        )

    own_settings = declare_settings(
        OVERLAP_SETTING,
        Setting("weights", "the weights of slot values", option="--weights", literal=False),
    )

    def settings(self, setup: Setup, /) -> Mapping[str, str]:
        """Return the settings that the scores depend on, besides the protocol."""
        return {"overlap": setup["overlap"], "weights": setup["weights"].label}

    def pair_exact(self, corpus: Corpus) -> Pairs:
        """Pair the mentions with the same span."""
        return pair_same_spans(corpus, agreement(corpus, SLOTS))

    def pair(self, corpus: Corpus, setup: Setup, /) -> Pairing:
        """Pair ``exact`` spans, ``strict`` and ``relaxed`` for Task 1, and ``span`` for Task 2."""
        gold, prediction = corpus.gold, corpus.prediction
        exact = self.pair_exact(corpus)
        strict = exact.take(same_value(exact, corpus, CUI))
        candidates = find_candidates_in_parts(
            *measure(corpus, setup["overlap"]),
            others(strict.gold, gold),
            others(strict.prediction, prediction),
            corpus.documents,
        )
        order = (*precedence(corpus), *agreement(corpus, SLOTS))
        relaxed, span = [strict], [exact]
        for near in candidates:
            coded = near.take(same_value(near, corpus, CUI))
            open_ = outside(near.prediction, exact.prediction, len(prediction))
            open_ &= outside(near.gold, exact.gold, len(gold))
            relaxed.append(pair_greedily(coded, order))
            alike = len(coded) == len(near) and open_.all()  # if all have one code
            span.append(relaxed[-1] if alike else pair_greedily(near.take(open_), order))
        return {
            "exact": exact,
            "strict": strict,
            "relaxed": Pairs.joined(relaxed),
            "span": Pairs.joined(span),
        }

    def match_kinds(self, setup: Setup) -> Mapping[str, MatchKind]:
        """Return what to count for each pairing in the configuration."""
        task1, task2 = setup.config in ("default", "task1"), setup.config != "task1"
        weigh = partial(self._weigh_slots, weights=setup["weights"]) if task2 else None
        return {
            "exact": MatchKind(compare=self._compare_slots),
            "strict": MatchKind(columns_of("strict") if task1 else {}),
            "relaxed": MatchKind(columns_of("relaxed") if task1 else {}),
            "span": MatchKind(columns_of("span") if task2 else {}, self._compare_slots, weigh),
        }

    def list_matches(self, block: Corpus, pairing: Pairing, setup: Setup, /) -> Mapping[str, Rows]:
        """Return the outcomes of all mentions."""
        return rows_of(block, pairing, self.match_kinds(setup))

    def agree(self, corpus: Corpus, pairs: Pairs, slot: Slot) -> BoolArray:
        """Return which pairs agree in a slot, ``[p]``."""
        return same_value(pairs, corpus, slot)

    def _compare_slots(self, corpus: Corpus, pairs: Pairs) -> dict[str, BoolArray]:
        return {slot.name: self.agree(corpus, pairs, slot) for slot in SLOTS}

    def _weigh_slots(
        self, corpus: Corpus, pairs: Pairs, weights: Weights
    ) -> Iterator[tuple[str, Values]]:
        """Yield the names of counts, and the amount that each pair adds to them, ``[p]``.

        - ``<slot>_equal``: 1 if the values agree.
        - ``<slot>_equal_weight`` and ``<slot>_weight``: weights for the average of the slot.
        - ``equal_slots``: the number of equal slots.
        - ``weighted_accuracy_sum``: the weighted accuracy of the pair. If all its slots weigh 0,
          it is the unweighted accuracy.
        """
        equal_slots = np.zeros(len(pairs), np.int8)
        equal_weight, weight = np.zeros(len(pairs)), np.zeros(len(pairs))
        for slot in SLOTS:
            equal = self.agree(corpus, pairs, slot)
            gold = corpus.gold.columns.attributes[slot.name]
            of_value = weights.column(slot, gold.values)
            slot_weight = of_value.take(gold.ids.take(pairs.gold), mode="clip")
            slot_equal = slot_weight * equal
            equal_slots += equal
            equal_weight += slot_equal
            weight += slot_weight
            if not of_value.all():
                slot_weight = np.maximum(slot_weight, self.least)
                slot_equal = slot_weight * equal
            yield f"{slot.name}_equal", equal
            yield f"{slot.name}_equal_weight", slot_equal
            yield f"{slot.name}_weight", slot_weight
        yield "equal_slots", equal_slots
        weightless = weight == 0
        equal_weight[weightless], weight[weightless] = equal_slots[weightless], len(SLOTS)
        yield "weighted_accuracy_sum", np.asarray(ratio(equal_weight, weight))


def choose_weights(source: str | WeightTable, gold: Mentions, unlisted: float) -> Weights:
    """Return the table of weights for a value of the option ``weights``."""
    named = source if isinstance(source, str) else ""
    if named == "share":
        return Weights("share", SHARE_WEIGHTS, unlisted)
    if named == "references":
        table = weigh_by_prevalence([gold], SLOTS)
        return Weights(f"references-{digest_weights(table)}", table, unlisted=1.0)
    return read_weights(source, SLOTS)


def prevalence(*references: object) -> WeightTable:
    """Compute weights from gold corpora: one minus the prevalence of each value in the corpora."""
    sides = [read_side(given, SLOTS, strict=True, side="references") for given in references]
    corpora = [join_sides(side, side, SLOTS).gold for side in sides]
    return weigh_by_prevalence(corpora, SLOTS)


def measure(corpus: Corpus, overlap: str) -> tuple[MentionColumns, MentionColumns]:
    """Return both sides with offsets in the unit of overlap: characters or words."""
    gold, prediction = corpus.gold.columns, corpus.prediction.columns
    if overlap == "character":
        return gold, prediction
    return (
        in_words(gold, corpus.texts, corpus.documents),
        in_words(prediction, corpus.texts, corpus.documents),
    )


def _warn_of_other_spans(corpus: Corpus, found: int) -> None:
    """Warn about spans that differ from the spans that Task 2a gives, one for each disorder."""
    warn(
        "Task 2a gives the spans, but {n} {disorder has|disorders have} no prediction with the "
        "same span. The accuracies leave out disorders without a paired prediction",
        n=len(corpus.gold) - found,
    )
    warn(
        "Task 2a gives the spans, but {n} {prediction is at another span|predictions are at other "
        "spans} or {repeats|repeat} one. Each is a false positive unless it is paired with a "
        "disorder that it overlaps",
        n=len(corpus.prediction) - found,
    )
