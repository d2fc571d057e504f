"""Mutations of good input: of what a file holds, and of objects part by part."""

import json
import math
import re

import numpy as np
from canary import HOLD_NAMES, NOTE
from hypothesis import strategies as st

HUGE = "9" * 5000
# commands also write to what these name: none may be a file of the machine that runs the tests
WORDS = (
    "", " ", "\0", "\ud800", "\u202e", "NULL", "CUI-less", "../../x", "/dev/null/x", "a|b", "a||b",
    "a\nb", "a\tb", "[bold]x[/bold]", "[/x]", "\x1b[31m", "=1+1", "nan", "-1", HUGE, "x" * 3000,
    "(((", "\\", '"', "{", "[" * 2000, "T1", "None", "no", "é",
)  # fmt: skip
NUMBERS = (
    0, 1, -1, 2, 5, 255, 2**31 - 1, 2**31, 2**63 - 1, 2**63, 10**400, 0.5, 1e308, -0.0,
    math.nan, math.inf, -math.inf, True, False, np.int64(3), np.float64("nan"),
)  # fmt: skip
THINGS = (
    None, [], {}, [[]], [None], {"": None}, (), b"bytes", object(), {1, 2}, np.arange(3),
    np.zeros((2, 2)), [[0, 4]], {"spans": []}, range(3), iter(()),
)  # fmt: skip
HOSTILE = st.sampled_from(WORDS) | st.sampled_from(NUMBERS) | st.sampled_from(THINGS)
NOTED = HOSTILE | st.sampled_from([NOTE, f"{NOTE}\n{NOTE}", f" {NOTE} " * 40, [NOTE], {NOTE: NOTE}])
NAMED = HOLD_NAMES | {"annotated_entries"}
"""Under these, and only there, stand names that messages show."""
_RENUMBERINGS = ((r"\d+", 0), (r"\d+", 7), (r"\d+", 1000), (r"(?<=\b[TRANE])\d+", 1000))
"""Of all numbers, or of those in brat's ids."""
ENDS = ("\n", "\r\n", "\r", "\n\n", "\x0b", "\x1c", "\u2028", "\0")
MARKS = ("|", "||", "\t", " ", ",", ";", ":", "-", '"', "[", "]", "{", "}")
_PIECES = re.compile(r"[\w.]+|\s+|[^\w\s]+")
_CELL = re.compile(r'[^|"\s]+')


def nested(depth):
    """A list within a list within a list."""
    thing = []
    for _ in range(depth):
        thing = [thing]
    return thing


@st.composite
def mutated_objects(draw, good, *, noted=True):
    """An object in which some parts are others than they were.

    Args:
        draw: of Hypothesis.
        good: the object.
        noted: whether a part may be the note with the canary, where no name stands.
    """
    for _ in range(draw(st.integers(1, 3))):
        good = _change(draw, good, NOTED if noted else HOSTILE)
    return good


def _change(draw, node, hostile):
    parts = _parts(node)
    if parts and draw(st.integers(0, 3)):
        key = draw(st.sampled_from(parts))
        named = key in NAMED
        return _with(node, key, _change(draw, node[key], HOSTILE if named else hostile))
    if parts and draw(st.booleans()):
        return _rearranged(draw, node, draw(st.sampled_from(parts)))
    return draw(hostile | st.integers(1, 3).map(lambda k: nested(10**k)))


def _parts(node):
    if isinstance(node, dict):
        return list(node)
    return list(range(len(node))) if isinstance(node, list) else []


def _with(node, key, part):
    if isinstance(node, dict):
        return {**node, key: part}
    return [*node[:key], part, *node[key + 1 :]]


def _rearranged(draw, node, key):
    """One part less, one twice, or one under another name."""
    how = draw(st.sampled_from(["less", "twice", "named"]))
    if isinstance(node, list):
        kept = [*node[:key], *node[key + 1 :]]
        return kept if how == "less" else [*node, node[key]]
    kept = {name: part for name, part in node.items() if name != key}
    if how == "less":
        return kept
    name = draw(st.sampled_from(WORDS)) if how == "named" else f"{key} "
    return {**node, name: node[key]}


@st.composite
def mutated_texts(draw, good, *, noted=False):
    """Bytes of a file in which pieces are gone, doubled, swapped, or others; in any encoding.

    Args:
        draw: of Hypothesis.
        good: what the file held.
        noted: whether cells of lines but the first, which is a name's, may be the note.
    """
    pieces = _PIECES.findall(good)[:4000]
    for _ in range(draw(st.integers(1, 4))):
        at = draw(st.integers(0, max(len(pieces) - 1, 0)))
        pieces = _edit(draw, pieces, at)
    text = "".join(pieces)
    if noted and draw(st.booleans()):
        text = _with_note(draw, text)
    return _encoded(draw, text)


def _with_note(draw, text):
    """The note in place of a cell, or after it."""
    lines = text.splitlines(keepends=True)
    cells = [
        (at, cell) for at, line in enumerate(lines[:200]) for cell in list(_CELL.finditer(line))[1:]
    ]
    if not cells:
        return text
    at, cell = draw(st.sampled_from(cells))
    begin = draw(st.sampled_from([cell.start(), cell.end()]))
    lines[at] = lines[at][:begin] + NOTE + lines[at][cell.end() :]
    return "".join(lines)


@st.composite
def mutated_json(draw, good, *, noted=False):
    """Bytes of a JSON file of which the text is another, or what it says."""
    if draw(st.booleans()):
        return draw(mutated_texts(good))
    said = draw(mutated_objects(json.loads(good), noted=noted))
    try:
        return _as_bytes(json.dumps(said, default=repr, ensure_ascii=False))
    except RecursionError:
        return b"[" * 100_000


@st.composite
def mutated_lines(draw, good, *, noted=False):
    """Bytes of JSON Lines of which one is mutated, as :func:`mutated_json`."""
    lines = good.splitlines()
    at = draw(st.integers(0, len(lines) - 1))
    mutated = draw(mutated_json(lines[at], noted=noted))
    return b"\n".join([*map(_as_bytes, lines[:at]), mutated, *map(_as_bytes, lines[at + 1 :])])


@st.composite
def large_texts(draw, good, size):
    """So many bytes of what a file holds, over and over: as it is, or with other numbers.

    What a line, a document or a problem costs must not grow with how many there are.
    """
    text = "".join(_PIECES.findall(good)[: draw(st.sampled_from([10, 100, 6000]))])
    text = text if text.endswith("\n") else f"{text}\n"
    which, step = draw(st.sampled_from(_RENUMBERINGS))
    many = range(size // len(text) + 1)
    parts = (re.sub(which, lambda n, k=k: str(int(n[0]) + k * step), text) for k in many)
    return "".join(parts)[:size].encode("utf-8", "replace")


def _as_bytes(text):
    return text.encode("utf-8", "surrogatepass")


def mutated(path, good, *, noted=True):
    """Bytes of a file with some name, as the name says what it holds."""
    if path.endswith(".json"):
        return mutated_json(good, noted=noted)
    return (
        mutated_lines(good, noted=noted)
        if path.endswith(".jsonl")
        else mutated_texts(good, noted=noted)
    )


def _edit(draw, pieces, at):
    how = draw(st.sampled_from(["cut", "less", "twice", "swap", "other", "mark", "end", "lines"]))
    there = at + draw(st.integers(1, 12))
    if how == "cut":
        return pieces[:at]
    if how == "less":
        return [*pieces[:at], *pieces[there:]]
    if how == "twice":
        return [*pieces[:there], *pieces[at:]]
    if how == "swap":
        return [*pieces[:at], *reversed(pieces[at:there]), *pieces[there:]]
    if how == "lines":
        return "".join(pieces).replace("\n", draw(st.sampled_from(ENDS))).splitlines(keepends=True)
    others = {"other": (*WORDS, *map(str, NUMBERS)), "mark": MARKS, "end": ENDS}[how]
    return [*pieces[:at], draw(st.sampled_from(others)), *pieces[at + 1 :]]


def _encoded(draw, text):
    encoding = draw(st.sampled_from(["utf-8"] * 6 + ["utf-8-sig", "utf-16", "utf-32", "cp1252"]))
    errors = "surrogatepass" if encoding.startswith("utf-8") else "replace"
    content = text.encode(encoding, errors)
    return content + draw(st.sampled_from([b""] * 8 + [b"\xff", b"\0", b"\xe2\x82"]))
