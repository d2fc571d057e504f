"""Pages without mentions: lists of items of several kinds, document by document."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from functools import partial
from importlib import import_module
from typing import cast

from clineval.base.escaping import write_csv
from clineval.kinds.pages import Items, Layout, ListPage, Mode
from clineval.results.scores import Score
from clineval.results.views import ItemCheck, ListView
from clineval.workbench.calibration import find_bins
from clineval.workbench.code_names import choose_names
from clineval.workbench.measures import SCORE, score_rows
from clineval.workbench.page import Subject, Workbench
from clineval.workbench.texts import find_notes, refuse_words


def show_items(subject: Subject, view: ListView) -> Workbench:
    """Return everything that a page of items needs."""
    page = cast("ListPage", import_module(view.module))
    scores, evaluations = subject.scores, subject.evaluations
    find_texts = partial(find_notes, notes=subject.notes, evaluations=evaluations)
    items = page.list_items(evaluations, find_texts if subject.with_text else None)
    if not subject.with_text:
        refuse_words("code", items.codes)
        refuse_words("class", items.words)
    layout = items.layout or page.LAYOUT
    some = next(iter(scores.values()))
    shown = list(dict.fromkeys(key for score in scores.values() for key in score.shown))
    return Workbench(
        scores,
        {
            "view": layout.name,
            "kinds": [asdict(kind) for kind in layout.kinds],
            "modes": [_describe_mode(mode) for mode in layout.modes],
            "checks": [
                _describe_check(check, layout) for check in view.checks if check.key in some.values
            ],
            "row_title": layout.row_title,
            "document_title": layout.document_title,
            "headline": next(iter(view.measures)),
            "measures": list(view.measures.items()),
            "shown_scores": shown,
            "counted": [
                key
                for key in shown
                if all(isinstance(of.values.get(key, 0), int) for of in scores.values())
            ],
            "problems": items.problems,
            "calibration": [find_bins(evaluation.counts.labels) for evaluation in evaluations],
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
        script=layout.script,
        write_measures=lambda: _count_kinds(layout, scores, items),
    )


def _describe_check(check: ItemCheck, layout: Layout) -> dict[str, object]:
    kinds, of = layout.divide(check.kinds), layout.divide(check.of)
    return {**asdict(check), "kinds": kinds, "of": of}


def _describe_mode(mode: Mode) -> dict[str, object]:
    columns = [{"label": label, "kinds": kinds} for label, kinds in mode.columns.items()]
    return {"name": mode.name, "label": mode.label, "kinds": mode.kinds, "columns": columns}


def _measures(view: ListView, score: Score, documents: Sequence[str]) -> dict[str, list[object]]:
    """Return each measure's value for each document; 0 if the system lacks the document.

    The value is None if it has no denominator.
    """
    rows = {row["document"]: row for row in score.shown_documents}
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
