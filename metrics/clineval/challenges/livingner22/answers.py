"""Answers of clinical impact: the kind of impact, a colon, and species, such as ``Pet:9615+9685``.

By a hierarchy of species, an answer is a code with these parents:

    Pet            none: it is a top
    Pet:9615       Pet, if the species is a top; otherwise the parents of the species
    Pet:9615|H     Pet:9615
    Pet:9615+9685  Pet:9615 and Pet:9685
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from clineval.formats.delimited.span_tables import split_codes
from clineval.kinds.codes.hierarchy import Fold, Hierarchy
from clineval.kinds.codes.prefixes import AnyHierarchy

HIGHER = "|H"
"""Follows a species that stands for one below it."""
_BELOW = 2
"""The levels below a species: ``|H``, and answers with several species."""
Link = tuple[str, str]


def impact_of(code: str) -> str:
    """Return the kind of impact of an answer."""
    return code.partition(":")[0]


def species_of(code: str) -> str:
    """Return the species of an answer, as written."""
    return code.partition(":")[2]


def list_codes(code: str) -> list[str]:
    """List the species of an answer."""
    return split_codes(species_of(code), "+|", "H")


def fold_species(code: str) -> str:
    """Return an answer in a normal form, which is equal for equal sets of species.

    Examples:
        >>> fold_species("Pet:9685+9615|H+9685"), fold_species("Food")
        ('Pet:9615|H+9685', 'Food')
    """
    species = "+".join(sorted(set(list_codes(code))))
    return f"{impact_of(code)}:{species}" if species else impact_of(code)


@dataclass(frozen=True, slots=True)
class AnswerHierarchy:
    """The hierarchy of answers that follows from a hierarchy of species.

    Args:
        species: the hierarchy of species.
    """

    species: AnyHierarchy

    @property
    def name(self) -> str:
        """Identifies it in signatures."""
        return self.species.name

    @property
    def levels(self) -> Sequence[int]:
        """The levels that have scores: kinds of impact, those of species, and those below."""
        return range(1 + len(self.species.levels) + _BELOW)

    def knows(self, code: str, _fold: Fold) -> bool:
        """Return whether all species of an answer are in the hierarchy."""
        return all(self.species.knows(each.removesuffix(HIGHER), str) for each in list_codes(code))

    def over(self, codes: Iterable[str], _fold: Fold) -> Hierarchy:
        """Return the hierarchy of some answers."""
        answers = [code for code in codes if self.knows(code, str)]
        used = {each.removesuffix(HIGHER) for answer in answers for each in list_codes(answer)}
        above = self._find_parents(sorted(used))
        links = dict.fromkeys(link for answer in answers for link in _link(answer, above))
        return Hierarchy.of(self.name, links, rooted=False)

    def _find_parents(self, used: Sequence[str]) -> dict[str, list[str]]:
        """Map species and their ancestors to parents; tops have an empty one."""
        tree = self.species.over(used, str)
        every = {*used, *(tree.codes[node] for node in tree.trace(used).nodes.values.tolist())}
        codes, top = sorted(every), tree.levels[0]
        parents = tree.trace(codes).parents
        found = {code: [""] if tree.level[tree.numbers[code]] <= top else [] for code in codes}
        for at, parent in zip(parents.owner.tolist(), parents.values.tolist(), strict=True):
            found[codes[at]].append(tree.codes[parent])
        return found


def _link(answer: str, above: dict[str, list[str]]) -> Iterator[Link]:
    """Yield the links of an answer and its ancestors."""
    impact, codes = impact_of(answer), list_codes(answer)
    yield impact, ""
    for code in codes:
        species = code.removesuffix(HIGHER)
        if len(codes) > 1:
            yield answer, f"{impact}:{code}"
        if code != species:
            yield f"{impact}:{code}", f"{impact}:{species}"
        waiting = [species]
        while waiting:
            child = waiting.pop()
            for parent in above[child]:
                yield f"{impact}:{child}", f"{impact}:{parent}" if parent else impact
            waiting += filter(None, above[child])
