"""Anafora's folders as documents of mentions and relations.

A property is the slot of its name in lower case. A relation with a source and a target is a
relation; its label is its property Type, after its own type if that is not the usual one:
``ALINK:CONTINUES``.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from clineval.base.errors import InputError, agree, located, read_all, warn
from clineval.base.files import name_path
from clineval.base.progress import track
from clineval.challenges.clinical_tempeval.anafora import (
    ENTITY,
    RELATION,
    Annotation,
    Folder,
    list_documents,
    parse,
)
from clineval.formats.i2b2_xml_writing import check_characters
from clineval.formats.writing import name_files, write_files
from clineval.kinds.mentions.mention import Document, Mention, Relation

LABEL, SOURCE, TYPE, TARGET = "label", "Source", "Type", "Target"
ENDS = SOURCE, TARGET
_ESCAPES = str.maketrans({"&": "&amp;", "<": "&lt;", ">": "&gt;"})


def name_relation(relation: Annotation, usual: str) -> str:
    """Return the label of a relation.

    Args:
        relation: the relation.
        usual: the type whose relations have their property Type as label.
    """
    value = relation.properties.get(TYPE, "")
    return value if relation.type == usual else f"{relation.type}:{value}"


def split_label(label: str, usual: str) -> tuple[str, str]:
    """Return the type of a relation and its property Type.

    Examples:
        >>> split_label("CONTAINS", "TLINK"), split_label("ALINK:CONTINUES", "TLINK")
        (('TLINK', 'CONTAINS'), ('ALINK', 'CONTINUES'))
    """
    type_, _, value = label.rpartition(":")
    return type_ or usual, value


@dataclass(frozen=True)
class AnaforaDocuments:
    """Reads and writes documents.

    Args:
        properties: the names of properties as they are written; others begin with a capital.
        relation: the usual type of relations.
    """

    properties: Sequence[str]
    relation: str

    def read(self, path: Path, _texts: object = None) -> list[Document]:
        """Read a folder for each document, which has one file of annotations, and maybe its text.

        Raises:
            InputError: a folder has several files, or a file is invalid.
        """
        folders = list_documents(path)
        if not folders:
            problem = "expected a folder for each document, with Anafora's XML"
            raise InputError(problem, where=name_path(path))
        read = read_all(partial(self._read_folder, folder) for folder in folders)
        lost = sum(number for _, number in read)
        warn(
            "{n} {relation does|relations do} not connect two entities, and {is|are} left out",
            n=lost,
        )
        return [document for document, _ in read]

    def _read_folder(self, folder: Folder) -> tuple[Document, int]:
        """Return the document of a folder, and the number of relations that are left out."""
        if len(folder.files) > 1:
            problem = agree("expected one file, got {n}", len(folder.files))
            raise InputError(problem, where=folder.label)
        annotations = parse(folder.open(folder.files[0]))
        mentions = {
            each.id: located(each.where, self._as_mention, each)
            for each in annotations.values()
            if each.kind == ENTITY
        }
        others = [each for each in annotations.values() if each.kind == RELATION]
        relations = [
            Relation(name_relation(each, self.relation), *ends)
            for each in others
            for ends in [[each.properties.get(name, "") for name in ENDS]]
            if mentions.keys() >= {*ends}
        ]
        found = Document(folder.name, [*mentions.values()], folder.read_text(), relations)
        return found, len(others) - len(relations)

    def _as_mention(self, entity: Annotation) -> Mention:
        values = {name.lower(): value for name, value in entity.properties.items() if value}
        slots = {**values, LABEL: entity.type}
        return Mention(entity.fragments, slots=slots, id=entity.id, coded=False)

    def write(self, documents: Iterable[Document], path: Path) -> None:
        """Write a folder for each document, with its annotations, and its text if it is known.

        Raises:
            InputError: a document has no name, or holds something that the files cannot hold.
        """
        known = list(documents)
        names = name_files((document.id for document in known), "", without=".txt")
        formatted = [
            (name, self.format_document(document, name))
            for name, document in zip(names, track(known, "formatting"), strict=True)
        ]
        for (name, content), document in zip(formatted, track(known, "writing"), strict=True):
            texts = [] if document.text is None else [(name, document.text)]
            write_files(path / name, [(f"{name}.xml", content), *texts])

    def format_document(self, document: Document, name: str) -> str:
        """Format the annotations of a document."""
        ids = {
            at: mention.id or f"{at}@e@{name}@clineval"
            for at, mention in enumerate(document.mentions, 1)
        }
        if len({*ids.values()}) < len(ids):
            raise InputError("two mentions have the same 'id'", where=document.place)
        lines = [
            *(self._format_entity(each, ids[at]) for at, each in enumerate(document.mentions, 1)),
            *(
                self._format_relation(each, f"{at}@r@{name}@clineval")
                for at, each in enumerate(document.relations, 1)
            ),
        ]
        check_characters("".join(lines), document.place)
        body = "\n".join(lines)
        head = '<?xml version="1.0" encoding="UTF-8"?>'
        return f"{head}\n<data>\n<annotations>\n{body}\n</annotations>\n</data>\n"

    def _format_entity(self, mention: Mention, name: str) -> str:
        spans = ";".join(f"{start},{end}" for start, end in mention.spans)
        spellings = {known.lower(): known for known in self.properties}
        properties = {
            spellings.get(slot, slot.capitalize()): str(value)
            for slot, value in mention.slots.items()
            if slot != LABEL and value
        }
        return _format(ENTITY, name, str(mention.slots.get(LABEL, "")), properties, span=spans)

    def _format_relation(self, relation: Relation, name: str) -> str:
        type_, value = split_label(relation.label, self.relation)
        properties = {SOURCE: relation.source, TYPE: value, TARGET: relation.target}
        return _format(RELATION, name, type_, properties)


def _format(kind: str, name: str, type_: str, properties: Mapping[str, str], span: str = "") -> str:
    parts = {"id": name, **({"span": span} if span else {}), "type": type_}
    cells = "".join(_list_elements(parts))
    return f"<{kind}>{cells}<properties>{''.join(_list_elements(properties))}</properties></{kind}>"


def _list_elements(values: Mapping[str, str]) -> Iterator[str]:
    for name, value in values.items():
        yield f"<{name}>{value.translate(_ESCAPES)}</{name}>"
