"""Count the sentences of documents, and compute the leak per sentence."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Self

import numpy as np

from clineval.base.arrays import IntArray
from clineval.base.errors import InputError, shown, warn
from clineval.base.files import find_directory, is_file
from clineval.base.ratios import Columns, Number, Totals, ratio
from clineval.formats.files import read_text
from clineval.kinds.mentions.corpus import Corpus
from clineval.kinds.mentions.measures import SpanMeasure
from clineval.results.measures import Grid

MISSING = -1


@dataclass(frozen=True, slots=True)
class Sentences:
    """The source of the numbers of sentences.

    Args:
        numbers: the number of sentences by document name.
        folder: a directory of files ``<document>.ann``; None if there is none.
    """

    numbers: Mapping[str, int]
    folder: Path | None = None

    def count(self, documents: Sequence[str], *, every: bool) -> IntArray:
        """Count the sentences of each document, ``[documents]``; -1 if the number is unknown.

        Args:
            documents: the names of the documents.
            every: whether to count all lines of a file; if not, only annotations count.
        """
        found = [self._count(name, every=every) for name in documents]
        problem = "the number of sentences of {n} {document|documents} is unknown and counts as 0"
        both = zip(documents, found, strict=True)
        warn(f"{problem}: {{names}}", [name for name, n in both if n == MISSING])
        return np.array(found, np.int64)

    def _count(self, name: str, *, every: bool) -> int:
        if self.folder is None:
            return self.numbers.get(name, MISSING)
        path = self.folder / f"{name}.ann"
        if Path(name).name != name or not is_file(path):
            return MISSING
        lines = read_text(path).splitlines()
        return len(lines) if every else sum(line.startswith("T") for line in lines)


def parse_sentences(given: object) -> Sentences | None:
    """Return the source of sentences: a directory, or a mapping of documents to numbers.

    Raises:
        InputError: the value is neither of these.
    """
    if given is None or isinstance(given, Sentences):
        return given
    if isinstance(given, (str, os.PathLike)):
        return Sentences({}, find_directory(given))
    fine = isinstance(given, Mapping) and all(
        isinstance(name, str) and type(number) is int and number >= 0
        for name, number in given.items()
    )
    if not isinstance(given, Mapping) or not fine:
        raise InputError(
            f"expected a directory, or a mapping of documents to numbers, got {shown(given)}",
            where="sentences",
        )
    return Sentences(dict(given))


@dataclass(frozen=True, slots=True, eq=False)
class Cases(Corpus):
    """Mentions, and the number of sentences of each document.

    Args:
        sentences: ``[documents]``, -1 if the number is unknown; None if they are not counted.
    """

    sentences: IntArray | None

    def of_documents(self, first: int, last: int) -> Self:
        """Return some documents, as :meth:`Corpus.of_documents` does."""
        sentences = None if self.sentences is None else self.sentences[first:last]
        return replace(Corpus.of_documents(self, first, last), sentences=sentences)


def as_cases(corpus: Corpus, sentences: IntArray | None) -> Cases:
    """Return the corpus with numbers of sentences."""
    sides = corpus.documents, corpus.gold, corpus.prediction, corpus.texts
    return Cases(*sides, intake=corpus.intake, sentences=sentences)


class SentenceLeak(SpanMeasure):
    """Missed mentions per sentence: ``leak``."""

    def count(self, corpus: Corpus, _labels: Sequence[str], /) -> Columns:
        """Count the sentences."""
        there = corpus.sentences if isinstance(corpus, Cases) else None
        return {} if there is None else {"sentences": np.maximum(there, 0)}

    def finish(self, totals: Totals, _config: str, /) -> dict[str, Number]:
        """Divide the missed mentions by the sentences."""
        if "sentences" not in totals:
            return {}
        return {
            "leak": ratio(totals["strict_fn"], totals["sentences"]),
            "sentences": totals["sentences"],
        }

    def tables(self) -> Iterable[Grid]:
        """Yield a table of the leak with the counts that it is computed from."""
        yield Grid("Leak", ("leak", "FN", "sentences"), {"all": ("leak", "strict_fn", "sentences")})

    @property
    def less_is_better(self) -> tuple[str, ...]:
        """The leak."""
        return ("leak",)
