"""Drug labels as one side of a corpus: columns of mentions and relations, and sets of strings."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import TypeVar

from clineval.base.arrays import Coded
from clineval.base.errors import InputError, raise_all, read_all, warn
from clineval.base.files import Source
from clineval.challenges.tac2017_adr.labels import (
    FILES,
    LABEL,
    RELATIONS,
    TYPES,
    LabelFile,
    Mention,
)
from clineval.formats.files import TextFile, open_strings, read_text_files
from clineval.formats.given.forms import open_given
from clineval.formats.given.relations import read_items
from clineval.formats.xml_elements import Element
from clineval.kinds.codes.corpus import Row, as_side
from clineval.kinds.mentions.columns import Side
from clineval.kinds.records.values import INVALID
from clineval.kinds.relations.columns import RelatedSide, RelationColumns
from clineval.results.columns import MentionColumns

LISTS = ("reactions", "codes")
"""The sets of strings that a label has: its reactions, and their MedDRA terms."""
OTHER = "(unknown)"
"""The label of a prediction with an unknown type."""
T = TypeVar("T")


@dataclass(frozen=True, slots=True, eq=False)
class LabelSide(RelatedSide):
    """One side of a corpus of drug labels, read from files.

    Args:
        listed: the reactions and the codes of the same documents.
        sections: the ids and names of the sections of each document.
    """

    listed: Mapping[str, Side]
    sections: Sequence[Sequence[tuple[str, str]]]


def read_labels(
    given: object, side: str, open_file: Callable[[TextFile], LabelFile]
) -> RelatedSide:
    """Read one side: XML, JSON Lines, dicts, or Documents.

    Args:
        given: as for :func:`~clineval.formats.given.forms.open_given`.
        side: ``predictions`` or ``references``.
        open_file: opens the file of a label as the protocol does.
    """
    return open_given(
        given,
        side,
        RelatedSide,
        read_files=lambda source: read_label_files(source, side, open_file),
        read_items=lambda items: read_items(items, [LABEL], RELATIONS),
        read_strings=lambda strings: read(map(open_file, open_strings(strings)), side),
        lines_beside=FILES,
        separator="<",
    )


def read_label_files(
    source: Source, side: str, open_file: Callable[[TextFile], LabelFile]
) -> LabelSide:
    """Read a directory of XML, a file, or its text; see :func:`read_labels` for the arguments."""
    return read(open_labels(source, open_file), side)


def open_labels(source: Source, open_file: Callable[[TextFile], LabelFile]) -> list[LabelFile]:
    """Open the files of labels; raise the errors of all files at once."""
    files = read_text_files(source, pattern=FILES, separator="<")
    shown = (file for file in files if not (file.stem or "").startswith("."))
    return read_all(partial(open_file, file) for file in shown)


def read(labels: Iterable[LabelFile], side: str) -> LabelSide:
    """Read labels, and raise the errors of all elements of a gold standard at once.

    Invalid elements of predictions are spurious, with a warning: a mention moves beyond the text, a
    relation leads from a mention to itself, and a string becomes one that no gold standard has.

    Args:
        labels: the files.
        side: ``predictions`` or ``references``.
    """
    draft = Draft()
    for label in labels:
        draft.add(label)
    if side == "references" or any(label.stops for label in draft.labels):
        raise_all(draft.problems)
    warn(
        "{n} {prediction is|predictions are} invalid and {counts|count} as spurious. 'clineval "
        "validate' lists the problems: {names}",
        [problem.where for problem in draft.problems],
    )
    return draft.finish()


@dataclass(slots=True)
class Draft:
    """A side under construction."""

    labels: list[LabelFile] = field(default_factory=list)
    mentions: list[tuple[int, Mention]] = field(default_factory=list)
    relations: list[tuple[str, int, int]] = field(default_factory=list)
    sizes: list[int] = field(default_factory=list)
    listed: dict[str, list[Row]] = field(default_factory=lambda: {name: [] for name in LISTS})
    problems: list[InputError] = field(default_factory=list)

    def add(self, label: LabelFile) -> None:
        """Add the label of a file."""
        document, before = len(self.labels), len(self.relations)
        self.labels.append(label)
        for element in label.elements["Mention"]:
            found = self._read(label, element, label.read_mention)
            label.register(element, len(self.mentions))
            self.mentions.append((document, found or self._misplace(label, element)))
        for element in label.elements["Relation"]:
            link = self._read(label, element, label.read_relation)
            self.relations.append(link or self._mislead(label, element))
        self.sizes.append(len(self.relations) - before)
        for element in label.elements["Reaction"]:
            self._list("reactions", document, self._read(label, element, label.read_reaction))
        for element in label.elements["Normalization"]:
            self._list("codes", document, self._read(label, element, label.read_term))

    def _read(self, label: LabelFile, element: Element, read: Callable[[Element], T]) -> T | None:
        """Read an element; note its problem, and return None, if it is invalid."""
        try:
            return label.locate(element, read)
        except InputError as error:
            self.problems.append(error)
            return None

    def _misplace(self, label: LabelFile, element: Element) -> Mention:
        """Return an invalid mention, at a place beyond the text that no other mention has."""
        place = label.parts.beyond + len(self.mentions)
        type_ = element.attributes.get("type", "")
        return type_ if type_ in TYPES else OTHER, [(place, place + 1)], ""

    def _mislead(self, label: LabelFile, element: Element) -> tuple[str, int, int]:
        """Return an invalid relation, from a mention to itself."""
        if not label.rows:
            raise InputError(
                "a relation, although there are no mentions", where=label.where(element)
            )
        of = element.attributes
        ends = (label.rows.get(of.get(name, "")) for name in ("arg1", "arg2"))
        end = next((end for end in ends if end is not None), min(label.rows.values()))
        return of["type"] if of.get("type") in RELATIONS else OTHER, end, end

    def _list(self, name: str, document: int, found: str | None) -> None:
        """Add a string to a set; None is invalid, and an empty string is none."""
        rows = self.listed[name]
        if found != "":
            rows.append((document, f"{INVALID}{len(rows)}" if found is None else found, ()))

    def finish(self) -> LabelSide:
        """Return the side."""
        names = tuple(label.name or "" for label in self.labels)
        keys = names if all(names) else None
        types, spans, spelling = (
            zip(*(of for _, of in self.mentions), strict=True) if self.mentions else ((), (), ())
        )
        coded = {LABEL.name: Coded.of(types)}
        mentions = MentionColumns.of([document for document, _ in self.mentions], spans, coded)
        mentions = replace(mentions, spelling=Coded.of(spelling))
        return LabelSide(
            Side(names, keys, mentions, tuple(label.parts.text for label in self.labels)),
            RelationColumns.of(
                self.sizes, [of[0] for of in self.relations], [of[1:] for of in self.relations]
            ),
            {
                name: as_side(names, rows, by_name=keys is not None)
                for name, rows in self.listed.items()
            },
            [label.sections for label in self.labels],
        )
