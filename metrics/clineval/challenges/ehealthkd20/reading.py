"""Read eHealth-KD's files by their format.

``x.txt`` holds one sentence per line. ``x.ann`` beside it holds the annotations in brat's format.
"""

from __future__ import annotations

import re
from bisect import bisect
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import islice
from pathlib import Path

from clineval.base.errors import InputError, called
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
from clineval.formats.brat.standoff import Standoff, parse_mentions, refuse
from clineval.formats.files import from_string
from clineval.kinds.mentions.mention import Fragment

_MARK = "\ufeff"
_WORD = re.compile(r"\S+")
_Place = tuple[int, int]
"""Number of a sentence, and number of a phrase in the sentence."""


def read_collection(path: Path, *, gold: bool) -> Collection:
    """Read a text and the annotations beside it, and check them against the format.

    Args:
        path: path of the text or of the annotations. Annotations without a text form one sentence.
        gold: whether to read the gold standard. Its labels must be known, and its relations may
            not lead to another sentence.

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
    file = from_string(label, "\n".join(line.strip() for line in lines))
    standoff = parse_mentions(file, text)
    phrases = dict(_read_phrases(standoff, gold=gold))
    sentences, starts = [Sentence(name, None)], [0]
    if text is not None:
        sentences, starts = _cut(text, name)
    places = _place(phrases, sentences, starts)
    for number, arc in _read_arcs(standoff):
        problem = _relate(arc, places, sentences, gold=gold)
        if problem:
            standoff.note(number, problem)
    refuse([standoff])
    return Collection(name, [sentence for sentence in sentences if sentence.text != ""])


def read_given(given: GivenText, *, gold: bool) -> Collection:
    """Read a sentence from each line of the text; without a text, there is one sentence."""
    lines = [
        f"T{at}\t{label} {';'.join(f'{start} {end}' for start, end in spans)}\tx"
        for at, (label, spans) in enumerate(zip(given.labels, given.spans, strict=True))
    ]
    lines += [f"R{at}\t{n} Arg1:T{a} Arg2:T{b}" for at, (n, a, b) in enumerate(given.arcs)]
    where = f"document {called(given.name)}"
    return read_annotations(given.text, lines, given.name, where, gold=gold)


def _read_phrases(standoff: Standoff, *, gold: bool) -> Iterator[tuple[str, Phrase]]:
    """Yield ids and phrases, in characters of the text; malformed phrases are left out."""
    malformed = {line for line, _ in standoff.problems}
    for id_, mention in standoff.mentions.items():
        if mention.line in malformed:
            continue
        try:
            if gold and mention.label not in PHRASES:
                raise InputError(f"unknown label, expected one of {', '.join(PHRASES)}")  # noqa: TRY301
            words = _split(sorted(mention.spans), standoff.text)
            yield id_, Phrase(mention.label, words, id_)
        except InputError as error:
            standoff.note(mention.line, error.problem)


def _split(fragments: Sequence[Fragment], text: str | None) -> tuple[Fragment, ...]:
    """Return the words of some fragments; without a text, return the fragments between gaps."""
    if text is None:
        return _join_adjacent(fragments)
    words: list[Fragment] = []
    for start, end in fragments:
        if "\n" in text[start:end]:
            raise InputError("the phrase crosses the end of a line")
        matches = _WORD.finditer(text, start, end)
        words += (match.span() for match in islice(matches, MOST_WORDS + 1))
    if not words:
        raise InputError("there is no word at these offsets")
    if len(words) > MOST_WORDS:
        raise InputError(f"the phrase has more than {MOST_WORDS} words")
    return tuple(words)


def _read_arcs(standoff: Standoff) -> Iterator[tuple[int, Arc]]:
    """Yield the relations, each with its line; an event stands for its trigger."""
    triggers: dict[str, str] = {}
    arcs: list[tuple[int, Arc]] = []
    for number, line in standoff.lines("R*E"):
        try:
            arcs += ((number, arc) for arc in _arcs_of(line.split("\t"), triggers))
        except InputError as error:
            standoff.note(number, error.problem)
    for number, (label, source, target) in arcs:
        yield number, (label, triggers.get(source, source), triggers.get(target, target))


def _arcs_of(cells: Sequence[str], triggers: dict[str, str]) -> list[Arc]:
    """Return the relations of a line; add the trigger of an event."""
    kind, words = cells[0][0], cells[1].split() if len(cells) == 2 else []  # noqa: PLR2004
    if kind == "*":
        if len(words) < 3:  # noqa: PLR2004
            raise InputError("expected *<tab>same-as T1 T2")
        return [(words[0], words[1], other) for other in words[2:]]
    pairs = [word.split(":") for word in words]
    if kind == "E":
        if not pairs or any(len(pair) != 2 for pair in pairs):  # noqa: PLR2004
            raise InputError("expected E1<tab>Label:T1 role:T2")
        triggers[cells[0].strip()] = trigger = pairs[0][1]
        return [(as_role(role), trigger, end) for role, end in pairs[1:]]
    if len(words) != 3 or any(len(pair) != 2 for pair in pairs[1:]):  # noqa: PLR2004
        raise InputError("expected R1<tab>label Arg1:T1 Arg2:T2")
    return [(words[0], pairs[1][1], pairs[2][1])]


def _place(
    phrases: Mapping[str, Phrase], sentences: Sequence[Sentence], starts: Sequence[int]
) -> dict[str, _Place]:
    """Add phrases to their sentences, and return the place of each phrase."""
    places: dict[str, _Place] = {}
    for id_, phrase in phrases.items():
        at = max(bisect(starts, phrase.fragments[0][0]) - 1, 0)
        moved = tuple((start - starts[at], end - starts[at]) for start, end in phrase.fragments)
        places[id_] = at, len(sentences[at].phrases)
        sentences[at].phrases.append(replace(phrase, fragments=moved))
    return places


def _relate(
    arc: Arc, places: Mapping[str, _Place], sentences: Sequence[Sentence], *, gold: bool
) -> str:
    """Add a relation to the sentence of its source; return a message if it has a fault."""
    label, *ends = arc
    source, target = map(places.get, ends)
    if source is None or target is None:
        return "one of these ids belongs to no phrase"
    if gold and label not in KNOWN_RELATIONS:
        return f"unknown relation, expected one of {', '.join(KNOWN_RELATIONS)}"
    if gold and source[0] != target[0]:
        return "a relation between two sentences"
    to = target[1] if source[0] == target[0] else -1
    sentences[source[0]].relations.append((label, source[1], to))
    return ""


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
    """Return the lines of a text as sentences, including blank lines, and their start offsets."""
    sentences, starts, at = [], [], 0
    for number, line in enumerate(text.split("\n"), 1):
        stripped = line.strip()
        sentences.append(Sentence(f"{name}:{number}", stripped))
        starts.append(at + (len(line) - len(line.lstrip()) if stripped else 0))
        at += len(line) + 1
    return sentences, starts
