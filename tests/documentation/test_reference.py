"""Docstrings of the public names: what a reader of the reference needs to call them."""

import re
from importlib import import_module
from inspect import getdoc, getsource, isclass, isfunction, isroutine, signature

import pytest
from assembly.pages import REFERENCE
from conftest import ROOT

from clineval.results.protocol import Protocol

ENTRY = re.compile(r"^::: ([\w.]+)\.(\w+)$", re.MULTILINE)
HEADING = re.compile(r"^(Args|Returns|Yields|Raises|Examples):$", re.MULTILINE)
PAIRS = [
    entry
    for page in REFERENCE
    for entry in ENTRY.findall((ROOT / f"docs/reference/{page}.md").read_text("utf-8"))
    if entry != ("clineval", page)
]
OBJECTS = {f"{home}.{name}": getattr(import_module(home), name) for home, name in PAIRS}
CALLED = {path: thing for path, thing in OBJECTS.items() if isclass(thing) or isroutine(thing)}
FUNCTIONS = {path: thing for path, thing in CALLED.items() if isroutine(thing)}
NEVER_RAISE = {
    "clineval.answers.align_quotes",
    "clineval.hf.register",
    "clineval.training.as_entries",
    "clineval.training.as_mentions",
    "clineval.training.as_sections",
    "spacy_clin.register_extensions",
}
"""What takes no user's input, or takes it as it is."""


def sections_of(thing):
    """The sections of a docstring by their headings."""
    found = HEADING.split(getdoc(thing))
    return {"Summary": found[0], **dict(zip(found[1::2], found[2::2], strict=True))}


def parameters_of(thing):
    taken = signature(thing).parameters.values()
    return {one.name for one in taken if one.kind is not one.POSITIONAL_ONLY}


@pytest.mark.parametrize("path", CALLED)
def test_an_example_shows_how_it_is_used(path):
    assert ">>> " in sections_of(CALLED[path])["Examples"]


@pytest.mark.parametrize("path", CALLED)
def test_every_argument_is_explained(path):
    thing = CALLED[path]
    if isclass(thing) and issubclass(thing, tuple):  # a named one, whose fields are explained
        explained = re.findall(r'^ {4}(\w+): .*\n {4}"""', getsource(thing), re.MULTILINE)
    else:
        said = sections_of(thing).get("Args", "")
        explained = re.findall(r"^ {4}(\w+):", said, re.MULTILINE)
    assert parameters_of(thing) <= {*explained}


@pytest.mark.parametrize("path", FUNCTIONS)
def test_a_function_says_what_it_returns(path):
    sections = sections_of(FUNCTIONS[path])
    if signature(FUNCTIONS[path]).return_annotation not in {None, "None"}:
        assert {"Returns", "Yields"} & {*sections} or sections["Summary"].startswith("Return")


@pytest.mark.parametrize("path", FUNCTIONS)
def test_a_function_says_when_it_refuses(path):
    assert ("Raises" in sections_of(FUNCTIONS[path])) != (path in NEVER_RAISE)


def list_methods():
    """The methods of the classes that people call; the steps of protocols are explained once."""
    for path, thing in CALLED.items():
        if isclass(thing) and not issubclass(thing, Protocol):
            yield from ((f"{path}.{name}", getattr(thing, name)) for name in own_methods(thing))


def own_methods(thing):
    return [
        name
        for name, member in vars(thing).items()
        if not name.startswith("_") and isfunction(getattr(member, "__func__", member))
    ]


METHODS = dict(list_methods())


@pytest.mark.parametrize("path", METHODS)
def test_a_method_explains_its_arguments(path):
    words = {*re.findall(r"\w+", getdoc(METHODS[path]))}
    assert parameters_of(METHODS[path]) - {"self", "cls"} <= words
