"""Answers without quotes: records as a model wrote them, as one side of a corpus."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

import numpy as np

from clineval.answers.reading import Response, read_responses
from clineval.answers.repair import LISTS, REPAIRED, UNREADABLE, Shape
from clineval.base.arrays import BoolArray, IntArray
from clineval.base.errors import warn
from clineval.base.files import Source
from clineval.base.subjects import about, system_name
from clineval.formats.given.texts import with_texts
from clineval.formats.record_files import Listed, RecordFormat
from clineval.kinds.mentions.columns import Intake, Lost, Side
from clineval.kinds.records.values import INVALID
from clineval.protocols.records import Records
from clineval.results.challenge import Setup

_SETTINGS = {"answers": "json"}
"""What the signature says of answers that are read as they come."""


def take_records(
    systems: Mapping[str, object], references: object, texts: object, steps: Records, setup: Setup
) -> tuple[Side, dict[str, Side]]:
    """Read the gold standard, and the records that some systems answered.

    What is no record, or lacks what a record must have, is a false positive; a value that a field
    cannot hold is wrong.

    Args:
        systems: name to answers, as :func:`~clineval.answers.reading.read_answers` takes them.
        references: the gold standard.
        texts: the notes, for reports; None if there are none.
        steps: the protocol.
        setup: its options.
    """
    shape = shape_of(steps.usual_form)
    read = {name: read_responses(answers, shape) for name, answers in systems.items()}
    gold = with_texts(steps.read_side(references, "references", setup), texts)
    sides = {}
    for number, (name, responses) in enumerate(read.items()):
        with about(system_name(number)):
            sides[name] = _as_side(responses, steps, setup)
    return gold, sides


def shape_of(form: RecordFormat) -> Shape:
    """Return how a model writes records.

    Examples:
        >>> from clineval.kinds.records.fields import Field
        >>> shape_of(RecordFormat((Field("drug", "label"),), ("orders",))).lists[:2]
        ('orders', 'records')
    """
    lists = tuple(dict.fromkeys((*form.names, *LISTS)))
    return Shape(lists, tuple(field.key or field.name for field in form.fields), words=False)


def list_answers(source: Source, form: RecordFormat) -> list[Listed]:
    """List the documents of a file of answers, as others are listed; warn of what is left out.

    Raises:
        InputError: as :func:`~clineval.answers.reading.read_answers`.
    """
    responses = read_responses(source, shape_of(form))
    _warn_of_unread(responses)
    warn(
        "left out {n} {item|items} of answers that {is no object|are no objects}",
        n=sum(not isinstance(item, Mapping) for each in responses for item in each.items),
    )
    return [
        Listed("answers", of.document, [i for i in of.items if isinstance(i, Mapping)], of.text)
        for of in responses
    ]


def _as_side(responses: Sequence[Response], steps: Records, setup: Setup) -> Side:
    """Return records as predictions, with what of them is lost."""
    names = _name(responses)
    _warn_of_unread(responses)
    by_name = any(each.document is not None for each in responses)
    items = [list(each.items) for each in responses]
    given = dict(zip(names, items, strict=True)) if by_name else items
    side = steps.read_side(given, "predictions", setup)
    invalid = _find_invalid(side)
    keys = {field.name: field.key or field.name for field in steps.fields}
    lost = _list_lost(names, responses, side, {keys[name]: of for name, of in invalid.items()})
    counts = _count(responses, side, [*invalid.values()])
    return replace(side, intake=Intake(_SETTINGS, counts, tuple(lost)))


def _name(responses: Sequence[Response]) -> list[str]:
    return [each.document or str(at) for at, each in enumerate(responses)]


def _warn_of_unread(responses: Sequence[Response]) -> None:
    named = zip(_name(responses), responses, strict=True)
    warn(
        "{n} {answer|answers} cannot be read, so {its|their} {document is|documents are} empty: "
        "{names}",
        [name for name, each in named if each.state == UNREADABLE],
    )


def _find_invalid(side: Side) -> dict[str, BoolArray]:
    """Tell, ``[n]`` for each field, which records have something there that it cannot hold."""
    columns = side.mentions.attributes.items()
    return {
        name: column.ids == column.values.index(INVALID)
        for name, column in columns
        if INVALID in column.values
    }


def _count(
    responses: Sequence[Response], side: Side, invalid: Sequence[BoolArray]
) -> dict[str, IntArray]:
    """Count what the score reports about the answers, for each document."""
    number = np.zeros(len(side.mentions), np.int64)
    for wrong in invalid:
        number += wrong
    of_documents = np.bincount(side.mentions.document, number, len(responses))
    counts = {
        "n_answers": [len(each.items) for each in responses],
        "n_invalid": of_documents.astype(np.int64),
        "n_repaired": [each.state == REPAIRED for each in responses],
        "n_unreadable": [each.state == UNREADABLE for each in responses],
    }
    return {name: np.array(numbers, np.int64) for name, numbers in counts.items()}


def _list_lost(
    names: Sequence[str], responses: Sequence[Response], side: Side, invalid: dict[str, BoolArray]
) -> Iterator[Lost]:
    """Yield what cannot be right, and where it is, without any text."""
    documents = side.mentions.document
    rows = np.split(np.arange(len(documents)), np.searchsorted(documents, range(1, len(names))))
    for name, response, of_document in zip(names, responses, rows, strict=False):
        if response.state == UNREADABLE:
            yield Lost(name, None, UNREADABLE)
        for position, row in enumerate(of_document.tolist()):
            wrong = (key for key, of in invalid.items() if of[row])
            yield from (Lost(name, position, f"invalid {key}") for key in wrong)
