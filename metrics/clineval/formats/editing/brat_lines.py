r"""Corrections in brat's ``.ann`` files: the lines of a mention, and of what is said of it.

A mention's class is the type of its ``T`` line, or where mentions have codes, the code of its ``N``
line or its note. What relations or events end at cannot be taken out.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from clineval.formats.brat.attributes import parse_statement
from clineval.formats.brat.documents import DATABASE, TYPE, is_default
from clineval.formats.editing import Edit, Fragments, Known, Labels, Text, refuse_lost
from clineval.formats.writing import check_cells
from clineval.kinds.mentions.mention import sort_fragments

_ENDS = re.compile(r"[ :](T\d+)")


def correct(text: str, edits: Mapping[str, Sequence[Edit]], labels: Labels, texts: Text) -> str:
    """Correct the one document of a file.

    Raises:
        InputError: a mention that is not there, or at which others end, or whose words are needed
            and not known.
    """
    [(name, own)] = edits.items()
    end = "\r\n" if "\r\n" in text else "\n"
    file = _File(text.removesuffix(end).split(end) if text else [], labels, texts(name))
    ids = file.find_ids()
    done: set[int] = set()
    for number, edit in enumerate(own):
        found = ids.get(edit.old, []) if edit.old else []
        done |= {number} if found else set()
        for id_ in found:
            file.change(id_, edit)
    for edit in own:
        if edit.old is None and edit.new is not None:
            file.add(edit, edit.new)
    refuse_lost(own, done)
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
        """The lines of mentions by their ids."""
        lines = (line for line in self.lines if line[:1] == "T" and "\t" in line)
        return {line.partition("\t")[0].strip(): line for line in lines}

    def find_ids(self) -> dict[Known, list[str]]:
        """Map what mentions are known by to their ids, in one reading of the file."""
        found: dict[Known, list[str]] = {}
        codes = self._codes()
        for id_, line in self.mentions.items():
            found.setdefault(self._know(id_, line, codes), []).append(id_)
        return found

    def _know(self, id_: str, line: str, codes: Mapping[str, str]) -> Known:
        kind, _, offsets = line.split("\t")[1].strip().partition(" ")
        spans = [tuple(map(int, span.split())) for span in offsets.split(";")]
        label = codes.get(id_, "") if self.coded else kind
        return Known(sort_fragments(spans), self.labels.spell(label))

    def change(self, id_: str, edit: Edit) -> None:
        if edit.new is None:
            self._take_out(id_, edit)
            return
        old, new = self._know(id_, self.mentions[id_], self._codes()), edit.new
        if old.label != new.label:
            check_cells([new.label], " ", edit.where)
            if self.coded:
                self._set_code(id_, new.label)
            else:
                self._set_head(id_, kind=new.label)
        if old.spans != new.spans:
            self._set_head(id_, offsets=_offsets(new.spans), words=self._quote(edit, new))
        self._set_slots(id_, edit)

    def _set_head(self, id_: str, *, kind: str = "", offsets: str = "", words: str = "") -> None:
        """Write parts of a mention's line anew; the others stay."""
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
        self._set_slots(id_, edit)

    def _take_out(self, id_: str, edit: Edit) -> None:
        others = [line for line in self.lines if line[:1] in "RE*" and id_ in _ends_of(line)]
        if others:
            raise edit.refuse("relations or events end at it", "Take these out by hand first")
        own = {*self._statements(id_), self.mentions[id_]}
        self.lines = [line for line in self.lines if line not in own]

    def _statements(self, id_: str, kinds: str = "AMN#") -> list[str]:
        """List the lines that say something of a mention."""
        lines = (line for line in self.lines if line[:1] in kinds and line)
        return [line for line in lines if parse_statement(line).target == id_]

    def _codes(self) -> dict[str, str]:
        """Map ids of mentions to the first code said of each, normalized before noted.

        There are none where types are classes, and notes are remarks.
        """
        if not self.coded:
            return {}
        said = [(line[0], parse_statement(line)) for line in self.lines if line[:1] in {"N", "#"}]
        found: dict[str, str] = {}
        for kind, of in sorted(said, key=lambda each: each[0] != "N"):
            code = (of.value.partition(":")[2] if kind == "N" else of.note).strip()
            if code:
                found.setdefault(of.target, code)
        return found

    def _set_code(self, id_: str, code: str) -> None:
        """Write a code as the file writes codes: in notes, or normalized."""
        taken = self._statements(id_, "N#")
        noted = bool(self._statements(id_, "#")) and not self._statements(id_, "N")
        noted |= not taken and not any(line[:1] == "N" for line in self.lines)
        noted &= any(line[:1] == "#" for line in self.lines) or bool(taken)
        self.lines = [line for line in self.lines if line not in taken]
        if noted:
            self.lines.append(f"#{self._free('#')}\tAnnotatorNotes {id_}\t{code}")
        else:
            number = self._free("N")
            self.lines.append(f"N{number}\tReference {id_} {DATABASE}:{code}\t{code}")

    def _set_slots(self, id_: str, edit: Edit) -> None:
        """Write the attributes that are not a slot's default, where they differ from those."""
        for slot in self.labels.others():
            value = (edit.slots or {}).get(slot.name)
            own = [
                line
                for line in self._statements(id_, "AM")
                if parse_statement(line).name.lower() == slot.name
            ]
            held = [parse_statement(line).value or slot.word("true") for line in own]
            if value is None or [slot.fold(str(slot.word(each))) for each in held] == [value]:
                continue
            self.lines = [line for line in self.lines if line not in own]
            if not is_default(slot, value):
                check_cells([value], "\t", edit.where)
                number = self._free("A")
                self.lines.append(f"A{number}\t{slot.name.capitalize()} {id_} {value}")

    def _free(self, kind: str) -> int:
        """Find the next number of ids of a kind."""
        found = (re.match(rf"{kind}(\d+)\t", line) for line in self.lines)
        return 1 + max((int(each[1]) for each in found if each), default=0)

    def _quote(self, edit: Edit, new: Known) -> str:
        """Return the words at a mention, which brat repeats."""
        if self.text is None:
            raise edit.refuse("brat repeats the words of a mention", "Give the notes: --text DIR")
        if new.spans[-1][1] > len(self.text):
            raise edit.refuse(f"the text has {len(self.text)} characters only")
        parts = (self.text[start:end] for start, end in new.spans)
        return " ".join(" ".join(part.split()) for part in parts)


def _offsets(spans: Fragments) -> str:
    return ";".join(f"{start} {end}" for start, end in spans)


def _ends_of(line: str) -> Iterator[str]:
    """Yield the ids of mentions that a relation, an event or an equivalence names."""
    yield from _ENDS.findall(line.partition("\t")[2])
