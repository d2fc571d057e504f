"""The output file of the ClinAIS 2023 script ``evaluate.py``."""

from __future__ import annotations

from collections.abc import Sequence
from math import fsum

from clineval.base.escaping import write_json
from clineval.challenges.clinais23_b2.spec import Edit
from clineval.results.scores import Score


def format_report(score: Score, **_options: object) -> str:
    """Return the JSON that ``evaluate.py -o`` writes: B2, and for each note B2 and its edits.

    It contains all notes, like the script's file, whatever the options of layouts are.

    ``additions`` are gold boundaries that were missed, and ``deletions`` are spurious boundaries;
    the script swaps these two names. ``start_offset`` and ``end_offset`` of a transposition are
    tokens.
    """
    notes = {row["document"]: _describe(row) for row in score.per_document}
    report = {"Weighted B2": score["b2"], "Scores per file": notes}
    return write_json(report)


def _describe(row: Edit) -> dict[str, object]:
    kinds: dict[str, list[Edit]] = {}
    for edit in row["edits"]:
        kinds.setdefault(edit["kind"], []).append(edit)
    moved = sorted(
        kinds.get("transposition", []),
        key=lambda edit: (abs(edit["displacement"]), _places(edit)[0]),
    )
    return {
        "B2": row["b2"],
        "Statistics": {
            "matches": [match["label"] for match in row["matched"]],
            "additions": [edit["gold"] for edit in kinds.get("addition", [])],
            "deletions": [edit["prediction"] for edit in kinds.get("deletion", [])],
            "substitutions": [
                [edit["prediction"], edit["gold"]] for edit in kinds.get("substitution", [])
            ],
            "transpositions": [
                {"start_offset": start, "end_offset": end, "boundary": edit["gold"]}
                for edit in moved
                for start, end in [_places(edit)]
            ],
            "count_edits": _cost(row["edits"]),
            "weighted_transpositions": _cost(moved),
        },
    }


def _places(edit: Edit) -> tuple[int, int]:
    """Return the tokens of a transposition's two boundaries, the first one first."""
    places = edit["position"], edit["position"] + edit["displacement"]
    return min(places), max(places)


def _cost(edits: Sequence[Edit]) -> float:
    return fsum(edit["cost"] for edit in edits)
