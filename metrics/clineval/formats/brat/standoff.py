r"""Parse the lines of brat's standoff files once, and record all problems.

``T1<tab>Disorder 4 15;31 38<tab>left atrium dilated`` is a mention with two fragments; ends are
exclusive. ``R1<tab>Cause Arg1:T2 Arg2:T1`` is a relation from T2 to T1. Lines that begin with E, A,
M, N, ``#`` or ``*`` are kept for other readers, such as
:func:`~clineval.formats.brat.events.read_events`. All other lines are rejected. Blanks at the end
of lines and ids are ignored.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import NamedTuple

from clineval.base.errors import InputError, raise_all, warn
from clineval.base.files import Source, is_file
from clineval.base.offsets import LARGEST
from clineval.formats.files import TextFile, read_text, read_text_files
from clineval.kinds.mentions.mention import Fragment

FILES = r"\.ann$"
TWICE = "the id occurs twice in the file"
UNKNOWN_ID = "one of these ids belongs to no mention"
_BARE = r"(T\d{1,9}) *\t([^ \t]+) (\d{1,9}) (\d{1,9})((?:;\d{1,9} \d{1,9})*)"
_MENTION = re.compile(rf"{_BARE}\t([^\t]+)", re.ASCII)
_BARE_MENTION = re.compile(rf"{_BARE}(?:\t([^\t]+))?", re.ASCII)
_MENTION_LINE = (
    "expected T1<tab>Type 4 15;31 38<tab>text, with blanks and semicolons between offsets"
)
_RELATION = re.compile(
    r"(R\d{1,9}) *\t([^ \t]+) (Arg[12]):(T\d{1,9}) (?!\3)Arg[12]:(T\d{1,9})", re.ASCII
)
_RELATION_LINE = "expected R1<tab>Type Arg1:T1 Arg2:T2, with single blanks"
_KINDS = frozenset("REAMN#*")
_REMEDY = "Do the two files belong together, with the same line ends?"


class TextBound(NamedTuple):
    """A line ``T``: a mention, with its fragments in the order of the line, and its words."""

    line: int
    label: str
    spans: Sequence[Fragment]
    words: str = ""


class Link(NamedTuple):
    """A line ``R``: a relation from Arg1 to Arg2, in any order."""

    line: int
    label: str
    source: str
    target: str


@dataclass(frozen=True, slots=True, eq=False)
class Standoff:
    """The content of a file.

    Args:
        file: the file.
        text: the text, if known.
        mentions: the mentions by id; malformed ones have no spans.
        relations: the relations by id.
        others: the other lines, each with its number.
        problems: line numbers and messages; readers of other lines add to them.
    """

    file: TextFile
    text: str | None = None
    mentions: dict[str, TextBound] = field(default_factory=dict)
    relations: dict[str, Link] = field(default_factory=dict)
    others: list[tuple[int, str]] = field(default_factory=list)
    problems: list[tuple[int, str]] = field(default_factory=list)

    def lines(self, kinds: str) -> Iterator[tuple[int, str]]:
        """Yield numbers and texts of the other lines that begin with one of ``kinds``."""
        return (line for line in self.others if line[1][0] in kinds)

    def place(self, line: int) -> str:
        """Return the place of a line, for messages."""
        return f"{self.file.label}:{line}"

    def note(self, line: int, problem: str) -> None:
        """Record a problem of a line."""
        self.problems.append((line, problem))


def refuse(files: Iterable[Standoff]) -> None:
    """Raise the problems of some files in the order of lines, if there are any."""
    raise_all([
        InputError(problem, where=file.place(line))
        for file in files
        for line, problem in sorted(dict.fromkeys(file.problems))
    ])  # fmt: skip


def warn_of_links(files: Sequence[Standoff], advice: str = "") -> None:
    """Warn that relations and equivalences are ignored; only mentions and events are read."""
    message = "{n} {relation or equivalence|relations or equivalences} in brat's files "
    warn(message + "{is|are} ignored" + advice, n=count_lines(files, "R*"))


def count_lines(files: Iterable[Standoff], kinds: str) -> int:
    """Count the other lines of some files that begin with one of ``kinds``."""
    return sum(1 for file in files for _ in file.lines(kinds))


def find_text(file: TextFile) -> str | None:
    """Return the text beside a file, if it exists."""
    beside = os.path.splitext(file.path)[0] + ".txt"  # noqa: PTH122 - a third of pathlib's time
    return read_text(beside) if file.path and is_file(beside) else None


def open_files(source: Source) -> Iterator[TextFile]:
    """Read a directory, a file or a text."""
    return read_text_files(source, pattern=FILES, separator="\t")


def lines_of(file: TextFile) -> Iterator[tuple[int, str]]:
    """Yield all lines, stripped, with their numbers; blank lines too."""
    lines = file.content.decode().replace("\r", "\n").split("\n")
    return ((number, line.strip(" \t")) for number, line in enumerate(lines, 1))


def parse(
    file: TextFile,
    text: str | None,
    *,
    labels: Sequence[str] = (),
    relations: Sequence[str] = (),
    loops: bool = True,
) -> Standoff:
    r"""Parse a file, and record problems of its mentions and relations.

    If there is a text, mentions must be within it.

    Args:
        file: the file.
        text: the text beside it, from :func:`find_text`; None if there is none.
        labels: the types that mentions can have; empty for any.
        relations: the types that relations can have; empty for any.
        loops: whether a relation can connect a mention with itself.

    Examples:
        >>> from clineval.formats.files import from_string
        >>> standoff = parse(from_string("a", "T1\tDrug 0 4\tused\nA1\tNegation T1\n"), None)
        >>> standoff.mentions["T1"].spans, standoff.others
        ([(0, 4)], [(2, 'A1\tNegation T1')])
    """
    standoff = parse_mentions(file, text, labels=labels)
    read_relations(standoff, relations, loops=loops)
    return standoff


def parse_mentions(
    file: TextFile, text: str | None, *, labels: Sequence[str] = (), bare: bool = False
) -> Standoff:
    """Parse a file without relations; ``bare`` also accepts mentions without words."""
    standoff = Standoff(file, text)
    pattern = _BARE_MENTION if bare else _MENTION
    size = LARGEST if text is None else len(text)
    known = frozenset(labels)
    for number, line in lines_of(file):
        kind = line[:1]
        if kind == "T":
            label = _read_mention(standoff, number, line, pattern, size)
            if known and label and label not in known:
                standoff.note(number, _unknown(labels))
        elif kind in _KINDS:
            standoff.others.append((number, line))
        elif kind:
            standoff.note(number, "not a line of brat's format")
    return standoff


def _unknown(labels: Sequence[str]) -> str:
    return f"unknown type, expected one of {', '.join(labels)}"


def _read_mention(
    standoff: Standoff, number: int, line: str, pattern: re.Pattern[str], size: int
) -> str:
    """Add a mention, and return its label; empty if the line is malformed."""
    match = pattern.fullmatch(line)
    if match is None:
        standoff.note(number, _judge(line, pattern, _MENTION_LINE))
        id_, _, rest = line.partition("\t")
        standoff.mentions.setdefault(id_, TextBound(number, rest.partition(" ")[0], ()))
        return ""
    id_, label, start, end, more, words = match.groups()
    spans = [(int(start), int(end))]
    if more or not spans[0][0] < spans[0][1] <= size:
        pairs = (pair.split(" ") for pair in more.split(";")[1:])
        spans += ((int(start), int(end)) for start, end in pairs)
        for problem in _judge_spans(spans, size):
            standoff.note(number, problem)
    if id_ in standoff.mentions:
        standoff.note(number, TWICE)
    else:
        standoff.mentions[id_] = TextBound(number, label, spans, words or "")
    return label


def _judge(line: str, pattern: re.Pattern[str], expected: str) -> str:
    """Return the problem of a malformed line: its id, or the expected form."""
    kind, (_, _, rest) = line[0], line.partition("\t")
    return f"expected an id such as {kind}1" if pattern.fullmatch(f"{kind}1\t{rest}") else expected


def _judge_spans(spans: Sequence[Fragment], size: int) -> Iterator[str]:
    if any(end <= start for start, end in spans):
        yield "the end is not after the start"
    if any(after[0] < before[1] for before, after in pairwise(sorted(spans))):
        yield "fragments of one mention overlap"
    last = max(end for _, end in spans)
    if last > size:
        yield f"offset {last} is outside the text, which has {size} characters. {_REMEDY}"


def read_relations(standoff: Standoff, labels: Sequence[str] = (), *, loops: bool = True) -> None:
    """Read the relations of a parsed file, as :func:`parse` does."""
    for number, line in standoff.lines("R"):
        _read_relation(standoff, number, line, labels, loops=loops)


def _read_relation(
    standoff: Standoff, number: int, line: str, labels: Sequence[str], *, loops: bool
) -> None:
    match = _RELATION.fullmatch(line)
    if match is None:
        standoff.note(number, _judge(line, _RELATION, _RELATION_LINE))
        return
    id_, label, role, *ends = match.groups()
    if labels and label not in labels:
        standoff.note(number, _unknown(labels))
    if id_ in standoff.relations:
        standoff.note(number, TWICE)
    if not standoff.mentions.keys() >= {*ends}:
        standoff.note(number, UNKNOWN_ID)
    elif ends[0] == ends[1] and not loops:
        standoff.note(number, "the relation connects a mention with itself")
    source, target = ends if role == "Arg1" else ends[::-1]
    standoff.relations[id_] = Link(number, label, source, target)
