"""Read, pair and count labelled spans as ``__init__.py`` defines it."""

from __future__ import annotations

import os
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from difflib import get_close_matches
from functools import partial
from itertools import chain

import numpy as np

from clineval.base.errors import InputError, called, listed, shown, warn
from clineval.base.ratios import Columns
from clineval.base.subjects import read_predictions, read_references
from clineval.challenges.clinical_spans.muc import MEASURES
from clineval.challenges.clinical_spans.slots import SlotScores, join_scored, pair_slots
from clineval.formats.brat.columns import BratLabels
from clineval.formats.conll.lines import Tagging
from clineval.formats.conll.options import as_tagging
from clineval.formats.given.mentions import AsSide, read_side
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
from clineval.kinds.mentions.overlap import Candidates, find_candidates_in_parts, in_words
from clineval.kinds.mentions.pairing import Key, Pairs, pair_greedily, pair_same_spans
from clineval.kinds.mentions.rows import Pairing
from clineval.protocols.labelled_spans import LabelledSpans
from clineval.protocols.own_labels import (
    AnsweredLabel,
    key_labels,
    list_in_signature,
    parse_labels,
    parse_names,
    warn_of_new,
)
from clineval.results.averages import label_key
from clineval.results.challenge import Setup
from clineval.results.columns import MentionColumns
from clineval.results.slots import ANY, INVENTED, Slot

LABEL = Slot("label", "label", required=True)
ORDERS: Mapping[str, Callable[[Corpus], Sequence[Key]]] = {
    "closest": closest,
    "longest": precedence,
    "position": lambda corpus: precedence(corpus)[2:],
}
"""The orders in which overlapping pairs are accepted."""


class SpanFiles(BratLabels):
    """Directories of brat's files, or ``.ann`` files; the only format besides JSON Lines."""

    def read_strings(self, strings: Sequence[str], slots: Sequence[Slot], *, strict: bool) -> Side:  # noqa: ARG002
        """Reject strings, because JSON is the only format of strings."""
        raise InputError(
            "expected documents as lists of dicts, as JSON, or as Documents, got other strings"
        )


FILES = SpanFiles(
    why="only spans are scored; no metric scores relations of arbitrary types yet",
)


class Spec(LabelledSpans):
    """Spans of any labels, with any slots."""

    @property
    def kind(self) -> SpanKind:
        """Spans with one label each and any other slots."""
        return replace(super().kind, free=True)

    widest = "partial"

    def labels_of(self, setup: Setup, /) -> tuple[str, ...]:
        """Return the requested labels, or else all labels of the data."""
        labels: tuple[str, ...] = setup["labels"]
        return labels

    def known_labels(self, setup: Setup, /) -> Collection[str]:
        """Return the requested labels."""
        return setup["labels"] or ()

    def settings(self, setup: Setup, /) -> Mapping[str, str]:
        """Return the options that the scores depend on."""
        name = list_in_signature(setup["labels"])
        slots = {"slots": "+".join(map(label_key, setup["slots"]))} if setup["slots"] else {}
        touching = {"touching": "yes"} if setup["touching"] else {}
        overlap, order = setup["overlap"], setup["order"]
        return {"labels": name, **slots, "overlap": overlap, "order": order, **touching}

    def read(
        self, references: object, predictions: Sequence[object], setup: Setup, /
    ) -> tuple[Side, list[Side]]:
        """Read both sides, and share the labels, slots and values of all of them.

        So all systems that are read together have the same columns of counts.
        """
        read = partial(_read_side, setup=setup, known=setup["labels"] or ())
        gold = with_texts(read_references(read, references), setup["texts"])
        known = _labels_in(gold) if setup["labels"] is None else setup["labels"]
        sides = [gold, *read_predictions(partial(read, known=known), predictions)]
        columns = [
            of.compact() for of in fill_slots([s.mentions for s in sides], setup["slots"] or ())
        ]
        _check_slots(columns, setup, len(gold.documents))
        if setup["labels"] is None:
            _warn_of_labels(sides)
        shared = share_values(columns, dict.fromkeys(columns[0].attributes, ()))
        first, *rest = (replace(side, mentions=of) for side, of in zip(sides, shared, strict=True))
        return first, rest

    def read_side(self, given: object, side: str, setup: Setup) -> Side:
        """Read one side; keep the mentions whose labels are scored."""
        return _read_side(given, side, setup, setup["labels"] or ())

    def tagging(self, setup: Setup, /) -> Tagging:
        """Return how to read words with tags, by the options."""
        return as_tagging(setup, setup["labels"])

    def resolve(self, corpus: Corpus, setup: Setup, /) -> Setup:
        """Set the labels to the labels of all sides that were read together, unless given."""
        if setup["labels"] is not None:
            return setup
        column = corpus.gold.columns.attributes[LABEL.name]
        return setup.with_options(labels=tuple(key_labels(column.values).values()))

    def whole(self, setup: Setup, /) -> str:
        """Return the reason why parts cannot be counted alone: all documents define the labels."""
        if setup["labels"] is not None:
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
        return {**columns, **own, **dict(categories)}

    def slots_of(self, _config: str) -> tuple[Slot, ...]:
        """Return the label, the only slot that always exists."""
        return (LABEL,)


def _scored_slots(setup: Setup) -> tuple[Slot, ...]:
    """Return the label and the scored slots."""
    return (LABEL, *(Slot(name, "free") for name in setup["slots"] or ()))


def _read_side(given: object, side: str, setup: Setup, known: Sequence[str]) -> Side:
    """Read one side; keep scored labels, and check answers against the ``known`` labels."""
    keys = key_labels(known)
    label = AnsweredLabel(LABEL.name, LABEL.kind, required=True, keys=keys)
    slots = label if isinstance(given, AsSide) else LABEL, Slot(ANY, "free", setup["slots"] or ())
    tagging = SPEC.tagging(setup)
    found = read_side(given, slots, strict=True, side=side, text_format=FILES, tagging=tagging)
    if isinstance(given, (str, os.PathLike)) and found.keys is not None:
        found = replace(found, keys=tuple(map(FILES.document_key, found.keys)))
    return _only_labels(found, setup["labels"])


def _labels_in(*sides: Side) -> list[str]:
    """List the labels of the mentions of some sides."""
    columns = [side.mentions.attributes[LABEL.name].compact() for side in sides]
    return sorted({*chain.from_iterable(column.values for column in columns)} - {INVENTED})


def _only_labels(side: Side, labels: Sequence[str] | None) -> Side:
    """Keep the mentions whose labels are scored; a warning counts the other mentions.

    Mentions of answers with an impossible label are kept too, because they are wrong.
    """
    column = side.mentions.attributes[LABEL.name]
    scored = None if labels is None else {*labels, INVENTED}
    wanted = np.array([scored is None or value in scored for value in column.values], np.bool_)
    kept = np.flatnonzero(wanted[column.ids]) if len(side.mentions) else column.ids
    dropped = len(side.mentions) - len(kept)
    if not dropped:
        return side
    warn(
        "{n} {mention has a label|mentions have labels} that labels= does not list, and "
        "{does|do} not count",
        n=dropped,
    )
    return replace(side, mentions=side.mentions.take(kept))


def _warn_of_labels(sides: Sequence[Side]) -> None:
    """Reject labels that share a key, and warn about labels that only predictions have.

    Such labels of answers are not rejected; they have no key and are wrong.
    """
    parse_labels(_labels_in(*(side for side in sides if side.intake is None)))
    scored = {*key_labels(_labels_in(*sides)).values()}
    found = ([label for label in _labels_in(side) if label in scored] for side in sides[1:])
    warn_of_new(_labels_in(sides[0]), found)


def _check_slots(columns: Sequence[MentionColumns], setup: Setup, documents: int) -> None:
    """Reject slots with the same key, and a scored slot that no mention has.

    In a part of a corpus, or without any mention, a missing slot is only a warning.
    """
    names = [name for name in columns[0].attributes if name != LABEL.name]
    missing = [name for name in setup["slots"] or () if not _is_used(name, columns)]
    there = sorted(set(names).difference(missing))
    keys = {label_key(name): name for name in there}
    for name in missing:
        mistaken = setup["labels"] is None and any(map(len, columns))
        if mistaken or label_key(name) in keys:
            known = f", expected one of {listed(there)}" if there else ""
            near = get_close_matches(label_key(name), keys, n=1)
            remedy = f"Did you mean {called(keys[near[0]])}?" if near else ""
            problem = f"no mention has the slot {shown(name)}{known}"
            raise InputError(problem, where="slots", remedy=remedy)
        warn(
            f"no mention of {{n}} {{document|documents}} has the slot {shown(name)}, so its "
            "scores are meaningless there",
            n=documents,
        )
    parse_names(names, "slots", "slot")


def _is_used(slot: str, columns: Sequence[MentionColumns]) -> bool:
    """Return whether any mention has a value other than ``no``."""
    return any(set(of.attributes[slot].values) - {"no"} for of in columns)


def _find_candidates(corpus: Corpus, strict: Pairs, setup: Setup) -> Iterator[Candidates]:
    """Find overlapping pairs of mentions without a partner of the same span and label."""
    measure = _MEASURED[setup["overlap"]]
    return find_candidates_in_parts(
        measure(corpus.gold.columns, corpus),
        measure(corpus.prediction.columns, corpus),
        others(strict.gold, corpus.gold),
        others(strict.prediction, corpus.prediction),
        corpus.documents,
        reach=int(setup["touching"]),
    )


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
        "reports and --overlap word", 'for overlap="word": the text of each document.'
    ),
)
