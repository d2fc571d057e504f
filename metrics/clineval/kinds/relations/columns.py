"""Relations as flat NumPy columns, beside the columns of the mentions that they connect."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Self

import numpy as np

from clineval.base.arrays import Coded, IntArray, find_first, unite_keys
from clineval.base.hashing import ODD, Hashes, hash_text, mix
from clineval.kinds.mentions.columns import Intake, Side
from clineval.kinds.mentions.corpus import Corpus, Mentions
from clineval.kinds.mentions.digest import add_up_hashes, hash_mentions
from clineval.kinds.mentions.rows import Annotations
from clineval.results.columns import MentionColumns


@dataclass(frozen=True, slots=True, eq=False)
class RelationColumns:
    """The ``r`` relations of one side of a corpus.

    Args:
        document: ``[r]``, index of the relation's document.
        label: ``[r]``, label of the relation.
        source: ``[r]``, row of its source mention.
        target: ``[r]``, row of its target mention, in the same document.
    """

    document: IntArray
    label: Coded
    source: IntArray
    target: IntArray

    @classmethod
    def of(
        cls, counts: Sequence[int], labels: Sequence[str], ends: Sequence[tuple[int, int]]
    ) -> RelationColumns:
        """Build columns from the number of relations of each document, and rows of mentions.

        Examples:
            >>> RelationColumns.of([0, 1], ["causes"], [(2, 0)]).document.tolist()
            [1]
        """
        documents = np.repeat(np.arange(len(counts), dtype=np.int32), np.array(counts, np.int64))
        source, target = np.array(ends, np.int64).reshape(-1, 2).T
        return cls(documents, Coded.of(labels), source, target)

    def __len__(self) -> int:
        return len(self.document)

    def take(self, rows: IntArray) -> RelationColumns:
        """Return the relations at ``rows``, in that order."""
        label = Coded(self.label.ids.take(rows), self.label.values)
        return RelationColumns(self.document[rows], label, self.source[rows], self.target[rows])

    def of_documents(self, first: int, last: int, mentions: int) -> RelationColumns:
        """Return the relations of the documents ``first:last``, renumbered from 0; no copy.

        Documents never decrease; ``mentions`` is the number of mentions before the first.
        """
        rows = slice(*find_first(self.document, [first, last]).tolist())
        return RelationColumns(
            self.document[rows] - first,
            Coded(self.label.ids[rows], self.label.values),
            self.source[rows] - mentions,
            self.target[rows] - mentions,
        )

    def as_mentions(self, mentions: MentionColumns, slot: str) -> MentionColumns:
        """Return each relation as a mention with the spans of its ends, for lists of outcomes.

        The slot gets the relation's label.

        Examples:
            >>> mentions = MentionColumns(np.array([0, 0]), np.array([0, 1, 2]), np.array([0, 9]),
            ...                           np.array([7, 12]), {}, Coded.of(["", ""]))
            >>> causes = RelationColumns(np.array([0]), Coded.of(["causes"]), np.array([1]),
            ...                          np.array([0]))
            >>> causes.as_mentions(mentions, "label").text_of_spans(0)
            '9-12,0-7'
        """
        ends = mentions.take(np.column_stack([self.source, self.target]).ravel())
        bounds = ends.bounds[::2]
        return MentionColumns(self.document, bounds, ends.starts, ends.ends, {slot: self.label})


_NOTHING = np.zeros(0, np.int64)
NO_RELATIONS = RelationColumns(_NOTHING, Coded.of([]), _NOTHING, _NOTHING)


def unplaced(columns: MentionColumns) -> Mentions:
    """Return mentions without numbers of their spans, so that they are not paired by them."""
    nothing = np.zeros(len(columns), np.int64)
    return Mentions(columns, nothing, nothing)


@dataclass(frozen=True, slots=True, eq=False)
class RelatedSide:
    """One side of a corpus with relations, gold or predicted, after reading.

    Args:
        side: the documents and their mentions.
        relations: the relations between these mentions.
    """

    side: Side
    relations: RelationColumns

    @property
    def noted(self) -> Side:
        """The documents, their mentions and texts."""
        return self.side

    @property
    def labels(self) -> list[str]:
        """The labels of its relations."""
        label = self.relations.label
        return [label.values[number] for number in unite_keys(label.ids).tolist()]

    def share_labels(self, labels: tuple[str, ...]) -> Self:
        """Return a copy whose relations have these labels as values."""
        folded = self.relations.label.compact().fold(str, labels)
        return replace(self, relations=replace(self.relations, label=folded))

    def with_notes(self, texts: tuple[str | None, ...]) -> Self:
        """Return a copy with other texts."""
        return replace(self, side=self.side.with_notes(texts))


@dataclass(frozen=True, slots=True, eq=False)
class RelatedCorpus:
    """Gold and predicted mentions and relations of the same documents, ready for pairing.

    Relations with the same label and arguments count as one. They have the order of their
    arguments, source first. An undirected relation goes from its first argument.

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
    def sides(self) -> tuple[tuple[Mentions, RelationColumns], tuple[Mentions, RelationColumns]]:
        """The mentions and the relations of the gold standard, and of the system."""
        return (self.mentions.gold, self.gold), (self.mentions.prediction, self.prediction)

    @property
    def intake(self) -> Intake | None:
        """Facts from reading the predictions, if there are any."""
        return self.mentions.intake

    @property
    def texts(self) -> Mapping[int, str]:
        """Number of a document to its text, if texts are known."""
        return self.mentions.texts

    @property
    def digests(self) -> Hashes:
        """``[documents]``, a digest of each document's gold mentions and relations."""
        mentions = hash_mentions(self.mentions.gold.columns)
        labels = np.array([hash_text(label) for label in self.gold.label.values], np.uint64)
        hashes = mix(mentions[self.gold.source] * ODD + mentions[self.gold.target])
        hashes = mix(hashes * ODD + labels.take(self.gold.label.ids))
        relations = add_up_hashes(hashes, self.gold.document, len(self.documents))
        return mix(self.mentions.digests * ODD + relations)

    @property
    def gold_sizes(self) -> IntArray:
        """``[documents]``, the number of each document's gold mentions and relations."""
        relations = np.bincount(self.gold.document, minlength=len(self.documents))
        return self.mentions.gold_sizes + relations

    def annotations_of(self, kind: str) -> tuple[Annotations, Annotations]:
        """Return the relations of both sides; for any other ``kind``, the mentions."""
        if kind == "relations":
            return self.gold, self.prediction
        return self.mentions.gold.columns, self.mentions.prediction.columns

    def labels_of(self, kind: str, slot: str) -> tuple[Coded, Coded]:
        """Return the label of each annotation; mentions have it in a slot."""
        if kind == "relations":
            return self.gold.label, self.prediction.label
        sides = self.mentions.gold.columns, self.mentions.prediction.columns
        return sides[0].attributes[slot], sides[1].attributes[slot]

    def blocks(self, documents: int = 2048) -> Iterator[RelatedCorpus]:
        """Yield the corpus in parts whose columns fit into the processor's cache."""
        firsts = range(0, max(len(self.documents), 1), documents)
        for first, block in zip(firsts, self.mentions.blocks(documents), strict=True):
            gold, prediction = (
                relations.of_documents(
                    first, first + documents, int(find_first(mentions.columns.document, [first])[0])
                )
                for mentions, relations in (
                    (self.mentions.gold, self.gold),
                    (self.mentions.prediction, self.prediction),
                )
            )
            yield RelatedCorpus(block, gold, prediction)
