"""The scores of records: one for each field, their mean, and exact matches."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from clineval.base.ratios import Number, Totals, precision_recall_f1, ratio
from clineval.kinds.codes.hierarchical import is_score
from clineval.kinds.codes.hierarchy import WHERE
from clineval.kinds.records.shares import Shares
from clineval.results.averages import PRF, average_columns
from clineval.results.measures import Grid, Measure

MATCH, EXACT = "records_match", "records_exact"
"""The matches of records: all pairs are right, or pairs that agree in all fields and inside."""
RIGHT, DOCUMENTS = "documents_right", "documents_scored"
"""The columns that count the documents whose records are all right, and all documents."""
_MEAN = tuple(f"fields_mean_{key}" for key in PRF)
_SHARED, _EQUAL = "_recall_sum", "_tp"
_COUNTS = {_SHARED: ("gold", "predicted"), _EQUAL: ("tp", "fp", "fn")}
"""Ending of a column to the counts of a field that has such a column."""
_SHARE = "documents_exact"
Others = Callable[[str], bool]


def _find_names(keys: Iterable[str], others: Others) -> dict[str, str]:
    """Return the names of the fields by the columns that show how they compare."""
    columns = {
        key: key.removesuffix(ending)
        for key in keys
        for ending in (_SHARED, _EQUAL)
        if key.endswith(ending)
    }
    own = {MATCH, EXACT}
    return {c: name for c, name in columns.items() if name not in own and not others(name)}


def _is_no_other(_name: str) -> bool:
    return False


@dataclass(frozen=True)
class FieldScores(Measure):
    """Precision, recall and F1 of each field, and their means over the fields.

    Args:
        others: returns whether a name is that of scores by a hierarchy, if there is one.
    """

    others: Others = _is_no_other

    def under(self, settings: Mapping[str, str], /) -> Measure:
        """Return the measure without scores by hierarchy, if the settings name one."""
        return FieldScores(is_score) if WHERE in settings else self

    def finish(self, totals: Totals, config: str, /) -> dict[str, Number]:
        """Compute them; means are over the fields with a value on either side."""
        scores: dict[str, Number] = {}
        rows, weights = [], []
        for column, name in _find_names(totals, self.others).items():
            counts = [totals[f"{name}_{key}"] for key in _COUNTS[column.removeprefix(name)]]
            shared = column.endswith(_SHARED)
            found = (
                Shares(name).finish(totals, config) if shared else precision_recall_f1(name, totals)
            )
            scores |= found
            rows.append([found[f"{name}_{key}"] for key in PRF])
            weights.append(np.sign(sum(counts)))
        means = average_columns(rows, weights) if rows else ()
        return dict(zip(_MEAN, means, strict=False)) | scores

    def list_parts(self, scores: Mapping[str, Number], /) -> Mapping[str, Sequence[str]]:
        """Map each mean to the scores of the fields with a value on either side."""
        names = [name for name in self._list_fields(scores) if scores[f"{name}_f1"]]
        return {
            mean: [f"{name}_{key}" for name in names] for mean, key in zip(_MEAN, PRF, strict=True)
        }

    def tables(self) -> Iterable[Grid]:
        """Lay out the means, and a table whose rows depend on the fields."""
        yield Grid("Fields", ("P", "R", "F1"), {"mean of the fields": _MEAN})
        yield Grid("Each field", ("P", "R", "F1"), {}, self._find_cells)

    def _list_fields(self, keys: Iterable[str]) -> list[str]:
        """Return the names of the fields, from the keys of a score."""
        names = (key.removesuffix("_f1") for key in keys if key.endswith("_f1"))
        own = {MATCH, EXACT, "fields_mean"}
        return [name for name in names if name not in own and not self.others(name)]

    def _find_cells(self, keys: Iterable[str]) -> Mapping[str, tuple[str, ...]]:
        """Return the rows of the table of fields, from the keys of a score."""
        return {name: tuple(f"{name}_{key}" for key in PRF) for name in self._list_fields(keys)}

    @property
    def headline(self) -> tuple[str, ...]:
        """The mean F1."""
        return _MEAN[2:]

    @property
    def shown_per_document(self) -> tuple[str, ...]:
        """The mean F1."""
        return _MEAN[2:]


class ExactDocuments(Measure):
    """The share of documents whose records are all right; groups of records have none."""

    def finish(self, totals: Totals, _config: str, /) -> dict[str, Number]:
        """Divide the number of such documents by the number of all documents."""
        if RIGHT not in totals:
            return {}
        return {_SHARE: ratio(totals[RIGHT], totals[DOCUMENTS])}

    def tables(self) -> Iterable[Grid]:
        """Lay out the share."""
        yield Grid("Documents", ("right in all records",), {"all": (_SHARE,)})

    @property
    def headline(self) -> tuple[str, ...]:
        """The share."""
        return (_SHARE,)
