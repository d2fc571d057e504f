"""Read classes of documents, from files or Python, as one side of a corpus; write their files."""

from __future__ import annotations

import csv
import io
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from clineval.base.errors import InputError, called, listed, shown, warn
from clineval.base.files import Source, write_file
from clineval.base.strict_json import expect_json
from clineval.formats.class_tables import IDS, TEXT, read_table
from clineval.formats.files import TextFile, read_text_files
from clineval.formats.given.forms import Items, judge_ids, open_given
from clineval.formats.jsonl import read_object
from clineval.formats.listed import refuse_ending, warn_of_texts, write_lines
from clineval.kinds.classes.columns import Draft, list_answers
from clineval.kinds.classes.scheme import Scheme
from clineval.kinds.mentions.columns import Side
from clineval.results.listed import Listed

FILES = r"\.(csv|tsv|jsonl)$"
_ENDINGS = (".csv", ".tsv", ".jsonl")
_BESIDE = ("id", TEXT, "language")
"""Keys that an object of answers can have besides the questions."""


def read_classes(given: object, side: str, scheme: Scheme) -> Side:
    """Read one side.

    Args:
        given: the path or the text of a table (CSV, TSV) or of JSON Lines; a list with an item
            for each document; or a mapping of document names to items. An item is a class, a list
            of classes, or a dict of questions to these with optional ``id`` and ``text``. It can
            also be a string of JSON.
        side: ``predictions`` or ``references``. In predictions, a value that is not a class
            counts as no answer.
        scheme: the questions and their classes.

    Raises:
        InputError: the value is invalid; the message names file and line, or the document.

    Examples:
        >>> side = read_classes(["past", "NON"], "references", Scheme(("PAST", "NON")))
        >>> side.mentions.attributes["status"].ids.tolist(), side.documents
        ([0, 1], ('', ''))
    """
    draft = Draft(scheme, strict=side != "predictions")

    def read_files(source: Source) -> Side:
        for file in read_text_files(source, pattern=FILES, separator="\n"):
            read_file(file, draft)
        return _finish(draft, by_name=True)

    def read_items(items: Items) -> Side:
        for at, item in enumerate(items.values):
            _read_item(item, f"{side}, document {at}", draft)
        names = judge_ids([name or None for name in draft.names], side)
        return _finish(draft, by_name=bool(names))

    def read_named(documents: Mapping[str, object]) -> Side:
        for name, item in documents.items():
            _read_item(item, f"{side}, document {called(name)}", draft, name)
        return _finish(draft, by_name=True)

    return open_given(
        given,
        side,
        Side,
        read_files=read_files,
        read_items=read_items,
        read_named=read_named,
        wanted="a class for each document",
    )


def _finish(draft: Draft, *, by_name: bool) -> Side:
    """Return the side, and warn about values that are not classes."""
    warn(
        "{n} predicted {answer is not a class and counts|answers are not classes and count} as no "
        "answer: {names}",
        draft.unknown,
    )
    return draft.finish(by_name=by_name)


def read_file(file: TextFile, draft: Draft) -> None:
    """Read a table or JSON Lines into a draft.

    Raises:
        InputError: the file is invalid; the message names file and line.
    """
    if file.path.endswith(".jsonl") or file.content.lstrip().startswith(b"{"):
        for where, line in file.lines():
            try:
                _read_line(read_object(line, where), where, draft)
            except InputError as error:
                draft.problems.append(error)
    else:
        read_table(file, draft)
    if len(set(draft.names)) < len(draft.names):
        again = next(name for name, times in Counter(draft.names).items() if times > 1)
        problem = f"the document {called(again)} occurs twice"
        remedy = "Give each document once"
        draft.problems.append(InputError(problem, where=file.label, remedy=remedy))


def _read_line(line: Mapping[str, object], where: str, draft: Draft) -> None:
    name = line.get("id")
    name = str(name) if type(name) is int else name
    if not isinstance(name, str) or not name.strip():
        raise InputError("expected a string 'id'", where=where)
    _read_answers(line, draft.add_document(name, _judge_text(line, where)), where, draft)


def _judge_text(line: Mapping[str, object], where: str) -> str | None:
    text = line.get(TEXT)
    if text is not None and not isinstance(text, str):
        raise InputError(f"text: expected a string, got {shown(text)}", where=where)
    return text


def _read_answers(answers: Mapping[str, object], document: int, where: str, draft: Draft) -> None:
    """Read a dict of questions to answers; reject other keys."""
    for name, given in answers.items():
        question = draft.scheme.find_question(str(name))
        if question is not None:
            draft.add(document, question, given, where)
        elif name not in _BESIDE:
            expected = ", ".join((*draft.scheme.questions, *_BESIDE))
            raise InputError(f"unknown {shown(name)}, expected {expected}", where=where)


def _read_item(item: object, where: str, draft: Draft, name: str = "") -> None:
    if isinstance(item, str) and item.lstrip().startswith(("{", "[")):
        item = expect_json(item, "a class, or JSON of answers", where)
    if isinstance(item, Mapping):
        own = item.get("id", "")
        if not isinstance(own, str):
            raise InputError(f"id: expected a string, got {shown(own)}", where=where)
        document = draft.add_document(name or own, _judge_text(item, where))
        _read_answers(item, document, where, draft)
        return
    document = draft.add_document(name)
    if item is not None and not draft.scheme.alone:
        questions = listed(list(draft.scheme.questions))
        raise InputError(f"expected a dict of {questions}, got {shown(item)}", where=where)
    draft.add(document, draft.scheme.slot, item, where)


@dataclass(frozen=True, slots=True)
class ClassForm:
    """Read and write classes in tables and JSON Lines.

    Args:
        scheme: the questions and their classes.
    """

    scheme: Scheme

    def list_files(self, source: Source) -> list[Listed]:
        """List the documents of files, checked as a gold standard."""
        side = read_classes(source, "", self.scheme)
        texts = side.texts or (None,) * len(side.documents)
        answers = list_answers(side, self.scheme)
        return [
            Listed("", name, content, text)
            for name, content, text in zip(side.documents, answers, texts, strict=True)
        ]

    def as_dict(self, document: Listed) -> dict[str, object]:
        """Return a document as an object of JSON Lines."""
        content = document.content if isinstance(document.content, Mapping) else {}
        noted = {} if document.text is None else {TEXT: document.text}
        return {"id": document.name, **content, **noted}

    def open_document(self, given: object, where: str) -> Listed:
        """Check and read the result of :meth:`as_dict`."""
        side = read_classes([given], where, self.scheme)
        [content] = list_answers(side, self.scheme)
        return Listed(where, side.documents[0], content, side.texts[0] if side.texts else None)

    def write(self, documents: Sequence[Listed], path: Path) -> int:
        """Write documents in the format of the file's ending; return the number of answers.

        Raises:
            InputError: the ending is not supported.
        """
        if path.suffix == ".jsonl":
            write_lines(map(self.as_dict, documents), path)
        elif path.suffix in _ENDINGS:
            warn_of_texts(documents)
            text = io.StringIO()
            delimiter = "\t" if path.suffix == ".tsv" else ","
            writer = csv.writer(text, delimiter=delimiter, lineterminator="\n")
            writer.writerow((IDS[0], *self.scheme.questions))
            writer.writerows(row for document in documents for row in self._rows(document))
            write_file(path, text.getvalue())
        else:
            raise refuse_ending(path, "classes", _ENDINGS)
        return sum(1 for document in documents for _ in self._answers(document))

    def _answers(self, document: Listed) -> Iterator[tuple[str, str]]:
        content = document.content if isinstance(document.content, Mapping) else {}
        for question, answer in content.items():
            for value in answer if isinstance(answer, (list, tuple)) else [answer]:
                yield question, value

    def _rows(self, document: Listed) -> Iterable[Sequence[str]]:
        """Yield the rows of a document: one row, or one for each of several answers."""
        name, questions = document.name or "", self.scheme.questions
        held: dict[str, list[str]] = {question: [] for question in questions}
        for question, value in self._answers(document):
            held[question].append(value)
        for number in range(max(1, *map(len, held.values()))):
            yield name, *(held[q][number] if number < len(held[q]) else "" for q in questions)
