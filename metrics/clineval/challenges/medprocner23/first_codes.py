"""Score codes of documents as programs that compare rows as sets of cells do (``row_sets``)."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import numpy as np

from clineval.base.arrays import IntArray
from clineval.base.files import Source
from clineval.formats.files import read_text_files
from clineval.kinds.codes.corpus import CODE, CodeCorpus, as_side
from clineval.kinds.mentions.columns import Side
from clineval.kinds.mentions.pairing import Pairs
from clineval.programs.pandas_cells import Reading, is_gap, stop
from clineval.protocols.code_sets import CodePairing, CodeSets
from clineval.results.challenge import Setup
from clineval.results.columns import MentionColumns


def read_first(source: Source) -> Side:
    """Read the codes of the first row of each document."""
    files = list(read_text_files(source, pattern=r"\.tsv$", separator="\t"))
    frame = Reading().read(files)
    [names] = frame.need(["filename"])
    [cells] = frame.need(["codes" if "codes" in frame.columns else "code"])
    first: dict[str, list[str]] = {}
    for name, cell, where in zip(names, cells, frame.places, strict=True):
        if not isinstance(cell, str):
            problem = "expected codes without gaps, several of them joined by + in at least one row"
            raise stop(problem, where)
        if not is_gap(name):
            first.setdefault(str(name), cell.split("+"))
    if not first:  # groupby().apply() of pandas fails if there is nothing to join
        label = files[0].label if files else ""
        raise stop("expected codes of documents below the header, got none", label)
    rows = enumerate(first[name] for name in sorted(first))
    return as_side(sorted(first), ((at, code, ()) for at, codes in rows for code in codes))


class FirstCodes(CodeSets):
    """Score codes of gold documents; codes with the same characters match, one to one."""

    def join(self, gold: Side, predicted: Side, setup: Setup, /) -> CodeCorpus:
        """Join both sides; predictions in documents without a gold code do not count."""
        corpus = super().join(gold, predicted, setup)
        visited = corpus.gold.sizes(len(corpus.documents)) > 0
        kept = np.flatnonzero(visited[corpus.prediction.document])
        return replace(corpus, prediction=corpus.prediction.take(kept))

    def pair(self, block: CodeCorpus, setup: Setup, /) -> CodePairing:
        """Pair codes that have the same characters."""
        numbers: dict[object, int] = {}
        golds, found = (_number(side, numbers) for side in (block.gold, block.prediction))
        _, left, right = np.intersect1d(golds, found, assume_unique=True, return_indices=True)
        return {**super().pair(block, setup), "micro": Pairs(left, right)}


def _number(codes: MentionColumns, numbers: dict[object, int]) -> IntArray:
    """Return a number for each document, set of characters, and occurrence of this set, ``[n]``."""
    column, times, found = codes.attributes[CODE], Counter[object](), list[int]()
    for document, at in zip(codes.document.tolist(), column.ids.tolist(), strict=True):
        key = document, frozenset(column.values[at])
        times[key] += 1
        found.append(numbers.setdefault((key, times[key]), len(numbers)))
    return np.array(found, np.int64)
