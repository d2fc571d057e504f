"""Read answers from files, mappings and lists, as text of a model or as parsed JSON."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from clineval.answers.repair import QUOTED, Shape, read_items
from clineval.base.arrays import is_iterable
from clineval.base.errors import InputError, shown
from clineval.base.files import Source, find_path, is_file, name_path
from clineval.base.strict_json import NotJsonError, parse_json
from clineval.formats.files import check_new_id, holds, list_names, read_text

_IDS = ("id", "document_id")
_TYPE = "type"
"""Another name for the label in answers."""
_FILES = r"\.(json|txt)$"
_Entry = tuple[object, object, str | None]
"""The name of a document, the answer, and the note if the input contains it."""


@dataclass(frozen=True, slots=True)
class Item:
    """One item of an answer.

    Args:
        quote: the words of the item; several strings if it is discontiguous, none without a quote.
        values: the other fields of the item.

    Examples:
        >>> Item(("left atrium", "dilated"), {"cui": "C0344720"}).quote
        ('left atrium', 'dilated')
    """

    quote: tuple[str, ...]
    values: Mapping[str, object]

    @classmethod
    def of(cls, text: object, values: Mapping[str, object]) -> Item:
        """Make an item from values and a text or texts of fragments; anything else is no quote."""
        parts = text if isinstance(text, (list, tuple)) else [text]
        words = [part for part in parts if isinstance(part, str) and part.strip()]
        return Item(tuple(words) if len(words) == len(parts) else (), values)


@dataclass(frozen=True, slots=True)
class Response:
    """The readable part of a model's answer for one document.

    Args:
        document: the document's name; None if documents are paired by position.
        items: the items of the answer, of any type.
        state: ``fine``, ``repaired`` or ``unreadable``.
        text: the note, if the input contains it.
    """

    document: str | None
    items: Sequence[object]
    state: str
    text: str | None = None


@dataclass(frozen=True, slots=True)
class Answer:
    """A model's answer for one document.

    Args:
        document: the document's name; None if documents are paired by position.
        items: the items of the answer.
        state: ``fine``, ``repaired`` or ``unreadable``.
        text: the note, if the input contains it.

    Examples:
        >>> [answer] = read_answers(["I see no disorder."])
        >>> answer.state, answer.items
        ('unreadable', ())
    """

    document: str | None
    items: tuple[Item, ...]
    state: str
    text: str | None = None


def read_answers(given: object, class_slot: str = "") -> list[Answer]:
    """Read the answers of a model, one for each document.

    An answer is a list of items, an object that contains such a list, or the string that the
    model wrote. An item is ``{"text": ..., <slot>: ...}`` or only the text. ``text`` is a string,
    or a list with the fragments of a discontiguous mention. Items of langextract, with
    ``extraction_text``, ``extraction_class`` and ``attributes``, are also read, without their
    offsets. In challenges with labels, ``type`` replaces a missing label, and an answer may also
    be an object of label to list of quotes.

    Args:
        given: one of

            - a list of answers in the order of the documents;
            - a mapping of document name to answer, or a ``.json`` file with such a mapping;
            - a directory with a file ``NAME.json`` or ``NAME.txt`` for each document;
            - a file of JSON Lines: on each line an object with ``id`` (or ``document_id``),
              ``answer`` (or ``mentions``, ``entities``, ``extractions``, ``answers``), and
              optionally the note as ``text``.
        class_slot: the slot of the label, if the class of a mention is not a code.

    Returns:
        An answer for each document, even if nothing of it is readable.

    Raises:
        InputError: a path does not exist, or files have another format. Broken JSON of a model
            raises no error; the answer is unreadable.

    Examples:
        >>> read_answers({"note-1": '[{"text": "fever", "cui": "C0015967"}]'})
        [Answer(document='note-1', items=(Item(quote=('fever',), values={'cui': 'C0015967'}),), \
state='fine', text=None)]
    """
    shape = QUOTED._replace(label=class_slot)
    return [_as_answer(each, class_slot) for each in read_responses(given, shape)]


def read_responses(given: object, shape: Shape = QUOTED) -> list[Response]:
    """Read answers as :func:`read_answers` does, with items of any shape.

    Args:
        given: as for :func:`read_answers`; a document's answer may have any list name of the shape.
        shape: the shape of items.

    Raises:
        InputError: as for :func:`read_answers`.

    Examples:
        >>> lab = Shape(("orders",), ("description",), words=False)
        >>> [found] = read_responses(['{"description": "CBC", "provenance": [4],}'], lab)
        >>> found.items, found.state
        ([{'description': 'CBC', 'provenance': [4]}], 'repaired')
    """
    if isinstance(given, (str, os.PathLike)):
        entries = _read_path(given, ("answer", *shape.lists))
    elif isinstance(given, Mapping):
        entries = [(name, answer, None) for name, answer in given.items()]
    elif is_iterable(given) and not isinstance(given, bytes):
        entries = [(None, answer, None) for answer in given]
    else:
        wanted = "a list with one answer for each document, a mapping or a path"
        raise InputError(f"expected {wanted}, got {shown(given)}", where="answers")
    return [_read(name, answer, text, shape) for name, answer, text in entries]


def _read_path(source: Source, keys: Sequence[str]) -> list[_Entry]:
    path = find_path(source)
    if path is None or not path.is_dir():
        return _read_object(Path(source)) or _read_lines(Path(source), keys)
    if holds(path, _FILES):
        names, _ = list_names(path, _FILES)
        return [(Path(name).stem, read_text(path / name), None) for name in names]
    lines, _ = list_names(path, r"\.jsonl$")
    if len(lines) != 1:
        problem = "expected files NAME.json or NAME.txt, one for each document"
        raise InputError(problem, where=name_path(path))
    return _read_lines(path / lines[0], keys)


def _read_object(path: Path) -> list[_Entry]:
    """Read a file NAME.json with one object of documents; return nothing for JSON Lines."""
    if path.suffix != ".json" or not is_file(path):
        return []
    try:
        given = parse_json(read_text(path))
    except NotJsonError:
        return []
    is_line = not isinstance(given, dict) or any(key in given for key in _IDS)
    return [] if is_line else [(name, answer, None) for name, answer in given.items()]


def _read_lines(path: Path, keys: Sequence[str]) -> list[_Entry]:
    places: dict[str, str] = {}
    entries: list[_Entry] = []
    for number, line in enumerate(read_text(path).split("\n"), 1):
        if not line.strip():
            continue
        where = f"{name_path(path)}:{number}"
        name, answer, text = _read_line(line, where, keys)
        check_new_id(places, name, where)
        if text is not None and not isinstance(text, str):
            raise InputError(f"text: expected a string, got {shown(text)}", where=where)
        entries.append((name, answer, text))
    return entries


def _read_line(line: str, where: str, keys: Sequence[str]) -> tuple[str, object, object]:
    """Return the name, the answer and the text of a document."""
    try:
        record = parse_json(line)
    except NotJsonError:
        record = None
    if not isinstance(record, dict):
        remedy = 'Put the output of the model into it as a string: {"id": ..., "answer": "..."}'
        raise InputError("expected one JSON object on the line", where=where, remedy=remedy)
    name = next((record[key] for key in _IDS if key in record), None)
    found = [key for key in keys if key in record]
    if not isinstance(name, str) or len(found) != 1:
        raise InputError(f"expected a string 'id' and one of {', '.join(keys)}", where=where)
    return name, record[found[0]], record.get("text")


def _read(name: object, answer: object, text: str | None, shape: Shape) -> Response:
    if name is not None and not isinstance(name, str):
        raise InputError(f"expected names of documents, got {shown(name)}", where="answers")
    return Response(name, *read_items(answer, shape), text)


def _as_answer(given: Response, class_slot: str) -> Answer:
    items = tuple(read_item(item, class_slot) for item in given.items)
    return Answer(given.document, items, given.state, given.text)


def read_item(item: object, class_slot: str) -> Item:
    """Read an item; a malformed item has no quote."""
    if not isinstance(item, Mapping):
        return Item.of(item, {})
    if "extraction_text" in item:
        attributes = item.get("attributes")
        values = dict(attributes) if isinstance(attributes, Mapping) else {}
        if class_slot:
            values.setdefault(class_slot, item.get("extraction_class"))
        return Item.of(item["extraction_text"], values)
    values = {name: value for name, value in item.items() if name != "text"}
    if class_slot and class_slot not in values and _TYPE in values:
        values[class_slot] = values.pop(_TYPE)
    return Item.of(item.get("text"), values)
