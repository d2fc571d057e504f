"""Join tables on places, as the evaluation libraries of several tasks do.

On both sides the program drops three kinds of rows: rows with a label that is not scored, repeats
of a document, label and place, and, if there is a list of valid codes, rows with other codes.
Documents that are missing from the gold standard do not count. Offsets are compared as they are
written. Precision is the number of joined rows divided by the number of predicted places. Recall is
the same number divided by the number of gold places. With two labels at a place both may exceed 1.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Hashable, Iterable, Mapping, Sequence
from dataclasses import KW_ONLY, dataclass, replace
from functools import partial

import numpy as np

from clineval.base.arrays import IntArray
from clineval.base.errors import warn
from clineval.base.ratios import Columns
from clineval.kinds.mentions.columns import Side
from clineval.kinds.mentions.corpus import Corpus
from clineval.kinds.mentions.measures import Spans
from clineval.kinds.mentions.rows import Pairing, Rows
from clineval.programs.pandas_cells import Frame, Reading, stop
from clineval.programs.row_spans import RowSpans, drop_repeats
from clineval.programs.span_rows import Keys, RowCorpus, RowSide
from clineval.protocols.linked_spans import CODE, LINKED
from clineval.results.challenge import Setup
from clineval.results.columns import MentionColumns
from clineval.results.differences import list_differences

AS_STRINGS = Reading(quotes=False, gaps=False, numbers=False)
DIFFERENCES = list_differences("""
    documents that are missing from the gold standard (ner_predicted_document_without_gold_is_free)
        spec: count: all predictions are false positives
        official: do not count
    other labels (ner_label_unknown_dropped)
        spec: are rejected
        official: are dropped, on both sides
    offsets (ner_leading_zero_differs, ner_start_and_end_swapped)
        spec: are whole numbers, and the end is after the start
        official: are compared as written, in any order
    codes that are not in the list (norm_unknown_code_drops_the_prediction)
        spec: are wrong in predictions, and rejected in the gold standard
        official: make the program drop their rows, in the gold standard too
    missing cells at the end of a row (ner_row_cut_short_is_a_match)
        spec: are rejected with file and line
        official: are empty
    names with and without .txt (a rule of ours)
        spec: name the same document
        official: name two documents
    nothing predicted (ner_prediction_header_only_kills)
        spec: scores 0
        official: is rejected
""")
"""Differences between such a program and the challenges' documents."""
NAMES = {"filename": "filename", "label": "label", "start": "off0", "end": "off1", "text": "span",
         "code": "code"}  # fmt: skip
_PLACES = "places"


@dataclass(frozen=True)
class PlacedSpans(Spans):
    """Precision, recall and F1 of one kind of match; a program may divide them by places."""

    @property
    def signed(self) -> tuple[str, ...]:
        """The counts that are negative if more rows are joined than there are places."""
        return f"{self.name}_fp", f"{self.name}_fn"


@dataclass(frozen=True)
class TableJoins(RowSpans):
    """Score rows as such a program does.

    Args:
        known: the labels that are scored.
        labelled: whether two labels at a place count as two places.
        stripped: whether blanks around codes, in mentions and in the list, are ignored.
        repeats: whether repeated rows are kept and joined.
    """

    _: KW_ONLY
    known: tuple[str, ...] = ()
    labelled: bool = False
    stripped: bool = False
    repeats: bool = False

    def list_codes(self, _valid: Iterable[str] | None) -> None:
        """Reject no code, because rows with unknown codes are dropped."""

    def select(self, side: RowSide, name: str, setup: Setup) -> RowSide:
        """Drop other labels, repeats, and rows with unknown codes."""
        labels, known = side.rows.columns["label"], self.known_of(name)
        of_label = [at for at, row in enumerate(side.numbers) if labels[row] in known]
        labelled = side.take(of_label)
        first = labelled if self.repeats else drop_repeats(labelled)
        kept = self.drop_unknown(first, setup["codes"] if "codes" in setup.options else None)
        warn(f"{{n}} {name} {{is|are}} dropped: another label, a repeat, or an unknown code",
             n=len(side.mentions) - len(kept.mentions))  # fmt: skip
        if side.written and not len(kept.mentions):
            raise stop(f"no {name} with a label of {', '.join(known)} and a known code")
        return kept

    def join(self, gold: Side, predicted: Side, setup: Setup, /) -> Corpus:
        """Join the rows that count on both sides."""
        corpus = super().join(gold, predicted, setup)
        written = isinstance(predicted, RowSide) and predicted.written
        if written and not len(corpus.prediction):
            raise stop("no prediction is in a document of the gold standard")
        return corpus

    def find_keys(self, rows: Frame) -> Keys:
        """Return the keys of each row: document and place, with the label, and with the code."""
        names, starts, ends, labels = rows.need(["filename", "start", "end", "label"])
        places = list(zip(names, starts, ends, strict=True))
        labelled = list(zip(places, labels, strict=True))
        keys: dict[str, Sequence[Hashable]] = {"strict": labelled}
        keys[_PLACES] = labelled if self.labelled else places
        if CODE in self.slots:
            codes = self.format_cells(rows)
            keys[LINKED.name] = list(zip(places, labels, codes, strict=True))
        return {name: [[key] for key in of] for name, of in keys.items()}

    def format_cells(self, rows: Frame) -> list[str]:
        """Return the codes of each row in the form that is compared."""
        cells = map(str, rows.columns[CODE.name])
        return [format_codes(cell.strip() if self.stripped else cell) for cell in cells]

    def known_of(self, _name: str) -> tuple[str, ...]:
        """Return the labels that are scored in ``references`` or ``predictions``."""
        return self.known or self.labels

    def drop_unknown(self, side: RowSide, valid: Collection[str] | None) -> RowSide:
        """Drop the rows with a code that is not valid, if there is a column of codes."""
        if valid is None or CODE.name not in side.rows.columns:
            return side
        listed = {code.strip() if self.stripped else code for code in valid}
        known = [are_valid(codes, listed) for codes in self.format_cells(side.rows)]
        return side.take([at for at, row in enumerate(side.numbers) if known[row]])

    def list_matches(self, block: Corpus, pairing: Pairing, setup: Setup, /) -> Mapping[str, Rows]:
        """Return one row for each pair, with the program's counts of joined rows and places."""
        matches = dict(super().list_matches(block, pairing, setup))
        if isinstance(block, RowCorpus):
            for name in block.keys.keys() - {_PLACES}:
                recount = partial(_recount, block, name, matches[name])
                matches[name] = replace(matches[name], recount=recount)
        return matches


def _recount(block: RowCorpus, name: str, rows: Rows, size: int) -> Columns:
    """Count the joined rows, and the places minus these, ``[documents]`` each."""
    sides = block.gold.columns, block.prediction.columns
    gold, found = (
        _count_distinct(of, keys, size) for of, keys in zip(sides, block.keys[_PLACES], strict=True)
    )
    joined = _count_joined(sides[0], *block.keys[name], size)
    whole = {f"{name}_tp": joined, f"{name}_fp": found - joined, f"{name}_fn": gold - joined}
    return {**whole, **(rows.split.count(rows, size) if rows.split else {})}


def _count_distinct(columns: MentionColumns, keys: IntArray, size: int) -> IntArray:
    """Count the distinct keys of each document; no two documents share a key."""
    _, first = np.unique(keys[:, 0], return_index=True)
    return np.bincount(columns.document[first], minlength=size)


def _count_joined(columns: MentionColumns, gold: IntArray, found: IntArray, size: int) -> IntArray:
    """Count, for each document, the pairs of a gold and a predicted row with equal keys."""
    times = Counter(found[:, 0].tolist())
    joined = [times[key] for key in gold[:, 0].tolist()]
    return np.bincount(columns.document, joined, size).astype(np.int64)


def format_codes(cell: str) -> str:
    """Return codes as the programs compare them: distinct, sorted, separated by ``|``.

    Examples:
        >>> format_codes("34+12"), format_codes("12|H+34"), format_codes("12+")
        ('12|34', '12|34|H', '12')
    """
    return "|".join(sorted(set(cell.replace("+", "|").split("|")))).strip("|")


def are_valid(codes: str, valid: Collection[str]) -> bool:
    """Return whether all codes of a mention are valid, each with or without ``|H``.

    Examples:
        >>> are_valid("12|34|H", {"12", "34"}), are_valid("12|56", {"12", "34"})
        (True, False)
    """
    return all(part in valid for part in codes.replace("|H", "").split("|"))
