"""Two sides with relations brought together, on top of their mentions."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from clineval.base.arrays import Coded, IntArray, find_first
from clineval.base.hashing import ODD, Hashes, hash_text, mix
from clineval.kinds.mentions.corpus import Corpus, Reading, trace_sides
from clineval.kinds.mentions.digest import add_up_hashes, hash_mentions
from clineval.kinds.mentions.slots import Slot
from clineval.kinds.relations.columns import RelatedSide, RelationColumns

if TYPE_CHECKING:  # Python 3.11 has it
    from typing_extensions import Self


@dataclass(frozen=True, slots=True, eq=False)
class RelatedCorpus:
    """Gold and predicted mentions and relations of the same documents, ready for pairing.

    Relations that agree in label and arguments are one relation. They are in the order of their
    arguments, source first; an undirected one goes from the argument that comes first.

    Args:
        mentions: the mentions of both sides.
        gold: the gold relations; equal labels have equal numbers on both sides.
        prediction: the predicted relations.
    """

    mentions: Corpus
    gold: RelationColumns
    prediction: RelationColumns

    @property
    def documents(self) -> tuple[str, ...]:
        """The names of the documents."""
        return self.mentions.documents

    @property
    def digests(self) -> Hashes:
        """``[documents]``, a digest of the gold mentions and relations of each."""
        return mix(self.mentions.digests * ODD + self._digest_relations())

    def _digest_relations(self) -> Hashes:
        mentions = hash_mentions(self.mentions.gold.columns)
        labels = np.array([hash_text(label) for label in self.gold.label.values], np.uint64)
        hashes = mix(mentions[self.gold.source] * ODD + mentions[self.gold.target])
        hashes = mix(hashes * ODD + labels.take(self.gold.label.ids))
        return add_up_hashes(hashes, self.gold.document, len(self.documents))

    def blocks(self, documents: int = 2048) -> Iterator[RelatedCorpus]:
        """Yield the corpus in parts whose columns fit into the processor's cache."""
        sides = (self.mentions.gold, self.gold), (self.mentions.prediction, self.prediction)
        firsts = range(0, max(len(self.documents), 1), documents)
        for first, block in zip(firsts, self.mentions.blocks(documents), strict=True):
            gold, prediction = (
                relations.of_documents(
                    first, first + documents, int(find_first(mentions.columns.document, [first])[0])
                )
                for mentions, relations in sides
            )
            yield RelatedCorpus(block, gold, prediction)


@dataclass(frozen=True, slots=True, eq=False)
class RelatedWhole(RelatedCorpus):
    """A corpus that is paired as a whole, by more than its columns say."""

    def blocks(self, documents: int = 0) -> Iterator[Self]:
        """Yield the whole corpus."""
        del documents
        yield self


def join_related(
    gold: RelatedSide,
    prediction: RelatedSide,
    slots: Sequence[Slot],
    reading: Reading,
    undirected: Collection[str] = (),
) -> RelatedCorpus:
    """Bring gold and predictions together.

    It does not matter which way relations go whose labels are ``undirected``.

    Raises:
        InputError: documents are paired by position and differ in number or name.
    """
    mentions, rows = trace_sides(gold.side, prediction.side, slots, reading)
    both = gold.relations.label.values, prediction.relations.label.values
    labels = tuple(sorted({label for values in both for label in values}))
    relations = [
        _arrange(side.relations, row, of.columns.document, labels, undirected)
        for side, row, of in zip(
            (gold, prediction), rows, (mentions.gold, mentions.prediction), strict=True
        )
    ]
    return RelatedCorpus(mentions, *relations)


def _arrange(
    relations: RelationColumns,
    rows: IntArray,
    documents: IntArray,
    labels: tuple[str, ...],
    undirected: Collection[str],
) -> RelationColumns:
    """Return relations between the rows of a corpus, in order and each once."""
    source, target = rows[relations.source], rows[relations.target]
    label = relations.label.fold(str, labels)
    source, target = turn(source, target, label, undirected)
    there = np.flatnonzero((source >= 0) & (target >= 0))
    ends = source[there] * np.int64(max(len(documents), 1)) + target[there]
    order = np.lexsort((label.ids[there], ends))
    ends, ids, there = ends[order], label.ids[there[order]], there[order]
    new = np.ones(len(order), np.bool_)
    new[1:] = (ends[1:] != ends[:-1]) | (ids[1:] != ids[:-1])
    kept = there[new]
    return RelationColumns(
        documents[source[kept]], Coded(label.ids[kept], labels), source[kept], target[kept]
    )


def turn(
    source: IntArray, target: IntArray, label: Coded, undirected: Collection[str]
) -> tuple[IntArray, IntArray]:
    """Return source and target, the smaller one first where the label is undirected.

    Examples:
        >>> ends = turn(np.array([3, 3]), np.array([1, 1]), Coded.of(["causes", "same"]), ["same"])
        >>> [end.tolist() for end in ends]
        [[3, 1], [1, 3]]
    """
    if not undirected or not len(source):
        return source, target
    loose = np.array([value in undirected for value in label.values])
    turned = loose[label.ids] & (source > target)
    return np.where(turned, target, source), np.where(turned, source, target)
