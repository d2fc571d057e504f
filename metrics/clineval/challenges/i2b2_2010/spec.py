"""i2b2/VA 2010 read, paired and counted; ``__init__.py`` says how."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, Literal

import numpy as np

from clineval.base.arrays import BoolArray, IntArray, rank_rows
from clineval.base.errors import InputError, warn
from clineval.base.hashing import Hashes
from clineval.base.ratios import Columns, Number, Totals
from clineval.challenges.i2b2_2010.first_come import pair_equal, pair_fitting
from clineval.challenges.i2b2_2010.items import (
    all_kinds,
    as_columns,
    find_widths,
    read_items,
    sort_places,
)
from clineval.challenges.i2b2_2010.lines import (
    ASSERTIONS,
    CONCEPTS,
    ENDINGS,
    LABELS,
    RELATIONS,
    ItemSide,
)
from clineval.kinds.documents import align_documents
from clineval.kinds.mentions.any_class import pair_any_class
from clineval.kinds.mentions.closeness import closest
from clineval.kinds.mentions.columns import MentionColumns, Side, share_values
from clineval.kinds.mentions.corpus import Corpus, Mentions, Reading, join_sides
from clineval.kinds.mentions.digest import digest_documents
from clineval.kinds.mentions.labelled import LabelScheme, pair_lenient, pair_strict
from clineval.kinds.mentions.match import Match
from clineval.kinds.mentions.matching import same_value
from clineval.kinds.mentions.outcomes import ANY_CLASS, Outcomes, join_pairings
from clineval.kinds.mentions.pairing import Key, Pairs, pair_same_spans
from clineval.kinds.mentions.parts import Part, stack_matches
from clineval.kinds.mentions.slots import Slot
from clineval.results.challenge import Setup, Steps

LABEL = Slot("label", "label", (*CONCEPTS, *ASSERTIONS, *RELATIONS), required=True)
SLOTS = (LABEL,)
SCHEMES = {
    "concepts": LabelScheme(
        LABEL, CONCEPTS, ("strict", "exact", "lenient", "overlap"), group="concepts"
    ),
    "assertions": LabelScheme(LABEL, ASSERTIONS, ("strict", "exact"), group="assertions"),
    "relations": LabelScheme(LABEL, RELATIONS, ("strict", "exact"), group="relations"),
}
_RANKS = {label: at for labels in LABELS.values() for at, label in enumerate(labels)}
_WIDE = 1000
_APART = 1 << 31
"""More tokens than a line has."""


@dataclass(frozen=True, slots=True)
class Rules:
    """The rules on which the protocols differ.

    Args:
        strict: judge files by the document, or take what the program takes.
        pairing: ``one_to_one``, or ``first_come``: in the order of the input.
        width: how many tokens lines are apart; 0 for what the document needs.
    """

    strict: bool
    pairing: Literal["one_to_one", "first_come"]
    width: int


PROTOCOLS = {
    "spec": Rules(strict=True, pairing="one_to_one", width=0),
    "official": Rules(strict=False, pairing="first_come", width=_WIDE),
}


@dataclass(frozen=True, slots=True, eq=False)
class Paired:
    """The items of one kind, and for each match pairs of rows of them."""

    part: Part
    pairs: Mapping[str, Pairs]


Kinds = Mapping[str, Paired]


def read(
    references: Any, predictions: Sequence[Any], setup: Setup
) -> tuple[ItemSide, list[ItemSide]]:
    """Read both sides: folders of .con, .ast and .rel files, JSON Lines, dicts, or Documents."""
    strict = setup.rules.strict
    gold = read_items(references, strict=strict, side="references")
    kind = setup.config
    if gold.files and kind in ENDINGS and kind not in gold.files:
        raise InputError(
            f"expected .{ENDINGS[kind]} files, got only "
            f"{' and '.join(f'.{ENDINGS[other]}' for other in sorted(gold.files))} files",
            where="references",
            remedy=f"Give them, or score another configuration than {kind}",
        )
    systems = [read_items(given, strict=strict, side="predictions") for given in predictions]
    return gold, systems


@dataclass(frozen=True, slots=True, eq=False)
class Items(Corpus):
    """A corpus that knows which kinds of items are scored.

    Args:
        kinds: the kinds.
        reference: the reference's items, with offsets that do not depend on the predictions.
    """

    kinds: tuple[str, ...] = ()
    reference: MentionColumns | None = None

    @property
    def digests(self) -> Hashes:
        """``[documents]``, a digest of the reference's items of each."""
        return digest_documents(self.reference or self.gold.columns, len(self.documents))


def join(gold: ItemSide, predicted: ItemSide, setup: Setup) -> Items:
    """Join both sides; offsets become one number each."""
    if gold.lines != predicted.lines and len(gold.document) and len(predicted.document):
        raise InputError(
            "one side counts lines and tokens, the other does not",
            remedy="Give both sides as files, or none",
        )
    documents, *numbers = align_documents(gold, predicted)
    sides = (gold, predicted)
    moved = [
        number[side.document] if len(side.document) else side.document
        for number, side in zip(numbers, sides, strict=True)
    ]
    widths = find_widths(sides, moved, len(documents), setup.rules.width)
    columns = [as_columns(s, m, widths, LABEL.name) for s, m in zip(sides, moved, strict=True)]
    asked = [setup.config] if setup.config in ENDINGS else list(ENDINGS)
    there = all_kinds(gold) | all_kinds(predicted)
    kinds = tuple(kind for kind in asked if kind in there) or tuple(asked)
    _warn_of_missing_files(gold, predicted, kinds)
    if setup.rules.pairing == "first_come":
        places = [sort_places(*both) for both in zip(sides, moved, strict=True)]
        joined = _in_order(documents, columns, places)
    else:
        read = [Side(documents, None, side) for side in columns]
        joined = join_sides(read[0], read[1], SLOTS, Reading())
    scored = Part.of(joined, _labels_of(kinds), str.lower).corpus
    fixed = as_columns(gold, moved[0], np.full(len(documents), _APART), LABEL.name)
    return Items(documents, scored.gold, scored.prediction, {}, kinds, fixed)


def _in_order(
    documents: tuple[str, ...], columns: Sequence[MentionColumns], places: Sequence[IntArray]
) -> Corpus:
    """Join items as they come, copies too; the same place is the same lines and tokens."""
    keys = np.concatenate(
        [np.column_stack([s.document, p]) for s, p in zip(columns, places, strict=True)]
    )
    ranks = rank_rows(list(keys.T)) if len(keys) else np.zeros(0, np.int64)
    shared = share_values(columns, {LABEL.name: ()})
    sides = [
        Mentions(side, place, np.zeros(len(side), np.int64))
        for side, place in zip(shared, np.split(ranks, [len(columns[0])]), strict=True)
    ]
    return Corpus(documents, sides[0], sides[1], {})


def _labels_of(kinds: Sequence[str]) -> Mapping[str, frozenset[str]]:
    """Return the labels of some kinds of items, in lower case."""
    return {LABEL.name: frozenset(label.lower() for kind in kinds for label in LABELS[kind])}


def _warn_of_missing_files(gold: ItemSide, predicted: ItemSide, kinds: Sequence[str]) -> None:
    """Warn of notes that have a file of a kind on one side only, though others are on both."""
    for kind in kinds if gold.files and predicted.files else ():
        sides = [set(side.files.get(kind, ())) for side in (gold, predicted)]
        both = set(gold.documents) & set(predicted.documents)
        alone = sorted((sides[0] ^ sides[1]) & both)
        warn(
            f"{{n}} {{note has|notes have}} a .{ENDINGS[kind]} file on one side only, whose items "
            "count as all missed or all spurious: {names}",
            alone,
        )


def resolve(corpus: Items, setup: Setup) -> Setup:
    """Set which kinds are scored."""
    return setup.with_options(kinds=corpus.kinds)


def settings(setup: Setup) -> Mapping[str, str]:
    """Return which kinds were scored, if not all that were asked for."""
    some = setup.config not in ENDINGS and len(setup["kinds"]) < len(ENDINGS)
    return {"kinds": "+".join(setup["kinds"])} if some else {}


def pair(corpus: Corpus, setup: Setup) -> Kinds:
    """Pair each kind of item."""
    find = _pair_first_come if setup.rules.pairing == "first_come" else _pair_best
    paired = {}
    for kind in setup["kinds"]:
        part = Part.of(corpus, _labels_of([kind]), str.lower)
        pairs = find(part.corpus)
        names = SCHEMES[kind].names.items()
        paired[kind] = Paired(part, {full: pairs[name]() for name, full in names})
    return paired


def _pair_best(corpus: Corpus) -> Mapping[str, Any]:
    """Return the matches of the challenge's document, each when it is asked for."""
    strict = pair_strict(corpus, SLOTS)
    exact = pair_same_spans(corpus, _by_labels(corpus))
    return {
        "strict": lambda: strict,
        "exact": lambda: exact,
        "lenient": lambda: pair_lenient(corpus, strict, LABEL, order=closest),
        "overlap": lambda: pair_lenient(corpus, exact, None, order=closest),
    }


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


def _pair_first_come(corpus: Corpus) -> Mapping[str, Any]:
    """Return the matches of the released program, in the order of the input."""
    gold, prediction = corpus.gold, corpus.prediction
    labels = gold.ids(LABEL.name), prediction.ids(LABEL.name)

    def fit_alike(rows: slice, others: slice) -> BoolArray:
        alike: BoolArray = labels[0][rows, None] == labels[1][others]
        return _fit(corpus, rows, others) & alike

    return {
        "strict": lambda: pair_equal([gold.place, labels[0]], [prediction.place, labels[1]]),
        "exact": lambda: pair_equal([gold.place], [prediction.place]),
        "lenient": lambda: pair_fitting(corpus, fit_alike),
        "overlap": lambda: pair_fitting(corpus, partial(_fit, corpus)),
    }


def _fit(corpus: Corpus, rows: slice, others: slice) -> BoolArray:
    """Tell which concepts overlap for the program: none that begins before and ends inside."""
    gold, prediction = corpus.gold.columns, corpus.prediction.columns
    start, end = gold.starts[rows, None], gold.ends[rows, None] - 1
    begin, stop = prediction.starts[others], prediction.ends[others] - 1
    fits: BoolArray = (begin >= start) & (stop <= end)
    fits |= (begin <= start) & (stop >= end)
    fits |= (begin >= start) & (begin <= end) & (stop >= end)
    return fits


def _scheme_of(kind: str, setup: Setup) -> LabelScheme:
    return replace(SCHEMES[kind], cased=setup.rules.strict)


def tally(corpus: Corpus, pairing: Kinds, setup: Setup) -> Columns:  # noqa: ARG001 - parts have it
    """Return the counts of each document."""
    columns: dict[str, Any] = {}
    for kind, paired in pairing.items():
        columns |= _scheme_of(kind, setup).tally(paired.part.corpus, paired.pairs)
    if "concepts" in pairing and not setup.rules.strict:
        columns["concepts_lenient_fn"] = columns["concepts_overlap_fn"]
    return columns


def list_outcomes(corpus: Corpus, pairings: Sequence[Kinds], setup: Setup) -> Outcomes:
    """List what became of every item; a relation is an item of two fragments."""
    matches: dict[str, Match] = {}
    for kind in setup["kinds"]:
        part = Part.of(corpus, _labels_of([kind]), str.lower)
        blocks = [paired[kind] for paired in pairings]
        pairs = join_pairings([b.part.corpus for b in blocks], [b.pairs for b in blocks])
        found = _scheme_of(kind, setup).list_matches(part.corpus, pairs)
        matches |= {name: part.put_back(match) for name, match in found.items()}
    if "concepts_lenient" in matches and not setup.rules.strict:
        _move_missed(matches)
    widest = {kind: matches[f"{kind}_{SCHEMES[kind].matches[-1]}"] for kind in setup["kinds"]}
    matches["all"] = stack_matches(list(widest.values()))
    if "assertions" in widest:  # which count where the spans are equal only
        sides = corpus.gold.columns, corpus.prediction.columns
        widest["assertions"] = pair_any_class(widest["assertions"], *sides, corpus.documents)
    matches[ANY_CLASS] = stack_matches(list(widest.values()))
    return Outcomes.of(setup, corpus, matches, ANY_CLASS, any_class=True)


def _move_missed(matches: dict[str, Match]) -> None:
    """Take the missed concepts of one row for those of another, as the program does."""
    key = "concepts_lenient_fn"
    lenient, overlap = matches["concepts_lenient"], matches["concepts_overlap"]
    columns = {name: of for name, of in lenient.columns.items() if name != key}
    matches["concepts_lenient"] = replace(lenient, columns=columns)
    matches["concepts_overlap"] = replace(overlap, columns={**overlap.columns, key: ("fn",)})


def list_pairings(corpus: Corpus, pairings: Sequence[Kinds], setup: Setup) -> dict[str, Match]:
    """Return the pairings of the page, of all kinds of items together."""
    outcomes = list_outcomes(corpus, pairings, setup)
    names = {kind: SCHEMES[kind].matches for kind in setup["kinds"]}
    wanted = {
        "exact/span": [(kind, "exact") for kind in names],
        "exact/both": [(kind, "strict") for kind in names],
        "overlap/both": [
            (k, "lenient" if "lenient" in of else "strict") for k, of in names.items()
        ],
    }
    stacked = {
        page: stack_matches([outcomes.matches[f"{kind}_{match}"] for kind, match in own])
        for page, own in wanted.items()
    }
    return {**stacked, "overlap/span": outcomes.matches["all"]}


def finish(totals: Totals, config: str) -> dict[str, Number]:  # noqa: ARG001 - totals tell
    """Return scores from totals, by the formulas of the specification."""
    scores: dict[str, Number] = {}
    for kind, scheme in SCHEMES.items():
        if f"{kind}_strict_tp" in totals:
            scores |= scheme.finish(totals)
    return scores


STEPS = Steps(read, join, pair, tally, list_outcomes, resolve=resolve, settings=settings)
