"""Read brat lines by their first letter, as released scripts that split lines at blanks do."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from io import StringIO
from pathlib import Path
from typing import NamedTuple

from clineval.base.errors import InputError, located
from clineval.base.offsets import judge_offset
from clineval.formats.files import TextFile, read_text

_BOM = b"\xef\xbb\xbf"


def decode_marked(file: TextFile) -> str:
    """Return a file's text with its byte order mark, which hides the first line from programs."""
    mark = ""
    if file.path:
        with open(file.path, "rb") as opened:  # noqa: PTH123 - half of Path.open's time
            mark = "\ufeff" if opened.read(len(_BOM)) == _BOM else ""
    return mark + file.content.decode()


class Line(NamedTuple):
    """A line: its place for messages, its text, and its text without blanks at both ends."""

    where: str
    written: str
    stripped: str


def split_lines(text: str, label: str) -> list[Line]:
    """Split the text of a file; ``label`` is its name in messages."""
    opened = enumerate(StringIO(text, newline=None), 1)
    return [Line(f"{label}:{number}", line, line.strip()) for number, line in opened]


def read_mentions(lines: Iterable[Line], messages: list[str]) -> dict[str, tuple[str, int, int]]:
    r"""Return type, start and end of each mention by its id; append the scripts' messages.

    An incomplete line ``T`` keeps the missing parts of the line ``T`` before it.

    Raises:
        InputError: the scripts end with an error at a line.

    Examples:
        >>> messages = []
        >>> read_mentions(split_lines("T1\tDrug 0 4\tabcd\nT2 Drug 5 9\n", "a.ann"), messages)
        {'T1': ('Drug', 0, 4)}
        >>> messages
        [' T2 Drug 5 9\n']
    """
    mentions: dict[str, tuple[str, int, int]] = {}
    cells: list[str] = []
    words: list[str] = []
    for where, line, stripped in lines:
        if not stripped.startswith("T"):
            continue
        if stripped.count("\t") == 2:  # noqa: PLR2004
            cells = stripped.split("\t")
        else:
            messages.append(f" {line}")
        if not cells:
            raise stop(where)
        if 2 <= cells[1].count(" ") <= 4:  # noqa: PLR2004
            words = cells[1].split(" ")
        else:
            messages.append(f"\n{line}")
        if not words:
            raise stop(where)
        start, end = (_read_offset(word, where) for word in (words[1], words[-1]))
        mentions[cells[0]] = (words[0].strip(), start, end)
    return mentions


def _read_offset(word: str, where: str) -> int:
    try:
        offset = int(word)
    except ValueError:
        raise stop(where) from None
    return located(where, judge_offset, offset)


def split_three(line: str, where: str) -> tuple[str, list[str]]:
    """Split a line of an id, a tab and three words, into the id and the words.

    Raises:
        InputError: the line has another form; the scripts end with an error.
    """
    cells = line.split("\t")
    words = cells[-1].split(" ")
    if len(cells) != 2 or len(words) != 3:  # noqa: PLR2004
        raise stop(where)
    return cells[0], words


def stop(where: str) -> InputError:
    """Return the error for a line that makes the scripts fail."""
    return InputError(
        "the released script stops at this line",
        where=where,
        remedy="Correct the line, or use protocol='spec', which reports what is wrong",
    )


def list_messages(
    folder: Path, names: Collection[str], read: Callable[[str, str], Sequence[str]]
) -> Iterator[str]:
    """Yield the scripts' messages about the lines of files, each with the path first.

    Args:
        folder: the folder of the files.
        names: the names of the files.
        read: returns the messages for a text, given the text and its path.
    """
    for path in (folder / name for name in sorted(names)):
        yield from (f"{path}{message}\n" for message in read(read_text(path), str(path)))
