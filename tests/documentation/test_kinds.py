"""The table of kinds and faces in the manual is what the kinds say."""

from importlib import import_module
from pkgutil import iter_modules

from conftest import ROOT

from clineval import kinds
from clineval.kinds.relations.kind import TupleKind
from clineval.results.kind import FACES, Kind

README = ROOT / "metrics" / "README.md"
NAMES = {TupleKind: "relations as tuples"}
"""The names of kinds that share theirs with another."""


def list_kinds():
    """The class of every kind, in the order of the folders."""
    found = []
    for folder in iter_modules(kinds.__path__):
        if folder.ispkg and folder.name != "mentions":
            module = import_module(f"clineval.kinds.{folder.name}.kind")
            found += [
                each
                for each in vars(module).values()
                if isinstance(each, type) and each.__module__ == module.__name__
                if issubclass(each, Kind)
            ]
    spans = import_module("clineval.kinds.mentions.kind")
    return [spans.SpanKind, spans.GivenSpanKind, *found]


def lay_out():
    """The table, and the sentences that its numbers stand for."""
    sentences, rows = [], []
    for kind in list_kinds():
        cells = []
        for face in FACES:
            reason = kind.never.get(face)
            if reason and reason not in sentences:
                sentences.append(reason)
            cells.append(str(sentences.index(reason) + 1) if reason else "✓")
        name = "spans that are given" if kind.given else NAMES.get(kind, kind.name)
        rows.append(f"| {name} | {' | '.join(cells)} |")
    head = [f"| kind | {' | '.join(FACES.values())} |", "|---" * (len(FACES) + 1) + "|"]
    told = [f"{number}. {sentence}" for number, sentence in enumerate(sentences, 1)]
    return "\n".join([*head, *rows, "", *told])


def test_the_manual_has_the_table():
    table = lay_out()
    assert table in README.read_text(), f"metrics/README.md lacks this table:\n{table}"


def test_no_reason_is_for_a_face_that_does_not_exist():
    assert {face for kind in list_kinds() for face in kind.never} <= {*FACES}
