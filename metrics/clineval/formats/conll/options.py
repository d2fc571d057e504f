"""Options for reading words with tags, of metrics of spans with labels of any scheme."""

from __future__ import annotations

from collections.abc import Sequence

from clineval.base.arrays import is_whole
from clineval.base.errors import InputError, shown
from clineval.formats.conll.lines import Tagging
from clineval.formats.conll.schemes import PREFIXES
from clineval.results.challenge import Setup
from clineval.results.options import Option

_MOST = 1 << 20
"""More columns than any file has."""
SCHEMES = ("auto", *PREFIXES)


def parse_column(column: object) -> str:
    """Parse a column: its number, its name, or None for the last one.

    Raises:
        InputError: neither a number from 1 nor a name.

    Examples:
        >>> parse_column(4), parse_column("ner_tags"), parse_column(None)
        ('4', 'ner_tags', '')
    """
    if column is None:
        return ""
    if isinstance(column, str) or (is_whole(column) and 0 < int(column) < _MOST):
        return str(column).strip()
    problem = f"expected the number of a column, from 1, or its name, got {shown(column)}"
    raise InputError(problem, where="tag_column")


def parse_label(label: object) -> str:
    """Parse the label of tags without one; None for none."""
    if label is None:
        return ""
    if not isinstance(label, str) or not label.strip():
        raise InputError(f"expected a label, got {shown(label)}", where="tag_label")
    return label.strip()


OPTIONS = (
    Option(
        "tag_column",
        "For words with tags (CoNLL): the column of tags, its number from 1 or its name in the "
        "header; the last column by default.",
        python="for words with tags: the number of their column, from 1, or its name in the "
        "header; if None, the last column.",
        flag="--tag-column",
        parse=parse_column,
    ),
    Option(
        "tag_scheme",
        "For words with tags: the scheme, which decides which tags are reported as irregular; "
        "auto takes the scheme that fits best.",
        "auto",
        "choice",
        choices=SCHEMES,
        flag="--tag-scheme",
    ),
    Option(
        "tag_label",
        "For words with tags: the label of tags without one, such as B and I.",
        flag="--tag-label",
        parse=parse_label,
    ),
)


def as_tagging(setup: Setup, labels: Sequence[str] | None = None) -> Tagging:
    """Return how to read words with tags.

    Args:
        setup: the setup, with these options.
        labels: the scored labels; a single one is the default label of tags without one.
    """
    only = labels[0] if labels and len(labels) == 1 else ""
    return Tagging(setup["tag_column"], setup["tag_scheme"], setup["tag_label"] or only)
