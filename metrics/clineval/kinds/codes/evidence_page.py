"""The page of evidence: every sentence and link of a document, by its grade."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from clineval.kinds.codes import page
from clineval.kinds.codes.evidence import LINK, SUPPLEMENTARY
from clineval.kinds.codes.page import Evaluated
from clineval.kinds.pages import Columns, FindTexts, Items, Kind, Mode
from clineval.results.match import NONE

_RIGHT, _SPURIOUS, _MISSED = "right", "spurious", "missed"
_KINDS = (
    Kind(_RIGHT, "right", "right", "predicted, and essential", right=True),
    Kind(SUPPLEMENTARY, SUPPLEMENTARY, "boundary", "predicted, and only supplementary"),
    Kind(_SPURIOUS, _SPURIOUS, "spurious", "predicted, and not needed"),
    Kind(_MISSED, _MISSED, "missed", "essential, and not predicted"),
    Kind("link right", "right link", "right", "a predicted link of the gold standard", right=True),
    Kind("link spurious", "spurious link", "spurious", "a predicted link that is wrong"),
    Kind("link missed", "missed link", "missed", "a link that is not predicted"),
)
_NAMES = tuple(kind.name for kind in _KINDS)
LAYOUT = replace(
    page.LAYOUT,
    kinds=_KINDS,
    modes=(Mode("codes", "Evidence", _NAMES, {kind.label: (kind.name,) for kind in _KINDS}),),
    row_title="Grade",
)


def list_items(scored: Sequence[Evaluated], texts: FindTexts | None) -> Items:
    """List the sentences and links of scored systems; its rows are grades."""
    items = page.list_items(scored, texts)
    systems = [{"codes": _name_kinds(each["codes"], items.rows)} for each in items.systems]
    return replace(items, systems=systems)


def _name_kinds(columns: Columns, rows: Sequence[str]) -> Columns:
    """Return the items with the kinds of this page."""
    kinds = []
    for rank, unit, row in zip(columns["rank"], columns["unit"], columns["row"], strict=True):
        grade = rows[int(str(row))]
        kind = _SPURIOUS if unit == NONE else _RIGHT if rank else _MISSED
        if grade == LINK:
            kind = f"link {kind}"
        elif grade == SUPPLEMENTARY:
            kind = SUPPLEMENTARY
        kinds.append(LAYOUT.number(kind))
    return {**columns, "kind": kinds}
