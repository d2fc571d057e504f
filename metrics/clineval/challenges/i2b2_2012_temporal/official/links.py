"""Verify links as the i2b2 2012 program does: by its time graph, as written, or by SputLink.

Names in brackets are cases.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from clineval.base.errors import InputError
from clineval.challenges.i2b2_2012_temporal.official.sputlink import close, prepare
from clineval.challenges.i2b2_2012_temporal.official.tags import Link, Tags
from clineval.challenges.i2b2_2012_temporal.official.timegraph import (
    REVERSE,
    SAME,
    Answer,
    TimeGraph,
    Triple,
)

Ids = Mapping[str, Sequence[str]]
"""The ids of the other side that an id stands for, with those of both sides [l20]."""
BOTH_SIDES: Ids = {"Admission": ["Admission"], "Discharge": ["Discharge"]}
Counts = tuple[int, int, int, int]
"""Links of the system, of the gold standard; right for precision, for recall."""


class Verifier:
    """Count the links of a document that one side's links verify.

    Args:
        gold, system: the tags of both sides.
        ids: the ids of each side's entities; empty if ids are taken as they are.

    Attributes:
        unknown: the ids that are no entities, in the order in which the program names them.
    """

    def __init__(self, gold: Tags, system: Tags, ids: tuple[Ids, Ids]) -> None:
        self.tags = gold, system
        self.ids = tuple({**of, **BOTH_SIDES} for of in ids)
        self.unknown: list[str] = []

    def count_by_graph(self) -> Counts:
        """Count with the time graphs of both sides (``--tempeval``)."""
        sides = [*self._list_gold()], [*self._list_system()]
        graphs = [TimeGraph.of(links) for links in sides]
        texts = [_write(links) for links in sides]
        right = [
            sum(
                "\t".join(link) in texts[1 - side] or graphs[1 - side].ask(*link) is Answer.TRUE
                for link in graphs[side].links
            )
            for side in (1, 0)
        ]
        ends = [{end for link in graph.links for end in link[:2]} for graph in graphs]
        common = len(ends[0] & ends[1])
        if 1 + common * (common - 1) / 2 == right[1]:  # a weight that is never used [l23]
            problem = "the program divides by zero: these links and their ends are too few"
            raise InputError(problem, where=self.tags[0].name, remedy="Score with protocol='spec'")
        return len(graphs[1].links), len(graphs[0].links), right[0], right[1]

    def count_as_written(self) -> Counts:
        """Count the links that the other side has (``--oo``)."""
        for tags in self.tags:
            prepare(tags)  # the program does so here too
        written = [_list_written(tags) for tags in self.tags]
        return self._count(written, [{*map(_key, links)} for links in written])

    def count_by_closure(self, *, closed: bool) -> Counts:
        """Count the links that the closure of the other side has (``--oc``, ``--cc``).

        Args:
            closed: whether the closure is counted instead of the links.
        """
        written = [_list_written(tags) for tags in self.tags]
        closures = [close(tags, tags.list_links()) for tags in self.tags]
        if None in closures:  # [i18b, l27, l28]
            return 0, 0, 0, 0
        counted, known = [], []
        for links, closure in zip(written, closures, strict=True):
            keys = {*map(_key, links)}
            new = {*(closure or ())} - keys
            counted.append(links + [Link("", *link) for link in new] if closed else links)
            known.append(keys | new)
        return self._count(counted, known)

    def _count(self, counted: Sequence[list[Link]], known: Sequence[set[Triple]]) -> Counts:
        right = [
            sum(self._is_right(link, side, known[1 - side]) for link in counted[side])
            for side in (1, 0)
        ]
        return len(counted[1]), len(counted[0]), right[0], right[1]

    def _is_right(self, link: Link, side: int, others: set[Triple]) -> bool:
        """Return whether the other side has a link between any ids that the ends stand for."""
        if not (link.source and link.target) or "R" in link.id or "S" in link.source + link.target:
            return False  # [l21]
        sources, targets = (self._look_up(side, end) for end in (link.source, link.target))
        return any(
            (source, target, link.type) in others for source in sources for target in targets
        )

    def _look_up(self, side: int, end: str) -> Sequence[str]:
        if len(self.ids[side]) <= len(BOTH_SIDES):  # [l28]
            return [end]
        if end not in self.ids[side]:  # [l19]
            self.unknown.append(end)
        return self.ids[side].get(end, ())

    def _first(self, side: int, end: str) -> str:
        """Return the first id of the other side; unknown ids have none."""
        return next(iter(self._look_up(side, end)), "")

    def _list_gold(self) -> Iterator[Triple]:
        """Translate gold ids to the first id of the system, and back to its first gold id."""
        seen: dict[str, str] = {}
        for link in self.tags[0].list_links():
            if link.source and link.target and link.type:  # [l15]
                middle = [self._first(0, end) for end in (link.source, link.target)]
                ends = []
                for own, name in zip((link.source, link.target), middle, strict=True):
                    if name not in seen and name in self.ids[1]:
                        seen[name] = self.ids[1][name][0]
                    ends.append(seen.get(name, own))
                yield ends[0], ends[1], link.type.replace("OVERLAP", SAME)

    def _list_system(self) -> Iterator[Triple]:
        """Translate system ids to the first gold id; links with an unknown end are left out."""
        for link in self.tags[1].list_links():
            if link.source and link.target:
                ends = [self._first(1, end) for end in (link.source, link.target)]
                if all(ends) and link.type:
                    yield ends[0], ends[1], link.type.replace("OVERLAP", SAME)


def _list_written(tags: Tags) -> list[Link]:
    return [
        Link(link.id, link.source, link.target, link.type.replace(SAME, "OVERLAP").upper())
        for link in tags.list_links()
    ]


def _key(link: Link) -> Triple:
    return link.source, link.target, link.type


def _write(links: Sequence[Triple]) -> str:
    """Write links in both directions; the program looks for a link as a part of this text."""
    reversed_links = [(two, one, _reverse(kind)) for one, two, kind in links]
    return "".join(f"\t{one}\t{two}\t{kind}\n" for one, two, kind in [*links, *reversed_links])


def _reverse(kind: str) -> str:
    return REVERSE.get(kind.upper(), kind.upper())
