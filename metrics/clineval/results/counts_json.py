"""Counts as JSON: checked in full when they are read, because they come from other machines."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from itertools import chain
from typing import TYPE_CHECKING, Any, NotRequired, TypedDict, TypeVar

import numpy as np
from numpy.typing import NDArray

from clineval.base.arrays import FloatArray
from clineval.base.errors import InputError, listed
from clineval.base.files import Source, read_bytes
from clineval.base.strict_json import expect_json
from clineval.results.challenge import Challenge
from clineval.results.options import check_name

if TYPE_CHECKING:  # few scores need labels
    from clineval.results.label_rows import LabelRows

T = TypeVar("T")
FORMAT = "clineval counts 1"
_LARGEST = 2**53
"""The largest integer up to which numbers are exact, so that sums do not overflow either."""


class Stored(TypedDict):
    """The fields of ``Counts``, with the challenge's name."""

    metric: str
    config: str
    settings: dict[str, str]
    columns: tuple[str, ...]
    documents: tuple[str, ...]
    table: FloatArray
    digests: NDArray[np.uint64]
    details: list[Mapping[str, Any]]
    labels: NotRequired[LabelRows]


def write_counts(fields: Stored) -> str:
    """Write the fields of ``Counts``, with the challenge's name, as JSON of :data:`FORMAT`."""
    arrays = {"table": fields["table"].tolist(), "digests": fields["digests"].tolist()}
    labels = {"labels": fields["labels"].as_dict()} if "labels" in fields else {}
    return json.dumps({"format": FORMAT, **fields, **arrays, **labels})


def read_counts(text: str) -> Stored:
    """Read the fields of ``Counts``, with the challenge's name, from JSON of :data:`FORMAT`."""
    stored = expect_json(text, f"JSON of the format {FORMAT!r}", "")
    if not isinstance(stored, dict) or stored.get("format") != FORMAT:
        raise InputError(f"expected JSON of the format {FORMAT!r}")
    columns, documents = (_take_strings(stored, name) for name in ("columns", "documents"))
    settings = _take(stored, "settings", dict)
    if not all(isinstance(value, str) for value in settings.values()):
        raise _refuse("settings", "strings")
    details = _take(stored, "details", list) if "details" in stored else []
    if len(details) not in (0, len(documents)) or not all(isinstance(d, dict) for d in details):
        raise _refuse("details", "an object for each document")
    found: Stored = {
        "metric": _take(stored, "metric", str),
        "config": _take(stored, "config", str),
        "settings": settings,
        "columns": columns,
        "documents": documents,
        "table": _take_table(stored, len(documents), len(columns)),
        "digests": _take_digests(stored, len(documents)),
        "details": details,
    }
    if "labels" in stored:
        from clineval.results.label_rows import read_rows

        found["labels"] = read_rows(stored["labels"], len(documents))
    return found


def check_counts(
    challenge: Challenge,
    config: str,
    settings: Mapping[str, str],
    columns: Sequence[str],
    table: FloatArray,
) -> None:
    """Reject counts that the challenge cannot have."""
    check_name("config", config, challenge.task.configs)
    check_name("protocol", settings.get("protocol", ""), challenge.protocols)
    least = dict(zip(columns, table.min(axis=0, initial=0.0).tolist(), strict=True))
    below = [name for name in columns if least[name] < 0 and name not in challenge.measures.signed]
    if below:
        raise InputError(f"expected counts of at least 0, got less in {listed(below)}")
    try:
        challenge.measures.under(settings).finish(
            dict(zip(columns, table.sum(axis=0).tolist(), strict=True)), config
        )
    except KeyError:
        missing = True
    else:
        missing = len(least) < len(columns)
    if missing:
        raise InputError(f"columns: expected each count of {challenge.name} once")


def read_file(path: Source) -> str:
    """Read the text of a file; return an empty string if it is not UTF-8."""
    try:
        return read_bytes(path).decode()
    except UnicodeDecodeError:
        return ""


def _refuse(name: str, wanted: str) -> InputError:
    """Return the error of a wrong value, without quoting the value, which may be anything."""
    return InputError(f"{name}: expected {wanted}", where=f"JSON of the format {FORMAT!r}")


def _take(stored: Mapping[str, object], name: str, kind: type[T]) -> T:
    value = stored.get(name)
    if not isinstance(value, kind):
        wanted: Mapping[type, str] = {str: "a string", list: "a list", dict: "an object"}
        raise _refuse(name, wanted[kind])
    return value


def _take_strings(stored: Mapping[str, object], name: str) -> tuple[str, ...]:
    values = _take(stored, name, list)
    if not all(isinstance(value, str) for value in values):
        raise _refuse(name, "strings")
    return tuple(values)


def _take_table(stored: Mapping[str, object], documents: int, columns: int) -> FloatArray:
    wanted = f"{documents} lists of {columns} numbers"
    rows = _take(stored, "table", list)
    if len(rows) != documents or any(not isinstance(r, list) or len(r) != columns for r in rows):
        raise _refuse("table", wanted)
    if not set(map(type, chain.from_iterable(rows))) <= {int, float}:
        raise _refuse("table", wanted)
    try:
        table: FloatArray = np.array(rows, np.float64).reshape(documents, columns)
    except OverflowError:
        table = np.full((documents, columns), np.inf)
    if not (np.abs(table) <= _LARGEST).all():
        raise _refuse("table", f"{wanted}, finite and at most {_LARGEST}")
    return table


def _take_digests(stored: Mapping[str, object], documents: int) -> NDArray[np.uint64]:
    digests = _take(stored, "digests", list)
    if len(digests) != documents or any(type(d) is not int or not 0 <= d < 2**64 for d in digests):
        raise _refuse("digests", f"{documents} integers of 64 bits")
    return np.array(digests, np.uint64)
