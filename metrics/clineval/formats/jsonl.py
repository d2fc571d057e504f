"""JSON Lines of documents: ``{"id": ..., "mentions": [{...}], "text": ...}`` a line."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from clineval.errors import InputError, shown
from clineval.formats.files import Source, read_text_files
from clineval.formats.records import read_records
from clineval.mentions.columns import Side
from clineval.mentions.mention import Document, Mention
from clineval.mentions.slots import Slot

FILES = r"\.jsonl$"


def read_documents(source: Source) -> list[Document]:
    r"""Read documents as objects.

    Examples:
        >>> read_documents('{"id": "a", "mentions": [{"spans": [[4, 15]], "cui": null}]}\n')
        [Document(id='a', 1 mention)]
    """
    documents = []
    for where, line in _read_lines(source):
        try:
            mentions = [Mention.from_dict(mention) for mention in line["mentions"]]
        except InputError as error:
            raise InputError(str(error), where=where) from None
        documents.append(Document(line["id"], mentions, line.get("text")))
    return documents


def read_side(source: Source, slots: Sequence[Slot]) -> Side:
    """Read documents for scoring; they are paired by ``id``."""
    lines = [line for _, line in _read_lines(source)]
    names = [line["id"] for line in lines]
    side = read_records([line["mentions"] for line in lines], slots, names=names)
    return Side(side.documents, side.keys, side.mentions, tuple(line.get("text") for line in lines))


def write_documents(documents: Iterable[Document], path: Path) -> None:
    """Write one line for each document."""
    path.write_text("".join(map(format_document, documents)), "utf-8", newline="\n")


def format_document(document: Document) -> str:
    r"""One document as a line.

    Examples:
        >>> format_document(Document("a", [Mention([(4, 15)], None)]))
        '{"id": "a", "mentions": [{"spans": [[4, 15]], "cui": null}]}\n'
    """
    line: dict[str, Any] = {"id": document.id}
    line["mentions"] = [mention.as_dict() for mention in document.mentions]
    if document.text is not None:
        line["text"] = document.text
    return json.dumps(line, ensure_ascii=False) + "\n"


def _read_lines(source: Source) -> list[tuple[str, dict[str, Any]]]:
    found = []
    for file in read_text_files(source, pattern=FILES, separator="{"):
        for number, text in enumerate(file.content.decode().split("\n"), 1):
            if text.strip():
                where = f"{file.label}:{number}"
                found.append((where, _judge(text, where)))
    return found


def _judge(text: str, where: str) -> dict[str, Any]:
    try:
        line = json.loads(text)
    except ValueError:
        raise InputError("expected one JSON object on the line", where=where) from None
    if not isinstance(line, dict):
        raise InputError(f"expected an object, got {shown(line)}", where=where)
    if not isinstance(line.get("id"), str) or not isinstance(line.get("mentions"), list):
        raise InputError("expected a string 'id' and a list 'mentions'", where=where)
    return line
