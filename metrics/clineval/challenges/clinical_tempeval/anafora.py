"""The XML of Anafora: a folder for each document, with entities, relations and their properties.

``<data><annotations><entity><id>1@e@note@ann</id><span>10,15;20,25</span><type>EVENT</type>
<properties><Polarity>POS</Polarity></properties></entity><relation>...</relation></annotations>
</data>``. A property whose text is the id of another annotation of the file refers to it. The text
of the document is not in the file; it can be in the folder, in a file with the folder's name. Only
folders without folders in them are documents.

Files are UTF-8. For security, a document type is rejected, with or without entities.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple
from xml.etree import ElementTree as ET

from clineval.base.errors import InputError, listed, shown, warn
from clineval.base.files import (
    find_directory,
    is_directory,
    is_file,
    list_directory,
    name_path,
    read_bytes,
)
from clineval.base.subjects import about
from clineval.formats.files import TextFile, normalize, read_text
from clineval.formats.xml_elements import make_parser, read_elements, run_parser
from clineval.kinds.mentions.mention import Fragment

FILES = r"\.xml$"
ENTITY, RELATION = "entity", "relation"
_ANNOTATIONS, _PROPERTIES = "annotations", "properties"
_DEPTH = 3  # of an annotation, with the root
_DOCTYPE = b"<!DOCTYPE"
_ENCODED = re.compile(rb"<\?xml[^>]*encoding=(?![\"'](?i:utf-8|us-ascii)[\"'])")


class Annotation(NamedTuple):
    """An entity or a relation, as written.

    Args:
        id: its id.
        kind: ``entity`` or ``relation``.
        type: its type, such as EVENT.
        span: the text of its span; None if it has none.
        properties: name to text; a property that is written twice has its last text.
        file: its file; None if it does not come from a file.
        number: its number among the annotations of the file.
    """

    id: str
    kind: str
    type: str
    span: str | None
    properties: Mapping[str, str]
    file: TextFile | None = None
    number: int = 0

    @property
    def fragments(self) -> tuple[Fragment, ...]:
        """Start and end of each fragment, in the order of the file.

        Raises:
            InputError: the span is not a list of pairs of numbers; the message names the line.
        """
        if not self.span:
            return ()
        try:
            return tuple((int(a), int(b)) for a, b in (f.split(",") for f in self.span.split(";")))
        except ValueError:
            problem = f"span: expected pairs of numbers such as 10,15;20,25, got {shown(self.span)}"
            raise InputError(problem, where=self.where) from None

    @property
    def where(self) -> str:
        """Its file and line, for messages."""
        return _locate(self.file, self.number) if self.file else ""


Annotations = Mapping[str, Annotation]
"""The annotations of a file by id, in the order of the file."""


def parse(file: TextFile) -> Annotations:
    r"""Read the annotations of one file.

    Raises:
        InputError: the file is not XML of this form; the message names the line.

    Examples:
        >>> from clineval.formats.files import from_string
        >>> written = "<entity><id>a</id><span>4,9</span><type>EVENT</type></entity>"
        >>> file = from_string("a", f"<data><annotations>{written}</annotations></data>\n")
        >>> [(each.type, each.fragments) for each in parse(file).values()]
        [('EVENT', ((4, 9),))]
    """
    found: dict[str, Annotation] = {}
    for number, element in enumerate(_open(file)):
        try:
            annotation = _read(element, file, number)
            if found.setdefault(annotation.id, annotation) is not annotation:
                raise InputError(  # noqa: TRY301
                    "the id of another annotation of the file",
                    remedy="Give every annotation an id of its own",
                )
        except InputError as error:
            raise InputError(error.problem, where=_locate(file, number)) from None
    return found


def _open(file: TextFile) -> Sequence[ET.Element]:
    """Return the elements of annotations."""
    if _DOCTYPE in file.content or _ENCODED.match(file.content):
        run_parser(make_parser(), file)
    try:
        root = ET.fromstring(file.content)  # noqa: S314 - document types are rejected
    except ET.ParseError:
        run_parser(make_parser(), file)
        raise
    blocks = root.findall(_ANNOTATIONS)
    if len(blocks) != 1:
        problem = f"expected one element {_ANNOTATIONS} in the root, got {len(blocks)}"
        raise InputError(problem, where=file.label)
    return [*blocks[0]]


def _read(element: ET.Element, file: TextFile, number: int) -> Annotation:
    if element.tag not in (ENTITY, RELATION):
        raise InputError(f"expected {ENTITY} or {RELATION}, got another element")
    name, type_ = element.findtext("id"), element.findtext("type")
    if not name or not type_:
        raise InputError("expected the elements 'id' and 'type', with a text")
    found = element.find(_PROPERTIES)
    properties = {} if found is None else {of.tag: of.text or "" for of in found}
    span = element.findtext("span")
    return Annotation(name, element.tag, type_, span, properties, file, number)


def _locate(file: TextFile, number: int) -> str:
    elements = read_elements(
        file, lambda path: path[1:2] == (_ANNOTATIONS,) and len(path) == _DEPTH
    )
    return f"{file.label}:{elements[number].line}"


@dataclass(frozen=True, slots=True)
class Folder:
    """The folder of a document.

    Args:
        name: the name of the document.
        below: the path below the root, with slashes.
        path: the path.
        label: the path from the root, for messages.
        files: the names of the files that match, in their order.
        noted: whether it also holds the text, in a file with the name of the document.
    """

    name: str
    below: str
    path: Path
    label: str
    files: Sequence[str]
    noted: bool = False

    def read_text(self) -> str | None:
        """Read the text of the document; None if the folder does not hold it.

        Raises:
            InputError: the file cannot be read, or is not UTF-8.
        """
        return read_text(self.path / self.name) if self.noted else None

    def open(self, name: str) -> TextFile:
        """Read one of its files.

        Raises:
            InputError: the file cannot be read, or is not UTF-8.
        """
        where = f"{self.path}/{name}"
        label = f"{self.label}/{name}" if self.label else name
        return normalize(label, self.name, read_bytes(where, label), path=where)


def list_folders(root: Path, pattern: str = FILES) -> list[Folder]:
    """List the folders of documents below a root, in the order of their paths.

    Args:
        root: the folder.
        pattern: a regular expression that the names of files match.

    Raises:
        InputError: a folder cannot be listed.
    """
    path = find_directory(root)
    return [*_walk(path, "", name_path(path), re.compile(pattern))]


def has_folders(source: object) -> bool:
    """Return whether a source is a folder with folders of documents in it."""
    if not isinstance(source, (str, os.PathLike)) or not is_directory(source):
        return False
    return any(folder.below for folder in list_folders(Path(source)))


def list_documents(path: Path, pattern: str = FILES) -> list[Folder]:
    """List the folders of documents, or the files of a folder without folders, or a single file.

    The name of a document that has no folder of its own is that of its file up to the first dot.

    Args:
        path: the folder or the file.
        pattern: a regular expression that the names of files in folders match.

    Raises:
        InputError: a folder cannot be listed.
    """
    if is_file(path):
        return [_as_folder(path.parent, name_path(path).rpartition("/")[0], path.name)]
    folders = list_folders(path, pattern)
    if [folder.below for folder in folders] != [""]:
        _warn_of_unread(path, folders)
        return folders
    return [_as_folder(path, folders[0].label, name) for name in folders[0].files]


def _warn_of_unread(path: Path, folders: Sequence[Folder]) -> None:
    """Warn about files and folders beside the folders of documents."""
    known = {folder.below.partition("/")[0] for folder in folders}
    others = {name for name, _ in list_directory(path)} - known
    seen = sorted(name for name in others if not name.startswith("."))
    if seen and folders:
        with about(""):  # the place already identifies the side
            warn(f"{name_path(path)}: not read: {listed(seen)}, which hold no annotations")


def _as_folder(folder: Path, label: str, file: str) -> Folder:
    name = file.partition(".")[0]
    return Folder(name, name, folder, label, [file])


def _walk(folder: Path, below: str, label: str, pattern: re.Pattern[str]) -> Iterator[Folder]:
    entries = list_directory(folder)
    inner = sorted(name for name, is_file in entries if not is_file)
    if not inner:
        files = sorted(name for name, _ in entries if pattern.search(name))
        if files:
            noted = (folder.name, True) in entries
            yield Folder(folder.name, below, folder, label, files, noted)
    for name in inner:
        path = f"{below}/{name}" if below else name
        yield from _walk(folder / name, path, f"{label}/{name}", pattern)
