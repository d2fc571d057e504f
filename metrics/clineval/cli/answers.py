"""Options for answers with quotes instead of predictions, which several commands share."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from clineval.base.errors import InputError
from clineval.base.escaping import visible

if TYPE_CHECKING:  # help must not wait for NumPy
    from clineval.kinds.mentions.columns import Lost
    from clineval.results.challenge import Challenge
    from clineval.results.options import Option

PANEL = "Answers of language models"
COMMANDS = ("score", "compare", "errors", "report")
"""The commands that accept answers."""
_POLICIES = ("align", "match", "distance")
_OWN = ("answers", *_POLICIES, "unplaced")


@dataclass(frozen=True, slots=True)
class Scored:
    """The two sides that a command scores, and the remaining options."""

    references: object
    systems: Mapping[str, object]
    options: Mapping[str, Any]
    notes: Mapping[str, str] | None = None  # only for answers: with quotes that no note contains


def options_for(challenge: Challenge) -> Sequence[Option]:
    """Return the options for answers, if the challenge accepts answers.

    Options that the challenge declares itself, such as the notes, are left out.
    """
    from clineval.answers.options import options_of_answers

    return options_of_answers(challenge)


def take_answers(
    module: str,
    references: object,
    systems: Mapping[str, object],
    settings: Mapping[str, Any],
    *,
    notes: object = None,
) -> Scored:
    """Return the files that a command scores or, with ``--answers``, the answers in them.

    Args:
        module: the name of the challenge.
        references: the gold standard.
        systems: predictions or answers by the names of systems.
        settings: all options that were given.
        notes: the notes, if the command has its own option for them.

    Raises:
        InputError: options for answers without ``--answers``, or answers that cannot be read.
    """
    quoting = {name: settings[name] for name in _OWN if name in settings}
    others = {name: value for name, value in settings.items() if name not in quoting}
    if not quoting.get("answers"):
        if quoting:
            raise InputError(f"--{next(iter(quoting))} needs --answers")
        return Scored(references, systems, others)
    from clineval.answers import take_answers as take
    from clineval.answers.options import find_taking, make_alignment, without_texts
    from clineval.base.subjects import naming_several

    texts = others.pop("texts", None) or notes
    policies = {name: quoting[name] for name in _POLICIES if name in quoting}
    alignment = make_alignment(**policies) if policies else None
    with naming_several([*systems]):
        taken = take(module, systems, references, texts=texts, alignment=alignment, **others)
    if "unplaced" in quoting:
        _write_lost(taken.lost, quoting["unplaced"])
    left = without_texts(find_taking(module), others)
    return Scored(taken.references, taken.systems, left, taken.notes)


def _write_lost(lost: Mapping[str, Sequence[Lost]], path: Path) -> None:
    """Write the answer items that cannot be correct as CSV, one on each line, without text."""
    from clineval.base.escaping import write_csv
    from clineval.base.files import write_file

    rows: list[Sequence[object]] = [("system", "document", "position", "reason")]
    rows += [
        (name, each.document, "" if each.position is None else each.position, each.reason)
        for name, items in lost.items()
        for each in items
    ]
    write_file(path, write_csv(rows))
    typer.echo(visible(f"wrote {path}") + f" ({len(rows) - 1} lines)", err=True)
