"""Lists of valid codes: read them, check codes against them, and describe them in signatures."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from clineval.base.errors import InputError, agree, shown, warn
from clineval.base.files import Source
from clineval.base.hashing import hash_text
from clineval.formats.files import read_text_files
from clineval.results.options import Option
from clineval.results.settings import Setting
from clineval.results.slots import Slot

_FILES = r"\.(tsv|txt)$"
_UNKNOWN = "{n} {code is|codes are} not in the list of valid codes"


def read_code_list(given: object) -> frozenset[str] | None:
    """Read the valid codes.

    ``given`` is the path of TSV files with the codes in the first column, a collection of codes,
    or None for all codes. A code that is alone on its line keeps the line end, as in the released
    programs.

    Raises:
        InputError: the value is something else, or contains no codes.
    """
    return take_codes(given, _list_codes, whole=False)


def take_codes(
    given: object, read_files: Callable[[Source], Iterable[str]], *, whole: bool
) -> frozenset[str] | None:
    """Return codes from files or from a collection; None for all codes.

    Args:
        given: a path, a collection, or None.
        read_files: reads the codes of a path.
        whole: whether to reject a collection with items other than strings; otherwise these items
            are ignored.

    Raises:
        InputError: the value is something else, or contains no codes.

    Examples:
        >>> sorted(take_codes(["12", "34"], iter, whole=True))
        ['12', '34']
    """
    if given is None or isinstance(given, frozenset):
        return given
    if isinstance(given, (str, os.PathLike)):
        found = frozenset(read_files(given))
        if not found:
            raise InputError("expected codes in the first column, got none", where="codes")
        return found
    listed = given if isinstance(given, (list, tuple, set)) else ()
    codes = [code for code in listed if isinstance(code, str)]
    if not codes or (whole and len(codes) < len(listed)):
        raise InputError(f"expected a path or codes, got {shown(given)}", where="codes")
    return frozenset(codes)


def _list_codes(source: Source) -> Iterator[str]:
    for file in read_text_files(source, pattern=_FILES, separator="\t"):
        lines = file.content.decode().splitlines(keepends=True)
        yield from (line.split("\t")[0] for line in lines if line.strip())


CODES = Option(
    "codes",
    "Valid codes, the first column of a TSV file.",
    kind="file",
    python="the valid codes, or the path of a TSV file with the codes in the first column",
    parse=read_code_list,
)


@dataclass(frozen=True, slots=True)
class CodeList:
    """The valid codes, and how to split a cell into codes.

    Args:
        valid: the codes.
        split: lists the codes of a cell.
        ending: an optional ending of a code.

    Examples:
        >>> known = CodeList(frozenset(["12", "34"]), lambda cell: cell.split("+"), "|H")
        >>> known.judge("12|H+34"), known.judge("12+56")
        ('', '1 code is not in the list of valid codes')
    """

    valid: frozenset[str]
    split: Callable[[str], Iterable[str]]
    ending: str = ""

    def judge(self, cell: str) -> str:
        """Return the problem of a cell, for readers of gold standards; empty if there is none."""
        unknown = self._count_unknown(cell)
        return agree(_UNKNOWN, unknown) if unknown else ""

    def warn(self, cells: Iterable[str]) -> None:
        """Warn about predicted codes that are not in the list; they count as wrong."""
        each = Counter(cells).items()
        unknown = sum(times * self._count_unknown(cell) for cell, times in each)
        warn(f"{_UNKNOWN}, and {{counts|count}} as wrong", n=unknown)

    def _count_unknown(self, cell: str) -> int:
        return sum(code.removesuffix(self.ending) not in self.valid for code in self.split(cell))


@dataclass(frozen=True, slots=True)
class ListedSlot(Slot):
    """A slot of codes that are checked against a list."""

    codes: CodeList | None = None

    def judge(self, value: str) -> str:
        """Return a message if codes are not in the list; otherwise an empty string."""
        return self.codes.judge(value) if self.codes else ""


VALID_CODES = Setting(
    "codes",
    "whether a list of valid codes was given, and its digest",
    option="--codes",
    literal=False,
)
"""The field of signatures for a list of valid codes."""


def describe(valid: Iterable[str] | None) -> str:
    """Return the length and a hash of a list of codes, for the signature.

    Examples:
        >>> describe(None), describe(["12", "34"])
        ('any', '2-3f31fa')
    """
    codes = sorted({code.strip() for code in valid or ()})
    return "any" if valid is None else f"{len(codes)}-{hash_text(' '.join(codes)) >> 40:06x}"
