"""Score n2c2 2022 Track 1 as its released script does: in the order of lines."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import ClassVar

import numpy as np

from clineval.base.arrays import Coded, IntArray, rank_rows
from clineval.base.files import Source
from clineval.challenges.n2c2_2022_cmed import script_files
from clineval.challenges.n2c2_2022_cmed.files import DRUG, EVENTS, SLOTS, EventFiles
from clineval.challenges.n2c2_2022_cmed.script_files import Said, ScriptSide, from_slots
from clineval.challenges.n2c2_2022_cmed.spec import (
    COMBINED,
    COUNTED,
    KINDS,
    MODES,
    SPEC,
    Medications,
)
from clineval.kinds.documents import Whole
from clineval.kinds.mentions.columns import Side
from clineval.kinds.mentions.corpus import Corpus, Mentions, trace_sides
from clineval.kinds.mentions.labelled import pair_lenient
from clineval.kinds.mentions.matching import agreement
from clineval.kinds.mentions.overlap import Candidates, find_candidates_in_parts
from clineval.kinds.mentions.pairing import Pairs, pair_equal_keys, pair_greedily, pair_same_spans
from clineval.kinds.mentions.parts import stack_matches
from clineval.kinds.mentions.rows import MatchKind, Pairing, columns_of, list_units
from clineval.programs.common_documents import keep_common
from clineval.results.averages import label_key
from clineval.results.challenge import Setup
from clineval.results.columns import MentionColumns
from clineval.results.match import NONE, VERDICTS, Match
from clineval.results.slots import Slot


@dataclass(frozen=True, slots=True, eq=False)
class Items:
    """The items that the script compares: tags or attributes, in the order of documents and lines.

    Args:
        spans: ``n`` spans of one fragment.
        key: the values that must be equal besides the span, ``[n]``. Both sides share the numbers
            of keys.
        row: the mention of the corpus that each item belongs to, ``[n]``.
    """

    spans: MentionColumns
    key: Coded
    row: IntArray

    def take(self, rows: IntArray) -> Items:
        """Return the items at ``rows``, in that order."""
        key = Coded(self.key.ids[rows], self.key.values)
        return Items(self.spans.take(rows), key, self.row[rows])

    def drop_repeats(self) -> Items:
        """Return the items without repeats of an earlier one."""
        _, firsts = np.unique(rank_rows(self.identity), return_index=True)
        return self.take(np.sort(firsts))

    @property
    def identity(self) -> list[IntArray]:
        """Document, start, end and key of each item, ``[n]`` each."""
        return [self.spans.document, self.spans.starts, self.spans.ends, self.key.ids]


Groups = Mapping[str, Items]
"""Items by group: ``drug``, ``tags``, and the attributes by their names in lower case."""


@dataclass(frozen=True, slots=True, eq=False)
class ScriptCorpus(Whole, Corpus):
    """The documents that both sides have, with the items that the script compares.

    Args:
        items: the items of the gold standard and of the system.
    """

    items: tuple[Groups, Groups] = field(default=({}, {}), kw_only=True)


class ScriptFiles(EventFiles):
    """Read brat files as the script does."""

    def read_side(self, source: Source, _slots: Sequence[Slot], *, strict: bool) -> Side:  # noqa: ARG002
        """Read files; they are paired by name."""
        return script_files.read_side(source)

    def read_strings(self, strings: Sequence[str], _slots: Sequence[Slot], *, strict: bool) -> Side:  # noqa: ARG002
        """Read one string of lines for each document; they are paired by position."""
        return script_files.read_strings(strings)


@dataclass(frozen=True)
class Official(Medications):
    """Score as the released script does: in the order of lines, documents of both sides only."""

    strict = False
    kinds: ClassVar[Mapping[str, MatchKind]] = {
        **KINDS,
        # means include rows that neither side has
        "drug_strict": MatchKind({**columns_of("drug_strict"), COUNTED: VERDICTS}),
    }

    def read_side(self, given: object, side: str, setup: Setup) -> Side:
        """Read one side; mentions that do not come from files have their attributes in slots."""
        found = super().read_side(given, side, setup)
        return found if isinstance(found, ScriptSide) else from_slots(found)

    def join(self, gold: Side, predicted: Side, _setup: Setup, /) -> ScriptCorpus:
        """Join both sides without the documents that only one side has."""
        common = keep_common(gold, predicted)
        corpus, rows = trace_sides(*common, self.all_slots)
        numbers = (_number(*sides) for sides in zip((gold, predicted), common, strict=True))
        said = (_said(side, of) for side, of in zip((gold, predicted), numbers, strict=True))
        arranged = corpus.gold, corpus.prediction
        both = zip(common, said, rows, arranged, strict=True)
        found = _share(*(_list_items(*each) for each in both))
        return ScriptCorpus(corpus.documents, *arranged, corpus.texts, items=found)

    def pair(self, block: Corpus, _setup: Setup, /) -> Pairing:
        """Return the outcomes of all rows under both modes."""
        boundary = pair_same_spans(block, agreement(block, self.all_slots))
        found: dict[str, Pairs | Match] = {
            "boundary": boundary,
            "overlap": pair_lenient(block, boundary, None),
        }
        for mode in MODES:
            for name, gold, prediction in _list_groups(block):
                pairs = _PAIR[mode](gold, prediction, block.documents)
                found[f"{name}_{mode}"] = _list(pairs, gold, prediction)
            found[mode] = found.pop(f"tags_{mode}")
            context = [found[f"{slot.name}_{mode}"] for slot in SLOTS]
            found[f"context_{mode}"] = stack_matches([m for m in context if isinstance(m, Match)])
        return found


def _number(side: Side, common: Side) -> IntArray:
    """Return the number of each mention among the mentions that are kept, or -1, ``[n]``."""
    number = np.arange(len(side.mentions))
    if len(common.documents) < len(side.documents):
        known = set(common.keys or ())
        kept = np.array([key in known for key in side.keys or ()], np.bool_)[side.mentions.document]
        number = np.where(kept, np.cumsum(kept) - 1, NONE)
    return number


def _said(side: Side, number: IntArray) -> Said:
    """Return the attributes of the mentions that are kept, renumbered."""
    said = side.said if isinstance(side, ScriptSide) else Said.of(())
    kept = np.flatnonzero(number[said.mention] >= 0)
    value = Coded(said.value.ids[kept], said.value.values)
    return Said(number[said.mention[kept]], said.name[kept], value)


def _list_items(side: Side, said: Said, rows: IntArray, arranged: Mentions) -> Groups:
    """List the items of one side that the script compares."""
    mentions, label = side.mentions, side.mentions.attributes["label"]
    placed = replace(mentions, document=arranged.columns.document[rows], attributes={})
    order = np.argsort(placed.document, kind="stable")
    nothing = Coded(np.zeros(len(mentions), np.int8), ("",))
    items = {
        "drug": Items(placed, nothing, rows).take(order).drop_repeats(),
        "tags": Items(placed, label, rows).take(order).drop_repeats(),
    }
    labels = [label.values[at] for at in label.ids[said.mention].tolist()]
    values = [said.value.values[at] for at in said.value.ids.tolist()]
    keys = Coded.of([f"{of}\t{value}" for of, value in zip(labels, values, strict=True)])
    every = Items(placed.take(said.mention), keys, rows[said.mention])
    for at, name in enumerate((*(slot.name for slot in SLOTS), COMBINED)):
        of = np.flatnonzero(said.name == at)
        of = of[np.argsort(every.spans.document[of], kind="stable")]
        items[name] = every.take(of)
    return items


def _share(gold: Groups, prediction: Groups) -> tuple[Groups, Groups]:
    """Give equal keys of both sides equal numbers."""
    shared: tuple[dict[str, Items], dict[str, Items]] = ({}, {})
    for name in gold:
        both = gold[name], prediction[name]
        values = tuple(sorted({value for items in both for value in items.key.values}))
        for side, items in zip(shared, both, strict=True):
            side[name] = replace(items, key=items.key.fold(str, values))
    return shared


def _list_groups(corpus: Corpus) -> Iterator[tuple[str, Items, Items]]:
    """Yield each row with its items."""
    gold, prediction = corpus.items if isinstance(corpus, ScriptCorpus) else ({}, {})
    for name, items in gold.items():
        yield name, items, prediction[name]
    wanted: dict[str, Callable[[str], bool]] = {"events": lambda label: label != DRUG}
    wanted |= {label_key(of): of.__eq__ for of in EVENTS}
    for name, choose in wanted.items():
        yield name, _choose(gold["tags"], choose), _choose(prediction["tags"], choose)


def _choose(tags: Items, wanted: Callable[[str], bool]) -> Items:
    """Return the tags with some labels."""
    known = np.array([wanted(label) for label in tags.key.values], np.bool_)
    return tags.take(np.flatnonzero(known[tags.key.ids])) if len(known) else tags


def _list(pairs: Pairs, gold: Items, prediction: Items) -> Match:
    """List the outcomes of items as outcomes of the mentions that they belong to."""
    match = list_units(pairs, np.arange(len(gold.row)), np.arange(len(prediction.row)))
    golds, predictions = (np.append(items.row, NONE) for items in (gold, prediction))
    return replace(match, gold=golds[match.gold], prediction=predictions[match.prediction])


def _pair_equal(gold: Items, prediction: Items, _names: Sequence[str]) -> Pairs:
    """Pair equal items: the first ones of both sides, then the second ones, and so on."""
    both = zip(gold.identity, prediction.identity, strict=True)
    identity = rank_rows([np.concatenate(columns) for columns in both])
    return pair_equal_keys(*np.split(identity, [len(gold.row)]))


def _pair_overlapping(gold: Items, prediction: Items, names: Sequence[str]) -> Pairs:
    """Pair each gold item, in order, with the first free item that overlaps it."""
    every = np.arange(len(gold.row)), np.arange(len(prediction.row))
    parts = [*find_candidates_in_parts(gold.spans, prediction.spans, *every, names)]
    near = Candidates.joined([*parts, _find_around_empty(gold, prediction)])
    alike = near.take(gold.key.ids[near.gold] == prediction.key.ids[near.prediction])
    return pair_greedily(alike, [])


def _find_around_empty(gold: Items, prediction: Items) -> Candidates:
    """Find pairs of an empty span and a span around it; the script counts them as overlapping."""
    found: list[tuple[int, int]] = []
    for at, items, others in ((0, gold, prediction), (1, prediction, gold)):
        spans, around = items.spans, others.spans
        for row in np.flatnonzero(spans.starts >= spans.ends).tolist():
            near = (around.document == spans.document[row]) & (around.ends > spans.starts[row])
            near &= (around.starts < spans.ends[row]) & (around.ends > around.starts)
            pairs = ((row, other) for other in np.flatnonzero(near).tolist())
            found += pairs if at == 0 else ((other, own) for own, other in pairs)
    rows = np.array(found, np.int64).reshape(-1, 2)
    return Candidates(rows[:, 0], rows[:, 1], np.zeros(len(rows), np.int64))


_PAIR = {"strict": _pair_equal, "lenient": _pair_overlapping}
OFFICIAL = Official(
    SPEC.labels, SPEC.matches, slots=SLOTS, files=ScriptFiles(), short="cmed", format="brat"
)
