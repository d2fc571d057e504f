"""The page of codes: every code of a document, found, missed or spurious."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

import numpy as np

from clineval.kinds.codes.corpus import CHAPTER, CODE, GRADE, CodeCorpus
from clineval.kinds.codes.related import RELATED, find_related, find_relations
from clineval.kinds.codes.scored import ScoredCorpus
from clineval.kinds.mentions.outcomes import Outcomes
from clineval.kinds.mentions.pairing import Pairs
from clineval.kinds.pages import Columns, FindTexts, Items, Kind, Layout, Mode, Scored
from clineval.results.columns import MentionColumns
from clineval.results.match import NONE, Match

Evaluated = Scored[CodeCorpus, Mapping[str, Pairs]]

COLUMNS = ("document", "row", "kind", "unit", "rank", "code", "gold", "system")
_RIGHT = Kind("right", "right", "right", "predicted, and in the gold standard", right=True)
_ELSEWHERE = Kind("elsewhere", "wrong place", "boundary", "the right code, but at another position")
_SPURIOUS = Kind("spurious", "spurious", "spurious", "predicted, and not in the gold standard")
_MISSED = Kind("missed", "missed", "missed", "in the gold standard, and not predicted")
LAYOUT = Layout(
    "codes",
    Path(__file__).with_suffix(".js"),
    (_RIGHT, _ELSEWHERE, _SPURIOUS, _MISSED),
    (
        Mode(
            "codes",
            "Codes",
            ("right", "elsewhere", "spurious", "missed"),
            {
                "Gold": ("right", "elsewhere", "missed"),
                "Predicted": ("right", "elsewhere", "spurious"),
                "Right": ("right",),
                "Wrong place": ("elsewhere",),
                "Spurious": ("spurious",),
                "Missed": ("missed",),
            },
        ),
    ),
    row_title="Chapter",
    document_title="Documents",
)
BY_HIERARCHY = LAYOUT.split("spurious", RELATED)


def list_items(scored: Sequence[Evaluated], _texts: FindTexts | None) -> Items:
    """List the codes of scored systems; the page shows no texts.

    Its rows are chapters, grades, or the first characters of codes if neither is known.
    """
    listed = [evaluation.outcomes for evaluation in scored]
    documents = tuple(dict.fromkeys(name for outcomes in listed for name in outcomes.documents))
    chapters = sorted({name for outcomes in listed for name in _chapters(outcomes)})
    related = any(find_related(outcomes) for outcomes in listed)
    layout = BY_HIERARCHY if related else None
    of_kinds = layout or LAYOUT
    systems = [_list_codes(evaluation, documents, chapters, of_kinds) for evaluation in scored]
    known = sorted({str(code) for columns in systems for code in columns["code"]})
    extra = {"scored": [_has_scores(evaluation.corpus) for evaluation in scored]}
    shown = [{"codes": columns} for columns in systems]
    return Items(documents, chapters, shown, extra, None, {}, known, layout=layout)


def _has_scores(corpus: CodeCorpus) -> bool:
    """Return whether codes have scores; ranks then cover codes that are not predicted."""
    return isinstance(corpus, ScoredCorpus) and not np.isnan(corpus.scores).all()


def _chapters(outcomes: Outcomes) -> list[str]:
    """Return the chapter or grade of each row of the match of equal codes."""
    match = _find_match(outcomes)
    names = [_name_chapters(side) for side in (outcomes.gold, outcomes.prediction)]
    return [names[0][g] if g != NONE else names[1][p] for g, p in _rows(match)]


def _find_match(outcomes: Outcomes) -> Match:
    """Return the match of equal codes, whatever their spans."""
    return outcomes.matches["code" if "code" in outcomes.matches else "micro"]


def _rows(match: Match) -> Iterator[tuple[int, int]]:
    return zip(match.gold.tolist(), match.prediction.tolist(), strict=True)


def _name_chapters(side: MentionColumns) -> list[str]:
    named = next((name for name in (CHAPTER, GRADE) if name in side.attributes), "")
    column = side.attributes[named or CODE]
    values = column.values if named else tuple(code[:1] for code in column.values)
    return [values[at] for at in column.ids.tolist()]


def _list_codes(
    evaluation: Evaluated, documents: Sequence[str], chapters: Sequence[str], layout: Layout
) -> Columns:
    outcomes = evaluation.outcomes
    match = _find_match(outcomes)
    right = set(evaluation.pairings[0]["micro"].gold.tolist())
    rank = evaluation.corpus.rank.tolist()
    numbers = {name: number for number, name in enumerate(documents)}
    items = []
    relations = find_relations(outcomes)
    of_document = outcomes.documents_of(match).tolist()
    of_chapter = _chapters(outcomes)
    for (gold, predicted), document, chapter in zip(
        _rows(match), of_document, of_chapter, strict=True
    ):
        kind = (
            relations.get(predicted, "spurious")
            if gold == NONE
            else "missed"
            if predicted == NONE
            else "elsewhere"
        )
        kind = "right" if gold in right else kind
        side, row = (outcomes.prediction, predicted) if gold == NONE else (outcomes.gold, gold)
        code = side.attributes[CODE]
        items.append(
            {
                "document": numbers[outcomes.documents[document]],
                "row": chapters.index(chapter),
                "kind": layout.number(kind),
                "unit": gold,  # gold codes have the same rows for every system
                "rank": 0 if predicted == NONE else rank[predicted],
                "code": code.values[code.ids[row]],
                "gold": "" if gold == NONE else outcomes.gold.text_of_spans(gold),
                "system": "" if predicted == NONE else outcomes.prediction.text_of_spans(predicted),
            }
        )
    items.sort(key=lambda item: (item["document"], item["rank"] or math.inf, item["code"]))
    return {name: [item[name] for item in items] for name in COLUMNS}
