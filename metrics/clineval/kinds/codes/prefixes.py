"""Hierarchies that follow from prefixes: a code without its last characters is its parent.

    icd9cm      diagnoses: category (401, V58, E888), then each further digit: 401, 401.9
                procedures: two digits, then each further digit: 38, 38.9, 38.93
    icd10       category of three characters, then each further character: I25, I25.1, I25.10
    icd10cm     the same, with up to seven characters; placeholders X count as characters
    icd10pcs    each of seven characters
    atc         1, 3, 4, 5 and 7 characters: A, A10, A10B, A10BA, A10BA02

Codes can have any case. The point after a category can be missing, except in procedures of
ICD-9-CM. Chapters and blocks do not follow from prefixes, so that categories are the tops.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Protocol as Structure

from clineval.base.errors import unknown_name
from clineval.kinds.codes.hierarchy import WHERE, Fold, Hierarchy

JOINED = "+"


@dataclass(frozen=True, slots=True)
class Form:
    """A form of codes.

    Args:
        pattern: matches its codes, in upper case.
        sizes: how many characters, without the point, the code of each level has.
    """

    pattern: re.Pattern[str]
    sizes: tuple[int, ...]

    def list_prefixes(self, code: str) -> list[str]:
        """List the code's prefixes from the top down to itself; empty for another form of code."""
        size = len(code.replace(".", ""))
        if size not in self.sizes or not self.pattern.fullmatch(code.upper()):
            return []
        point = code.find(".")
        ends = [each for each in self.sizes if each <= size]
        return [code[: end + (0 <= point < end)] for end in ends]


def _form(pattern: str, *sizes: int) -> Form:
    return Form(re.compile(pattern, re.ASCII), sizes)


_FORMS: Mapping[str, tuple[Form, ...]] = {
    "icd9cm": (
        _form(r"\d\d(\.\d{1,2})?", 2, 3, 4),
        _form(r"E\d{3}(\.?\d)?", 4, 5),
        _form(r"(\d|V)\d\d(\.?\d{1,2})?", 3, 4, 5),
    ),
    "icd10": (_form(r"[A-Z]\d\d(\.?[0-9A-Z]{1,3})?", 3, 4, 5, 6),),
    "icd10cm": (_form(r"[A-Z]\d[0-9A-Z](\.?[0-9A-Z]{1,4})?", 3, 4, 5, 6, 7),),
    "icd10pcs": (_form(r"[0-9BCDFGHX][0-9A-HJ-NP-Z]{0,6}", *range(1, 8)),),
    "atc": (_form(r"[A-Z](\d\d([A-Z]([A-Z](\d\d)?)?)?)?", 1, 3, 4, 5, 7),),
}
NAMES = tuple(_FORMS)


@dataclass(frozen=True, slots=True)
class Prefixes:
    """A hierarchy that follows from the prefixes of codes.

    Args:
        name: one of :data:`NAMES`, or several joined by ``+``; a code belongs to the first one
            whose form it has.

    Raises:
        InputError: a name is unknown.

    Examples:
        >>> tree = Prefixes("icd10cm+icd10pcs").over(["s52.044q", "02tn", "no-code"], str)
        >>> tree.codes
        ('s52', 's52.0', 's52.04', 's52.044', 's52.044q', '0', '02', '02t', '02tn')
    """

    name: str

    def __post_init__(self) -> None:
        for name in self.name.split(JOINED):
            if name not in _FORMS:
                raise unknown_name("hierarchy", name, NAMES, where=WHERE)

    @property
    def _forms(self) -> Iterator[Form]:
        return (form for name in self.name.split(JOINED) for form in _FORMS[name])

    @property
    def levels(self) -> Sequence[int]:
        """The levels that have scores."""
        return range(max(len(form.sizes) for form in self._forms))

    def over(self, codes: Iterable[str], _fold: Fold) -> Hierarchy:
        """Return the hierarchy of some codes, in the form in which they are compared."""
        links = [link for code in codes for link in pairwise(["", *self._list_prefixes(code)])]
        return Hierarchy.of(self.name, ((code, above) for above, code in links), rooted=False)

    def knows(self, code: str, fold: Fold) -> bool:
        """Return whether a code has one of the forms."""
        return bool(self._list_prefixes(fold(code)))

    def _list_prefixes(self, code: str) -> list[str]:
        return next(filter(None, (form.list_prefixes(code) for form in self._forms)), [])


class AnyHierarchy(Structure):
    """A hierarchy from a file, from prefixes, or composed of others."""

    @property
    def name(self) -> str:
        """Identifies it in signatures."""
        ...

    @property
    def levels(self) -> Sequence[int]:
        """The levels that have scores."""
        ...

    def over(self, codes: Iterable[str], fold: Fold, /) -> Hierarchy:
        """Return the hierarchy of some codes, in the form in which they are compared."""
        ...

    def knows(self, code: str, fold: Fold, /) -> bool:
        """Return whether a gold code is valid."""
        ...


@dataclass(frozen=True, slots=True)
class WithOthers:
    """A hierarchy and other valid codes, such as ``<null>``, which have no place in it.

    Args:
        hierarchy: the hierarchy.
        others: the other codes, in the form in which they are compared.

    Examples:
        >>> tree = WithOthers(Prefixes("atc"), frozenset(["<null>"]))
        >>> [tree.knows(code, str) for code in ("A10", "<null>", "none")]
        [True, True, False]
    """

    hierarchy: AnyHierarchy
    others: frozenset[str]

    @property
    def name(self) -> str:
        """Identifies it in signatures."""
        return self.hierarchy.name

    @property
    def levels(self) -> Sequence[int]:
        """The levels that have scores."""
        return self.hierarchy.levels

    def over(self, codes: Iterable[str], fold: Fold) -> Hierarchy:
        """Return the hierarchy of some codes, in the form in which they are compared."""
        return self.hierarchy.over(codes, fold)

    def knows(self, code: str, fold: Fold) -> bool:
        """Return whether a code is one of the others, or in the hierarchy."""
        return fold(code) in self.others or self.hierarchy.knows(code, fold)


def is_name(given: str) -> bool:
    """Return whether a string names hierarchies.

    Examples:
        >>> is_name("icd10cm+icd10pcs"), is_name("atc.csv")
        (True, False)
    """
    return all(name in _FORMS for name in given.split(JOINED))
