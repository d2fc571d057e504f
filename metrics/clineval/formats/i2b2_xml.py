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
from collections.abc import Callable, Iterable, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field, replace
from functools import partial

from clineval.base.arrays import Coded
from clineval.base.errors import InputError, read_each, shown
from clineval.base.files import Source
from clineval.formats.files import TextFile, open_strings, read_text_files
from clineval.formats.xml_elements import make_parser, run_parser
from clineval.kinds.mentions.columns import Side
from clineval.results.columns import MentionColumns
from clineval.results.slots import Slot

FILES = r"\.xml$"
ELEMENTS = (*("PHI", "NAME", "PROFESSION", "LOCATION", "AGE"), *("DATE", "CONTACT", "ID", "OTHER"))
_OFFSET = re.compile(r"\d{1,9}\Z", re.ASCII)
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


Label = Callable[[Tag], str]
"""Returns the label of a mention."""


def label_by_both(tag: Tag) -> str:
    """Return the label, such as ``NAME/DOCTOR``; a missing type is empty."""
    return f"{tag.element}/{tag.attributes.get('TYPE', '')}"


@dataclass(frozen=True, slots=True)
class I2b2Xml:
    """The text format, for :func:`~clineval.formats.given.mentions.read_side`.

    Args:
        label: returns the label of a mention.
        key: returns the key that pairs documents, from a name without extension.
    """

    label: Label = lambda tag: tag.attributes["TYPE"]
    key: Callable[[str], str] = str
    FILES: str = FILES
    UNREAD: AbstractSet[str] = frozenset({"cui"})

    def document_key(self, name: str) -> str:
        """Return the key that pairs documents: the name without a file's extension."""
        return self.key(re.sub(r"\.(xml|txt)$", "", name))

    def read_side(self, source: Source, slots: Sequence[Slot], *, strict: bool) -> Side:
        """Read files; documents are paired by name.

        Args:
            source: a directory, a file or the text of a file.
            slots: the slots; the first one contains the labels.
            strict: whether spans must be within the text, and mentions must have types.

        Raises:
            InputError: a file is invalid; the message names the line.
        """
        files = list(read_text_files(source, pattern=FILES, separator="<"))
        names = tuple(file.stem or "" for file in files)
        keys = tuple(map(self.document_key, names)) if all(names) else None
        if keys is not None and len(set(keys)) < len(keys):
            repeated = next(key for key in keys if keys.count(key) > 1)
            raise InputError(
                f"several files belong to record {repeated}", remedy="Give one system at a time"
            )
        return self._as_side(files, names, keys, slots[0], strict=strict)

    def read_strings(self, strings: Sequence[str], slots: Sequence[Slot], *, strict: bool) -> Side:
        """Read one string for each document, paired by position."""
        files = open_strings(strings)
        return self._as_side(files, ("",) * len(files), None, slots[0], strict=strict)

    def _as_side(
        self,
        files: Iterable[TextFile],
        names: tuple[str, ...],
        keys: tuple[str, ...] | None,
        slot: Slot,
        *,
        strict: bool,
    ) -> Side:
        rows, written, texts = [], [], []
        for at, file in enumerate(files):
            record = parse(file)
            texts.append(record.text)
            text = record.text if strict else None
            placed = ((tag, f"{file.label}:{tag.line}") for tag in record.tags)
            found = read_each(partial(read_span, text=text), placed)
            labels = map(self.label, record.tags)
            rows += [(at, label, *span) for label, (span, _) in zip(labels, found, strict=True)]
            written += ["" if strict else spelling for _, spelling in found]
        columns = MentionColumns.labelled(rows, slot.name)
        if any(written):
            columns = replace(columns, spelling=Coded.of(written))
        return Side(names, keys, columns, tuple(texts))


def read_span(tag: Tag, where: str, text: str | None) -> tuple[tuple[int, int], str]:
    """Read the offsets, and their spelling if it is unusual.

    If a text is passed, reject a mention without a type or outside the text.
    """
    written = [tag.attributes.get(name, "") for name in ("start", "end")]
    for name, offset in zip(("start", "end"), written, strict=True):
        if not _OFFSET.match(offset):
            raise InputError(f"{name}: expected a whole number, got {shown(offset)}", where=where)
    start, end = map(int, written)
    if text is not None:
        _judge(tag, (start, end), text, where)
    spelling = "-".join(written)
    return (start, end), "" if spelling == f"{start}-{end}" else spelling


def _judge(tag: Tag, span: tuple[int, int], text: str, where: str) -> None:
    start, end = span
    if not start < end <= len(text):
        problem = f"expected 0 <= start < end <= {len(text)}, got {start} and {end}"
        raise InputError(problem, where=where)
    label = tag.attributes.get("TYPE", "")
    if not label.strip() or not label.isprintable():
        raise InputError("TYPE: expected the type of the mention", where=where)
