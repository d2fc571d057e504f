"""Options of a least overlap and of further scores: what they accept, count and write."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from functools import partial

from clineval.base.arrays import is_number
from clineval.base.errors import InputError, shown
from clineval.base.ratios import Columns
from clineval.challenges.clinical_spans.further import DOCUMENTS, TOKENS
from clineval.kinds.mentions.corpus import Corpus
from clineval.results.averages import WEIGHTED, label_key
from clineval.results.challenge import Setup
from clineval.results.options import Option


def describe_chosen(setup: Setup) -> dict[str, str]:
    """Return the options of this module that are used, with their values, for the signature."""
    numbers = {
        name: write_number(setup[name]) for name in ("min_overlap", "iou", "beta") if setup[name]
    }
    return numbers | {
        name: "yes" for name in ("tokens", WEIGHTED, "document_accuracy") if setup[name]
    }


def check_chosen(setup: Setup, labels: Sequence[str]) -> None:
    """Reject options that contradict each other or a label.

    Raises:
        InputError: they do.
    """
    if setup["touching"] and (setup["min_overlap"] or setup["iou"]):
        problem = "mentions that only touch share nothing, so they have no least overlap"
        raise InputError(
            problem, where="touching", remedy="Leave out touching= or the least overlap"
        )
    if setup[WEIGHTED] and WEIGHTED in map(label_key, labels):
        problem = f"the scores of the label {WEIGHTED!r} would have the keys of the weighted means"
        raise InputError(problem, where=WEIGHTED, remedy="Rename the label, or leave out weighted=")


def count_chosen(block: Corpus, counted: Columns, setup: Setup) -> Columns:
    """Count what the options add, ``[documents]`` each.

    Args:
        block: a block of the corpus.
        counted: the counts of the matches.
        setup: the options.
    """
    tokens = TOKENS.count(block, setup["labels"]) if setup[TOKENS.name] else {}
    documents = DOCUMENTS.count(counted) if setup["document_accuracy"] else {}
    return {**tokens, **documents}


def write_number(value: float) -> str:
    """Write a number as short as possible, without loss.

    Examples:
        >>> write_number(2.0), write_number(0.5), write_number(1 / 3)
        ('2', '0.5', '0.3333333333333333')
    """
    short = f"{value:g}"
    return short if float(short) == value else repr(value)


def parse_share(value: object, *, where: str) -> float | None:
    """Parse the least overlap, a number above 0 and at most 1; None for no least overlap.

    Raises:
        InputError: it is not such a number.
    """
    return _parse(value, where, 1.0, "a number above 0 and at most 1, such as 0.5")


def parse_beta(value: object) -> float | None:
    """Parse beta, a number above 0; None for no F-beta; raise as :func:`parse_share` does."""
    return _parse(value, "beta", 1e6, "a number above 0, such as 2")


def _parse(value: object, where: str, most: float, expected: str) -> float | None:
    if value is None:
        return None
    number = value
    if isinstance(value, str):
        with suppress(ValueError):
            number = float(value)
    if not is_number(number) or not 0 < number <= most:
        raise InputError(f"expected {expected}, got {shown(value)}", where=where)
    return float(number)


OPTIONS = (
    Option(
        "min_overlap",
        "The least share of a gold mention that an overlapping prediction covers, above 0 and at "
        "most 1, such as 0.5; by default any overlap is enough.",
        parse=partial(parse_share, where="min_overlap"),
    ),
    Option(
        "iou",
        "The least share of what overlapping mentions have in common, of what is in either of "
        "them, above 0 and at most 1.",
        parse=partial(parse_share, where="iou"),
    ),
    Option(
        TOKENS.name,
        "Also score the words of mentions. This needs the notes.",
        default=False,
        kind="flag",
    ),
    Option(
        WEIGHTED,
        "Also compute means over labels that are weighted by gold mentions.",
        default=False,
        kind="flag",
    ),
    Option(
        "beta",
        "Also compute F-beta, for this beta: recall counts beta times as much as precision.",
        parse=parse_beta,
    ),
    Option(
        "document_accuracy",
        "Also compute the share of documents that are entirely right.",
        default=False,
        kind="flag",
    ),
)
"""The options of a least overlap and of further scores."""
