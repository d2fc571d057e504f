r"""The line format of ShARe/CLEF eHealth 2013 Tasks 1 and 2, and of SemEval-2014 Task 7.

``DocName||Type||CUI||start||end[||start||end ...]``, one line for a mention; offsets count
characters, ends exclusive. Names of documents are case-sensitive, codes are not. The type says
nothing that is scored; it is kept. In references of Task 2 the third column holds the
annotators' codes, best first, with commas between them.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from clineval.errors import InputError
from clineval.formats.files import Source, read_text_files
from clineval.mentions.mention import Document, Fragment, Mention, Value

FILES = r"\.pipe(?!.*~$)"
SCRIPT_FILES = r"^[^.].*[^~]$"
"""What ``eval.pl`` reads: any name of two characters or more, hidden and backup files excepted."""
SEPARATOR = "||"
TYPE, CUI_LESS = "Disease_Disorder", "CUI-less"
TYPE_COLUMN, CUI_COLUMN, OFFSETS_COLUMN = 1, 2, 3
FEWEST = OFFSETS_COLUMN + 2
_OFFSET = re.compile(r" *\d{1,9} *\Z", re.ASCII)


def read_documents(source: Source) -> list[Document]:
    r"""Read lines as objects; a mention's type is the slot ``type``.

    Args:
        source: a directory of ``*.pipe*`` files, one file, or the text itself.

    Returns:
        The documents in the order of their first lines. An empty file is an empty document
        named after the file.

    Raises:
        InputError: names the file and the line.

    Examples:
        >>> document, = read_documents("a.txt||Disease_Disorder||C0344720||4||15||31||38\n")
        >>> document.mentions[0].spans, dict(document.mentions[0].slots)
        (((4, 15), (31, 38)), {'type': 'Disease_Disorder'})
    """
    found: dict[str, list[Mention]] = {}
    for file in read_text_files(source, pattern=FILES, separator=SEPARATOR):
        if not file.content.strip() and file.stem:
            found.setdefault(f"{file.stem}.txt", [])
        for number, line in enumerate(file.content.decode().split("\n"), 1):
            if line.strip():
                name, mention = parse_line(line, f"{file.label}:{number}")
                found.setdefault(name, []).append(mention)
    return [Document(name, mentions) for name, mentions in found.items()]


def write_documents(documents: Iterable[Document], directory: Path) -> None:
    """Write one ``.pipe`` file for each document.

    Args:
        documents: each needs an id; ``note.txt`` and ``note`` are written to ``note.pipe``, and
            called ``note.txt`` there.
        directory: made if it is not there.
    """
    directory.mkdir(parents=True, exist_ok=True)
    for document in documents:
        if not document.id:
            raise InputError("a document without id has no file name", remedy="Give it an id")
        stem = document.id.removesuffix(".txt")
        # a file without lines has no name but this one
        named = Document(f"{stem}.txt", document.mentions)
        (directory / f"{stem}.pipe").write_text(format_document(named), "utf-8", newline="\n")


def format_document(document: Document) -> str:
    r"""One document as lines.

    Examples:
        >>> format_document(Document("a.txt", [Mention([(4, 15), (31, 38)], "C0344720")]))
        'a.txt||Disease_Disorder||C0344720||4||15||31||38\n'
    """
    return "".join(f"{line}\n" for line in _format_mentions(document))


def _format_mentions(document: Document) -> Iterator[str]:
    for mention in document.mentions:
        kind = str(mention.slots.get("type", TYPE))
        offsets = (str(offset) for fragment in mention.spans for offset in fragment)
        yield SEPARATOR.join([str(document.id), kind, mention.cui or CUI_LESS, *offsets])


def parse_line(line: str, where: str) -> tuple[str, Mention]:
    """The document's name and the mention.

    Raises:
        InputError: names ``where``.
    """
    cells = split_line(line)
    if len(cells) < FEWEST:
        raise too_few(len(cells), where)
    slots: dict[str, Value] = {"type": cells[TYPE_COLUMN]}
    try:
        fragments = parse_offsets(cells[OFFSETS_COLUMN:])
        return cells[0], Mention(fragments, cells[CUI_COLUMN], slots)
    except InputError as error:
        raise InputError(str(error), where=where) from None


def split_line(line: str) -> list[str]:
    """The cells of a line, without empty ones at its end."""
    cells = line.split(SEPARATOR)
    while cells and not cells[-1]:
        cells.pop()
    return cells


def parse_offsets(cells: Sequence[str]) -> list[Fragment]:
    """Offsets as they stand in a line, as fragments.

    Raises:
        InputError: something that is no number, or an offset that is alone.

    Examples:
        >>> parse_offsets(["4", "15", "31", "38"])
        [(4, 15), (31, 38)]
    """
    if not all(map(_OFFSET.match, cells)):
        raise malformed_offsets("")
    if len(cells) % 2:
        raise odd_offsets(len(cells), "")
    numbers = list(map(int, cells))
    return list(zip(numbers[::2], numbers[1::2], strict=True))


def too_few(width: int, where: str) -> InputError:
    """A line ends before its first fragment."""
    return InputError(f"expected DocName||Type||CUI||start||end, got {width} columns", where=where)


def malformed_offsets(where: str) -> InputError:
    """One of the offsets is no number."""
    return InputError("expected numbers of one to nine digits from column 4 on", where=where)


def odd_offsets(count: int, where: str) -> InputError:
    """An offset is alone."""
    return InputError(
        f"expected offsets in pairs start||end, got {count} offsets",
        where=where,
        remedy="Give every fragment its end",
    )


def unordered_offsets(before: int, after: int, where: str) -> InputError:
    """The offsets of a line decrease."""
    return InputError(
        f"offset {after} stands after {before}, expected offsets in increasing order",
        where=where,
        remedy="Sort the fragments, and put each start before its end",
    )
