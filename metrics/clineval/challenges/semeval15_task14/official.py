"""Score SemEval-2015 Task 14 by the rules of its released scripts."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from types import MappingProxyType

import numpy as np

from clineval.base.arrays import BoolArray
from clineval.challenges.semeval15_task14.spec import Spec, measure
from clineval.formats.delimited.pipe import CUI, SLOTS
from clineval.formats.delimited.spans import list_fragments
from clineval.kinds.mentions.columns import Side
from clineval.kinds.mentions.corpus import Corpus
from clineval.kinds.mentions.matching import others, same_value
from clineval.kinds.mentions.overlap import Candidates, find_candidates_in_parts
from clineval.kinds.mentions.pairing import Pairs
from clineval.kinds.mentions.rows import Pairing
from clineval.programs.written_spans import join_written
from clineval.results.challenge import Setup
from clineval.results.columns import MentionColumns
from clineval.results.match import NONE, Match
from clineval.results.slots import Slot


class Official(Spec):
    """Score as the released scripts do: compare spans as written; gold mentions collect."""

    strict = False
    unlisted = 0.0
    least = 0.0

    def join(self, gold: Side, predicted: Side, _setup: Setup, /) -> Corpus:
        """Join both sides; documents without a gold mention are ignored."""
        return join_written(gold, predicted, SLOTS, "gold")

    def pair(self, corpus: Corpus, setup: Setup, /) -> Pairing:
        """Pair as the scripts do; return the matches under the names of the specification."""
        exact = self.pair_exact(corpus)
        strict = exact.take(same_value(exact, corpus, CUI))
        near = _find_touching(corpus, strict, setup)
        coded = near.take(same_value(near, corpus, CUI))
        collecting = Collecting(corpus, setup)
        partners = dict(zip(exact.gold.tolist(), exact.prediction.tolist(), strict=True))
        return {
            "exact": exact,
            "strict": strict,
            "relaxed": Match.of(collecting.match(strict, coded, partners)),
            "span": Match.of(collecting.match(exact, near)),
        }

    def agree(self, corpus: Corpus, pairs: Pairs, slot: Slot) -> BoolArray:
        """Return which pairs agree in a slot, ``[p]``; body locations need one in common."""
        equal = super().agree(corpus, pairs, slot)
        if slot.kind != "codes":
            return equal
        gold, prediction = (
            side.columns.attributes[slot.name] for side in (corpus.gold, corpus.prediction)
        )
        sets = [set(value.split(",")) for value in gold.values]  # both sides share the values
        for row in np.flatnonzero(~equal).tolist():
            left = sets[gold.ids[pairs.gold[row]]]
            equal[row] = not left.isdisjoint(sets[prediction.ids[pairs.prediction[row]]])
        return equal


def _find_touching(corpus: Corpus, strict: Pairs, setup: Setup) -> Candidates:
    """Find the pairs that overlap if ends are inclusive, in the order of gold rows."""
    rows = np.arange(len(corpus.gold)), others(strict.prediction, corpus.prediction)
    return Candidates.joined(
        find_candidates_in_parts(
            *measure(corpus, setup["overlap"]), *rows, corpus.documents, reach=1
        )
    )


def _list_spans(columns: MentionColumns) -> list[tuple[int, str]]:
    """List the document and the text of each span."""
    texts = map(columns.spelling.values.__getitem__, columns.spelling.ids.tolist())
    return list(zip(columns.document.tolist(), texts, strict=True))


class Collecting:
    """Pair a block as the scripts do: visit gold mentions in the byte order of their spans."""

    def __init__(self, corpus: Corpus, setup: Setup) -> None:
        golds = _list_spans(corpus.gold.columns)
        self._founds = _list_spans(corpus.prediction.columns)
        self._turns = sorted(range(len(golds)), key=golds.__getitem__)
        self._fragments = [
            list_fragments(side.bounds, side.starts, side.ends)
            for side in measure(corpus, setup["overlap"])
        ]

    def match(
        self, first: Pairs, near: Candidates, partners: Mapping[int, int] = MappingProxyType({})
    ) -> Iterator[tuple[int, int, str]]:
        """Yield gold row, predicted row and verdict of pairs, and of unpaired mentions.

        A first pass has paired equal spans. In the second pass each gold mention collects all
        overlapping predictions that are still free. It keeps the prediction that shares most; if
        several do, the last in byte order. This prediction replaces the ``first`` partner, which
        then does not count. The other collected predictions are false positives and cannot be
        paired with another gold mention.

        The script confuses the marks of the two sides. It therefore skips a gold mention if the
        prediction with the same span (``partners``) has been collected.
        """
        earlier = dict(zip(first.gold.tolist(), first.prediction.tolist(), strict=True))
        best: dict[int, int] = {}
        marked = set(earlier.values())
        bounds = np.searchsorted(near.gold, np.arange(len(self._turns) + 1))
        for row in self._turns:
            if partners.get(row) in marked:
                continue
            reached = near.prediction[bounds[row] : bounds[row + 1]].tolist()
            collected = [other for other in reached if other not in marked]
            if collected:
                marked.update(collected)
                best[row] = max(collected, key=lambda other: self._rank(row, other))
        kept = {row: other for row, other in earlier.items() if row not in best}
        pairs = {**kept, **dict(sorted(best.items()))}
        yield from ((row, other, "tp") for row, other in pairs.items())
        alone = set(range(len(self._founds))).difference(pairs.values())
        displaced = alone.intersection(earlier.values())
        yield from ((NONE, row, "displaced" if row in displaced else "fp") for row in sorted(alone))
        yield from ((row, NONE, "fn") for row in range(len(self._turns)) if row not in pairs)

    def _rank(self, gold: int, found: int) -> tuple[int, object]:
        """Return the largest overlap between a fragment of each mention, and the predicted span."""
        most = max(
            min(end, other_end) - max(start, other_start)
            for start, end in self._fragments[0][gold]
            for other_start, other_end in self._fragments[1][found]
        )
        return most, self._founds[found]
