"""Page of sections: every boundary, its edit, and the cost of the edit."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path

import numpy as np

from clineval.base.arrays import IntArray
from clineval.challenges.clinais23_b2.boundary_edits import KINDS
from clineval.challenges.clinais23_b2.spec import Alignment
from clineval.kinds.pages import Columns, FindTexts, Items, Kind, Layout, Mode, Scored
from clineval.kinds.sections.segmentation import Note, Segmentation, split_text

LAYOUT = Layout(
    "sections",
    Path(__file__).with_suffix(".js"),
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
    row_title="Section",
    document_title="Notes",
)
_KNOWN = {kind: LAYOUT.number(kind) for kind in KINDS}


def list_items(scored: Sequence[Scored[object, Alignment]], texts: FindTexts | None) -> Items:
    """List the boundaries of scored systems; their notes include the texts."""
    alignments = [evaluation.pairings[0] for evaluation in scored]
    segmentations = [alignment.segmentation for alignment in alignments]
    sources = _find_notes(segmentations)
    tokens = [_token_starts(note) for note in sources.values()]
    return Items(
        tuple(sources),
        segmentations[0].labels,
        [{"boundaries": _list_edits(alignment, tuple(sources))} for alignment in alignments],
        {"labels": segmentations[0].labels, "tokens": tokens if texts else None},
        [note.text for note in sources.values()] if texts else None,
        {},
    )


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


def _number_gold(alignment: Alignment, note: IntArray) -> IntArray:
    """Give gold boundaries numbers, equal for every system; -1 for a spurious boundary."""
    edits = alignment.edits
    has_gold = np.flatnonzero(edits.gold >= 0)
    order = has_gold[np.lexsort((edits.position[has_gold], note[has_gold]))]
    unit = np.full(len(edits), -1)
    unit[order] = np.arange(len(order))
    return unit


def _find_notes(segmentations: Iterable[Segmentation]) -> dict[str, Note]:
    found: dict[str, Note] = {}
    for segmentation in segmentations:
        for name, note in zip(segmentation.documents, segmentation.notes, strict=True):
            if name not in found or (found[name].text is None and note.text is not None):
                found[name] = note
    return found


def _token_starts(note: Note) -> list[int] | None:
    if note.text is None:
        return None
    tokens = split_text(note.text) if note.tokens is None else note.tokens
    starts: list[int] = tokens[:, 0].tolist()
    return starts
