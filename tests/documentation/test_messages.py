"""``messages.txt`` lists all messages of the package, so that they can be read in one go."""

import ast

from messages import LISTED, Strings, list_messages


def messages_of(source):
    strings = Strings()
    strings.visit(ast.parse(source))
    return strings.found


def test_the_list_is_that_of_the_code():
    listed, found = LISTED.read_text("utf-8").splitlines(), list_messages().splitlines()
    changed = sorted({*listed} ^ {*found})
    assert (changed, listed) == ([], found), "run .venv/bin/python tests/messages.py"


def test_errors_warnings_and_help_are_listed():
    source = '''
def f(names, place):
    """Not this docstring."""
    raise InputError(f"no {names[0]} in {place.file!r}", where=place, remedy="Give one.")
    warn("few documents")
    Option("name", help="A name.")
    label = "one two"
    shown = "the mentions that are scored"
    return f"{'yes, this is one' if names else 'no'}: {len(names)} of {place.document}"
'''
    assert messages_of(source) == [
        "no {names} in {file}",
        "Give one.",
        "few documents",
        "A name.",
        "the mentions that are scored",
        "yes, this is one",
    ]


def test_pages_and_citations_are_not_listed():
    assert messages_of('X = """one of the\\nlines of a\\nlong page of\\ntext"""') == []
