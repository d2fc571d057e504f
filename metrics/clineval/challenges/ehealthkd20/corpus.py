"""Sentences of eHealth-KD as columns of phrases and relations."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from clineval.base.arrays import Coded
from clineval.challenges.ehealthkd20.sentences import Sentence
from clineval.kinds.mentions.columns import MentionColumns
from clineval.kinds.mentions.corpus import Corpus, Mentions
from clineval.kinds.relations.columns import RelationColumns
from clineval.kinds.relations.corpus import RelatedWhole


@dataclass(frozen=True, slots=True, eq=False)
class SentenceCorpus(RelatedWhole):
    """The evaluated sentences, also as columns; of a pair, gold and predicted, one may be empty."""

    pairs: Sequence[tuple[Sentence, Sentence]]

    @classmethod
    def of(cls, pairs: Sequence[tuple[Sentence, Sentence]]) -> SentenceCorpus:
        """Return the corpus of some pairs of sentences."""
        names = tuple((gold if gold.name else other).name for gold, other in pairs)
        sides = [[pair[at] for pair in pairs] for at in (0, 1)]
        labels, kinds = (
            tuple(sorted({label for side in sides for s in side for label in of(s)}))
            for of in (labels_in, kinds_in)
        )
        mentions = [_as_mentions(side, labels) for side in sides]
        texts = {at: g.text or p.text or "" for at, (g, p) in enumerate(pairs) if g.text or p.text}
        corpus = Corpus(names, mentions[0], mentions[1], texts)
        gold, prediction = (_as_relations(side, kinds) for side in sides)
        return cls(corpus, gold, prediction, pairs)


def labels_in(sentence: Sentence) -> Iterator[str]:
    """Return the labels of a sentence's phrases."""
    return (phrase.label for phrase in sentence.phrases)


def kinds_in(sentence: Sentence) -> Iterator[str]:
    """Return the labels of a sentence's relations."""
    return (label for label, _, _ in sentence.relations)


def _as_mentions(sentences: Sequence[Sentence], labels: tuple[str, ...]) -> Mentions:
    phrases = [phrase for sentence in sentences for phrase in sentence.phrases]
    sizes = [len(sentence.phrases) for sentence in sentences]
    fragments = [fragment for phrase in phrases for fragment in phrase.fragments]
    starts, ends = np.array(fragments, np.int64).reshape(-1, 2).T
    counts = [len(phrase.fragments) for phrase in phrases]
    columns = MentionColumns(
        np.repeat(np.arange(len(sentences)), sizes),
        np.append(0, np.cumsum(counts, dtype=np.int64)),
        starts,
        ends,
        {"label": Coded.of([phrase.label for phrase in phrases]).fold(str, labels)},
    )
    nothing = np.zeros(len(phrases), np.int64)
    return Mentions(columns, nothing, nothing)


def _as_relations(sentences: Sequence[Sentence], labels: tuple[str, ...]) -> RelationColumns:
    """Return the relations; one that leads to another sentence goes back to its source here."""
    documents, found, first = [], [], 0
    for at, sentence in enumerate(sentences):
        documents += [at] * len(sentence.relations)
        found += [(s + first, (t if t >= 0 else s) + first) for _, s, t in sentence.relations]
        first += len(sentence.phrases)
    source, target = np.array(found, np.int64).reshape(-1, 2).T
    label = Coded.of([label for sentence in sentences for label, _, _ in sentence.relations])
    return RelationColumns(np.array(documents, np.int64), label.fold(str, labels), source, target)
