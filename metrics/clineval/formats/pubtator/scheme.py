"""The annotation scheme of a corpus in PubTator or BioC, and the items that are compared."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from clineval.base.errors import InputError, shown

RELATIONS = "relations"
MESH, UMLS = "MESH", "UMLS"
_CUI = re.compile(r"[Cc]\d{7}", re.ASCII)
"""A concept of UMLS; MeSH has no identifiers with C and seven digits."""
_NO_CONCEPT = frozenset({"", "-", "-1"})

Fragments = tuple[tuple[int, int], ...]
Item = tuple[str, str, str, Fragments]
"""Kind, label and concepts of an item, and the fragments of a mention."""


@dataclass(frozen=True, slots=True)
class ItemKind:
    """A kind of items, and the parts of a mention that an item consists of.

    Args:
        name: its name, as in the keys of the results.
        title: what equal items have in common, for tables.
        typed: whether the type is a part of the item.
        placed: whether the fragments are.
        coded: whether a concept is; a mention has an item for each of its concepts.
    """

    name: str
    title: str = ""
    typed: bool = False
    placed: bool = False
    coded: bool = False


MENTIONS = ItemKind("mentions", "Mentions", typed=True, placed=True)
CONCEPTS = ItemKind("concepts", "Concepts of documents", typed=True, coded=True)
TYPED = ItemKind("typed", "mentions with types", typed=True, placed=True)
PLACES = ItemKind("mentions", "mentions", placed=True)
LINKED = ItemKind("linked", "concepts of mentions", placed=True, coded=True)
DOCUMENTS = ItemKind("concepts", "concepts of documents", coded=True)


@dataclass(frozen=True, slots=True)
class Scheme:
    """The annotation scheme of a corpus.

    Args:
        labels: the types of mentions; empty if all types that fit ``form`` are accepted.
        form: pattern of a type; empty if mentions have any type.
        example: a type of this form, for messages.
        between: the character between the types of a mention; empty if it has one type.
        kept: the types to score; mentions without any of them are left out. Empty for all.
        kinds: the kinds of items.
        word: the type of items that are not typed.
        relation: the type of relations between concepts; empty if there are none.
        name_space: the name space of concepts that do not name theirs. If types are open, the
            concepts of UMLS, such as C0000001, have theirs.
        joint: the character that joins the concepts of a mention, besides ``|``; empty for none.

    Examples:
        >>> scheme = Scheme(("Disease",), kinds=(CONCEPTS,), joint="+")
        >>> [item[2] for item in scheme.list_items(("Disease",), (), ["D1+d2", "OMIM:1", "-1"])]
        ['MESH:D1', 'MESH:D2', 'OMIM:1']
    """

    labels: tuple[str, ...] = ()
    form: str = ""
    example: str = ""
    between: str = ""
    kept: tuple[str, ...] = ()
    kinds: tuple[ItemKind, ...] = (MENTIONS, CONCEPTS)
    word: str = ""
    relation: str = ""
    name_space: str = MESH
    joint: str = ""

    @property
    def is_open(self) -> bool:
        """Whether mentions and relations have any type, as in conversion."""
        return not self.labels and not self.form

    @property
    def names(self) -> tuple[str, ...]:
        """The names of all kinds of items."""
        return (*(kind.name for kind in self.kinds), *([RELATIONS] if self.relation else ()))

    def find_types(self, label: str) -> tuple[str, ...]:
        """Return the types to score of a mention; empty if it is left out.

        Raises:
            InputError: the scheme does not have a type.
        """
        types = sorted({*label.split(self.between)}) if self.between else [label]
        for name in types:
            judge_label(name, self.labels)
            if self.form and not re.fullmatch(self.form, name):
                raise InputError(f"unknown type {shown(name)}, expected one such as {self.example}")
        return tuple(name for name in types if not self.kept or name in self.kept)

    def list_items(
        self, types: Sequence[str], fragments: Fragments, concepts: Iterable[str]
    ) -> Iterator[Item]:
        """Yield the items of a mention; without fragments, only its concepts."""
        parts = (part for each in concepts for part in self._split(each))
        known = [name for name in map(self.name_concept, parts) if name]
        for kind in self.kinds:
            if not types or (kind.placed and not fragments):
                continue
            place = tuple(sorted(fragments)) if kind.placed else ()
            for label in types if kind.typed else (self.word,):
                for concept in known if kind.coded else ("",):
                    yield kind.name, label, concept, place

    def _split(self, concept: str) -> Sequence[str]:
        return concept.split(self.joint) if self.joint else (concept,)

    def name_concept(self, concept: str) -> str:
        """Normalize a concept, with the name space of the scheme."""
        is_cui = self.is_open and _CUI.fullmatch(concept.strip())
        return canonical(concept, UMLS if is_cui else self.name_space)


def canonical(concept: str, name_space: str = MESH) -> str:
    """Normalize a concept: add the name space, in upper case; return "" if it is not a concept.

    Examples:
        >>> canonical(" d001249"), canonical("OMIM:1"), canonical("MESH:-1")
        ('MESH:D001249', 'OMIM:1', '')
    """
    space, _, name = concept.strip().rpartition(":")
    if name.strip() in _NO_CONCEPT:
        return ""
    return f"{(space.strip() or name_space).upper()}:{name.strip().upper()}"


def judge_label(label: str, known: Sequence[str]) -> str:
    """Return the label; reject it unless it is known or ``known`` is empty."""
    if known and label not in known:
        raise InputError(f"unknown type {shown(label)}, expected one of {', '.join(known)}")
    return label
