"""Lists with an item for each document, and the documents' ids: judged alike for all kinds."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any, Protocol, runtime_checkable

from clineval.base.arrays import is_iterable
from clineval.base.errors import InputError, listed, shown


@runtime_checkable
class AsDocuments(Protocol):
    """Something that becomes documents by itself, such as the columns of a table."""

    def as_documents(self) -> list[dict[str, object]]:
        """Return the documents as dicts."""
        ...


def items_of(given: object, wanted: str, side: str) -> Sequence[Any]:
    """Return the given value item by item.

    Raises:
        InputError: it is not; says that ``wanted`` or a path was expected.
    """
    if isinstance(given, AsDocuments):
        return given.as_documents()
    columnar = type(given).__module__.partition(".")[0] == "pyarrow"
    if columnar or not is_iterable(given) or isinstance(given, (Mapping, bytes)):
        remedy = "Give clineval.Column(table, name), or array.to_pylist()" if columnar else ""
        problem = f"expected {wanted}, or a path, got {shown(given)}"
        raise InputError(problem, where=side, remedy=remedy)
    return given if isinstance(given, (list, tuple)) else list(given)


def judge_ids(ids: Sequence[str | None], side: str, kind: str = "document") -> list[str]:
    """Judge the ids of documents; empty if none has one.

    Raises:
        InputError: only some have one, or two have the same.
    """
    given = [name for name in ids if name is not None]
    if given and len(given) < len(ids):
        raise InputError(
            f"{len(ids) - len(given)} of {len(ids)} {kind}s have no id",
            where=side,
            remedy="Give an id to all of them, or to none to pair them by position",
        )
    repeated = sorted(name for name, times in Counter(given).items() if times > 1)
    if repeated:
        raise InputError(f"repeated {kind} ids: {listed(repeated)}", where=side)
    return given
