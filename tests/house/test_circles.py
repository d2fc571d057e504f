"""No module needs one that needs it: imports make no circles."""

import ast
from graphlib import CycleError, TopologicalSorter

import pytest
from conftest import ROOT

MODULES = {
    ".".join(path.relative_to(folder.parent).with_suffix("").parts).removesuffix(
        ".__init__"
    ): path.read_text("utf-8")
    for folder in (ROOT / "metrics" / "clineval", ROOT / "spacy_clin")
    for path in folder.rglob("*.py")
}


def test_modules_make_no_circles():
    assert len(MODULES) > 300
    assert find_circle(MODULES, inside=False) == []


def test_they_make_none_inside_functions_either():
    assert find_circle(MODULES, inside=True) == []


@pytest.mark.parametrize(
    ("source", "inside"), [("from a import b", False), ("def f():\n  import a.b", True)]
)
def test_a_circle_is_found(source, inside):
    sources = {"a": "", "a.b": "from a.c import x", "a.c": source}
    assert set(find_circle(sources, inside=inside)) == {"a.b", "a.c"}
    assert inside == (find_circle(sources, inside=False) == [])


def find_circle(sources, *, inside):
    """Return the modules of a circle, empty if there is none; with imports ``inside`` functions."""
    graph = {
        name: set(targets_of(ast.parse(source), sources, inside)) - {name}
        for name, source in sources.items()
    }
    try:
        TopologicalSorter(graph).prepare()
    except CycleError as error:
        return error.args[1]
    return []


def targets_of(tree, sources, inside):
    """Yield the modules that a module imports when it runs."""
    for node in ast.iter_child_nodes(tree):
        names = []
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            full = [f"{node.module}.{alias.name}" for alias in node.names]
            names = [name if name in sources else node.module for name in full]
        elif not is_idle(node, inside):
            yield from targets_of(node, sources, inside)
        yield from (name for name in names if name in sources)


def is_idle(node, inside):
    """Tell whether imports below do not run: for types alone, or in functions that are left out."""
    if isinstance(node, ast.If):
        return "TYPE_CHECKING" in ast.unparse(node.test)
    return not inside and isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
