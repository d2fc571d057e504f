"""Sentences of eHealth-KD, their files, and their annotations as columns."""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from fnmatch import translate
from itertools import pairwise
from pathlib import Path

import numpy as np

from clineval.base.arrays import Coded, find_first
from clineval.base.errors import InputError
from clineval.base.files import Source, find_path, is_file, name_path
from clineval.formats.files import list_names, read_text
from clineval.kinds.documents import Whole
from clineval.kinds.mentions.corpus import Corpus, Mentions
from clineval.kinds.mentions.mention import Fragment
from clineval.kinds.relations.columns import RelatedCorpus, RelatedSide, RelationColumns, unplaced
from clineval.results.columns import MentionColumns
from clineval.results.slots import Slot

LABEL = Slot("label", "label", required=True)
PHRASES = ("Concept", "Action", "Predicate", "Reference")
SAME_AS = "same-as"
RELATIONS = (
    "is-a", SAME_AS, "part-of", "has-property", "causes", "entails", "in-context", "in-place",
    "in-time", "subject", "target", "domain", "arg",
)  # fmt: skip
KNOWN_RELATIONS = (*RELATIONS, "has-part")
"""All relations, including one in the gold standard of 2021 that no document lists."""


MOST_WORDS = 250
"""Most words of a key phrase: the shared words of many long phrases would exceed memory."""


_OTHERS = re.compile(r"[\W_]+")
"""Pattern of characters that are neither letters nor digits."""


@dataclass(frozen=True, slots=True)
class Phrase:
    """A key phrase, in characters of its sentence; brat's attributes are never scored."""

    label: str
    fragments: tuple[Fragment, ...]
    id: str
    attributes: tuple[str, ...] = ()


@dataclass(slots=True)
class Sentence:
    """A sentence with its annotations.

    Args:
        name: the sentence's name in results.
        text: the text without white space at its ends; None if it is unknown.
        phrases: its key phrases.
        relations: for each relation, the label and the numbers of its source and target phrases.
    """

    name: str
    text: str | None
    phrases: list[Phrase] = field(default_factory=list)
    relations: list[tuple[str, int, int]] = field(default_factory=list)

    @property
    def key(self) -> str:
        """The letters and digits of the text in lower case; sentences are paired by this key."""
        return "".join(map(str.lower, _OTHERS.sub("", self.text or "")))

    @property
    def is_annotated(self) -> bool:
        """Whether the sentence has any annotation."""
        return bool(self.phrases or self.relations)


@dataclass(frozen=True, slots=True)
class Collection:
    """The sentences of one text, whose name may be empty."""

    name: str
    sentences: Sequence[Sentence]


Arc = tuple[str, str, str]
"""Label of a relation, and the ids of its source and target phrases."""


def find_texts(source: Source, pattern: str) -> list[Path]:
    """Return the texts of a directory that match a pattern, at least one, or the given file."""
    path = find_path(source)
    if path is None or not path.is_dir():
        return [Path(os.fspath(source))]
    names, _ = list_names(source, translate(pattern))
    texts = [path / name for name in names if not name.startswith(".")]
    if not texts:
        raise InputError(f"expected files such as {pattern}", where=name_path(path))
    return texts


def has_text(path: Path) -> bool:
    """Return whether a path is a text, or annotations with a text beside them."""
    return path.suffix != ".ann" or is_file(path.with_suffix(".txt"))


def as_role(role: str) -> str:
    """Return the label of the relation that a role of an event expresses."""
    return "".join(c for c in role if not c.isdigit()).lower()


def read_universal(path: Path) -> str:
    """Read a file as Python reads text: every line end becomes a line feed."""
    return read_text(path).replace("\r\n", "\n").replace("\r", "\n")


@dataclass(frozen=True, slots=True)
class GivenText:
    """A document from a dict, a Document or JSON; offsets are characters of its text."""

    name: str
    text: str | None
    labels: Sequence[str]
    spans: Sequence[Sequence[Fragment]]
    arcs: Sequence[tuple[str, int, int]]

    @classmethod
    def of(cls, side: RelatedSide, number: int) -> GivenText:
        """Return the document of a side with this number."""
        mentions, relations = side.side.mentions, side.relations
        low, high = find_first(mentions.document, [number, number + 1]).tolist()
        rows = slice(*find_first(relations.document, [number, number + 1]).tolist())
        label, bounds = mentions.attributes[LABEL.name], mentions.bounds[low : high + 1].tolist()
        starts, ends = (
            [column[first:last].tolist() for first, last in pairwise(bounds)]
            for column in (mentions.starts, mentions.ends)
        )
        arcs = np.column_stack([relations.label.ids, relations.source, relations.target])[rows]
        return cls(
            side.side.documents[number] or str(number),
            side.side.texts[number] if side.side.texts else None,
            [label.values[at] for at in label.ids[low:high].tolist()],
            [list(zip(*both, strict=True)) for both in zip(starts, ends, strict=True)],
            [(relations.label.values[at], s - low, t - low) for at, s, t in arcs.tolist()],
        )


Pair = tuple[Sentence, Sentence]
"""A gold and a predicted sentence; one of them may be empty."""


@dataclass(frozen=True, slots=True, eq=False)
class SentenceCorpus(Whole, RelatedCorpus):
    """The evaluated sentences, with their annotations as columns."""

    pairs: Sequence[Pair]

    @classmethod
    def of(cls, pairs: Sequence[Pair]) -> SentenceCorpus:
        """Return the corpus of some pairs of sentences."""
        names = tuple((gold if gold.name else other).name for gold, other in pairs)
        sides = [[pair[at] for pair in pairs] for at in (0, 1)]
        both = [sentence for side in sides for sentence in side]
        labels = tuple(sorted({phrase.label for each in both for phrase in each.phrases}))
        kinds = tuple(sorted({label for each in both for label, _, _ in each.relations}))
        texts = {at: g.text or p.text or "" for at, (g, p) in enumerate(pairs) if g.text or p.text}
        golds, found = (_as_mentions(side, labels) for side in sides)
        gold, prediction = (_as_relations(side, kinds) for side in sides)
        return cls(Corpus(names, golds, found, texts), gold, prediction, pairs)


def _as_mentions(sentences: Sequence[Sentence], labels: tuple[str, ...]) -> Mentions:
    phrases = [phrase for sentence in sentences for phrase in sentence.phrases]
    documents = np.repeat(np.arange(len(sentences)), [len(each.phrases) for each in sentences])
    label = Coded.of([phrase.label for phrase in phrases]).fold(str, labels)
    spans = [phrase.fragments for phrase in phrases]
    return unplaced(MentionColumns.of(documents, spans, {LABEL.name: label}))


def _as_relations(sentences: Sequence[Sentence], labels: tuple[str, ...]) -> RelationColumns:
    """Return the relations; a relation to another sentence ends at its own source here."""
    ends, first = list[tuple[int, int]](), 0
    for sentence in sentences:
        ends += [(s + first, (t if t >= 0 else s) + first) for _, s, t in sentence.relations]
        first += len(sentence.phrases)
    names = [label for sentence in sentences for label, _, _ in sentence.relations]
    columns = RelationColumns.of([len(each.relations) for each in sentences], names, ends)
    return replace(columns, label=columns.label.fold(str, labels))
