"""The rows of anafora.evaluate, and the units that each row counts.

A row counts annotations by their type and span, and by some of their properties. Units of a row are
distinct. The span of a relation consists of the spans of the annotations that it refers to.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from clineval.base.errors import InputError
from clineval.challenges.clinical_tempeval.anafora import RELATION, Annotation
from clineval.challenges.clinical_tempeval.files import Written
from clineval.challenges.clinical_tempeval.measures import SPAN
from clineval.challenges.clinical_tempeval.points import RELATIONS, Link

Row = tuple[str, ...]
"""A type, ``<span>`` or a property, and a value; ``*`` stands for any."""
Unit = tuple[object, object, object]
"""The span, the type and the properties that a row compares."""
ANY = "*"
_VALUED = 3
"""The length of a row with a value."""
_REMEDY = "The program stops here. Use protocol='spec', or include TLINK:Type:CONTAINS alone"
_REFERENCE = "\0"
"""Stands for an annotation to which a property refers."""


class Fragments(tuple[tuple[int, int], ...]):
    """The fragments of an entity, in the order of the file."""

    __slots__ = ()


@dataclass(frozen=True)
class Selection:
    """The rows that are included and excluded, with all rows below them.

    Args:
        include: the rows to include, as on the command line, such as ``TLINK:Type``; all if empty.
        exclude: the rows to exclude.
    """

    include: tuple[str, ...] = ()
    exclude: tuple[str, ...] = ()
    _known: dict[object, tuple[bool, bool]] = field(default_factory=dict, compare=False)

    def takes(self, *row: object) -> bool:
        """Return whether a row is included and not excluded."""
        return self._find(row)[0]

    def excludes(self, *row: object) -> bool:
        """Return whether a row is excluded."""
        return self._find(row)[1]

    def _find(self, row: tuple[object, ...]) -> tuple[bool, bool]:
        if row not in self._known:
            names = {*_generalize(row)}
            included, excluded = (
                not names.isdisjoint(tuple(each.split(":")) for each in rows)
                for rows in (self.include, self.exclude)
            )
            self._known[row] = (included or not self.include) and not excluded, excluded
        return self._known[row]


def _generalize(row: Sequence[object]) -> Iterator[tuple[object, ...]]:
    """Yield the row and all rows above it, with ``*`` in place of any of their parts."""
    found: list[tuple[object, ...]] = [()]
    for part in row:
        found = [(*above, each) for above in found for each in (part, ANY)]
        yield from found


@dataclass(frozen=True)
class Content(Written):
    """The annotations of a document, as rows count them."""

    @cached_property
    def values(self) -> Mapping[str, Mapping[str, Annotation | str]]:
        """Id to the properties: the annotations to which they refer, or else their texts."""
        known = self.annotations
        return {
            id_: {name: known.get(text, text) for name, text in sorted(each.properties.items())}
            for id_, each in known.items()
        }

    @cached_property
    def by_type(self) -> Mapping[str, Sequence[Annotation]]:
        """Type to its annotations, and ``*`` to all of them, in the order of the file."""
        found: dict[str, list[Annotation]] = {ANY: [*self.annotations.values()]}
        for annotation in self.annotations.values():
            found.setdefault(annotation.type, []).append(annotation)
        return found

    def find_loop(self) -> Annotation | None:
        """Return the first annotation that refers to itself, if only indirectly."""
        return next((each for each in self.annotations.values() if self._loops(each, ())), None)

    def _loops(self, annotation: Annotation, path: tuple[str, ...]) -> bool:
        if annotation.id in path:
            return True
        inner = self._references(annotation)
        return any(self._loops(each, (*path, annotation.id)) for each in inner)

    def _references(self, annotation: Annotation) -> list[Annotation]:
        """Return the annotations to which properties refer, in the order of their names."""
        values = self.values[annotation.id].values()
        return [value for value in values if isinstance(value, Annotation)]

    def list_rows(self, selection: Selection) -> set[Row]:
        """Return the rows that the annotations have."""
        rows: set[Row] = {(ANY,), (ANY, SPAN)}
        for annotation in self.annotations.values():
            rows |= {(annotation.type,), (annotation.type, SPAN)}
            for name, value in self.values[annotation.id].items():
                rows.add((annotation.type, name))
                if value and isinstance(value, str):
                    rows.add((annotation.type, name, value))
        return {row for row in rows if selection.takes(*row)}

    def list_units(self, row: Row, selection: Selection) -> Iterator[tuple[Annotation, Unit]]:
        """Yield the annotations that a row counts, each with its unit, in the order of the file."""
        asked = _ask(row)
        for annotation in self.by_type.get(row[0], ()):
            taken = selection.takes(annotation.type, *asked)
            if not taken and not selection.takes(annotation.type, SPAN):
                continue
            if len(row) < _VALUED or self.values[annotation.id].get(row[1]) == row[2]:
                yield annotation, self._as_unit(annotation, row, selection)

    def _as_unit(self, annotation: Annotation, row: Row, selection: Selection) -> Unit:
        properties: object = None
        if len(row) == 1:
            properties = tuple(self._list_properties(annotation, row, selection))
        elif (
            row[1] in annotation.properties
            and annotation.type == row[0]
            and selection.takes(annotation.type, *_ask(row))
        ):
            value = self.values[annotation.id][row[1]]
            properties = row[1], self._as_value(value, row, selection)
        return self._span(annotation), annotation.type, properties

    def _list_properties(
        self, annotation: Annotation, row: Row, selection: Selection
    ) -> Iterator[tuple[str, object]]:
        for name, value in self.values[annotation.id].items():
            if not value:
                continue
            asked = value if isinstance(value, str) else _REFERENCE
            if annotation.type == row[0] and not selection.takes(annotation.type, name, asked):
                continue
            if isinstance(value, str) or not selection.excludes(value.type):
                yield name, self._as_value(value, row, selection)

    def _as_value(self, value: Annotation | str, row: Row, selection: Selection) -> object:
        return self._as_unit(value, row, selection) if isinstance(value, Annotation) else value

    @cached_property
    def _spans(self) -> dict[str, object]:
        """Id to the span, of the annotations that a row counted before."""
        return {}

    def _span(self, annotation: Annotation) -> object:
        if annotation.id not in self._spans:
            self._spans[annotation.id] = self._find_span(annotation)
        return self._spans[annotation.id]

    def _find_span(self, annotation: Annotation) -> object:
        if annotation.kind != RELATION:
            return Fragments(annotation.fragments)
        spans = tuple(map(self._span, self._references(annotation)))
        return spans[0] if len(spans) == 1 else spans


def _ask(row: Row) -> Sequence[str]:
    """Return what the program asks its selection for, beside the type."""
    if len(row) == 1:
        return ANY, ANY
    if row[1] == SPAN:
        return (ANY,)
    return row[1:] if len(row) == _VALUED else (row[1], ANY)


def find_links(units: Iterable[Unit]) -> tuple[list[Link], list[Unit]]:
    """Return units as links for the closure, and the units whose values are no relations of time.

    Raises:
        InputError: a unit is no link between two annotations with one property; the program stops.
    """
    links, others = [], []
    for unit in units:
        span, type_, value = unit
        if not (isinstance(span, tuple) and len(span) == 2):  # noqa: PLR2004
            raise InputError(
                "temporal closure requires links between two annotations", remedy=_REMEDY
            )
        if not isinstance(value, tuple) or len(value) != 2:  # noqa: PLR2004
            raise InputError("temporal closure requires a single property", remedy=_REMEDY)
        if value[1] in RELATIONS:
            links.append(Link(span[0], span[1], value[1], (type_, value[0])))
        else:
            others.append(unit)
    return links, others
