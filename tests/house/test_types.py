"""Types say what passes: Any is rare, and interfaces do without it."""

import io
import re
import tokenize

import pytest
from conftest import ROOT

ALLOWED = 200
"""How often it may stand in the product, imports included."""
FILES = {
    path.relative_to(ROOT).as_posix(): path.read_text("utf-8")
    for folder in ("metrics", "spacy_clin")
    for path in (ROOT / folder).rglob("*.py")
}
INTERFACES = [
    name
    for name in FILES
    if re.search(r"results/(protocol\w*|views|kind)\.py$|mentions/outcomes\.py$", name)
]


def count_any(text):
    """Count the name, in types and in imports; a sentence may begin with the word."""
    if "Any" not in text:
        return 0
    tokens = tokenize.generate_tokens(io.StringIO(text).readline)
    return sum(token.type == tokenize.NAME and token.string == "Any" for token in tokens)


def test_it_counts_names_and_no_words():
    assert count_any('from typing import Any\n\nx: Any = "Any"  # Any\n') == 2


def test_the_product_says_any_no_more_often_than_that():
    counts = {name: count_any(text) for name, text in FILES.items()}
    assert len(counts) > 500
    most = sorted(counts, key=counts.__getitem__, reverse=True)[:10]
    assert sum(counts.values()) <= ALLOWED, {name: counts[name] for name in most}


@pytest.mark.parametrize("name", INTERFACES)
def test_interfaces_say_what_passes(name):
    assert count_any(FILES[name]) == 0


def test_these_interfaces_are_there():
    assert {name.rpartition("/")[2] for name in INTERFACES} == {
        "kind.py",
        "outcomes.py",
        "protocol.py",
        "views.py",
    }
