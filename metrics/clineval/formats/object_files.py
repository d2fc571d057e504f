"""Files of objects, each with a name and any other keys: JSON with a list, or JSON Lines."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from clineval.base.errors import InputError, shown
from clineval.base.files import write_file
from clineval.base.strict_json import expect_json
from clineval.formats.listed import refuse_ending, warn_of_texts, write_lines
from clineval.formats.record_files import RecordFormat
from clineval.kinds.records.fields import Field
from clineval.results.listed import Listed


@dataclass(frozen=True, slots=True)
class ObjectFiles(RecordFormat):
    r"""Documents as objects: a JSON list, or JSON Lines.

    The content of a document is its object without name and text. In Python, it can also be a list.

    Args:
        fields: not used.
        pattern: pattern of file names in directories.
        name: the key of the document's name; ``id`` is read too.

    Examples:
        >>> form = ObjectFiles(keys=("prediction",), name="case_id")
        >>> [found] = form.list_files('[{"case_id": 1, "prediction": ["5"]}]')
        >>> found.name, found.content
        ('1', {'prediction': ['5']})
    """

    fields: tuple[Field, ...] = ()
    pattern: str = r"\.jsonl?$"
    name: str = "id"

    def _is_document(self, given: object) -> bool:
        return isinstance(given, Mapping) and not {self.name, "id"}.isdisjoint(given)

    def open_document(self, given: object, where: str, *, named: bool = False) -> Listed:
        """Check and return a document: an object, a list, or a string of JSON.

        Raises:
            InputError: it is not an object although it needs a name, or its name is invalid.
        """
        if isinstance(given, str):
            wanted = "an object or a list in a string of JSON"
            given = expect_json(given, wanted, where, constants=self.constants)
        if not isinstance(given, Mapping):
            if named:
                problem = f"expected an object with '{self.name}', got {shown(given)}"
                raise InputError(problem, where=where)
            return Listed(where, None, given, constants=self.constants)
        name = given.get(self.name, given.get("id"))
        name = str(name) if type(name) is int else name
        if (named or name is not None) and not (isinstance(name, str) and name.strip()):
            problem = f"{self.name}: expected the name of a document, got {shown(name)}"
            raise InputError(problem, where=where)
        content = {key: given[key] for key in given if key not in (self.name, "id", "text")}
        known = name.strip() if isinstance(name, str) else None
        return Listed(where, known, content, given.get("text"), self.constants)

    def as_dict(self, document: Listed) -> dict[str, object]:
        """Return a document as an object of JSON Lines; a list stands under the first key."""
        content = document.content
        held = content if isinstance(content, Mapping) else {self.keys[0]: content}
        noted = {} if document.text is None else {"text": document.text}
        return {self.name: document.name, **held, **noted}

    def write(self, documents: Sequence[Listed], path: Path) -> int:
        """Write JSON or JSON Lines; return the number of items in the lists of the documents.

        Raises:
            InputError: the ending of the file is not supported.
        """
        if path.suffix == ".json":
            warn_of_texts(documents)
            objects = [json.dumps(self.as_dict(each), ensure_ascii=False) for each in documents]
            write_file(path, "[\n" + ",\n".join(objects) + "\n]\n")
        elif path.suffix == ".jsonl":
            write_lines(map(self.as_dict, documents), path)
        else:
            raise refuse_ending(path, "documents", (".json", ".jsonl"))
        lists = (held for each in documents for held in self.as_dict(each).values())
        return sum(len(held) for held in lists if isinstance(held, (list, tuple)))
