"""Options of a least overlap and of further scores: what they accept, count and write."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from clineval.base.errors import InputError
from clineval.base.ratios import Columns
from clineval.challenges.clinical_spans.further import DOCUMENTS, TOKENS
from clineval.challenges.clinical_spans.numbers import parse_beta, parse_share, write_number
from clineval.kinds.mentions.corpus import Corpus
from clineval.results.averages import WEIGHTED, label_key
from clineval.results.challenge import Setup
from clineval.results.options import Option
from clineval.results.settings import Setting

CHOSEN_SETTINGS = (
    Setting(
        "min_overlap",
        "the least overlap of a pair, as a share of the gold mention",
        option="--min-overlap",
    ),
    Setting(
        "iou", "the least overlap of a pair, as a share of both mentions together", option="--iou"
    ),
    Setting("beta", "the beta of F-beta, which was added", option="--beta"),
    Setting("tokens", "`yes` if scores of tokens were added", option="--tokens", literal=False),
    Setting("weighted", "`yes` if weighted means were added", option="--weighted", literal=False),
    Setting(
        "document_accuracy",
        "`yes` if the share of documents that are entirely right was added",
        option="--document-accuracy",
        literal=False,
    ),
)
"""The fields of signatures for these options."""


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
        problem = "mentions that only touch share no character, so no least overlap fits them"
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


OPTIONS = (
    Option(
        "min_overlap",
        "The least share of a gold mention that an overlapping prediction covers, above 0 and at "
        "most 1, such as 0.5; by default any overlap is enough.",
        parse=partial(parse_share, where="min_overlap"),
    ),
    Option(
        "iou",
        "The least intersection over union of overlapping mentions: shared characters, divided by "
        "the characters of either mention; above 0 and at most 1.",
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
