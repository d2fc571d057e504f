"""Documents with mentions and relations, however a user gives them, as one side of a corpus."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, Protocol

import numpy as np

from clineval.base.errors import InputError, shown
from clineval.base.files import Source, find_path
from clineval.base.strict_json import read_strings
from clineval.formats import jsonl
from clineval.formats.brat import columns as brat_columns
from clineval.formats.dict_spans import Place
from clineval.formats.dicts import read_records
from clineval.formats.given.forms import AsDocuments, items_of, judge_ids
from clineval.kinds.mentions.columns import MentionColumns
from clineval.kinds.mentions.mention import Document, judge_language, without_code
from clineval.kinds.mentions.slots import Slot
from clineval.kinds.relations.columns import RelatedSide, RelationColumns

_KEYS = {"label", "from", "to"}
_AS_LIST = "Give each mention an 'id', by which relations know it, and all of them as a list"
_UNREAD = frozenset({"cui"})
"""What mentions can have besides their slots: the codes of brat's files, which are not scored."""
_HELD = frozenset({"id", "mentions", "relations", "text", "language"})


class RelatedFormat(Protocol):
    """A module that reads a challenge's own text format."""

    @property
    def FILES(self) -> str:  # noqa: N802 - a constant of the module
        """Regular expression for the names of files in directories."""
        ...

    def read_side(self, source: Source, slot: Slot, labels: Sequence[str], /) -> RelatedSide:
        """Read files, paired by document name."""
        ...

    def read_strings(
        self, strings: Sequence[str], slot: Slot, labels: Sequence[str], /
    ) -> RelatedSide:
        """Read one string for each document, paired by position."""
        ...


def read_related(  # noqa: PLR0913 - what differs between challenges
    given: object,
    slot: Slot | Sequence[Slot],
    labels: Sequence[str],
    *,
    side: str,
    text_format: RelatedFormat = brat_columns,
    loops: bool = False,
) -> RelatedSide:
    """Read one side.

    Args:
        given: a path of files in the challenge's format or of JSON Lines; one string in that
            format; or for each document a dict with ``mentions`` and ``relations``, a list of
            mentions alone, a :class:`Document`, or a string in that format or of JSON; or a side
            that has been read.
        slot: the slot that says what a mention is; with others that mentions have after it.
        labels: the labels that relations can have; empty for any.
        side: ``predictions`` or ``references``, for messages.
        text_format: reads the challenge's format; brat's if nothing else is said.
        loops: whether a mention may have a relation with itself.
    """
    if isinstance(given, RelatedSide):
        return given
    slots = [slot] if isinstance(slot, Slot) else slot
    if isinstance(given, (str, os.PathLike)):
        if find_path(given, "\t") is None or not jsonl.is_jsonl(given, text_format.FILES):
            return text_format.read_side(given, slots[0], labels)
        lines = [line for _, line in jsonl.read_lines(given)]
        return _read_documents(lines, slots, labels, "", loops=loops)
    documents = items_of(given, "a list with one item for each document", side)
    if documents and all(isinstance(document, str) for document in documents):
        parsed = read_strings(documents, side)
        if parsed is None:
            return text_format.read_strings(documents, slots[0], labels)
        documents = parsed
    found = _read_documents(list(map(_as_dict, documents)), slots, labels, side, loops=loops)
    if isinstance(given, AsDocuments) and not documents:  # a part of a table, which has names
        return replace(found, side=replace(found.side, keys=()))
    return found


def _as_dict(document: object) -> object:
    if isinstance(document, Document):
        return {
            "id": document.id,
            "mentions": [
                (mention if mention.cui else without_code(mention)).as_dict()
                for mention in document.mentions
            ],
            "relations": [relation.as_dict() for relation in document.relations],
            "text": document.text,
            "language": document.language,
        }
    return {"mentions": document} if isinstance(document, (list, tuple)) else document


def _read_documents(
    documents: Sequence[Any],
    slots: Sequence[Slot],
    labels: Sequence[str],
    side: str,
    *,
    loops: bool = False,
) -> RelatedSide:
    names = _name(documents, side)
    mentions = [document["mentions"] for document in documents]
    read = read_records(mentions, slots, names=names, side=side, unread=_UNREAD)
    place = Place(side, names, sizes=list(map(len, mentions)))
    texts = tuple(document.get("text") for document in documents)
    _check_offsets(read.mentions, texts, place)
    given = [document.get("relations") for document in documents]
    relations = [() if each is None else each for each in given]
    for number, each in enumerate(relations):
        if not isinstance(each, (list, tuple)):
            raise InputError(
                f"expected a list of relations, got {shown(each)}", where=place.document(number)
            )
    read = replace(
        read,
        texts=texts if any(text is not None for text in texts) else (),
        languages=tuple(judge_language(each.get("language")) or "" for each in documents),
    )
    return RelatedSide(read, _read_relations(mentions, relations, labels, place, loops=loops))


def _name(documents: Sequence[Any], side: str) -> Sequence[str]:
    """Return the documents' names, if they have any; refuse what is not a document."""
    where = f"{side}, document" if side else "document"
    for number, document in enumerate(documents):
        if not isinstance(document, Mapping) or "mentions" not in document:
            raise InputError(
                f"expected a dict with 'mentions' and 'relations', got {shown(document)}",
                where=f"{where} {number}",
            )
        unknown = sorted(map(shown, document.keys() - _HELD))
        if unknown:
            raise InputError(
                f"unknown {', '.join(unknown)}, expected {', '.join(sorted(_HELD))}",
                where=f"{where} {number}",
            )
        if not isinstance(document["mentions"], (list, tuple)):
            raise InputError(
                f"mentions: expected a list, got {shown(document['mentions'])}",
                where=f"{where} {number}",
                remedy=_AS_LIST if isinstance(document["mentions"], Mapping) else "",
            )
    names = [document.get("id") for document in documents]
    given = [name for name in names if name is not None]
    if not all(isinstance(name, str) for name in given) or len(set(given)) < len(given):
        raise InputError("expected another string as 'id' of every document", where=side)
    return judge_ids(names, side)


def _check_offsets(mentions: MentionColumns, texts: Sequence[Any], place: Place) -> None:
    """Refuse mentions that their text does not reach, where it is given."""
    for number, text in enumerate(texts):
        if text is not None and not isinstance(text, str):
            raise InputError(
                f"text: expected a string, got {shown(text)}", where=place.document(number)
            )
    sizes = np.array([np.iinfo(np.int64).max if t is None else len(t) for t in texts], np.int64)
    beyond = np.flatnonzero(mentions.ends > sizes[mentions.document[mentions.owners]])
    if len(beyond):
        row = int(mentions.owners[beyond[0]])
        raise InputError(
            f"offset {mentions.ends[beyond[0]]} is outside the text, which has "
            f"{sizes[mentions.document[row]]} characters",
            where=place.mention(row),
        )


def _read_relations(
    mentions: Sequence[Sequence[Mapping[str, object]]],
    relations: Sequence[Any],
    labels: Sequence[str],
    place: Place,
    *,
    loops: bool,
) -> RelationColumns:
    """Read relations, whose arguments are the ids of mentions."""
    first = 0
    found: list[str] = []
    ends: list[tuple[int, int]] = []
    for number, (document, related) in enumerate(zip(mentions, relations, strict=True)):
        where = place.document(number)
        rows = _number_ids(document, first, where) if related else {}
        for within, relation in enumerate(related):
            problem = _find_problem(relation, rows, labels)
            if not problem and not loops and relation["from"] == relation["to"]:
                problem = "a relation of a mention with itself"
            if problem:
                raise InputError(problem, where=f"{where}, relation {within}")
            found.append(relation["label"])
            ends.append((rows[relation["from"]], rows[relation["to"]]))
        first += len(document)
    return RelationColumns.of(list(map(len, relations)), found, ends)


def _number_ids(
    document: Sequence[Mapping[str, object]], first: int, where: str
) -> dict[object, int]:
    ids = [mention.get("id") for mention in document]
    if not {str, type(None)}.issuperset(map(type, ids)):
        raise InputError("expected a string as 'id' of every mention", where=where)
    rows = {id_: row for row, id_ in enumerate(ids, first) if id_ is not None}
    if len(rows) + ids.count(None) < len(ids):
        raise InputError("two mentions have the same 'id'", where=where)
    return rows


def _find_problem(relation: object, rows: Mapping[object, int], labels: Sequence[str]) -> str:
    if not isinstance(relation, Mapping):
        return f"expected a dict, got {shown(relation)}"
    if relation.keys() != _KEYS:
        return "expected 'label', 'from' and 'to'"
    label, source, target = relation["label"], relation["from"], relation["to"]
    if not isinstance(label, str) or not (
        label in labels if labels else label.isprintable() and label.strip()
    ):
        wanted = f"one of {', '.join(labels)}" if labels else "a label in printable characters"
        return f"label: expected {wanted}"
    for name, end in (("from", source), ("to", target)):
        if not isinstance(end, str) or end not in rows:
            return f"{name}: there is no mention of this id"
    return ""
