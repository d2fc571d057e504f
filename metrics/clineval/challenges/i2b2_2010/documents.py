"""Convert documents of mentions into lines of i2b2/VA 2010, and back."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from pathlib import Path

import numpy as np

from clineval.base.arrays import find_first
from clineval.base.errors import InputError, called, located, warn
from clineval.base.files import name_path
from clineval.base.progress import track
from clineval.challenges.i2b2_2010.lines import (
    ASSERTIONS,
    CONCEPTS,
    ENDINGS,
    FILES,
    RELATIONS,
    ItemSide,
    read_folder,
)
from clineval.formats.by_name import Format
from clineval.formats.given.texts import find_texts
from clineval.formats.writing import check_plain, name_files, write_files
from clineval.kinds.mentions.mention import Document, Mention, Relation

_TOKEN = re.compile(r"\S+")


class LineTokens:
    r"""The tokens of a note, by line and number; white space separates tokens.

    Args:
        text: the note.

    Examples:
        >>> LineTokens("No fever.\nOld pain").place(10, 18)
        '2:0 2:1'
    """

    def __init__(self, text: str) -> None:
        self._text = text
        self._lines = [0, *(match.end() for match in re.finditer("\n", text))]
        tokens = list(_TOKEN.finditer(text))
        self._starts = [token.start() for token in tokens]
        self._ends = [token.end() for token in tokens]

    def place(self, start: int, end: int) -> str:
        """Return line and token of a span's first and last token; reject spans that cut tokens."""
        first, last = bisect_left(self._starts, start), bisect_left(self._ends, end)
        if start not in self._starts[first : first + 1] or end not in self._ends[last : last + 1]:
            raise InputError(
                f"fragment {start}-{end} does not begin and end with tokens, which the format "
                "counts",
                remedy="Extend the mention to whole tokens, which white space separates",
            )
        return f"{self._name(first)} {self._name(last)}"

    def find(self, line: int, token: int, last_line: int, last: int) -> tuple[int, int]:
        """Return the character offsets from one token to another."""
        return self._starts[self._number(line, token)], self._ends[self._number(last_line, last)]

    def _number(self, line: int, token: int) -> int:
        """Return the number of a token in the text; reject a token that its line does not have."""
        lines, starts = self._lines, self._starts
        first, after = (
            bisect_left(starts, lines[at]) if at < len(lines) else len(starts)
            for at in (line - 1, line)
        )
        if token >= after - first:
            remedy = "Check that this is the text of the document"
            raise InputError(f"the text has no token {line}:{token}", remedy=remedy)
        return first + token

    def words(self, start: int, end: int) -> str:
        """Return the words in lower case on one line, as in the challenge's files."""
        return " ".join(self._text[start:end].split()).lower()

    def _name(self, token: int) -> str:
        line = bisect_right(self._lines, self._starts[token])
        return f"{line}:{token - bisect_left(self._starts, self._lines[line - 1])}"


def write_documents(documents: Iterable[Document], directory: Path) -> None:
    """Write ``.con``, ``.ast`` and ``.rel`` files of documents, or nothing if there is an error.

    A mention with the label of an assertion becomes a line of ``.ast`` about a problem.

    Raises:
        InputError: a document has no text; a mention has a code, several fragments or another
            label, or cuts a token; a relation has another label, or ends that are not mentions.
    """
    known = list(documents)
    files: list[tuple[str, str]] = []
    for kind, ending in ENDINGS.items():
        names = name_files((document.id for document in known), f".{ending}", without=".txt")
        for name, document in zip(names, track(known, f"formatting {ending}"), strict=True):
            files.append((name, "".join(f"{line}\n" for line in format_lines(document, kind))))
    write_files(directory, files)


def format_lines(document: Document, kind: str) -> Iterator[str]:
    """Yield the lines of one kind, ``concepts``, ``assertions`` or ``relations``.

    Examples:
        >>> pain = Mention([(4, 8)], slots={"label": "problem"}, coded=False)
        >>> list(format_lines(Document("a", [pain], "Old pain"), "concepts"))
        ['c="pain" 1:1 1:1||t="problem"']
    """
    where = document.place
    if document.text is None:
        raise InputError(
            "the text is missing; the format counts its tokens", where=where,
            remedy="Pass the directory of the notes (--text DIR)",
        )  # fmt: skip
    tokens = LineTokens(document.text)
    if kind == "relations":
        yield from _format_relations(document, tokens, where)
        return
    for at, mention in enumerate(document.mentions):
        place = f"{where}, mention {at}"
        label = _judge(mention, place)
        if kind == "concepts" and label in CONCEPTS:
            yield f'{_quote(mention, tokens, place)}||t="{label}"'
        if kind == "assertions" and label in ASSERTIONS:
            yield f'{_quote(mention, tokens, place)}||t="problem"||a="{label}"'


def _format_relations(document: Document, tokens: LineTokens, where: str) -> Iterator[str]:
    known = {mention.id: mention for mention in document.mentions if mention.id}
    for at, relation in enumerate(document.relations):
        place = f"{where}, relation {at}"
        if relation.label not in RELATIONS:
            raise InputError(f"label: expected one of {', '.join(RELATIONS)}", where=place)
        for end in (relation.source, relation.target):
            if end not in known:
                raise InputError("no mention has this id", where=place)
        first, second = (
            _quote(known[end], tokens, place) for end in (relation.source, relation.target)
        )
        yield f'{first}||r="{relation.label}"||{second}'


def _judge(mention: Mention, where: str) -> str:
    label = str(mention.slots.get("label"))
    check_plain(mention, where)
    if label not in (*CONCEPTS, *ASSERTIONS):
        expected = ", ".join((*CONCEPTS, *ASSERTIONS))
        raise InputError(f"label: expected one of {expected}", where=where)
    return label


def _quote(mention: Mention, tokens: LineTokens, where: str) -> str:
    start, end = mention.spans[0]
    return f'c="{tokens.words(start, end)}" {located(where, tokens.place, start, end)}'


def as_documents(side: ItemSide, texts: Sequence[str | None]) -> list[Document]:
    """Return the items of files as documents; the texts turn tokens into characters.

    Relations go from the concept that comes first in the text. Relations between places that are
    not concepts are left out with a warning, because no mention could represent the places.

    Raises:
        InputError: a document has no text, or its text does not have a token.
    """
    rows = list(zip(side.label.ids.tolist(), side.places.tolist(), side.related, strict=True))
    bounds = find_first(side.document, np.arange(len(side.documents) + 1)).tolist()
    found = []
    for name, text, of in zip(side.documents, texts, pairwise(bounds), strict=True):
        items = [(side.label.values[label], place, pair) for label, place, pair in rows[slice(*of)]]
        found.append(_as_document(name, text, items))
    return found


def _as_document(
    name: str, text: str | None, items: Sequence[tuple[str, Sequence[int], bool]]
) -> Document:
    where = f"document {called(name)}"
    if text is None:
        raise InputError("the text is missing; the format counts its tokens", where=where)
    tokens = LineTokens(text)
    ids: dict[tuple[int, ...], str] = {}
    mentions: list[Mention] = []
    for label, place, related in items:
        if not related:
            span = located(where, tokens.find, *place[:4])
            id_ = f"T{len(mentions) + 1}"
            ids.setdefault(tuple(place[:4]), id_)
            mentions.append(Mention([span], slots={"label": label}, id=id_, coded=False))
    relations: list[Relation | None] = []
    for label, place, related in items:
        if related:
            ends = [ids.get(tuple(each)) for each in (place[:4], place[4:])]
            relations.append(Relation(label, str(ends[0]), str(ends[1])) if all(ends) else None)
    known = [relation for relation in relations if relation]
    warn(
        "{n} {relation does|relations do} not connect two concepts and {is|are} left out: add the "
        "concepts to the .con file to keep {it|them}. The first is in {place}",
        place=where,
        n=len(relations) - len(known),
    )
    return Document(name, mentions, text, known)


def read_documents(path: Path, texts: object) -> list[Document]:
    """Read documents as objects; raise an ``InputError`` without the notes' texts."""
    if texts is None:
        raise InputError(
            "the format counts tokens, and only the notes have their characters",
            where=name_path(path),
            remedy="Pass the directory of the notes (texts=, --text DIR)",
        )
    side = read_folder(path)
    return as_documents(side, find_texts(side.documents, texts, "texts"))


FORMATS = {
    "con": Format(
        "i2b2/VA 2010: .con, .ast and .rel, to be read with the notes",
        read_documents,
        write_documents,
        ("relations",),
        files={FILES: b""},
        needs_texts=True,
    )
}
