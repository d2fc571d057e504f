"""Rows compared as sets of cells: a program that several tasks' evaluation libraries have.

Of a document of the gold standard each row, in the order of the file, takes the first free
prediction with the same set of cells: name of the document, start, end, text and label, and, where
it is linked, codes. Predictions at the same place with the same label are dropped but for the
first one before all that; gold rows are not. Documents that the gold standard lacks do not count.
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
        official: must be identical; NA never matches in a column that has nothing else
    documents that are missing from the gold standard (ner_predicted_document_without_gold_is_free)
        spec: count: all predictions are false positives
        official: do not count
    two rows with the same document, label and position (ner_repeated_gold_unreachable)
        spec: count as one
        official: of predictions only the first counts, whatever its text; gold rows all count
    start and end, or label and text, swapped (ner_start_and_end_swapped_match)
        spec: swapped offsets are rejected; a swapped text counts as another label
        official: makes no difference, because rows are sets of cells
    names with and without .txt (a rule of ours)
        spec: name the same document
        official: name two documents
""")
"""Between such a program and the challenges' documents."""
_COMPARED = ("filename", "start", "end", "text", "label")


@dataclass(frozen=True)
class RowSets(RowSpans):
    """Such a program.

    Args:
        parted: whether codes with ``+`` between them are compared as sets, too.
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
        """Yield the set of cells with the parts of the code in it, if parts are compared."""
        if self.parted:
            parts = ("nan" if code is None else str(code)).split("+")
            yield frozenset((*cells, *(part.rstrip() for part in parts)))
