"""Read documents from words with tags: their texts, mentions, and the lines of their words."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import chain, pairwise
from pathlib import Path
from typing import TypeGuard

import numpy as np

from clineval.base.arrays import IntArray
from clineval.base.errors import InputError, read_all
from clineval.base.files import Source, is_directory, is_there, read_bytes
from clineval.formats import jsonl
from clineval.formats.conll.lines import (
    FILES,
    TABLES,
    TaggedLines,
    Tagging,
    looks_tagged,
    name_documents,
    read_lines,
)
from clineval.formats.conll.schemes import Tagged, check_scheme
from clineval.formats.files import check_new_id, names_in, read_text_files
from clineval.kinds.mentions.mention import Document, Mention
from clineval.kinds.mentions.tags import TagSet, find_runs
from clineval.kinds.mentions.words import Words

_OTHERS = rf"{jsonl.FILES}|\.(parquet|spacy|json|xml|ann)$"
"""Names of files in other formats."""
AS_FOUND = Tagging()
_Runs = list[tuple[int, int, str]]


@dataclass(frozen=True, slots=True)
class TaggedDocument:
    """A document of words with tags.

    Args:
        name: the name; None if documents have no names.
        text: the words of a sentence joined by blanks, the sentences joined by line ends.
        mentions: start, end and label of each mention.
        place: the place of its first word, for messages.
    """

    name: str | None
    text: str
    mentions: Sequence[tuple[int, int, str]]
    place: str

    def as_dict(self, label: str) -> Mapping[str, object]:
        """Return the document as in JSON Lines; ``label`` is the slot of labels."""
        found = [{"spans": [[start, end]], label: name} for start, end, name in self.mentions]
        name = {} if self.name is None else {"id": self.name}
        return {**name, "mentions": found, "text": self.text}

    def as_document(self, default: str) -> Document:
        """Return the document as an object, with labels in the slot ``label``.

        Args:
            default: the name of a document without one.
        """
        mentions = [
            Mention([(start, end)], None, {"label": label}, coded=False)
            for start, end, label in self.mentions
        ]
        return Document(self.name or default, mentions, self.text)


def is_tagged(source: object, own: str, tagging: Tagging) -> TypeGuard[Source]:
    """Return whether a path has words with tags, by the names of files, or else by their content.

    Args:
        source: a path, or anything else.
        own: a pattern of file names in another format, which come first.
        tagging: if it names a column, files with names of no format have words with tags.
    """
    if not isinstance(source, (str, os.PathLike)) or not is_there(source):
        return False
    path, other = Path(source), re.compile(rf"{own}|{_OTHERS}")
    if not is_directory(source):
        by_name = re.search(FILES, path.name)
        return bool(by_name) or (not other.search(path.name) and _holds_tags(path, tagging))
    names = sorted(name for name in names_in(source) if not name.startswith("."))
    if any(re.search(FILES, name) for name in names):
        return True
    tables = [path / name for name in names if re.search(TABLES, name)]
    return bool(tables) and not any(map(other.search, names)) and _holds_tags(tables[0], tagging)


def _holds_tags(path: Path, tagging: Tagging) -> bool:
    return bool(tagging.column) or looks_tagged(read_bytes(path))


def read_documents(source: Source, tagging: Tagging = AS_FOUND) -> list[Document]:
    """Read documents as :func:`read_tagged` does; those without a name get numbers, from 1."""
    found, _ = read_tagged(source, tagging)
    return [document.as_document(str(number)) for number, document in enumerate(found, 1)]


def read_tagged(source: Source, tagging: Tagging) -> tuple[list[TaggedDocument], Words]:
    """Read a file or the files of a directory.

    Returns:
        The documents, and where their words stand.

    Raises:
        InputError: a line is invalid, or a tag; the message names file and line. Errors of other
            lines are added.
    """
    named = is_directory(source) and any(re.search(FILES, name) for name in names_in(source))
    pattern = FILES if named or not is_directory(source) else TABLES
    files = list(read_text_files(source, pattern=pattern, separator=""))
    found = read_all(partial(read_lines, file, tagging) for file in files)
    stems = [file.stem for file in files]
    single = not is_directory(source)
    named_lines = list(name_documents(found, stems, single=single))
    _check_names(named_lines)
    lines = [of for _, of in named_lines]
    runs = _find_mentions(lines, tagging)
    starts = [_find_starts(of) for of in lines]
    documents = [
        TaggedDocument(name, _join(of), _place(each, begins, of), _place_of(of))
        for (name, of), each, begins in zip(named_lines, runs, starts, strict=True)
    ]
    places = tuple(np.array(of.lines, np.int64) for of in lines)
    return documents, Words(tuple(of.file for of in lines), tuple(starts), places)


def _place_of(of: TaggedLines) -> str:
    return f"{of.file}:{of.lines[0]}" if of.lines else of.file


def _check_names(documents: Sequence[tuple[str | None, TaggedLines]]) -> None:
    places: dict[str, str] = {}
    for name, of in documents:
        if name is not None:
            check_new_id(places, name, _place_of(of), "Give each document once")


def _join(of: TaggedLines) -> str:
    """Join words by blanks, and sentences by line ends."""
    between = (" " if a == b else "\n" for a, b in pairwise(of.sentences))
    return "".join(chain.from_iterable(zip(chain([""], between), of.words, strict=False)))


def _find_starts(of: TaggedLines) -> IntArray:
    """Return the offset of each word in the text."""
    sizes = np.array([len(word) + 1 for word in of.words], np.int64)
    return np.cumsum(sizes) - sizes


def _find_mentions(documents: Sequence[TaggedLines], tagging: Tagging) -> list[_Runs]:
    """Find the mentions of each document: number of the first and the last word, and label."""
    written = _label_tags(documents, tagging.label)
    tags = TagSet(tuple(dict.fromkeys(("O", *written))))
    numbers = tags.label2id
    ids = np.array([numbers[tag] for tag in written], np.int64)
    tagged = Tagged(ids, _number_sentences(documents), tags)
    check_scheme(tagged, [*numbers], tagging.scheme)
    runs = find_runs(tagged.ids, tagged.sentence, tags)
    bounds = np.cumsum([0, *(len(of.tags) for of in documents)])
    cuts = np.searchsorted(runs.first, bounds)
    rows, labels = np.stack([runs.first, runs.last, runs.label], axis=1), tags.labels
    return [
        [(a - begin, b - begin, labels[label]) for a, b, label in rows[low:high].tolist()]
        for begin, (low, high) in zip(bounds.tolist(), pairwise(cuts.tolist()), strict=False)
    ]


def _number_sentences(documents: Sequence[TaggedLines]) -> IntArray:
    """Return a number for the sentence of each word; no sentence has words of two documents."""
    sizes = [len(of.words) for of in documents]
    own = np.array(list(chain.from_iterable(of.sentences for of in documents)), np.int64)
    owner = np.repeat(np.arange(len(sizes)), sizes)
    new = np.ones(len(own), np.int64)
    new[1:] = (own[1:] != own[:-1]) | (owner[1:] != owner[:-1])
    return np.cumsum(new)


def _label_tags(documents: Sequence[TaggedLines], label: str) -> list[str]:
    """List the tags of all words; tags without a label get the given one."""
    found = list(chain.from_iterable(of.tags for of in documents))
    bare = {tag for tag in found if tag != "O" and len(tag) <= len("B-")}
    if bare and not label:
        places = (
            f"{of.file}:{line}"
            for of in documents
            for tag, line in zip(of.tags, of.lines, strict=True)
            if tag in bare
        )
        remedy = "Pass tag_label=, or convert the files with --tag-label"
        raise InputError("the tag has no label", where=next(places), remedy=remedy)
    return [f"{tag[0]}-{label}" if tag in bare else tag for tag in found] if bare else found


def _place(runs: _Runs, starts: IntArray, of: TaggedLines) -> list[tuple[int, int, str]]:
    """Turn numbers of words into offsets."""
    begins = starts.tolist()
    return [(begins[a], begins[b] + len(of.words[b]), label) for a, b, label in runs]
