"""The annotations of Clinical TempEval, from Anafora's files to columns of mentions and links.

A relation of the type TLINK is a link with its property Type as label. A relation of another type
that has a source and a target is one too, with a label such as ``ALINK:CONTINUES``.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path

import numpy as np

from clineval.base.arrays import Coded
from clineval.base.errors import InputError, located, raise_all, shown, warn
from clineval.base.files import Source, find_path, name_path
from clineval.base.progress import track
from clineval.formats.anafora import (
    ENTITY,
    RELATION,
    Annotation,
    Annotations,
    Folder,
    list_folders,
    parse,
)
from clineval.formats.files import check_new_id, open_strings
from clineval.kinds.mentions.columns import Side
from clineval.kinds.mentions.mention import Fragment, sort_fragments
from clineval.kinds.relations.columns import RelatedSide, RelationColumns
from clineval.results.columns import MentionColumns
from clineval.results.slots import INVENTED, Slot

EVENT, TIMEX3, TLINK, CONTAINS = "EVENT", "TIMEX3", "TLINK", "CONTAINS"
SOURCE, TYPE, TARGET = "Source", "Type", "Target"
VALUES = {
    "DocTimeRel": ("BEFORE", "OVERLAP", "AFTER", "BEFORE/OVERLAP"),
    "Type": ("N/A", "ASPECTUAL", "EVIDENTIAL"),
    "Degree": ("N/A", "MOST", "LITTLE"),
    "Polarity": ("POS", "NEG"),
    "ContextualModality": ("ACTUAL", "HYPOTHETICAL", "HEDGED", "GENERIC"),
    "ContextualAspect": ("N/A", "NOVEL", "INTERMITTENT"),
    "Permanence": ("UNDETERMINED", "FINITE", "PERMANENT"),
    "Class": ("DATE", "TIME", "DURATION", "QUANTIFIER", "PREPOSTEXP", "SET"),
}
"""The properties of entities, and their values in THYME; the last one is that of times."""
LABEL = Slot("label", "label", required=True)
SLOTS = {name: Slot(name.lower(), "label") for name in VALUES}
"""Property to the slot of mentions that holds it."""
_NOWHERE = ((0, 0),)
_UNKNOWN = Annotation("", ENTITY, INVENTED, None, {})
_SPELLING = "spelling"


@dataclass(frozen=True)
class Written:
    """The annotations of a document.

    Args:
        annotations: the annotations.
    """

    annotations: Annotations

    @cached_property
    def entities(self) -> list[Annotation]:
        """The entities, in the order of the file."""
        return [each for each in self.annotations.values() if each.kind == ENTITY]

    @cached_property
    def links(self) -> list[Annotation]:
        """The relations that are links, in the order of the file."""
        return [
            each
            for each in self.annotations.values()
            if each.kind == RELATION
            and (each.type == TLINK or {SOURCE, TARGET} <= each.properties.keys())
        ]

    def check(self) -> Written:
        """Return the same document.

        Raises:
            InputError: an entity has no valid span, or a link leads to a relation; the message
                names the line.
        """
        for entity in self.entities:
            [(start, end), *more] = entity.fragments or _NOWHERE
            if more or not 0 <= start < end:
                located(entity.where, sort_fragments, entity.fragments)
        for link in self.links:
            for name in (SOURCE, TARGET):
                other = self.annotations.get(link.properties.get(name, ""))
                if other and other.kind == RELATION:
                    problem = f"{name}: expected the id of an entity, got the id of a relation"
                    raise InputError(problem, where=link.where)
        return self


def parse_pattern(given: object) -> str:
    """Return a regular expression for names of files.

    Raises:
        InputError: it is not a regular expression.
    """
    try:
        re.compile(given)  # type: ignore[call-overload]
    except (TypeError, re.error):
        raise InputError(
            f"expected a regular expression, got {shown(given)}", where="xml_names"
        ) from None
    return str(given)


def read_folders(
    source: Source, pattern: str, *, gold: bool
) -> tuple[list[str] | None, Iterable[Written]]:
    """Read the folders of documents, which have one file each, or the XML of one document.

    Raises:
        InputError: there is no such folder, a folder has several files, two folders have the same
            name, or a file is invalid; the message names file and line.
    """
    path = find_path(source, "<")
    if path is None:
        return None, read_strings([str(source)])
    folders = _find_folders(path, pattern, gold=gold)
    if not folders:
        raise InputError(
            "expected a folder for each document, with Anafora's XML",
            where=name_path(path),
            remedy="Give the folder that contains the folders of the documents",
        )
    places: dict[str, str] = {}
    for folder in folders:
        check_new_id(places, folder.name, folder.label)
    return [folder.name for folder in folders], _read_each(track(folders, "reading"))


def _find_folders(path: Path, pattern: str, *, gold: bool) -> Sequence[Folder]:
    """Find folders with fitting files; a system's files may have other names."""
    folders = list_folders(path, pattern)
    fitting = {folder.below for folder in folders}
    others = [folder for folder in list_folders(path) if folder.below not in fitting]
    if not gold:
        return [*folders, *others]
    warn(
        "{n} {folder has|folders have} no file that fits, and {is|are} no documents: {names}",
        [folder.below for folder in others],
    )
    return folders


def _read_each(folders: Iterable[Folder]) -> Iterator[Written]:
    """Yield the documents of folders one by one, and then raise all errors."""
    errors: list[InputError] = []
    for folder in folders:
        try:
            yield _read_folder(folder)
        except InputError as error:
            errors.append(error)
    raise_all(errors)


def _read_folder(folder: Folder) -> Written:
    if len(folder.files) > 1:
        raise InputError(
            f"expected one file, got {len(folder.files)}",
            where=folder.label,
            remedy="Choose it by a regular expression, such as --xml-names Temporal-Relation",
        )
    return Written(parse(folder.open(folder.files[0]))).check()


def read_strings(texts: Sequence[str]) -> list[Written]:
    """Read the XML of each document."""
    return [Written(parse(file)).check() for file in open_strings(texts)]


def as_related(
    names: Sequence[str] | None,
    documents: Iterable[Written],
    side: str,
    clean: Callable[[str], str] = str.strip,
) -> RelatedSide:
    """Return annotations as columns.

    An end of a link that is no entity becomes a mention without a place, which equals no other one.

    Args:
        names: the names of the documents; None if they have none.
        documents: the annotations of each document.
        side: ``predictions`` or ``references``.
        clean: returns the form in which labels and values are compared.
    """
    columns: dict[str, list[str]] = {name: [] for name in (LABEL.name, *SLOTS, _SPELLING)}
    spans: list[Sequence[Fragment]] = []
    sizes: list[int] = []
    links: list[list[str]] = []
    ends: list[int] = []
    for document in documents:
        entities = [*document.entities]
        rows = {entity.id: row for row, entity in enumerate(entities, len(spans))}
        for link in document.links:
            for name in (SOURCE, TARGET):
                ends.append(rows.get(link.properties.get(name, ""), len(spans) + len(entities)))
                if ends[-1] == len(spans) + len(entities):
                    entities.append(_UNKNOWN)
        links.append([name_link(link) for link in document.links])
        columns[LABEL.name] += (entity.type for entity in entities)
        for name in SLOTS:
            columns[name] += (entity.properties.get(name, "") for entity in entities)
        columns[_SPELLING] += (
            f"{INVENTED} {row} ({side})" if entity is _UNKNOWN else ""
            for row, entity in enumerate(entities, len(spans))
        )
        spans += (entity.fragments or _NOWHERE for entity in entities)
        sizes.append(len(entities))
    warn(
        "{n} {end of a link is|ends of links are} no entity of the file, so that the link counts "
        "as wrong",
        n=columns[LABEL.name].count(INVENTED),
    )
    coded = {name: _clean(Coded.of(values), clean) for name, values in columns.items()}
    numbers = np.repeat(np.arange(len(sizes)), np.array(sizes, np.int64))
    attributes = {name.lower(): coded[name] for name in (LABEL.name, *SLOTS)}
    mentions = MentionColumns.of(numbers, spans, attributes)
    if any(coded[_SPELLING].values):
        mentions = replace(mentions, spelling=coded[_SPELLING])
    related = RelationColumns.of(
        list(map(len, links)),
        [label for labels in links for label in labels],
        list(zip(ends[::2], ends[1::2], strict=True)),
    )
    keys = None if names is None else tuple(names)
    own = Side(("",) * len(links) if keys is None else keys, keys, mentions)
    return RelatedSide(own, replace(related, label=_clean(related.label, clean)))


def _clean(column: Coded, clean: Callable[[str], str]) -> Coded:
    return column.fold(clean, tuple(dict.fromkeys(map(clean, column.values))))


def name_link(link: Annotation) -> str:
    """Return the label of a link."""
    value = link.properties.get(TYPE, "")
    return value if link.type == TLINK else f"{link.type}:{value}"


def as_written(side: RelatedSide) -> list[Written]:
    """Return the annotations of each document as Anafora's files would hold them."""
    mentions, relations = side.side.mentions, side.relations
    found: list[dict[str, Annotation]] = [{} for _ in side.side.documents]
    columns = {
        name: [column.values[at] for at in column.ids.tolist()]
        for name, column in mentions.attributes.items()
    }
    ends = zip(mentions.starts.tolist(), mentions.ends.tolist(), strict=True)
    fragments = [f"{start},{end}" for start, end in ends]
    bounds = mentions.bounds.tolist()
    for row, number in enumerate(mentions.document.tolist()):
        values = {name: columns[slot.name][row] for name, slot in SLOTS.items()}
        properties = {name: value for name, value in values.items() if value}
        span = ";".join(fragments[bounds[row] : bounds[row + 1]])
        label = columns[LABEL.name][row]
        found[number][str(row)] = Annotation(str(row), ENTITY, label, span, properties)
    labels = [relations.label.values[at] for at in relations.label.ids.tolist()]
    ends = zip(relations.source.tolist(), relations.target.tolist(), strict=True)
    for row, (source, target) in enumerate(ends):
        type_, _, value = labels[row].rpartition(":")
        properties = {SOURCE: str(source), TYPE: value, TARGET: str(target)}
        link = Annotation(f"R{row}", RELATION, type_ or TLINK, None, properties)
        found[relations.document[row]][link.id] = link
    return list(map(Written, found))
