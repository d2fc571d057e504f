"""Answers against a gold standard: read, placed, and given to the challenge as predictions."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from clineval.answers.alignment import Alignment
from clineval.answers.options import find_taking, without_texts
from clineval.answers.placing import Lost, PlacedAnswers, WordedGold, words_of
from clineval.answers.reading import Answer, read_answers
from clineval.answers.repair import FINE
from clineval.answers.texts import Worded, check_reach, pair_by_words, words_of_spans
from clineval.base.errors import InputError, agree, listed
from clineval.base.files import is_file
from clineval.evaluation.evaluate import Evaluation
from clineval.evaluation.evaluate import evaluate as evaluate_sides
from clineval.formats.given.texts import find_texts, with_texts
from clineval.kinds.mentions.columns import Side
from clineval.results.challenge import Challenge, Setup
from clineval.results.scores import Score


@dataclass(frozen=True, slots=True, eq=False)
class Taken:
    """Answers of several systems and the gold standard, ready for scoring.

    Args:
        references: the gold standard.
        systems: name to predictions.
        lost: name to what cannot be right in the answers.
        notes: the notes by the documents' names; quotes that are in none follow at their ends.
    """

    references: Side
    systems: Mapping[str, Side]
    lost: Mapping[str, Sequence[Lost]]
    notes: Mapping[str, str]


def evaluate(  # noqa: PLR0913 - as in clineval.score
    module: str,
    answers: Any,
    references: Any,
    *,
    texts: Any = None,
    alignment: Alignment | None = None,
    config: str = "default",
    protocol: str = "spec",
    **options: Any,
) -> Evaluation:
    r"""Evaluate the answers of a model.

    The scores have besides the challenge's own: ``n_answers``, the items; of these
    ``n_unaligned`` and ``n_ambiguous``, which have no place, and ``n_without_text``, which have no
    quote: all three are false positives;
    ``n_invalid``, values that a slot cannot have, which are scored as wrong; ``n_repaired``,
    answers of which only the certain parts could be read; ``n_unreadable``, answers that could
    not be read and are scored as empty.

    Args:
        module: a metric of mentions.
        answers: what :func:`read_answers` takes.
        references: the gold standard, as in :func:`clineval.score`. With ``match="text"`` also
            answers, with texts in place of offsets.
        texts: the notes: a directory, a mapping from document name to text, or a list. May be
            left out if they came with the gold standard or the answers.
        alignment: how quotes are placed.
        config: as in :func:`clineval.score`.
        protocol: as in :func:`clineval.score`.
        options: the challenge's own options.

    Raises:
        InputError: a metric of something else, a document without a text, or files that cannot
            be read.

    Examples:
        >>> gold = [[{"spans": [[3, 8]], "cui": "C0013604"}]]
        >>> answer = '```json\n[{"text": "edema", "cui": "C0013604", "negation": "maybe"}]\n```'
        >>> result = evaluate("semeval15_task14", [answer], gold, texts=["No edema."]).score()
        >>> result["strict_f1"], result["negation_accuracy"], result["n_invalid"]
        (1.0, 0.0, 1)
        >>> result.signature.settings["answers"]
        'in-order,exact'
    """
    challenge = find_taking(module)
    asked = {"config": config, "protocol": protocol, **without_texts(challenge, options)}
    taken = take_answers(
        module, {"": answers}, references, texts=texts, alignment=alignment, **asked
    )
    return evaluate_sides(module, taken.systems[""], taken.references, **asked)


def score(  # noqa: PLR0913 - as in clineval.score
    module: str,
    answers: Any,
    references: Any,
    *,
    confidence: float | None = None,
    n_resamples: int = 1000,
    seed: int = 12345,
    interval: str = "auto",
    cluster: Any = None,
    **options: Any,
) -> Score:
    """Score the answers of a model: :func:`evaluate`, and the scores of it.

    Examples:
        >>> gold = [[{"text": "edema", "cui": "C0013604"}]]
        >>> found = [[{"text": "edema", "cui": "C0013604"}, {"text": "cough", "cui": None}]]
        >>> score("semeval15_task14", found, gold, alignment=Alignment(match="text"))["strict_f1"]
        0.6666666666666666
    """
    counts = evaluate(module, answers, references, **options).counts
    return counts.score(
        confidence=confidence,
        n_resamples=n_resamples,
        seed=seed,
        interval=interval,
        cluster=cluster,
    )


def take_answers(  # noqa: PLR0913 - as in clineval.score
    module: str,
    systems: Mapping[str, Any],
    references: Any,
    *,
    texts: Any = None,
    alignment: Alignment | None = None,
    config: str = "default",
    protocol: str = "spec",
    **options: Any,
) -> Taken:
    """Read the gold standard and the answers of some systems, and place their quotes.

    The arguments are those of :func:`evaluate`, but for several systems, name to answers.
    """
    challenge = find_taking(module)
    policies = alignment or Alignment()
    setup = challenge.setup(config, protocol, without_texts(challenge, options))
    read = {name: read_answers(given, _label_slot(challenge)) for name, given in systems.items()}
    if policies.match == "text":
        return _take_words(challenge, setup, read, references, texts)
    gold, _ = setup.steps.read(references, [], setup)
    gold = with_texts(gold, texts)
    check_reach(gold)
    placed = {name: place_answers(of, gold, texts, policies) for name, of in read.items()}
    notes = _stack(placed.values())
    _, sides = setup.steps.read(gold, list(placed.values()), setup)
    known = zip(gold.documents, gold.texts, strict=False)
    return Taken(
        gold,
        dict(zip(placed, sides, strict=True)),
        {name: of.lost for name, of in placed.items()},
        {**{name: text for name, text in known if text is not None}, **notes},
    )


def place_answers(
    answers: Sequence[Answer], gold: Side | None, texts: Any, alignment: Alignment
) -> PlacedAnswers:
    """Place answers in their notes.

    Args:
        answers: as :func:`read_answers` gives them.
        gold: the gold standard, whose names and texts serve too; None without one.
        texts: the notes, as in :func:`evaluate`.
        alignment: the policies.

    Raises:
        InputError: documents without a text.
    """
    named = [replace(a, document=_match_name(a.document, gold)) for a in answers]
    given = _find_notes(named, gold, texts)
    found = [text if text is not None else a.text for a, text in zip(named, given, strict=True)]
    missing = [a.document or str(at) for at, a in enumerate(named) if found[at] is None]
    if missing:
        some = agree("{n} {document|documents}", len(missing))
        raise InputError(
            f"no text of {some} with answers: {listed(missing)}",
            remedy="Give the notes, in which the quotes are looked for",
        )
    return PlacedAnswers(named, [text or "" for text in found], alignment)


def _find_notes(answers: Sequence[Answer], gold: Side | None, texts: Any) -> Sequence[str | None]:
    """Find the text of each answer's document, as far as texts or the gold standard have it."""
    names = [answer.document for answer in answers]
    of_gold = () if gold is None else gold.texts
    if gold is not None and (gold.keys is None or None in names):  # paired by position
        return [*of_gold, *[None] * len(names)][: len(names)]
    known = dict(zip(gold.documents, of_gold, strict=False)) if gold else {}
    in_order = isinstance(
        texts, (list, tuple)
    )  # in the order of the gold standard, if there is one
    if texts is None or (in_order and gold is not None):
        return [known.get(name or "") for name in names]
    return find_texts([name or "" for name in names], texts, "texts")


def _match_name(name: str | None, gold: Side | None) -> str | None:
    """Return the name of an answer's document in the gold standard, which may add ``.txt``."""
    if name is None or gold is None or name in gold.documents:
        return name
    return f"{name}.txt" if f"{name}.txt" in gold.documents else name


def _label_slot(challenge: Challenge) -> str:
    """Return the slot that a class without codes stands for."""
    classes = challenge.task.class_slot
    return classes.name if classes and not classes.none else ""


def _stack(systems: Iterable[PlacedAnswers]) -> dict[str, str]:
    """Put the quotes without a place of each system below those of the others; return the notes."""
    below: dict[str, str] = {}
    for placed in systems:
        names = [answer.document or str(at) for at, answer in enumerate(placed.answers)]
        known = zip(names, placed.texts, strict=True)
        placed.below = [below.get(name, text) for name, text in known]
        below |= zip(names, placed.notes, strict=True)
    return below


def _take_words(
    challenge: Challenge,
    setup: Setup,
    systems: Mapping[str, Sequence[Answer]],
    references: Any,
    texts: Any,
) -> Taken:
    """Return both sides of each system with offsets that stand for their words."""
    if len(systems) > 1:
        raise InputError("match='text' takes one system at a time")
    slots = challenge.faces.page.slots(setup.config)  # type: ignore[union-attr]
    gold = _read_words(challenge, setup, references)
    if gold is None:
        side, _ = setup.steps.read(references, [], setup)
        side = with_texts(side, texts)
        # what the challenge takes for one mention is one here too
        corpus: Any = setup.steps.join(side, side, setup)
        gold = words_of_spans(replace(side, mentions=corpus.gold.columns))
    [(name, answers)] = systems.items()
    named = [replace(a, document=_match_name(a.document, gold.side)) for a in answers]
    placed = PlacedAnswers(named, [""] * len(named), Alignment(match="text"))
    _, [side] = setup.steps.read(gold.side, [placed], setup)
    found = Worded(side, [words_of(item) for answer in named for item in answer.items])
    classes = challenge.task.class_slot.name if challenge.task.class_slot else ""
    references, side = pair_by_words(gold, found, slots, classes)
    notes = dict(zip(references.documents, map(str, references.texts), strict=True))
    return Taken(references, {name: side}, {name: placed.lost}, notes)


def _read_words(challenge: Challenge, setup: Setup, references: Any) -> Worded | None:
    """Read a gold standard with texts in place of offsets; None if it has offsets."""
    if isinstance(references, Side) or not _may_be_answers(references):
        return None
    answers = read_answers(references, _label_slot(challenge))
    items = [item for answer in answers for item in answer.items]
    if not items or any("spans" in item.values for item in items):
        return None
    broken = [a.document or str(at) for at, a in enumerate(answers) if a.state != FINE]
    if broken or not all(item.quote for item in items):
        raise InputError(
            f"expected a gold standard with the text of every mention{': ' * bool(broken)}"
            f"{listed(broken)}",
            where="references",
        )
    side, _ = setup.steps.read(WordedGold(answers), [], setup)
    return Worded(side, [words_of(item) for item in items])


def _may_be_answers(references: Any) -> bool:
    if isinstance(references, (str, os.PathLike)):
        return Path(references).suffix == ".jsonl" and is_file(references)
    if isinstance(references, Mapping):
        return True
    return isinstance(references, (list, tuple)) and all(
        isinstance(document, (list, tuple)) for document in references
    )
