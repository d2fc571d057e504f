"""Answers without quotes, for kinds that have no place in the note, as one side of a corpus."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import pairwise

import numpy as np

from clineval.answers.reading import Response, read_responses
from clineval.answers.repair import LISTS, REPAIRED, UNREADABLE, Shape
from clineval.base.arrays import BoolArray, IntArray
from clineval.base.errors import warn
from clineval.base.files import Source
from clineval.base.subjects import about, system_name
from clineval.formats.given.texts import with_texts
from clineval.kinds.mentions.columns import Intake, Lost, Side
from clineval.kinds.records.values import INVALID
from clineval.results.challenge import Setup
from clineval.results.kind import PlainAnswers
from clineval.results.listed import Listed

_SETTINGS = {"answers": "json"}
"""The signature's value for answers that are not placed in notes."""


def take_plain(
    systems: Mapping[str, object],
    references: object,
    texts: object,
    form: PlainAnswers,
    setup: Setup,
) -> tuple[Side, dict[str, Side]]:
    """Read the gold standard and the answers of some systems.

    Malformed items, and items without a required field, are false positives. Invalid values are
    wrong.

    Args:
        systems: name to answers, as for :func:`~clineval.answers.reading.read_answers`.
        references: the gold standard.
        texts: the notes, for reports; None if there are none.
        form: the form in which models write items.
        setup: challenge, configuration, protocol and options.
    """
    shape = shape_of(form)
    read = {name: read_responses(answers, shape) for name, answers in systems.items()}
    given, _ = setup.steps.read(references, [], setup)
    gold: Side = with_texts(given, texts)
    sides = {}
    for number, (name, responses) in enumerate(read.items()):
        with about(system_name(number)):
            sides[name] = _as_side(responses, form, gold, setup)
    return gold, sides


def shape_of(form: PlainAnswers) -> Shape:
    """Return the shape of items.

    Examples:
        >>> shape_of(PlainAnswers(("orders",), ("drug",))).lists[:2]
        ('orders', 'mentions')
    """
    lists = form.lists if form.objects else tuple(dict.fromkeys((*form.lists, *LISTS)))
    return Shape(lists, form.marks, form.words, alone=form.alone, objects=form.objects)


def list_answers(source: Source, form: PlainAnswers) -> list[Listed]:
    """List the documents of a file of answers; warn about items that are left out.

    Raises:
        InputError: as for :func:`~clineval.answers.reading.read_answers`.
    """
    responses = read_responses(source, shape_of(form))
    _warn_of_unread(responses)
    gathered = [form.gather([*filter(form.takes, each.items)]) for each in responses]
    problem = "left out {n} {item|items} of answers that {is not an object|are not objects}"
    warn(problem, n=sum(not form.takes(item) for each in responses for item in each.items))
    return [
        Listed("answers", each.document, content.document, each.text)
        for each, content in zip(responses, gathered, strict=True)
    ]


def _as_side(responses: Sequence[Response], form: PlainAnswers, gold: Side, setup: Setup) -> Side:
    """Return responses as predictions, with a list of items that cannot be correct."""
    names = _name(responses)
    _warn_of_unread(responses)
    gathered = [form.gather(each.items) for each in responses]
    documents = [each.document for each in gathered]
    by_name = any(each.document is not None for each in responses)
    given = dict(zip(names, documents, strict=True)) if by_name else documents
    side: Side
    _, [side] = setup.steps.read(gold, [given], setup)
    in_columns = {form.keys.get(name, name): of for name, of in _find_invalid(side).items()}
    invalid = [
        [*each.invalid, *found]
        for each, found in zip(gathered, _place(in_columns, side, len(names)), strict=True)
    ]
    counts = {**_count(responses), "n_invalid": np.array(list(map(len, invalid)), np.int64)}
    ordered = {name: counts[name] for name in _COUNTED}
    lost = tuple(_list_lost(names, responses, invalid))
    return replace(side, intake=Intake(_SETTINGS, ordered, lost))


def _name(responses: Sequence[Response]) -> list[str]:
    return [each.document or str(at) for at, each in enumerate(responses)]


def _warn_of_unread(responses: Sequence[Response]) -> None:
    named = zip(_name(responses), responses, strict=True)
    warn(
        "{n} {answer|answers} cannot be read, so {its|their} {document is|documents are} scored "
        "as empty: {names}",
        [name for name, each in named if each.state == UNREADABLE],
    )


def _find_invalid(side: Side) -> dict[str, BoolArray]:
    """Map each field with invalid values to which records have one, ``[n]``."""
    columns = side.mentions.attributes.items()
    return {
        name: column.ids == column.values.index(INVALID)
        for name, column in columns
        if INVALID in column.values
    }


def _place(
    invalid: Mapping[str, BoolArray], side: Side, documents: int
) -> Iterator[list[tuple[int, str]]]:
    """Yield, for each document, the positions of invalid items and the names of the fields."""
    rows_of, numbers = side.mentions.document, side.number_items().tolist()
    edges = np.searchsorted(rows_of, np.arange(documents + 1)).tolist()
    for first, last in pairwise(edges):
        yield [
            (numbers[row], key)
            for row in range(first, last)
            for key, wrong in invalid.items()
            if wrong[row]
        ]


_COUNTED = ("n_answers", "n_invalid", "n_repaired", "n_unreadable")
"""The counts of answers that the score reports."""


def _count(responses: Sequence[Response]) -> dict[str, IntArray]:
    """Count the items of each document, and whether its answer was repaired or unreadable."""
    counts = {
        "n_answers": [len(each.items) for each in responses],
        "n_repaired": [each.state == REPAIRED for each in responses],
        "n_unreadable": [each.state == UNREADABLE for each in responses],
    }
    return {name: np.array(numbers, np.int64) for name, numbers in counts.items()}


def _list_lost(
    names: Sequence[str],
    responses: Sequence[Response],
    invalid: Sequence[Sequence[tuple[int, str]]],
) -> Iterator[Lost]:
    """Yield the positions of items that cannot be correct, but no text of the note."""
    for name, response, wrong in zip(names, responses, invalid, strict=True):
        if response.state == UNREADABLE:
            yield Lost(name, None, UNREADABLE)
        yield from (Lost(name, position, f"invalid {key}") for position, key in wrong)
