"""Schemes of tags: find the scheme of some words, and count the tags that do not follow it.

    iob1     B only if the word before ends a mention with the same label; otherwise I begins one
    iob2     B begins every mention
    bioes    B begins, I continues and E ends a mention of several words; S is a mention of one word
    bilou    the same with L for E and U for S

All tags are read in one way (:mod:`clineval.kinds.mentions.tags`), the one of conlleval, so that
the scheme decides only which tags are allowed and which are counted as irregular.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from clineval.base.arrays import BoolArray, IntArray
from clineval.base.errors import InputError, warn
from clineval.kinds.mentions.tags import TagSet

PREFIXES = {"iob1": "BI", "iob2": "BI", "bioes": "BIES", "bilou": "BILU"}
"""Schemes, and the prefixes of their tags."""


@dataclass(frozen=True, slots=True, eq=False)
class Tagged:
    """The tags of ``n`` words.

    Args:
        ids: ``[n]``, the number of the tag of each word.
        sentence: ``[n]``, the sentence of each word, never decreasing.
        tags: the tags.
    """

    ids: IntArray
    sentence: IntArray
    tags: TagSet

    def find(self, letters: str) -> BoolArray:
        """Find the words whose tags begin with a letter; E and L are one letter, like S and U."""
        return np.array([p in letters for p, _ in self.tags.parts], np.bool_)[self.ids]

    @property
    def follows(self) -> BoolArray:
        """Find the words whose tag has the same label as the tag of the word before."""
        names = {part[1]: at for at, part in enumerate(self.tags.parts)}
        label = np.array([names[part[1]] for part in self.tags.parts])[self.ids]
        same = np.zeros(len(self.ids), np.bool_)
        same[1:] = (label[1:] == label[:-1]) & (self.sentence[1:] == self.sentence[:-1])
        inside = ~self.find("O")
        same[1:] &= inside[1:] & inside[:-1]
        return same

    def count_irregular(self, scheme: str) -> int:
        """Count the tags that do not follow a scheme."""
        follows = self.follows
        if scheme == "iob2":
            return int((self.find("I") & ~follows).sum())
        if scheme == "iob1":
            return int((self.find("B") & ~follows).sum())
        opened, continued = self.find("BI"), self.find("IL")
        joined = np.zeros(len(self.ids) + 1, np.bool_)  # whether a word continues the one before
        joined[1:-1] = follows[1:] & continued[1:] & opened[:-1]
        return int(((continued & ~joined[:-1]) | (opened & ~joined[1:])).sum())


def check_scheme(tagged: Tagged, written: Sequence[str], scheme: str = "auto") -> None:
    """Find the scheme unless it is given, and warn about tags that do not follow it.

    Args:
        tagged: the tags of all words.
        written: the tags as they are written; E and S distinguish BIOES from BILOU.
        scheme: a scheme, or ``auto``.

    Raises:
        InputError: tags of two schemes, or tags that the given scheme does not have.
    """
    letters = {tag[0] for tag in written} - {"O"}
    fitting = [name for name, known in PREFIXES.items() if letters <= set(known)]
    if scheme != "auto":
        if scheme not in fitting:
            others = ", ".join(sorted(letters - set(PREFIXES[scheme])))
            raise InputError(f"{scheme} does not have the prefix {others}", where="tag_scheme")
        _warn(tagged.count_irregular(scheme), scheme)
        return
    if not fitting:
        problem = f"the prefixes {', '.join(sorted(letters))} belong to different schemes"
        raise InputError(problem, remedy="Use B, I, E and S, or B, I, L and U")
    if "iob2" in fitting:  # without E and S, or L and U, there is no reason to take these schemes
        fitting = ["iob2", "iob1"]
    numbers = {name: tagged.count_irregular(name) for name in fitting}
    best = min(numbers, key=lambda name: numbers[name])
    _warn(numbers[best], best, [name for name in numbers if name != best])


def _warn(number: int, scheme: str, others: Sequence[str] = ()) -> None:
    chosen = "".join(f". {other.upper()} fits no better" for other in others)
    warn(
        f"{{n}} {{tag does|tags do}} not follow the scheme {scheme.upper()}, and {{is|are}} read "
        f"as in conlleval: a tag that cannot continue a mention begins one{chosen}",
        n=number,
    )
