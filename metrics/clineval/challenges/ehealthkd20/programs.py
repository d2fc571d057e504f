"""Read eHealth-KD's files as the released programs do.

The programs of 2020 and 2021 read ``x.txt`` and ``x.ann``. The program of 2019 reads
``input_x.txt``, ``output_a_x.txt`` and ``output_b_x.txt``.
"""

from __future__ import annotations

import re
from bisect import bisect
from collections.abc import Sequence
from itertools import islice
from pathlib import Path
from typing import NoReturn

from clineval.base.errors import InputError, called
from clineval.base.files import name_path
from clineval.base.offsets import LARGEST
from clineval.challenges.ehealthkd20.sentences import (
    MOST_WORDS,
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

_LONGEST = 10**7
"""Most characters of a placeholder for a missing text, which the program needs."""
_BLANK = re.compile(" ")
_END = re.compile(r"[ ;][0-9]{1,9} ([0-9]{1,9})(?=[;\t])")


def read_as_program(path: Path, edition: str) -> Collection:
    """Read a text and its annotations as an edition's program does; reject what crashes it."""
    try:
        return _read_2019(path) if edition == "2019" else _read_2020(path)
    except (ValueError, KeyError, IndexError) as error:
        if isinstance(error, InputError):
            raise
    return _stop(path)


def _stop(path: Path) -> NoReturn:
    raise InputError(
        "the released program stops at these annotations",
        where=name_path(path),
        remedy="Score with protocol='spec', which reports the fault",
    )


def _read_2020(path: Path) -> Collection:
    annotations = read_universal(path.with_suffix(".ann"))
    text = read_universal(path.with_suffix(".txt")) if has_text(path) else _unknown(annotations)
    lines = [line.strip() for line in text.splitlines() if line]
    collection = ScriptCollection(lines, path.stem)
    rows = _split_lines(annotations)
    if {line[:1] for line in rows} - {*"TR*EA#"}:
        _stop(path)
    entities, relations, events, attributes = (
        [line for line in rows if line[0] in kinds] for kinds in ("T", "R*", "E", "A")
    )
    labels: dict[str, tuple[str, ...]] = {}
    for line in attributes:
        attribute, target, *_ = (*line.split("\t")[-1].split(), "", "")
        labels[target] = (*labels.get(target, ()), attribute)
    for line in entities:
        name, content, _ = line.split("\t")
        label, offsets = content.split(" ", 1)
        collection.add(int(name[1:]), label, offsets, labels.get(name, ()))
    triggers, arcs = _read_events(events)
    for label, source, target in [*arcs, *(arc for line in relations for arc in _arcs_of(line))]:
        ends = [triggers.get(end, int(end[1:])) for end in (source, target)]
        if collection.home[ends[0]] != collection.home[ends[1]]:
            _stop(path)
        collection.relate(label, *ends)
    return Collection(path.stem, collection.finish(in_order=True))


def _unknown(annotations: str) -> str:
    """Return a placeholder text that is long enough for some annotations."""
    return "-" * min(max((int(end) for end in _END.findall(annotations)), default=0), _LONGEST)


def _read_events(lines: Sequence[str]) -> tuple[dict[str, int], list[Arc]]:
    """Return the phrase of each event, and the relations of all events."""
    triggers: dict[str, int] = {}
    arcs: list[Arc] = []
    for line in lines:
        name, content = line.split("\t")
        (_, trigger), *roles = (part.split(":") for part in content.split())
        triggers[name] = int(trigger[1:])
        arcs += ((as_role(role), trigger, end) for role, end in dict(roles).items())
    return triggers, arcs


def _arcs_of(line: str) -> list[Arc]:
    _, content = line.strip().split("\t")
    label, *ends = content.split()
    if line.startswith("*"):
        return [(label, ends[0], end) for end in ends[1:]]
    source, target = ends
    return [(label, source.split(":")[1], target.split(":")[1])]


def _read_2019(path: Path) -> Collection:
    lines = [line.strip() for line in _split_lines(read_universal(path))]
    collection = ScriptCollection(lines, path.stem)
    part = path.name.split("_")[1]
    for line in _split_lines(read_universal(path.parent / f"output_a_{part}")):
        name, offsets, label, _ = line.strip().split("\t")
        collection.add(int(name), label, offsets)
    for line in _split_lines(read_universal(path.parent / f"output_b_{part}")):
        label, *ends = line.strip().split("\t")
        source, target = map(int, ends)
        if collection.home[source] == collection.home[target]:
            collection.relate(label.lower(), source, target)
    return Collection(path.stem, collection.finish(in_order=False))


def read_given(given: GivenText, edition: str) -> Collection:
    """Read a document as an edition's program does; one without a text is one sentence."""
    furthest = max((end for spans in given.spans for _, end in spans), default=0)
    text = given.text or "-" * furthest
    lines = [line.strip() for line in text.splitlines() if line or edition == "2019"]
    collection = ScriptCollection(lines or [""], given.name)
    for at, (label, spans) in enumerate(zip(given.labels, given.spans, strict=True)):
        collection.add(at, label, ";".join(f"{start} {end}" for start, end in spans))
    for label, source, target in given.arcs:
        if collection.home[source] == collection.home[target]:
            collection.relate(label, source, target)
        elif edition != "2019":
            raise InputError(
                "a relation between two sentences: the released program stops here",
                where=f"document {called(given.name)}",
            )
    sentences = collection.finish(in_order=edition != "2019")
    for sentence in sentences if given.text is None else ():
        sentence.text = ""
    return Collection(given.name, sentences)


def _split_lines(text: str) -> list[str]:
    lines = text.split("\n")
    return lines if lines[-1] else lines[:-1]


class ScriptCollection:
    """Sentences with annotations that are added as the programs add them."""

    def __init__(self, lines: Sequence[str], name: str) -> None:
        self._sentences = [Sentence(f"{name}:{at}", line) for at, line in enumerate(lines, 1)]
        self._name, self._ends = name, list[int]()
        for line in lines:
            self._ends.append(len(line) + (self._ends[-1] + 1 if self._ends else 0))
        self._arcs: list[tuple[int, Arc]] = []
        self.home: dict[int, int] = {}

    def add(self, name: int, label: str, offsets: str, attributes: tuple[str, ...] = ()) -> None:
        """Add a phrase to the sentence of its first fragment."""
        pairs = (pair.split() for pair in offsets.split(";"))
        fragments = [(int(start), int(end)) for start, end in pairs]
        if any(abs(offset) > LARGEST for fragment in fragments for offset in fragment):
            problem = f"phrase {name}: expected offsets up to {LARGEST}"
            raise InputError(problem, where=self._name)
        at = bisect(self._ends, fragments[0][0])
        if at:
            before = self._ends[at - 1] + 1
            fragments = sorted(
                ((start - before, end - before) for start, end in fragments), key=lambda f: f[0]
            )
        sentence = self._sentences[at]
        if len(fragments) == 1:
            fragments = _split_at_blanks(*fragments[0], sentence.text or "")
            if len(fragments) > MOST_WORDS:
                problem = f"phrase {name}: expected at most {MOST_WORDS} words"
                raise InputError(problem, where=sentence.name)
        sentence.phrases.append(Phrase(label, tuple(fragments), str(name), attributes))
        self.home[name] = at

    def relate(self, label: str, source: int, target: int) -> None:
        """Add a relation to the sentence of its source."""
        self._arcs.append((self.home[source], (label, str(source), str(target))))

    def finish(self, *, in_order: bool) -> list[Sentence]:
        """Return the sentences; phrases are as added, or ``in_order`` of their offsets."""
        for sentence in self._sentences if in_order else ():
            sentence.phrases.sort(
                key=lambda p: (*(s for s, _ in p.fragments), *(e for _, e in p.fragments))
            )
        for at, (label, *ends) in dict.fromkeys(self._arcs):
            numbered = list(enumerate(self._sentences[at].phrases))
            places = {phrase.id: number for number, phrase in reversed(numbered)}  # the first wins
            self._sentences[at].relations.append((label, places[ends[0]], places[ends[1]]))
        return self._sentences


def _split_at_blanks(start: int, end: int, text: str) -> list[Fragment]:
    """Return a fragment for each word of the sentence's text, split as the programs do."""
    first, last, _ = slice(start, end).indices(len(text))
    cuts = [start]
    for blank in islice(_BLANK.finditer(text, first, last), MOST_WORDS):
        cuts += (start + blank.start() - first, start + blank.start() - first + 1)
    cuts.append(end)
    return list(zip(cuts[0::2], cuts[1::2], strict=True))
