r"""brat's standoff format: ``note.txt`` with ``note.ann`` beside it.

``T1<tab>Disorder 4 15;31 38<tab>left atrium dilated`` is a mention with two fragments; ends are
exclusive. ``R1<tab>Cause Arg1:T2 Arg2:T1`` is a relation. ``A1<tab>Negation T1`` and
``A2<tab>Severity T1 moderate`` are attributes. An attribute is read as the slot of the same name,
in any case. Without a value it is true; a slot can have its own words for true and false.

Codes are normalizations or notes (see :mod:`clineval.formats.brat.codes`). ``*<tab>same-as T1 T2``
is an equivalence. It is read as relations from the first mention to the others, and written as such
a line again. Cues are not written.

If mentions can be triggers of events, ``E1<tab>Alcohol:T1 Status:T2`` is read as the type of the
trigger and its relations to the arguments. Attributes of the event become attributes of the
trigger. A warning counts what is ignored: other events, and relations beside events of any types.

A metric can declare one slot that is stored in the annotators' notes.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from clineval.base.errors import InputError, agree, shown, warn
from clineval.base.files import name_path
from clineval.base.progress import track
from clineval.formats.brat.attributes import is_of_mention, parse_statement
from clineval.formats.brat.codes import is_code, join_codes, read_code, write_codes
from clineval.formats.brat.events import VALUE_ENDING, Event, read_events
from clineval.formats.brat.links import format_event, format_relations, read_equivalence
from clineval.formats.brat.standoff import (
    count_lines,
    find_text,
    lines_of,
    open_files,
    parse_mentions,
    read_relations,
    refuse,
)
from clineval.formats.delimited.slots import unknown_value
from clineval.formats.files import TextFile
from clineval.formats.writing import check_cells, name_files, write_files
from clineval.kinds.mentions.mention import (
    Document,
    Equivalence,
    Fragment,
    Mention,
    Relation,
    Trigger,
    Value,
)
from clineval.results.slots import ANY, Slot, find_slot

TYPE = "Disease_Disorder"
_LABEL = "label"
_ID = re.compile(r"[A-Z]\d{1,9}\Z", re.ASCII)
_EVENTS = "{n} {event|events}"
_EQUIVALENCES = "{n} {equivalence|equivalences} of events"
_LINKS = "{n} {relation or equivalence|relations or equivalences} of mentions"


@dataclass(slots=True)
class _Annotation:
    kind: str
    spans: Sequence[Fragment]
    where: str
    trigger: bool = False
    attributes: dict[str, str] = field(default_factory=dict)
    codes: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)


def read_documents(
    directory: Path, slots: Sequence[Slot], *, events: Collection[str] = (), noted: str = ""
) -> list[Document]:
    """Read a directory of standoff files, or one file; a mention's type is the slot ``type``.

    Args:
        directory: the directory or file.
        slots: the slots of mentions.
        events: the types of mentions that are triggers of events; empty to ignore events. All
            events are read, whatever their types.
        noted: the slot that is stored in notes; empty if notes are codes.

    Returns:
        One document for each ``.ann``, named like its text, with the text if it exists.
        Mentions of documents with relations have ids.

    Raises:
        InputError: a line is invalid; the message names file and line.
    """
    ignored: Counter[str] = Counter()
    files = open_files(directory)
    documents = [_read_document(file, slots, ignored, events, noted) for file in files]
    if ignored := +ignored:
        found = (
            agree(what, number) if what.startswith("{n} ") else f"{number} {what}"
            for what, number in sorted(ignored.items())
        )
        warn(f"{name_path(directory)}: not read: {', '.join(found)}")
    return documents


def warn_of_notes(directory: Path, noted: str = "") -> None:
    """Warn about lost parts: names of concepts, and notes that are not codes or slots."""
    names = notes = 0
    for file in open_files(directory):
        for line in (line for _, line in lines_of(file) if line[:1] in ("N", "#")):
            _, _, target, value, note = parse_statement(line)
            if line[0] == "N":
                names += note.strip() not in ("", value, value.partition(":")[2].strip())
            else:
                notes += not is_of_mention(target) if noted else not is_code(note)
    lost = {
        "{n} {name of a concept|names of concepts} (third column of N lines)": names,
        "{n} {note that is not a code|notes that are not codes} (# lines)": notes,
    }
    if said := [agree(what, number) for what, number in lost.items() if number]:
        warn(f"{name_path(directory)}: not converted: {' and '.join(said)}")


def _read_document(
    file: TextFile,
    slots: Sequence[Slot],
    ignored: Counter[str],
    events: Collection[str],
    noted: str,
) -> Document:
    standoff = parse_mentions(file, find_text(file), bare=True)
    read_relations(standoff)
    refuse([standoff])
    relations = [Relation(of.label, of.source, of.target) for of in standoff.relations.values()]
    found = {
        id_: _Annotation(mention.label, mention.spans, standoff.place(mention.line))
        for id_, mention in standoff.mentions.items()
    }
    if any_events := ANY in events:  # relations would look like arguments
        ignored[_LINKS] += count_lines([standoff], "R*")
        relations = []
    own = read_events(standoff, nested=any_events) if events else {}
    ignored[_EVENTS] += count_lines([standoff], "E") - len(own)
    targets = _read_events(own, found, relations)
    for id_ in own if any_events else ():
        targets[id_].trigger = True
    for number, line in standoff.lines("AMN#"):
        _read_statement(line, standoff.place(number), targets, noted)
    for _, line in standoff.lines("*") if not any_events else ():
        equivalent = read_equivalence(line, found)
        ignored[_EQUIVALENCES] += not equivalent
        relations += equivalent
    mentions = [
        _mention(each, slots, ignored, name if relations else None) for name, each in found.items()
    ]
    return Document(f"{file.stem}.txt", mentions, standoff.text, relations)


def _read_events(
    events: Mapping[str, Event], found: dict[str, _Annotation], relations: list[Relation]
) -> dict[str, _Annotation]:
    """Set the types of triggers from their events, and add relations to the arguments.

    The trigger of a second event is copied. An argument that is an event is its trigger.

    Returns:
        The annotations of mentions and events, by id.
    """
    names: dict[str, str] = {}
    for id_, event in events.items():
        name = event.trigger
        if name in names.values():
            name = f"{name}.{id_}"
            found[name] = replace(found[event.trigger], attributes={})
        names[id_], found[name].kind = name, event.label
    for id_, event in events.items():
        ends = ((role, names.get(end, end)) for role, end in event.arguments)
        relations += [Relation(role, names[id_], end) for role, end in ends]
    return {**found, **{id_: found[name] for id_, name in names.items()}}


def write_documents(
    documents: Iterable[Document],
    directory: Path,
    slots: Sequence[Slot],
    *,
    events: Collection[str] = (),
    noted: str = "",
) -> None:
    """Write an ``.ann`` and a ``.txt`` for each document; write nothing if one is invalid.

    Each document needs an id and a text. Default values of slots are not written.

    Args:
        documents: the documents.
        directory: the target directory.
        slots: the slots of mentions.
        events: the types of mentions that are triggers of events; relations from these mentions
            become arguments of the events. With :data:`~clineval.results.slots.ANY`, these are the
            types of triggers, and of the mentions from which relations lead.
        noted: the slot that is written as a note; empty for none.
    """
    known = list(documents)
    events = find_triggers(known) if ANY in events else events
    names = name_files((document.id for document in known), ".txt", without=".txt")
    for document in known:
        if document.text is None:
            raise InputError(
                "brat needs the text of every document",
                where=document.place,
                remedy="Pass the directory of the notes (--text DIR)",
            )
    texts = [(name, document.text or "") for name, document in zip(names, known, strict=True)]
    stems = (name.removesuffix(".txt") for name in names)
    lines = [
        (f"{stem}.ann", format_document(each, slots, events, noted))
        for stem, each in zip(stems, track(known, "formatting"), strict=True)
    ]
    write_files(directory, [*texts, *lines])


def find_triggers(documents: Iterable[Document], *, marked: bool = True) -> Collection[str]:
    """Find the types of mentions from which relations lead, except equivalences.

    ``marked`` adds the types of the mentions that are marked as triggers.
    """
    types = set()
    for document in documents:
        sources = {of.source for of in document.relations if not isinstance(of, Equivalence)}
        types |= {
            type_of(mention)
            for mention in document.mentions
            if (marked and isinstance(mention, Trigger)) or mention.id in sources
        }
    return types


def type_of(mention: Mention, slot: str = "type") -> str:
    """Return the type of a mention in brat's files, the value of a slot or else its label."""
    return str(mention.slots.get(slot, mention.slots.get(_LABEL, TYPE)))


def _find_class(slots: Sequence[Slot]) -> str:
    """Return the slot with the types of mentions: the label if it is a slot."""
    return _LABEL if any(slot.name == _LABEL for slot in slots) else "type"


def format_document(
    document: Document, slots: Sequence[Slot], events: Collection[str] = (), noted: str = ""
) -> str:
    r"""Format one document as the lines of an ``.ann``.

    Examples:
        >>> fever = Mention([(3, 8)], "C0015967", {"negation": "yes"})
        >>> slot = Slot("negation", "closed", ("no", "yes"))
        >>> text = format_document(Document("a.txt", [fever], "No fever."), [slot])
        >>> print(text.expandtabs(), end="")
        T1	Disease_Disorder 3 8	fever
        N1	Reference T1 UMLS:C0015967	C0015967
        A1	Negation T1 yes
    """
    text = document.text or ""
    where = document.place
    lines: list[str] = []
    attribute = normalization = 0
    for number, mention in enumerate(document.mentions, 1):
        kind = type_of(mention, _find_class(slots))
        check_cells([kind, mention.cui or ""], " ", where)
        offsets = ";".join(f"{start} {end}" for start, end in mention.spans)
        words = " ".join(" ".join(text[start:end].split()) for start, end in mention.spans)
        lines.append(f"T{number}\t{kind} {offsets}\t{words}")
        for code, own in write_codes(mention.cui or ""):
            normalization += 1
            lines.append(f"N{normalization}\tReference T{number} {code}\t{own}")
        note = mention.slots.get(noted)
        if note:
            check_cells([_spell(note)], "\t", where)
            lines.append(f"#{number}\tAnnotatorNotes T{number}\t{_spell(note)}")
        for slot in _slots_to_write(slots, mention):
            value = mention.slots.get(slot.name)
            if (
                slot.kind != "code"
                and slot.name != noted
                and value is not None
                and not is_default(slot, value)
            ):
                attribute += 1
                name, spelled = slot.name.capitalize(), _spell(value)
                name = f"{kind}{VALUE_ENDING}" if events and slot.name == "value" else name
                check_cells([spelled], "\t", where)
                of = "E" if kind in events else "T"
                lines.append(f"A{attribute}\t{name} {of}{number} {spelled}")
        if kind in events:
            lines.append(format_event(document, number, kind, events))
    return "".join(f"{line}\n" for line in [*lines, *format_relations(document, events)])


def _slots_to_write(slots: Sequence[Slot], mention: Mention) -> Iterator[Slot]:
    """Yield the slots in their order, then other slots of the mention, if these are allowed."""
    names = [slot.name for slot in slots if slot.name not in (ANY, _LABEL)]
    others = (name for name in mention.slots if name not in (*names, "type", _LABEL))
    yield from filter(None, (find_slot(slots, name) for name in (*names, *others)))


def is_default(slot: Slot, value: Value) -> bool:
    """Return whether a value is the default value of a slot.

    Examples:
        >>> is_default(Slot("body_location", "codes"), ("NULL",))
        True
    """
    return slot.default is not None and slot.fold(_spell(value)) == slot.fold(slot.default)


def _spell(value: Value | Sequence[str]) -> str:
    if isinstance(value, (tuple, list)) and all(isinstance(code, str) for code in value):
        return ",".join(value)
    if isinstance(value, str):
        return value
    raise InputError(f"expected the value of a slot, got {shown(value)}")


def _read_statement(line: str, where: str, found: Mapping[str, _Annotation], noted: str) -> None:
    _, name, target, value, tail = parse_statement(line)
    annotation = found.get(target)
    if annotation is None:
        if line[0] in "AM" and is_of_mention(target):
            # anything other than an id of brat could be text
            shown_id = target if _ID.match(target) else f"of {len(target)} characters"
            raise InputError(f"no mention has the id {shown_id}", where=where)
        return
    if line[0] in "AM":
        own = name == f"{annotation.kind}{VALUE_ENDING}"
        annotation.attributes["value" if own else name.lower()] = value
    elif line[0] == "N":
        annotation.codes.append(read_code(value))
    elif noted:
        annotation.attributes[noted] = tail.strip()
    elif is_code(tail):
        annotation.notes.append(tail)


def _mention(
    annotation: _Annotation, slots: Sequence[Slot], ignored: Counter[str], name: str | None
) -> Mention:
    kind = _find_class(slots)
    values: dict[str, Value] = {kind: annotation.kind}
    for attribute, value in annotation.attributes.items():
        if slot := find_slot(slots, attribute):
            values[attribute] = _read_value(value, slot, annotation.where)
        else:
            ignored[f"attributes {shown(attribute)} (not a slot)"] += 1
    code = join_codes(annotation.codes, annotation.notes) or None
    coded = code is not None or find_slot(slots, kind) is None
    made = Trigger if annotation.trigger else Mention
    return made(annotation.spans, code, values, id=name, coded=coded)


def _read_value(value: str, slot: Slot, where: str) -> Value:
    if slot.kind == "codes":
        return tuple(value.split(","))
    word = str(slot.word(value or "true"))
    if slot.kind != "closed":
        return word
    known = slot.find(word)
    if known is None:
        remedy = "If the attributes belong to another metric, add --module NAME"
        raise InputError(unknown_value(slot, value, "").problem, where=where, remedy=remedy)
    return known
