"""Token F1: words of mentions are compared instead of mentions.

The unit is a word of a document with a label. A word is a run of letters, digits and underscores
that lies completely inside a fragment, as for the option ``overlap="word"``. A word that several
mentions of a label share counts once; a word in mentions of two labels counts once for each label.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from clineval.base.arrays import IntArray, cover
from clineval.base.ratios import Columns
from clineval.kinds.mentions.corpus import Corpus
from clineval.kinds.mentions.measures import Spans
from clineval.kinds.mentions.overlap import in_words
from clineval.kinds.mentions.rows import Rows

_Ranges = tuple[IntArray, IntArray, IntArray]
"""The group of each fragment, its first word, and the word after its last one."""


@dataclass(frozen=True)
class TokenSpans(Spans):
    """Precision, recall and F1 of words (see the module's docstring)."""

    def list_matches(
        self, _corpus: Corpus, _pairing: Mapping[str, object], _labels: Sequence[str], /
    ) -> Mapping[str, Rows]:
        """Return no rows, because words are not annotations."""
        return {}

    def count(self, corpus: Corpus, labels: Sequence[str], /) -> Columns:
        """Count words; raise an ``InputError`` if a document with mentions has no text."""
        values = corpus.gold.columns.attributes[self.by].values  # the same on both sides
        shape = len(corpus.documents), len(values)
        gold, found = self._find_words(corpus)
        either = tuple(np.concatenate(both) for both in zip(gold, found, strict=True))
        golds, founds, all_words = (_count(each, shape) for each in (gold, found, either))
        shared = golds + founds - all_words
        verdicts = {"tp": shared, "fp": founds - shared, "fn": golds - shared}
        parts = {self.name: slice(None)}
        parts |= {
            key: slice(number, number + 1)
            for label, key in self.name_labels(labels).items()
            for number in [values.index(label) if label in values else len(values)]
        }
        return {
            f"{key}_{verdict}": table[:, part].sum(axis=1)
            for key, part in parts.items()
            for verdict, table in verdicts.items()
        }

    def _find_words(self, corpus: Corpus) -> list[_Ranges]:
        """Find the words of both sides; a group is a document and a label."""
        found = []
        for side in (corpus.gold.columns, corpus.prediction.columns):
            placed = in_words(
                side, corpus.texts, corpus.documents, needed="tokens", instead="leave out tokens="
            )
            label = placed.attributes[self.by]
            groups = placed.document.astype(np.int64) * len(label.values) + label.ids
            some = np.flatnonzero(placed.ends > placed.starts)
            owners = placed.owners[some]
            found.append((groups[owners], placed.starts[some], placed.ends[some]))
        return found


def _count(ranges: Sequence[IntArray], shape: tuple[int, int]) -> IntArray:
    """Count the different words of each document and label, ``[documents, labels]``."""
    groups, starts, ends = cover(*ranges)
    counts = np.bincount(groups, ends - starts, shape[0] * shape[1])
    return counts.astype(np.int64).reshape(shape)
