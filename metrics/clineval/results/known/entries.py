"""The entries of a list of gold standards, read and checked.

``datasets.toml`` beside a challenge's definition has an entry for each part of a corpus, such as
``[test]``; its name is ``<challenge>/test``. An entry identifies a gold standard by digests of its
annotations (:func:`clineval.base.hashing.digest_all`), one for each view. A view is a
configuration, or ``configuration/protocol`` if the protocol reads other annotations.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, fields
from pathlib import Path
from typing import TypeVar

from clineval.base.addresses import is_safe
from clineval.base.errors import InputError, shown, unknown_name
from clineval.base.files import name_path
from clineval.results.options import check_name

Kind = TypeVar("Kind")
ACCESS = ("bundled", "open", "agreement")
"""Part of clineval; free to download; available after signing an agreement."""
_TOML: Mapping[type, str] = {
    dict: "table",
    list: "list",
    str: "string",
    int: "whole number",
}
_HEX = re.compile(r"[0-9a-f]{64}\Z")


@dataclass(frozen=True, slots=True)
class RemoteFile:
    """A file of a corpus to download.

    Args:
        url: its address.
        path: its local name, or the folder into which an archive is unpacked.
        size: its size in bytes; None if we could not check it.
        sha256: its SHA-256; None if we could not check it.
        only: the folder of an archive that is unpacked; all if empty.
    """

    url: str
    path: str = ""
    size: int | None = None
    sha256: str = ""
    only: str = ""

    @property
    def verified(self) -> bool:
        """Whether its size and its SHA-256 are known."""
        return self.size is not None and bool(self.sha256)


@dataclass(frozen=True, slots=True)
class Dataset:
    """A part of a corpus.

    Args:
        name: the challenge and the part.
        about: a line about it.
        language: the language of its notes, such as ``es``.
        licence: its licence; empty if that is not known.
        terms: further conditions of its authors; empty if there are none.
        homepage: the address of its description.
        access: one of :data:`ACCESS`.
        source: how to get it: a command, an address, or whom to ask.
        version: the version, if there are several.
        seen: the origin of the numbers and digests, if it is not the source.
        documents: its number of documents; None if that is not known.
        annotations: its number of annotations, as the first view counts them.
        digests: view to digests; a format may have its own digest; empty if none is known.
        files: the files that ``clineval datasets get`` downloads.
        gold: the path of the gold standard among these files, or in the bundled corpus.
        options: option of the challenge to the path of its value, as for ``gold``.
        settings: option of the challenge to its value, if the files need one.
    """

    name: str
    about: str
    language: str
    licence: str
    terms: str
    homepage: str
    access: str
    source: str
    version: str
    seen: str
    documents: int | None
    annotations: int | None
    digests: Mapping[str, tuple[str, ...]]
    files: tuple[RemoteFile, ...]
    gold: str
    options: Mapping[str, str]
    settings: Mapping[str, str]

    @property
    def challenge(self) -> str:
        """The challenge's name."""
        return self.name.partition("/")[0]

    @property
    def part(self) -> str:
        """The part's name."""
        return self.name.partition("/")[2]

    @property
    def verified(self) -> bool:
        """Whether size and SHA-256 of all downloads are known."""
        return all(file.verified for file in self.files)

    def options_in(self, folder: Path) -> dict[str, object]:
        """Return the options of the challenge that go with the files in a folder."""
        return {**self.settings, **{key: folder / of for key, of in self.options.items()}}

    def view_of(self, config: str, protocol: str) -> str:
        """Return the view of a configuration and protocol; empty if there is none."""
        views = (f"{config}/{protocol}", config, f"default/{protocol}", "default")
        return next((view for view in views if view in self.digests), "")


def read_entries(challenge: str, text: str, path: Path) -> tuple[Dataset, ...]:
    """Read the text of a challenge's list from the file ``path``.

    Raises:
        InputError: the list is invalid; the message says where.
    """
    import tomllib

    try:
        entries = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise InputError(f"not TOML: {error}", where=name_path(path)) from None
    return tuple(
        _make_dataset(f"{challenge}/{part}", entry, f"{name_path(path)}, [{part}]")
        for part, entry in entries.items()
    )


def _make_dataset(name: str, entry: object, where: str) -> Dataset:
    """Check an entry, because a misspelt word would silently leave a gold standard unknown."""
    table_of_entry = _take(entry, dict, where)
    _check_keys(table_of_entry, Dataset, where)

    def text(key: str) -> str:
        return _take(table_of_entry.get(key, ""), str, f"{where}, {key}")

    def number(key: str) -> int | None:
        return _take(table_of_entry[key], int, f"{where}, {key}") if key in table_of_entry else None

    def texts(key: str) -> dict[str, str]:
        table = _take(table_of_entry.get(key, {}), dict, f"{where}, {key}")
        return {name: _take(value, str, f"{where}, {key}.{name}") for name, value in table.items()}

    check_name("access", text("access"), ACCESS)
    return Dataset(
        name,
        about=text("about"),
        language=text("language"),
        licence=text("licence"),
        terms=text("terms"),
        homepage=text("homepage"),
        access=text("access"),
        source=text("source"),
        version=text("version"),
        seen=text("seen"),
        documents=number("documents"),
        annotations=number("annotations"),
        digests=_take_digests(table_of_entry.get("digests", {}), f"{where}, digests"),
        files=tuple(
            read_file(file_entry, where)
            for file_entry in _take(table_of_entry.get("files", []), list, where)
        ),
        gold=text("gold"),
        options=texts("options"),
        settings=texts("settings"),
    )


def _take_digests(views: object, where: str) -> dict[str, tuple[str, ...]]:
    """Read views, each with a digest or a list of digests."""
    return {
        view: tuple(
            _judge_hex(_take(each, str, where), where)
            for each in (of if isinstance(of, list) else [of])
        )
        for view, of in _take(views, dict, where).items()
    }


def read_file(entry: object, where: str) -> RemoteFile:
    """Read the entry of a file to download.

    Raises:
        InputError: the entry is invalid; the message names ``where``.
    """
    file_table = _take(entry, dict, f"{where}, files")
    _check_keys(file_table, RemoteFile, f"{where}, files")
    texts = {
        key: _take(of, str, f"{where}, files.{key}")
        for key, of in file_table.items()
        if key != "size"
    }
    if "sha256" in texts:
        _judge_hex(texts["sha256"], where)
    if not is_safe(texts.get("url", "")):
        raise InputError("expected an address that begins with https://", where=f"{where}, files")
    size = _take(file_table["size"], int, f"{where}, files.size") if "size" in file_table else None
    return RemoteFile(**texts, size=size)


def _take(value: object, kind: type[Kind], where: str) -> Kind:
    if type(value) is not kind:
        raise InputError(f"expected a {_TOML[kind]}, got {shown(value)}", where=where)
    return value


def _check_keys(given: Mapping[str, object], kind: type, where: str) -> None:
    allowed_keys = [field.name for field in fields(kind) if field.name != "name"]
    unknown = next((key for key in given if key not in allowed_keys), None)
    if unknown is not None:
        raise unknown_name("key", unknown, allowed_keys, where=where)


def _judge_hex(digest: str, where: str) -> str:
    if not _HEX.match(digest):
        raise InputError("expected 64 hex digits", where=where)
    return digest
