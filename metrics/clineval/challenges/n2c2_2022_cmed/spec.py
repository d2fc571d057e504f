"""Score n2c2 2022 Track 1 by its definition; see the package's docstring."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np

from clineval.base.arrays import BoolArray, IntArray
from clineval.base.ratios import Number, Totals, precision_recall_f1
from clineval.challenges.n2c2_2022_cmed.files import (
    ABSENT,
    CONTEXT,
    DRUG,
    EVENTS,
    SLOTS,
    EventFiles,
)
from clineval.kinds.mentions.best import choose_best
from clineval.kinds.mentions.corpus import Corpus, Mentions
from clineval.kinds.mentions.kind import SpanKind
from clineval.kinds.mentions.labelled import pair_lenient
from clineval.kinds.mentions.matching import agreement, same_value
from clineval.kinds.mentions.measures import compare_all
from clineval.kinds.mentions.overlap import Candidates, find_candidates_in_parts
from clineval.kinds.mentions.pairing import Pairs, find_same_spans, pair_same_spans
from clineval.kinds.mentions.parts import stack_matches
from clineval.kinds.mentions.rows import (
    MatchKind,
    Pairing,
    Rows,
    columns_of,
    list_units,
    rows_of,
)
from clineval.protocols.labelled_spans import LabelledSpans
from clineval.results.averages import PRF, average, is_there, label_key, list_parts_of
from clineval.results.challenge import Setup
from clineval.results.faces import Faces
from clineval.results.formulas import Prf
from clineval.results.match import NONE, Match
from clineval.results.measures import Grid, Measure, Measures
from clineval.results.slots import Slot
from clineval.results.views import MentionView, Preset, check_prf

MODES = ("strict", "lenient")
COMBINED = "combined"
ROWS = ("drug", "events", *map(label_key, EVENTS), "context", *map(label_key, CONTEXT), COMBINED)
"""The rows that are scored under both modes, by their names in keys."""
KINDS = {f"{row}_{mode}": MatchKind(columns_of(f"{row}_{mode}")) for row in ROWS for mode in MODES}
_PAGES = {"strict": "exact", "lenient": "overlap"}
COUNTED = "counted_rows"
"""The column that is not 0 if means include rows that neither side has."""


@dataclass(frozen=True)
class Mean(Measure):
    """The mean of precision, of recall and of F1 over some rows.

    Args:
        name: the beginning of the keys.
        rows: the rows. Rows that neither side has are left out, or count as 0 if :data:`COUNTED` is
            not 0.
        title: the heading of the table.
        heading: the heading of the row.
    """

    name: str
    rows: tuple[str, ...]
    title: str
    heading: str

    def finish(self, totals: Totals, _config: str, /) -> dict[str, Number]:
        """Compute the means."""
        rows = [precision_recall_f1(row, totals) for row in self.rows]
        absent = np.sign(totals.get(COUNTED, 0.0))
        return average(self.name, rows, lambda *counts: np.maximum(is_there(*counts), absent))

    def list_parts(self, scores: Mapping[str, Number], /) -> Mapping[str, Sequence[str]]:
        """Map each mean to the scores of the rows that either side has."""
        return list_parts_of(self.name, self.rows, scores)

    def tables(self) -> Iterable[Grid]:
        """Yield a table with a row of means."""
        keys = tuple(f"{self.name}_{measure}" for measure in PRF)
        yield Grid(self.title, ("P", "R", "F1"), {self.heading: keys})


def _row(row: str, mode: str, title: str, heading: str) -> Prf:
    short = f"{row[:4]}_{mode[0]}"
    return Prf(f"{row}_{mode}", title, heading=heading, short=short)


def _list_measures() -> Iterable[Measure]:
    yield from (_row("drug", mode, "Medications", mode) for mode in MODES)
    for title, of, names in (("Events", "types", EVENTS), ("Context", "attributes", CONTEXT)):
        group = title.lower()
        for mode in MODES:
            yield from (_row(label_key(name), mode, f"{title}, {mode}", name) for name in names)
            yield _row(group, mode, f"{title}, {mode}", "micro")
        for mode in MODES:
            rows = tuple(f"{label_key(name)}_{mode}" for name in names)
            yield Mean(f"macro_{group}_{mode}", rows, f"{title}, means of the {of}", mode)
    yield from (_row(COMBINED, mode, "All five attributes", mode) for mode in MODES)


HEADLINE = tuple(f"{row}_{mode}_f1" for row in ("events", "drug", COMBINED) for mode in MODES[::-1])
MEASURES = Measures.of(
    *_list_measures(),
    ranking={"default": HEADLINE[:1]},
    headline=HEADLINE,
    shown_per_document=tuple(f"events_lenient_{key}" for key in ("f1", "tp", "fp", "fn")),
)


class Medications(LabelledSpans):
    """The common part of both protocols: each row has its own pairs, counts and list."""

    kinds: ClassVar[Mapping[str, MatchKind]] = KINDS
    """The counts to compute for each row."""

    @property
    def slot(self) -> Slot:
        """The slot of labels; they are compared as written."""
        return Slot(self.label, "label", self.labels if self.strict else (), required=True)

    def list_matches(self, block: Corpus, pairing: Pairing, _setup: Setup, /) -> Mapping[str, Rows]:
        """Return the outcomes behind each score, and the pairs of the page."""
        others = dict.fromkeys(pairing.keys() - self.kinds.keys(), MatchKind({}, compare_all))
        return rows_of(block, pairing, {**self.kinds, **others})

    @property
    def measures(self) -> Measures:
        """The scores; the first one ranks systems."""
        return MEASURES

    @property
    def kind(self) -> SpanKind:
        """The kind of medications; in brat files, mentions with events are triggers."""
        return replace(super().kind, triggers=EVENTS)

    @property
    def faces(self) -> Faces:
        """The faces of labelled spans, with a page that recounts events."""
        page = MentionView(
            checks=tuple(
                check
                for mode, match in _PAGES.items()
                for row, some in {"events": {"without": (DRUG,)}, **_CLASSES}.items()
                for check in check_prf(f"{row}_{mode}", match, "both", **some, protocols=("spec",))
            ),
            presets=tuple(
                Preset(f"events {mode}", match, "both", f"events_{mode}_f1")
                for mode, match in _PAGES.items()
            ),
            matches=_MATCHES,
            modes=("Strict", "Lenient"),
        )
        return replace(super().faces, page=page)


_CLASSES = {label_key(label): {"classes": (label,)} for label in EVENTS}
_MATCHES = {
    "exact/span": "boundary",
    "overlap/span": "overlap",
    "exact/both": "strict",
    "overlap/both": "lenient",
}


class Spec(Medications):
    """Score by the challenge's definition."""

    def pair(self, block: Corpus, _setup: Setup, /) -> Pairing:
        """Pair medications, events and their attributes under both modes."""
        boundary = pair_same_spans(block, agreement(block, self.all_slots))
        found: dict[str, Pairs | Match] = {
            "boundary": boundary,
            "overlap": pair_lenient(block, boundary, None),
        }
        firsts = _find_firsts(block.gold), _find_firsts(block.prediction)
        near: dict[str, Sequence[Pairs] | Sequence[Candidates]] = {
            "strict": [find_same_spans(block)],
            "lenient": list(_find_near(block)),
        }
        for mode, parts in near.items():
            pairs = Pairs.joined(_pair_events(block, part, self.slot) for part in parts)
            drugs = Pairs.joined(_pair_drugs(part, firsts) for part in parts)
            found[mode] = pairs
            found[f"drug_{mode}"] = list_units(drugs, *map(np.flatnonzero, firsts))
            found |= list_rows(block, pairs, mode)
        return found


def _find_near(block: Corpus) -> Iterable[Candidates]:
    gold, prediction = block.gold.columns, block.prediction.columns
    rows = np.arange(len(gold)), np.arange(len(prediction))
    return find_candidates_in_parts(gold, prediction, *rows, block.documents)


def _find_firsts(side: Mentions) -> BoolArray:
    """Return which mentions are the first with their span: medications, whatever their events."""
    new = (np.diff(side.place, prepend=-1) != 0) | (np.diff(side.shape, prepend=-1) != 0)
    return np.asarray(new, np.bool_)


def _pair_drugs(near: Pairs | Candidates, firsts: tuple[BoolArray, BoolArray]) -> Pairs:
    """Choose as many pairs of medications as possible, then those that share most characters."""
    some = near.take(firsts[0][near.gold] & firsts[1][near.prediction])
    chosen = some.take(choose_best(some, _count_shared(some)))
    return Pairs(chosen.gold, chosen.prediction)


def _pair_events(block: Corpus, near: Pairs | Candidates, label: Slot) -> Pairs:
    """Choose as many pairs of events of one type as possible.

    Break ties by shared characters, then by correct attributes.
    """
    some = near.take(same_value(near, block, label))
    right = [_agree(block, some, [slot]) for slot in SLOTS]
    total = np.array(np.sum(right, axis=0, dtype=np.int64))
    agreed = [np.asarray(of, np.int64) for of in (_agree(block, some, SLOTS), *right)]
    chosen = some.take(choose_best(some, [*_count_shared(some), total, *agreed]))
    return Pairs(chosen.gold, chosen.prediction)


def _count_shared(near: Pairs | Candidates) -> list[IntArray]:
    return [near.shared] if isinstance(near, Candidates) else []


def _agree(block: Corpus, pairs: Pairs | Candidates, slots: Sequence[Slot]) -> BoolArray:
    """Return which pairs agree in all given slots and have a value in at least one."""
    equal = has_any(block.gold, slots)[pairs.gold]
    for slot in slots:
        equal = equal & same_value(pairs, block, slot)
    return equal


def has_any(side: Mentions, slots: Sequence[Slot]) -> BoolArray:
    """Return which mentions have a value in at least one of the given slots, ``[n]``."""
    there = np.zeros(len(side), np.bool_)
    for slot in slots:
        column = side.columns.attributes[slot.name]
        there |= np.array([value != ABSENT for value in column.values], np.bool_)[column.ids]
    return there


def list_rows(block: Corpus, pairs: Pairs, mode: str) -> Mapping[str, Match]:
    """List the outcomes of events and of their attributes, given pairs of equal type."""
    whole = list_units(pairs, np.arange(len(block.gold)), np.arange(len(block.prediction)))
    label = whole.choose(block.gold.ids("label"), block.prediction.ids("label"))
    numbers = {value: at for at, value in enumerate(block.gold.columns.attributes["label"].values)}
    events = label != numbers.get(DRUG, NONE)
    found = {f"events_{mode}": whole.take(np.flatnonzero(events), {})}
    for of in EVENTS:
        chosen = np.flatnonzero(label == numbers.get(of, NONE))
        found[f"{label_key(of)}_{mode}"] = whole.take(chosen, {})
    single = {slot.name: _list_context(block, pairs, [slot]) for slot in SLOTS}
    found |= {f"{name}_{mode}": match for name, match in single.items()}
    found[f"context_{mode}"] = stack_matches(list(single.values()))
    found[f"{COMBINED}_{mode}"] = _list_context(block, pairs, SLOTS)
    return found


def _list_context(block: Corpus, pairs: Pairs, slots: Sequence[Slot]) -> Match:
    """List the outcomes of an attribute, or of all attributes together, in paired events."""
    right = pairs.take(_agree(block, pairs, slots))
    sides = (np.flatnonzero(has_any(side, slots)) for side in (block.gold, block.prediction))
    return list_units(right, *sides)


SPEC = Spec(
    (*EVENTS, DRUG),
    MODES,
    closed=False,
    slots=SLOTS,
    files=EventFiles(),
    short="cmed",
    columns={"default": HEADLINE[::2]},
    format="brat",
)
