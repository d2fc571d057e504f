"""Print what CompareEntities and CompareRelations of brateval print."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from clineval.base.errors import InputError
from clineval.base.files import find_directory, is_file
from clineval.base.narrowing import as_type
from clineval.base.ratios import harmonic_mean, ratio
from clineval.challenges.chemu20.java_texts import java_fixed
from clineval.challenges.chemu20.likeness import parse_threshold
from clineval.challenges.chemu20.measures import APPROX, ENTITIES
from clineval.challenges.chemu20.official import (
    Comparison,
    Document,
    has_lost_end,
    list_documents,
    list_near,
    match_entities,
    match_relations,
)
from clineval.challenges.chemu20.quoted import QuotedCorpus
from clineval.challenges.chemu20.spec import find_agreement
from clineval.challenges.chemu20.taxonomy import Node, read_taxonomy
from clineval.formats.files import SomeFiles, read_text
from clineval.kinds.pages import AnyScored
from clineval.programs.java_numbers import java_double
from clineval.protocols.mentions_and_relations import RELATIONS
from clineval.results.match import NONE
from clineval.results.scripts import Output, ScriptRun

TYPES = {
    "exact": ("exact", "EXACT"),
    "inexact": ("any", "INEXACT"),
    "hier": ("hier", "HIERARCHICAL"),
}
"""The program's names of matches of types: the option, and the name that it prints."""
_PLACES = {"exact": "EXACT", "overlap": "OVERLAP", APPROX: "APPROXIMATE"}
_RATES = ("precision", "recall", "f1")
Counts = Mapping[str, Counter[str]]
"""Name of a count to the number of each row."""


class Program(StrEnum):
    """The programs."""

    entities = "CompareEntities"
    relations = "CompareRelations"


class Places(StrEnum):
    """The ways to compare places."""

    exact = "exact"
    overlap = "overlap"
    approx = APPROX


class Types(StrEnum):
    """The ways to compare types."""

    exact = "exact"
    inexact = "inexact"
    hier = "hier"


def compare(
    program: Annotated[Program, typer.Argument(help="The program.", show_default=False)],
    similarity: Annotated[
        str, typer.Argument(help="The least similarity, after -s approx.", show_default=False)
    ] = "",
    *,
    system: Annotated[str, typer.Option("-e", help="Folder of the system's .ann files.")],
    gold: Annotated[str, typer.Option("-g", help="Folder of the gold standard's .ann files.")],
    places: Annotated[Places, typer.Option("-s", help="How to compare places.")] = Places.exact,
    types: Annotated[Types, typer.Option("-t", help="How to compare types.")] = Types.exact,
    config: Annotated[
        str, typer.Option("-config", help="A file with the types of annotation.")
    ] = "annotation.conf",
) -> ScriptRun:
    """Print what CompareEntities or CompareRelations of brateval prints."""
    kind = RELATIONS if program is Program.relations else ENTITIES
    threshold = _find_threshold(places, similarity)
    taxonomy = read_taxonomy(read_text(config)) if is_file(config) else None
    option, name = TYPES[types]
    options = {
        "types": option,
        "threshold": threshold,
        "taxonomy": taxonomy if kind == ENTITIES else None,
    }
    shown = f"; Similarity={java_double(threshold)}" if places is Places.approx else ""
    head = (
        f"Loading configuration from {Path.cwd() / config}\n"
        if taxonomy
        else f"Annotation taxonomy ignored. No file {config} found.\n"
    )
    head += (
        f"Evaluating Folder: {system} against Gold Folder: {gold} Match settings : "
        f"Type match={name}; Span match={_PLACES[places]}{shown}\nSummary:\n"
    )

    def write(evaluation: AnyScored) -> Iterator[Output]:
        corpus = as_type(evaluation.corpus, QuotedCorpus)
        comparison = Comparison(places, threshold, find_agreement(evaluation.setup))
        counts = _count(corpus, kind, comparison)
        nodes = taxonomy.sections[kind] if taxonomy else ()
        layout = _write_relations if kind == RELATIONS else _write_entities
        yield Output(head + layout(_list_rows(counts, nodes)))

    sides = [_find_files(folder, deep=kind == ENTITIES) for folder in (system, gold)]
    return ScriptRun(kind, sides[0], sides[1], write, options)


COMMANDS: Mapping[str, Callable[..., ScriptRun]] = {"brateval": compare}


def _find_threshold(places: Places, similarity: str) -> float:
    if places is not Places.approx:
        if similarity:
            problem = f"-s {places} takes no similarity"
            raise InputError(problem, remedy="Leave the number out, or call -s approx")
        return 1.0
    return parse_threshold(similarity or None)


def _find_files(folder: str, *, deep: bool) -> SomeFiles:
    """Return the files of a folder; the program also reads entities in subfolders."""
    path = find_directory(folder)
    found = path.rglob("*.ann") if deep else path.glob("*.ann")
    names = sorted(file.relative_to(path).as_posix() for file in found if file.is_file())
    return SomeFiles(Path(path), names)


def _count(corpus: QuotedCorpus, kind: str, comparison: Comparison) -> Counts:
    """Count the rows of types of entities, or of relations with the types of their ends."""
    counts: Counts = {name: Counter() for name in ("tp", "fp", "fn", "fpm", "fnm")}
    near = list_near(corpus)
    for gold, system in list_documents(corpus):
        if kind == RELATIONS:
            _add_relations(counts, gold, system, comparison)
            continue
        for at, other, _ in match_entities(near, gold, system, comparison):
            found = "" if other == NONE else system.entities[other].label
            label = found if at == NONE else gold.entities[at].label
            counts["fp" if at == NONE else "fn" if other == NONE else "tp"][label] += 1
            counts["tp"][found or label] += 0  # has a row, even of zeros
    return counts


def _add_relations(
    counts: Counts, gold: Document, system: Document, comparison: Comparison
) -> None:
    for at, other, _ in match_relations(gold, system, comparison):
        if NONE not in (at, other):
            counts["tp"][gold.relations[at].name] += 1
            continue
        verdict, own, others, row = (
            ("fn", gold, system, at) if other == NONE else ("fp", system, gold, other)
        )
        relation = own.relations[row]
        counts[verdict][relation.name] += 1
        counts[f"{verdict}m"][relation.name] += has_lost_end(relation, own, others, comparison)


Row = tuple[int, str, Sequence[int]]
"""Level, name and counts."""


def _list_rows(counts: Counts, nodes: Sequence[Node]) -> list[Row]:
    """List the types of the configuration with the types below them, then others and their sum."""
    for at in _list_ends(nodes):
        if parents := nodes[at].parents:
            for count in counts.values():
                count[nodes[parents[-1]].name] += count[nodes[at].name]
    rows = [(level, name, _take(counts, name)) for level, name, _ in nodes]
    listed = {name for _, name, _ in rows}
    others = sorted({name for count in counts.values() for name in count} - listed)
    single = [(0, name, _take(counts, name)) for name in others]
    whole = [sum(column) for column in zip(*(row for *_, row in single), strict=True)]
    shown = [row for row in rows if any(row[-1])]
    return [*shown, *single, (0, "all", whole or [0] * len(counts))]


def _take(counts: Counts, name: str) -> list[int]:
    return [count[name] for count in counts.values()]


def _list_ends(nodes: Sequence[Node]) -> Iterator[int]:
    """Yield the places of types, each after all types below it."""
    opened: list[int] = []
    for at, node in enumerate(nodes):
        while len(opened) > len(node.parents):
            yield opened.pop()
        opened.append(at)
    yield from reversed(opened)


def _compute_rates(tp: int, fp: int, fn: int) -> list[str]:
    precision, recall = ratio(tp, tp + fp), ratio(tp, tp + fn)
    f1 = harmonic_mean(precision, recall)
    return [java_fixed(float(value), 4) for value in (precision, recall, f1)]


def _write_entities(rows: Sequence[Row]) -> str:
    lines = [["", "tp", "fp", "fn", *_RATES]]
    for level, name, (tp, fp, fn, *_) in rows:
        indented = "+" * (level // 4) + " " * (level % 4) + name
        lines.append([indented, *map(str, (tp, fp, fn)), *_compute_rates(tp, fp, fn)])
    return "".join("|".join(line) + "\n" for line in lines) + "\n"


def _write_relations(rows: Sequence[Row]) -> str:
    text = ""
    for _, name, (tp, fp, fn, *lost) in rows:
        names = ("tp", "fp", "fn", *_RATES, "fpm", "fnm")
        cells = (tp, fp, fn, *_compute_rates(tp, fp, fn), *lost)
        pairs = zip(names, cells, strict=True)
        text += "|".join([name, *(f"{key}:{cell}" for key, cell in pairs)]) + "\n"
    return text
