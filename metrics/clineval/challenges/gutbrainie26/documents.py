"""The challenge's JSON as documents of mentions and relations, for ``clineval convert``."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path

from clineval.base.errors import InputError, called, located, read_all, warn
from clineval.base.files import write_file
from clineval.challenges.gutbrainie26.files import (
    LISTS,
    MENTIONS,
    NERD,
    PREDICATES,
    Item,
    expect,
    expect_list,
    expect_object,
    expect_word,
    list_documents,
    read_entity,
    read_parts,
)
from clineval.challenges.gutbrainie26.native import Entity, write_document
from clineval.formats.by_name import Format
from clineval.formats.parts import BETWEEN, Parts
from clineval.kinds.mentions.mention import Document, Mention, Relation
from clineval.kinds.relations.tuples import NO_CODE

Place = tuple[str, int, int]
"""The label and the offsets of an entity."""


def read_documents(path: Path) -> list[Document]:
    """Read mentions and the relations with offsets, which gold standards have.

    Relations without offsets are left out, with a warning, if a document has no others.

    Raises:
        InputError: names the file, the document and the place.
    """
    documents = list(list_documents(path))
    found = read_all(partial(_read_document, *named) for named in documents)
    without = [at for at, (_, given, _) in enumerate(documents) if not _list(given, "relations")]
    unplaced = sum(len(_list(documents[at][1], *LISTS[MENTIONS])) for at in without)
    warn("{n} {relation has|relations have} no offsets and {is|are} left out", n=unplaced)
    return found


def _read_document(name: str | None, given: object, where: str) -> Document:
    held = located(where, expect_object, given)
    parts = located(where, read_parts, held)
    if parts.text is None:
        raise InputError(
            "expected metadata with title and abstract, because offsets restart in each of them",
            where=where,
        )
    found = enumerate(_list(held, LISTS[NERD][0]), 1)
    entities = read_all(
        partial(located, f"{where}, entity {at}", _read, parts, given) for at, given in found
    )
    ids = {item: f"T{number}" for number, item in enumerate(dict.fromkeys(entities), 1)}
    places = {(item.label, item.start, item.end): id_ for item, id_ in reversed(ids.items())}
    links = _list(held, "relations")
    relations = read_all(
        partial(located, f"{where}, relation {at}", _read_link, parts, places, given)
        for at, given in enumerate(links, 1)
    )
    mentions = [_as_mention(item, id_) for item, id_ in ids.items()]
    return Document(name, mentions, parts.text, relations)


def _list(given: object, *names: str) -> Sequence[object]:
    held = expect_object(given)
    return next((expect_list(held[name], name) for name in names if name in held), ())


def _read(parts: Parts, entity: object) -> Item:
    return read_entity(NERD, parts, {"uri": None, **expect_object(entity)})


def _as_mention(item: Item, id_: str) -> Mention:
    code = {} if item.value == NO_CODE else {"code": item.value}
    slots = {"label": item.label, **code}
    return Mention([(item.start, item.end)], slots=slots, id=id_, coded=False)


def _read_link(parts: Parts, ids: Mapping[Place, str], relation: object) -> Relation:
    held = expect_object(relation)
    predicate = expect_word(held, "predicate", PREDICATES)
    ends = (_find_end(parts, ids, held, side) for side in ("subject", "object"))
    return Relation(predicate, *ends)


def _find_end(parts: Parts, ids: Mapping[Place, str], held: Mapping[str, object], side: str) -> str:
    """Return the id of the first entity at one end of a relation."""
    names = ("start_idx", "end_idx", "location", "text_span", "label")
    end = _read(parts, {name: expect(held, f"{side}_{name}") for name in names})
    if found := ids.get((end.label, end.start, end.end)):
        return found
    raise InputError(f"the {side} of the relation is not an entity")


def write_documents(documents: Sequence[Document], path: Path) -> None:
    """Write documents to one file, with the lists of all subtasks.

    Raises:
        InputError: a document has no text, or a mention is neither in its first line, the title,
            nor in the rest.
    """
    read = {of.id or str(at): _as_native(of) for at, of in enumerate(documents)}
    write_file(path, json.dumps(read, ensure_ascii=False, indent=1) + "\n")


def _as_native(document: Document) -> dict[str, object]:
    where = f"document {called(document.id or '')}"
    if document.text is None:
        problem = "GutBrainIE's files need the text, whose first line is the title"
        raise InputError(problem, where=where)
    entities = [
        Entity(
            mention.spans[0][0],
            mention.spans[-1][1],
            str(mention.slots.get("label", "")),
            str(mention.slots.get("code", "")),
        )
        for mention in document.mentions
    ]
    numbers = {mention.id: at for at, mention in enumerate(document.mentions)}
    links = [
        (of.label, numbers.get(of.source), numbers.get(of.target)) for of in document.relations
    ]
    if any(None in link for link in links):
        raise InputError("GutBrainIE's relations connect mentions, by their ids", where=where)
    title, _, abstract = document.text.partition(BETWEEN)
    written = located(where, write_document, entities, links, document.text)
    return {"metadata": {"title": title, "abstract": abstract}, **written}


FORMATS = {
    "gutbrainie": Format(
        "GutBrainIE's JSON",
        lambda path, _: read_documents(path),
        write_documents,
        ("slots", "relations"),
        files={r"\.json$": b'"entities"', r"(?i)\.json$": b'"metadata"'},
    )
}
