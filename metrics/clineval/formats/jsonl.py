"""JSON Lines of documents: ``{"id": ..., "mentions": [{...}], "text": ...}`` on each line.

A document may have ``"relations": [{"label": ..., "from": ..., "to": ...}]``, which connect
mentions by their ids, and ``"language"``, a code such as ``es``.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from clineval.base.errors import InputError, located, shown
from clineval.base.files import Source, is_directory, is_file, list_directory, write_file
from clineval.base.packed import ending_of
from clineval.base.progress import track
from clineval.base.strict_json import expect_json, parse_flat
from clineval.formats.files import TextFile, check_new_id, holds, read_text_files
from clineval.kinds.mentions.mention import Document, Mention, Relation

FILES = r"\.jsonl$"
OTHERS = r"(?<!\.jsonl)$"
"""Pattern of the names of all other files."""


def is_jsonl(source: Source, own: str) -> bool:
    """Return whether a source is JSON Lines.

    It is a ``.jsonl`` file, or a directory with such files and without files of the format
    ``own``, a pattern of file names.
    """
    if is_directory(source):
        return not holds(source, own) and holds(source, FILES)
    return ending_of(source) == ".jsonl"


def list_line_files(source: object) -> Sequence[str]:
    """List the files of JSON Lines of a source, a file or a directory that has only such files.

    Returns:
        The paths, in the order in which they are read; nothing for any other source.
    """
    if not isinstance(source, (str, Path)):
        return ()
    if is_directory(source):
        present = list_directory(source)
        names = sorted(name for name, _ in present) if are_line_files(present) else []
        return [f"{Path(source)}/{name}" for name in names]
    named = ending_of(source) == ".jsonl"
    return (str(Path(source)),) if named and is_file(source) else ()


def are_line_files(present: Sequence[tuple[str, bool]]) -> bool:
    """Return whether a directory with these names, each with whether it is a file, has only lines.

    Otherwise, a warning may name the files that are not read.
    """
    return all(of_file and ending_of(name) == ".jsonl" for name, of_file in present)


def read_documents(source: Source) -> list[Document]:
    r"""Read documents as objects.

    Examples:
        >>> read_documents('{"id": "a", "mentions": [{"spans": [[4, 15]], "cui": null}]}\n')
        [Document(id='a', 1 mention)]
    """
    return [located(where, as_document, line) for where, line in read_lines(source)]


def as_document(held: Mapping[str, Any]) -> Document:
    """Create a document from the content of a line or a row.

    Raises:
        InputError: a part of the document is invalid.
    """
    mentions, relations = held.get("mentions"), held.get("relations") or ()
    for name, part in (("mentions", mentions), ("relations", relations)):
        if not isinstance(part, (list, tuple)):
            raise InputError(f"expected a list {name!r}")
    return Document(
        held["id"],
        map(Mention.from_dict, mentions or ()),
        held.get("text"),
        map(Relation.from_dict, relations),
        held.get("language"),
    )


def write_documents(documents: Iterable[Document], path: Path) -> None:
    """Write one line for each document."""
    write_file(path, "".join(map(format_document, track(list(documents), "formatting"))))


def format_document(document: Document) -> str:
    r"""Format one document as a line.

    Examples:
        >>> format_document(Document("a", [Mention([(4, 15)], None)]))
        '{"id": "a", "mentions": [{"spans": [[4, 15]], "cui": null}]}\n'
    """
    line: dict[str, object] = {"id": document.id}
    line["mentions"] = [mention.as_dict() for mention in document.mentions]
    if document.relations:
        line["relations"] = [relation.as_dict() for relation in document.relations]
    if document.text is not None:
        line["text"] = document.text
    if document.language is not None:
        line["language"] = document.language
    return json.dumps(line, ensure_ascii=False) + "\n"


def read_lines(source: Source) -> Iterator[tuple[str, dict[str, object]]]:
    """Yield place and content of each line; raise as :func:`read_files` does."""
    yield from read_files(open_files(source))


def open_files(source: Source) -> Iterator[TextFile]:
    """Yield the files of JSON Lines."""
    return read_text_files(source, pattern=FILES, separator="{")


def read_files(files: Iterable[TextFile]) -> Iterator[tuple[str, dict[str, object]]]:
    """Yield place and content of each line.

    Raises:
        InputError: a line is not an object with an id, or two lines have the same id.
    """
    places: dict[str, str] = {}
    for file in files:
        for where, text in file.lines():
            line = read_object(text, where)
            if not isinstance(line.get("id"), str):
                raise InputError("expected a string 'id'", where=where)
            remedy = "Give all mentions of a document on one line"
            check_new_id(places, line["id"], where, remedy)
            yield where, line


def read_object(text: str, where: str) -> dict[str, Any]:
    """Read the JSON object of a line, with any content."""
    line = parse_flat(text)
    if line is None:
        line = expect_json(text, "one JSON object on the line", where)
    if not isinstance(line, dict):
        raise InputError(f"expected an object, got {shown(line)}", where=where)
    return line
