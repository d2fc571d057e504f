"""Scores looked up by their keys."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import ItemsView, Iterator, KeysView, Mapping


class Lookup(ABC):
    """A mapping of keys to scores, except that ``values`` is an attribute."""

    @property
    @abstractmethod
    def values(self) -> Mapping[str, float | int]:
        """Key to score or count."""

    def __getitem__(self, key: str) -> float | int:
        return self.values[key]

    def __iter__(self) -> Iterator[str]:
        return iter(self.values)

    def __contains__(self, key: object) -> bool:
        return key in self.values

    def __len__(self) -> int:
        return len(self.values)

    def keys(self) -> KeysView[str]:
        """Return the keys of all scores and counts."""
        return self.values.keys()

    def items(self) -> ItemsView[str, float | int]:
        """Return every key with its score or count."""
        return self.values.items()

    def get(self, key: str, default: object = None) -> object:
        """Return a score or count, or the default if there is none of that key."""
        return self.values.get(key, default)
