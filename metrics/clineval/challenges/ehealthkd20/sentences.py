"""Sentences of eHealth-KD, and where their files are."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from fnmatch import translate
from pathlib import Path
from typing import Any

from clineval.base.errors import InputError
from clineval.base.files import find_path, is_file, name_path
from clineval.formats.files import list_names
from clineval.kinds.mentions.mention import Fragment

PHRASES = ("Concept", "Action", "Predicate", "Reference")
SAME_AS = "same-as"
RELATIONS = (
    "is-a", SAME_AS, "part-of", "has-property", "causes", "entails", "in-context", "in-place",
    "in-time", "subject", "target", "domain", "arg",
)  # fmt: skip


MOST_WORDS = 250
"""The longest key phrase allowed: shared words of many long ones would outgrow memory."""


@dataclass(frozen=True, slots=True)
class Phrase:
    """A key phrase, in characters of its sentence; brat's attributes are never scored."""

    label: str
    fragments: tuple[Fragment, ...]
    id: str
    attributes: tuple[str, ...] = ()


@dataclass(slots=True)
class Sentence:
    """A sentence with what is annotated in it.

    Args:
        name: what results call it.
        text: without white space at its ends; None if it is not known.
        phrases: its key phrases.
        relations: label, and the numbers of the phrases that it goes from and to.
    """

    name: str
    text: str | None
    phrases: list[Phrase] = field(default_factory=list)
    relations: list[tuple[str, int, int]] = field(default_factory=list)

    @property
    def key(self) -> str:
        """The letters and digits of the text, without case, by which sentences are paired."""
        return "".join(c.lower() for c in self.text or "" if c.isalnum())

    @property
    def is_annotated(self) -> bool:
        """Whether anything is annotated in it."""
        return bool(self.phrases or self.relations)


@dataclass(frozen=True, slots=True)
class Collection:
    """The sentences of one text, whose name may be empty."""

    name: str
    sentences: Sequence[Sentence]


Arc = tuple[str, str, str]
"""Label of a relation and the ids of the phrases that it goes from and to."""
Read = Callable[[Path], Collection]


def find_collections(source: Any, read: Read, pattern: str) -> list[Collection]:
    """Return the collections of a directory whose texts match a pattern, or that of one text."""
    return [read(text) for text in find_texts(source, pattern)]


def find_texts(source: Any, pattern: str) -> list[Path]:
    """Return a directory's texts that match a pattern, or the one given; there must be one."""
    path = find_path(source)
    if path is None or not path.is_dir():
        return [Path(source)]
    names, _ = list_names(source, translate(pattern))
    texts = [path / name for name in names if not name.startswith(".")]
    if not texts:
        raise InputError(f"expected files such as {pattern}", where=name_path(path))
    return texts


def has_text(path: Path) -> bool:
    """Tell whether a text is given, or lies beside the annotations that are given."""
    return path.suffix != ".ann" or is_file(path.with_suffix(".txt"))


def as_role(role: str) -> str:
    """Return the label of the relation that an event's role stands for."""
    return "".join(c for c in role if not c.isdigit()).lower()


def join_adjacent(fragments: Sequence[Fragment]) -> list[Fragment]:
    """Join fragments with at most one character between them."""
    joined: list[Fragment] = []
    for start, end in fragments:
        if joined and start <= joined[-1][1] + 1:
            joined[-1] = (joined[-1][0], end)
        else:
            joined.append((start, end))
    return joined
