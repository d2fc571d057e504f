"""Tuples as people see them: labels with their sort, classes of a page, marks instead of words."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import replace

import numpy as np

from clineval.base.arrays import Coded, IntArray
from clineval.base.hashing import hash_text
from clineval.kinds.mentions.corpus import Corpus
from clineval.kinds.relations.tuples import LABEL, SORT, VALUE
from clineval.results.columns import MentionColumns

OTHER = "(other)"
"""The class of a tuple whose label is unknown."""


def name_sorts(columns: MentionColumns) -> MentionColumns:
    """Put the sort before each label."""
    sort, label = columns.attributes[SORT.name], columns.attributes[LABEL.name]
    values = tuple(f"{name}: {value}" for value in label.values for name in sort.values)
    ids: IntArray = label.ids.astype(np.int64) * len(sort.values) + sort.ids
    named = {**columns.attributes, LABEL.name: Coded(ids, values)}
    return replace(columns, attributes=named).compact()


def mark_words(corpus: Corpus, sorts: Collection[str]) -> Iterator[MentionColumns]:
    """Yield both sides with marks for the words of relations; equal words have equal marks."""
    words: set[int] = set()
    for side in corpus.sides:
        sort, value = side.attributes[SORT.name], side.attributes[VALUE.name]
        chosen = np.isin(sort.ids, [at for at, name in enumerate(sort.values) if name in sorts])
        words.update(np.unique(value.ids[chosen]).tolist())
    for side in corpus.sides:
        value = side.attributes[VALUE.name]
        marked = (
            f"#{hash_text(text) % 2**32:08x}" if at in words else text
            for at, text in enumerate(value.values)
        )
        slots = {**side.attributes, VALUE.name: Coded(value.ids, tuple(marked))}
        yield replace(side, attributes=slots)


def shorten(label: str, known: Collection[str]) -> str:
    """Return the class of a tuple on the page: the relation without the labels of its ends.

    Examples:
        >>> known = {"drug", "is a", "codes: target"}
        >>> [shorten(label, known) for label in ("drug", "drug | is a | drug", "drog")]
        ['drug', 'is a', '(other)']
        >>> shorten("codes: drug | target | human", known), shorten("codes: hit", known)
        ('codes: target', 'codes: (other)')
    """
    sort, separator, rest = label.rpartition(": ")
    parts = rest.split(" | ")
    named = f"{sort}{separator}{parts[1] if len(parts) > 1 else rest}"
    return named if named in known else f"{sort}{separator}{OTHER}"
