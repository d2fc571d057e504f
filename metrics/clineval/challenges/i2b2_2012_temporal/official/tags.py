"""Read tags line by line with regular expressions, as the i2b2 2012 program does.

Attributes have one order, with a blank before ``/>``. The text of the note is never read, and
entities such as ``&amp;`` stay as written. Names in brackets are cases of the oracle's notes.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from clineval.base.errors import InputError

_PUNCTUATION = frozenset(
    b", . ? ! \" ' < > ; : / \\ ~ _ - + = ( ) [ ] { } | @ # $ % ^ & * ` &apos; &amp; &quot; "
    b"&gt; &lt;".split()
)
_WHOLE = re.compile(rb"\s*[-+]?\d+\s*\Z")
_WORD = re.compile(rb"\w")


def _attributes(*names: str) -> re.Pattern[bytes]:
    return re.compile((r"\s+".join(f'{name}="([^"]*)"' for name in names) + r"\s+/>").encode())


_PLACE = ("id", "start", "end", "text")
_EVENT = _attributes(*_PLACE, "modality", "polarity", "type")
_TIME = _attributes(*_PLACE, "type", "val", "mod")
_LINK = _attributes("id", "fromID", "fromText", "toID", "toText", "type")


@dataclass(frozen=True, slots=True)
class Entity:
    """An event or a time.

    Args:
        id: its id.
        start, end: its offsets.
        words: the words of its text, without those that are a punctuation mark.
        spoken: whether its text has a letter, a digit or ``_``; without, it matches nothing [i07].
        attributes: its attributes, in capitals [i13, v14].
    """

    id: str
    start: int
    end: int
    words: tuple[bytes, ...]
    spoken: bool
    attributes: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Link:
    """A link as written: its id, the ids of its ends, and its type."""

    id: str
    source: str
    target: str
    type: str


@dataclass(frozen=True, slots=True)
class Tags:
    """The lines of a file.

    Args:
        name: the file, for messages.
        lines: its lines.
    """

    name: str
    lines: Sequence[bytes]

    @classmethod
    def of(cls, name: str, content: bytes) -> Tags:
        """Split a file into lines."""
        return cls(name, content.split(b"\n"))

    def list_events(self) -> list[Entity]:
        """List the events: type, polarity and modality."""
        events = self._list_entities(b"<EVENT", _EVENT)
        return [replace(event, attributes=event.attributes[::-1]) for event in events]

    def list_times(self) -> list[Entity]:
        """List the times: type, value and modifier."""
        return self._list_entities(b"<TIMEX3", _TIME)

    def list_links(self) -> list[Link]:
        """List the links."""
        return [Link(*map(_decode, (found[0], found[1], found[3], found[5])))
                for found in self._list_tags(b"<TLINK", _LINK)]  # fmt: skip

    def _list_entities(self, tag: bytes, pattern: re.Pattern[bytes]) -> list[Entity]:
        entities: dict[bytes, Entity] = {}
        for found in self._list_tags(tag, pattern):
            if found[0] not in entities:  # an id that comes again is dropped [i15]
                entities[found[0]] = self._entity(found)
        return [*entities.values()]

    def _list_tags(self, tag: bytes, pattern: re.Pattern[bytes]) -> Iterable[Sequence[bytes]]:
        for number, line in enumerate(self.lines, 1):
            if tag in line:
                found = pattern.search(line)
                if not found:  # [i17, i17b]
                    problem = f"the program stops at the form of the tag {tag[1:].decode()}"
                    raise InputError(problem, where=f"{self.name}:{number}", remedy=_REMEDY)
                yield found.groups()

    def _entity(self, found: Sequence[bytes]) -> Entity:
        name, start, end, text, *attributes = found
        if not (_WHOLE.match(start) and _WHOLE.match(end)):  # [i17c]
            problem = "the program stops at an offset that is not a whole number"
            raise InputError(problem, where=self.name, remedy="Correct the offset")
        words = tuple(word for word in text.split() if word not in _PUNCTUATION)
        values = tuple(value.upper().decode("latin-1") for value in attributes)
        spoken = _WORD.search(text) is not None
        return Entity(_decode(name), int(start), int(end), words, spoken, values)


_REMEDY = "Write the attributes in the order of the challenge, with a blank before />"


def _decode(value: bytes) -> str:
    return value.decode("utf-8", "replace")
