"""Summaries of files: what was read, in numbers, without text of notes."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from warnings import catch_warnings, simplefilter

import numpy as np

from clineval.base.errors import InputError, agree, called, listed
from clineval.base.files import name_path
from clineval.base.subjects import about
from clineval.formats.brat.documents import is_default
from clineval.formats.stored import read_stored
from clineval.results.challenge import Challenge, Setup
from clineval.results.columns import ABSENT, MentionColumns
from clineval.results.protocol import Corpus
from clineval.results.slots import Slot, find_slot
from clineval.results.tables import Sheet, Table

_MOST = 20
"""The most labels in a table; JSON has all of them."""
_NO_VALUE = frozenset({"", "no", ABSENT})
"""Values of slots without a declared default that stand for a missing value."""


@dataclass(frozen=True, slots=True)
class SlotUse:
    """How many annotations have a value in a slot other than its default, and how many values."""

    items: int
    values: int


@dataclass(frozen=True, slots=True)
class Items:
    """The annotations of one sort: their number, their labels, and the use of their slots."""

    name: str
    number: int
    labels: Mapping[str, int]
    slots: Mapping[str, SlotUse]


@dataclass(frozen=True, slots=True)
class Summary:
    """The content of a path in numbers.

    Args:
        path: the path.
        config: the configuration that reads it.
        documents: the number of documents.
        annotated: the number of documents with annotations.
        items: the annotations, each counted once if it is repeated.
        only_here: the documents that the first path lacks.
        not_here: the documents that only the first path has.
    """

    path: str
    config: str
    documents: int
    annotated: int
    items: Sequence[Items]
    only_here: Sequence[str] = field(default=())
    not_here: Sequence[str] = field(default=())

    def describe(self) -> dict[str, object]:
        """Return the summary for programs."""
        items = {
            each.name: {
                "number": each.number,
                "labels": dict(each.labels),
                "slots": {
                    name: {"items": use.items, "values": use.values}
                    for name, use in each.slots.items()
                },
            }
            for each in self.items
        }
        return {
            "file": self.path,
            "config": self.config,
            "documents": self.documents,
            "annotated": self.annotated,
            "items": items,
            "only_here": list(map(called, self.only_here)),
            "not_here": list(map(called, self.not_here)),
        }

    def tabulate(self) -> Table:
        """Return the summary for people."""
        rows = [("documents", str(self.documents)), ("  with annotations", str(self.annotated))]
        for each in self.items:
            rows += _rows_of(each)
        for title, names in (("only here", self.only_here), ("not here", self.not_here)):
            rows += [(f"documents {title}", str(len(names)))] if names else []
        return Table(self.path, ("number",), tuple(rows))

    def list_notes(self) -> list[str]:
        """List the documents that only one side has."""
        parts = ((self.only_here, "only"), (self.not_here, "not"))
        return [f"{word} in {self.path}: {listed(names)}" for names, word in parts if names]


def _rows_of(items: Items) -> Iterator[tuple[str, str]]:
    yield items.name, str(items.number)
    most = sorted(items.labels.items(), key=lambda pair: (-pair[1], pair[0]))
    for label, number in most[:_MOST]:
        yield f"  {label}", str(number)
    if len(most) > _MOST:
        rest = most[_MOST:]
        yield f"  {len(rest)} other labels", str(sum(number for _, number in rest))
    for name, use in items.slots.items():
        if use.items:
            values = agree("{n} {value|values}", use.values)
            yield f"  with {name} ({values})", str(use.items)


def summarize_files(
    challenge: Challenge, paths: Sequence[Path], **options: object
) -> list[Summary]:
    """Summarize files in a challenge's formats, without warnings about their content.

    Args:
        challenge: the challenge; its first protocol reads the files.
        paths: files and directories: the gold standard, and any number of predictions. If no
            configuration reads all of them, each is summarized alone.
        options: options on which reading depends.

    Raises:
        InputError: no configuration of the challenge reads the files.
    """
    first = next(iter(challenge.protocols))
    known = {option.name for option in challenge.options}
    given = {name: value for name, value in options.items() if name in known}
    setups = [challenge.setup(config, first, given) for config in challenge.task.configs]
    try:
        return _summarize_with_any(setups, paths)
    except InputError:
        if len(paths) == 1:
            raise
    return [summary for path in paths for summary in _summarize_with_any(setups, [path])]


def _summarize_with_any(setups: Sequence[Setup], paths: Sequence[Path]) -> list[Summary]:
    """Summarize with the first configuration that reads the files."""
    errors: list[InputError] = []
    for setup in setups:
        try:
            with catch_warnings():
                simplefilter("ignore")
                return list(_summarize(setup, paths))
        except InputError as error:
            errors.append(error)
    raise errors[0]


def summary_sheet(summaries: Sequence[Summary]) -> Sheet:
    """Lay out summaries."""
    return Sheet(
        lambda: [each.tabulate() for each in summaries],
        lambda: [each.describe() for each in summaries],
        notes=lambda: [note for each in summaries for note in each.list_notes()],
    )


def _summarize(setup: Setup, paths: Sequence[Path]) -> Iterator[Summary]:
    steps, (gold_path, *others) = setup.steps, paths
    references = read_stored(gold_path, "references", setup)
    predictions = [read_stored(path, "predictions", setup) for path in others]
    gold, systems = steps.read(references, predictions, setup)
    known = steps.name_documents(gold)
    corpus = steps.join(gold, gold, setup)
    yield _describe(setup, gold_path, corpus, 0, known or corpus.documents)
    for path, system in zip(others, systems, strict=True):
        with about(name_path(path)):
            corpus = steps.join(gold, system, setup)
        names = steps.name_documents(system)
        found = _describe(setup, path, corpus, 1, names or corpus.documents)
        if known is None or names is None:  # paired by their order
            yield found
            continue
        yield Summary(
            found.path,
            found.config,
            found.documents,
            found.annotated,
            found.items,
            sorted(set(names) - set(known)),
            sorted(set(known) - set(names)),
        )


def _describe(
    setup: Setup, path: Path, corpus: Corpus, side: int, documents: Sequence[str]
) -> Summary:
    """Count the annotations of one side of a corpus: 0 for gold, 1 for predicted."""
    known = setup.steps.known_labels(setup)  # not those of the data
    setup = setup.steps.resolve(corpus, setup)
    groups = setup.steps.group_items(corpus, setup)
    slots = setup.steps.kind.slots(setup.config)
    columns = [group.sides[side] for group in groups]
    annotated = set().union(*(np.unique(each.document).tolist() for each in columns))
    items = [
        Items(
            group.name,
            len(each),
            _count_labels(each, group.label, known),
            {n: _count_uses(each, n, slots) for n in each.attributes if n != group.label},
        )
        for group, each in zip(groups, columns, strict=True)
    ]
    return Summary(name_path(path), setup.config, len(documents), len(annotated), items)


def _count_labels(columns: MentionColumns, slot: str, known: Collection[str]) -> Mapping[str, int]:
    """Count the annotations of each label; hide labels that could be words of a note."""
    column = columns.attributes.get(slot)
    if column is None:
        return {}
    numbers = np.bincount(column.ids, minlength=len(column.values)).tolist()
    found: dict[str, int] = {}
    for label, number in zip(column.values, numbers, strict=True):
        name = label if label in known else called(label)
        if number and label:
            found[name] = found.get(name, 0) + number
    return found


def _count_uses(columns: MentionColumns, name: str, slots: Sequence[Slot]) -> SlotUse:
    column, slot = columns.attributes[name], find_slot(slots, name)
    numbers = np.bincount(column.ids, minlength=len(column.values)).tolist()
    used = [
        number
        for value, number in zip(column.values, numbers, strict=True)
        if number and not (is_default(slot, value) if slot else value in _NO_VALUE)
    ]
    return SlotUse(sum(used), len(used))
