"""Files of document codes: JSON Lines, tables, and a challenge's own format."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from clineval.base.errors import InputError, shown, warn
from clineval.base.files import Source, write_file
from clineval.formats.files import check_new_id, read_text_files
from clineval.formats.jsonl import FILES, OTHERS, is_jsonl, read_object
from clineval.formats.listed import refuse_ending, warn_of_texts, write_lines
from clineval.kinds.codes.corpus import codes_of
from clineval.kinds.mentions.columns import Side
from clineval.results.listed import Listed

CODES, ENDING = "codes", ".jsonl"
_COLUMNS = ("filename", "code")
_ENDINGS = (".tsv", ENDING)


def read_lines(source: Source) -> Iterator[Listed]:
    r"""Yield the documents of JSON Lines: ``id``, a list ``codes``, and optionally ``text``.

    Examples:
        >>> [document] = read_lines('{"id": "a", "codes": ["I10"]}\n')
        >>> document.name, document.content
        ('a', ['I10'])
    """
    places: dict[str, str] = {}
    for file in read_text_files(source, pattern=FILES, separator="{"):
        for where, text in file.lines():
            found = open_line(read_object(text, where), where)
            check_new_id(
                places, found.name or "", where, "Give all codes of a document on one line"
            )
            yield found


def open_line(line: object, where: str) -> Listed:
    """Check and return a document with ``id``, ``codes`` and ``text``.

    Raises:
        InputError: the name or the list of codes is missing, or a key is unknown.
    """
    if not isinstance(line, Mapping) or not isinstance(line.get(CODES), (list, tuple)):
        problem = f"expected an object with a list 'codes', got {shown(line)}"
        raise InputError(problem, where=where)
    if unknown := sorted(map(shown, line.keys() - {"id", CODES, "text"})):
        problem = f"unknown {', '.join(unknown)}, expected id, codes and text"
        raise InputError(problem, where=where)
    name, text = line.get("id"), line.get("text")
    if not isinstance(name, str) or not name.strip():
        raise InputError(f"id: expected the name of a document, got {shown(name)}", where=where)
    if text is not None and not isinstance(text, str):
        raise InputError(f"text: expected a string, got {shown(text)}", where=where)
    return Listed(where, name, line[CODES], text)


@dataclass(frozen=True, slots=True)
class CodeForm:
    """Read and write the codes of documents.

    Args:
        read: reads the challenge's own files.
    """

    read: Callable[[Source], Side]

    def list_files(self, source: Source) -> list[Listed]:
        """List the documents of files in the challenge's format or in JSON Lines."""
        if is_jsonl(source, OTHERS):
            return list(read_lines(source))
        side = self.read(source)
        held: list[list[str]] = [[] for _ in side.documents]
        columns = side.mentions
        for document, code in zip(columns.document.tolist(), codes_of(columns), strict=True):
            if code not in held[document]:
                held[document].append(code)
        return [Listed("", name, of) for name, of in zip(side.documents, held, strict=True)]

    def as_dict(self, document: Listed) -> dict[str, object]:
        """Return a document as an object of JSON Lines."""
        noted = {} if document.text is None else {"text": document.text}
        return {"id": document.name, CODES: document.content, **noted}

    def open_document(self, given: object, where: str) -> Listed:
        """Check and read the result of :meth:`as_dict`."""
        return open_line(given, where)

    def write(self, documents: Sequence[Listed], path: Path) -> int:
        """Write documents in the format of the file's ending; return the number of codes.

        Raises:
            InputError: the ending is not supported.
        """
        rows = [
            (document.name or "", str(code)) for document in documents for code in _list(document)
        ]
        if path.suffix == ENDING:
            write_lines(map(self.as_dict, documents), path)
        elif path.suffix == _ENDINGS[0]:
            warn_of_texts(documents)
            empty = [document.name or "" for document in documents if not _list(document)]
            warn(
                "a table cannot contain documents without codes; "
                "{n} {document is|documents are} left out: {names}",
                empty,
            )
            write_file(path, "".join("\t".join(row) + "\n" for row in (_COLUMNS, *rows)))
        else:
            raise refuse_ending(path, CODES, _ENDINGS)
        return len(rows)


def _list(document: Listed) -> Sequence[object]:
    return document.content if isinstance(document.content, (list, tuple)) else ()
