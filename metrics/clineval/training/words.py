"""Read data sets of words with tags, the most common form for token classification."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate, pairwise
from typing import Any

import numpy as np

from clineval.base.arrays import IntArray, expect_all, expect_list, is_list, is_whole
from clineval.base.errors import InputError, shown
from clineval.kinds.mentions.tags import TagSet, find_runs
from clineval.results.tagged import Annotation, Build
from clineval.training.windows import Windows


@dataclass(frozen=True, slots=True, eq=False)
class TaggedWords:
    """Documents of words with tags, as texts and annotations.

    Args:
        texts: the words of each document, joined by blanks.
        offsets: start and end of each word in its text.
        annotations: the annotations from the tags, with offsets in the texts.
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
        """Return the documents in the form that a metric takes.

        ``build`` is a function such as ``as_mentions()``, or the ``build`` of a challenge.
        """
        return list(map(build, self.annotations, self.texts))

    def windows(self, encoding: Mapping[str, Any]) -> Windows:
        """Make windows from the output of a fast tokenizer for the words.

        As usual, only the first token of each word counts. It represents the whole word, and
        the other tokens get the label -100.

        Args:
            encoding: the tokenizer's output for the words with ``is_split_into_words=True``; with
                ``return_overflowing_tokens=True``, a long document has several windows. A plain
                dict must contain the list ``word_ids``.

        Raises:
            InputError: the encoding does not identify the words of tokens, or belongs to other
                documents.

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
        names: the names of numbered tags in order: ``features["ner_tags"]`` of the data set, or
            its ``.feature.names``. Optional if the tags are names.
        label: the label for tags without one, such as ``B`` and ``I`` in a data set of diseases.

    Returns:
        Texts, annotations and tags; :meth:`TaggedWords.windows` makes the windows.

    Raises:
        InputError: a column has another type, a document has different numbers of words and tags,
            or a tag is invalid.

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
    """Return a column of a data set as a list for each document."""
    lists = expect_list(rows, "a list for each document", name)
    return [
        list(expect_list(row, "a list", f"{name}, document {at}")) for at, row in enumerate(lists)
    ]


def _offsets(words: Sequence[str]) -> Iterable[tuple[int, int]]:
    starts = accumulate((len(word) + 1 for word in words), initial=0)
    return ((start, start + len(word)) for start, word in zip(starts, words, strict=False))


def _tag_set(names: Any, tags: Sequence[Sequence[object]]) -> TagSet:
    """Return the tags by number; if tags are names, the occurring ones with ``O`` first."""
    if isinstance(names, TagSet):
        return names
    names = getattr(names, "feature", names)
    names = getattr(names, "names", names)
    if names is None:
        names_used = {tag for row in tags for tag in row if isinstance(tag, str)}
        if not all(isinstance(tag, str) for row in tags for tag in row):
            remedy = "Pass their names: names=dataset.features['ner_tags']"
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
    """Convert the tags of a document to annotations; ignore words without a character."""
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
        remedy = "Pass the output of a fast tokenizer for words with is_split_into_words=True"
        raise InputError("the encoding does not identify the words of its tokens", remedy=remedy)
    return [encoding.word_ids(row) for row in range(len(encoding["input_ids"]))]


def _offsets_of(
    words: Sequence[int | None], offsets: Sequence[tuple[int, int]], where: str
) -> list[tuple[int, int]]:
    """Return the offsets of a window's tokens; the first token of a word gets the whole word."""
    pairs = []
    for before, word in pairwise([None, *words]):
        if word is not None and not 0 <= word < len(offsets):
            problem = f"word {word} of a document with {len(offsets)} words"
            raise InputError(problem, where=where)
        pairs.append((0, 0) if word is None or word == before else offsets[word])
    return pairs
