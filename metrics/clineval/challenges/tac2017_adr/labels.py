"""Read the XML of TAC 2017 ADR: the sections, mentions, relations and reactions of drug labels.

A file has one label. Its root ``Label`` has exactly the children ``Text`` (with ``Section``
elements), ``Mentions``, ``Relations`` and ``Reactions`` (``Reaction`` elements with
``Normalization`` elements), in this order. Offsets count characters in a section.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from itertools import chain
from typing import ClassVar, TypeVar

from clineval.base.errors import InputError, located, read_all, unknown_name
from clineval.base.offsets import read_whole
from clineval.formats.files import TextFile
from clineval.formats.parts import Parts
from clineval.formats.xml_elements import Element, read_elements
from clineval.results.slots import Slot

FILES = r"\.xml$"
TYPES = ("AdverseReaction", "Severity", "Factor", "DrugClass", "Negation", "Animal")
LABEL = Slot("label", "label", TYPES, required=True)
"""The type of a mention."""
RELATIONS = ("Hypothetical", "Effect", "Negated")
SECTIONS = ("adverse reactions", "warnings and precautions", "boxed warnings")
CHILDREN = {
    "Text": ("Section",),
    "Mentions": ("Mention",),
    "Relations": ("Relation",),
    "Reactions": ("Reaction", "Normalization"),
}
"""The children of the root in their order, and the names of the elements in each, nested."""
T = TypeVar("T")
Mention = tuple[str, Sequence[tuple[int, int]], str]
"""Type, fragments in the joined text, and the spelling of the fragments, if it matters."""


class LabelFile:
    """The file of one drug label. Methods that read an element raise an error if it is invalid.

    Args:
        file: the file.

    Raises:
        InputError: the structure of the file, or a section, is invalid.
    """

    stops: ClassVar[bool] = False
    """Whether invalid elements of predictions are errors, too."""

    def __init__(self, file: TextFile) -> None:
        self.label, self.name = file.label, file.stem
        every = read_elements(file, bool)
        self._judge_structure(every)
        names = chain.from_iterable(CHILDREN.values())
        self.elements = {name: [of for of in every if of.name == name] for name in names}
        self.texts: dict[str, str] = {}
        read_all(partial(self.locate, of, self._read_section) for of in self.elements["Section"])
        self.parts = Parts.of(self.texts)
        self.sections = [
            (of.attributes["id"], of.attributes["name"]) for of in self.elements["Section"]
        ]
        self.rows: dict[str, int] = {}
        self._ids = set[tuple[str, str]]()

    def where(self, element: Element) -> str:
        """Return the file and the line of an element."""
        return f"{self.label}:{element.line}"

    def locate(self, element: Element, read: Callable[[Element], T]) -> T:
        """Read an element; add file and line to the message of an error."""
        return located(self.where(element), read, element)

    def _judge_structure(self, elements: Sequence[Element]) -> None:
        """Reject other elements than those of a label, and another order."""
        root, *others = elements
        if root.name != "Label":
            raise InputError("expected the root Label", where=self.where(root))
        allowed = {
            ("Label", name, *inner[:depth])
            for name, inner in CHILDREN.items()
            for depth in (0, 1, 2)
        }
        for element in others:
            if element.path not in allowed:
                raise InputError(
                    "an element that a label cannot have here", where=self.where(element)
                )
        if [of.name for of in others if len(of.path) == 2] != [*CHILDREN]:  # noqa: PLR2004 - children
            problem = f"expected the elements {', '.join(CHILDREN)}, in this order"
            raise InputError(
                problem,
                where=self.where(root),
                remedy="Leave an element empty if there is nothing in it",
            )

    def _read_section(self, element: Element) -> None:
        of = element.attributes
        id_, name = of.get("id", ""), of.get("name", "")
        expect_id(id_, "S")
        if id_ in self.texts:
            raise InputError("two sections have this id")
        if name not in SECTIONS:
            raise unknown_name("section", name, SECTIONS)
        self.texts[id_] = element.text

    def judge_id(self, element: Element, start: str) -> None:
        """Reject an id without its prefix, or of an earlier element."""
        id_ = element.attributes.get("id", "")
        expect_id(id_, start)
        if (start, id_) in self._ids:
            raise InputError("an earlier element has this id")
        self._ids.add((start, id_))

    def register(self, element: Element, row: int) -> None:
        """Note the row of a mention, to which relations refer by its id."""
        self.rows.setdefault(element.attributes.get("id", ""), row)

    def read_mention(self, element: Element) -> Mention:
        """Read a mention."""
        of = element.attributes
        self.judge_id(element, "M")
        label = _expect_name(of, "type", TYPES)
        section = of.get("section", "")
        if section not in self.texts:
            raise InputError("section: no section has this id")
        return label, *self.read_fragments(of, section)

    def read_fragments(
        self, of: Mapping[str, str], section: str
    ) -> tuple[Sequence[tuple[int, int]], str]:
        """Read the fragments of a mention; return also their spelling, if it matters."""
        starts, lengths = (_read_numbers(of, name) for name in ("start", "len"))
        if len(starts) != len(lengths):
            raise InputError("expected as many numbers in start as in len")
        pairs = [*zip(starts, lengths, strict=True)]
        found = [self.parts.place(section, start, start + length) for start, length in pairs]
        self.judge_words(of, section, pairs)
        return found, ""

    def judge_words(
        self, of: Mapping[str, str], section: str, pairs: Sequence[tuple[int, int]]
    ) -> None:
        """Reject a ``str`` that differs from the text at starts and lengths."""
        texts = (self.texts[section][start : start + length] for start, length in pairs)
        words = " ".join(re.sub(r"\s+", " ", text) for text in texts)
        if of.get("str", words) != words:
            raise InputError("str differs from the text at these offsets")

    def read_relation(self, element: Element) -> tuple[str, int, int]:
        """Read a relation: its type, and the rows of its mentions."""
        of = element.attributes
        self.judge_id(element, "RL")
        label = _expect_name(of, "type", RELATIONS)
        source, target = (self._find_end(of, name) for name in ("arg1", "arg2"))
        if of["arg1"] == of["arg2"]:
            raise InputError("the relation connects a mention with itself")
        return label, source, target

    def _find_end(self, of: Mapping[str, str], name: str) -> int:
        if of.get(name) not in self.rows:
            raise InputError(f"{name}: no mention has this id")
        return self.rows[of[name]]

    def read_reaction(self, element: Element) -> str:
        """Read the string of a reaction."""
        self.judge_id(element, "AR")
        words = element.attributes.get("str", "")
        if not words or words != words.lower():
            raise InputError("str: expected a reaction in lower case")
        return words

    def read_term(self, element: Element) -> str:
        """Read a MedDRA term: its number, or else its name; empty if there is no term."""
        of = element.attributes
        id_ = of.get("id", "")
        expect_id(id_, "AR")
        if ".N" not in id_:
            raise InputError("id: expected the id of a reaction, .N and a number")
        if "meddra_pt" not in of and of.get("flag") != "unmapped":
            raise InputError("expected meddra_pt, or the flag unmapped")
        return self.take_code(of) if "meddra_pt" in of else ""

    def take_code(self, of: Mapping[str, str]) -> str:
        """Return the code of a term."""
        return of.get("meddra_pt_id", "") or of["meddra_pt"]


def expect_id(id_: str, start: str) -> None:
    """Reject an id with another beginning."""
    if not id_.startswith(start):
        raise InputError(f"id: expected an id that begins with {start}")


def _expect_name(of: Mapping[str, str], attribute: str, known: Sequence[str]) -> str:
    value = of.get(attribute, "")
    if value not in known:
        raise unknown_name(attribute, value, known)
    return value


def _read_numbers(of: Mapping[str, str], name: str) -> list[int]:
    written = of.get(name, "").split(",")
    if not all(piece.isascii() and piece.isdigit() for piece in written):
        raise InputError(f"{name}: expected whole numbers, with commas between them")
    return [*map(read_whole, written)]
