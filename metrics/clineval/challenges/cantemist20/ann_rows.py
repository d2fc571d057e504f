"""brat's files as rows of a table, as the library of CANTEMIST 2020 reads them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, replace
from functools import partial
from itertools import chain

from clineval.base.errors import warn
from clineval.base.files import Source, find_path
from clineval.challenges.cantemist20.notes import UNREAD
from clineval.formats.brat.standoff import FILES
from clineval.formats.files import SomeFiles, TextFile, names_in, read_text_files
from clineval.programs.pandas_cells import Frame, stop
from clineval.programs.span_rows import RowSide, RowTables
from clineval.results.slots import Slot

_CELLS = 3
_COLUMNS = ("filename", "label", "start", "end", "text", "code")


@dataclass(frozen=True, slots=True)
class AnnRows(RowTables):
    """brat's files as rows; files with a line that the library does not expect are skipped."""

    FILES: str = FILES
    UNREAD: AbstractSet[str] = UNREAD

    def document_key(self, name: str) -> str:
        """Return the name without ``.txt``; names of files come without ``.ann``."""
        return name.removesuffix(".txt")

    def read_side(self, source: Source, slots: Sequence[Slot], *, strict: bool) -> RowSide:  # noqa: ARG002
        """Read all files below a directory, or one file."""
        read = partial(read_text_files, pattern=FILES, separator="\t", as_written=True)
        path = find_path(source, "\t")
        below = {file.parent for file in path.glob("*/**/*.ann")} if path and path.is_dir() else ()
        first = SomeFiles(path, names_in(path)) if path and below else source
        files = list(chain(read(first), *map(read, sorted(below))))
        names = {file.stem or "" for file in files}
        side = self.arrange(self.read_frame(files, slots), slots, names)
        return replace(side, written=False)  # one of the files may have no mention

    def read_frame(self, files: Iterable[TextFile], slots: Sequence[Slot]) -> Frame:  # noqa: ARG002
        """Read the mentions that are in no relation; the last note on a mention is its code."""
        rows: list[tuple[str, ...]] = []
        places, numbers, skipped = list[str](), list[int](), list[str]()
        for number, file in enumerate(files):
            lines = [line.split("\t") for line in re.split("\r\n?|\n", file.content.decode())[:-1]]
            odd = any(map(_is_odd, lines))
            skipped += [file.stem or file.label] if odd else []
            for at, cells in () if odd else _read_rows(lines, file.label):
                rows.append((file.stem or "", *cells))
                places.append(f"{file.label}:{at}")
                numbers.append(number)
        warn("{n} {file|files} with a line that the library does not expect {is|are} skipped: "
             "{names}", skipped)  # fmt: skip
        columns = {name: [row[at] for row in rows] for at, name in enumerate(_COLUMNS)}
        return Frame(columns, places, numbers)


def _is_odd(cells: Sequence[str]) -> bool:
    return len(cells) != _CELLS or (cells[0][:1] == "T" and ";" in cells[1].partition(" ")[2])


def _read_rows(
    lines: Sequence[Sequence[str]], label: str
) -> Iterator[tuple[int, tuple[str, str, str, str, str]]]:
    try:
        ends = [of[1].split(" ")[at] for of in lines if of[0][:1] == "R" for at in (1, 2)]
        hidden = {end.split(":")[1] for end in ends}
        codes = {of[1].split(" ")[1]: of[2].strip() for of in lines if of[0][:1] == "#"}
    except IndexError:
        raise stop("a relation or a note that does not name its mention", label) from None
    for at, (name, place, words) in enumerate(lines, 1):
        if name[:1] == "T" and name not in hidden:
            kind, start, end = (*place.split(" ", 2), "", "")[:3]
            yield at, (kind, start, end, words.strip(), codes.get(name, ""))
