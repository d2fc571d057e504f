"""What ``make test`` tries once and ``make test-all`` everywhere: tests/README.md says what goes
where.
"""

import pytest
from hypothesis import settings
from needs import ASKED

from clineval.results.registry import NAMES, find_challenge

thorough = pytest.mark.thorough
"""What the fast part leaves out."""
KINDS = tuple({find_challenge(name).kind.name: name for name in reversed(NAMES)}.values())
"""A challenge of each kind of annotation, which stands for the others in the fast part."""


def each(values, fast=KINDS):
    """Parameters: all values, those that are not among the ``fast`` ones in the thorough part."""
    known = set(fast)
    assert known & set(values), "the fast part has one of them at least"
    return [value if value in known else pytest.param(value, marks=thorough) for value in values]


def each_case(cases):
    """Parameters whose first part is a module, as :func:`each` has them."""
    return [case if case[0] in KINDS else pytest.param(*case, marks=thorough) for case in cases]


def each_module(fast=KINDS):
    """Run a test for every challenge, in the fast part for one of each kind."""
    return pytest.mark.parametrize("name", each(NAMES, fast))


def choose(fast, everything):
    """Return what tests with something in common work with, in the fast part and otherwise.

    Their file has the marker ``grows``, so that the rest of the thorough part has them again.
    """
    return everything if ASKED else fast


def fewer(share):
    """Hypothesis settings where examples are dear: a share of what the profile has."""
    return settings(max_examples=max(3, round(share * settings().max_examples)))


def crossed(rows, columns, slow=()):
    """Parameters: all pairs; in the fast part each row and each column once, but for slow pairs."""
    return [
        (row, column)
        if (row == rows[0] or column == columns[0]) and (row, column) not in slow
        else pytest.param(row, column, marks=thorough)
        for row in rows
        for column in columns
    ]
