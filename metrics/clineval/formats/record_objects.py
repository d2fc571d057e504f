"""Files of documents that hold an object or a list of objects, with lists of objects inside."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path

from clineval.base.errors import InputError, shown
from clineval.base.files import write_file
from clineval.base.strict_json import expect_json
from clineval.formats.listed import refuse_ending, warn_of_texts, write_lines
from clineval.formats.record_files import RECORDS, RecordFormat
from clineval.results.listed import Listed

_LINE = frozenset({"id", RECORDS, "text"})


class ObjectFormat(RecordFormat):
    """JSON Lines with ``id`` and ``records``, which is an object or a list of objects.

    In Python, a document can also be the object or the list itself.
    """

    __slots__ = ()

    def open_document(self, given: object, where: str, *, named: bool = False) -> Listed:
        """Check and return a document: a line, an object, a list, or a string of JSON."""
        if isinstance(given, str):
            wanted = "an object or a list in a string of JSON"
            given = expect_json(given, wanted, where, constants=self.constants)
        if named or (isinstance(given, Mapping) and RECORDS in given and given.keys() <= _LINE):
            return super().open_document(given, where, named=named)
        if isinstance(given, (Mapping, list, tuple)):
            return Listed(where, None, given, constants=self.constants)
        raise InputError(f"expected an object or a list, got {shown(given)}", where=where)

    def as_dict(self, document: Listed) -> dict[str, object]:
        """Return a document as an object of JSON Lines."""
        noted = {} if document.text is None else {"text": document.text}
        return {"id": document.name, RECORDS: open_content(document), **noted}

    def write(self, documents: Sequence[Listed], path: Path) -> int:
        """Write documents to JSON Lines or to a ``.json`` file; return the number of records.

        Raises:
            InputError: the content of a document is neither an object nor a list, or the ending of
                the file is not supported.
        """
        opened = {each.name: open_content(each) for each in documents}
        if path.suffix == ".json":
            warn_of_texts(documents)
            write_file(path, json.dumps(opened, ensure_ascii=False, indent=2) + "\n")
        elif path.suffix == ".jsonl":
            write_lines(map(self.as_dict, documents), path)
        else:
            raise refuse_ending(path, RECORDS, (".json", ".jsonl"))
        return sum(1 if isinstance(each, Mapping) else len(each) for each in opened.values())


def open_content(document: Listed) -> Mapping[str, object] | Sequence[object]:
    """Return the object or the list of a document, also from a string of JSON.

    Raises:
        InputError: the content is something else.

    Examples:
        >>> open_content(Listed("", "a", '{"drug": "aspirin"}'))
        {'drug': 'aspirin'}
    """
    content = document.content
    if isinstance(content, str):
        wanted = "an object or a list in a string of JSON"
        content = expect_json(content, wanted, document.where, constants=document.constants)
    if isinstance(content, (Mapping, list, tuple)):
        return content
    raise InputError(f"expected an object or a list, got {shown(content)}", where=document.where)
