r"""Corrections in brat's ``.ann`` files: the lines of a mention, and the lines about it.

A mention's class is the type of its ``T`` line. If mentions have codes, it is the codes in ``N``
lines or notes; if classes are events, it is the type of the ``E`` line. A mention cannot be removed
while relations or other events refer to it.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from clineval.formats.brat.attributes import Statement, parse_statement
from clineval.formats.brat.codes import is_code, join_codes, read_code, write_codes
from clineval.formats.brat.documents import TYPE, is_default
from clineval.formats.editing import (
    Edit,
    Fragments,
    Held,
    Known,
    Labels,
    Text,
    find_meant,
    refuse_lost,
)
from clineval.formats.writing import check_cells
from clineval.kinds.mentions.mention import sort_fragments
from clineval.results.slots import Slot

_ENDS = re.compile(r"[ :]([TE]\d+)")
_EVENT = re.compile(r"(E\d+)\t([^\s:]+):(T\d+)")
_BY_HAND = "Correct it by hand"
_NO_EVENT = "brat's attributes belong to events, and {} is not an event"


def correct(text: str, edits: Mapping[str, Sequence[Edit]], labels: Labels, texts: Text) -> str:
    """Correct the only document of a file.

    Raises:
        InputError: a mention does not exist; relations or events refer to a mention to remove; the
            words of a mention are required but unknown; or brat's files cannot contain a value.
    """
    [(name, own)] = edits.items()
    end = "\r\n" if "\r\n" in text else "\n"
    file = _File(text.removesuffix(end).split(end) if text else [], labels, texts(name))
    ids = file.find_ids()
    meant = [file.find_meant(edit, ids.get(edit.old, []) if edit.old else []) for edit in own]
    for edit, found in zip(own, meant, strict=True):
        for id_ in found:
            file.change(id_, edit)
    for edit in own:
        if edit.old is None and edit.new is not None:
            file.add(edit, edit.new)
    refuse_lost(own, {number for number, found in enumerate(meant) if found})
    return "".join(f"{line}{end}" for line in file.lines)


@dataclass(slots=True)
class _File:
    lines: list[str]
    labels: Labels
    text: str | None

    @property
    def coded(self) -> bool:
        return self.labels.classes is not None and self.labels.classes.kind == "code"

    @property
    def mentions(self) -> dict[str, str]:
        """The lines of mentions by id."""
        lines = (line for line in self.lines if line[:1] == "T" and "\t" in line)
        return {line.partition("\t")[0].strip(): line for line in lines}

    @property
    def events(self) -> dict[str, str]:
        """The line of each mention's first event, by the mention's id, if classes are events."""
        found = map(_EVENT.match, reversed(self.lines)) if self.labels.events else ()
        return {match[3]: match.string for match in found if match}

    def find_ids(self) -> dict[Known, list[str]]:
        """Map span and class of mentions to their ids, in one pass over the file."""
        found: dict[Known, list[str]] = {}
        codes, events = self._codes(), self.events
        for id_, line in self.mentions.items():
            found.setdefault(self._know(id_, line, codes, events), []).append(id_)
        return found

    def find_meant(self, edit: Edit, ids: Sequence[str]) -> list[str]:
        """Find the mentions to correct among mentions with the same span and class."""
        twins = list(map(self._slots_of, ids)) if edit.own or len(ids) > 1 else [{}] * len(ids)
        return [ids[at] for at in find_meant(edit, self.labels, twins)]

    def _slots_of(self, id_: str) -> Held:
        """Read a mention's slots: attributes of the mention or its event, and the last note."""
        target = _id_of(self.events.get(id_, "")) or id_
        said = self._statements(target, "AM")
        slots = ((self.labels.find(each.name.lower()), each) for each in said)
        held = {slot.name: _value_of(each, slot) for slot, each in slots if slot is not None}
        notes = self._statements(id_, "#")[-1:] if self.labels.noted else []
        return {**held, self.labels.noted: notes[0].note.strip()} if notes else held

    def _know(
        self, id_: str, line: str, codes: Mapping[str, str], events: Mapping[str, str]
    ) -> Known:
        kind, _, offsets = line.split("\t")[1].strip().partition(" ")
        spans = [tuple(map(int, span.split())) for span in offsets.split(";")]
        label = codes.get(id_, "") if self.coded else kind
        if self.labels.events:
            label = _type_of(events[id_]) if id_ in events else self.labels.eventless
        return Known(sort_fragments(spans), self.labels.spell(label))

    def change(self, id_: str, edit: Edit) -> None:
        if edit.new is None:
            self._take_out(id_, edit)
            return
        old = self._know(id_, self.mentions[id_], self._codes(), self.events)
        new = edit.new
        if old.label != new.label:
            self._set_label(id_, old.label, edit, new.label)
        if old.spans != new.spans:
            self._set_head(id_, offsets=_offsets(new.spans), words=self._quote(edit, new))
        self._set_slots(id_, edit, new)
        if self.labels.events and new.label not in self.labels.events:
            self._drop_event(id_, edit, new)

    def _set_label(self, id_: str, old: str, edit: Edit, new: str) -> None:
        check_cells([new], " ", edit.where)
        if self.coded:
            self._set_code(id_, new)
        elif not self.labels.events or self._kind_of(id_) == old:
            self._set_head(id_, kind=new)
        if new in self.labels.events:
            self._set_event(id_, new)

    def _kind_of(self, id_: str) -> str:
        return self.mentions[id_].split("\t")[1].strip().partition(" ")[0]

    def _set_head(self, id_: str, *, kind: str = "", offsets: str = "", words: str = "") -> None:
        """Replace parts of a mention's line; keep the others."""
        line = self.mentions[id_]
        _, head, *rest = line.split("\t", 2)
        own_kind, _, own_offsets = head.strip().partition(" ")
        cells = [f"{kind or own_kind} {offsets or own_offsets}", *([words] if words else rest)]
        self.lines[self.lines.index(line)] = "\t".join([id_, *cells])

    def add(self, edit: Edit, new: Known) -> None:
        check_cells([new.label], " ", edit.where)
        id_ = f"T{self._free('T')}"
        kind = TYPE if self.coded else new.label
        self.lines.append(f"{id_}\t{kind} {_offsets(new.spans)}\t{self._quote(edit, new)}")
        if self.coded:
            self._set_code(id_, new.label)
        if new.label in self.labels.events:
            self._set_event(id_, new.label)
        self._set_slots(id_, edit, new)

    def _take_out(self, id_: str, edit: Edit) -> None:
        event = self.events.get(id_, "")
        self._refuse_ends({id_, _id_of(event)}, event, edit)
        said = [*self._statements(id_), *(self._statements(_id_of(event)) if event else ())]
        self._drop(self.mentions[id_], event, *(each.line for each in said))

    def _refuse_ends(self, ids: set[str], own: str, edit: Edit) -> None:
        """Reject the removal of a mention or its event if other lines refer to them."""
        others = (line for line in self.lines if line[:1] in {"R", "E", "*"} and line != own)
        ends = {end for line in others for end in _ends_of(line)}
        if ids & ends or len(_ends_of(own)) > 1:
            raise edit.refuse("relations or events refer to it", "Remove these by hand first")

    def _set_event(self, id_: str, label: str) -> None:
        """Set the type of a mention's event, or add an event in the file's style."""
        event = self.events.get(id_)
        if event is None:
            blank = " " if any(_EVENT.match(s) and s.endswith(" ") for s in self.lines) else ""
            self.lines.append(f"E{self._free('E')}\t{label}:{id_}{blank}")
            return
        rest = event.partition(":")[2]
        self.lines[self.lines.index(event)] = f"{_id_of(event)}\t{label}:{rest}"

    def _drop_event(self, id_: str, edit: Edit, new: Known) -> None:
        """Remove the event of a mention whose new class is not an event."""
        event = self.events.get(id_)
        if event is None:
            return
        if self._statements(_id_of(event)):
            raise edit.refuse(_NO_EVENT.format(new.label), _BY_HAND)
        self._refuse_ends({_id_of(event)}, event, edit)
        self.lines.remove(event)

    def _drop(self, *lines: str) -> None:
        self.lines = [line for line in self.lines if line not in lines]

    def _said(self, kinds: str) -> list[Statement]:
        """List the statements of lines that begin with one of ``kinds``."""
        return [parse_statement(line) for line in self.lines if line and line[0] in kinds]

    def _statements(self, id_: str, kinds: str = "AMN#") -> list[Statement]:
        """List the statements about a mention or an event."""
        return [each for each in self._said(kinds) if each.target == id_]

    def _codes(self) -> dict[str, str]:
        """Map ids of mentions to their codes, as readers return them.

        If types are classes, notes are remarks, and mentions have no codes.
        """
        if not self.coded:
            return {}
        found: dict[str, tuple[list[str], list[str]]] = {}
        for said in self._said("N#"):
            codes, notes = found.setdefault(said.target, ([], []))
            if said.line[0] == "N":
                codes.append(read_code(said.value))
            else:
                notes.append(said.note)
        return {target: join_codes(*both) for target, both in found.items()}

    def _set_code(self, id_: str, joined: str) -> None:
        """Write codes in the file's style: in notes, or as normalizations."""
        normalized = self._statements(id_, "N")
        noted = [each for each in self._statements(id_, "#") if is_code(each.note)]
        known = self._said("N")
        by_notes = not known and any(is_code(each.note) for each in self._said("#"))
        in_notes = not normalized and (bool(noted) or by_notes) and is_code(joined)
        names = {name.upper(): name for name in (each.value.partition(":")[0] for each in known)}
        self._drop(*(each.line for each in (*normalized, *noted)))
        if in_notes:
            self.lines.append(f"#{self._free('#')}\tAnnotatorNotes {id_}\t{joined}")
            return
        for code, own in write_codes(joined):
            database = code.removesuffix(own).removesuffix(":")
            spelled = f"{names.get(database.upper(), database)}:{own}"
            self.lines.append(f"N{self._free('N')}\tReference {id_} {spelled}\t{own}")

    def _set_slots(self, id_: str, edit: Edit, new: Known) -> None:
        """Write the attributes of slots whose value changes, except default values."""
        for slot, value in self.labels.list_slots(edit):
            if slot.name == self.labels.noted:
                self._set_note(id_, edit, value)
                continue
            event = self.events.get(id_)
            target = _id_of(event) if event else id_
            said = self._statements(target, "AM")
            own = [each for each in said if each.name.lower() == slot.name]
            held = [_value_of(each, slot) for each in own]
            before = held[0] if held else slot.default or ""
            if len(held) < 2 and slot.fold(before) == slot.fold(value):  # noqa: PLR2004
                continue
            edit.changed[slot.name] = before, value
            statement = ""
            if not is_default(slot, value):
                self._check_attribute(slot, value, edit, new)
                statement = self._spell_attribute(slot, value, target)
            self._put("A", [each.line for each in own], statement)

    def _put(self, kind: str, own: Sequence[str], statement: str) -> None:
        """Replace a mention's own statements by a statement, or append it as a last line."""
        if own and statement:
            id_ = own[0].partition("\t")[0]
            self.lines[self.lines.index(own[0])] = f"{id_}\t{statement}"
            own = own[1:]
        elif statement:
            self.lines.append(f"{kind}{self._free(kind)}\t{statement}")
        self._drop(*own)

    def _check_attribute(self, slot: Slot, value: str, edit: Edit, new: Known) -> None:
        """Reject values that brat's attributes cannot contain, or that readers would misread."""
        if self.labels.events and new.label not in self.labels.events:
            raise edit.refuse(_NO_EVENT.format(new.label), _BY_HAND)
        if (
            slot.name != slot.name.lower()
            or " " in slot.name
            or value != value.strip()
            or not value
        ):
            raise edit.refuse("brat's files cannot contain the name or value of a slot", _BY_HAND)
        check_cells([value], " " if self.labels.events else "\t", edit.where)

    def _spell_attribute(self, slot: Slot, value: str, target: str) -> str:
        """Write an attribute in the file's style: case of names, and true with or without value."""
        said = self._said("AM")
        alike = [each for each in said if each.name.lower() == slot.name]
        name = alike[0].name if alike else slot.name[:1].upper() + slot.name[1:]
        bare = slot.fold(value) == slot.fold(str(slot.word("true")))
        bare = bare and any(not each.value for each in alike or said)
        return f"{name} {target}" if bare else f"{name} {target} {value}"

    def _set_note(self, id_: str, edit: Edit, value: str) -> None:
        """Write the slot that is a note; the last note of a mention counts."""
        own = self._statements(id_, "#")
        before = own[-1].note.strip() if own else ""
        if before == value:
            return
        check_cells([value], "\t", edit.where)
        edit.changed[self.labels.noted] = before, value
        lines = [each.line for each in own]
        head = lines[-1].split("\t")[1] if own else f"AnnotatorNotes {id_}"
        self._put("#", lines[-1:] if value else lines, f"{head}\t{value}" if value else "")

    def _free(self, kind: str) -> int:
        """Return the next free number for ids of a kind."""
        found = (re.match(rf"{kind}(\d+)\t", line) for line in self.lines)
        return 1 + max((int(each[1]) for each in found if each), default=0)

    def _quote(self, edit: Edit, new: Known) -> str:
        """Return the words of a mention, which brat's lines contain."""
        if self.text is None:
            problem = "brat's files contain the words of a mention, but the text is unknown"
            raise edit.refuse(problem, "Pass the directory of the notes (--text DIR)")
        if new.spans[-1][1] > len(self.text):
            raise edit.refuse(f"the text has only {len(self.text)} characters")
        parts = (self.text[start:end] for start, end in new.spans)
        return " ".join(" ".join(part.split()) for part in parts)


def _offsets(spans: Fragments) -> str:
    return ";".join(f"{start} {end}" for start, end in spans)


def _ends_of(line: str) -> list[str]:
    """List the ids of mentions and events that a relation, an event or an equivalence names."""
    return _ENDS.findall(line.partition("\t")[2])


def _id_of(line: str) -> str:
    return line.partition("\t")[0]


def _type_of(event: str) -> str:
    return event.partition("\t")[2].partition(":")[0]


def _value_of(said: Statement, slot: Slot) -> str:
    return slot.spell(slot.fold(str(slot.word(said.value or slot.word("true")))))
