"""Files of records: JSON Lines of documents, or JSON with an object or list of documents."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

from clineval.base.errors import InputError, named, shown
from clineval.base.files import Source, write_file
from clineval.base.strict_json import NotJsonError, expect_json, parse_json
from clineval.formats import jsonl
from clineval.formats.files import TextFile, check_new_id, read_text_files
from clineval.formats.listed import refuse_ending, warn_of_texts, write_lines
from clineval.kinds.records.fields import Field
from clineval.results.listed import Listed

RECORDS = "records"
_NO_JSON = object()


@dataclass(frozen=True, slots=True)
class RecordFormat:
    """The format of a challenge's records.

    Args:
        fields: the fields to read; others are ignored.
        keys: the challenge's keys for the list of a document's records, besides ``records``. The
            first key is written.
        pattern: pattern of file names in directories.
        choose: takes the object of a file and its place, and returns the object or list of
            documents in it; None if the object itself contains the documents.
        read_file: lists the documents of a file in the challenge's own way; None for this format.
        constants: whether to accept NaN and infinity. They are not values, but a system may
            predict them.
    """

    fields: tuple[Field, ...]
    keys: tuple[str, ...] = (RECORDS,)
    pattern: str = jsonl.FILES
    choose: Callable[[Mapping[str, object], str], object] | None = None
    read_file: Callable[[TextFile], Iterable[Listed]] | None = None
    constants: bool = False

    @property
    def names(self) -> tuple[str, ...]:
        """The keys that a list of records may have."""
        return tuple(dict.fromkeys((*self.keys, RECORDS)))

    def list_files(self, source: Source) -> list[Listed]:
        """List the documents of files or of text.

        Raises:
            InputError: a document is invalid, or two have the same name; the message names the
                place.
        """
        places: dict[str | None, str] = {}
        found = []
        for file in read_text_files(source, pattern=self.pattern, separator="{"):
            for each in self.list_file(file):
                check_new_id(places, each.name, each.where)
                found.append(each)
        return found

    def as_dict(self, document: Listed) -> dict[str, object]:
        """Return a document as an object of JSON Lines."""
        noted = {} if document.text is None else {"text": document.text}
        return {"id": document.name, self.keys[0]: document.open_records(), **noted}

    def write(self, documents: Sequence[Listed], path: Path) -> int:
        r"""Write documents to JSON Lines, or to a ``.json`` file with one object.

        Returns:
            The number of records.

        Raises:
            InputError: the records of a document are not a list, or the ending of the file is
                not supported.

        Examples:
            >>> from tempfile import TemporaryDirectory
            >>> form = RecordFormat((Field("drug", "label"),), ("drugs",))
            >>> with TemporaryDirectory() as folder:
            ...     target = Path(folder) / "a.jsonl"
            ...     number = form.write([Listed("", "a", [{"drug": "aspirin"}])], target)
            ...     number, target.read_text()
            (1, '{"id": "a", "drugs": [{"drug": "aspirin"}]}\n')
        """
        opened = {each.name: each.open_records() for each in documents}
        if path.suffix == ".json":
            warn_of_texts(documents)
            write_file(path, json.dumps(opened, ensure_ascii=False, indent=2) + "\n")
        elif path.suffix == ".jsonl":
            write_lines(map(self.as_dict, documents), path)
        else:
            raise refuse_ending(path, "records", (".json", ".jsonl"))
        return sum(map(len, opened.values()))

    def list_file(self, file: TextFile) -> Iterator[Listed]:
        """Yield the documents of a file: one from each line, or all from the whole file."""
        if self.read_file:
            yield from self.read_file(file)
            return
        if not self.has_lines(file):
            whole = _parse_whole(file, constants=self.constants)
            yield from self._list_whole(whole, file.label)
            return
        for where, text in file.lines():
            wanted = "one JSON object on the line"
            line = expect_json(text, wanted, where, constants=self.constants)
            yield self.open_document(line, where, named=True)

    def has_lines(self, file: TextFile) -> bool:
        """Return whether each line is a document, by the file's name or the first line."""
        if self.read_file or file.has_ending(".jsonl"):
            return True
        _, first = next(file.lines(), ("", ""))
        attempt = partial(_try_json, constants=self.constants)
        if self._is_document(attempt(first)):
            return True
        return not file.path.endswith(".json") and attempt(file.content.decode()) is _NO_JSON

    def _is_document(self, given: object) -> bool:
        """Return whether a value is a document, and not an object of documents."""
        if not isinstance(given, Mapping):
            return False
        return isinstance(given.get("id"), (str, int)) or any(name in given for name in self.names)

    def _list_whole(self, given: object, where: str) -> Iterator[Listed]:
        """Yield the documents of an object or a list."""
        if self.choose and isinstance(given, Mapping):
            given = self.choose(given, where)
        if isinstance(given, Mapping) and not self._is_document(given):
            for name, records in given.items():
                yield self.open_member(name, records, where)
            return
        documents = given if isinstance(given, list) else [given]
        for number, each in enumerate(documents, 1):
            yield self.open_document(each, f"{where}, document {number}", named=True)

    def open_member(self, name: object, records: object, where: str) -> Listed:
        """Check and return a document from an object or a mapping of documents."""
        if not isinstance(name, str) or not name.strip():
            problem = f"expected the name of a document, got {shown(name)}"
            raise InputError(problem, where=where)
        place = f"{where}, document {named(name) or '(name withheld)'}"
        if isinstance(records, (str, Mapping)):
            opened = self.open_document(records, place)
            return replace(opened, name=name)
        return Listed(place, name, records, constants=self.constants)

    def open_document(self, given: object, where: str, *, named: bool = False) -> Listed:
        """Check and return a document: an object with records, a list, or a string of JSON."""
        if isinstance(given, str):
            wanted = "records in a string of JSON"
            given = expect_json(given, wanted, where, constants=self.constants)
        if isinstance(given, (list, tuple)) and not named:
            return Listed(where, None, given)
        found = [key for key in self.names if key in given] if isinstance(given, Mapping) else []
        if not isinstance(given, Mapping) or len(found) != 1:
            problem = f"expected an object with {' or '.join(map(repr, self.names))}"
            raise InputError(f"{problem}, got {shown(given)}", where=where)
        name = given.get("id")
        name = str(name) if type(name) is int else name
        if (named or name is not None) and not (isinstance(name, str) and name.strip()):
            raise InputError(f"id: expected the name of a document, got {shown(name)}", where=where)
        return Listed(where, name, given[found[0]], given.get("text"), self.constants)


def _parse_whole(file: TextFile, *, constants: bool) -> object:
    try:
        return parse_json(file.content.decode(), constants=constants)
    except NotJsonError as error:
        place = f"{file.label}:{error.line}" if error.line else file.label
        raise InputError(f"expected JSON of documents: {error}", where=place) from None


def _try_json(text: str, *, constants: bool) -> object:
    try:
        return parse_json(text, constants=constants)
    except NotJsonError:
        return _NO_JSON
