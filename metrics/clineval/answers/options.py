"""Declare the options of answers once, and find the challenges that accept answers."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, get_args

from clineval.answers.policies import Align, Match
from clineval.base.errors import InputError
from clineval.results.challenge import Challenge
from clineval.results.options import Option
from clineval.results.registry import check_face, find_challenge

if TYPE_CHECKING:  # every scoring command declares these options, but few score answers
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
        "The choice among several places of a quote: in-order, first, all or unique.",
        "in-order",
        "choice",
        choices=get_args(Align),
    ),
    Option(
        "match",
        "The comparison of quote and note: exact, whitespace, fold or fuzzy; or text, to compare "
        "quotes with the texts of the gold mentions and ignore offsets; or set, which also counts "
        "repeats once.",
        "exact",
        "choice",
        choices=get_args(Match),
    ),
    Option("distance", "For fuzzy: the maximum edits per character of a quote; default 0.2."),
    Option(
        "unplaced",
        "Also write document and position of answer items that cannot be correct to this CSV file.",
        kind="file",
    ),
)


def options_of_answers(challenge: Challenge) -> tuple[Option, ...]:
    """Return the options of answers for a challenge; those of quotes only if answers have any."""
    if not takes_answers(challenge):
        return ()
    plain = ("answers", "unplaced")
    return tuple(each for each in OPTIONS if challenge.kind.quotes or each.name in plain)


def takes_answers(challenge: Challenge) -> bool:
    """Return whether a challenge accepts answers."""
    return "answers" not in challenge.kind.lacks


def find_taking(module: str) -> Challenge:
    """Find a challenge that accepts answers; the error for others lists those that do."""
    challenge = find_challenge(module)
    check_face(challenge, "answers", f"{challenge.name} does not accept answers", "these do")
    return challenge


def without_texts(challenge: Challenge, options: Mapping[str, object]) -> dict[str, object]:
    """Return options without the notes, because the sides contain them."""
    texts = {option.name for option in challenge.options if option.holds_texts}
    return {name: value for name, value in options.items() if name not in texts}


def make_alignment(
    align: Align = "in-order", match: Match = "exact", distance: str = "0.2"
) -> Alignment:
    """Make the policies from options of the command line, which are strings."""
    from clineval.answers.alignment import Alignment

    try:
        edits = float(distance)
    except ValueError:
        raise InputError("expected a number", where="--distance") from None
    return Alignment(align, match, edits)
