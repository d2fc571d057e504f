"""Pages of anything but mentions: lists of items, each of a kind, document by document."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from clineval.base.escaping import write_csv
from clineval.results.scores import Score
from clineval.results.views import ListView
from clineval.workbench.code_names import choose_names
from clineval.workbench.measures import SCORE, score_rows
from clineval.workbench.page import Subject, Workbench

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
        right: whether it is not an error.
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
class Layout:
    """What is the same for every page of a kind of annotation.

    Args:
        name: the kind, which has a script of that name.
        kinds: all kinds of items.
        modes: all ways of counting.
        row_title: what a row of the statistics is.
        document_title: what the page calls documents.
    """

    name: str
    kinds: tuple[Kind, ...]
    modes: tuple[Mode, ...]
    row_title: str
    document_title: str

    def number(self, kind: str) -> int:
        """Return the number of a kind, as items have it."""
        return [known.name for known in self.kinds].index(kind)


@dataclass(frozen=True, slots=True, eq=False)
class Items:
    """The items of a corpus.

    Args:
        documents: the documents' names.
        rows: the rows of the statistics.
        systems: for each system the items of each mode.
        extra: what else the view needs.
        texts: the text of each document; None where the page holds none.
        problems: what is wrong with the texts, to the documents concerned.
        codes: the codes that items have.
    """

    documents: Sequence[str]
    rows: Sequence[str]
    systems: Sequence[Mapping[str, Columns]]
    extra: Mapping[str, Any]
    texts: Sequence[str | None] | None
    problems: Mapping[str, Sequence[str]]
    codes: Collection[str] = ()


def show_items(layout: Layout, subject: Subject, items: Items) -> Workbench:
    """Return all that a page of items needs."""
    view, scores = subject.view, subject.scores
    some = next(iter(scores.values()))
    return Workbench(
        scores,
        {
            "view": layout.name,
            "kinds": [asdict(kind) for kind in layout.kinds],
            "modes": [_describe_mode(mode) for mode in layout.modes],
            "checks": [asdict(check) for check in view.checks if check.key in some.values],
            "row_title": layout.row_title,
            "document_title": layout.document_title,
            "headline": view.headline,
            "measures": list(view.measures.items()),
            "shown_scores": list(some.values),
            "problems": items.problems,
        },
        {
            "documents": items.documents,
            "rows": items.rows,
            "measures": [_measures(view, score, items.documents) for score in scores.values()],
            "systems": items.systems,
            "extra": items.extra,
            "names": choose_names(subject.names, items.codes),
        },
        {},
        items.texts,
        measures=_count_kinds(layout, scores, items),
    )


def _describe_mode(mode: Mode) -> dict[str, Any]:
    columns = [{"label": label, "kinds": kinds} for label, kinds in mode.columns.items()]
    return {"name": mode.name, "label": mode.label, "kinds": mode.kinds, "columns": columns}


def _measures(view: ListView, score: Score, documents: Sequence[str]) -> dict[str, list[float]]:
    """Return each measure's value for each document; 0 for one that the system lacks."""
    rows = {row["document"]: row for row in score.per_document}
    return {key: [rows.get(name, {}).get(key, 0) for name in documents] for key in view.measures}


def _count_kinds(layout: Layout, scores: Mapping[str, Score], items: Items) -> str:
    """Write the table of outcome measures as CSV: items of each kind by row, and all scores."""
    kinds = range(len(layout.kinds))
    names = [kind.name for kind in layout.kinds]
    titles = ("system", "counting", layout.row_title.lower(), *names, *SCORE)
    rows: list[Sequence[object]] = [titles]
    for name, modes in zip(scores, items.systems, strict=True):
        for mode, columns in modes.items():
            counts = Counter(zip(columns["row"], columns["kind"], strict=True))
            totals = Counter(columns["kind"])
            rows.append((name, mode, "All", *(totals[kind] for kind in kinds), "", ""))
            for row, label in enumerate(items.rows):
                own = [counts[row, kind] for kind in kinds]
                if any(own):
                    rows.append((name, mode, label, *own, "", ""))
    return write_csv([*rows, *score_rows(scores, 1, len(names))])
