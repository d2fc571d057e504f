"""Reasonings: the links from which a link follows, or that it contradicts."""

from __future__ import annotations

from dataclasses import dataclass

from clineval.results.item import Span


@dataclass(frozen=True, slots=True)
class NamedLink:
    """A relation with the names of its ends, ids or offsets.

    Args:
        label: its label.
        source: the name of the end that it goes from.
        target: the name of the end that it goes to.
        places: the fragments of both ends, source first.
    """

    label: str
    source: str
    target: str
    places: tuple[tuple[Span, ...], tuple[Span, ...]] = ((), ())

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
        written: the link in the direction in which it is listed.
    """

    document: str
    kind: str
    side: str
    link: NamedLink
    chain: tuple[NamedLink, ...]
    written: NamedLink

    def as_dict(self) -> dict[str, object]:
        """Return everything as JSON."""
        return {
            "document": self.document,
            "kind": self.kind,
            "side": self.side,
            **self.link.as_dict(),
            "chain": [link.as_dict() for link in self.chain],
        }
