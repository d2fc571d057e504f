"""Read, pair and count i2b2/VA 2010 as ``__init__.py`` defines it."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain

import numpy as np

from clineval.base.arrays import IntArray
from clineval.base.errors import InputError, warn
from clineval.base.files import Source
from clineval.base.hashing import Hashes
from clineval.base.ratios import Columns
from clineval.challenges.i2b2_2010.lines import (
    ASSERTIONS,
    CONCEPTS,
    ENDINGS,
    LABELS,
    RELATIONS,
    ItemSide,
    Parsed,
    as_columns,
    parse_line,
    read_folder,
    read_side,
)
from clineval.kinds.documents import align_documents
from clineval.kinds.mentions.any_class import pair_any_class
from clineval.kinds.mentions.columns import Side
from clineval.kinds.mentions.corpus import Corpus, Mentions, join_sides
from clineval.kinds.mentions.digest import digest_documents
from clineval.kinds.mentions.kind import SpanKind
from clineval.kinds.mentions.labelled import pair_lenient, pair_strict
from clineval.kinds.mentions.matching import closest, same_value
from clineval.kinds.mentions.measures import Spans
from clineval.kinds.mentions.outcomes import ANY_CLASS
from clineval.kinds.mentions.pairing import Key, Pairs, pair_same_spans
from clineval.kinds.mentions.parts import Part, stack_matches
from clineval.kinds.mentions.rows import Rows, columns_of
from clineval.kinds.relations import outcomes as relations
from clineval.results.challenge import Setup
from clineval.results.columns import MentionColumns
from clineval.results.match import Match
from clineval.results.measures import Measures
from clineval.results.protocol import Protocol
from clineval.results.settings import Setting, declare_settings
from clineval.results.slots import Slot
from clineval.results.task import ClassSlot
from clineval.results.views import Arrows

LABEL = Slot("label", "label", (*CONCEPTS, *ASSERTIONS, *RELATIONS), required=True)
SLOTS = (LABEL,)
_PLACES = {name: place for place, name in relations.MATCHES.items()}


def _declare(kind: str, matches: Sequence[str], main: Collection[str]) -> tuple[Spans, ...]:
    """Declare the scores of a kind of items; ``main`` lists the main matches."""
    title = kind.capitalize()
    return tuple(
        Spans(
            f"{kind}_{match}",
            "",
            main=match in main,
            short=f"{kind[0]}_{match[:3]}",
            place=_PLACES[match],
            narrow={"classes": LABELS[kind]},
            preset=match if kind == "concepts" and match in main else "",
            labels=LABELS[kind],
            ending=match,
            labels_title=f"{title}, {match}",
            means_title=f"{title}, mean of the labels",
            cased=False,
        )
        for match in matches
    )


SCORES = {
    "concepts": _declare(
        "concepts", ("strict", "exact", "lenient", "overlap"), ("strict", "lenient")
    ),
    "assertions": _declare("assertions", ("strict", "exact"), ("strict",)),
    "relations": _declare("relations", ("strict", "exact"), ("strict",)),
}
"""Scores by kind, in the order of increasingly lenient matches."""
_STRICT = [scores[0] for scores in SCORES.values()]
MEASURES = Measures.of(
    *chain.from_iterable(SCORES.values()),
    ranking={
        "default": tuple(chain.from_iterable(of.headline for of in _STRICT)),
        **{kind: scores[0].headline for kind, scores in SCORES.items()},
    },
    shown_per_document=tuple(chain.from_iterable(of.shown_per_document for of in _STRICT)),
)
_RANKS = {label: at for labels in LABELS.values() for at, label in enumerate(labels)}
_APART = 1 << 31
"""A number larger than the tokens of any line."""


@dataclass(frozen=True, slots=True, eq=False)
class Paired:
    """The items of one kind, and their pairs for each match."""

    part: Part
    pairs: Mapping[str, Pairs]


Kinds = Mapping[str, Paired]


@dataclass(frozen=True, slots=True, eq=False)
class Items(Corpus):
    """A corpus with the kinds of items that are scored.

    Args:
        kinds: the scored kinds.
        reference: the gold items, with offsets that do not depend on the predictions.
    """

    kinds: tuple[str, ...] = ()
    reference: MentionColumns | None = None

    @property
    def digests(self) -> Hashes:
        """``[documents]``, a digest of the gold items of each document."""
        return digest_documents(self.reference or self.gold.columns, len(self.documents))

    @property
    def gold_sizes(self) -> IntArray:
        """``[documents]``, the number of gold items of each document."""
        return (self.reference or self.gold.columns).sizes(len(self.documents))


class Spec(Protocol[ItemSide, Items, Kinds]):
    """The challenge's definition: items are paired one to one."""

    kind = SpanKind(
        ClassSlot("label", "label"),
        "tokens",
        slots_of=lambda _: SLOTS,
        without={"answers": "offsets of concepts, assertions and relations are lines and tokens"},
    )

    def read(
        self, references: object, predictions: Sequence[object], setup: Setup, /
    ) -> tuple[ItemSide, list[ItemSide]]:
        """Read both sides; gold files must include the files of the configuration."""
        gold, systems = super().read(references, predictions, setup)
        kind = setup.config
        if gold.files and kind in ENDINGS and kind not in gold.files:
            raise InputError(
                f"expected .{ENDINGS[kind]} files, got only "
                f"{' and '.join(f'.{ENDINGS[other]}' for other in sorted(gold.files))} files",
                where="references",
                remedy=f"Give these files, or score a configuration other than {kind}",
            )
        return gold, systems

    def read_side(self, given: object, side: str, _setup: Setup, /) -> ItemSide:
        """Read .con, .ast and .rel files, JSON Lines, dicts, or Documents."""
        return read_side(given, side, self.read_folder, self.parse)

    def read_folder(self, source: Source) -> ItemSide:
        """Read a folder of files, or a file."""
        return read_folder(source)

    def parse(self, line: str, kind: str) -> Parsed:
        """Parse a line."""
        return parse_line(line.rstrip(), kind)

    def join(self, gold: ItemSide, predicted: ItemSide, setup: Setup, /) -> Items:
        """Join both sides; each offset becomes one number."""
        if gold.lines != predicted.lines and len(gold.document) and len(predicted.document):
            raise InputError(
                "one side counts lines and tokens, the other does not",
                remedy="Give both sides as files, or neither",
            )
        documents, *numbers = align_documents(gold, predicted)
        sides = (gold, predicted)
        moved = [
            number[side.document] if len(side.document) else side.document
            for number, side in zip(numbers, sides, strict=True)
        ]
        widths = self.find_widths(sides, moved, len(documents))
        columns = [as_columns(s, m, widths, LABEL.name) for s, m in zip(sides, moved, strict=True)]
        asked = [setup.config] if setup.config in ENDINGS else list(ENDINGS)
        there = {kind for side in sides for kind in side.files or ENDINGS}
        kinds = tuple(kind for kind in asked if kind in there) or tuple(asked)
        _warn_of_missing_files(gold, predicted, kinds)
        joined = self.join_columns(documents, columns, sides, moved)
        scored = Part.of(joined, _labels_of(kinds), str.lower).corpus
        fixed = as_columns(gold, moved[0], np.full(len(documents), _APART), LABEL.name)
        return Items(documents, scored.gold, scored.prediction, {}, kinds, fixed)

    def find_widths(
        self, sides: Sequence[ItemSide], moved: Sequence[IntArray], documents: int, /
    ) -> IntArray:
        """Return the tokens from line to line, ``[documents]``: the longest line of both sides."""
        widths = np.zeros(documents, np.int64)
        for side, document in zip(sides, moved, strict=True):
            np.maximum.at(widths, document, side.places[:, 1::2].max(axis=1, initial=0) + 1)
        return widths

    def join_columns(
        self,
        documents: tuple[str, ...],
        columns: Sequence[MentionColumns],
        _sides: Sequence[ItemSide],
        _moved: Sequence[IntArray],
        /,
    ) -> Corpus:
        """Join items; equal items count once."""
        gold, predicted = (Side(documents, None, side) for side in columns)
        return join_sides(gold, predicted, SLOTS)

    def resolve(self, corpus: Items, setup: Setup, /) -> Setup:
        """Set the kinds that are scored."""
        return setup.with_options(kinds=corpus.kinds)

    own_settings = declare_settings(
        Setting("kinds", "the annotations in the input: concepts, assertions, relations"),
    )

    def settings(self, setup: Setup, /) -> Mapping[str, str]:
        """Return the scored kinds, if these are not all requested kinds."""
        some = setup.config not in ENDINGS and len(setup["kinds"]) < len(ENDINGS)
        return {"kinds": "+".join(setup["kinds"])} if some else {}

    def pair(self, corpus: Corpus, setup: Setup, /) -> Kinds:
        """Pair each kind of item."""
        paired = {}
        for kind in setup["kinds"]:
            part = Part.of(corpus, _labels_of([kind]), str.lower)
            pairs = self.match_items(part.corpus)
            paired[kind] = Paired(part, {of.name: pairs[of.ending]() for of in SCORES[kind]})
        return paired

    def match_items(self, corpus: Corpus) -> Mapping[str, Callable[[], Pairs]]:
        """Return functions that compute the matches of the challenge's document."""
        strict = pair_strict(corpus, SLOTS)
        exact = pair_same_spans(corpus, _by_labels(corpus))
        return {
            "strict": lambda: strict,
            "exact": lambda: exact,
            "lenient": lambda: pair_lenient(corpus, strict, LABEL, order=closest),
            "overlap": lambda: pair_lenient(corpus, exact, None, order=closest),
        }

    def list_matches(self, _block: Corpus, pairing: Kinds, _setup: Setup, /) -> Mapping[str, Rows]:
        """Return the verdicts on the items of each kind, in all and for each label."""
        return {
            measure.name: replace(
                measure.list_rows(paired.part.corpus, paired.pairs[measure.name], measure.labels),
                among=paired.part.among,
            )
            for kind, paired in pairing.items()
            for measure in SCORES[kind]
        }

    def complete(
        self, _block: Corpus, pairing: Kinds, counted: Columns, _setup: Setup, /
    ) -> Columns:
        """Put the counts of all items of a kind before the counts of its labels."""
        prefixes: list[str] = []
        for scores in map(SCORES.__getitem__, pairing):
            prefixes += [of.name for of in scores]
            prefixes += chain.from_iterable(of.name_labels(of.labels).values() for of in scores)
        keys = (key for prefix in prefixes for key in columns_of(prefix))
        return {key: counted[key] for key in keys}

    def find_arrows(self, corpus: Items, _setup: Setup, /) -> Arrows:
        """Return the source of each relation: one fragment, as concepts are contiguous."""
        gold, prediction = ((side.fragment_counts > 1).astype(np.int64) for side in corpus.sides)
        return Arrows((gold, prediction))

    def widen(
        self, corpus: Corpus, matches: Mapping[str, Match], setup: Setup, /
    ) -> Mapping[str, Match]:
        """Add all kinds together, as pages show them, and pairs whatever their labels."""
        kinds = setup["kinds"]
        page = {
            place: stack_matches(
                [matches.get(f"{kind}_{name}", matches[f"{kind}_strict"]) for kind in kinds]
            )
            for name, place in _PLACES.items()
            if name != "overlap"
        }
        widest = {kind: matches[SCORES[kind][-1].name] for kind in kinds}
        every = stack_matches(list(widest.values()))
        if "assertions" in widest:  # assertions only count if the spans are equal
            sides = corpus.gold.columns, corpus.prediction.columns
            widest["assertions"] = pair_any_class(widest["assertions"], *sides, corpus.documents)
        whole = {"overlap/span": every, ANY_CLASS: stack_matches(list(widest.values()))}
        return {**matches, **page, **whole}


def _labels_of(kinds: Sequence[str]) -> Mapping[str, frozenset[str]]:
    """Return the labels of some kinds of items, in lower case."""
    return {LABEL.name: frozenset(label.lower() for kind in kinds for label in LABELS[kind])}


def _warn_of_missing_files(gold: ItemSide, predicted: ItemSide, kinds: Sequence[str]) -> None:
    """Warn about notes on both sides that have a file of a kind on one side only."""
    for kind in kinds if gold.files and predicted.files else ():
        sides = [set(side.files.get(kind, ())) for side in (gold, predicted)]
        both = set(gold.documents) & set(predicted.documents)
        alone = sorted((sides[0] ^ sides[1]) & both)
        warn(
            f"{{n}} {{note has|notes have}} a .{ENDINGS[kind]} file on one side only; its items "
            "count as all missed or all spurious: {names}",
            alone,
        )


def _by_labels(corpus: Corpus) -> tuple[Key, ...]:
    """Return sort keys: equal labels first, then in the order of the labels."""

    def rank(side: Mentions) -> IntArray:
        column = side.columns.attributes[LABEL.name]
        return np.array([_RANKS[value] for value in column.values], np.int64)[column.ids]

    gold, prediction = rank(corpus.gold), rank(corpus.prediction)
    return (
        lambda pairs: (~same_value(pairs, corpus, LABEL)).view(np.int8),
        lambda pairs: gold[pairs.gold],
        lambda pairs: prediction[pairs.prediction],
    )
