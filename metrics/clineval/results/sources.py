"""Documents of other schemas, such as BigBIO, which kinds of annotation convert."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from clineval.results.tagged import Annotation


@dataclass(frozen=True, slots=True)
class Entity:
    """An entity.

    Args:
        id: its name in the document, which relations use.
        annotation: its fragments and its type; without fragments if the kind ignores them.
        codes: its codes.
        databases: the database of each code; empty if they are unknown.
    """

    id: str
    annotation: Annotation
    codes: Sequence[str] = ()
    databases: Sequence[str] = ()

    @property
    def full_codes(self) -> list[str]:
        """The codes with their databases.

        Examples:
            >>> Entity("", Annotation((), "Sign"), ["D1", "OMIM:2"], ["MESH", "OMIM"]).full_codes
            ['MESH:D1', 'OMIM:2']
        """
        if not self.databases:
            return list(self.codes)
        named = zip(self.databases, self.codes, strict=True)
        return [
            code if ":" in code or not database else f"{database}:{code}"
            for database, code in named
        ]


@dataclass(frozen=True, slots=True)
class Event:
    """An event.

    Args:
        trigger: its fragments and its type.
        arguments: the role of each argument, and the id of its entity.
    """

    trigger: Annotation
    arguments: Sequence[tuple[str, str]] = ()


@dataclass(frozen=True, slots=True, eq=False)
class Source:
    """A document of another schema.

    Args:
        where: its position, for messages.
        entities: its entities.
        relations: type, id of the first and of the second entity.
        events: its events.
        labels: the labels of the whole document.
        find_text: returns the text to which offsets refer; only this call raises an error.
        name: the document's name; None if it has none.
    """

    where: str
    entities: Sequence[Entity] = ()
    relations: Sequence[tuple[str, str, str]] = ()
    events: Sequence[Event] = ()
    labels: Sequence[str] = ()
    find_text: Callable[[], str] = str
    name: str | None = None

    @property
    def annotations(self) -> list[Annotation]:
        """The fragments and types of the entities."""
        return [entity.annotation for entity in self.entities]


Described = Mapping[str, object]
"""An annotation as the challenge takes it."""


def describe(annotation: Annotation, values: Described) -> dict[str, object]:
    """Return a mention as a dict: its fragments and its other values.

    Examples:
        >>> describe(Annotation(((0, 4),), "Sign"), {"label": "Sign"})
        {'spans': [[0, 4]], 'label': 'Sign'}
    """
    return {"spans": [list(span) for span in annotation.spans], **values}
