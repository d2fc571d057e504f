"""Stand-in for ``scripts.score`` of eHealth-KD 2019, 2020 and 2021."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Annotated

import typer

from clineval.base.errors import InputError
from clineval.challenges.ehealthkd20.measures import KINDS, kinds_of
from clineval.challenges.ehealthkd20.sentences import Sentence, SentenceCorpus
from clineval.challenges.ehealthkd20.spec import Found
from clineval.kinds.pages import Scored
from clineval.results.match import NONE
from clineval.results.scores import Score
from clineval.results.scripts import Output, ScriptRun

Evaluation = Scored[SentenceCorpus, Found]
_LETTERS = {"phrases": "A", "relations": "B"}


def _stand_in(edition: str) -> Callable[..., ScriptRun]:
    def score(
        gold: Annotated[Path, typer.Argument(help="The gold standard's .txt file.")],
        submit: Annotated[Path, typer.Argument(help="The submission's .txt file.")],
        skip_a: Annotated[bool, typer.Option("--skip-A", help="Leave key phrases out.")] = False,  # noqa: FBT002
        skip_b: Annotated[bool, typer.Option("--skip-B", help="Leave relations out.")] = False,  # noqa: FBT002
        verbose: Annotated[bool, typer.Option("--verbose", help="List all items.")] = False,  # noqa: FBT002
    ) -> ScriptRun:
        if skip_a and skip_b:
            raise InputError("--skip-A and --skip-B leave nothing", remedy="Give one of them")
        config = "taskB" if skip_a else "taskA" if skip_b else "main"

        def write(evaluation: Evaluation) -> Iterator[Output]:
            yield Output(format_score(evaluation, edition if verbose else ""))

        return ScriptRun(config, submit, gold, write, {"edition": edition})

    score.__doc__ = f"Print the counts and scores that scripts.score of {edition} prints."
    return score


COMMANDS: Mapping[str, Callable[..., ScriptRun]] = {
    f"ehealthkd-{edition}": _stand_in(edition) for edition in ("2019", "2020", "2021")
}


def format_score(evaluation: Evaluation, edition: str = "") -> str:
    """Format scores as a program prints them.

    With an ``edition``, also list annotations with their words, as its program does.
    """
    score: Score = evaluation.score()
    text = ""
    for of in kinds_of(score.config):
        text += "".join(f"{_name(of, kind)}: {score[f'{of}_{kind}']}\n" for kind in KINDS[of])
        text += "".join(_list_all(evaluation, of, edition)) if edition else ""
    rates = (f"{name}: {score[name]:0.4}\n" for name in ("recall", "precision", "f1"))
    return "".join([text, "-" * 20, "\n", *rates])


def _name(of: str, kind: str) -> str:
    return f"{kind}_{_LETTERS[of]}"


def _list_all(evaluation: Evaluation, of: str, edition: str) -> Iterator[str]:
    """Yield the annotations of each kind, sentence by sentence."""
    [found] = evaluation.pairings
    describe = _describe_phrase if of == "phrases" else _describe_relation
    for kind in KINDS[of]:
        if edition == "2021" and kind == "correct":
            continue
        yield f"\n==================={_name(of, kind).upper():^14}===================\n\n"
        lines = []
        for (gold, system), result in zip(evaluation.corpus.pairs, found, strict=True):
            for g, p, _ in (row for row in result[of] if row[2] == kind):
                sides = [] if p == NONE else [describe(system, p, edition)]
                sides += [] if g == NONE else [describe(gold, g, edition)]
                lines.append(" --> ".join(sides))
        yield "\n".join(lines) + "\n"


def _describe_phrase(sentence: Sentence, at: int, edition: str) -> str:
    phrase = sentence.phrases[at]
    attributes = ", ".join(f"Attribute(label={label!r})" for label in phrase.attributes)
    more = "" if edition == "2019" else f", attr=[{attributes}]"
    words = _words_of(sentence, at)
    return f"Keyphrase(text={words!r}, label={phrase.label!r}, id={int(phrase.id)!r}{more})"


def _describe_relation(sentence: Sentence, at: int, _edition: str) -> str:
    label, *ends = sentence.relations[at]
    source, target = (_words_of(sentence, end) for end in ends)
    return f"Relation(from={source!r}, to={target!r}, label={label!r})"


def _words_of(sentence: Sentence, at: int) -> str:
    text = sentence.text or ""
    return " ".join(text[start:end] for start, end in sentence.phrases[at].fragments)
