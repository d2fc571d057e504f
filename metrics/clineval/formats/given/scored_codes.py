"""Read codes of documents with optional scores, from files or Python, as one side of a corpus."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from math import nan
from pathlib import Path

from clineval.base.arrays import is_number
from clineval.base.errors import InputError, TotalsWarning, named, read_each, shown, warn_user
from clineval.base.files import Source, write_file
from clineval.base.strict_json import expect_json
from clineval.base.subjects import name_subject
from clineval.formats.code_forms import CODES, ENDING, open_line
from clineval.formats.code_score_tables import (
    Scored,
    format_code_rows,
    read_code_columns,
    read_code_rows,
)
from clineval.formats.files import TextFile, check_new_id, read_text_files
from clineval.formats.given.code_lists import Judge, take
from clineval.formats.given.forms import Items, judge_ids, open_given
from clineval.formats.jsonl import read_object
from clineval.formats.listed import refuse_ending, warn_of_texts, write_lines
from clineval.kinds.codes.corpus import CODE, SCORE, is_code
from clineval.kinds.codes.scored import CodeRows, ScoredSide
from clineval.results.listed import Listed

FILES = r"\.(csv|tsv|jsonl)$"
GOLD = "references"
_ENDINGS = (".csv", ".tsv", ENDING)
_DELIMITERS = {".csv": ",", ".tsv": "\t"}
Opened = Callable[[], Listed]
"""Reads a row."""


def read_score_files(source: Source, side: str, judge: Judge = take) -> ScoredSide:
    """Read tables (CSV, TSV) or JSON Lines; the arguments are those of :func:`read_scored`."""
    return read_tables(read_text_files(source, pattern=FILES, separator="\n"), side, judge)


def read_tables(files: Iterable[TextFile], side: str, judge: Judge = take) -> ScoredSide:
    """Read tables or JSON Lines that are open."""
    rows = CodeRows()

    def read(opened: Opened) -> None:
        document = opened()
        rows.add(document.name or "", check_codes(document, side, judge, rows.codes))

    read_each(read, _open_rows(_add_plain_tables(files, rows, judge)))
    return _as_side(rows)


def read_scored(
    given: object,
    side: str,
    judge: Judge = take,
    files: Callable[..., ScoredSide] = read_score_files,
) -> ScoredSide:
    r"""Read one side.

    Args:
        given: the path or the text of a table (CSV, TSV) or of JSON Lines; a list with the codes of
            each document; or a mapping of document names to codes. The codes of a document are a
            list of codes and of dicts with ``code`` and ``score``, or a dict of codes to scores.
            They can also be a string of JSON.
        side: ``predictions`` or ``references``. In references, a score is 1, or 0 for a code that
            the document does not have.
        judge: returns the problem of a code.
        files: reads files; takes the source, the side and ``judge``.

    Raises:
        InputError: the value is invalid; the message names file and line, or the document.

    Examples:
        >>> from clineval.kinds.codes.corpus import codes_of
        >>> side = read_scored([{"I10": 0.2, "J45": 0.9}, []], "predictions")
        >>> codes_of(side.mentions), side.scores.tolist()
        (['J45', 'I10'], [0.9, 0.2])
    """

    def read_items(items: Items) -> ScoredSide:
        documents = [
            _open_item(item, f"{side}, document {at}") for at, item in enumerate(items.values)
        ]
        names = judge_ids([document.name for document in documents], side)
        rows = CodeRows()
        for at, document in enumerate(documents):
            codes = check_codes(document, side, judge, rows.codes)
            rows.add(names[at] if names else str(at), codes)
        return _as_side(rows, by_name=bool(names))

    def read_named(documents: Mapping[str, object]) -> ScoredSide:
        rows = CodeRows()
        for name, codes in documents.items():
            document = Listed(f"{side}, document {named(name)}", name, codes)
            rows.add(name, check_codes(document, side, judge, rows.codes))
        return _as_side(rows)

    return open_given(
        given,
        side,
        ScoredSide,
        read_files=partial(files, side=side, judge=judge),
        read_items=read_items,
        read_named=read_named,
        wanted="the codes of each document",
    )


def _add_plain_tables(
    files: Iterable[TextFile], rows: CodeRows, judge: Judge
) -> Iterator[TextFile]:
    """Add plain tables without an invalid code to the rows; yield the other files."""
    for file in files:
        columns = None if _are_lines(file) else read_code_columns(file)
        if columns and not any(map(judge, {*columns[1]})):
            rows.extend(*columns)
        else:
            yield file


def _are_lines(file: TextFile) -> bool:
    return file.has_ending(ENDING) or file.content.lstrip().startswith(b"{")


def _open_rows(files: Iterable[TextFile]) -> Iterator[tuple[Opened]]:
    """Yield functions that read the rows of tables, and the lines of JSON Lines."""
    places: dict[str, str] = {}

    def read(where: str, text: str) -> Listed:
        found = _open_line(read_object(text, where), where)
        check_new_id(places, found.name or "", where, "Give all codes of a document on one line")
        return found

    for file in files:
        if _are_lines(file):
            yield from ((partial(read, *line),) for line in file.lines())
        else:
            yield from ((partial(Listed, *row),) for row in read_code_rows(file))


def _open(opened: Opened) -> Listed:
    return opened()


def _open_line(line: object, where: str) -> Listed:
    """Check a document with ``id``, ``codes`` and ``text``; codes can be a dict with scores."""
    codes = line.get(CODES) if isinstance(line, Mapping) else None
    if not isinstance(line, Mapping) or not isinstance(codes, Mapping):
        return open_line(line, where)
    found = open_line({**line, CODES: []}, where)
    return Listed(where, found.name, codes, found.text)


def _open_item(item: object, where: str) -> Listed:
    """Return the codes of a document in a list, which may be an object with ``codes``."""
    if isinstance(item, str):
        item = expect_json(item, "codes in a string of JSON", where)
    if isinstance(item, Mapping) and isinstance(item.get(CODES), (list, tuple, Mapping)):
        return (
            _open_line(item, where) if item.get("id") is not None else _open_nameless(item, where)
        )
    return Listed(where, None, item)


def _open_nameless(item: Mapping[object, object], where: str) -> Listed:
    found = _open_line({**item, "id": "0"}, where)
    return Listed(where, None, found.content, found.text)


def check_codes(
    document: Listed, side: str, judge: Judge, known: Container[str] = ()
) -> list[Scored]:
    """Return the codes of a document; in references, those with a score of 0 are left out.

    Args:
        document: the document.
        side: ``predictions`` or ``references``; empty for either.
        judge: returns the problem of a code.
        known: codes that were already checked, as this function returns them.

    Raises:
        InputError: a code or a score is invalid.
    """
    found: list[Scored] = [
        (code, score)
        if type(code) is str
        and code in known
        and (score is None or (type(score) is float and 0 <= score <= 1))
        else _check_code(code, score, document.where, judge)
        for code, score in _list_codes(document)
    ]
    if side != GOLD:
        return found
    if any(score not in {None, 0, 1} for _, score in found):
        problem = "score: expected 1 or 0 in references, for a code that a document has, or has not"
        raise InputError(problem, where=document.where)
    return [(code, None) for code, score in found if score != 0]


def _list_codes(document: Listed) -> Iterator[tuple[object, object]]:
    codes, where = document.content, document.where
    if isinstance(codes, str):
        codes = expect_json(codes, "codes in a string of JSON", where)
    if isinstance(codes, Mapping):
        for code, score in codes.items():
            if score is None:
                problem = "expected a score for each code, got none"
                raise InputError(problem, where=where)
            yield code, score
        return
    if not isinstance(codes, (list, tuple)):
        problem = f"expected a list of codes, or a dict of codes and scores, got {shown(codes)}"
        raise InputError(problem, where=where)
    for each in codes:
        if isinstance(each, tuple):
            each = dict(zip((CODE, SCORE), each, strict=False))  # noqa: PLW2901
        if not isinstance(each, Mapping):
            yield each, None
        elif unknown := sorted(map(shown, each.keys() - {CODE, SCORE})):
            problem = f"unknown {', '.join(unknown)}, expected code and score"
            raise InputError(problem, where=where)
        else:
            yield each.get(CODE), each.get(SCORE)


def _check_code(code: object, score: object, where: str, judge: Judge) -> Scored:
    if not isinstance(code, str) or not is_code(code):
        raise InputError(f"expected a code without blanks, got {shown(code)}", where=where)
    if wrong := judge(code):
        raise InputError(wrong, where=where)
    if score is None:
        return code.strip(), None
    if not is_number(score) or not 0 <= score <= 1:
        raise InputError(f"score: expected a number from 0 to 1, got {shown(score)}", where=where)
    return code.strip(), float(score)


class _ScoresWarning(TotalsWarning):
    """Codes without scores among others with scores."""

    @property
    def holds(self) -> bool:
        """Whether some codes have scores, and not all."""
        return 0 < int(self.values["n"]) < int(self.values["total"])


def _as_side(rows: CodeRows, *, by_name: bool = True) -> ScoredSide:
    """Build a side; if only some codes have scores, the others have the score 1."""
    total, without = rows.count()
    some = 0 < without < total
    problem = "{n} of {total} codes {has|have} no score, and {counts|count} as 1"
    warn_user(_ScoresWarning(name_subject(problem), n=without, total=total))
    return rows.as_side(1.0 if some else nan, by_name=by_name)


@dataclass(frozen=True, slots=True)
class ScoredForm:
    """Read and write codes with optional scores, in tables and JSON Lines."""

    def list_files(self, source: Source) -> list[Listed]:
        """List the documents of files."""
        documents: dict[str, Listed] = {}
        files = read_text_files(source, pattern=FILES, separator="\n")
        for row in read_each(_open, _open_rows(files)):
            codes = check_codes(row, "", take)
            name = row.name or ""
            before = _codes_of(documents[name]) if name in documents else []
            documents[name] = Listed(row.where, name, _unpack([*before, *codes]), row.text)
        return [*documents.values()]

    def as_dict(self, document: Listed) -> dict[str, object]:
        """Return a document as an object of JSON Lines."""
        noted = {} if document.text is None else {"text": document.text}
        return {"id": document.name, CODES: document.content, **noted}

    def open_document(self, given: object, where: str) -> Listed:
        """Check and read the result of :meth:`as_dict`."""
        found = _open_line(given, where)
        return Listed(where, found.name, _unpack(check_codes(found, "", take)), found.text)

    def write(self, documents: Sequence[Listed], path: Path) -> int:
        """Write documents in the format of the file's ending; return the number of codes.

        Raises:
            InputError: the ending is not supported.
        """
        if path.suffix == ENDING:
            write_lines(map(self.as_dict, documents), path)
        elif path.suffix in _DELIMITERS:
            warn_of_texts(documents)
            rows = [(document.name or "", _codes_of(document)) for document in documents]
            write_file(path, format_code_rows(rows, _DELIMITERS[path.suffix]))
        else:
            raise refuse_ending(path, CODES, _ENDINGS)
        return sum(len(_codes_of(document)) for document in documents)


def _codes_of(document: Listed) -> list[Scored]:
    return check_codes(document, "", take)


def _unpack(codes: Iterable[Scored]) -> list[object]:
    """Return codes as JSON Lines contain them."""
    return [code if score is None else {CODE: code, SCORE: score} for code, score in codes]
