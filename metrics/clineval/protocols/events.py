"""Events, ready to be scored: a protocol that challenges parametrise with their types."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import KW_ONLY, dataclass, replace
from typing import ClassVar

from clineval.base.ratios import Columns
from clineval.formats.given.events import read_side
from clineval.kinds.events.kind import EventKind
from clineval.kinds.events.pairing import Criteria, pair_best
from clineval.kinds.events.rows import PAIRED, split_rows
from clineval.kinds.events.units import LABEL, VALUE, EventCorpus, EventSide, join_events
from clineval.kinds.mentions.any_class import pair_any_class
from clineval.kinds.mentions.matching import agreement
from clineval.kinds.mentions.measures import compare_all
from clineval.kinds.mentions.outcomes import ANY_CLASS
from clineval.kinds.mentions.pairing import Pairs, pair_same_spans
from clineval.kinds.mentions.rows import MatchKind, Pairing, Rows, rows_of
from clineval.results.averages import label_key
from clineval.results.challenge import Setup
from clineval.results.declaring import check_class, check_words
from clineval.results.faces import Faces
from clineval.results.formulas import Prf
from clineval.results.match import VERDICTS, Match
from clineval.results.measures import Measures
from clineval.results.options import Option
from clineval.results.protocol import Protocol
from clineval.results.scheme import Argument, Row, Scheme
from clineval.results.settings import Setting, declare_settings
from clineval.results.slots import Slot
from clineval.results.task import ClassSlot
from clineval.results.views import Arrows, DocView, MentionView

_CRITERIA = {
    "trigger": ("How triggers of the same type match.", "overlap", "exact", "min_dist"),
    "span": ("How span-only arguments of the same label match.", "exact", "overlap"),
    "labeled": (
        "How labelled arguments of the same label and value match.", "label", "exact", "overlap",
    ),
}  # fmt: skip
"""Criterion to its description and its choices, the default first."""
OPTIONS = tuple(
    Option(name, told, choices[0], "choice", choices=tuple(choices))
    for name, (told, *choices) in _CRITERIA.items()
)
_SHORT = {"overall": "all", "trigger": "trig", "labelled": "label", "span": "span"}
"""Score of all events to its name in spaCy's training table."""


_PAGE = {"exact/span": "boundary", "overlap/span": "any_class", "overlap/both": PAIRED}


@dataclass(frozen=True)
class Events(Protocol[EventSide, EventCorpus, Pairing]):
    """Events, paired one to one; arguments count only under paired triggers.

        P = tp / (tp + fp)        R = tp / (tp + fn)        F1 = 2 P R / (P + R)

    for the *units* of all documents, which are triggers and arguments. An event's type is the label
    of its trigger. The value of a labelled argument counts, and the span of a span argument. An
    argument may belong to several events, and counts in each.

        trigger     right if its event is paired with an event of the same type:
                    ``trigger="overlap"`` (a character in common), ``"exact"`` (the same
                    fragments) or ``"min_dist"`` (anywhere in the document)
        labelled    right if its event is paired, and label and value are equal:
                    ``labeled="label"`` (anywhere), or also the span: ``"exact"``, ``"overlap"``
        span        right if its event is paired, and its label is equal, and its span matches:
                    ``span="exact"`` or ``"overlap"``

    Among all ways to pair events, the protocol chooses the one with most pairs; in ties, with most
    right arguments, then with most shared characters of triggers. The order of lines makes no
    difference.

    There are scores for all units (``overall``), for triggers, for labelled and span arguments, for
    each event type, and for each declared argument and value of a type. Documents on one side only
    count as all missed, or all spurious.

    Args:
        events: the label of triggers to the arguments of such events.
        short: the beginning of the names of scores in spaCy's training table; by default the first
            letters of the challenge's name.

    Examples:
        >>> status = Argument("Status", ("planned", "done"))
        >>> infusions = Events({"Start": (status, Argument("Rate")), "Stop": ()})
        >>> infusions.measures.headline
        ('overall_f1', 'trigger_f1', 'labelled_f1', 'span_f1')
        >>> [key for key in infusions.rows if key.startswith("start_status")]
        ['start_status', 'start_status_planned', 'start_status_done']
    """

    shared: ClassVar[bool] = False
    """Whether an argument may have the label of a trigger."""

    events: Mapping[str, tuple[Argument, ...]]
    _: KW_ONLY
    short: str = ""

    def __post_init__(self) -> None:
        check_words([*self.events], "events", fold=label_key, least=1)
        for event, arguments in self.events.items():
            where = f"event {event!r}"
            check_class(arguments, Argument, where, "Declare each as Argument(label, values)")
            check_words([each.label for each in arguments], where, fold=label_key)
            for argument in arguments:
                check_words(argument.values, f"{where}, argument {argument.label!r}")

    @property
    def scheme(self) -> Scheme:
        """The types of events, and their arguments."""
        return Scheme(self.events)

    def read_side(self, source: object, side: str, _setup: Setup, /) -> EventSide:
        """Read one side: brat files or text, JSON Lines, dicts, Documents."""
        return read_side(source, side, self.scheme)

    def join(self, gold: EventSide, predicted: EventSide, _setup: Setup, /) -> EventCorpus:
        """Join the events of both sides."""
        return join_events(gold, predicted)

    def pair_units(self, block: EventCorpus, criteria: Criteria) -> Pairs:
        """Pair most events; in ties prefer most right arguments."""
        return pair_best(block, criteria)

    def pair(self, block: EventCorpus, setup: Setup, /) -> Pairing:
        """Pair the units, and for the page all overlapping units."""
        trigger, span, labelled = self.settings(setup).values()
        criteria = Criteria(trigger, span, labelled, self.scheme.labelled)
        boundary = pair_same_spans(block, agreement(block, [LABEL, VALUE]))
        return {PAIRED: self.pair_units(block, criteria), "boundary": boundary}

    def list_matches(
        self, block: EventCorpus, pairing: Pairing, _setup: Setup, /
    ) -> Mapping[str, Rows]:
        """Return the outcomes of all units, for all scores and for the page."""
        matches = rows_of(block, pairing, dict.fromkeys(pairing, MatchKind({}, compare_all)))
        split = split_rows(block, self.rows)
        return {**matches, PAIRED: replace(matches[PAIRED], split=split)}

    def complete(
        self, _block: EventCorpus, _pairing: Pairing, counted: Columns, _setup: Setup, /
    ) -> Columns:
        """Sort the counts: first true positives of all scores, then errors."""
        names = (f"{key}_{verdict}" for verdict in VERDICTS[:3] for key in self.rows)
        return {name: counted[name] for name in names}

    def widen(
        self, corpus: EventCorpus, matches: Mapping[str, Match], setup: Setup, /
    ) -> Mapping[str, Match]:
        """Pair also units with different labels."""
        sides, documents = self.sides(corpus, setup), corpus.documents
        widest = pair_any_class(matches[PAIRED], *sides, documents, LABEL.name)
        return {**matches, ANY_CLASS: widest}

    def find_arrows(self, corpus: EventCorpus, _setup: Setup, /) -> Arrows:
        """Return the distance from each argument to its trigger."""
        return Arrows(triggers=corpus.steps)

    def known_labels(self, _setup: Setup, /) -> Collection[str]:
        """Return the labels of triggers and of arguments."""
        return self.scheme.labels

    own_settings = declare_settings(
        Setting("trigger", "the condition under which triggers match", option="--trigger"),
        Setting("span", "the condition under which the spans of arguments match", option="--span"),
        Setting(
            "labeled", "the condition under which arguments with a value match", option="--labeled"
        ),
    )

    def settings(self, setup: Setup, /) -> Mapping[str, str]:
        """Return the criteria."""
        return {name: setup[name] for name in _CRITERIA}

    def _list_scores(self) -> Iterator[tuple[str, str, str, Row]]:
        """Yield key, title of the table, heading and units of each score."""
        scheme, title = self.scheme, "All events"
        first, other = (True, False) if self.shared else (None, None)
        yield "overall", title, "overall", Row()
        yield "trigger", title, "triggers", Row(labels=scheme.triggers, trigger=first)
        yield "labelled", title, "labelled arguments", Row(labels=scheme.labelled, trigger=other)
        yield "span", title, "span-only arguments", Row(labels=scheme.spans, trigger=other)
        for event, arguments in self.events.items():
            key = label_key(event)
            yield key, "Event types", event, Row(event)
            yield f"{key}_trigger", event, "Trigger", Row(event, (event,), trigger=first)
            for name, values in ((argument.label, argument.values) for argument in arguments):
                own = f"{key}_{label_key(name)}"
                yield own, event, name, Row(event, (name,), trigger=other)
                for value in values:
                    row = Row(event, (name,), value, trigger=other)
                    yield f"{own}_{self.key_value(value)}", event, f"{name} {value}", row

    def key_value(self, value: str) -> str:
        """Return the end of the key of a value's scores."""
        return value

    @property
    def rows(self) -> Mapping[str, Row]:
        """Score to the units that it counts."""
        return {key: row for key, *_, row in self._list_scores()}

    @property
    def measures(self) -> Measures:
        """The scores; the first one ranks systems."""
        headline = tuple(f"{key}_f1" for key in _SHORT)
        return Measures.of(
            *(self._count(*score) for score in self._list_scores()),
            ranking={"default": headline[:1]},
            headline=headline,
            shown_per_document=tuple(f"overall_{name}" for name in ("f1", "tp", "fp", "fn")),
        )

    def _count(self, key: str, title: str, heading: str, row: Row) -> Prf:
        """Return the scores of a row; a page recounts scores of all units with some labels."""
        counted = row.value is None and row.event in (None, *(row.labels or ()))
        counted &= row.labels is None or bool(row.labels)
        return Prf(
            key,
            title,
            heading=heading,
            short=_SHORT.get(key, ""),
            place="overlap/both" if counted else "",
            narrow={"classes": tuple(row.labels or ())},
            preset="all units" if row == Row() else "",
        )

    @property
    def options(self) -> tuple[Option, ...]:
        """The criteria."""
        return OPTIONS

    @property
    def kind(self) -> EventKind:
        """Events of these types."""
        label = ClassSlot(LABEL.name, "label")
        return EventKind(
            label,
            slots_of=lambda _: (LABEL, VALUE),
            triggers=self.scheme.triggers,
            scheme=self.scheme,
        )

    @property
    def doc_slots(self) -> Sequence[Slot]:
        """The slots of mentions on Docs."""
        return LABEL, VALUE

    @property
    def faces(self) -> Faces:
        """A page with lines from triggers to arguments, and Docs."""
        return Faces(
            page=MentionView(
                matches=_PAGE,
                modes=("Same place", "Paired"),
            ),
            docs=DocView(
                self.short,
                {"default": self.measures.headline},
                slots=lambda _: self.doc_slots,
                format="brat",
                take=list,
                relations="id",
            ),
        )
