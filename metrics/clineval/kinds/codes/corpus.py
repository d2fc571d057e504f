"""Two sides of codes brought together: documents aligned, codes distinct and in order, places."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from clineval.base.arrays import BoolArray, Coded, FloatArray, IntArray, expand_ranges
from clineval.base.errors import warn
from clineval.base.hashing import Hashes
from clineval.kinds.codes.rows import CODE
from clineval.kinds.documents import align_documents
from clineval.kinds.mentions.columns import MentionColumns, Side
from clineval.kinds.mentions.digest import digest_documents
from clineval.kinds.mentions.match import VERDICTS, Match
from clineval.kinds.mentions.outcomes import list_units
from clineval.kinds.mentions.pairing import Pairs

Fold = Callable[[str], str]
"""The form in which two codes are compared."""
Near = Callable[[IntArray, IntArray], BoolArray]
"""Tell which predictions are right, from how much sooner they start and later they end."""


@dataclass(frozen=True, slots=True, eq=False)
class CodeCorpus:
    """Gold and predicted codes of the same documents.

    Args:
        documents: the names of the documents.
        gold: the distinct gold codes of each document; a code has all places that it was given.
        prediction: the predicted ones, best first.
        ranked: ``[documents]``, whether any code that counts was predicted.
        digests: ``[documents]``, a digest of the gold codes of each.
    """

    documents: tuple[str, ...]
    gold: MentionColumns
    prediction: MentionColumns
    ranked: BoolArray
    digests: Hashes

    def blocks(self) -> Iterator[CodeCorpus]:
        """Yield the whole."""
        yield self

    @property
    def rank(self) -> IntArray:
        """``[p]``, the place of each predicted code in its document's list, from 1."""
        document = self.prediction.document
        return np.arange(len(document)) - np.searchsorted(document, document) + 1

    def find_same(self) -> Pairs:
        """Pair the codes that both sides have for a document."""
        codes = self.gold.attributes[CODE], self.prediction.attributes[CODE]
        keys = [
            side.document.astype(np.int64) * len(codes[0].values) + code.ids
            for side, code in zip((self.gold, self.prediction), codes, strict=True)
        ]
        golds, found = keys
        _, gold, prediction = np.intersect1d(golds, found, assume_unique=True, return_indices=True)
        order = np.argsort(gold)
        return Pairs(gold[order], prediction[order])

    def tally(self, pairs: Pairs) -> dict[str, IntArray]:
        """Count ``micro_tp``, ``micro_fp`` and ``micro_fn`` of each document, for these pairs."""
        size = len(self.documents)
        found = np.bincount(self.gold.document[pairs.gold], minlength=size)
        return {
            "micro_tp": found,
            "micro_fp": self.prediction.sizes(size) - found,
            "micro_fn": self.gold.sizes(size) - found,
        }

    def list_match(self, pairs: Pairs, columns: Mapping[str, tuple[str, ...]]) -> Match:
        """Return the outcomes of all codes; ``columns`` are those of a match."""
        rows = list_units(pairs, len(self.gold), len(self.prediction))
        return Match(*rows, VERDICTS, columns)

    def labelled(self, name: str, label: Callable[[str], str]) -> CodeCorpus:
        """Return the same with one more column, such as a chapter: the label of each code."""
        codes = self.gold.attributes[CODE]
        of_code = Coded.of([label(code) for code in codes.values])
        sides = [
            replace(
                side,
                attributes={
                    **side.attributes,
                    name: Coded(of_code.ids[side.attributes[CODE].ids], of_code.values),
                },
            )
            for side in (self.gold, self.prediction)
        ]
        return replace(self, gold=sides[0], prediction=sides[1])


def join_codes(
    gold: Side, prediction: Side, fold: Fold, valid: Collection[str] | None = None
) -> CodeCorpus:
    """Bring gold and predicted codes, the best of a document first, together.

    Codes that fold alike are equal. Predicted codes that are not ``valid`` are dropped; None keeps
    all.
    """
    documents, *numbers = align_documents(gold, prediction)
    sides = [
        _renumber(side.mentions, number)
        for side, number in zip((gold, prediction), numbers, strict=True)
    ]
    values = [tuple(map(fold, side.attributes[CODE].values)) for side in sides]
    known = tuple(sorted({value for of in values for value in of}))
    folded = [
        replace(side, attributes={CODE: side.attributes[CODE].fold(fold, known)}) for side in sides
    ]
    if valid is not None:
        folded[1] = _only_valid(folded[1], known, {fold(code) for code in valid})
    golds, found = map(_unite_repeats, folded)
    ranked = np.bincount(found.document, minlength=len(documents)) > 0
    digests = digest_documents(golds, len(documents))
    return CodeCorpus(documents, golds, found, ranked, digests)


def _renumber(columns: MentionColumns, numbers: IntArray) -> MentionColumns:
    document = numbers[columns.document] if len(columns) else columns.document
    return replace(columns, document=document).take(np.argsort(document, kind="stable"))


def _only_valid(
    columns: MentionColumns, known: Sequence[str], valid: Collection[str]
) -> MentionColumns:
    counts = np.array([code in valid for code in known], np.bool_)
    kept = np.flatnonzero(counts[columns.attributes[CODE].ids])
    dropped = len(columns) - len(kept)
    warn(
        "{n} predicted {code is|codes are} not in the list of valid codes and {does|do} not count",
        n=dropped,
    )
    return columns.take(kept)


def _unite_repeats(columns: MentionColumns) -> MentionColumns:
    """List each code of a document once, where it came first, with all its places."""
    codes = columns.attributes[CODE]
    key = columns.document.astype(np.int64) * max(len(codes.values), 1) + codes.ids
    _, first, unit = np.unique(key, return_index=True, return_inverse=True)
    if len(first) == len(columns):
        return columns
    place = np.empty(len(first), np.int64)  # units in the order of their first rows
    place[np.argsort(first)] = np.arange(len(first))
    order = np.argsort(place[unit], kind="stable")
    fragments = expand_ranges(columns.bounds[order], columns.bounds[order + 1])
    counts = np.bincount(place[unit], columns.fragment_counts, len(first)).astype(np.int64)
    return replace(
        columns.take(np.sort(first)),
        bounds=np.concatenate([[0], np.cumsum(counts)]),
        starts=columns.starts[fragments],
        ends=columns.ends[fragments],
    )


def sum_precisions(corpus: CodeCorpus, pairs: Pairs, depth: int | None) -> FloatArray:
    """Sum, ``[documents]``, over the right codes the share of right codes up to their rank.

    Only the first ``depth`` codes of a document's list are looked at; all if it is None.
    """
    rank = corpus.rank[pairs.prediction]
    document = corpus.prediction.document[pairs.prediction]
    looked_at = np.flatnonzero(rank <= depth) if depth is not None else np.arange(len(rank))
    order = looked_at[np.lexsort((rank[looked_at], document[looked_at]))]
    document, rank = document[order], rank[order]
    hits = np.arange(len(order)) - np.searchsorted(document, document) + 1
    return np.bincount(document, hits / rank, len(corpus.documents)).astype(np.float64)


def point_alike(
    gold: MentionColumns, prediction: MentionColumns, pairs: Pairs, near: Near
) -> BoolArray:
    """Return ``[p]``, whether some place of the one is near enough to some place of the other."""
    counts = gold.fragment_counts[pairs.gold], prediction.fragment_counts[pairs.prediction]
    pair = np.repeat(np.arange(len(pairs)), counts[0])
    left = expand_ranges(gold.bounds[pairs.gold], gold.bounds[pairs.gold + 1])
    rows = pairs.prediction[pair]  # every gold place meets every predicted place of its pair
    right = expand_ranges(prediction.bounds[rows], prediction.bounds[rows + 1])
    pair, left = (np.repeat(column, counts[1][pair]) for column in (pair, left))
    before = gold.starts[left] - prediction.starts[right]
    after = prediction.ends[right] - gold.ends[left]
    alike = np.zeros(len(pairs), np.bool_)
    alike[pair[near(before, after)]] = True
    return alike
