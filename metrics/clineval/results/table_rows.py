"""How tables are written whose documents can be read independently, for counts in parts."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class TableRows:
    """Tables with a header, and with rows that belong to the document that they name.

    Args:
        ids: the headings of the column of document names, the first one first.
        quoted: whether cells are quoted as in CSV, so that they can contain line ends; otherwise
            each line is a row, and tabs separate cells.
        ending: an ending of document names that does not distinguish documents.
    """

    ids: tuple[str, ...]
    quoted: bool = True
    ending: str = ""

    @property
    def endings(self) -> tuple[str, ...]:
        """The endings of the files' names."""
        return (".csv", ".tsv") if self.quoted else (".tsv",)
