"""Mentions, concepts and relations of BioCreative V CDR, however a user gives them."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from itertools import chain
from pathlib import Path
from typing import Any

from clineval.base.errors import InputError, located, read_all, shown
from clineval.base.files import find_path
from clineval.base.problems import Problem
from clineval.base.strict_json import read_strings
from clineval.challenges.bc5cdr import bioc_xml, pubtator
from clineval.challenges.bc5cdr.pubtator import (
    MENTIONS,
    RELATION,
    Draft,
    ItemSide,
    items_of_mention,
    items_of_relation,
    judge_label,
)
from clineval.formats import checking, jsonl
from clineval.formats.files import TextFile, holds
from clineval.formats.given.forms import items_of
from clineval.kinds.mentions.mention import Document, sort_fragments

_HELD = frozenset({"id", "mentions", "relations", "text"})


def read_items(given: Any, *, strict: bool, side: str) -> ItemSide:
    """Read one side.

    Args:
        given: the path or the text of a PubTator or BioC file; JSON Lines; or for each document a
            dict of ``mentions`` and ``relations``, a list of mentions alone, a
            :class:`~clineval.Document`, or a string in one of these formats or of JSON; or a side
            that was read.
        strict: judge files by the format, or take what the released program takes.
        side: ``predictions`` or ``references``, for messages; relations of the latter must have
            both concepts.
    """
    if isinstance(given, ItemSide):
        return given
    gold = side == "references"
    if isinstance(given, (str, os.PathLike)):
        return _read_files(given, strict=strict, gold=gold)
    documents = items_of(given, "a list with one item for each document", side)
    if documents and all(isinstance(each, str) for each in documents):
        parsed = read_strings(documents, side)
        if parsed is None:
            return _read_strings(documents, strict=strict, gold=gold)
        documents = parsed
    places = [f"{side}, document {number}" for number in range(len(documents))]
    return _read_dicts(documents, places, gold=gold)


def _read_files(given: Any, *, strict: bool, gold: bool) -> ItemSide:
    path = find_path(given, "\t")
    if path is not None and path.suffix == ".jsonl":
        lines = list(jsonl.read_lines(given))
        places, documents = [place for place, _ in lines], [line for _, line in lines]
        return _read_dicts(documents, places, gold=gold)
    if strict:
        read_strictly = bioc_xml.read_bioc if is_bioc(given) else pubtator.read_pubtator
        return read_strictly(given, gold=gold).finish()
    read_loosely = bioc_xml.read_as_program if is_bioc(given) else pubtator.read_as_program
    return _only_known(read_loosely(given)).finish()


def find_problems(paths: Sequence[Path]) -> Iterator[Problem]:
    """Find all problems of files of PubTator, BioC and JSON Lines, judged as predictions."""
    read_bioc, read_pubtator = (
        partial(each.read_file, draft=Draft(), gold=False) for each in (bioc_xml, pubtator)
    )
    for path in paths:
        if path.suffix == ".jsonl":
            yield from checking.find_problems([path], jsonl.FILES, _check_lines)
        elif is_bioc(path):
            yield from checking.find_problems([path], bioc_xml.FILES, read_bioc, by_line=False)
        else:
            yield from checking.find_problems([path], pubtator.FILES, read_pubtator)


def _check_lines(file: TextFile) -> None:
    lines = list(jsonl.read_file(file))
    _read_dicts([line for _, line in lines], [place for place, _ in lines], gold=False)


def _only_known(draft: Draft) -> Draft:
    """Keep the items of known types; the program takes any."""
    known = (*MENTIONS, RELATION)
    return Draft(
        {
            name: dict.fromkeys(item for item in items if item[1] in known)
            for name, items in draft.items.items()
        }
    )


def is_bioc(given: Any) -> bool:
    """Tell whether a file, a directory's contents, or a text is BioC."""
    path = find_path(given, "\t" if "\t" in str(given) else "<")
    if path is None:
        return str(given).lstrip("\ufeff \r\n").startswith("<")
    return path.suffix.lower() == ".xml" or holds(given, r"\.xml$")


def _read_strings(documents: Sequence[str], *, strict: bool, gold: bool) -> ItemSide:
    """Read a text for each document, paired by position."""
    whole = Draft()
    for number, text in enumerate(documents):
        one = _read_files(f"{text}\n", strict=strict, gold=gold) if text.strip() else None
        items = whole.document(str(number))
        items |= dict.fromkeys(_items_of(one)) if one else {}
    return whole.finish(named=False)


def _items_of(side: ItemSide) -> Iterator[pubtator.Item]:
    columns = [c.values for c in (side.kind, side.label, side.concept)]
    for row in range(len(side.document)):
        kind, label, concept = (
            values[column.ids[row]]
            for values, column in zip(columns, (side.kind, side.label, side.concept), strict=True)
        )
        rows = slice(side.bounds[row], side.bounds[row + 1])
        spans = zip(side.starts[rows].tolist(), side.ends[rows].tolist(), strict=True)
        yield kind, label, concept, tuple(spans) if kind == "mentions" else ()


def _read_dicts(documents: Sequence[Any], places: Sequence[str], *, gold: bool) -> ItemSide:
    """Read dicts, lists of mentions, or objects; ``places`` names each in messages."""
    dicts = [_as_dict(document) for document in documents]
    draft = Draft()
    named = False
    for number, (document, place) in enumerate(zip(dicts, places, strict=True)):
        if not isinstance(document, Mapping) or not document.keys() <= _HELD:
            raise InputError(
                f"expected a dict with 'mentions' and 'relations', got {shown(document)}",
                where=place,
            )
        given = document.get("id")
        if given is not None and (not isinstance(given, str) or given in draft.items):
            raise InputError("expected another string as 'id' of every document", where=place)
        if number and named != (given is not None):
            raise InputError("some documents have an 'id' and others do not", where=place)
        named = given is not None
        items = draft.document(given if named else str(number))  # type: ignore[arg-type]
        items |= dict.fromkeys(_items_of_dict(document, place, gold=gold))
    return draft.finish(named=named)


def _as_dict(document: Any) -> Any:
    if isinstance(document, Document):
        mentions = [mention.as_dict() for mention in document.mentions]
        relations = [relation.as_dict() for relation in document.relations]
        return {"id": document.id, "mentions": mentions, "relations": relations}
    return {"mentions": document} if isinstance(document, (list, tuple)) else document


def _items_of_dict(
    document: Mapping[str, Any], place: str, *, gold: bool
) -> Iterator[pubtator.Item]:
    reading = {"mentions": _read_mention, "relations": _read_relation}
    readers: list[Callable[[], list[pubtator.Item]]] = []
    for kind, read_one in reading.items():
        given = () if document.get(kind) is None else document[kind]
        if not isinstance(given, (list, tuple)):
            raise InputError(f"{kind}: expected a list, got {shown(given)}", where=place)
        readers += [
            partial(located, f"{place}, {kind[:-1]} {at}", read_one, each, gold=gold)
            for at, each in enumerate(given)
        ]
    yield from chain.from_iterable(read_all(readers))


def _read_mention(mention: Any, *, gold: bool) -> list[pubtator.Item]:  # noqa: ARG001
    known = {"id", "spans", "label", "concept", "concepts", "text", "cui"}
    if not isinstance(mention, Mapping) or not {"spans", "label"} <= mention.keys() <= known:
        raise InputError("expected a dict with 'spans', 'label' and perhaps 'concepts'")
    given = (mention.get("concepts"), mention.get("concept"))
    concepts = next((value for value in given if value is not None), ())
    if isinstance(concepts, str):
        concepts = concepts.split("|")
    if not isinstance(concepts, (list, tuple)) or not all(isinstance(c, str) for c in concepts):
        raise InputError(f"concepts: expected a list of strings, got {shown(concepts)}")
    label = mention["label"]
    if not isinstance(label, str):
        raise InputError(f"label: expected a string, got {shown(label)}")
    known_label = judge_label(label, MENTIONS)
    return [*items_of_mention(known_label, sort_fragments(mention["spans"]), concepts)]


def _read_relation(relation: Any, *, gold: bool) -> list[pubtator.Item]:
    if not isinstance(relation, Mapping) or set(relation) != {"label", "from", "to"}:
        raise InputError("expected a dict with 'label', 'from' and 'to'")
    if not all(isinstance(value, str) for value in relation.values()):
        raise InputError("expected strings as 'label', 'from' and 'to'")
    judge_label(relation["label"], [RELATION])
    return [*items_of_relation(relation["from"], relation["to"], gold=gold)]
