"""Names of codes: a table of two columns, code and name, as CSV or TSV."""

from __future__ import annotations

import csv
from collections.abc import Collection, Iterator, Mapping
from pathlib import Path

from clineval.base.errors import InputError, shown
from clineval.base.files import name_path
from clineval.formats.files import read_text

_HEADING = ("code", "name")


def read_names(given: Mapping[str, str] | str | Path | None) -> Mapping[str, str]:
    """Read the names of codes from a mapping or a file. If a code repeats, the first name counts.

    A line is a code, a comma or a tab, and a name. A first line ``code,name`` is a heading.
    Further columns are ignored.

    Raises:
        InputError: a line has another form, with file and line.

    Examples:
        >>> read_names({"C0015230": "Exanthema"})
        {'C0015230': 'Exanthema'}
    """
    if given is None:
        return {}
    if isinstance(given, Mapping):
        if not all(isinstance(text, str) for pair in given.items() for text in pair):
            raise InputError(f"expected codes and their names, got {shown(given)}", where="names")
        return dict(given)
    names: dict[str, str] = {}
    for code, name in _read_lines(given):
        names.setdefault(code, name)
    return names


def choose_names(names: Mapping[str, str], codes: Collection[str]) -> dict[str, str]:
    """Return the names of some codes; case does not matter.

    Examples:
        >>> choose_names({"I10": "Hypertension", "I11": "Heart disease"}, ["i10"])
        {'i10': 'Hypertension'}
    """
    known = {code.lower(): name for code, name in names.items()}
    return {code: known[code.lower()] for code in codes if code.lower() in known}


def _read_lines(source: str | Path) -> Iterator[tuple[str, str]]:
    lines = read_text(source).splitlines()
    tabs = any("\t" in line for line in lines[:1])
    cells = csv.reader(lines, delimiter="\t" if tabs else ",")
    for at, row in enumerate(cells, 1):
        first = tuple(cell.strip() for cell in row[:2])
        if not any(first) or (at == 1 and tuple(map(str.lower, first)) == _HEADING):
            continue
        if len(first) < len(_HEADING) or not all(first):
            raise InputError(
                "expected a code, a comma or a tab, and a name", where=f"{name_path(source)}:{at}"
            )
        yield first[0], first[1]
