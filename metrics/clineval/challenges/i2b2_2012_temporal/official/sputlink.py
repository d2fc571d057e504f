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
_COMPOSED = {
    "<": [("<", "<"), ("=", "<")],
    ">": [(">", ">"), ("=", ">")],
    "=": [("<", "<"), (">", ">"), ("=", "=")],
}
"""For each sign, the signs that it can be composed with, and the results."""
Neighbours = dict[str, dict[str, set[str]]]


def close(tags: Tags, links: Iterable[Link]) -> list[Triple] | None:
    """List what follows from links, in both directions; None if SputLink stops [l27, l28]."""
    entities = _list_entities(prepare(tags))
    if len(entities) < _NEEDED:
        return None
    graph, known = Graph(entities), {*entities}
    for link in links:
        kind = link.type.replace("OVERLAP", SAME)
        if known.issuperset((link.source, link.target)) and kind:  # [l15, l20]
            refuse_others(kind)
            graph.add(link.source, link.target, _FORWARD.get(kind.lower()))
            graph.add(link.target, link.source, _BACKWARD.get(kind))  # in capitals only [l13]
    return [
        (source, target, _TYPES[sign])
        for sign, sources in graph.leaving.items()
        for source, targets in sources.items()
        for target in targets
    ]


class Graph:
    """Signs between entities, as sets of neighbours for each sign.

    Attributes:
        leaving, entering: for each sign and entity, the entities after and before it.
        stopped: whether a contradiction has ended the closure [l24b].
    """

    def __init__(self, entities: Iterable[str]) -> None:
        self.leaving: Neighbours = {sign: {name: set() for name in entities} for sign in _TYPES}
        self.entering: Neighbours = {sign: {name: set() for name in entities} for sign in _TYPES}
        self.stopped = False

    def add(self, source: str, target: str, sign: str | None) -> None:
        """Add a sign and what follows; a pair that has one keeps it [l25]."""
        if sign is None or self._find(source, target):
            return
        self._set(source, target, sign)
        edges = [(source, target, sign)] if source != target else []
        while edges and not self.stopped:  # in the order of names, as SputLink visits edges
            found: list[Triple] = []
            for edge in sorted(edges):
                found += [] if self.stopped else self._propagate(*edge)
            edges = found

    def _propagate(self, source: str, target: str, sign: str) -> Iterator[Triple]:
        """Set what an edge and its neighbours give, and yield the new edges."""
        for other, composed in _COMPOSED[sign]:
            before, after = self.entering[other][source], self.leaving[other][target]
            for one in before - self.entering[composed][target] - {target}:
                yield from self._follow(one, target, composed)
            for one in after - self.leaving[composed][source] - {source}:
                yield from self._follow(source, one, composed)

    def _follow(self, source: str, target: str, sign: str) -> Iterator[Triple]:
        if self._find(source, target):
            self.stopped = True
        else:
            self._set(source, target, sign)
            yield source, target, sign

    def _find(self, source: str, target: str) -> bool:
        return any(target in neighbours[source] for neighbours in self.leaving.values())

    def _set(self, source: str, target: str, sign: str) -> None:
        self.leaving[sign][source].add(target)
        self.entering[sign][target].add(source)


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
            renamed = line.replace(b" id=", _IDS[tag]).replace(b" />", b"></" + tag + b">")
            lines.append(_remove_alone(renamed))
        elif b"<SECTIME" in line:
            lines.append(line)
    return b"".join(lines)


def _remove_alone(line: bytes) -> bytes:
    """Remove characters that XML reserves, if they stand alone."""
    while _ALONE.search(line):
        line = _ALONE.sub(b" ", line)
    return line


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
