"""What a page of sections shows: every boundary, what became of it, and what that costs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from clineval.challenges.clinais23_b2 import Alignment, align
from clineval.formats.notes import read_both
from clineval.mentions.corpus import align_documents
from clineval.report.lists import Check, Columns, Kind, Lists, ListView, Mode, show_lists
from clineval.report.page import Workbench
from clineval.scores import Score
from clineval.sections.boundary_edits import KINDS
from clineval.sections.segmentation import Note, split_text

VIEW = ListView(
    "sections",
    (
        Kind("match", "match", "right", "the right label at the right token", right=True),
        Kind("addition", "missed", "missed", "a gold boundary that was not found"),
        Kind("deletion", "spurious", "spurious", "a boundary where there is none"),
        Kind("substitution", "substituted", "code", "another label at the same token"),
        Kind("transposition", "moved", "boundary", "the right label some tokens off"),
    ),
    (
        Mode(
            "boundaries",
            "Boundaries",
            ("match", "addition", "deletion", "substitution", "transposition"),
            {
                "Gold": ("match", "addition", "substitution", "transposition"),
                "Matched": ("match",),
                "Missed": ("addition",),
                "Spurious": ("deletion",),
                "Substituted": ("substitution",),
                "Moved": ("transposition",),
            },
        ),
    ),
    tuple(
        Check(key, "boundaries", (kind,))
        for key, kind in (
            ("matches", "match"),
            ("additions", "addition"),
            ("deletions", "deletion"),
            ("substitutions", "substitution"),
            ("transpositions", "transposition"),
        )
    ),
    row_title="Section",
    document_title="Notes",
    headline="b2",
    measures={"b2": "B2", "b": "B"},
)
_KNOWN = {KINDS[k]: VIEW.number(KINDS[k]) for k in range(len(KINDS))}


def show_sections(  # noqa: PLR0913 - the options are the challenge's
    scores: Mapping[str, Score],
    systems: Mapping[str, Any],
    references: Any,
    *,
    notes: Any,  # noqa: ARG001 - the task's files hold the texts
    with_text: bool,
    n_t: int = 40,
    weights: Any = "clinais",
    labels: Any = None,
    **_: Any,
) -> Workbench:
    """All that a page of sections needs; the options are those of the challenge.

    Args:
        scores: system name to its score.
        systems: system name to its predictions.
        references: the gold standard.
        notes: not used.
        with_text: whether the page holds the notes' texts.
        n_t: as in the challenge.
        weights: as in the challenge.
        labels: as in the challenge.
    """
    given = {"n_t": n_t, "weights": weights, **({} if labels is None else {"labels": labels})}
    alignments = [align(found, references, **given) for found in systems.values()]
    documents = tuple(dict.fromkeys(d for a in alignments for d in a.segmentation.documents))
    sources = _find_notes(systems.values(), references)
    texts = [sources[name].text if name in sources else None for name in documents]
    tokens = [_token_starts(sources.get(name)) for name in documents]
    shown = [t if starts is not None else None for t, starts in zip(texts, tokens, strict=True)]
    lists = Lists(
        documents,
        alignments[0].segmentation.labels,
        [{"boundaries": _list_edits(a, documents)} for a in alignments],
        {
            "labels": alignments[0].segmentation.labels,
            "tokens": tokens if with_text else None,
        },
        shown if with_text else None,
        {},
    )
    return show_lists(VIEW, scores, lists)


def _list_edits(alignment: Alignment, documents: Sequence[str]) -> Columns:
    edits, segmentation = alignment.edits, alignment.segmentation
    numbers = {name: at for at, name in enumerate(documents)}
    to_all = np.array([numbers[name] for name in segmentation.documents], np.int64)
    note = to_all[edits.note] if len(edits) else edits.note
    place = np.minimum(edits.position, edits.position + edits.displacement)
    order = np.lexsort((edits.kind, place, note))
    renumber = np.array([_KNOWN[kind] for kind in KINDS], np.int64)
    row = np.where(edits.gold >= 0, edits.gold, edits.prediction)
    columns = {
        "document": note,
        "row": row,
        "kind": renumber[edits.kind],
        "unit": _number_gold(alignment, note),
        "position": edits.position,
        "displacement": edits.displacement,
        "gold": edits.gold,
        "system": edits.prediction,
        "cost": alignment.costs,
    }
    return {name: np.asarray(column)[order].tolist() for name, column in columns.items()}


def _number_gold(alignment: Alignment, note: Any) -> Any:
    """Numbers of the gold boundaries, the same for every system; -1 for a spurious one."""
    edits = alignment.edits
    has_gold = np.flatnonzero(edits.gold >= 0)
    order = has_gold[np.lexsort((edits.position[has_gold], note[has_gold]))]
    unit = np.full(len(edits), -1)
    unit[order] = np.arange(len(order))
    return unit


def _find_notes(systems: Any, references: Any) -> dict[str, Note]:
    """For each document a note that has its text, if there is one."""
    found: dict[str, Note] = {}
    for given in systems:
        predicted, gold = read_both(given, references)
        documents, gold_at, predicted_at = align_documents(gold, predicted)
        for side, at in ((gold, gold_at), (predicted, predicted_at)):
            for note, number in zip(side.notes, at.tolist(), strict=True):
                known = found.setdefault(documents[number], note)
                if known.text is None and note.text is not None:
                    found[documents[number]] = note
    return found


def _token_starts(note: Note | None) -> list[int] | None:
    if note is None or note.text is None:
        return None
    tokens = split_text(note.text) if note.tokens is None else note.tokens
    starts: list[int] = tokens[:, 0].tolist()
    return starts
