"""Where mentions, their codes and their slots come from: configuration, not code."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from typing import TYPE_CHECKING, Any, Literal, TypeVar

from spacy.tokens import Doc, Span

from clineval.errors import InputError, shown
from clineval.mentions.slots import Slot
from clineval.registry import check_name
from spacy_clin import guards
from spacy_clin.documents import PREDICTIONS
from spacy_clin.extensions import SLOTS
from spacy_clin.fragments import ID, Tie, compile_tie
from spacy_clin.mentions import KEY, as_mention, describe, read_group
from spacy_clin.paths import is_stored
from spacy_clin.spans import Found, SpanSource, compile_source
from spacy_clin.values import Column, ValueSource, compile_column

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

Record = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class MentionGetter:
    """Finds the mentions of a Doc.

    Args:
        mentions: the spans, see :data:`~spacy_clin.spans.SpanSource`; instead of spans they may
            be mentions as objects or dicts, which are taken as they are.
        fragments: what ties fragments together. None: nothing, each span is a mention. ``id``:
            spans with the same ``id_`` are one, as :func:`~spacy_clin.set_mentions` writes them.
            ``group``: all spans of a span group are one. A path such as ``_.clin_fragments``:
            each span is one, and its fragments are there as pairs of offsets, if not None.
        code: the mention's code; None if there is none.
        slots: slot name to where its value is; a slot left out has its default. ``attrs``: all
            slots are in ``attrs`` of the span group under their names.
        note: what a reader of the scores should know.

    Examples:
        >>> import spacy
        >>> doc = spacy.blank("en")("No fever.")
        >>> doc.ents = [doc.char_span(3, 8, label="PROBLEM", kb_id="C0015967")]
        >>> MentionGetter().read([doc], [Slot("cui", "code")])
        [[{'spans': [(3, 8)], 'cui': 'C0015967'}]]
    """

    mentions: SpanSource = "ents"
    fragments: str | None = None
    code: str | Mapping[str, Any] | ValueSource | None = "kb_id_"
    slots: Mapping[str, Any] | Literal["attrs"] = field(default_factory=dict)
    note: str = ""

    def read(
        self,
        docs: Iterable[Doc],
        slots: Sequence[Slot],
        *,
        scored: Sequence[Slot] | None = None,
        side: str = "",
    ) -> list[list[Record]]:
        """The mentions of each document as the evaluate module takes them.

        Args:
            docs: the documents; they are neither copied nor changed.
            slots: the slots to read, the code among them.
            scored: those that scores depend on, about which to warn; None for all.
            side: ``references`` or ``predictions``, for messages.

        Raises:
            InputError: names the document and what cannot be read.
        """
        documents = docs if isinstance(docs, Sequence) else list(docs)
        found = self.find(documents, slots, scored=scored, side=side)
        return [_leave_out_others(mentions, slots) for mentions in found]

    def find(
        self,
        docs: Sequence[Doc],
        slots: Sequence[Slot],
        *,
        scored: Sequence[Slot] | None = None,
        side: str = "",
    ) -> Iterator[list[Record]]:
        """The mentions of one document after the other, with what else is said of them.

        Arguments and errors are those of :meth:`read`.
        """
        read = _Reading.compile(self, slots)
        stored = bool(self._stored_paths(slots if scored is None else scored, side))
        lacking, kept = [], []
        for at, doc in enumerate(docs):
            records = read(doc, at)
            if records is None:
                lacking.append(at)
            if stored:
                kept.append(records or [])
            yield records or []
        guards.report_lacking_groups(self.mentions, docs, lacking, side)
        if stored:
            guards.warn_of_lost_user_data(docs, kept, side)
            guards.warn_of_shared_extensions(kept, side)

    def read_one(self, doc: Doc, slots: Sequence[Slot]) -> list[Record]:
        """The mentions of one predicted document.

        Says nothing of slots that are at their defaults in all mentions, as they may be in one.
        """
        found = _Reading.compile(self, slots)(doc, 0)
        if found is None:
            guards.report_lacking_groups(self.mentions, [doc], [0], PREDICTIONS)
        return _leave_out_others(found or [], slots)

    @property
    def sources(self) -> Mapping[str, ValueSource]:
        """Slot name to where its value is, the code left out."""
        if self.slots == "attrs":
            return {}
        return {n: ValueSource.of(s, f"slot {n}") for n, s in self.slots.items()}

    def _stored_paths(self, slots: Sequence[Slot], side: str) -> list[str]:
        """The paths that are read of extensions which hold values themselves.

        Fragments count for references only: a pipeline need not predict discontiguous mentions.
        """
        names = {slot.name for slot in slots}
        paths = [source.path for name, source in self.sources.items() if name in names]
        if self.code is not None:
            paths.append(ValueSource.of(self.code, "code").path)
        if self.fragments is not None and side != PREDICTIONS:
            paths.append(self.fragments)
        return list(filter(is_stored, paths))

    def unmapped(self, slots: Iterable[Slot]) -> list[str]:
        """The slots that this getter leaves at their defaults."""
        if self.slots == "attrs":
            return []
        return [s.name for s in slots if s.name not in self.slots and s.name != "cui"]


def check_fields(kind: type[Any], given: Mapping[str, Any], where: str) -> None:
    """Refuse names that a getter does not have."""
    known = [f.name for f in fields(kind)]
    for name in given:
        if name not in known:
            raise InputError(
                f"unknown setting {shown(name)}, expected one of {', '.join(known)}", where=where
            )


Getter = TypeVar("Getter", bound="DataclassInstance")


def choose_getter(
    kind: type[Getter], presets: Mapping[str, Getter], given: Any, where: str
) -> Getter:
    """The getter that a configuration asks for.

    Args:
        kind: the class of the getters.
        presets: name to getter; without a name it is ``clin``.
        given: a getter, the name of a preset, or settings that change a preset.
        where: the setting, for messages.

    Raises:
        InputError: no preset of that name, or a setting that does not exist.
    """
    if isinstance(given, kind):
        return given
    settings = {"preset": given} if isinstance(given, str) else dict(given)
    preset = settings.pop("preset", "clin")
    check_name("preset", preset, presets)
    check_fields(kind, settings, where)
    return replace(presets[preset], **settings)


@dataclass(frozen=True, slots=True, eq=False)
class _Reading:
    """A getter with all paths made into functions.

    Args:
        pick: leaves out of a mention that is no span what is none of the slots.
        takes_all: whether mentions are taken from ``attrs`` of their group as they are.
        find: finds the spans.
        tie: makes mentions of spans.
        columns: slot name to what reads its values.
    """

    pick: Callable[[Record], Record]
    takes_all: bool
    find: Callable[[Doc], list[Found] | None]
    tie: Tie
    columns: Sequence[tuple[str, Column]]

    @classmethod
    def compile(cls, getter: MentionGetter, slots: Sequence[Slot]) -> _Reading:
        known = {slot.name: slot for slot in slots}
        sources = {name: s for name, s in getter.sources.items() if name in known}
        if getter.code is not None:
            sources["cui"] = ValueSource.of(getter.code, "code")
        if getter.slots == "attrs":
            sources |= {name: ValueSource(f"attrs.{name}") for name in known if name != "cui"}
        code = known.get("cui", Slot("cui", "code"))
        return cls(
            _compile_pick(slots),
            getter.fragments == ID and getter.slots == "attrs" and getter.code == "kb_id_",
            compile_source(getter.mentions),
            compile_tie(getter.fragments),
            [(name, compile_column(known.get(name, code), s)) for name, s in sources.items()],
        )

    def __call__(self, doc: Doc, at: int) -> list[Record] | None:
        """The mentions of a document; None if it has none of the span groups."""
        sources = self.find(doc)
        if sources is None:
            return None
        records: list[Record] = []
        for found in sources:
            if self.takes_all and found.group is not None:
                records += read_group(found.group, doc, at).values()
            else:
                records += self._read(found, describe(doc, at))
        return records

    def _read(self, found: Found, where: str) -> Sequence[Record]:
        items = list(found.items)
        if set(map(type, items)) <= {Span}:
            return self._read_spans(replace(found, items=items), where)
        spans = [item for item in items if isinstance(item, Span)]
        others = [self._take(item, where) for item in items if not isinstance(item, Span)]
        return [*self._read_spans(replace(found, items=spans), where), *others]

    def _read_spans(self, found: Found, where: str) -> Sequence[Record]:
        if not found.items:
            return []
        tied = self.tie(found, where)
        records: list[dict[str, Any]] = [{"spans": spans, "cui": None} for spans in tied.fragments]
        for name, read in self.columns:
            for record, value in zip(records, read(tied.batch), strict=False):
                if value is not None:
                    record[name] = value
        return records

    def _take(self, item: Any, where: str) -> Record:
        """A mention that is no span."""
        try:
            return self.pick(as_mention(item).as_dict())
        except InputError as error:
            raise InputError(str(error), where=where) from None


def _compile_pick(slots: Sequence[Slot]) -> Callable[[Record], Record]:
    """Make a function that leaves out of a mention what is none of the slots."""
    names = dict.fromkeys(("spans", *(slot.name for slot in slots)))
    return lambda record: {name: record[name] for name in names if name in record}


def _leave_out_others(mentions: list[Record], slots: Sequence[Slot]) -> list[Record]:
    """The mentions with these slots alone."""
    return mentions if reads_all(slots) else list(map(_compile_pick(slots), mentions))


def reads_all(slots: Sequence[Slot]) -> bool:
    """Whether they are all slots that a mention of a Doc can have.

    Then nothing is left out of what a span group says, so that a misspelt name is found.
    """
    return len(slots) > len(SLOTS)


CLIN = MentionGetter(KEY, fragments=ID, slots="attrs")
