"""Print what anafora.evaluate of anaforatools 1.2.0 prints."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from operator import add
from pathlib import Path
from typing import Annotated

import typer

from clineval.base.errors import InputError
from clineval.base.files import is_directory, list_directory
from clineval.challenges.clinical_tempeval.anafora import FILES, list_folders
from clineval.challenges.clinical_tempeval.files import parse_pattern
from clineval.challenges.clinical_tempeval.official import read_gold, read_predicted
from clineval.challenges.clinical_tempeval.points import drop_synonyms, find_following
from clineval.challenges.clinical_tempeval.rows import (
    Content,
    Fragments,
    Row,
    Selection,
    Unit,
    find_links,
)
from clineval.kinds.pages import AnyScored
from clineval.results.scripts import Output, ScriptRun

_HEAD = "\t".join(f"{name:^5}" for name in ("ref", "pred", "corr", "P", "R", "F1"))


Report = Callable[[str], object]
Count = Callable[[Sequence[Unit], Sequence[Unit], Report], "Counts"]
"""Counts the gold and predicted units of a row; also takes a function for the warnings."""


@dataclass(frozen=True, slots=True)
class Counts:
    """The counts of a row.

    Args:
        gold: the number of gold units.
        found: the number of predicted units.
        right: the number of right units: one number, or one for precision and one for recall.
    """

    gold: int
    found: int
    right: tuple[int, ...]

    def __add__(self, other: Counts) -> Counts:
        right = tuple(map(add, self.right, other.right))
        return Counts(self.gold + other.gold, self.found + other.found, right)

    def __str__(self) -> str:
        precision = self.right[0] / self.found if self.found else 1.0
        recall = self.right[-1] / self.gold if self.gold else 1.0
        both = precision + recall
        f1 = 2 * precision * recall / both if both else 0.0
        right = str(self.right if len(self.right) > 1 else self.right[0])
        rates = "\t".join(f"{rate:5.3f}" for rate in (precision, recall, f1))
        return f"{self.gold:<5}\t{self.found:<5}\t{right:5}\t{rates}"


def _count_same(gold: Sequence[Unit], found: Sequence[Unit], _report: Report) -> Counts:
    golds, predicted = {*gold}, {*found}
    return Counts(len(golds), len(predicted), (len(golds & predicted),))


def _count_closed(gold: Sequence[Unit], found: Sequence[Unit], report: Report) -> Counts:
    sides = []
    for units in (gold, found):
        links, others = find_links(dict.fromkeys(units))
        for unit in others:
            report(f"invalid relation for temporal closure {unit}")
        sides.append(drop_synonyms(links))
    golds, predicted = sides
    right = sum(find_following(predicted, golds)), sum(find_following(golds, predicted))
    return Counts(len(golds), len(predicted), right)


def _count_overlapping(gold: Sequence[Unit], found: Sequence[Unit], _report: Report) -> Counts:
    """Count units; ones that overlap an earlier one of their side are dropped before."""
    golds, predicted = map(_drop_overlapping, (gold, found))
    few, many = (golds, predicted) if len(golds) < len(predicted) else (predicted, golds)
    right = sum(any(_overlap(unit, other) for other in many) for unit in few)
    return Counts(len(golds), len(predicted), (right,))


def _drop_overlapping(units: Sequence[Unit]) -> Sequence[Unit]:
    kept: list[Unit] = []
    for unit in units:
        if not any(_overlap(unit, other) for other in kept):
            kept.append(unit)
    return kept


def _overlap(one: object, other: object) -> bool:
    """Compare parts of units; two spans of entities are equal if they share a character."""
    if isinstance(one, Fragments) and isinstance(other, Fragments):
        return any(start < last and first < end for start, end in one for first, last in other)
    if isinstance(one, tuple) and isinstance(other, tuple):
        return len(one) == len(other) and all(map(_overlap, one, other))
    return one == other


Document = tuple[str, Content, Content]
"""Name, gold and predicted annotations."""


def _read(reference: str, predicted: str, pattern: str, report: Report) -> Iterator[Document]:
    """Yield the documents of the gold standard, with their predictions."""
    for folder in list_folders(Path(reference), pattern):
        if gold := read_gold(folder, reference, report):
            path = Path(predicted, folder.below)
            entries = list_directory(path) if is_directory(path) else ()
            files = [name for name, _ in entries if re.search(pattern, f"{path}/{name}")]
            own = replace(folder, path=path, files=sorted(files))
            yield folder.name, gold, read_predicted(own, predicted, report)


def _count(
    gold: Content, predicted: Content, selection: Selection, count: Count, report: Report
) -> dict[Row, Counts]:
    """Count the rows of a document, in their order."""
    rows = sorted(gold.list_rows(selection) | predicted.list_rows(selection))
    counted = {}
    for row in rows:
        golds, found = (
            [unit for _, unit in side.list_units(row, selection)] for side in (gold, predicted)
        )
        counted[row] = count(golds, found, report)
    return counted


_Words = list[str] | None


def evaluate(
    reference: Annotated[str, typer.Option("-r", "--reference", help="Gold standard's folders.")],
    predicted: Annotated[str, typer.Option("-p", "--predicted", help="System's folders.")],
    include: Annotated[_Words, typer.Option("-i", "--include", help="Rows to print.")] = None,
    exclude: Annotated[_Words, typer.Option("-e", "--exclude", help="Rows to leave out.")] = None,
    names: Annotated[
        str, typer.Option("-x", "--xml-name-regex", help="Regular expression of files.")
    ] = FILES,
    *,
    closure: Annotated[
        bool, typer.Option("--temporal-closure", help="Compare with all that follows.")
    ] = False,
    overlap: Annotated[
        bool, typer.Option("--overlap", help="Spans with a shared character are equal.")
    ] = False,
    per_document: Annotated[
        bool, typer.Option("--per-document", help="Print the scores of each document.")
    ] = False,
) -> ScriptRun:
    """Print what anafora.evaluate of anaforatools 1.2.0 prints: a line for each row."""
    if closure and overlap:
        raise InputError("--temporal-closure and --overlap cannot be combined")
    selection = Selection(tuple(include or ()), tuple(exclude or ()))
    count: Count = _count_closed if closure else _count_overlapping if overlap else _count_same
    reports: list[str] = []
    counted = [
        (name, _count(gold, found, selection, count, reports.append))
        for name, gold, found in _read(reference, predicted, parse_pattern(names), reports.append)
    ]

    def write(_evaluation: AnyScored) -> Iterator[Output]:
        yield Output("".join(f"WARNING:{report}\n" for report in reports), error=True)
        yield Output("".join(f"{line}\n" for line in list_lines(counted, per_document)))

    return ScriptRun("default", [], [], write)


def list_lines(
    counted: Sequence[tuple[str, Mapping[Row, Counts]]],
    per_document: bool,  # noqa: FBT001
) -> Iterator[str]:
    """Yield the lines of the table: of each document, or of all together."""
    head = f"{'':40}\t{_HEAD}"
    if per_document:
        yield f"{'':40}\t{head}"
        for name, rows in counted:
            for row, counts in rows.items():
                yield f"{name:40}\t{':'.join(row):40}\t{counts}"
        return
    yield head
    total: dict[str, Counts] = {}
    for _, rows in counted:
        for row, counts in rows.items():
            name = ":".join(row)
            total[name] = total[name] + counts if name in total else counts
    for name in sorted(total):
        yield f"{name:40}\t{total[name]}"


COMMANDS: Mapping[str, Callable[..., ScriptRun]] = {"anafora-evaluate": evaluate}
