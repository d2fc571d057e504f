"""Items, which a rule for two documents compares: mentions, relations, classes and others."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

Span = tuple[int, int]
"""Start and end of a fragment, the end not included."""


@dataclass(frozen=True, slots=True)
class Item:
    """An annotation of a document. Items are equal if they differ at most in their ids.

    Args:
        label: the label of a mention or relation, a code, or the class of a document.
        spans: its fragments, in their order; empty if it has no place in the text. A relation has
            the fragments of its ends.
        ends: the items that it connects: source and target of a relation, the trigger of an
            argument; otherwise empty.
        values: name of a slot or a field to its value.
        id: its id in the input, if ids are compared; otherwise empty.

    Examples:
        >>> Item("WOUND", ((0, 4), (8, 12))).length
        8
        >>> Item("WOUND", ((0, 4),)).share(Item("CUT", ((2, 9),)))
        2
    """

    label: str
    spans: tuple[Span, ...] = ()
    ends: tuple[Item, ...] = ()
    values: Mapping[str, str] = field(default_factory=dict, hash=False)
    id: str = field(default="", compare=False)

    @property
    def length(self) -> int:
        """The number of its characters."""
        return sum(end - start for start, end in self.spans)

    def share(self, other: Item) -> int:
        """Return the number of characters that both items share.

        Args:
            other: an item of the same document.
        """
        return sum(self._list_shared(other))

    def _list_shared(self, other: Item) -> Iterator[int]:
        for start, end in self.spans:
            for first, last in other.spans:
                yield max(0, min(end, last) - max(start, first))
