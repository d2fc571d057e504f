"""Rows compared as sets of cells: a program that several tasks' evaluation libraries have.

Of a document of the gold standard each row, in the order of the file, takes the first free
prediction with the same set of cells: name of the document, start, end, text and label, and, where
it is linked, codes. Predictions at the same place with the same label are dropped but for the
first one before all that; gold rows are not. Documents that the gold standard lacks do not count.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import KW_ONLY, dataclass, fields
from typing import ClassVar

from clineval.challenges.linked_spans import CODE, LINKED, LinkedSpans
from clineval.challenges.pandas_cells import Cell, Frame, is_gap
from clineval.challenges.span_rows import (
    ROW_TABLES,
    Keys,
    RowCorpus,
    RowSide,
    RowTables,
    join_rows,
)
from clineval.kinds.mentions.columns import Side
from clineval.kinds.mentions.corpus import Corpus
from clineval.kinds.mentions.outcomes import Pairing
from clineval.results.challenge import AnyProtocol, Configurations, Setup
from clineval.results.differences import list_differences

DIFFERENCES = list_differences("""
    texts of mentions (ner_text_case_matters)
        spec: are not compared
        official: must agree to the letter, and NA in a column of nothing else never does
    documents that the gold standard lacks (ner_predicted_document_without_gold_is_free)
        spec: count as all spurious
        official: do not count
    two rows that agree in document, label and place (ner_repeated_gold_unreachable)
        spec: are one
        official: of predictions the first counts, whatever its text; gold ones all count
    start and end, or label and text, swapped (ner_start_and_end_swapped_match)
        spec: start and end are refused, label and text make another label
        official: make no difference, as rows are sets of cells
    names with and without .txt (a rule of ours)
        spec: are names of the same document
        official: are two documents
""")
"""Between such a program and the challenges' documents."""
_COMPARED = ("filename", "start", "end", "text", "label")
_PLACE = ("filename", "label", "start", "end")


@dataclass(frozen=True)
class RowSets(LinkedSpans):
    """Such a program.

    Args:
        parted: whether codes with ``+`` between them are compared as sets, too.
        repeats: whether repeated predictions are kept.
    """

    strict: ClassVar[bool] = False
    _: KW_ONLY
    files: RowTables = ROW_TABLES
    parted: bool = False
    repeats: bool = False

    def read_given(self, given: object, side: str, setup: Setup) -> Side:
        """Read one side, with its rows."""
        found = super().read_given(given, side, setup)
        return found if isinstance(found, RowSide) else self.files.as_rows(found, self.all_slots)

    def join(self, gold: Side, predicted: Side, _setup: Setup, /) -> Corpus:
        """Join both sides."""
        sides = [side for side in (gold, predicted) if isinstance(side, RowSide)]
        found = sides[1] if self.repeats else drop_repeats(sides[1], _PLACE)
        return join_rows(sides[0], found, self.all_slots, self.find_keys, "gold")

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

    def pair(self, block: Corpus, setup: Setup, /) -> Pairing:
        """Pair by every kind of match; those that the program has as it does."""
        pairing = super().pair(block, setup)
        if not isinstance(block, RowCorpus):
            return pairing
        return {**pairing, **{name: block.pair(name) for name in block.keys}}


def drop_repeats(side: RowSide, names: Sequence[str]) -> RowSide:
    """Keep the first of the rows that are equal in some columns; gaps are equal."""
    cells = list(zip(*(side.rows.columns[name] for name in names), strict=True))
    first: dict[tuple[Cell, ...], int] = {}
    for at, row in sorted(enumerate(side.numbers), key=lambda of: of[1]):
        first.setdefault(tuple(None if is_gap(cell) else cell for cell in cells[row]), at)
    return side.take(sorted(first.values()))


def compare_as_sets(
    spec: Configurations[LinkedSpans], others: Mapping[str, AnyProtocol], **options: object
) -> Configurations[RowSets]:
    """Return such a program's way with what a specification scores.

    Args:
        spec: the specification.
        others: the configurations that score something else.
        options: those of :class:`RowSets`.
    """

    def turn(of: AnyProtocol) -> RowSets:
        known = {each.name: getattr(of, each.name) for each in fields(LinkedSpans) if each.init}
        return RowSets(**{**known, "files": ROW_TABLES, **options})

    rest = {name: turn(of) for name, of in spec.others.items() if name not in others}
    return Configurations(turn(spec.usual), {**rest, **others})
