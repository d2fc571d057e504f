"""Read, pair and count labelled spans as ``__init__.py`` defines it."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial

from clineval.base.ratios import Columns
from clineval.base.subjects import read_predictions, read_references
from clineval.challenges.clinical_spans.chosen import (
    CHOSEN_SETTINGS,
    check_chosen,
    count_chosen,
    describe_chosen,
)
from clineval.challenges.clinical_spans.codes import (
    CODE_SETTINGS,
    describe_codes,
    find_code_slot,
)
from clineval.challenges.clinical_spans.least_overlap import LeastOverlap
from clineval.challenges.clinical_spans.muc import MEASURES
from clineval.challenges.clinical_spans.reading import (
    FILES,
    LABEL,
    check_slots,
    labels_in,
    read_labelled,
    warn_of_labels,
)
from clineval.challenges.clinical_spans.slots import SlotScores, join_scored, pair_slots
from clineval.formats.conll.lines import Tagging
from clineval.formats.conll.options import as_tagging
from clineval.formats.given.texts import option_of_texts, with_texts
from clineval.kinds.mentions.columns import Side, fill_slots, share_values
from clineval.kinds.mentions.corpus import Corpus
from clineval.kinds.mentions.kind import SpanKind
from clineval.kinds.mentions.labelled import pair_strict
from clineval.kinds.mentions.leak import Leak
from clineval.kinds.mentions.matching import (
    agreement,
    closest,
    others,
    outside,
    precedence,
    same_value,
)
from clineval.kinds.mentions.measures import Spans
from clineval.kinds.mentions.overlap import (
    OVERLAP_SETTING,
    Candidates,
    find_candidates_in_parts,
    in_words,
)
from clineval.kinds.mentions.pairing import Key, Pairs, pair_greedily, pair_same_spans
from clineval.kinds.mentions.rows import Pairing
from clineval.protocols.coded_spans import CodedSpans
from clineval.protocols.own_labels import (
    key_labels,
    list_in_signature,
)
from clineval.results.averages import label_key
from clineval.results.challenge import Setup
from clineval.results.columns import MentionColumns
from clineval.results.measures import Finish
from clineval.results.settings import Setting, declare_settings
from clineval.results.slots import ANY, Slot

ORDERS: Mapping[str, Callable[[Corpus], Sequence[Key]]] = {
    "closest": closest,
    "longest": precedence,
    "position": lambda corpus: precedence(corpus)[2:],
}
"""The orders in which overlapping pairs are accepted."""


class Spec(CodedSpans):
    """Spans of any labels, with any slots."""

    @property
    def kind(self) -> SpanKind:
        """Spans with one label each and any other slots."""
        return replace(super().kind, free=True)

    widest = "partial"
    found = ("labels",)

    def labels_of(self, setup: Setup, /) -> tuple[str, ...]:
        """Return the requested labels, or else all labels of the data."""
        labels: tuple[str, ...] = setup["labels"]
        return labels

    def known_labels(self, setup: Setup, /) -> Collection[str]:
        """Return the requested labels."""
        return setup["labels"] or ()

    own_settings = declare_settings(
        Setting(
            "labels",
            "the labels that count; if there are many, their number and a digest",
            option="--labels",
            literal=False,
        ),
        Setting("slots", "the slots that count", option="--slots", literal=False),
        OVERLAP_SETTING,
        Setting("order", "the order in which overlapping mentions are paired", option="--order"),
        Setting(
            "touching", "`yes` if touching mentions overlap", option="--touching", literal=False
        ),
        *CHOSEN_SETTINGS,
        *CODE_SETTINGS,
    )

    def settings(self, setup: Setup, /) -> Mapping[str, str]:
        """Return the options that the scores depend on."""
        name = list_in_signature(setup["labels"])
        slots = {"slots": "+".join(map(label_key, setup["slots"]))} if setup["slots"] else {}
        touching = {"touching": "yes"} if setup["touching"] else {}
        overlap, order = {"overlap": setup["overlap"]}, {"order": setup["order"]}
        further = {**describe_chosen(setup), **describe_codes(setup)}
        return {"labels": name, **slots, **overlap, **order, **touching, **further}

    def finish(self, setup: Setup, /) -> Finish:
        """Return the function that computes the scores, also the scores that options add."""
        return setup.challenge.measures.under(self.settings(setup)).finish

    def read(
        self, references: object, predictions: Sequence[object], setup: Setup, /
    ) -> tuple[Side, list[Side]]:
        """Read both sides, and share the labels, slots and values of all of them.

        So all systems that are read together have the same columns of counts.
        """
        self.find_judge(setup)  # rejects options that contradict each other
        read = partial(read_labelled, setup=setup, known=setup["labels"] or ())
        gold = with_texts(read_references(read, references), setup["texts"])
        known = labels_in(gold) if setup["labels"] is None else setup["labels"]
        sides = [gold, *read_predictions(partial(read, known=known), predictions)]
        columns = [
            of.compact() for of in fill_slots([s.mentions for s in sides], setup["slots"] or ())
        ]
        check_slots(columns, setup, len(gold.documents))
        if setup["labels"] is None:
            warn_of_labels(sides)
        shared = share_values(columns, dict.fromkeys(columns[0].attributes, ()))
        first, *rest = (replace(side, mentions=of) for side, of in zip(sides, shared, strict=True))
        return first, rest

    def read_side(self, given: object, side: str, setup: Setup) -> Side:
        """Read one side; keep the mentions whose labels are scored."""
        return read_labelled(given, side, setup, setup["labels"] or ())

    def tagging(self, setup: Setup, /) -> Tagging:
        """Return how to read words with tags, by the options."""
        return as_tagging(setup, setup["labels"])

    def resolve(self, corpus: Corpus, setup: Setup, /) -> Setup:
        """Set the labels to the labels of all sides that were read together, unless given."""
        labels = setup["labels"]
        if labels is None:
            column = corpus.gold.columns.attributes[LABEL.name]
            labels = tuple(key_labels(column.values).values())
        check_chosen(setup, labels)
        return super().resolve(corpus, setup.with_options(labels=labels))

    def whole(self, setup: Setup, /) -> str:
        """Return the reason why parts cannot be counted alone: all documents define the labels.

        Labels that parts find can be united, unless slots are scored, which a part may lack.
        """
        labels, slots = setup["labels"], setup["slots"]
        if labels or (labels is not None and not slots):
            return ""
        return "by default all documents define the labels. Pass labels=[...]"

    def join(self, gold: Side, predicted: Side, setup: Setup, /) -> Corpus:
        """Join both sides; mentions with the same fragments, label and scored slots count once."""
        return join_scored(gold, predicted, _scored_slots(setup))

    def pair(self, block: Corpus, setup: Setup, /) -> Pairing:
        """Pair the mentions for each kind of match."""
        slots = _scored_slots(setup)
        strict = pair_strict(block, slots)
        boundary = pair_same_spans(block, agreement(block, slots))
        lenient, typed, partial = [strict], [strict], [boundary]
        keys = ORDERS[setup["order"]](block)
        for near in _find_candidates(block, strict, setup):
            alike = pair_greedily(near.take(same_value(near, block, LABEL)), keys)
            lenient.append(alike)
            typed += [alike, pair_greedily(_without(near, alike, block), keys)]
            partial.append(pair_greedily(_without(near, boundary, block), keys))
        return {
            "strict": strict,
            **pair_slots(strict, block),
            "lenient": Pairs.joined(lenient),
            "boundary": boundary,
            "type": Pairs.joined(typed),
            "partial": Pairs.joined(partial),
        }

    def _check_codes(self) -> None:
        """Accept any slot of codes."""

    def find_slots(self, setup: Setup) -> tuple[Slot, tuple[Slot, ...]]:
        """Return the slot of codes, and all other slots that count."""
        scored = _scored_slots(setup)
        name = find_code_slot(setup)
        codes = next(slot for slot in scored if slot.name == name)
        return codes, tuple(slot for slot in scored if slot is not codes)

    def complete(
        self, block: Corpus, pairing: Pairing, counted: Columns, setup: Setup, /
    ) -> Columns:
        """Add the leak, and the categories of SemEval-2013 Task 9."""
        columns = dict(super().complete(block, pairing, counted, setup))
        own = {key: columns.pop(key) for of in MEASURES for key in of.columns}
        categories = (
            (f"{measure.name}_{key}", of)
            for measure in MEASURES
            for key, of in measure.categorize({**columns, **own}).items()
        )
        return {**columns, **own, **dict(categories), **count_chosen(block, columns, setup)}

    def slots_of(self, _config: str) -> tuple[Slot, ...]:
        """Return the label, the only slot that always exists."""
        return (LABEL,)


def _scored_slots(setup: Setup) -> tuple[Slot, ...]:
    """Return the label and the scored slots."""
    return (LABEL, *(Slot(name, "free") for name in setup["slots"] or ()))


def _find_candidates(corpus: Corpus, strict: Pairs, setup: Setup) -> Iterator[Candidates]:
    """Find overlapping pairs of mentions without a partner of the same span and label."""
    measure = _MEASURED[setup["overlap"]]
    sides = measure(corpus.gold.columns, corpus), measure(corpus.prediction.columns, corpus)
    found = find_candidates_in_parts(
        *sides,
        others(strict.gold, corpus.gold),
        others(strict.prediction, corpus.prediction),
        corpus.documents,
        reach=int(setup["touching"]),
    )
    least = LeastOverlap(setup["min_overlap"] or 0.0, setup["iou"] or 0.0)
    if least == LeastOverlap():
        return found
    return (near.take(least.accept(near, *sides)) for near in found)


def _without(near: Candidates, taken: Pairs, corpus: Corpus) -> Candidates:
    """Return the candidate pairs without the mentions of pairs that are taken."""
    free = outside(near.gold, taken.gold, len(corpus.gold))
    return near.take(free & outside(near.prediction, taken.prediction, len(corpus.prediction)))


_MEASURED: Mapping[str, Callable[[MentionColumns, Corpus], MentionColumns]] = {
    "character": lambda columns, _: columns,
    "word": lambda columns, corpus: in_words(columns, corpus.texts, corpus.documents),
    "hull": lambda columns, _: columns.without_gaps(),
}
"""Mentions as their overlap is measured, by the option ``overlap``."""
SPEC = Spec(
    (),
    ("strict", "lenient", "boundary"),
    slots=(Slot(ANY, "free"),),
    files=FILES,
    scores=(
        Spans("strict"),
        Spans("lenient"),
        Spans("boundary", by=""),
        SlotScores(),
        Leak(),
        *MEASURES,
    ),
    texts=option_of_texts(
        "reports, --overlap word and --tokens",
        'for overlap="word" and tokens: the text of each document.',
    ),
)
