"""Print precision, recall and F1 as the evaluate.py of several IberLEF challenges does."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass

from clineval.results.scorable import Counts
from clineval.results.scripts import Output

MEASURES = ("Precision", "Recall", "F1")
_RULE = "-" * 60 + "\n"
Rows = Sequence[int]
"""Row numbers in the table of counts."""


def measure(tp: float, fp: float, fn: float) -> tuple[float, float, float]:
    """Return precision, recall and F1; 0 if the denominator is 0."""
    precision = tp / (tp + fp) if tp + fp else 0.0
    recall = tp / (tp + fn) if tp + fn else 0.0
    both = precision + recall
    return precision, recall, 2 * precision * recall / both if both else 0.0


def no_more(_missed: float, _rows: Rows) -> Iterable[tuple[str, str]]:
    """Return no further measures."""
    return ()


@dataclass(frozen=True, slots=True)
class Report:
    """The report on one system.

    Args:
        system: the name that the script prints.
        counts: the counts of all documents.
        prefix: the common beginning of the names of the counts to report.
        more: returns further measures with their values, given the number of false negatives and
            the rows of the documents; they are printed first.
        named: whether to print the names of documents.
    """

    system: str
    counts: Counts
    prefix: str
    more: Callable[[float, Rows], Iterable[tuple[str, str]]] = no_more
    named: bool = True

    def write(self, title: str, *, verbose: bool, whole: bool) -> Iterator[Output]:
        """Yield the report.

        Args:
            title: the heading of the total.
            verbose: whether to print the scores of each document.
            whole: whether to print the total; if not, the scores of each document are printed.
        """
        if verbose or not whole:
            yield Output(self.format_documents())
        if whole:
            yield Output(self.format_total(title))

    def format_documents(self) -> str:
        """Format the scores of each document, in the order of their names."""
        parts = ["\n\n", self._head("Document ID")]
        for name, at in sorted((name, at) for at, name in enumerate(self.counts.documents)):
            parts += [*self._lines(name if self.named else "", [at]), _RULE]
        return "".join(parts)

    def format_total(self, title: str) -> str:
        """Format the scores of all documents."""
        every = list(range(len(self.counts)))
        lines = self._lines(f"Total ({len(every)} docs)", every)
        return "".join([" " * 70 + "\n", self._head(title), *lines, _RULE, "\n\n"])

    def _head(self, title: str) -> str:
        line = _line(title, "Measure", "Micro")
        return f"Report (SYSTEM: {self.system}):\n{_RULE}{line}{_RULE}"

    def _lines(self, head: str, at: Rows) -> Iterator[str]:
        columns = [self.counts.columns.index(f"{self.prefix}_{v}") for v in ("tp", "fp", "fn")]
        tp, fp, fn = self.counts.table[at][:, columns].sum(axis=0).tolist()
        values = (f"{value:.4}" for value in measure(tp, fp, fn))
        for row in (*self.more(fn, at), *zip(MEASURES, values, strict=True)):
            yield _line(head, *row)
            head = ""


def _line(*cells: str) -> str:
    return "{:<35}{:<15}{:<20}\n".format(*cells)
