"""The entries format of the i2b2 2009 medication challenge: ``<record>.i2b2.entries``.

One line for an entry, ``||`` between its fields::

    m="lantus" 6:1 6:1||do="7 units" 6:2 6:3||mo="nm"||f="q.p.m" 6:5 6:5||du="nm"||r="nm"||ln="list"

Offsets are ``line:token line:token``, first and last token; lines count from 1, tokens of a line
from 0; fragments have a comma between them. A field that is not mentioned is ``nm`` and has no
offsets. The fields ``e``, ``t`` and ``c`` may be there and are not scored. Text may have quotes in
it, but no ``||``.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from pathlib import Path

from clineval.entries.entry import FIELDS, REMARKS, Entry, Phrase, format_offset, unknown_field
from clineval.errors import InputError
from clineval.formats.files import Source, read_text_files

FILES = r"\.i2b2\.entries$"
EXTENSION = ".i2b2.entries"
MARK = '="'  # what tells the text of an entry from a path
SEPARATOR = "||"
NOT_MENTIONED = "nm"
TAGS = (*FIELDS, *REMARKS, "ln")
_CELL = re.compile(r'\s*(?P<tag>[^\s="]*)="(?P<text>.*)"\s*(?P<offsets>[^"]*?)\s*\Z')
_FRAGMENT = re.compile(r"\s*(\d{1,6}):(\d{1,6})\s+(\d{1,6}):(\d{1,6})\s*\Z", re.ASCII)


def read_entries(source: Source) -> dict[str, list[Entry]]:
    r"""Read entries as objects.

    Args:
        source: a directory of ``*.i2b2.entries`` files, one file, or the text itself.

    Returns:
        Record name to its entries in their order; the name of a text is empty.

    Raises:
        InputError: names the file, the line and the field.

    Examples:
        >>> entry, = read_entries('m="lantus" 6:1 6:1||do="nm"||ln="list"\n')[""]
        >>> entry.fields["m"].offsets, entry.genre
        (((6, 1, 6, 1),), 'list')
    """
    records = {}
    for file in read_text_files(source, pattern=FILES, separator=MARK):
        lines = enumerate(file.content.decode().split("\n"), 1)
        records[file.stem or ""] = [
            _parse_line(line, f"{file.label}:{number}") for number, line in lines if line.strip()
        ]
    return records


def record_names(directory: Source) -> list[str]:
    """The records that have a file in a directory, in the order of their names."""
    files = read_text_files(directory, pattern=FILES, separator=MARK)
    return [file.stem or "" for file in files]


def write_entries(records: Mapping[str, Iterable[Entry]], directory: Path) -> None:
    """Write one file for each record.

    Args:
        records: record name to entries.
        directory: made if it is not there.
    """
    directory.mkdir(parents=True, exist_ok=True)
    for name, entries in records.items():
        text = "".join(map(format_entry, entries))
        (directory / f"{name}{EXTENSION}").write_text(text, "utf-8", newline="\n")


def format_entry(entry: Entry) -> str:
    r"""One entry as a line.

    Examples:
        >>> format_entry(Entry({"m": Phrase("lantus", [(6, 1, 6, 1)])}, "list"))
        'm="lantus" 6:1 6:1||do="nm"||mo="nm"||f="nm"||du="nm"||r="nm"||ln="list"\n'
    """
    cells = [_format_field(tag, entry.fields.get(tag)) for tag in FIELDS]
    cells += [f'{tag}="{entry.remarks[tag]}"' for tag in REMARKS if tag in entry.remarks]
    cells += [f'ln="{entry.genre}"'] if entry.genre else []
    return SEPARATOR.join(cells) + "\n"


def _format_field(tag: str, phrase: Phrase | None) -> str:
    if phrase is None:
        return f'{tag}="{NOT_MENTIONED}"'
    if SEPARATOR in phrase.text or "\n" in phrase.text:
        raise InputError(
            f"{tag}: the entries format has no way to write a text with {SEPARATOR} or a line end"
        )
    offsets = ",".join(map(format_offset, phrase.offsets))
    return f'{tag}="{phrase.text}" {offsets}'


def _parse_line(line: str, where: str) -> Entry:
    fields: dict[str, Phrase] = {}
    remarks: dict[str, str] = {}
    seen: set[str] = set()
    try:
        for cell in filter(str.strip, line.split(SEPARATOR)):
            tag, text, offsets = _parse_cell(cell)
            if tag in seen:
                raise repeated_field(tag)
            seen.add(tag)
            if tag not in FIELDS:
                remarks[tag] = text
            elif text.lower() != NOT_MENTIONED or offsets:
                fields[tag] = _parse_phrase(tag, text, offsets)
        return Entry(fields, remarks.pop("ln", None), remarks)
    except InputError as error:
        raise InputError(str(error), where=where) from None


def _parse_cell(cell: str) -> tuple[str, str, str]:
    match = _CELL.match(cell)
    if not match:
        raise malformed_field()
    if match["tag"] not in TAGS:
        raise unknown_field(match["tag"])
    return match["tag"], match["text"], match["offsets"]


def _parse_phrase(tag: str, text: str, offsets: str) -> Phrase:
    if text.lower() == NOT_MENTIONED:
        raise unexpected_offsets(tag)
    if not offsets:
        raise missing_offsets(tag)
    fragments = []
    for part in offsets.split(","):
        match = _FRAGMENT.match(part)
        if not match:
            raise malformed_offsets(tag)
        fragments.append(tuple(map(int, match.groups())))
    try:
        return Phrase(text, fragments)
    except InputError as error:
        raise InputError(f"{tag}: {error}") from None


def malformed_field(where: str = "") -> InputError:
    """A cell is not of the form ``tag="text" offsets``."""
    return InputError('expected fields such as m="text" 5:1 5:3 with || between them', where=where)


def malformed_offsets(tag: str, where: str = "") -> InputError:
    """What follows the text is no list of fragments."""
    return InputError(
        f"{tag}: expected offsets such as 5:1 5:3 or 5:9 5:9,6:0 6:0, of up to 6 digits each",
        where=where,
    )


def missing_offsets(tag: str, where: str = "") -> InputError:
    """A field has a text and no offsets."""
    return InputError(
        f"{tag}: the field has no offsets", where=where,
        remedy=f'Write {tag}="{NOT_MENTIONED}" if it is not mentioned',
    )  # fmt: skip


def unexpected_offsets(tag: str, where: str = "") -> InputError:
    """A field that is not mentioned has offsets."""
    return InputError(f"{tag}: a field that is {NOT_MENTIONED} has no offsets", where=where)


def repeated_field(tag: str, where: str = "") -> InputError:
    """A field is there twice."""
    return InputError(f"{tag}: the field is there twice", where=where)
