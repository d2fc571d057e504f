"""Where mentions, their codes and their slots come from: configuration, not code."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from typing import TYPE_CHECKING, Any, Literal, TypeVar

from spacy.tokens import Doc, Span, SpanGroup

from clineval.errors import InputError, shown
from clineval.mentions.slots import Slot
from clineval.registry import check_name
from spacy_clin import guards
from spacy_clin.documents import PREDICTIONS
from spacy_clin.extensions import SLOTS
from spacy_clin.fragments import ID, Tie, compile_tie
from spacy_clin.mentions import KEY, as_mention, describe, read_group
from spacy_clin.paths import Batch, compile_path, is_stored
from spacy_clin.spans import Found, SpanSource, compile_source

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

Record = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class ValueSource:
    """Where the value of one slot is, and what its values mean.

    Args:
        path: as in :mod:`spacy_clin.paths`.
        values: value found to value of the slot; True and False are written ``true`` and
            ``false``. Of a set, the first of these that is in it counts. For a closed set of slot
            values it must name every value that can be found, None excepted; a code that it does
            not name stays as it is. Empty: values are those of the slot, and True and False are
            the second and the first of a slot that has two.
    """

    path: str
    values: Mapping[str, str] = field(default_factory=dict)

    @classmethod
    def of(cls, given: str | Mapping[str, Any] | ValueSource, where: str) -> ValueSource:
        """Read what a configuration says: a path, or ``path`` and ``values``."""
        if isinstance(given, ValueSource):
            return given
        if isinstance(given, str):
            return cls(given)
        if not isinstance(given, Mapping) or "path" not in given or set(given) - {"path", "values"}:
            raise InputError(
                f"expected a path, or 'path' and 'values', got {shown(given)}", where=where
            )
        values = given.get("values") or {}
        return cls(given["path"], {_spell(found): value for found, value in values.items()})


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
        read = _Reading.compile(self, slots)
        found = [read(doc, at) for at, doc in enumerate(documents)]
        lacking = [at for at, records in enumerate(found) if records is None]
        guards.report_lacking_groups(self.mentions, documents, lacking, side)
        records = [mentions or [] for mentions in found]
        if self._stored_paths(slots if scored is None else scored, side):
            guards.warn_of_lost_user_data(documents, records, side)
            guards.warn_of_shared_extensions(records, side)
        return records

    def read_one(self, doc: Doc, slots: Sequence[Slot]) -> list[Record]:
        """The mentions of one predicted document.

        Says nothing of slots that are at their defaults in all mentions, as they may be in one.
        """
        found = _Reading.compile(self, slots)(doc, 0)
        if found is None:
            guards.report_lacking_groups(self.mentions, [doc], [0], PREDICTIONS)
        return found or []

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


_Column = Callable[[Batch], Iterable[Any]]


@dataclass(frozen=True, slots=True, eq=False)
class _Reading:
    """A getter with all paths made into functions.

    Args:
        names: the names that a mention may have.
        takes_all: whether mentions are taken from ``attrs`` of their group as they are.
        filters: whether they can have other names than those.
        find: finds the spans.
        tie: makes mentions of spans.
        columns: slot name to what reads its values.
    """

    names: Sequence[str]
    takes_all: bool
    filters: bool
    find: Callable[[Doc], list[Found] | None]
    tie: Tie
    columns: Sequence[tuple[str, _Column]]

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
            tuple(dict.fromkeys(("spans", *known))),
            getter.fragments == ID and getter.slots == "attrs" and getter.code == "kb_id_",
            len(known) <= len(SLOTS),
            compile_source(getter.mentions),
            compile_tie(getter.fragments),
            [(name, _compile_column(known.get(name, code), s)) for name, s in sources.items()],
        )

    def __call__(self, doc: Doc, at: int) -> list[Record] | None:
        """The mentions of a document; None if it has none of the span groups."""
        sources = self.find(doc)
        if sources is None:
            return None
        records: list[Record] = []
        for found in sources:
            if self.takes_all and found.group is not None:
                records += self._read_group(found.group, doc, at)
            else:
                records += self._read(found, describe(doc, at))
        return records

    def _read_group(self, group: SpanGroup, doc: Doc, at: int) -> Iterable[Record]:
        """What :func:`set_mentions` wrote, as it is there."""
        known = read_group(group, doc, at).values()
        return map(self._pick, known) if self.filters else known

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
            return self._pick(as_mention(item).as_dict())
        except InputError as error:
            raise InputError(str(error), where=where) from None

    def _pick(self, record: Record) -> Record:
        return {name: record[name] for name in self.names if name in record}


def _compile_column(slot: Slot, source: ValueSource) -> _Column:
    read = compile_path(source.path)
    known: dict[Any, Any] = {None: None, "": None}

    def translate(found: Any) -> Any:
        try:
            if found not in known:
                known[found] = _translate(found, slot, source)
            return known[found]
        except TypeError:  # a list or a set, which cannot be a key
            return _translate(found, slot, source)

    def read_column(batch: Batch) -> Iterable[Any]:
        found = read(batch)
        try:
            return list(map(known.__getitem__, found))
        except (KeyError, TypeError):
            return [translate(value) for value in found]

    return read_column


def _translate(found: Any, slot: Slot, source: ValueSource) -> Any:
    """The value of the slot that a value found means; None for the default."""
    if source.values and isinstance(found, (set, frozenset, list, tuple)):
        present = {_spell(item) for item in found}
        return next((value for key, value in source.values.items() if key in present), None)
    if isinstance(found, (list, tuple, set, frozenset)):
        return sorted(found) if isinstance(found, (set, frozenset)) else list(found) or None
    spelled = _spell(found)
    if spelled in source.values:
        return source.values[spelled] or None
    if source.values and slot.kind == "closed":
        raise InputError(
            f"{slot.name}: no meaning is given for {shown(found)}, only for "
            f"{', '.join(map(shown, source.values))}",
            where=f"path {source.path}",
            remedy="Add it to 'values'",
        )
    if isinstance(found, bool) and len(slot.values) == 2:  # noqa: PLR2004
        return slot.values[found]
    return found


def _spell(value: object) -> str:
    """A value as a key of a configuration, which is always a string."""
    if value is None or isinstance(value, bool):
        return {None: "none", True: "true", False: "false"}[value]
    return str(value)


CLIN = MentionGetter(KEY, fragments=ID, slots="attrs")
