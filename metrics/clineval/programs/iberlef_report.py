"""Reports of precision, recall and F1, as evaluate.py of several challenges prints them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass

from clineval.results.scores import Counts
from clineval.results.scripts import Output

MEASURES = ("Precision", "Recall", "F1")
_RULE = "-" * 60 + "\n"
Rows = Sequence[int]
"""Rows of the counts."""


def measure(tp: float, fp: float, fn: float) -> tuple[float, float, float]:
    """Return precision, recall and F1; 0 where the denominator is 0."""
    precision = tp / (tp + fp) if tp + fp else 0.0
    recall = tp / (tp + fn) if tp + fn else 0.0
    both = precision + recall
    return precision, recall, 2 * precision * recall / both if both else 0.0


def no_more(_missed: float, _rows: Rows) -> Iterable[tuple[str, str]]:
    """Return no further measures."""
    return ()


@dataclass(frozen=True, slots=True)
class Report:
    """What is printed about one system.

    Args:
        system: what the script calls it.
        counts: of all documents.
        prefix: what the names of the counts that are reported begin with.
        more: for the misses of some documents further measures and their values, which come first.
        named: whether documents are named.
    """

    system: str
    counts: Counts
    prefix: str
    more: Callable[[float, Rows], Iterable[tuple[str, str]]] = no_more
    named: bool = True

    def write(self, title: str, *, verbose: bool, whole: bool) -> Iterator[Output]:
        """Yield what is printed: the scores of a ``whole`` corpus, if ``verbose`` of each document.

        Of a document alone its scores are printed.
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
