"""Compare rows as sets of cells, as the evaluation libraries of several tasks do.

First, of predictions with the same document, place and label, only the first is kept; gold rows are
all kept. Then each gold row, in the order of the file, takes the first free prediction with the
same set of cells. The cells are the document's name, start, end, text and label, and the codes if
mentions are linked. Documents that are missing from the gold standard do not count.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import KW_ONLY, dataclass

from clineval.programs.pandas_cells import Cell, Frame
from clineval.programs.row_spans import RowSpans, drop_repeats
from clineval.programs.span_rows import Keys, RowSide
from clineval.protocols.linked_spans import CODE, LINKED
from clineval.results.challenge import Setup
from clineval.results.differences import list_differences

DIFFERENCES = list_differences("""
    texts of mentions (ner_text_case_matters)
        spec: are not compared
        official: must be identical; NA never matches if all cells of a column are NA
    documents that are missing from the gold standard (ner_predicted_document_without_gold_is_free)
        spec: count: all predictions are false positives
        official: do not count
    two rows with the same document, label and position (ner_repeated_gold_unreachable)
        spec: count as one
        official: only the first of the predictions counts, whatever its text; gold rows all count
    start and end, or label and text, swapped (ner_start_and_end_swapped_match)
        spec: swapped offsets are rejected; a swapped text counts as another label
        official: makes no difference, because rows are sets of cells
    names with and without .txt (a rule of ours)
        spec: name the same document
        official: name two documents
""")
"""Differences between such a program and the challenges' documents."""
_COMPARED = ("filename", "start", "end", "text", "label")


@dataclass(frozen=True)
class RowSets(RowSpans):
    """Score rows as such a program does.

    Args:
        parted: whether codes that are joined by ``+`` are also compared as sets.
        repeats: whether repeated predictions are kept.
    """

    _: KW_ONLY
    parted: bool = False
    repeats: bool = False

    def select(self, side: RowSide, name: str, _setup: Setup) -> RowSide:
        """Drop repeated predictions."""
        return drop_repeats(side) if name == "predictions" and not self.repeats else side

    def find_keys(self, rows: Frame) -> Keys:
        """Find the sets of cells of each row."""
        compared = list(zip(*rows.need(_COMPARED), strict=True))
        keys: dict[str, list[list[frozenset[Cell]]]] = {
            "strict": [[frozenset(cells)] for cells in compared]
        }
        if CODE in self.slots:
            codes = rows.columns[CODE.name]
            keys[LINKED.name] = [
                [*self._part(cells, code), frozenset((*cells, code))]
                for cells, code in zip(compared, codes, strict=True)
            ]
        return keys

    def _part(self, cells: Sequence[Cell], code: Cell) -> Iterable[frozenset[Cell]]:
        """Yield the set of cells with the parts of the code, if parts are compared."""
        if self.parted:
            parts = ("nan" if code is None else str(code)).split("+")
            yield frozenset((*cells, *(part.rstrip() for part in parts)))
