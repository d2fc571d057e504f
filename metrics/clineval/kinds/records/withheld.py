"""Hide words of notes, which fields of records may repeat, on a page without texts."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial

from clineval.base.errors import agree
from clineval.kinds.records.fields import Field
from clineval.kinds.records.values import INVALID

_CODE = re.compile(r"(?=[^0-9]*[0-9])[A-Z0-9][A-Z0-9.:_-]{0,31}", re.ASCII)


@dataclass(frozen=True, slots=True)
class Withholder:
    """Replaces every text that could contain a word of a note by its number and its length.

    Numbers, true, false, codes (capitals and digits without spaces), lists of these, and the values
    that the challenge declares stay unchanged. The texts of a field are numbered in their order, so
    that equal texts stay equal.

    Args:
        kinds: name of a field to its kind (see :class:`Field`).
        declared: name of a field to whether the challenge declares a text as its value.
        numbers: the withheld texts, by field and text.

    Examples:
        >>> kind = Field("kind", "closed", ("lab", "drug"))
        >>> withholder = Withholder.of([Field("id", "label"), kind, Field("value", "value")])
        >>> withholder.shorten(["id", "kind", "value"], ["C12", "lab", '"left knee"'])
        ('C12', 'lab', 'text 1 (9 characters withheld)')
        >>> withholder.shorten(["id", "kind", "value"], ["aspirin", "(invalid)", "88"])
        ('text 1 (7 characters withheld)', '(invalid)', '88')
    """

    kinds: Mapping[str, str]
    declared: Mapping[str, Callable[[str], bool]]
    numbers: dict[str, dict[str, int]] = field(default_factory=dict)

    @classmethod
    def of(cls, fields: Iterable[Field]) -> Withholder:
        """Create one for some fields.

        Among fields with one name, the first has the kind, and each declares values.
        """
        named: dict[str, list[Field]] = {}
        for declared_field in fields:
            named.setdefault(declared_field.name, []).append(declared_field)
        kinds = {name: same[0].kind for name, same in named.items()}
        return cls(kinds, {name: partial(_declare, same) for name, same in named.items()})

    def shorten(self, names: Sequence[str], texts: Sequence[str]) -> tuple[str, ...]:
        """Return the fields of a record without words.

        Args:
            names: the names of the fields.
            texts: their texts, as they were read.
        """
        return tuple(map(self._shorten, names, texts))

    def _shorten(self, name: str, text: str) -> str:
        if text in ("", INVALID):
            return text
        kept = self._keep(name, text)
        if kept is not None:
            return kept
        numbers = self.numbers.setdefault(name, {})
        number = numbers.setdefault(text, len(numbers) + 1)
        opened = _open(text)
        size = len(opened if isinstance(opened, str) else text)
        return f"text {number} ({agree('{n} {character|characters}', size)} withheld)"

    def _keep(self, name: str, text: str) -> str | None:
        """Return a text to show; None if it could contain a word of a note."""
        kind = self.kinds.get(name)
        bare = text.strip('"')  # some programs compare labels as they are written in JSON
        declares = self.declared.get(name)
        if kind == "number" or (kind != "words" and declares and declares(bare)):
            return bare
        if kind in ("label", "closed"):
            return bare if _CODE.fullmatch(bare) else None
        if kind not in ("set", "value"):
            return None
        opened = _open(text)
        members = opened if isinstance(opened, list) else [opened]
        if not all(_is_code(member, strings=kind == "set") for member in members):
            return None
        return text if kind == "value" else ", ".join(map(str, members))


def _declare(fields: Iterable[Field], text: str) -> bool:
    return any(declared_field.declares(text) for declared_field in fields)


def _open(text: str) -> object:
    """Parse JSON; return the text itself if it is not JSON."""
    try:
        return json.loads(text)
    except ValueError:
        return text


def _is_code(member: object, *, strings: bool) -> bool:
    if isinstance(member, str):
        return strings and _CODE.fullmatch(member) is not None
    return member is None or isinstance(member, (bool, int, float))
