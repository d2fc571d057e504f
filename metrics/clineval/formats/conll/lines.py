r"""Lines of words with tags, split into documents and sentences.

    -DOCSTART- (8701013)            a document begins; the id in parentheses is optional

    Famotidine  NNP  O  B-Drug      a word, other columns, a tag
    induced     VBN  O  O
                                    a blank line ends the sentence
    # id = 8701013                  another way to begin a document

Tabs or blanks separate the columns. The word is in the first column, or in the column with a name
such as ``token`` if the first line is a header. ``###MEDLINE:95369245`` begins a document too.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from clineval.base.errors import InputError, called, listed, raise_all
from clineval.formats import looks
from clineval.formats.files import TextFile

FILES = looks.TAGGED
"""Names of files that always contain words with tags."""
TABLES = r"(?i)\.(tsv|txt)$"
"""Names of files that contain words with tags if their first lines do."""
_TAG = re.compile(r"(?:O|[BIESLU](?:-.*)?)\Z", re.DOTALL)
_NAMES = "(?:id|doc_id|document_id|newdoc id)"
_IDS = (
    re.compile(rf"# ?{_NAMES} ?= ?(?P<id>.*\S)"),
    re.compile(rf"# {_NAMES} (?P<id>[^\s=]\S*).*"),
)
_MEDLINE = re.compile(r"###MEDLINE:(?P<id>\S+)\s*")
_START = re.compile(r"-DOCSTART-(?:\s+\((?P<id>[^()]+)\))?(?:\s.*)?")
_COMMENT = re.compile(r"# [\w.:-]+(?: [\w.:-]+)* = ")
_WORDS = {"word", "words", "token", "tokens", "form", "text"}
_TAGS = {"tag", "tags", "label", "labels", "ner", "ner_tag", "ner_tags", "ne", "iob", "bio"}
_NO_TAG = "expected a tag: O, or B, I, E, S, L or U with a label, such as B-Drug"
_FEW = 3
"""Number of lines that identify the format."""


@dataclass(frozen=True, slots=True)
class Tagging:
    """How to read words with tags.

    Args:
        column: the column of the tags: its number from 1, its name in the header, or empty for the
            last one.
        scheme: ``iob1``, ``iob2``, ``bioes`` or ``bilou``; ``auto`` for the one that fits best.
        label: the label of tags without one, such as ``B`` and ``I``; empty for none.
    """

    column: str = ""
    scheme: str = "auto"
    label: str = ""


@dataclass(slots=True)
class TaggedLines:
    """The words of a document, with their tags, lines, and numbers of sentences in the file.

    ``begun`` says whether ``-DOCSTART-`` began it.
    """

    file: str
    id: str | None = None
    begun: bool = False
    words: list[str] = field(default_factory=list)
    tags: list[str] = field(default_factory=list)
    lines: list[int] = field(default_factory=list)
    sentences: list[int] = field(default_factory=list)


def looks_tagged(content: bytes) -> bool:
    r"""Return whether the first lines are words with tags in the last column.

    Examples:
        >>> looks_tagged(b"token\ttag\nleg\tB-Part\n"), looks_tagged(b"T1\tDrug 0 3\tleg\n")
        (True, False)
    """
    head = content[: 1 << 14].decode(errors="replace").split("\n")
    rows = [_split(line) for line in head[:40] if line.strip() and not _is_mark(line)]
    if rows and _is_header(rows[0], -1):
        rows = rows[1:]
    first = rows[:_FEW]
    return bool(first) and all(len(row) > 1 and _TAG.match(row[-1]) for row in first)


def read_lines(file: TextFile, tagging: Tagging) -> list[TaggedLines]:
    """Split a file into documents.

    Raises:
        InputError: a line has another number of columns, no word or no tag; the other such lines
            are added.
    """
    reader = _Reader(tagging, [TaggedLines(file.label)])
    for number, line in enumerate(file.content.decode().split("\n"), 1):
        if not line or line.isspace():
            reader.sentence += 1
        elif line[0] not in "#-" or not reader.take_mark(line):
            reader.take_word(line, number)
    raise_all(reader.errors)
    return reader.found


@dataclass(slots=True)
class _Reader:
    """The state of reading a file line by line; ``tags`` are the tags that were checked."""

    tagging: Tagging
    found: list[TaggedLines]
    columns: _Columns | None = None
    sentence: int = 0
    tags: set[str] = field(default_factory=set)
    errors: list[InputError] = field(default_factory=list)

    def take_mark(self, line: str) -> bool:
        """Read a comment, or a line that begins a document; both end a sentence."""
        mark = _find_mark(line)
        if not mark and not _COMMENT.match(line):
            return False
        self.sentence += 1
        if mark:
            _begin(self.found, mark)
        return True

    def take_word(self, line: str, number: int) -> None:
        """Read a word and its tag, or the header."""
        cells, last = _split(line), self.found[-1]
        if self.columns is None:
            self.columns = _Columns.of(cells, self.tagging.column, f"{last.file}:{number}")
            if self.columns.header:
                return
        columns = self.columns
        if len(cells) == columns.number and cells[columns.tag] in self.tags:  # the usual case
            word, tag = cells[columns.word].strip(), cells[columns.tag]
        else:
            word, tag = "", ""
        if not word:
            try:
                word, tag = columns.read(cells, f"{last.file}:{number}")
            except InputError as error:
                self.errors.append(error)
                return
            self.tags.add(tag)
        last.words.append(word)
        last.tags.append(tag)
        last.lines.append(number)
        last.sentences.append(self.sentence)


def _begin(found: list[TaggedLines], mark: re.Match[str]) -> None:
    """Begin a document, unless the mark repeats or completes the one before."""
    last, name, start = found[-1], mark["id"], mark[0].startswith("-DOCSTART-")
    if name is not None and name == last.id:
        return
    if last.words or last.id is not None or (last.begun and start):
        found.append(TaggedLines(last.file, name, start))
    else:
        last.id, last.begun = name, last.begun or start


def _find_mark(line: str) -> re.Match[str] | None:
    """Find the mark that begins a document."""
    if not line.startswith(("#", "-DOCSTART-")):
        return None
    kinds = (_START, _MEDLINE, *_IDS)
    return next((mark for kind in kinds if (mark := kind.fullmatch(line.rstrip()))), None)


def _is_mark(line: str) -> bool:
    """Return whether a line is a comment or begins a document."""
    return bool(_find_mark(line) or _COMMENT.match(line))


def _split(line: str) -> list[str]:
    return line.split("\t") if "\t" in line else [cell for cell in line.split(" ") if cell]


def _is_header(cells: Sequence[str], tag: int) -> bool:
    names = [cell.strip().lower() for cell in cells]
    if not -len(names) <= tag < len(names) or _TAG.match(cells[tag]):
        return False
    return names[tag] in _TAGS or not _WORDS.isdisjoint(names)


@dataclass(frozen=True, slots=True)
class _Columns:
    """The columns of a file."""

    number: int
    word: int
    tag: int
    header: bool

    @classmethod
    def of(cls, cells: Sequence[str], column: str, where: str) -> _Columns:
        """Find the columns by the first line that is neither blank nor a comment."""
        names = [cell.strip() for cell in cells]
        tag = cls._find_tag(names, column, where)
        header = _is_header(names, tag) or column in names
        words = (at for at, name in enumerate(names) if name.lower() in _WORDS)
        word = next(words, 0) if header else 0
        tag %= len(names)
        if len(names) > 1 and tag == word:
            raise InputError("the column of tags is the column of words", where="tag_column")
        return cls(len(names), word, tag, header)

    @staticmethod
    def _find_tag(names: Sequence[str], column: str, where: str) -> int:
        if not column:
            return -1
        if column.isascii() and column.isdigit():
            numbers = map(str, range(1, len(names) + 1))
            if column in numbers:
                return int(column) - 1
            problem = f"there is no column {called(column)}, the line has {len(names)}"
            raise InputError(problem, where=where, remedy="Pass another number as tag_column=")
        if column in names:
            return names.index(column)
        problem = f"the first line names no column {called(column)}"
        raise InputError(problem, where=where, remedy="Pass its number as tag_column=, from 1")

    def read(self, cells: Sequence[str], where: str) -> tuple[str, str]:
        """Return the word and the tag of a line."""
        if len(cells) < 2:  # noqa: PLR2004 - a word and a tag
            raise InputError("expected a word and a tag, got one column", where=where)
        if len(cells) != self.number:
            problem = f"expected {self.number} columns as in the first line, got {len(cells)}"
            raise InputError(problem, where=where)
        word, tag = cells[self.word].strip(), cells[self.tag].strip()
        if not word:
            raise InputError("the line has a tag and no word", where=where)
        if not _TAG.match(tag):
            remedy = (
                "If another column has the tags, pass tag_column=, or convert the files with "
                "--tag-column"
            )
            raise InputError(_NO_TAG, where=where, remedy=remedy)
        return word, tag


def name_documents(
    files: Sequence[Sequence[TaggedLines]], stems: Sequence[str | None], *, single: bool
) -> Iterator[tuple[str | None, TaggedLines]]:
    """Yield the documents of files with their names.

    The name is the id in the file. In a directory it is otherwise the name of the file, with a
    number if the file has several documents. Documents of a single file without ids have no names.
    """
    for documents, stem in zip(files, stems, strict=True):
        lacking = [each for each in documents if each.id is None]
        if lacking and len(lacking) < len(documents):
            numbers = [str(at) for at, each in enumerate(documents, 1) if each.id is None]
            problem = f"some documents have ids, and others do not: {listed(numbers)}"
            raise InputError(problem, where=documents[0].file)
        for at, document in enumerate(documents, 1):
            by_file = None if single else stem if len(documents) == 1 else f"{stem}-{at}"
            yield by_file if document.id is None else document.id, document
