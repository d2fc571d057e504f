"""Probabilities of classes in JSON, Python and tables."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from clineval.base.arrays import is_number
from clineval.base.errors import InputError, called, listed, shown
from clineval.kinds.classes.found import OpenScheme
from clineval.kinds.classes.scheme import PROBABILITIES, Scheme
from clineval.results.listed import Listed

Shares = list[float]
"""The probabilities of all classes of a question, in their order."""
_NUMBER = re.compile(r"\s*[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d{1,3})?\s*\Z", re.ASCII)


@dataclass(frozen=True, slots=True)
class Excess:
    """Names and probabilities that do not fit a user's own scheme.

    Args:
        questions: the names that are no questions.
        other: the greatest probability of a class that is none; 0 if there is none.
        lacking: the classes without a probability.
    """

    questions: Sequence[str] = ()
    other: float = 0.0
    lacking: Sequence[str] = ()


def read_any_shares(
    given: object, scheme: Scheme, where: str
) -> Iterator[tuple[str, Shares, Excess]]:
    """Yield each question with the probabilities of its classes, and what else there is.

    A class without a probability has 0; a name that is no question or class is reported.

    Args:
        given: a dict of classes to numbers, or of questions to such dicts; None for none.
        scheme: the questions and their classes.
        where: the place, for messages.

    Raises:
        InputError: a number is not between 0 and 1, or the value is no such dict.
    """
    nested = isinstance(given, Mapping) and any(isinstance(of, Mapping) for of in given.values())
    asked: Mapping[object, object] = given if isinstance(given, Mapping) and nested else {"": given}
    strange = [str(name) for name in asked if nested and scheme.find_key(str(name)) is None]
    if strange:
        yield "", [], Excess(questions=strange)
    for name, shares in asked.items():
        question = scheme.find_key(str(name)) if nested else scheme.only
        if question is None and nested:
            continue
        if question is None or not isinstance(shares, Mapping):
            raise _refuse(shares if question else given, scheme, where)
        yield question, *_split(shares, question, scheme, where)


def _refuse(given: object, scheme: Scheme, where: str) -> InputError:
    wanted = "classes to numbers" if scheme.alone else "questions to dicts of classes to numbers"
    problem = f"{PROBABILITIES}: expected a dict of {wanted}, got {shown(given)}"
    return InputError(problem, where=where)


def _split(
    given: Mapping[object, object], question: str, scheme: Scheme, where: str
) -> tuple[Shares, Excess]:
    shares: dict[str, float] = {}
    other = 0.0
    for name, share in given.items():
        value = scheme.find(name, question)
        number = check_share(share, called(question), called(str(name)), where)
        if value is None:
            other = max(other, number)
        elif shares.setdefault(value, number) != number:
            problem = f"{called(question)}: {called(value)} has two probabilities"
            raise InputError(f"{PROBABILITIES}, {problem}", where=where)
    lacking = [value for value in scheme.values_of(question) if value not in shares]
    return [shares.get(value, 0.0) for value in scheme.values], Excess((), other, lacking)


def read_shares(given: object, scheme: Scheme, where: str) -> Iterator[tuple[str, Shares]]:
    """Yield each question with the probabilities of its classes.

    Args:
        given: a dict of classes to numbers, or of questions to such dicts; None for none.
        scheme: the questions and their classes.
        where: the place, for messages.

    Raises:
        InputError: a number is not between 0 and 1, a class lacks one, or a name is unknown.

    Examples:
        >>> [*read_shares({"past": 0.25, "NON": 0.75}, Scheme(("PAST", "NON"), ("status",)), "x")]
        [('status', [0.25, 0.75])]
    """
    if given is None:
        return
    if not isinstance(given, Mapping):
        problem = f"{PROBABILITIES}: expected a dict of classes and numbers, got {shown(given)}"
        raise InputError(problem, where=where)
    if scheme.alone and not any(isinstance(of, Mapping) for of in given.values()):
        given = {scheme.questions[0]: given}
    for name, of_question in given.items():
        question = scheme.find_question(str(name))
        if question is None:
            expected = listed(list(scheme.questions))
            problem = f"{PROBABILITIES}: unknown {shown(name)}, expected {expected}"
            raise InputError(problem, where=where)
        if of_question is None:
            continue
        if not isinstance(of_question, Mapping):
            problem = f"expected a dict of classes and numbers, got {shown(of_question)}"
            raise InputError(f"{PROBABILITIES}, {question}: {problem}", where=where)
        yield question, _read_question(of_question, question, scheme, where)


def _read_question(
    given: Mapping[object, object], question: str, scheme: Scheme, where: str
) -> Shares:
    shares: dict[str, float] = {}
    for name, share in given.items():
        value = scheme.find(name)
        if value is None or value in shares:
            expected = ", ".join(scheme.values)
            problem = f"expected each of {expected} once, got {shown(name)}"
            raise InputError(f"{PROBABILITIES}, {question}: {problem}", where=where)
        shares[value] = check_share(share, question, value, where)
    return complete(shares, question, scheme, where)


def check_share(share: object, question: str, value: str, where: str) -> float:
    """Return a probability.

    Raises:
        InputError: it is not a number from 0 to 1.
    """
    if isinstance(share, np.floating):
        share = float(share)
    if not is_number(share) or not 0 <= share <= 1:
        problem = f"expected a number from 0 to 1, got {shown(share)}"
        raise InputError(f"{PROBABILITIES}, {question}, {value}: {problem}", where=where)
    return float(share)


def complete(
    shares: Mapping[str, float], question: str, scheme: Scheme | OpenScheme, where: str
) -> Shares:
    """Return the probabilities of all classes.

    Raises:
        InputError: a class has none.
    """
    known = scheme.values if isinstance(scheme, OpenScheme) else scheme.values_of(question)
    lacking = [value for value in known if value not in shares]
    if lacking:
        problem = f"expected a probability for each class, got none for {listed(lacking)}"
        raise InputError(f"{PROBABILITIES}, {question}: {problem}", where=where)
    return [shares.get(value, 0.0) for value in scheme.values]


Columns = Mapping[str, Mapping[str, int]]
"""Question to class to the column of its probability."""


def find_columns(
    header: Sequence[str], taken: Iterable[int], scheme: Scheme | OpenScheme, where: str
) -> Columns:
    """Find the columns of probabilities: ``question=class``, or a class alone.

    Args:
        header: the headings.
        taken: the columns with other content.
        scheme: the questions and their classes.
        where: the place, for messages.

    Raises:
        InputError: a question has columns for some classes only, or two for a class.
    """
    if isinstance(scheme, OpenScheme) or not scheme.probabilities:
        return {}
    others = {*taken}
    columns: dict[str, dict[str, int]] = {}
    for number, heading in enumerate(header):
        question, value = scheme.split(heading)
        if number in others or question is None or value is None:
            continue
        if columns.setdefault(question, {}).setdefault(value, number) != number:
            problem = f"{PROBABILITIES}, {question}: two columns for {value}"
            raise InputError(problem, where=where, remedy="Leave one of them out")
    for question, of_question in columns.items():
        complete(dict.fromkeys(of_question, 0.0), question, scheme, where)
    return columns


def read_cells(
    cells: Sequence[str], columns: Columns, scheme: Scheme | OpenScheme, where: str
) -> Iterator[tuple[str, Shares]]:
    """Yield the questions of a row with probabilities; if all cells are empty, there are none.

    Raises:
        InputError: a cell is not a number from 0 to 1, or only some cells are empty.
    """
    for question, of_question in columns.items():
        filled = {value: cells[at] for value, at in of_question.items() if cells[at].strip()}
        if filled:
            shares = {
                value: check_share(_parse(cell), question, value, where)
                for value, cell in filled.items()
            }
            yield question, complete(shares, question, scheme, where)


def _parse(cell: str) -> object:
    return float(cell) if _NUMBER.match(cell) else cell


def name_columns(documents: Iterable[Listed], scheme: Scheme | None) -> list[str]:
    """Name the columns of probabilities; none if no document has any."""
    if scheme is None or not scheme.probabilities:
        return []
    there = any(list_cells(document, scheme) for document in documents)
    names = [f"{question}={value}" for question in scheme.questions for value in scheme.values]
    return names if there else []


def list_cells(document: Listed, scheme: Scheme | None) -> list[str]:
    """Return the cells of all probabilities of a document; none if it has no probabilities."""
    if scheme is None or not scheme.probabilities:
        return []
    content = document.content if isinstance(document.content, Mapping) else {}
    shares = dict(read_shares(content.get(PROBABILITIES), scheme, document.where))
    blank = [""] * len(scheme.values)
    cells = [
        cell
        for question in scheme.questions
        for cell in (map(repr, shares[question]) if question in shares else blank)
    ]
    return cells if shares else []
