"""Compressed files, which are read like the files that they contain: ``a.jsonl.gz``, ``a.tsv.zst``.

Only JSON Lines and tables are recognized. Nothing is unpacked to a file.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from pathlib import PurePath
from types import ModuleType
from typing import IO, cast

from clineval.base.errors import InputError, need

_PACKED = re.compile(r"(\.(?:jsonl|csv|tsv))\.(?:gz|zst)\Z")
_ZST = ".zst"
_Broken = tuple[type[Exception], ...]
_NO_ZST = ".zst files need Python 3.14 or the package backports.zstd"


def is_packed(name: str) -> bool:
    """Return whether a file is compressed, by its name."""
    return name.endswith((".gz", _ZST)) and _PACKED.search(name) is not None


def bare_name(name: str) -> str:
    """Return a name without the ending of compressed files.

    Examples:
        >>> bare_name("a.jsonl.gz"), bare_name("a.tsv"), bare_name("a.pipe.gz")
        ('a.jsonl', 'a.tsv', 'a.pipe.gz')
    """
    return _PACKED.sub(r"\1", name) if is_packed(name) else name


def ending_of(path: str | os.PathLike[str]) -> str:
    """Return the ending that identifies a file's format, such as ``.jsonl`` of ``a.jsonl.gz``."""
    return PurePath(bare_name(os.fspath(path))).suffix


@contextmanager
def unpacking(file: IO[bytes], name: str, where: str) -> Iterator[IO[bytes]]:
    """Unpack an open file inside.

    Args:
        file: the compressed content.
        name: the name of the file, which determines how to unpack it.
        where: the place, for messages.

    Raises:
        InputError: the file is broken, or nothing installed can unpack it.
    """
    stream, broken = _open_zst(file) if name.endswith(_ZST) else _open_gz(file)
    try:
        with stream:
            yield stream
    except broken:
        raise InputError("the compressed file is broken", where=where) from None


def _open_gz(file: IO[bytes]) -> tuple[IO[bytes], _Broken]:
    import gzip  # few files need it
    import zlib

    stream = cast("IO[bytes]", gzip.GzipFile(fileobj=file))
    return stream, (gzip.BadGzipFile, EOFError, zlib.error)


def _open_zst(file: IO[bytes]) -> tuple[IO[bytes], _Broken]:
    zstd = _import_zstd()
    return zstd.open(file), (zstd.ZstdError, EOFError)


def _import_zstd() -> ModuleType:
    try:
        return import_module("compression.zstd")
    except ImportError:
        found: ModuleType = need("backports.zstd", "zst", _NO_ZST)
        return found


def too_large(largest: int, where: str) -> InputError:
    """Return the error for more than ``largest`` bytes."""
    return InputError(
        f"larger than {largest} bytes", where=where, remedy="Raise CLINEVAL_MAX_BYTES"
    )
