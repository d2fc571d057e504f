"""Tables of relations between given mentions as a format of documents."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby
from pathlib import Path

from clineval.base.errors import InputError, called
from clineval.base.files import make_directory, write_file
from clineval.formats.argument_tables import (
    ENTITIES,
    GOLD,
    RELATIONS,
    Files,
    read_entities,
    read_links,
    read_texts,
    write_relations,
)
from clineval.formats.by_name import Format
from clineval.formats.writing import name_file
from clineval.kinds.mentions.mention import Document, Mention, Relation


def read_documents(path: Path) -> list[Document]:
    """Read a folder with a file of entities and a file of relations.

    Raises:
        InputError: a file is missing or invalid.
    """
    files = Files.find(path, (GOLD, RELATIONS), None)
    mentions: dict[str, list[Mention]] = {}
    for of in read_entities(files.need_entities()):
        mention = Mention([(of.start, of.end)], None, {"label": of.label}, id=of.id, coded=False)
        mentions.setdefault(of.document, []).append(mention)
    texts = read_texts(files.texts)
    links = sorted(read_links(files.relations), key=lambda link: link.document)
    related = {
        name: [Relation(of.label, of.first, of.second) for of in group]
        for name, group in groupby(links, key=lambda link: link.document)
    }
    for name in sorted(related.keys() - mentions.keys())[:1]:
        raise InputError("the document has relations and no entities", where=called(name))
    return [
        Document(name, of, texts.get(name), related.get(name, ())) for name, of in mentions.items()
    ]


def write_documents(documents: Sequence[Document], path: Path) -> None:
    """Write a folder with entities and relations, or a file NAME.tsv of relations alone."""
    rows = {
        name_file(str(document.id), "document"): [
            (of.label, of.source, of.target) for of in document.relations
        ]
        for document in documents
    }
    if path.suffix == ".tsv":
        write_file(path, write_relations(rows))
        return
    make_directory(path)
    write_file(path / "relations.tsv", write_relations(rows))
    write_file(path / "entities.tsv", "".join(_list_lines(documents)))


def _list_lines(documents: Sequence[Document]) -> Iterator[str]:
    for document in documents:
        for mention in document.mentions:
            if mention.id is None or len(mention.spans) > 1:
                problem = "the format needs an id and one fragment for each mention"
                raise InputError(problem, where=f"document {called(str(document.id))}")
            [(start, end)] = mention.spans
            words = " ".join((document.text or "")[start:end].split())
            label = mention.slots.get("label", "")
            yield f"{document.id}\t{mention.id}\t{label}\t{start}\t{end}\t{words}\n"


FORMATS = {
    "relations": Format(
        "tables of entities and of relations between them, as in DrugProt",
        lambda path, _: read_documents(path),
        write_documents,
        ("slots", "relations"),
        files={ENTITIES: b""},
    )
}
