"""Names of a package that are imported from their modules on first use."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Mapping
from importlib import import_module
from itertools import chain
from typing import Any


def import_later(
    package: str, homes: Mapping[str, Iterable[str]]
) -> tuple[Callable[[str], Any], Callable[[], list[str]]]:
    """Return ``__getattr__`` and ``__dir__`` for a package.

    Args:
        package: the package's full name.
        homes: each module of the package, with the names to import from it.

    Examples:
        >>> get, names = import_later("clineval.base", {"files": ["name_path"]})
        >>> get("name_path").__module__, "name_path" in names()
        ('clineval.base.files', True)
    """

    def get(name: str) -> Any:
        for home, names in homes.items():
            if name in names:
                found = getattr(import_module(f"{package}.{home}"), name)
                setattr(sys.modules[package], name, found)  # the next use finds it there
                return found
        raise AttributeError(f"module {package!r} has no attribute {name!r}")

    def names() -> list[str]:
        return sorted({*vars(sys.modules[package]), *chain(*homes.values())})

    return get, names
