"""Reading eHealth-KD's files by their format.

``x.txt`` holds a sentence a line, and ``x.ann`` beside it the annotations in brat's format.
"""

from __future__ import annotations

import re
from bisect import bisect
from collections.abc import Iterator, Sequence
from itertools import islice, pairwise
from pathlib import Path

from clineval.base.errors import InputError, called, raise_all
from clineval.base.files import name_path
from clineval.challenges.ehealthkd20.sentences import (
    KNOWN_RELATIONS,
    MOST_WORDS,
    PHRASES,
    Arc,
    Collection,
    GivenText,
    Phrase,
    Sentence,
    as_role,
    has_text,
    read_universal,
)
from clineval.kinds.mentions.mention import Fragment

_MARK = "\ufeff"
_ID = re.compile(r"[TE][0-9]{1,9}\Z")
_OFFSETS = re.compile(r"[0-9]{1,9} [0-9]{1,9}(;[0-9]{1,9} [0-9]{1,9})*\Z")
_WORD = re.compile(r"\S+")
_Place = tuple[int, int]
"""Number of a sentence, and of a phrase in it."""


def read_collection(path: Path, *, gold: bool) -> Collection:
    """Read a text and the annotations beside it, judged by the format.

    Args:
        path: of the text, or of the annotations; if these have no text they are of one sentence.
        gold: whether it is the gold standard, in which labels must be known, relations may not
            lead to another sentence.

    Raises:
        InputError: names the file and the line, with all other problems.
    """
    beside = path.with_suffix(".ann")
    text = read_universal(path.with_suffix(".txt")).removeprefix(_MARK) if has_text(path) else None
    lines = read_universal(beside).removeprefix(_MARK).split("\n")
    return read_annotations(text, lines, path.stem, name_path(beside), gold=gold)


def read_annotations(
    text: str | None, lines: Sequence[str], name: str, label: str, *, gold: bool
) -> Collection:
    """Read a text and lines of annotations as :func:`read_collection` does."""
    reader = _Reader(text, label, gold=gold)
    for number, line in enumerate(lines, 1):
        reader.read(number, line.strip())
    return Collection(name, reader.finish(name))


def read_given(given: GivenText, *, gold: bool) -> Collection:
    """Read a sentence from each line of the text; a single one if the text is not known."""
    lines = [
        f"T{at}\t{label} {';'.join(f'{start} {end}' for start, end in spans)}\tx"
        for at, (label, spans) in enumerate(zip(given.labels, given.spans, strict=True))
    ]
    lines += [f"R{at}\t{n} Arg1:T{a} Arg2:T{b}" for at, (n, a, b) in enumerate(given.arcs)]
    where = f"document {called(given.name)}"
    return read_annotations(given.text, lines, given.name, where, gold=gold)


class _Reader:
    """Reads the lines of an ``.ann``, and remembers what is wrong in them."""

    def __init__(self, text: str | None, label: str, *, gold: bool) -> None:
        self._text = text
        self._label = label
        self._gold = gold
        self._phrases: dict[str, tuple[str, tuple[Fragment, ...]]] = {}
        self._triggers: dict[str, str] = {}
        self._arcs: list[tuple[int, Arc]] = []
        self._errors: list[tuple[int, InputError]] = []

    def read(self, number: int, line: str) -> None:
        if not line or line[0] in "AMN#":
            return
        cells = line.split("\t")
        try:
            if line[0] == "T":
                self._read_phrase(cells)
            elif line[0] in "R*E":
                self._arcs += ((number, arc) for arc in self._read_arcs(line[0], cells))
            else:
                raise InputError("not a line of brat's format")  # noqa: TRY301
        except InputError as error:
            self._note(number, str(error))

    def _note(self, number: int, problem: str) -> None:
        self._errors.append((number, InputError(problem, where=f"{self._label}:{number}")))

    def _read_phrase(self, cells: Sequence[str]) -> None:
        name, middle = cells[0].strip(), (cells[1:2] or [""])[0]
        label, _, offsets = middle.partition(" ")
        if len(cells) != 3 or not label or not _OFFSETS.match(offsets):  # noqa: PLR2004
            raise InputError("expected T1<tab>Label 4 15;31 38<tab>text")
        if not _ID.match(name):
            raise InputError("expected an id such as T1")
        if name in self._phrases:
            raise InputError("the id is there twice in the file")
        if self._gold and label not in PHRASES:
            raise InputError(f"unknown label, expected one of {', '.join(PHRASES)}")
        pairs = (pair.split(" ") for pair in offsets.split(";"))
        fragments = sorted((int(start), int(end)) for start, end in pairs)
        self._phrases[name] = (label, self._split(fragments))

    def _split(self, fragments: Sequence[Fragment]) -> tuple[Fragment, ...]:
        """Return the words of some fragments, or what is between gaps if words are not known."""
        if any(end <= start for start, end in fragments):
            raise InputError("the end is not after the start")
        if any(after[0] < before[1] for before, after in pairwise(fragments)):
            raise InputError("fragments of one phrase overlap")
        if self._text is None:
            return _join_adjacent(fragments)
        words: list[Fragment] = []
        for start, end in fragments:
            if end > len(self._text):
                raise InputError(
                    f"offset {end} is outside the text, which has {len(self._text)} characters"
                )
            if "\n" in self._text[start:end]:
                raise InputError("a phrase that goes over the end of a line")
            found = _WORD.finditer(self._text, start, end)
            words += (match.span() for match in islice(found, MOST_WORDS + 1))
        if not words:
            raise InputError("there is no word at these offsets")
        if len(words) > MOST_WORDS:
            raise InputError(f"a phrase of more than {MOST_WORDS} words")
        return tuple(words)

    def _read_arcs(self, kind: str, cells: Sequence[str]) -> Iterator[Arc]:
        words = cells[1].split() if len(cells) == 2 else []  # noqa: PLR2004
        if kind == "*":
            if len(words) < 3:  # noqa: PLR2004
                raise InputError("expected *<tab>same-as T1 T2")
            yield from ((words[0], words[1], other) for other in words[2:])
            return
        pairs = [word.split(":") for word in words]
        if kind == "E":
            if not pairs or any(len(pair) != 2 for pair in pairs):  # noqa: PLR2004
                raise InputError("expected E1<tab>Label:T1 role:T2")
            self._triggers[cells[0].strip()] = pairs[0][1]
            yield from ((as_role(role), pairs[0][1], end) for role, end in pairs[1:])
            return
        if len(words) != 3 or any(len(pair) != 2 for pair in pairs[1:]):  # noqa: PLR2004
            raise InputError("expected R1<tab>label Arg1:T1 Arg2:T2")
        yield words[0], pairs[1][1], pairs[2][1]

    def finish(self, name: str) -> list[Sentence]:
        """Return the sentences, or raise the first problem with the others (``InputError``)."""
        sentences, starts = [Sentence(name, None)], [0]
        if self._text is not None:
            sentences, starts = _cut(self._text, name)
        places: dict[str, _Place] = {}
        for id_, (label, fragments) in self._phrases.items():
            at = max(bisect(starts, fragments[0][0]) - 1, 0)
            moved = tuple((start - starts[at], end - starts[at]) for start, end in fragments)
            places[id_] = (at, len(sentences[at].phrases))
            sentences[at].phrases.append(Phrase(label, moved, id_))
        for number, (label, *ends) in self._arcs:
            found = [places.get(self._triggers.get(end, end)) for end in ends]
            self._relate(number, label, found, sentences)
        raise_all([error for _, error in sorted(self._errors, key=lambda each: each[0])])
        return [sentence for sentence in sentences if sentence.text != ""]

    def _relate(
        self, number: int, label: str, ends: Sequence[_Place | None], sentences: Sequence[Sentence]
    ) -> None:
        source, target = ends
        if source is None or target is None:
            self._note(number, "there is no phrase of one of these ids")
        elif self._gold and label not in KNOWN_RELATIONS:
            known = ", ".join(KNOWN_RELATIONS)
            self._note(number, f"unknown relation, expected one of {known}")
        elif self._gold and source[0] != target[0]:
            self._note(number, "a relation between two sentences")
        else:
            to = target[1] if source[0] == target[0] else -1
            sentences[source[0]].relations.append((label, source[1], to))


def _join_adjacent(fragments: Sequence[Fragment]) -> tuple[Fragment, ...]:
    """Join fragments with at most one character between them."""
    joined: list[Fragment] = []
    for start, end in fragments:
        if joined and start <= joined[-1][1] + 1:
            joined[-1] = (joined[-1][0], end)
        else:
            joined.append((start, end))
    return tuple(joined)


def _cut(text: str, name: str) -> tuple[list[Sentence], list[int]]:
    """Return the lines of a text as sentences, also blank ones, and where each begins."""
    sentences, starts, at = [], [], 0
    for number, line in enumerate(text.split("\n"), 1):
        stripped = line.strip()
        sentences.append(Sentence(f"{name}:{number}", stripped))
        starts.append(at + (len(line) - len(line.lstrip()) if stripped else 0))
        at += len(line) + 1
    return sentences, starts
