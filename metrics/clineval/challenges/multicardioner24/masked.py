"""Read predictions with masked document names, and the table that maps them to real names."""

from __future__ import annotations

import csv
import io
import os
from collections.abc import Mapping
from dataclasses import replace

import numpy as np

from clineval.base.errors import InputError, listed, shown
from clineval.formats.delimited.span_tables import document_key
from clineval.formats.files import read_text
from clineval.kinds.codes.corpus import number
from clineval.kinds.mentions.columns import Side
from clineval.programs.row_sets import RowSets
from clineval.programs.span_rows import RowSide
from clineval.protocols.linked_spans import LinkedSpans
from clineval.results.challenge import Setup
from clineval.results.options import Option


def read_mapping(given: object) -> Mapping[str, str] | None:
    """Read the document name of each masked name; the last row of a masked name counts.

    Raises:
        InputError: the value is neither a mapping nor the path of a TSV file with two columns.
    """
    if given is None or isinstance(given, Mapping):
        return given
    if not isinstance(given, (str, os.PathLike)):
        raise InputError(f"expected a path or a mapping, got {shown(given)}", where="mapping")
    rows = list(csv.reader(io.StringIO(read_text(str(given)), newline=""), delimiter="\t"))
    for at, row in enumerate(rows, 1):
        if len(row) < 2:  # noqa: PLR2004 - real and masked name
            problem = "expected a name, a tab, and the masked name"
            raise InputError(problem, where=f"mapping, row {at}")
    return {row[1]: row[0] for row in rows}


MAPPING = Option(
    "mapping",
    "TSV file with the names of documents and the masked names in the predictions.",
    kind="file",
    python="the document name of each masked name: a mapping, or the path of a TSV file with the "
    "columns name and masked name",
    parse=read_mapping,
)


class MaskedSpans(LinkedSpans):
    """Score mentions; documents of predictions may have masked names."""

    def read_given(self, given: object, side: str, setup: Setup) -> Side:
        """Read one side, and replace masked names by real names."""
        found, known = super().read_given(given, side, setup), setup["mapping"]
        if side == "references" or known is None or found.keys is None:
            return found
        real = {document_key(masked): document_key(name) for masked, name in known.items()}
        missing = [name for name in found.keys if name not in real]
        if missing:
            problem = f"the mapping lacks names: {listed(missing)}"
            raise InputError(problem, where=side, remedy="Add them, or omit the mapping")
        names, numbers = number([real[name] for name in found.keys])
        document = np.array(numbers, np.int32)[found.mentions.document]
        mentions = replace(found.mentions, document=document)
        return Side(names, names, mentions.take(np.argsort(document, kind="stable")))


class MaskedRows(RowSets):
    """Score rows as sets of cells; documents of predictions may have masked names."""

    def select(self, side: RowSide, name: str, setup: Setup) -> RowSide:
        """Replace masked names of predictions by real names; drop rows without a real name."""
        known = setup["mapping"]
        if name == "predictions" and known is not None and side.keys is not None:
            cells = side.rows.columns["filename"]
            names = [known.get(cell) if isinstance(cell, str) else None for cell in cells]
            rows = replace(side.rows, columns={**side.rows.columns, "filename": names})
            side = replace(self.files.arrange(rows, self.all_slots), worded=side.worded)
        return super().select(side, name, setup)
