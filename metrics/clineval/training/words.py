"""Data sets of words with tags, as the commonest ones for token classification are."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import Any

import numpy as np

from clineval.base.arrays import IntArray, expect_all, expect_list, is_list
from clineval.base.errors import InputError, shown
from clineval.kinds.tagged import Annotation, Build
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
    """

    texts: tuple[str, ...]
    offsets: tuple[tuple[tuple[int, int], ...], ...]
    annotations: tuple[tuple[Annotation, ...], ...]
    tags: TagSet

    def documents(self, build: Build) -> list[Any]:
        """Return the documents as a metric takes them.

        ``build`` is such as ``as_mentions()``; a metric's own is ``build`` of its challenge.
        """
        sides = zip(self.annotations, self.texts, strict=True)
        return [build(annotations, text) for annotations, text in sides]

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
            self._offsets_of(of, owner, row)
            for row, (of, owner) in enumerate(zip(numbers, owners, strict=True))
        ]
        told = {"offset_mapping": offsets, "overflow_to_sample_mapping": owners}
        others = {
            name: encoding[name] for name in ("input_ids", "attention_mask") if name in encoding
        }
        return Windows.of({**others, **told}, self.texts)

    def _offsets_of(
        self, words: Sequence[int | None], document: int, row: int
    ) -> list[tuple[int, int]]:
        """Return the offsets of a window's tokens; those of the whole word for its first one."""
        known, before, found = self.offsets[document], None, []
        for word in words:
            new = word is not None and word != before
            if word is not None and not 0 <= word < len(known):
                raise InputError(
                    f"word {word} of a document of {len(known)} words", where=f"window {row}"
                )
            found.append(known[word] if new and word is not None else (0, 0))
            before = word
        return found


def from_words(
    tokens: Iterable[Sequence[str]], tags: Iterable[Sequence[Any]], names: Any = None
) -> TaggedWords:
    """Read a data set of words with tags.

    Args:
        tokens: the words of each document: the column ``tokens``.
        tags: their tags, in BIO, BIOES or BILOU: the column ``ner_tags``, numbers or names. Tags
            are read leniently: a continuation without a beginning begins an annotation.
        names: of numbered tags their names in order: ``features["ner_tags"]`` of the data set, or
            its ``.feature.names``. May be left out where the tags are names.

    Raises:
        InputError: columns of another kind, documents of which words and tags differ in number, or
            an invalid tag.

    Examples:
        >>> words = from_words([["No", "leg", "pain", "."]], [["O", "B-Sign", "I-Sign", "O"]])
        >>> words.texts, words.annotations[0]
        (('No leg pain .',), (Annotation(spans=((3, 11),), label='Sign'),))
    """
    documents, given = _as_lists(tokens, "tokens"), _as_lists(tags, "tags")
    for row, words in enumerate(documents):
        expect_all(str, words, "words", f"document {row}")
    for row, (words, own) in enumerate(zip(documents, given, strict=False)):
        if len(words) != len(own):
            raise InputError(f"{len(words)} words, but {len(own)} tags", where=f"document {row}")
    if len(documents) != len(given):
        raise InputError(f"{len(documents)} documents with words, but {len(given)} with tags")
    tag_set = _tag_set(names, given)
    offsets = tuple(tuple(_offsets(words)) for words in documents)
    ids = [_numbers(own, tag_set, row) for row, own in enumerate(given)]
    return TaggedWords(
        tuple(" ".join(words) for words in documents),
        offsets,
        tuple(_annotate(own, where, tag_set) for own, where in zip(ids, offsets, strict=True)),
        tag_set,
    )


def _as_lists(rows: Any, name: str) -> list[list[Any]]:
    """Return a column of a data set that has a list for each document."""
    lists = expect_list(rows, "a list for each document", name)
    return [
        list(expect_list(row, "a list", f"{name}, document {at}")) for at, row in enumerate(lists)
    ]


def _offsets(words: Sequence[str]) -> Iterable[tuple[int, int]]:
    starts = accumulate((len(word) + 1 for word in words), initial=0)
    return ((start, start + len(word)) for start, word in zip(starts, words, strict=False))


def _tag_set(names: Any, tags: Sequence[Sequence[Any]]) -> TagSet:
    """Return the tags by number; if tags are names, those that occur, ``O`` first."""
    if isinstance(names, TagSet):
        return names
    names = getattr(names, "feature", names)
    names = getattr(names, "names", names)
    if names is None:
        given = [tag for row in tags for tag in row]
        if not all(isinstance(tag, str) for tag in given):
            raise InputError(
                "the tags are numbers", remedy="Give their names: dataset.features['ner_tags']"
            )
        names = ["O", *sorted({*given} - {"O"})]
    return TagSet(tuple(names) if is_list(names) else names)


def _numbers(tags: Sequence[Any], known: TagSet, document: int) -> IntArray:
    numbers = known.label2id
    found = [numbers.get(tag, -1) if isinstance(tag, str) else tag for tag in tags]
    for at, (tag, number) in enumerate(zip(tags, found, strict=True)):
        whole = isinstance(number, (int, np.integer)) and not isinstance(number, bool)
        if not whole or not 0 <= number < len(known.tags):
            raise InputError(
                f"{shown(tag)} is not one of the {len(known.tags)} tags",
                where=f"document {document}, word {at}",
            )
    return np.array(found, np.int64)


def _annotate(
    ids: IntArray, offsets: Sequence[tuple[int, int]], tags: TagSet
) -> tuple[Annotation, ...]:
    """Return what the tags of a document say; words without a character stand for nothing."""
    runs = find_runs(ids, np.zeros(len(ids), np.int64), tags)
    found = []
    for first, last, label in zip(
        runs.first.tolist(), runs.last.tolist(), runs.label.tolist(), strict=True
    ):
        words = [(start, end) for start, end in offsets[first : last + 1] if end > start]
        if words:
            found.append(Annotation(((words[0][0], words[-1][1]),), tags.labels[label]))
    return tuple(found)


def _word_ids(encoding: Mapping[str, Any]) -> list[Sequence[int | None]]:
    if "word_ids" in encoding:
        return [*encoding["word_ids"]]
    if not hasattr(encoding, "word_ids") or "input_ids" not in encoding:
        raise InputError(
            "the encoding does not tell the words of its tokens",
            remedy="Give what a fast tokenizer returned for words with is_split_into_words=True",
        )
    return [encoding.word_ids(row) for row in range(len(encoding["input_ids"]))]
