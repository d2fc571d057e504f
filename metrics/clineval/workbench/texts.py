"""The notes that a page shows."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import Any

from clineval.evaluation.evaluate import Evaluation
from clineval.formats.given.texts import find_texts
from clineval.results.challenge import Challenge


def find_notes(
    documents: Sequence[str], notes: Any, evaluations: Sequence[Evaluation]
) -> tuple[str | None, ...]:
    """Find the text of each document, None where there is none; what scoring has read is kept."""
    if not isinstance(notes, (str, os.PathLike)):
        return find_texts(documents, notes, "notes")
    known = _find_read(notes, evaluations)
    others = [name for name in documents if name not in known]
    if others:
        known |= dict(zip(others, find_texts(others, notes, "notes"), strict=True))
    return tuple(known[name] for name in documents)


def as_options(challenge: Challenge, notes: Any) -> dict[str, Any]:
    """Return the notes as options of scoring, if it may look at them."""
    return {option.name: notes for option in challenge.options if option.holds_texts}


def _find_read(notes: Any, evaluations: Sequence[Evaluation]) -> dict[str, str | None]:
    """Return the texts that were read of the same directory for scoring."""
    known: dict[str, str | None] = {}
    for evaluation in evaluations:
        texts = [option.name for option in evaluation.challenge.options if option.holds_texts]
        if any(evaluation.setup[name] == notes for name in texts):
            corpus: Any = evaluation.corpus  # of a kind that has texts
            known |= {corpus.documents[number]: text for number, text in corpus.texts.items()}
    return known
