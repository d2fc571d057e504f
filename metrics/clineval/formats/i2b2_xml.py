"""The XML of i2b2 2014: a note's text, and its annotations as tags.

``<deIdi2b2><TEXT>...</TEXT><TAGS><NAME id="P0" start="16" end="28" text="..." TYPE="DOCTOR"
comment="" />...</TAGS></deIdi2b2>``, one file for each note; the root has any name. Offsets are
half-open. They count characters of the text as an XML parser returns it, with one character for
each line end. Only children of TAGS with a name in :data:`ELEMENTS` are read. ``text``, ``id`` and
``comment`` are ignored. Tags of the whole document have no offsets: ``<CAD id="DOC0" time="before
DCT" indicator="mention"/>``.

Files are UTF-8. For security, a document type is rejected, with or without entities.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from clineval.base.errors import InputError
from clineval.formats.files import TextFile
from clineval.formats.xml_elements import make_parser, run_parser

FILES = r"\.xml$"
ELEMENTS = (*("PHI", "NAME", "PROFESSION", "LOCATION", "AGE"), *("DATE", "CONTACT", "ID", "OTHER"))
_RECORD = re.compile(r"(\d+)-(\d+)")
_TEXT, _TAGS = "TEXT", "TAGS"
_BESIDE = 2  # depth of the elements in TAGS
NO_ELEMENT = ""
"""The name of a comment or a processing instruction inside a tag."""


def find_record(name: str) -> str:
    """Return the record of a file: the prefix of its name such as ``100-01``, or else its name."""
    found = _RECORD.match(name)
    return found[0] if found else name


@dataclass(frozen=True, slots=True)
class Tag:
    """A tag as written in the file, and its line.

    Args:
        element: the name of the element.
        attributes: the attributes.
        line: the line, from 1.
        inside: the names of the elements directly inside it, if all tags of a file are read.
    """

    element: str
    attributes: dict[str, str]
    line: int
    inside: list[str] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Record:
    """The text of a file, and its tags.

    Args:
        text: the text; None if all tags of a file are read, and it has no text.
        tags: the tags.
        blocks: the number of elements TAGS.
    """

    text: str | None
    tags: Sequence[Tag]
    blocks: int = 1


class _Reader:
    def __init__(self) -> None:
        self.text: str | None = None
        self.tags: list[Tag] = []
        self.blocks = 0
        self.line = 0  # of the root
        self._path: list[str] = []
        self._parts: list[str] = []
        self.parser = make_parser()
        self.parser.StartElementHandler = self._start
        self.parser.EndElementHandler = self._end
        self.parser.CharacterDataHandler = self._add

    def _start(self, name: str, attributes: dict[str, str]) -> None:
        depth = len(self._path)
        if not depth:
            self.line = self.parser.CurrentLineNumber
        if depth == 1 and name == _TAGS:
            self.blocks += 1
        if depth == _BESIDE and self._path[1] == _TAGS and self._wants(name):
            self.tags.append(Tag(name, attributes, self.parser.CurrentLineNumber))
        self._path.append(name)

    def _wants(self, name: str) -> bool:
        return name in ELEMENTS

    def _end(self, name: str) -> None:
        self._path.pop()
        if len(self._path) == 1 and name == _TEXT:
            self.text = "".join(self._parts)

    def _add(self, text: str) -> None:
        if len(self._path) == _BESIDE and self._path[1] == _TEXT:
            self._parts.append(text)


class _DocumentReader(_Reader):
    """Reads every element of the first TAGS, and the names of the elements inside it."""

    def __init__(self) -> None:
        super().__init__()
        self.parser.CommentHandler = self.parser.ProcessingInstructionHandler = self._note

    def _wants(self, _name: str) -> bool:
        return self.blocks == 1

    def _start(self, name: str, attributes: dict[str, str]) -> None:
        self._hold(name)
        super()._start(name, attributes)

    def _note(self, *_written: str) -> None:
        self._hold(NO_ELEMENT)

    def _hold(self, name: str) -> None:
        """Add a name to the tag, if the parser is directly inside one."""
        if len(self._path) == _BESIDE + 1 and self._path[1] == _TAGS and self.blocks == 1:
            self.tags[-1].inside.append(name)


def parse(file: TextFile) -> Record:
    """Read the text and the mentions of one file.

    Raises:
        InputError: the file is not supported XML, or has no text or no tags.
    """
    reader = _Reader()
    run_parser(reader.parser, file)
    if reader.text is None or not reader.blocks:
        raise _refuse("expected an element that contains TEXT and TAGS", file.label)
    return Record(reader.text, reader.tags)


def parse_document_tags(file: TextFile) -> Record:
    """Read every child of the first TAGS of one file, and its text if it has one.

    Raises:
        InputError: the file is not supported XML, or has no tags.
    """
    reader = _DocumentReader()
    run_parser(reader.parser, file)
    if not reader.blocks:
        raise _refuse("expected an element that contains TAGS", f"{file.label}:{reader.line}")
    return Record(reader.text, reader.tags, reader.blocks)


def _refuse(problem: str, where: str) -> InputError:
    return InputError(problem, where=where, remedy="Save the note as i2b2's XML in UTF-8")
