"""The options of answers, declared once, and which challenges take answers."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, get_args

from clineval.answers.policies import Align, Match
from clineval.base.errors import InputError
from clineval.results.challenge import Challenge
from clineval.results.options import Option
from clineval.results.registry import check_face, find_challenge

if TYPE_CHECKING:  # every score has these options, and few an answer
    from clineval.answers.alignment import Alignment

OPTIONS = (
    Option(
        "answers",
        "The predictions are a language model's answers in JSON.",
        default=False,
        kind="flag",
        flag="--answers",
    ),
    Option("texts", "Directory of the notes.", kind="texts", flag="--text"),
    Option(
        "align",
        "Which place of a quote counts: in-order, first, all or unique.",
        "in-order",
        "choice",
        choices=get_args(Align),
    ),
    Option(
        "match",
        "What is the same: exact, whitespace, fold or fuzzy; or text, to compare with the texts of "
        "the gold mentions and look at no offsets.",
        "exact",
        "choice",
        choices=get_args(Match),
    ),
    Option("distance", "fuzzy: edits for each character of a quote; 0.2 otherwise."),
    Option(
        "unplaced",
        "Also write to this CSV file what of the answers cannot be right: document and position.",
        kind="file",
    ),
)


def options_of_answers(challenge: Challenge) -> tuple[Option, ...]:
    """Return the options of a challenge that takes answers; without quotes nothing is placed."""
    if not takes_answers(challenge):
        return ()
    plain = ("answers", "unplaced")
    return tuple(each for each in OPTIONS if challenge.kind.quotes or each.name in plain)


def takes_answers(challenge: Challenge) -> bool:
    """Tell whether a challenge takes answers."""
    return "answers" not in challenge.kind.lacks


def find_taking(module: str) -> Challenge:
    """Find a challenge that takes answers; the error for another one names those that do."""
    challenge = find_challenge(module)
    check_face(challenge, "answers", f"{challenge.name} does not take answers", "these do")
    return challenge


def without_texts(challenge: Challenge, options: Mapping[str, object]) -> dict[str, object]:
    """Return options without the notes, which come with the sides."""
    texts = {option.name for option in challenge.options if option.holds_texts}
    return {name: value for name, value in options.items() if name not in texts}


def make_alignment(
    align: Align = "in-order", match: Match = "exact", distance: str = "0.2"
) -> Alignment:
    """Make the policies of the command line, where numbers are words."""
    from clineval.answers.alignment import Alignment

    try:
        edits = float(distance)
    except ValueError:
        raise InputError("expected a number", where="--distance") from None
    return Alignment(align, match, edits)
