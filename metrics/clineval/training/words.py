"""Data sets of words with tags, as the commonest ones for token classification are."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate, pairwise
from typing import Any

import numpy as np

from clineval.base.arrays import IntArray, expect_all, expect_list, is_list, is_whole
from clineval.base.errors import InputError, shown
from clineval.results.tagged import Annotation, Build
from clineval.training.tags import TagSet, find_runs
from clineval.training.windows import Windows


@dataclass(frozen=True, slots=True, eq=False)
class TaggedWords:
    """Documents of words with tags, and what follows from them.

    Args:
        texts: the words of each document with a blank between them.
        offsets: start and end of each word in its text.
        annotations: what the tags say, with offsets in the texts.
        tags: the tags in the order of their numbers.

    Examples:
        >>> words = from_words([["No", "leg", "pain"]], [["O", "B-Sign", "I-Sign"]])
        >>> words.texts, words.offsets, words.tags.tags
        (('No leg pain',), (((0, 2), (3, 6), (7, 11)),), ('O', 'B-Sign', 'I-Sign'))
    """

    texts: tuple[str, ...]
    offsets: tuple[tuple[tuple[int, int], ...], ...]
    annotations: tuple[tuple[Annotation, ...], ...]
    tags: TagSet

    def documents(self, build: Build) -> list[object]:
        """Return the documents as a metric takes them.

        ``build`` is such as ``as_mentions()``; a metric's own is ``build`` of its challenge.
        """
        return list(map(build, self.annotations, self.texts))

    def windows(self, encoding: Mapping[str, Any]) -> Windows:
        """Return the windows that a fast tokenizer made of the words.

        Only the first token of each word counts, as is usual: it stands for the whole word, and
        the others get the label -100.

        Args:
            encoding: what the tokenizer returned for the words with ``is_split_into_words=True``;
                with ``return_overflowing_tokens=True`` several windows for a long document. A
                plain mapping must hold the list ``word_ids``.

        Raises:
            InputError: the encoding does not tell the tokens' words, or is of other documents.

        Examples:
            >>> words = from_words([["Left", "knee"]], [[0, 1]], ["O", "B-Part"])
            >>> windows = words.windows({"word_ids": [[None, 0, 1, 1, None]]})
            >>> windows.starts.tolist(), windows.ends.tolist()
            ([[0, 0, 5, 0, 0]], [[0, 4, 9, 0, 0]])
        """
        numbers = _word_ids(encoding)
        owners = [int(n) for n in encoding.get("overflow_to_sample_mapping", range(len(numbers)))]
        if len(owners) != len(numbers) or not set(owners) <= set(range(len(self.texts))):
            raise InputError(f"{len(numbers)} windows do not fit {len(self.texts)} documents")
        offsets = [
            _offsets_of(words, self.offsets[owner], f"window {row}")
            for row, (words, owner) in enumerate(zip(numbers, owners, strict=True))
        ]
        kept = {
            name: encoding[name] for name in ("input_ids", "attention_mask") if name in encoding
        }
        kept |= {"offset_mapping": offsets, "overflow_to_sample_mapping": owners}
        return Windows.of(kept, self.texts)


def from_words(
    tokens: Iterable[Sequence[str]],
    tags: Iterable[Sequence[object]],
    names: object = None,
    *,
    label: str = "",
) -> TaggedWords:
    """Read a data set of words with tags.

    Args:
        tokens: the words of each document: the column ``tokens``.
        tags: their tags, in BIO, BIOES or BILOU: the column ``ner_tags``, numbers or names. Tags
            are read leniently: a continuation without a beginning begins an annotation.
        names: of numbered tags their names in order: ``features["ner_tags"]`` of the data set, or
            its ``.feature.names``. May be left out where the tags are names.
        label: the label of tags without one, such as ``B`` and ``I`` in a data set of diseases.

    Returns:
        Texts, annotations and tags, which also make the windows of the words.

    Raises:
        InputError: columns of another kind, documents of which words and tags differ in number, or
            an invalid tag.

    Examples:
        >>> words = from_words([["No", "leg", "pain", "."]], [["O", "B-Sign", "I-Sign", "O"]])
        >>> words.texts, words.annotations[0]
        (('No leg pain .',), (Annotation(spans=((3, 11),), label='Sign'),))
        >>> from_words([["leg", "pain"]], [["B", "I"]], label="Sign").tags.tags
        ('O', 'B-Sign', 'I-Sign')
    """
    rows, tagged = _as_lists(tokens, "tokens"), _as_lists(tags, "tags")
    documents = [expect_all(str, row, "words", f"document {at}") for at, row in enumerate(rows)]
    for row, (words, of_words) in enumerate(zip(documents, tagged, strict=False)):
        if len(words) != len(of_words):
            problem = f"{len(words)} words, but {len(of_words)} tags"
            raise InputError(problem, where=f"document {row}")
    if len(documents) != len(tagged):
        raise InputError(f"{len(documents)} documents with words, but {len(tagged)} with tags")
    tag_set = _tag_set(names, tagged)
    texts = tuple(" ".join(words) for words in documents)
    offsets = tuple(tuple(_offsets(words)) for words in documents)
    numbers = [_number_tags(of_words, tag_set, row) for row, of_words in enumerate(tagged)]
    pairs = zip(numbers, offsets, strict=True)
    known = tag_set.labelled(label) if label else tag_set
    return TaggedWords(texts, offsets, tuple(_annotate(*pair, known) for pair in pairs), known)


def _as_lists(rows: object, name: str) -> list[list[object]]:
    """Return a column of a data set that has a list for each document."""
    lists = expect_list(rows, "a list for each document", name)
    return [
        list(expect_list(row, "a list", f"{name}, document {at}")) for at, row in enumerate(lists)
    ]


def _offsets(words: Sequence[str]) -> Iterable[tuple[int, int]]:
    starts = accumulate((len(word) + 1 for word in words), initial=0)
    return ((start, start + len(word)) for start, word in zip(starts, words, strict=False))


def _tag_set(names: Any, tags: Sequence[Sequence[object]]) -> TagSet:
    """Return the tags by number; if tags are names, those that occur, ``O`` first."""
    if isinstance(names, TagSet):
        return names
    names = getattr(names, "feature", names)
    names = getattr(names, "names", names)
    if names is None:
        names_used = {tag for row in tags for tag in row if isinstance(tag, str)}
        if not all(isinstance(tag, str) for row in tags for tag in row):
            remedy = "Give their names: dataset.features['ner_tags']"
            raise InputError("the tags are numbers", remedy=remedy)
        names = ("O", *sorted(names_used - {"O"}))
    return TagSet(tuple(names) if is_list(names) else names)


def _number_tags(tags: Sequence[object], tag_set: TagSet, document: int) -> IntArray:
    numbers = tag_set.label2id
    ids = [numbers.get(tag, -1) if isinstance(tag, str) else tag for tag in tags]
    for at, (tag, number) in enumerate(zip(tags, ids, strict=True)):
        if not is_whole(number) or not 0 <= number < len(tag_set.tags):
            problem = f"{shown(tag)} is not one of the {len(tag_set.tags)} tags"
            raise InputError(problem, where=f"document {document}, word {at}")
    return np.array(ids, np.int64)


def _annotate(
    ids: IntArray, offsets: Sequence[tuple[int, int]], tags: TagSet
) -> tuple[Annotation, ...]:
    """Return what the tags of a document say; words without a character stand for nothing."""
    runs = find_runs(ids, np.zeros(len(ids), np.int64), tags)
    annotations = []
    for first, last, label in np.stack([runs.first, runs.last, runs.label], axis=1).tolist():
        words = [(start, end) for start, end in offsets[first : last + 1] if end > start]
        if words:
            annotations.append(Annotation(((words[0][0], words[-1][1]),), tags.labels[label]))
    return tuple(annotations)


def _word_ids(encoding: Mapping[str, Any]) -> list[Sequence[int | None]]:
    if "word_ids" in encoding:
        return [*encoding["word_ids"]]
    if not hasattr(encoding, "word_ids") or "input_ids" not in encoding:
        remedy = "Give what a fast tokenizer returned for words with is_split_into_words=True"
        raise InputError("the encoding does not tell the words of its tokens", remedy=remedy)
    return [encoding.word_ids(row) for row in range(len(encoding["input_ids"]))]


def _offsets_of(
    words: Sequence[int | None], offsets: Sequence[tuple[int, int]], where: str
) -> list[tuple[int, int]]:
    """Return the offsets of a window's tokens; those of the whole word for its first one."""
    pairs = []
    for before, word in pairwise([None, *words]):
        if word is not None and not 0 <= word < len(offsets):
            raise InputError(f"word {word} of a document of {len(offsets)} words", where=where)
        pairs.append((0, 0) if word is None or word == before else offsets[word])
    return pairs
