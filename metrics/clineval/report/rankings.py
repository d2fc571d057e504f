"""What a page of ranked lists shows: every document that was retrieved, and those that were not."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from clineval.challenges.clefehealth13_task3 import choose_topics
from clineval.formats.trec import Qrels, Run, read_qrels, read_run
from clineval.report.lists import Check, Columns, Kind, Lists, ListView, Mode, show_lists
from clineval.report.page import Workbench
from clineval.scores import Score

_RETRIEVED = ("relevant", "judged", "unjudged")
_KINDS = (*_RETRIEVED, "missed")
_BANDS = (5, 10, 20, 100, 1000)
_LABELS = ("1-5", "6-10", "11-20", "21-100", "101-1000", "after 1000", "not retrieved")
VIEW = ListView(
    "rankings",
    (
        Kind("relevant", "relevant", "right", "retrieved, and judged relevant", right=True),
        Kind("judged", "not relevant", "spurious", "retrieved, and judged not relevant"),
        Kind("unjudged", "unjudged", "nothing", "retrieved, never judged: not relevant"),
        Kind("missed", "missed", "missed", "judged relevant, and not retrieved"),
    ),
    (
        Mode(
            "ranks",
            "Ranks",
            _KINDS,
            {
                "Retrieved": _RETRIEVED,
                "Relevant": ("relevant",),
                "Not relevant": ("judged",),
                "Unjudged": ("unjudged",),
                "Missed": ("missed",),
            },
        ),
    ),
    (
        Check("num_ret", "ranks", _RETRIEVED),
        Check("num_rel_ret", "ranks", ("relevant",)),
        Check("num_rel", "ranks", ("relevant", "missed")),
    ),
    row_title="Rank",
    document_title="Topics",
    headline="map",
    measures={"map": "MAP", "P_10": "P@10"},
)


def show_rankings(
    scores: Mapping[str, Score],
    systems: Mapping[str, Any],
    references: Any,
    *,
    complete: bool = True,
    relevance_level: int = 1,
    **_: Any,
) -> Workbench:
    """All that a page of ranked lists needs; the options are those of the challenge.

    Args:
        scores: system name to its score.
        systems: system name to its run.
        references: the relevance judgments.
        complete: as in the challenge.
        relevance_level: as in the challenge.
    """
    qrels = read_qrels(references)
    runs = [read_run(found) for found in systems.values()]
    of_systems = [choose_topics(run, qrels, complete=complete) for run in runs]
    topics = tuple(dict.fromkeys(topic for topics in of_systems for topic in topics))
    lists = Lists(
        topics,
        _LABELS,
        [
            {"ranks": _list_ranks(run, qrels, topics, set(own), relevance_level)}
            for run, own in zip(runs, of_systems, strict=True)
        ],
        {},
        None,
        {},
    )
    return show_lists(VIEW, scores, lists)


def _list_ranks(
    run: Run, qrels: Qrels, topics: Sequence[str], own: set[str], level: int
) -> Columns:
    names = ("document", "row", "kind", "unit", "rank", "name", "score", "judgment")
    columns: dict[str, list[Any]] = {name: [] for name in names}
    units: dict[tuple[str, str], int] = {}
    for topic in topics:
        for name in sorted(name for name, grade in qrels[topic].items() if grade >= level):
            units[topic, name] = len(units)
    for at, topic in enumerate(topics):
        if topic in own:
            for row in _rank_topic(run.get(topic, {}), qrels[topic], level):
                kind, rank, name, score, judgment = row
                unit = units.get((topic, name), -1)
                values = (at, _band(rank), VIEW.number(kind), unit, rank, name, score, judgment)
                for column, value in zip(columns.values(), values, strict=True):
                    column.append(value)
    return columns


def _rank_topic(
    scores: Mapping[str, float], judgments: Mapping[str, int], level: int
) -> list[tuple[str, int, str, float | None, int | None]]:
    """Documents in trec_eval's order: by score as a 32-bit float, then by name, both descending."""
    values = np.array(list(scores.values()), np.float32).tolist()
    ranked = sorted(zip(values, scores, strict=True), reverse=True)
    rows: list[tuple[str, int, str, float | None, int | None]] = []
    for rank, (_, name) in enumerate(ranked, 1):
        judgment = judgments.get(name)
        kind = "unjudged" if judgment is None or judgment < 0 else "judged"
        if judgment is not None and judgment >= level:
            kind = "relevant"
        rows.append((kind, rank, name, scores[name], judgment))
    missed = sorted(n for n, grade in judgments.items() if grade >= level and n not in scores)
    return rows + [("missed", 0, name, None, judgments[name]) for name in missed]


def _band(rank: int) -> int:
    return len(_BANDS) + 1 if rank == 0 else sum(rank > last for last in _BANDS)
