"""Documents of mentions into lines of i2b2/VA 2010; see :mod:`i2b2_lines`."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator
from pathlib import Path

from clineval.errors import InputError, located
from clineval.formats.i2b2_lines import ASSERTIONS, CONCEPTS, ENDINGS, RELATIONS
from clineval.formats.writing import check_plain, name_files, write_files
from clineval.mentions.mention import Document, Mention

_TOKEN = re.compile(r"\S+")


class LineTokens:
    r"""The tokens of a note, which are what stands between blanks, by line and number.

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
        """Line and token of some characters' first and last token; refused if they cut tokens."""
        first, last = bisect_left(self._starts, start), bisect_left(self._ends, end)
        if start not in self._starts[first : first + 1] or end not in self._ends[last : last + 1]:
            raise InputError(
                f"fragment {start}-{end} does not begin and end with tokens, which are counted",
                remedy="Tokens are what stands between blanks; extend the mention to whole ones",
            )
        return f"{self._name(first)} {self._name(last)}"

    def words(self, start: int, end: int) -> str:
        """The words, in small letters as the challenge has them, on one line."""
        return " ".join(self._text[start:end].split()).lower()

    def _name(self, token: int) -> str:
        line = bisect_right(self._lines, self._starts[token])
        return f"{line}:{token - bisect_left(self._starts, self._lines[line - 1])}"


def write_documents(documents: Iterable[Document], directory: Path) -> None:
    """Write ``.con``, ``.ast`` and ``.rel`` files of documents; nothing if one is refused.

    A mention with the label of an assertion is a line of ``.ast``: a problem of which it is said.
    What is refused: no text; a mention with a code, of several fragments, of another label, or that
    begins or ends within a token; a relation of another label, or whose ends are no mentions.
    """
    known = list(documents)
    files: list[tuple[str, str]] = []
    for kind, ending in ENDINGS.items():
        names = name_files((document.id for document in known), f".{ending}", without=".txt")
        for name, document in zip(names, known, strict=True):
            files.append((name, "".join(f"{line}\n" for line in format_lines(document, kind))))
    write_files(directory, files)


def format_lines(document: Document, kind: str) -> Iterator[str]:
    """The lines of one kind, ``concepts``, ``assertions`` or ``relations``.

    Examples:
        >>> pain = Mention([(4, 8)], slots={"label": "problem"}, coded=False)
        >>> list(format_lines(Document("a", [pain], "Old pain"), "concepts"))
        ['c="pain" 1:1 1:1||t="problem"']
    """
    where = document.place
    if document.text is None:
        raise InputError(
            "the text is missing, whose tokens the format counts", where=where,
            remedy="Give the directory of the notes (--text DIR)",
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
                raise InputError("there is no mention of this id", where=place)
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


def refuse_to_read(path: Path) -> list[Document]:  # noqa: ARG001
    """Say, by an ``InputError``, why lines of the format are not converted."""
    raise InputError(
        "lines and tokens are no offsets of characters, so the format can only be written",
        remedy="Score the files as they are",
    )
