"""Views whose unit is no mention: lists of items, each of a kind, document by document."""

from __future__ import annotations

import csv
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from io import StringIO
from typing import Any

from clineval.report.page import Workbench
from clineval.scores import Score

Columns = Mapping[str, Sequence[Any]]
"""Items as columns: ``document``, ``row``, ``kind``, ``unit`` (the number of the gold unit that
an item is about, -1 for none), and those that a view adds; documents never decrease."""


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of item.

    Args:
        name: such as ``match``.
        label: what the page calls it.
        look: how it is marked, a class of the page's style.
        meaning: a line for the legend.
        right: whether it is no error.
    """

    name: str
    label: str
    look: str
    meaning: str
    right: bool = False


@dataclass(frozen=True, slots=True)
class Mode:
    """A way of counting.

    Args:
        name: such as ``horizontal``.
        label: what the page calls it.
        kinds: names of the kinds that its items have.
        columns: headings of the statistics, each with the kinds that it counts.
    """

    name: str
    label: str
    kinds: tuple[str, ...]
    columns: Mapping[str, tuple[str, ...]]


@dataclass(frozen=True, slots=True)
class Check:
    """A score of the core that the page must arrive at by counting items.

    Args:
        key: the score's name.
        mode: the way of counting.
        kinds: what is counted.
        of: what it is divided by; nothing if empty.
        row: the row of the statistics, or all of them if empty.
    """

    key: str
    mode: str
    kinds: tuple[str, ...]
    of: tuple[str, ...] = ()
    row: str = ""


@dataclass(frozen=True, slots=True)
class ListView:
    """What is the same for every page of a view.

    Args:
        name: the view, which has a script of that name.
        kinds: all kinds.
        modes: all ways of counting.
        checks: all checks.
        row_title: what a row of the statistics is.
        document_title: what the page calls documents.
        headline: the main score.
        measures: keys of scores that the list of documents shows, the main one first, each with
            its heading.
    """

    name: str
    kinds: tuple[Kind, ...]
    modes: tuple[Mode, ...]
    checks: tuple[Check, ...]
    row_title: str
    document_title: str
    headline: str
    measures: Mapping[str, str]

    def number(self, kind: str) -> int:
        """The number of a kind, as items have it."""
        return [known.name for known in self.kinds].index(kind)


@dataclass(frozen=True, slots=True, eq=False)
class Lists:
    """The items of a corpus.

    Args:
        documents: the documents' names.
        rows: the rows of the statistics.
        systems: for each system the items of each mode.
        extra: what else the view needs.
        texts: the text of each document; None where the page holds none.
        problems: what is wrong with the texts, to the documents concerned.
    """

    documents: Sequence[str]
    rows: Sequence[str]
    systems: Sequence[Mapping[str, Columns]]
    extra: Mapping[str, Any]
    texts: Sequence[str | None] | None
    problems: Mapping[str, Sequence[str]]


def show_lists(view: ListView, scores: Mapping[str, Score], lists: Lists) -> Workbench:
    """All that a page of lists needs."""
    some = next(iter(scores.values()))
    return Workbench(
        scores,
        {
            "view": view.name,
            "kinds": [asdict(kind) for kind in view.kinds],
            "modes": [_describe_mode(mode) for mode in view.modes],
            "checks": [asdict(check) for check in view.checks if check.key in some.values],
            "row_title": view.row_title,
            "document_title": view.document_title,
            "headline": view.headline,
            "measures": list(view.measures.items()),
            "shown_scores": list(some.values),
            "problems": lists.problems,
        },
        {
            "documents": lists.documents,
            "rows": lists.rows,
            "measures": [_measures(view, score, lists.documents) for score in scores.values()],
            "systems": lists.systems,
            "extra": lists.extra,
        },
        {},
        lists.texts,
        measures=_count_kinds(view, scores, lists),
    )


def _describe_mode(mode: Mode) -> dict[str, Any]:
    columns = [{"label": label, "kinds": kinds} for label, kinds in mode.columns.items()]
    return {"name": mode.name, "label": mode.label, "kinds": mode.kinds, "columns": columns}


def _measures(view: ListView, score: Score, documents: Sequence[str]) -> dict[str, list[float]]:
    """For each measure its value for each document; 0 for one that the system lacks."""
    rows = {row["document"]: row for row in score.per_document}
    return {key: [rows.get(name, {}).get(key, 0) for name in documents] for key in view.measures}


def _count_kinds(view: ListView, scores: Mapping[str, Score], lists: Lists) -> str:
    """The table of outcome measures: how many items of each kind, row by row, as CSV."""
    buffer = StringIO()
    writer = csv.writer(buffer, lineterminator="\n")
    kinds = range(len(view.kinds))
    writer.writerow(
        ("system", "counting", view.row_title.lower(), *(kind.name for kind in view.kinds))
    )
    for name, modes in zip(scores, lists.systems, strict=True):
        for mode, items in modes.items():
            counts = Counter(zip(items["row"], items["kind"], strict=True))
            totals = Counter(items["kind"])
            writer.writerow((name, mode, "All", *(totals[kind] for kind in kinds)))
            for row, label in enumerate(lists.rows):
                own = [counts[row, kind] for kind in kinds]
                if any(own):
                    writer.writerow((name, mode, label, *own))
    return buffer.getvalue()
