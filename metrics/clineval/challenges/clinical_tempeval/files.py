"""The annotations of Clinical TempEval, from Anafora's files to columns of mentions and links.

A relation of the type TLINK is a link with its property Type as label. A relation of another type
that has a source and a target is one too, with a label such as ``ALINK:CONTINUES``.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial
from pathlib import Path

import numpy as np

from clineval.base.arrays import Coded
from clineval.base.errors import InputError, located, read_all, shown, warn
from clineval.base.files import Source, find_path, name_path
from clineval.base.progress import track
from clineval.challenges.clinical_tempeval.anafora import (
    ENTITY,
    FILES,
    RELATION,
    Annotation,
    Annotations,
    Folder,
    list_documents,
    parse,
)
from clineval.challenges.clinical_tempeval.anafora_documents import (
    ENDS,
    SOURCE,
    TARGET,
    TYPE,
    name_relation,
    split_label,
)
from clineval.formats.files import check_new_id, open_strings
from clineval.kinds.mentions.columns import Side
from clineval.kinds.mentions.mention import Fragment, sort_fragments
from clineval.kinds.relations.columns import RelatedSide, RelationColumns
from clineval.results.columns import MentionColumns
from clineval.results.match import NONE
from clineval.results.slots import INVENTED, Slot

EVENT, TIMEX3, TLINK, CONTAINS = "EVENT", "TIMEX3", "TLINK", "CONTAINS"
_ASPECTS = ("INITIATES", "CONTINUES", "REINITIATES", "TERMINATES")
LINKS = (
    *(CONTAINS, "BEFORE", "OVERLAP", "BEGINS-ON", "ENDS-ON"),
    *(f"ALINK:{aspect}" for aspect in _ASPECTS),
)
"""The labels of links in THYME; only containers are scored."""
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
_COLUMNS = (LABEL.name, *SLOTS)


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


def read_folders(source: Source, pattern: str, side: str) -> RelatedSide:
    """Read the folders of documents, which have one file each, or the XML of one document.

    Raises:
        InputError: there is no such folder, a folder has several files, two folders have the same
            name, or a file is invalid; the message names file and line.
    """
    path = find_path(source, "<")
    if path is None:
        return read_strings([str(source)], side)
    folders = _find_folders(path, pattern, gold=side == "references")
    if not folders:
        raise InputError(
            "expected a folder for each document, with Anafora's XML",
            where=name_path(path),
            remedy="Give the folder that contains the folders of the documents",
        )
    places: dict[str, str] = {}
    for folder in folders:
        check_new_id(places, folder.name, f"{folder.label}/{folder.files[0]}")
    columns, unread = Columns(side), list[str]()
    read_all(partial(_add_folder, columns, unread, folder) for folder in track(folders, "reading"))
    warn("{n} {text is|texts are} not UTF-8, and {is|are} not shown: {names}", unread)
    return columns.finish([*places])


def _find_folders(path: Path, pattern: str, *, gold: bool) -> Sequence[Folder]:
    """Find folders with fitting files; a system's files may have other names."""
    folders = list_documents(path, pattern)
    if gold or pattern == FILES:
        return folders
    fitting = {folder.below for folder in folders}
    return [*folders, *(folder for folder in list_documents(path) if folder.below not in fitting)]


def _add_folder(columns: Columns, unread: list[str], folder: Folder) -> None:
    if len(folder.files) > 1:
        raise InputError(
            f"expected one file, got {len(folder.files)}",
            where=folder.label,
            remedy="Choose it by a regular expression, such as --xml-names Temporal-Relation",
        )
    text = None
    try:
        text = folder.read_text()
    except InputError:  # no score depends on it
        unread.append(folder.name)
    columns.add(Written(parse(folder.open(folder.files[0]))), text)


def read_strings(texts: Sequence[str], side: str) -> RelatedSide:
    """Read the XML of each document."""
    columns = Columns(side)
    for file in open_strings(texts):
        columns.add(Written(parse(file)))
    return columns.finish(None)


class Columns:
    """Mentions and links as columns, to which documents are added.

    An end of a link that is no entity becomes a mention without a place, which equals no other one.

    Args:
        side: ``predictions`` or ``references``.
        strict: whether to reject invalid spans and links to relations, and to strip blanks around
            values.
    """

    def __init__(self, side: str, *, strict: bool = True) -> None:
        self._side, self._strict = side, strict
        self._spans: list[Sequence[Fragment]] = []
        self._values: dict[str, list[str]] = {name: [] for name in _COLUMNS}
        self._sizes: list[int] = []
        self._texts: list[str | None] = []
        self._links: list[str] = []
        self._link_counts: list[int] = []
        self._ends: list[tuple[int, int]] = []

    def add(self, document: Written, text: str | None = None) -> None:
        """Add the entities, the links and the text of a document.

        Raises:
            InputError: a span is invalid, or a link leads to a relation; the message names the
                line.
        """
        entities, links, first = [*document.entities], document.links, len(self._spans)
        spans = [*map(self._read_span, entities)]
        rows = {entity.id: row for row, entity in enumerate(entities, first)}
        for link in links:
            ends = [rows.get(link.properties.get(name, ""), NONE) for name in ENDS]
            for at, row in enumerate(ends):
                if row == NONE:
                    self._judge_end(document, link, ENDS[at])
                    ends[at] = first + len(entities)
                    entities.append(_UNKNOWN)
            self._ends.append((ends[0], ends[1]))
        self._spans += spans + [_NOWHERE] * (len(entities) - len(spans))
        self._sizes.append(len(entities))
        self._texts.append(text)
        self._links += (name_relation(link, TLINK) for link in links)
        self._link_counts.append(len(links))
        self._values[LABEL.name] += [entity.type for entity in entities]
        for name in SLOTS:
            self._values[name] += [entity.properties.get(name, "") for entity in entities]

    def _read_span(self, entity: Annotation) -> Sequence[Fragment]:
        fragments = entity.fragments
        if not self._strict:
            return fragments or _NOWHERE
        if len(fragments) == 1 and 0 <= fragments[0][0] < fragments[0][1]:  # the usual case
            return fragments
        return located(entity.where, sort_fragments, fragments)

    def _judge_end(self, document: Written, link: Annotation, name: str) -> None:
        if self._strict and link.properties.get(name) in document.annotations:
            problem = f"{name}: expected the id of an entity, got the id of a relation"
            raise InputError(problem, where=link.where)

    def finish(self, names: Sequence[str] | None) -> RelatedSide:
        """Return the columns.

        Args:
            names: the names of the documents; None if they have none.
        """
        documents = np.repeat(np.arange(len(self._sizes)), np.array(self._sizes, np.int64))
        attributes = {name.lower(): self._code(values) for name, values in self._values.items()}
        mentions = self._mark(MentionColumns.of(documents, self._spans, attributes))
        keys = None if names is None else tuple(names)
        shown = ("",) * len(self._sizes) if keys is None else keys
        texts = tuple(self._texts) if any(text is not None for text in self._texts) else ()
        side = Side(shown, keys, mentions, texts)
        links = RelationColumns.of(self._link_counts, self._links, self._ends)
        return RelatedSide(side, replace(links, label=self._code(self._links)))

    def _code(self, values: Sequence[str]) -> Coded:
        column = Coded.of(values)
        if not self._strict:
            return column
        return column.fold(str.strip, tuple(dict.fromkeys(map(str.strip, column.values))))

    def _mark(self, mentions: MentionColumns) -> MentionColumns:
        """Give each end that is no entity a spelling of its own."""
        labels = self._values[LABEL.name]
        unknown = labels.count(INVENTED)
        warn(
            "{n} {end of a link is|ends of links are} no entity of the file, so that the link "
            "counts as wrong",
            n=unknown if self._strict else 0,
        )
        if not unknown:
            return mentions
        spelling = [
            f"{INVENTED} {row} ({self._side})" if label == INVENTED else ""
            for row, label in enumerate(labels)
        ]
        return replace(mentions, spelling=Coded.of(spelling))


def as_related(names: Sequence[str] | None, documents: Iterable[Written], side: str) -> RelatedSide:
    """Return annotations as columns, as they are written."""
    columns = Columns(side, strict=False)
    for document in documents:
        columns.add(document)
    return columns.finish(names)


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
        type_, value = split_label(labels[row], TLINK)
        properties = {SOURCE: str(source), TYPE: value, TARGET: str(target)}
        link = Annotation(f"R{row}", RELATION, type_, None, properties)
        found[relations.document[row]][link.id] = link
    return list(map(Written, found))
