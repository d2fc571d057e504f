"""The least overlap of lenient pairs: a share of the gold mention, or of both mentions together."""

from __future__ import annotations

from dataclasses import dataclass

from clineval.base.arrays import BoolArray
from clineval.kinds.mentions.overlap import Candidates
from clineval.results.columns import MentionColumns


@dataclass(frozen=True, slots=True)
class LeastOverlap:
    """The least overlap of a pair; a pair needs both shares.

    Args:
        gold_share: shared characters / characters of the gold mention, from 0 to 1.
        iou: shared characters / characters that are in either mention, from 0 to 1.
    """

    gold_share: float = 0.0
    iou: float = 0.0

    def accept(
        self, near: Candidates, gold: MentionColumns, prediction: MentionColumns
    ) -> BoolArray:
        r"""Return which pairs overlap enough, ``[c]``.

        Args:
            near: overlapping pairs of mentions.
            gold: the gold mentions, as their overlap is measured: in characters or in words.
            prediction: the predicted mentions, in the same unit.

        Examples:
            >>> import numpy as np
            >>> from clineval.formats.delimited.pipe import read_side
            >>> gold, found = (read_side(text, [], strict=True).mentions for text in
            ...                ("d|0-10|C1\n", "d|5-20|C1\n"))
            >>> near = Candidates(np.array([0]), np.array([0]), np.array([5]))
            >>> [LeastOverlap(*shares).accept(near, gold, found).tolist()
            ...  for shares in ((0.5, 0.25), (0.6, 0), (0, 0.3))]
            [[True], [False], [False]]
        """
        lengths = gold.lengths(near.gold)
        either = lengths + prediction.lengths(near.prediction) - near.shared
        enough: BoolArray = near.shared / lengths >= self.gold_share
        enough &= near.shared / either >= self.iou
        return enough
