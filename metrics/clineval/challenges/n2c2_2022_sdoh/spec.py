"""n2c2 2022 Track 2 by its definition, which the package's docstring states."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

import numpy as np

from clineval.base.arrays import IntArray
from clineval.base.ratios import Columns
from clineval.challenges.n2c2_2022_sdoh.files import read_side
from clineval.challenges.n2c2_2022_sdoh.pairing import Criteria, pair_best
from clineval.challenges.n2c2_2022_sdoh.scheme import ARGUMENTS, SPANS, TRIGGERS, VALUES
from clineval.challenges.n2c2_2022_sdoh.units import (
    EVENT,
    LABEL,
    VALUE,
    EventCorpus,
    EventSide,
    join_events,
)
from clineval.kinds.mentions.any_class import pair_any_class
from clineval.kinds.mentions.labelled import label_key, pair_lenient
from clineval.kinds.mentions.match import VERDICTS, Match
from clineval.kinds.mentions.matching import agreement
from clineval.kinds.mentions.measures import compare_all
from clineval.kinds.mentions.outcomes import (
    MatchKind,
    Outcomes,
    Pairing,
    columns_of,
    join_pairings,
    list_matches,
    list_units,
)
from clineval.kinds.mentions.pairing import Pairs, pair_same_spans
from clineval.results.challenge import Protocol, Setup
from clineval.results.formulas import Prf
from clineval.results.measures import Measures

PAIRED = "paired"
"""The match of all units, as they are scored."""


class Row(NamedTuple):
    """What a score is of: units of some event types, labels and values; of all if None."""

    event: str | None = None
    labels: Sequence[str] | None = None
    value: str | None = None

    def holds(self, event: str, label: str, value: str) -> bool:
        """Tell whether a unit is one of these."""
        labelled = self.labels is None or label in self.labels
        return labelled and self.event in (None, event) and self.value in (None, value)


def _list_rows() -> Iterable[tuple[str, str, str, Row]]:
    """Yield key, title of the table, heading and units of each score."""
    yield "overall", "All events", "overall", Row()
    yield "trigger", "All events", "triggers", Row(labels=TRIGGERS)
    yield "labelled", "All events", "labelled arguments", Row(labels=tuple(VALUES))
    yield "span", "All events", "span-only arguments", Row(labels=SPANS)
    for event, arguments in ARGUMENTS.items():
        key = label_key(event)
        yield key, "Event types", event, Row(event)
        yield f"{key}_trigger", event, "Trigger", Row(event, (event,))
        for name in arguments:
            yield f"{key}_{label_key(name)}", event, name, Row(event, (name,))
            for value in VALUES.get(name, ()):
                of = Row(event, (name,), value)
                yield f"{key}_{label_key(name)}_{value}", event, f"{name} {value}", of


ROWS = {key: row for key, _, _, row in _list_rows()}
_KINDS = {key: MatchKind(columns_of(key)) for key in ROWS}
HEADLINE = tuple(f"{key}_f1" for key in ("overall", "trigger", "labelled", "span"))
_SHORT = {"overall": "all", "trigger": "trig", "labelled": "label", "span": "span"}
MEASURES = Measures.of(
    *(
        Prf(key, title, heading=heading, short=_SHORT.get(key, ""))
        for key, title, heading, _ in _list_rows()
    ),
    ranking={"default": HEADLINE[:1]},
    headline=HEADLINE,
    shown_per_document=("overall_f1", "overall_tp", "overall_fp", "overall_fn"),
)


class Events(Protocol[EventSide, EventCorpus, Pairing]):
    """What both protocols share: units are counted and listed by rows."""

    @property
    def measures(self) -> Measures:
        """The scores, of which the first ranks systems."""
        return MEASURES

    def read_side(self, given: object, side: str, _setup: Setup, /) -> EventSide:
        """Read one side: brat's files or text, JSON Lines, dicts, Documents."""
        return read_side(given, side)

    def join(self, gold: EventSide, predicted: EventSide, _setup: Setup, /) -> EventCorpus:
        """Bring both sides together."""
        return join_events(gold, predicted)

    def pair_units(self, block: EventCorpus, criteria: Criteria) -> Pairs:
        """Pair triggers, and the arguments of paired events."""
        raise NotImplementedError

    def pair(self, block: EventCorpus, setup: Setup, /) -> Pairing:
        """Pair the units, and for the page what overlaps whatever it is."""
        criteria = Criteria(setup["trigger"], setup["span"], setup["labeled"], tuple(VALUES))
        boundary = pair_same_spans(block, agreement(block, [LABEL, VALUE]))
        return {
            PAIRED: self.pair_units(block, criteria),
            "boundary": boundary,
            "overlap": pair_lenient(block, boundary, None),
        }

    def tally(self, block: EventCorpus, pairing: Pairing, _setup: Setup, /) -> Columns:
        """Count every row."""
        return count_rows(block, pairing[PAIRED])

    def list_outcomes(
        self, corpus: EventCorpus, pairings: Sequence[Pairing], setup: Setup, /
    ) -> Outcomes:
        """List what became of every unit: in all rows, and for the page."""
        pairing = join_pairings(corpus.blocks(), pairings)
        others = dict.fromkeys(pairing, MatchKind({}, compare_all))
        matches = list_matches(corpus, pairing, others)
        matches |= list_matches(corpus, split_rows(corpus, pairing[PAIRED]), _KINDS)
        sides = corpus.gold.columns, corpus.prediction.columns
        widest = pair_any_class(matches[PAIRED], *sides, corpus.documents, LABEL.name)
        return Outcomes.of(
            setup, corpus, {**matches, "any_class": widest}, "any_class", any_class=True
        )

    def settings(self, setup: Setup, /) -> Mapping[str, str]:
        """Name the criteria."""
        return {name: setup[name] for name in ("trigger", "span", "labeled")}


def list_paired(corpus: EventCorpus, pairs: Pairs | Match) -> Match:
    """List the outcomes of all units."""
    if isinstance(pairs, Match):
        return pairs
    return Match(*list_units(pairs, len(corpus.gold), len(corpus.prediction)), VERDICTS)


def number_kinds(corpus: EventCorpus, whole: Match) -> tuple[IntArray, Mapping[str, IntArray]]:
    """Give what the units of outcomes are numbers, ``[n]``, and list those that each row counts.

    A unit is of an event type, a label and a value; a pair is what its gold unit is.
    """
    slots = EVENT.name, LABEL.name, VALUE.name
    values = [corpus.gold.columns.attributes[slot].values for slot in slots]
    kind = np.zeros(len(whole), np.int64)
    for slot, known in zip(slots, values, strict=True):
        kind = kind * len(known) + whole.choose(corpus.gold.ids(slot), corpus.prediction.ids(slot))
    there, kind = np.unique(kind, return_inverse=True)
    names = list(zip(*np.unravel_index(there, [max(len(of), 1) for of in values]), strict=True))
    told = [[of[at] for of, at in zip(values, each, strict=True)] for each in names]
    rows = {
        key: np.array([at for at, each in enumerate(told) if row.holds(*each)], np.int64)
        for key, row in ROWS.items()
    }
    return kind, rows


def count_rows(corpus: EventCorpus, pairs: Pairs | Match) -> Columns:
    """Count the units of every row, ``[documents]`` each."""
    whole = list_paired(corpus, pairs)
    kind, rows = number_kinds(corpus, whole)
    width, size = int(kind.max(initial=0)) + 1, len(corpus.documents)
    document = whole.choose(corpus.gold.columns.document, corpus.prediction.columns.document)
    cells = document.astype(np.int64) * width + kind
    columns: dict[str, IntArray] = {}
    for at, verdict in enumerate(VERDICTS[:3]):
        counts = np.bincount(cells[whole.verdict == at], minlength=size * width)
        table = counts.reshape(size, width)
        columns |= {f"{key}_{verdict}": table[:, of].sum(axis=1) for key, of in rows.items()}
    return columns


def split_rows(corpus: EventCorpus, pairs: Pairs | Match) -> dict[str, Match]:
    """List the outcomes of the units of every row."""
    whole = list_paired(corpus, pairs)
    kind, rows = number_kinds(corpus, whole)
    return {key: whole.take(np.flatnonzero(np.isin(kind, of)), {}) for key, of in rows.items()}


class Spec(Events):
    """The challenge's definition."""

    def pair_units(self, block: EventCorpus, criteria: Criteria) -> Pairs:
        """Pair most events, then so that most arguments are right."""
        return pair_best(block, criteria)
