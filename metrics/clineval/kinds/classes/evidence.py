"""Evidence: the spans of a note that led to an answer, as documents give them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import pairwise

import numpy as np

from clineval.base.errors import InputError, called, located, shown, warn
from clineval.kinds.classes.scheme import ONE, fold
from clineval.kinds.mentions.mention import sort_fragments
from clineval.results.columns import MentionColumns
from clineval.results.item import Span

Given = tuple[tuple[str, ...], tuple[Span, ...]]
"""The names of a question and a class, either, or none; and the spans."""
_EXPECTED = 'such as [[10, 20]], {"smoking": [[10, 20]]} or {"smoking": {"past": [[10, 20]]}}'


def is_evidence(value: object) -> bool:
    """Return whether a value under the key ``evidence`` can be spans, and no answer.

    Examples:
        >>> is_evidence([[10, 20]]), is_evidence({"past": []}), is_evidence(["weak", "strong"])
        (True, True, False)
    """
    lists = isinstance(value, (list, tuple)) and all(isinstance(s, (list, tuple)) for s in value)
    return value is None or isinstance(value, Mapping) or lists


def read_evidence(given: object, where: str) -> list[Given]:
    """Read a list of spans, or a dict of questions, classes, or both to such lists.

    Raises:
        InputError: the value has another form, or a span is invalid.

    Examples:
        >>> read_evidence({"smoking": {"past": [[10, 20]]}}, "here")
        [(('smoking', 'past'), ((10, 20),))]
    """
    return [(names, _read_spans(spans, where)) for names, spans in _list_parts(given)]


def _list_parts(given: object, *names: str) -> Iterator[tuple[tuple[str, ...], object]]:
    if isinstance(given, Mapping) and len(names) < 2:  # noqa: PLR2004 - question and class
        for name, part in given.items():
            yield from _list_parts(part, *names, str(name))
    else:
        yield names, given


def _read_spans(given: object, where: str) -> tuple[Span, ...]:
    if given is not None and not isinstance(given, (list, tuple)):
        problem = f"evidence: expected lists of spans, {_EXPECTED}, got {shown(given)}"
        raise InputError(problem, where=where)
    return tuple(located(f"{where}, evidence", sort_fragments, [span])[0] for span in given or ())


def find_answers(names: Sequence[str], answers: Sequence[tuple[str, str]]) -> list[int]:
    """Return the numbers of the answers, pairs of question and class, that the names can mean.

    Examples:
        >>> answers = [("smoking", "past"), ("pain", "yes")]
        >>> find_answers(["Smoking"], answers), find_answers(["yes"], answers)
        ([0], [1])
    """
    if not names:
        return [*range(len(answers))]
    name, *rest = map(fold, names)
    folded = [(fold(question), fold(value)) for question, value in answers]
    one = name in ONE and len({question for question, _ in folded}) == 1
    asked = [at for at, (question, _) in enumerate(folded) if question == name]
    asked = asked or [at for at in range(len(folded)) if one]
    if asked or rest:
        return [at for at in asked if not rest or folded[at][1] == rest[0]]
    return [at for at, (_, value) in enumerate(folded) if value == name]


def name_problem(names: Sequence[str], number: int) -> str:
    """Describe evidence that does not belong to one of the answers of a document."""
    spans = f"the spans of {' and '.join(map(called, names))}" if names else "the spans"
    which = "several answers" if number else "no answer"
    return f"evidence: {spans} can belong to {which} of the document"


def place_evidence(columns: MentionColumns, spans: Sequence[Iterable[Span]]) -> MentionColumns:
    """Return answers whose fragments are their evidence, in its order."""
    every = [sorted(of) for of in spans]
    placed = MentionColumns.of(columns.document, every, columns.attributes)
    return placed if any(every) else columns


def list_spans(columns: MentionColumns) -> list[list[list[int]]]:
    """Return the evidence of each answer."""
    spans = np.column_stack([columns.starts, columns.ends]).tolist()
    return [spans[first:end] for first, end in pairwise(columns.bounds.tolist())]


def check_offsets(
    columns: MentionColumns, texts: Mapping[int, str], documents: Sequence[str], *, strict: bool
) -> None:
    """Reject spans outside the texts of documents, or warn about the documents.

    Raises:
        InputError: it is ``strict``, and a span is outside the text.
    """
    sizes = np.full(len(documents), np.iinfo(np.int64).max)
    sizes[[*texts]] = [*map(len, texts.values())]
    document = columns.document[columns.owners]
    beyond = np.flatnonzero(columns.ends > sizes[document])
    if strict and len(beyond):
        number, end = int(document[beyond[0]]), columns.ends[beyond[0]]
        problem = f"offset {end} is outside the text, which has {sizes[number]} characters"
        where = f"document {called(documents[number] or str(number))}, evidence"
        raise InputError(problem, where=where)
    names = [documents[number] or str(number) for number in np.unique(document[beyond]).tolist()]
    warn("{n} {document has|documents have} predicted evidence outside the text: {names}", names)
