"""PubTator: texts, mentions with concepts, and relations between concepts.

``PMID|t|title`` and ``PMID|a|abstract``; ``PMID<tab>start<tab>end<tab>words<tab>type<tab>ids``,
with ``|`` between the ids of a composite mention, then perhaps other columns; and
``PMID<tab>CID<tab>chemical<tab>disease``. Offsets count characters from the title's first, ends are
exclusive. The words are never used.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial

import numpy as np

from clineval.base.arrays import Coded, IntArray
from clineval.base.errors import InputError, located, read_all, shown
from clineval.base.files import Source
from clineval.base.offsets import are_offsets, judge_offset, read_whole
from clineval.formats.files import TextFile, read_text_files
from clineval.kinds.documents import Documents

FILES = r"(?i)\.(pubtator|txt)$"
MENTIONS = ("Disease", "Chemical")
RELATION = "CID"
KINDS = ("mentions", "concepts", "relations")
NAMELESS = "MESH"
_TEXT = re.compile(r"[^|\t]+\|[taTA]\|")
_TEXT_ANYWHERE = re.compile(r"\|[taTA]\|")
_NUMBER = re.compile(r"\d+\Z", re.ASCII)
_NO_CONCEPT = frozenset({"", "-", "-1"})
_MOST_PAIRS = 1000
"""Of the concepts of one relation; corpora have one or two on either side."""
_TRIMMED = "".join(map(chr, range(33)))

Fragments = tuple[tuple[int, int], ...]
Item = tuple[str, str, str, Fragments]
"""Kind, label, concepts, and fragments of a mention."""


@dataclass(frozen=True, slots=True, eq=False)
class ItemSide(Documents):
    """The distinct items of one side of a corpus.

    Args:
        document: ``[n]``, index of the item's document, never decreasing.
        kind: ``[n]``, one of :data:`KINDS`.
        label: ``[n]``, its type.
        concept: ``[n]``, its concept, or both of a relation with a tab between; empty for mentions.
        bounds: ``[n + 1]``; the fragments of item ``i`` are ``bounds[i]:bounds[i + 1]``; other
            items than mentions have an empty one.
        starts: ``[f]``, their first characters.
        ends: ``[f]``, the characters after their last ones.
    """

    document: IntArray
    kind: Coded
    label: Coded
    concept: Coded
    bounds: IntArray
    starts: IntArray
    ends: IntArray


@dataclass(slots=True)
class Draft:
    """Items that are collected document by document; each counts once."""

    items: dict[str, dict[Item, None]] = field(default_factory=dict)

    def document(self, name: str) -> dict[Item, None]:
        """Return the items of a document, which is added if it is new."""
        return self.items.setdefault(name, {})

    def add(self, name: str, items: Iterable[Item]) -> None:
        """Add a mention with its concepts, or a relation, to a document."""
        self.document(name).update(dict.fromkeys(items))

    def add_text(self, name: str, text: str, start: int | None = None) -> None:  # noqa: ARG002
        """Add a document, of whose text this is a part; None for the one after the last."""
        self.document(name)

    def finish(self, *, named: bool = True) -> ItemSide:
        """Return the columns."""
        names = tuple(self.items)
        rows = [(at, *item) for at, of in enumerate(self.items.values()) for item in of]
        fragments = [row[4] or ((0, 0),) for row in rows]
        flat = np.array([f for each in fragments for f in each], np.int64).reshape(-1, 2)
        kind, label, concept = (Coded.of([str(row[at]) for row in rows]) for at in (1, 2, 3))
        return ItemSide(
            names if named else ("",) * len(names),
            names if named else None,
            np.array([row[0] for row in rows], np.int32),
            kind,
            label,
            concept,
            np.cumsum([0, *map(len, fragments)]),
            flat[:, 0],
            flat[:, 1],
        )


def canonical(concept: str) -> str:
    """Normalize a concept for comparison: name space, upper case; empty if it is not a concept.

    Examples:
        >>> canonical(" d001249"), canonical("OMIM:1"), canonical("-1"), canonical("MESH:-1")
        ('MESH:D001249', 'OMIM:1', '', '')
    """
    space, _, name = concept.strip().rpartition(":")
    if name.strip() in _NO_CONCEPT:
        return ""
    return f"{(space.strip() or NAMELESS).upper()}:{name.strip().upper()}"


def read_pubtator(source: Source, *, gold: bool) -> Draft:
    """Read by the format; an ``InputError`` names file and line.

    Relations of a ``gold`` standard must have both concepts.
    """
    draft = Draft()
    for file in read_text_files(source, pattern=FILES, separator="\t"):
        read_file(file, draft, gold=gold)
    return draft


def read_file(file: TextFile, draft: Draft, *, gold: bool) -> None:
    """Read the lines of a file, raising the errors of all invalid ones at once."""
    read_all(
        partial(located, where, _read_line, line.rstrip(), draft, gold=gold)
        for where, line in file.lines()
    )


def _read_line(line: str, draft: Draft, *, gold: bool) -> None:
    if text := _TEXT.match(line):
        draft.add_text(line[: text.end() - 3].strip(), line[text.end() :])
        return
    cells = line.split("\t")
    if len(cells) > 2 and _NUMBER.match(cells[1].strip().removeprefix("-")):  # noqa: PLR2004
        items = _read_mention(cells)
    elif len(cells) > 1 and cells[1].strip() == RELATION:
        items = _read_relation(cells, gold=gold)
    else:
        raise InputError(
            "expected PMID|t|title, PMID|a|abstract, PMID<tab>start<tab>end<tab>words<tab>type"
            "<tab>ids or PMID<tab>CID<tab>chemical<tab>disease"
        )
    draft.add(cells[0].strip(), items)


def _read_mention(cells: Sequence[str]) -> Iterable[Item]:
    if len(cells) < 5:  # noqa: PLR2004 - up to the type
        raise InputError(f"a mention has 6 columns, got {len(cells)}")
    offsets = [cell.strip() for cell in cells[1:3]]
    if not all(map(_NUMBER.match, offsets)):
        raise InputError("expected two offsets that count characters from 0")
    start, end = map(judge_offset, map(read_whole, offsets))
    if not start < end:
        raise InputError(f"offsets {start}-{end}: the end is not after the start")
    label = judge_label(cells[4].strip(), MENTIONS)
    concepts = cells[5].split("|") if len(cells) > 5 else ()  # noqa: PLR2004
    return items_of_mention(label, ((start, end),), concepts)


def items_of_mention(label: str, fragments: Fragments, concepts: Iterable[str]) -> Iterator[Item]:
    """Yield a mention and its concepts, each an item; nothing for a mention without fragments."""
    if fragments:
        yield "mentions", label, "", tuple(sorted(fragments))
    for concept in concepts:
        if known := canonical(concept):
            yield "concepts", label, known, ()


def _read_relation(cells: Sequence[str], *, gold: bool) -> Iterable[Item]:
    if len(cells) < 4:  # noqa: PLR2004 - document, label, two concepts
        raise InputError(f"a relation has 4 columns, got {len(cells)}")
    return items_of_relation(cells[2], cells[3], gold=gold)


def items_of_relation(first: str, second: str, *, gold: bool) -> Iterator[Item]:
    """Yield a relation for each pair of concepts; a ``gold`` standard must have both."""
    ends = [[canonical(each) for each in side.split("|")] for side in (first, second)]
    if gold and not all(map(all, ends)):
        raise InputError("a relation without one of its concepts")
    pairs = len(ends[0]) * len(ends[1])
    if pairs > _MOST_PAIRS:
        raise InputError(
            f"a relation of {pairs:,} pairs of concepts, expected at most {_MOST_PAIRS:,}",
            remedy="Give each pair as a relation",
        )
    for left in ends[0]:
        for right in ends[1]:
            yield "relations", RELATION, f"{left}\t{right}", ()


def judge_label(label: str, known: Sequence[str]) -> str:
    """Return the label, if it is known."""
    if label not in known:
        raise InputError(f"unknown type {shown(label)}, expected one of {', '.join(known)}")
    return label


def read_as_program(source: Source) -> Draft:
    """Read as the released program does; refused is a line at which it stops."""
    draft = Draft()
    for file in read_text_files(source, pattern=FILES, separator="\t", as_written=True):
        for number, whole in enumerate(re.split(r"\r\n|\r|\n", file.content.decode()), 1):
            line = whole.strip(_TRIMMED)
            if text := _TEXT_ANYWHERE.search(line):
                if _TEXT.match(line):
                    draft.document(line[: text.start()])
            elif line:
                try:
                    name, items = _parse_as_program(line.split("\t"))
                except (IndexError, OverflowError):
                    raise InputError(
                        "the released program stops at this line", where=f"{file.label}:{number}"
                    ) from None
                draft.document(name).update(dict.fromkeys(items))
    return draft


def _parse_as_program(cells: Sequence[str]) -> tuple[str, list[Item]]:
    name, second = cells[0], cells[1]
    if not (_NUMBER.match(second) and _NUMBER.match(cells[2])):
        if len(cells) < 4 and second != RELATION:  # noqa: PLR2004 - nobody asks for it
            return name, []
        ends = "\t".join(concept_of_program(cell) or "null" for cell in (cells[2], cells[3]))
        return name, [("relations", second, ends, ())]
    start, end = read_whole(second), read_whole(cells[2])
    if not are_offsets(start, end):
        raise OverflowError
    label, ids = cells[4], cells[5] if len(cells) > 5 else ""  # noqa: PLR2004
    concepts = filter(None, map(concept_of_program, ids.strip(_TRIMMED).split("|")))
    found: list[Item] = [("concepts", label, concept, ()) for concept in concepts]
    return name, [("mentions", label, "", ((start, end),)), *found]


def concept_of_program(concept: str) -> str:
    """Return a concept as the program compares it; empty if it is not a concept.

    Examples:
        >>> concept_of_program("D1"), concept_of_program("MESH:-1"), concept_of_program("-1")
        ('MESH:D1', 'MESH:-1', '')
    """
    if concept in ("", "-1"):
        return ""
    return concept if ":" in concept else f"{NAMELESS}:{concept}"
