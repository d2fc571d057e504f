"""Labelled spans, ready to be scored: a protocol that challenges parametrise."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import KW_ONLY, dataclass, field, replace
from itertools import chain
from typing import ClassVar

from clineval.base.errors import InputError
from clineval.base.ratios import Columns
from clineval.formats.conll.lines import Tagging
from clineval.formats.delimited import pipe
from clineval.formats.given.mentions import TextFormat, read_side
from clineval.formats.given.texts import option_of_texts, with_texts
from clineval.kinds.mentions.columns import Side
from clineval.kinds.mentions.corpus import Corpus, join_sides
from clineval.kinds.mentions.derived import keep
from clineval.kinds.mentions.kind import SpanKind
from clineval.kinds.mentions.labelled import MATCHES, pair_all
from clineval.kinds.mentions.leak import Leak
from clineval.kinds.mentions.measures import Accuracy, SpanMeasure, Spans, compare_all
from clineval.kinds.mentions.rows import MatchKind, Pairing, Rows, rows_of
from clineval.results.averages import label_key
from clineval.results.challenge import Setup
from clineval.results.declaring import check_class, check_words
from clineval.results.faces import Faces
from clineval.results.measures import Measures
from clineval.results.options import Option, check_name
from clineval.results.protocol import Protocol
from clineval.results.slots import ANY, Slot
from clineval.results.task import ClassSlot
from clineval.results.views import DocView, MentionView

RESERVED = frozenset({"spans", "id", "text", "cues"})
"""Names that stand in mentions for something other than slots."""
TEXTS = option_of_texts("reports", "the text of each document. It does not affect any score.")


@dataclass(frozen=True)
class LabelledSpans(Protocol[Side, Corpus, Pairing]):
    """Labelled spans, paired one to one under several kinds of match.

    A mention has one or more fragments and a label. Mentions of a document with equal fragments,
    labels and slots count as one. Documents on one side only count as all missed, or all spurious.
    Kinds of match:

        strict     the same fragments and the same label
        lenient    a character in common and the same label
        boundary   the same fragments, whatever the label
        overlap    a character in common, whatever the label

    Equal mentions are paired first, then longer ones. The scores are
    :class:`~clineval.kinds.mentions.measures.Spans` for each kind of match, and
    :class:`~clineval.kinds.mentions.measures.Accuracy` for each slot in strict pairs.

    Args:
        labels: the labels that are scored separately; other labels count among all mentions.
        matches: the kinds of match that are scored, the main one first.
        label: the name of the slot of labels.
        word: the usual word for a label, as in ``--by``.
        closed: whether to reject other labels. Inputs may then write the labels in any case.
        slots: the other slots of mentions.
        drop: labels whose mentions are left out on both sides.
        leak: whether to score leaks too: the parts of gold mentions that no prediction covers.
        files: the challenge's own text format, such as
            :class:`~clineval.formats.brat.columns.BratLabels`; without it files are JSON Lines.
        scores: the measures, if they differ from the default. A score that is computed from counts,
            such as a ``Formula``, belongs in the ``measures`` of a ``Challenge``.
        short: the beginning of the names of scores in spaCy's training table; by default the first
            letters of the challenge's name.
        columns: configuration to the keys of the scores in that table; by default the main scores.
        texts: the option of the notes' texts.
        format: the default format of ``spacy_clin.write_docs``.

    Raises:
        InputError: an argument is invalid.

    Examples:
        >>> spans = LabelledSpans(("Drug", "ADE"), ("strict", "lenient"))
        >>> spans.measures.headline, spans.kind.class_slot
        (('strict_f1', 'lenient_f1'), ClassSlot(name='label', word='label', none=''))
    """

    widest = "overlap"
    any_class = True
    strict: ClassVar[bool] = True
    """Whether text must follow the format; otherwise it is read as released programs read it."""

    labels: tuple[str, ...]
    matches: tuple[str, ...] = ("strict",)
    _: KW_ONLY
    label: str = "label"
    word: str = "label"
    closed: bool = False
    slots: tuple[Slot, ...] = ()
    drop: tuple[str, ...] = ()
    leak: bool = False
    files: TextFormat | None = None
    scores: tuple[SpanMeasure, ...] = ()
    short: str = ""
    columns: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    format: str = "jsonl"
    texts: Option = TEXTS

    def __post_init__(self) -> None:
        self._judge()
        if self.scores:
            return
        scores: list[SpanMeasure] = [
            Spans(match, by=self.label, labels=self.labels) for match in self.matches
        ]
        scores += [Accuracy(slot) for slot in self.slots]
        scores += [Leak(self.label, self.labels)] if self.leak else []
        object.__setattr__(self, "scores", tuple(scores))

    def _judge(self) -> None:
        """Reject arguments that cannot be scored, and names that are too similar."""
        check_words(self.labels, "labels", fold=label_key)
        check_words(self.matches, "matches", least=int(not self.scores))
        check_words(self.drop, "drop")
        check_class((self.slot, *self.slots), Slot, "slots", "Declare each as Slot(name, kind)")
        names = (self.label, *(slot.name for slot in self.slots if slot.name != ANY))
        check_words(names, "names of slots", fold=label_key)
        for name in {*names} & RESERVED:
            problem = f"{name!r} is reserved and cannot be the name of a slot"
            raise InputError(problem, where="label" if name == self.label else "slots")
        remedy = "Pass scores that are computed from counts to Challenge(measures=Measures.of(...))"
        check_class(self.scores, SpanMeasure, "scores", remedy)
        if type(self).pair is LabelledSpans.pair:  # others know more kinds of match
            for match in (*self.matches, *filter(None, map(_match_of, self.scores))):
                check_name("match", match, MATCHES.values())

    @property
    def slot(self) -> Slot:
        """The slot of labels."""
        values = self.labels if self.closed else ()
        return Slot(self.label, "closed" if self.closed else "label", values, required=True)

    @property
    def all_slots(self) -> tuple[Slot, ...]:
        """The slot of labels, and all other slots."""
        return (self.slot, *self.slots)

    def known_labels(self, setup: Setup, /) -> Collection[str]:
        """Return the labels that are scored."""
        return self.labels_of(setup)

    def labels_of(self, _setup: Setup, /) -> tuple[str, ...]:
        """Return the labels that are scored separately."""
        return self.labels

    def dropped(self, _setup: Setup, /) -> tuple[str, ...]:
        """Return the labels whose mentions are left out."""
        return self.drop

    def read(
        self, references: object, predictions: Sequence[object], setup: Setup, /
    ) -> tuple[Side, list[Side]]:
        """Read both sides: files, JSON Lines, dicts, or Documents."""
        gold, systems = super().read(references, predictions, setup)
        return with_texts(gold, setup["texts"]), systems

    def read_side(self, source: object, side: str, setup: Setup) -> Side:
        """Read one side, without the mentions that are left out."""
        slots = self.all_slots
        spans = read_side(
            source,
            slots,
            strict=self.strict,
            side=side,
            text_format=self.files or pipe,
            tagging=self.tagging(setup),
        )
        without = self.dropped(setup)
        if not without:
            return spans
        scored = keep(self.slot, lambda label: label not in without)
        return replace(spans, mentions=scored(spans.mentions, {}))

    def tagging(self, _setup: Setup, /) -> Tagging | None:
        """Return how to read words with tags; None if the challenge has tables of its own."""
        if self.files and re.search(self.files.FILES, "words.tsv"):
            return None
        return Tagging(label=self.labels[0] if len(self.labels) == 1 else "")

    def join(self, gold: Side, predicted: Side, _setup: Setup, /) -> Corpus:
        """Join the mentions of both sides."""
        return join_sides(gold, predicted, self.all_slots)

    def pair(self, block: Corpus, _setup: Setup, /) -> Pairing:
        """Pair by every kind of match."""
        return {**pair_all(block, *self.all_slots)}

    def list_matches(self, block: Corpus, pairing: Pairing, setup: Setup, /) -> Mapping[str, Rows]:
        """Return the outcomes of all mentions, for all kinds of match and for each measure."""
        labels = self.labels_of(setup)
        counted = (of.list_matches(block, pairing, labels).items() for of in self.scores)
        matches = dict(chain.from_iterable(counted))
        others = [name for name in pairing if name not in matches]
        uncounted = rows_of(block, pairing, dict.fromkeys(others, MatchKind({}, compare_all)))
        return {**matches, **uncounted}

    def complete(
        self, block: Corpus, _pairing: Pairing, counted: Columns, setup: Setup, /
    ) -> Columns:
        """Add the counts of measures that are not rows."""
        further = (measure.count(block, self.labels_of(setup)) for measure in self.scores)
        return dict(chain(counted.items(), *(columns.items() for columns in further)))

    @property
    def measures(self) -> Measures:
        """The scores; the first one ranks systems."""
        return Measures.of(*self.scores)

    @property
    def options(self) -> tuple[Option, ...]:
        """The notes' texts."""
        return (self.texts,)

    @property
    def kind(self) -> SpanKind:
        """Labelled spans and their slots."""
        return SpanKind(ClassSlot(self.label, self.word), slots_of=self.slots_of)

    @property
    def faces(self) -> Faces:
        """A page that recounts the scores, Docs, and tagged spans."""
        return Faces(
            page=MentionView(matches=MATCHES),
            docs=self.docs if self.short else None,
        )

    @property
    def docs(self) -> DocView:
        """How Docs hold the mentions, and which scores the training table shows."""
        return DocView(
            self.short,
            self.columns or {"default": self.measures.headline},
            self.measures.short_names,
            slots=self.slots_of,
            format=self.format,
        )

    def slots_of(self, _config: str) -> tuple[Slot, ...]:
        """Return the slots of mentions in a configuration."""
        return self.all_slots


def _match_of(measure: SpanMeasure) -> str:
    """Return the name of the match that a ready-made measure counts; empty for any other."""
    if isinstance(measure, Accuracy):
        return measure.match
    return measure.name if type(measure) is Spans else ""
