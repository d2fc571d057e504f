"""SputLink as the i2b2 2012 program calls it: what follows from links, by composing chains.

Names in brackets are cases.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from xml.parsers.expat import ExpatError, ParserCreate

from clineval.base.errors import InputError
from clineval.challenges.i2b2_2012_temporal.official.tags import Link, Tags
from clineval.challenges.i2b2_2012_temporal.official.timegraph import (
    AFTER,
    BEFORE,
    SAME,
    Triple,
    refuse_others,
)

_ALONE = re.compile(rb"\s[&|'<>]\s")
_IDS: Mapping[bytes, bytes] = {b"EVENT": b" eid=", b"TIMEX3": b" tid="}
_FORWARD = {"before": "<", "after": ">", "simultaneous": "="}
_BACKWARD = {BEFORE: ">", AFTER: "<", SAME: "="}
_TYPES = {"<": BEFORE, ">": AFTER, "=": "OVERLAP"}
_NEEDED = 2
Edges = dict[str, dict[str, str]]


def close(tags: Tags, links: Iterable[Link]) -> list[Triple] | None:
    """List what follows from links, in both directions; None if SputLink stops [l27, l28]."""
    entities = _list_entities(prepare(tags))
    if len(entities) < _NEEDED:
        return None
    graph = Graph(entities)
    for link in links:
        kind = link.type.replace("OVERLAP", SAME)
        if link.source in graph.leaving and link.target in graph.leaving and kind:  # [l15, l20]
            refuse_others(kind)
            graph.add(link.source, link.target, _FORWARD.get(kind.lower()))
            graph.add(link.target, link.source, _BACKWARD.get(kind))  # in capitals only [l13]
    return [
        (source, target, _TYPES[sign])
        for source, edges in graph.leaving.items()
        for target, sign in edges.items()
    ]


class Graph:
    """Signs between entities: each side's signs by the other side.

    Attributes:
        leaving, entering: the signs by source and target, and by target and source.
        stopped: whether a contradiction has ended the closure [l24b].
    """

    def __init__(self, entities: Iterable[str]) -> None:
        self.leaving: Edges = {name: {} for name in entities}
        self.entering: Edges = {name: {} for name in self.leaving}
        self.stopped = False

    def add(self, source: str, target: str, sign: str | None) -> None:
        """Add a sign and what follows; a pair that has one keeps it [l25]."""
        if sign is None or target in self.leaving[source]:
            return
        self._set(source, target, sign)
        edges = [(source, target)] if source != target else []
        while edges and not self.stopped:  # in the order of names, as SputLink visits edges
            found: list[tuple[str, str]] = []
            for edge in sorted(edges):
                if not self.stopped:
                    found += self._propagate(*edge)
            edges = found

    def _set(self, source: str, target: str, sign: str) -> None:
        self.leaving[source][target] = self.entering[target][source] = sign

    def _propagate(self, source: str, target: str) -> Iterator[tuple[str, str]]:
        """Set what an edge and its neighbours give, and yield the new edges."""
        sign = self.leaving[source][target]
        chains = [(one, target, _compose(other, sign)) for one, other in self.entering[source].items()]
        chains += [(source, one, _compose(sign, other)) for one, other in self.leaving[target].items()]
        for one, other, composed in chains:
            if composed and one != other:
                known = self.leaving[one].get(other)
                self.stopped |= known not in (None, composed)
                if known is None:
                    self._set(one, other, composed)
                    yield one, other


def _compose(first: str, second: str) -> str:
    """Compose two signs; ``<`` and ``>`` give nothing."""
    if first == second or second == "=":
        return first
    return second if first == "=" else ""


def prepare(tags: Tags) -> bytes:
    """Write entities and sections as SputLink's XML; tags begin two lines after the text [l29]."""
    ends = (at for at, line in enumerate(tags.lines) if at > 2 and b"]]><" in line)  # noqa: PLR2004
    lines = [b"<fragment>"]
    for line in tags.lines[next(ends, len(tags.lines)) + 2 :]:
        tag = next((tag for tag in _IDS if b"<" + tag + b" id" in line), b"")
        if tag and line.count(b" id=") != 1:
            problem = "the program stops at a tag with another ' id='"
            raise InputError(problem, where=tags.name, remedy="Change the text of the entity")
        if tag:
            line = line.replace(b" id=", _IDS[tag]).replace(b" />", b"></" + tag + b">")
            while _ALONE.search(line):  # characters that stand alone are removed
                line = _ALONE.sub(b" ", line)
        lines += [line] if tag or b"<SECTIME" in line else []
    return b"".join(lines)


def _list_entities(content: bytes) -> list[str]:
    """List the entities that SputLink's parser reads: up to the first error in the XML [l27b]."""
    entities: dict[str, None] = {}

    def start(_tag: str, attributes: Mapping[str, str]) -> None:
        entities.update((attributes[name], None) for name in ("eid", "tid") if name in attributes)

    parser = ParserCreate()
    parser.StartElementHandler = start
    with suppress(ExpatError):
        parser.Parse(content)
    return [*entities]
