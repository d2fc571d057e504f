"""Signatures in files: results as JSON or JSON Lines, printed tables, or a signature per line."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from pathlib import Path

from clineval.base.errors import InputError, shown_name
from clineval.base.files import is_file, name_path, read_bytes
from clineval.base.strict_json import NotJsonError, parse_json
from clineval.results.signature import Signature

_REMEDY = (
    "Pass a signature in quotes, or a file with one, such as a result of 'clineval score "
    "--format json'"
)
_KEY = "signature"
_LINE = re.compile(r"[%`\s]*(\w[\w.-]*\|[\w.-]+\|\w+:[^`]*?)[`\s]*$")
"""A line with a signature, as printed tables contain it, also in Markdown or LaTeX."""


def read_signatures(arguments: Iterable[str]) -> dict[str, Signature]:
    """Read signatures; each has the name of its file, or its number among the arguments.

    Args:
        arguments: signatures, and paths of files that contain signatures.

    Raises:
        InputError: an argument is neither a signature nor a file with signatures.
    """
    found: dict[str, Signature] = {}
    for number, given in enumerate(arguments, 1):
        if "|" in given:
            found[str(number)] = Signature.parse(given.strip())
        else:
            found |= _read_file(given)
    return found


def _read_file(given: str) -> dict[str, Signature]:
    path = Path(given)
    if not is_file(path):
        problem = "is neither a signature nor a file"
        raise InputError(problem, where=shown_name(given), remedy=_REMEDY)
    name = name_path(path)
    try:
        text = read_bytes(path).decode()
    except UnicodeDecodeError:
        raise InputError("is not valid UTF-8", where=name, remedy=_REMEDY) from None
    signatures = [Signature.parse(each) for each in dict.fromkeys(_list_signatures(text))]
    if not signatures:
        raise InputError("contains no signature", where=name, remedy=_REMEDY)
    if len(signatures) == 1:
        return {name: signatures[0]}
    return {f"{name} #{number}": each for number, each in enumerate(signatures, 1)}


def _list_signatures(text: str) -> Iterator[str]:
    """Yield the signatures of JSON, of JSON Lines, or of lines."""
    if text.lstrip().startswith(("{", "[")):
        try:
            yield from _walk(parse_json(text, constants=True))
        except NotJsonError:
            lines = (line for line in text.splitlines() if line.strip())
            yield from (each for line in lines for each in _list_signatures_of(line))
        return
    yield from (line[1] for line in map(_LINE.match, text.splitlines()) if line)


def _list_signatures_of(line: str) -> list[str]:
    try:
        return list(_walk(parse_json(line, constants=True)))
    except NotJsonError:
        return []


def _walk(data: object) -> Iterator[str]:
    """Yield the signatures of results, wherever JSON has them."""
    if isinstance(data, list):
        for each in data:
            yield from _walk(each)
    elif isinstance(data, dict):
        signature = data.get(_KEY)
        if isinstance(signature, str) and "|" in signature:
            yield signature
        for each in data.values():
            yield from _walk(each)
