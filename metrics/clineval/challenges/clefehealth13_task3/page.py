"""Page of ranked lists: all retrieved documents, and relevant documents that were missed."""

from __future__ import annotations

import math
from collections.abc import Sequence
from pathlib import Path

from clineval.challenges.clefehealth13_task3.corpus import RankingCorpus, rank
from clineval.challenges.clefehealth13_task3.spec import RETRIEVED
from clineval.kinds.pages import Columns, FindTexts, Items, Kind, Layout, Mode, Scored

_Row = tuple[str, int, str, float | None, int | None]
"""Kind, rank, document, score and judgment."""
_KINDS = (*RETRIEVED, "missed")
_BANDS = (5, 10, 20, 100, 1000)
_LABELS = ("1-5", "6-10", "11-20", "21-100", "101-1000", "after 1000", "not retrieved")
LAYOUT = Layout(
    "rankings",
    Path(__file__).with_suffix(".js"),
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
                "Retrieved": RETRIEVED,
                "Relevant": ("relevant",),
                "Not relevant": ("judged",),
                "Unjudged": ("unjudged",),
                "Missed": ("missed",),
            },
        ),
    ),
    row_title="Rank",
    document_title="Topics",
)


def list_items(scored: Sequence[Scored[RankingCorpus, object]], _texts: FindTexts | None) -> Items:
    """List the documents that scored systems retrieved; the page shows no texts."""
    corpora = [evaluation.corpus for evaluation in scored]
    topics = tuple(dict.fromkeys(topic for corpus in corpora for topic in corpus.topics))
    systems = [{"ranks": _list_ranks(corpus, topics)} for corpus in corpora]
    return Items(topics, _LABELS, systems, {}, None, {})


def _list_ranks(corpus: RankingCorpus, topics: Sequence[str]) -> Columns:
    names = ("document", "row", "kind", "unit", "rank", "name", "score", "judgment")
    relevant = [(topic, name) for topic in topics for name in sorted(corpus.find_relevant(topic))]
    units = {pair: number for number, pair in enumerate(relevant)}  # the same for every system
    own = set(corpus.topics)
    rows = [
        (at, _band(row[1]), LAYOUT.number(row[0]), units.get((topic, row[2]), -1), *row[1:])
        for at, topic in enumerate(topics)
        if topic in own
        for row in _rank_topic(corpus, topic)
    ]
    return {name: [row[at] for row in rows] for at, name in enumerate(names)}


def _rank_topic(corpus: RankingCorpus, topic: str) -> list[_Row]:
    """Rank documents in trec_eval's order, with their scores if these are finite."""
    scores, judgments = corpus.run.get(topic, {}), corpus.qrels[topic]
    relevant = corpus.find_relevant(topic)
    documents, values = list(scores), list(scores.values())
    rows: list[_Row] = []
    for place, at in enumerate(rank(documents, values), 1):
        name, score = documents[at], values[at]
        judgment = judgments.get(name)
        kind = "unjudged" if judgment is None or judgment < 0 else "judged"
        if name in relevant:
            kind = "relevant"
        rows.append((kind, place, name, score if math.isfinite(score) else None, judgment))
    missed = sorted(relevant - scores.keys())
    return rows + [("missed", 0, name, None, judgments[name]) for name in missed]


def _band(rank: int) -> int:
    return len(_BANDS) + 1 if rank == 0 else sum(rank > last for last in _BANDS)
