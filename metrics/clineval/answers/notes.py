"""Find the note of each answer, and place the quotes in it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from clineval.answers.alignment import Alignment
from clineval.answers.placing import PlacedAnswers, called_documents
from clineval.answers.reading import Answer
from clineval.base.errors import InputError, agree, listed
from clineval.formats.given.texts import find_texts
from clineval.kinds.mentions.columns import Side


def place_answers(
    answers: Sequence[Answer],
    gold: Side | None,
    texts: object,
    alignment: Alignment,
    *,
    needed: bool = True,
) -> PlacedAnswers:
    """Place answers in their notes.

    Args:
        answers: the result of :func:`clineval.answers.read_answers`.
        gold: the gold standard, as another source of names and texts; None if there is none.
        texts: the notes, as in :func:`clineval.answers.evaluate`.
        alignment: the policies.
        needed: whether to reject documents without a text, instead of placing no quote in them.

    Returns:
        The answers with their places; :func:`clineval.score` accepts them as predictions.

    Raises:
        InputError: a document has no text.

    Examples:
        >>> from clineval.answers import read_answers
        >>> answers = read_answers(['[{"text": "edema", "cui": "C0013604"}]'])
        >>> placed = place_answers(answers, None, ["No edema."], Alignment())
        >>> len(placed.answers), placed.texts
        (1, ['No edema.'])
    """
    answers = match_names(answers, gold)
    looked_up = _find_notes(answers, gold, texts)
    notes = [a.text if text is None else text for a, text in zip(answers, looked_up, strict=True)]
    named = zip(called_documents(answers), notes, strict=True)
    missing = [name for name, text in named if text is None]
    if missing and needed:
        documents = agree("{n} {document has|documents have}", len(missing))
        problem = f"{documents} answers, but no text: {listed(missing)}"
        raise InputError(problem, remedy="Pass the notes, to find the quotes in them")
    return PlacedAnswers(answers, [text or "" for text in notes], alignment)


def _find_notes(
    answers: Sequence[Answer], gold: Side | None, texts: object
) -> Sequence[str | None]:
    """Find the text of each answer's document in the texts or the gold standard; None if absent."""
    names = [answer.document or "" for answer in answers]
    if gold is None:
        return [None] * len(names) if texts is None else find_texts(names, texts, "texts")
    if gold.keys is None or any(answer.document is None for answer in answers):  # by position
        return [*gold.texts, *[None] * len(names)][: len(names)]
    if texts is None or isinstance(texts, (list, tuple)):  # in the order of the gold standard
        by_name = dict(zip(gold.documents, gold.texts, strict=False))
        return [by_name.get(name) for name in names]
    return find_texts(names, texts, "texts")


def match_names(answers: Sequence[Answer], gold: Side | None) -> Sequence[Answer]:
    """Return answers with the names of the gold standard, even if it adds ``.txt``."""
    names = {None} if gold is None else {None, *gold.documents}
    longer = {answer.document: f"{answer.document}.txt" for answer in answers}
    return [
        replace(a, document=longer[a.document])
        if a.document not in names and longer[a.document] in names
        else a
        for a in answers
    ]
