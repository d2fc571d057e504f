"""The notes of a page, and the phrases of mentions that repeat in them."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from clineval.base.arrays import IntArray
from clineval.base.errors import InputError, called, one_line
from clineval.evaluation.evaluate import Evaluation
from clineval.formats.given.text_files import may_hold_texts
from clineval.formats.given.texts import find_texts
from clineval.kinds.mentions.corpus import Mentions
from clineval.results.challenge import Challenge
from clineval.workbench.pairs import PairedMentions

_MOST_PHRASES = 2000
_WORDLESS = (
    "A page without texts must not contain words of a note. Correct the files ('clineval validate' "
    "lists the lines). If it is a label, pass it in labels (if the metric has this option), or "
    "write it without blanks"
)


def find_notes(
    documents: Sequence[str], notes: object, evaluations: Sequence[Evaluation]
) -> tuple[str | None, ...]:
    """Find the text of each document, None if it has none. Texts read for scoring are reused."""
    if notes is None and not evaluations[0].challenge.faces.notes_apart:
        return tuple(map(_find_read(notes, evaluations).get, documents))
    if not isinstance(notes, (str, os.PathLike)):
        return find_texts(documents, notes, "notes")
    known = _find_read(notes, evaluations)
    others = [name for name in documents if name not in known]
    if others:
        known |= dict(zip(others, find_texts(others, notes, "notes"), strict=True))
    return tuple(known[name] for name in documents)


def may_hold_notes(challenge: Challenge, gold: object) -> bool:
    """Return whether a gold standard may come with notes that the challenge keeps separately."""
    return challenge.kind.with_notes and may_hold_texts(gold)


def as_options(challenge: Challenge, notes: object) -> dict[str, Any]:
    """Return the notes as options of scoring, if the challenge has such options."""
    return {option.name: notes for option in challenge.options if option.holds_texts}


def refuse_words(name: str, values: Iterable[str]) -> None:
    """Reject a label, a value or a code that could be words of a note, for a page without texts.

    Raises:
        InputError: a value has several words. The message does not repeat them.

    Examples:
        >>> refuse_words("code", ["I10", "CUI-less"])
    """
    for value in values:
        if called(value) != one_line(value):  # one_line cuts long values
            problem = f"{called(name)} {called(value)} could be words of a note"
            raise InputError(problem, remedy=_WORDLESS)


def _find_read(notes: object, evaluations: Sequence[Evaluation]) -> dict[str, str | None]:
    """Return the texts that scoring has read from the same directory."""
    known: dict[str, str | None] = {}
    for evaluation in evaluations:
        if notes in (evaluation.setup[name] for name in as_options(evaluation.challenge, notes)):
            texts: Mapping[int, str] = getattr(evaluation.corpus, "texts", {})
            known |= {evaluation.corpus.documents[at]: text for at, text in texts.items()}
    return known


@dataclass(frozen=True, slots=True, eq=False)
class Phrases:
    """The phrases that occur more than once, and their mentions. Without texts there are none.

    Args:
        values: the phrases, the most frequent first.
        gold: ``[g]``, the number of each gold mention's phrase plus 1; 0 for other phrases.
        predictions: the same for each system.
    """

    values: tuple[str, ...]
    gold: IntArray | None
    predictions: Sequence[IntArray | None]


def number_phrases(
    documents: Sequence[str], systems: Sequence[PairedMentions], texts: Sequence[str | None] | None
) -> Phrases:
    """Find the phrases that repeat; case and white space do not matter.

    The gold mentions are the same for each system.
    """
    if texts is None:
        return Phrases((), None, [None] * len(systems))
    text_of = dict(zip(documents, texts, strict=True))
    corpora = [paired.corpus for paired in systems]
    sides = [(corpora[0].gold, corpora[0]), *((corpus.prediction, corpus) for corpus in corpora)]
    numbers = {"": 0}
    columns = [
        np.fromiter(
            (
                numbers.setdefault(phrase, len(numbers))
                for phrase in _list_phrases(side, corpus.documents, text_of)
            ),
            np.int64,
            len(side),
        )
        for side, corpus in sides
    ]
    counts = np.bincount(np.concatenate(columns), minlength=len(numbers))
    counts[0] = 0  # the empty phrase
    most = np.argsort(-counts, kind="stable")[:_MOST_PHRASES]
    common = most[counts[most] > 1]
    renumbered = np.zeros(len(numbers), np.int64)
    renumbered[common] = np.arange(1, len(common) + 1)
    phrases = [*numbers]
    gold, *predictions = (renumbered[column] for column in columns)
    return Phrases(tuple(phrases[at] for at in common.tolist()), gold, predictions)


def _list_phrases(
    side: Mentions, documents: Sequence[str], texts: Mapping[str, str | None]
) -> Iterator[str]:
    columns = side.columns
    bounds, starts, ends = columns.bounds.tolist(), columns.starts.tolist(), columns.ends.tolist()
    for row, document in enumerate(columns.document.tolist()):
        text = texts[documents[document]] or ""
        at, end = bounds[row], bounds[row + 1]
        words = text[starts[at] : ends[at]] if end == at + 1 else _join(text, starts, ends, at, end)
        yield " ".join(words.lower().split())


def _join(text: str, starts: list[int], ends: list[int], at: int, end: int) -> str:
    return " … ".join([text[starts[k] : ends[k]] for k in range(at, end)])
