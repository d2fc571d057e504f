"""Reasonings: the links from which a link follows, or that it contradicts."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class NamedLink:
    """A relation with the names of its ends, ids or offsets."""

    label: str
    source: str
    target: str

    def as_dict(self) -> dict[str, str]:
        """Return label and ends with the keys of input.

        Examples:
            >>> NamedLink("BEFORE", "0-4", "6-9").as_dict()
            {'label': 'BEFORE', 'from': '0-4', 'to': '6-9'}
        """
        return {"label": self.label, "from": self.source, "to": self.target}

    def __str__(self) -> str:
        return f"{self.source} {self.label} {self.target}"


@dataclass(frozen=True, slots=True)
class Reasoning:
    """Why a link counts as it does.

    Args:
        document: the name of its document.
        kind: the kind of outcome.
        side: the side that has it, ``gold`` or ``predicted``.
        link: the link.
        chain: the links of the other side from which it follows, or the cycle of links of its own
            side. Each of them begins at the end of the one before.
    """

    document: str
    kind: str
    side: str
    link: NamedLink
    chain: tuple[NamedLink, ...]

    def as_dict(self) -> dict[str, object]:
        """Return everything as JSON."""
        return {
            "document": self.document,
            "kind": self.kind,
            "side": self.side,
            **self.link.as_dict(),
            "chain": [link.as_dict() for link in self.chain],
        }
