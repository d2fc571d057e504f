"""Read classes of documents, from files or Python, as one side of a corpus; write their files."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from clineval.base.arrays import is_number
from clineval.base.errors import InputError, called, listed, shown, warn, warn_of_shared
from clineval.base.files import Source, name_path, write_file
from clineval.base.strict_json import expect_json
from clineval.formats.class_files import ClassFiles, is_own
from clineval.formats.class_parquet import read_parquet
from clineval.formats.class_shares import list_cells, name_columns, read_any_shares, read_shares
from clineval.formats.class_tables import BESIDE, IDS, PLAIN, TEXT, Headings, read_table
from clineval.formats.files import TextFile, read_text_files
from clineval.formats.given.forms import Items, judge_ids, open_given
from clineval.formats.jsonl import read_object
from clineval.formats.listed import refuse_ending, warn_of_evidence, warn_of_texts, write_lines
from clineval.formats.tables.arrow import is_parquet
from clineval.kinds.classes.columns import Draft, SchemeSide, list_answers
from clineval.kinds.classes.evidence import is_evidence, read_evidence
from clineval.kinds.classes.found import OpenScheme
from clineval.kinds.classes.scheme import EVIDENCE, ONE, PROBABILITIES, Scheme, fold
from clineval.results.listed import Listed

FILES = r"\.(csv|tsv|jsonl)$"
_ENDINGS = (".csv", ".tsv", ".jsonl")
_ID = "id"


def read_classes(  # noqa: PLR0913 - two formats, and the rules of a side
    given: object,
    side: str,
    scheme: Scheme | OpenScheme,
    headings: Headings = PLAIN,
    files: ClassFiles | None = None,
    *,
    lenient: bool = False,
) -> SchemeSide:
    """Read one side.

    Args:
        given: the path or the text of a table (CSV, TSV) or of JSON Lines; the path of a Parquet
            file; a list with an item
            for each document; or a mapping of document names to items. An item is a class, a list
            of classes, or a dict of questions to these with optional ``id`` and ``text``. If the
            scheme has probabilities, the dict can have ``probabilities``: a dict of classes to
            numbers, or of questions to such dicts. An item can also be a string of JSON.
        side: ``predictions`` or ``references``. In predictions, a value that is not a class
            counts as no answer. In references, a probability must be 1 or 0.
        scheme: the questions and their classes; an open scheme grows.
        headings: the names of columns and keys.
        files: the challenge's own format, besides tables and JSON Lines.
        lenient: whether a value that is not a class counts as no answer in references too.

    Raises:
        InputError: the value is invalid; the message names file and line, or the document.

    Examples:
        >>> side = read_classes(["past", "NON"], "references", Scheme(("PAST", "NON")))
        >>> side.mentions.attributes["status"].ids.tolist(), side.documents
        ([0, 1], ('', ''))
    """
    draft = Draft(
        scheme,
        strict=not (lenient or side == "predictions") or isinstance(scheme, OpenScheme),
        gold=side == "references",
    )

    def read_files(source: Source) -> SchemeSide:
        if is_parquet(source):
            read_parquet(source, draft, headings)
            draft.refuse_twins(name_path(source))
        elif files and is_own(source, files):
            own = read_text_files(source, pattern=files.pattern, separator="<")
            files.read_files(own, draft)
        else:
            for file in read_text_files(source, pattern=FILES, separator="\n"):
                read_file(file, draft, headings)
        return _finish(draft, by_name=True)

    def read_items(items: Items) -> SchemeSide:
        for at, item in enumerate(items.values):
            _read_item(item, f"{side}, document {at}", draft, headings)
        names = judge_ids([name or None for name in draft.names], side)
        return _finish(draft, by_name=bool(names))

    def read_named(documents: Mapping[str, object]) -> SchemeSide:
        for name, item in documents.items():
            _read_item(item, f"{side}, document {called(name)}", draft, headings, name)
        return _finish(draft, by_name=True)

    return open_given(
        given,
        side,
        SchemeSide,
        read_files=read_files,
        read_items=read_items,
        read_named=read_named,
        wanted="a class for each document",
    )


def _finish(draft: Draft, *, by_name: bool) -> SchemeSide:
    """Return the side, and warn about values that are not classes."""
    whose = "gold" if draft.gold else "predicted"
    problem = "{answer is not a class and counts|answers are not classes and count} as no answer"
    warn(f"{{n}} {whose} {problem}: {{names}}", draft.unknown)
    warn(
        "{n} {document has|documents have} no probability of some classes, which counts as 0: "
        "{names}",
        draft.incomplete,
    )
    warn(
        "{n} {document has|documents have} evidence that does not belong to one of the answers, "
        "which is ignored: {names}",
        list(dict.fromkeys(draft.astray)),
    )
    warn_of_shared("{n} {key is|keys are} ignored: {names}", list(map(shown, draft.ignored)))
    return draft.finish(by_name=by_name)


def read_file(file: TextFile, draft: Draft, headings: Headings = PLAIN) -> None:
    """Read a table or JSON Lines into a draft.

    Raises:
        InputError: the file is invalid; the message names file and line.
    """
    if file.has_ending(".jsonl") or file.content.lstrip().startswith(b"{"):
        for where, line in file.lines():
            try:
                _read_line(read_object(line, where), where, draft, headings)
            except InputError as error:
                draft.problems.append(error)
    else:
        read_table(file, draft, headings)
    draft.refuse_twins(file.label)


def _read_line(line: Mapping[str, object], where: str, draft: Draft, headings: Headings) -> None:
    key = headings.id or _ID
    name = line.get(key)
    name = str(name) if type(name) is int else name
    if not isinstance(name, str) or not name.strip():
        raise InputError(f"expected a string {key!r}", where=where)
    document = draft.add_document(name, _judge_text(line, where))
    _read_answers(line, document, where, draft, headings)


def _judge_text(line: Mapping[str, object], where: str) -> str | None:
    text = line.get(TEXT)
    if text is not None and not isinstance(text, str):
        raise InputError(f"text: expected a string, got {shown(text)}", where=where)
    return text


def _read_answers(
    answers: Mapping[str, object], document: int, where: str, draft: Draft, headings: Headings
) -> None:
    """Read a dict of questions to answers; reject other keys, or ignore them if any can occur."""
    scheme, beside = draft.scheme, {*BESIDE, headings.id}
    if PROBABILITIES in answers and (scheme.probabilities or headings.free):
        beside.add(PROBABILITIES)
        _read_probabilities(answers[PROBABILITIES], document, where, draft)
    if has_evidence := headings.free and _has_evidence(answers, scheme, headings):
        beside.add(EVIDENCE)
    names = [str(name) for name in answers if name not in beside]
    if isinstance(scheme, OpenScheme) and scheme.asks_anything:
        chosen = headings.choose(names)
        asked = {name: scheme.find_question(name) for name in chosen}
    else:
        asked = {name: scheme.find_question(name) for name in names}
        if not any(asked.values()):
            asked = {name: scheme.find_key(name) for name in names}
    if headings.free and (any(asked.values()) or {PROBABILITIES, EVIDENCE} & beside):
        draft.ignored |= dict.fromkeys(name for name in names if not asked.get(name))
    elif strange := next((name for name in names if not asked.get(name)), None):
        names = headings.say(headings.answers or scheme.questions or ONE)
        likely = (PROBABILITIES,) if scheme.probabilities else ()
        expected = ", ".join((*names, *likely, *BESIDE))
        raise InputError(f"unknown {shown(strange)}, expected {expected}", where=where)
    for name, question in asked.items():
        if question:
            draft.add(document, question, answers[name], where)
    if has_evidence:
        draft.add_evidence(document, read_evidence(answers[EVIDENCE], where), where)


def _has_evidence(
    answers: Mapping[str, object], scheme: Scheme | OpenScheme, headings: Headings
) -> bool:
    """Return whether the document has evidence, and no question with this name."""
    if EVIDENCE not in answers or not is_evidence(answers[EVIDENCE]):
        return False
    return EVIDENCE not in map(fold, (*headings.answers, *scheme.questions))


def _read_probabilities(given: object, document: int, where: str, draft: Draft) -> None:
    scheme = draft.scheme
    if isinstance(scheme, Scheme) and scheme.probabilities and scheme.word:
        for question, shares, excess in read_any_shares(given, scheme, where):
            draft.ignored |= dict.fromkeys(excess.questions)
            if excess.lacking and not {*shares} <= {0, 1}:
                draft.incomplete.append(draft.names[document] or str(document))
            if question:
                draft.add_shares(document, question, shares, where)
                draft.add_other(document, question, shares, excess.other)
    elif isinstance(scheme, Scheme) and scheme.probabilities:
        for asked, of_question in read_shares(given, scheme, where):
            draft.add_shares(document, asked, of_question, where)
    else:
        _read_likely(given, document, where, draft)


def _read_likely(given: object, document: int, where: str, draft: Draft) -> None:
    """Read a dict of classes to probabilities, or a dict of questions to such dicts."""
    scheme = draft.scheme
    shares = given if isinstance(given, Mapping) else {}
    nested = any(isinstance(share, Mapping) for share in shares.values())
    for name, of_question in (shares if nested else {"": shares}).items():
        question = scheme.find_key(str(name)) if nested else scheme.only
        known = isinstance(of_question, Mapping) and all(map(is_number, of_question.values()))
        if not isinstance(given, Mapping) or not known:
            problem = f"{PROBABILITIES}: expected a dict of classes to numbers, got {shown(given)}"
            raise InputError(problem, where=where)
        if question is None:
            draft.ignored[str(name)] = None
        else:
            draft.add_likely(document, question, of_question)


def _read_item(item: object, where: str, draft: Draft, headings: Headings, name: str = "") -> None:
    key = headings.id or _ID
    if isinstance(item, str) and item.lstrip().startswith(("{", "[")):
        item = expect_json(item, "a class, or JSON of answers", where)
    if isinstance(item, Mapping):
        own = item.get(key, "")
        if not isinstance(own, str):
            raise InputError(f"{key}: expected a string, got {shown(own)}", where=where)
        document = draft.add_document(name or own, _judge_text(item, where))
        _read_answers(item, document, where, draft, headings)
        return
    document = draft.add_document(name)
    question = draft.scheme.only if item is not None else ""
    if question is None:
        questions = listed(headings.say(draft.scheme.questions))
        raise InputError(f"expected a dict of {questions}, got {shown(item)}", where=where)
    draft.add(document, question, item, where)


@dataclass(frozen=True, slots=True)
class ClassForm:
    """Read and write classes in tables and JSON Lines.

    Args:
        scheme: the questions and their classes; None if the documents show them.
        headings: the names of columns and keys.
        several: whether a question can have several answers, if the documents show the questions.
        files: the challenge's own format, which is only read.
    """

    scheme: Scheme | None
    headings: Headings = PLAIN
    several: bool = False
    files: ClassFiles | None = None

    def _read(self, given: object, side: str) -> SchemeSide:
        free, given_scheme = self.headings.free, self.scheme
        named = bool(self.headings.answers)
        scheme = OpenScheme(self.several, given_scheme, named) if free else given_scheme
        return read_classes(given, side, scheme or OpenScheme(), self.headings, self.files)

    def list_files(self, source: Source) -> list[Listed]:
        """List the documents of files, checked as a gold standard."""
        side = self._read(source, "")
        texts = side.texts or (None,) * len(side.documents)
        return [
            Listed("", name, content, text)
            for name, content, text in zip(
                side.documents, list_answers(side, side.scheme), texts, strict=True
            )
        ]

    def as_dict(self, document: Listed) -> dict[str, object]:
        """Return a document as an object of JSON Lines."""
        content = document.content if isinstance(document.content, Mapping) else {}
        noted = {} if document.text is None else {TEXT: document.text}
        return {"id": document.name, **content, **noted}

    def open_document(self, given: object, where: str) -> Listed:
        """Check and read the result of :meth:`as_dict`."""
        side = self._read([given], where)
        [content] = list_answers(side, side.scheme)
        return Listed(where, side.documents[0], content, side.texts[0] if side.texts else None)

    def write(self, documents: Sequence[Listed], path: Path) -> int:
        """Write documents in the format of the file's ending; return the number of answers.

        Raises:
            InputError: the ending is not supported.
        """
        answers = [list(_list_answers(document)) for document in documents]
        if path.suffix == ".jsonl":
            write_lines(map(self.as_dict, documents), path)
        elif path.suffix in _ENDINGS:
            warn_of_texts(documents)
            warn_of_evidence(documents)
            text = io.StringIO()
            delimiter = "\t" if path.suffix == ".tsv" else ","
            writer = csv.writer(text, delimiter=delimiter, lineterminator="\n")
            asked = sorted({question for each in answers for question, _ in each})
            questions = (self.scheme.questions if self.scheme else ()) or asked
            headings = name_columns(documents, self.scheme)
            writer.writerow((IDS[0], *questions, *headings))
            for document, each in zip(documents, answers, strict=True):
                cells = list_cells(document, self.scheme) or [""] * len(headings)
                rows = _list_rows(document.name or "", each, questions)
                writer.writerows((*row, *cells) for row in rows)
            write_file(path, text.getvalue())
        else:
            raise refuse_ending(path, "classes", _ENDINGS)
        return sum(map(len, answers))


def _list_answers(document: Listed) -> Iterator[tuple[str, str]]:
    content = document.content if isinstance(document.content, Mapping) else {}
    for question, answer in content.items():
        if question in (PROBABILITIES, EVIDENCE) and isinstance(answer, Mapping):
            continue
        for value in answer if isinstance(answer, (list, tuple)) else [answer]:
            yield question, value


def _list_rows(
    name: str, answers: Iterable[tuple[str, str]], questions: Sequence[str]
) -> Iterable[Sequence[str]]:
    """Yield the rows of a document: one row, or one for each of several answers."""
    held: dict[str, list[str]] = {question: [] for question in questions}
    for question, value in answers:
        held[question].append(value)
    for number in range(max(1, *map(len, held.values()), 1)):
        yield name, *(held[q][number] if number < len(held[q]) else "" for q in questions)
