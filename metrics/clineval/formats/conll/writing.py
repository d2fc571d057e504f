"""Write documents as words with tags, in IOB2."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from operator import attrgetter
from pathlib import Path
from typing import NamedTuple

import numpy as np

from clineval.base.arrays import IntArray
from clineval.base.errors import InputError, called, warn
from clineval.base.files import write_file
from clineval.base.progress import track
from clineval.kinds.mentions.mention import Document, Mention
from clineval.kinds.mentions.tags import TagSet, find_runs, write_tags

_START = "-DOCSTART-"


class _Word(NamedTuple):
    start: int
    end: int
    sentence: int


def write_documents(documents: Iterable[Document], path: Path) -> None:
    """Write one file: a word and its tag on each line, and a comment with the id of a document.

    Words end at blanks and at the ends of mentions. A warning counts the mentions that tags of
    words cannot express: discontiguous ones, and all but one of those that overlap.

    Raises:
        InputError: a document has no text, or a mention no label.
    """
    lines: list[str] = []
    lost = 0
    for document in track(list(documents), "formatting"):
        written, missing = _format_document(document)
        lines += written
        lost += missing
    warn("tags cannot express {n} {mention|mentions}, which {is|are} lost or changed", n=lost)
    write_file(path, "".join(f"{line}\n" for line in lines))


def _format_document(document: Document) -> tuple[list[str], int]:
    """Return the lines of a document, and the number of its mentions that are not in them."""
    where = f"document {called(document.id or '')}"
    if document.text is None:
        remedy = "Pass the notes, or a format with texts"
        raise InputError("words with tags need the text", where=where, remedy=remedy)
    text, words = document.text, list(_split(document))
    spans = [_find_words(mention, words) for mention in document.mentions]
    labels = [_label_of(mention, where) for mention in document.mentions]
    tags = TagSet.of(sorted(set(labels)))
    placed = list(zip(spans, labels, strict=True))
    ids = write_tags(placed, len(words), tags)
    missing = _count_missing(placed, ids, words, tags)
    lines = [f"# id = {document.id}" if document.id else _START]
    sentence = words[0].sentence if words else 0
    for word, number in zip(words, ids.tolist(), strict=True):
        if word.sentence != sentence:
            lines.append("")
        sentence = word.sentence
        lines.append(f"{text[word.start : word.end]}\t{tags.tags[number]}")
    if any(line.startswith(_START) for line in lines[1:]):
        raise InputError(f"the text contains the word {_START}", where=where)
    return [*lines, ""], missing


def _split(document: Document) -> Iterator[_Word]:
    """Split the text at blanks and where mentions begin and end."""
    text = document.text or ""
    cuts = sorted({at for m in document.mentions for span in m.spans for at in span})
    bounds = iter([*cuts, len(text) + 1])
    cut, sentence, before = next(bounds), 0, 0
    for found in re.finditer(r"\S+", text):
        start, end = found.span()
        sentence += "\n" in text[before:start]
        before = end
        while cut < end:
            if cut > start:
                yield _Word(start, cut, sentence)
                start = cut
            cut = next(bounds)
        yield _Word(start, end, sentence)


def _find_words(mention: Mention, words: Sequence[_Word]) -> list[tuple[int, int]]:
    """Return the first and the last word of each fragment, by sentence."""
    found: list[tuple[int, int]] = []
    for start, end in mention.spans:
        first = bisect_left(words, start, key=attrgetter("start"))
        last = bisect_right(words, end, key=attrgetter("end"))
        for _, group in groupby(range(first, last), lambda at: words[at].sentence):
            inside = [*group]
            found.append((inside[0], inside[-1]))
    return found


def _label_of(mention: Mention, where: str) -> str:
    label = mention.slots.get("label")
    if not isinstance(label, str):
        raise InputError("a mention has no label, and a tag needs one", where=where)
    return label


def _count_missing(
    placed: Sequence[tuple[Sequence[tuple[int, int]], str]],
    ids: IntArray,
    words: Sequence[_Word],
    tags: TagSet,
) -> int:
    """Count the mentions that reading the tags does not restore."""
    sentences = np.array([word.sentence for word in words], np.int64)
    runs = find_runs(ids, sentences, tags)
    rows = zip(runs.first.tolist(), runs.last.tolist(), runs.label.tolist(), strict=True)
    found = Counter(((first, last), tags.labels[label]) for first, last, label in rows)
    whole = Counter((spans[0], label) for spans, label in placed if len(spans) == 1)
    return len(placed) - (whole & found).total()
