"""Counts that can be scored."""

from __future__ import annotations

from clineval.results.counts import Counted
from clineval.results.scores import Score


class Counts(Counted):
    """The counts of a challenge, document by document.

    Counts of two corpora add up to the counts of both together, in any order. Scores follow
    from the counts at any time, on any machine.

    Args:
        challenge: the challenge.
        config: the configuration.
        settings: name to value of all settings that affect the numbers, in the order of the
            signature.
        columns: the names of the ``k`` counts.
        documents: the names of the ``d`` documents.
        cells: ``[d, k]``, the counts; integers, except sums of weights. Very many are held in a
            smaller type; :attr:`table` has them as floats.
        digests: ``[d]``, a 64-bit digest of the reference annotations of each document.
        details: fields other than numbers that the challenge adds to each document's row in
            ``per_document``; nothing is computed from them. Empty if there are none.
        labels: the labels of the documents, for scores that are not computed from sums; None if
            no score needs them.

    Examples:
        >>> from clineval import count
        >>> gold = [[{"spans": [[0, 5]], "cui": "C0015967"}]]
        >>> first = count("semeval15_task14", gold, gold)
        >>> second = count("semeval15_task14", [[]], gold)
        >>> (first + second).score()["strict_recall"]
        0.5
    """

    __slots__ = ()

    def score(
        self,
        *,
        confidence: float | None = None,
        n_resamples: int = 1000,
        seed: int = 12345,
        interval: str = "auto",
        cluster: object = None,
    ) -> Score:
        """Compute the scores from the counts.

        Args:
            confidence: the level of the intervals; None for no intervals.
            n_resamples: the number of corpora to draw for the intervals.
            seed: the seed of the random draws.
            interval: see ``clineval.score``.
            cluster: see ``clineval.score``.
        """
        if confidence is None:
            return Score(self)
        from clineval.stats.confidence import Confidence

        return Score(self, Confidence(confidence, n_resamples, seed, interval, cluster))
