"""Texts in parts: offsets that restart in each part become offsets in the joined text."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from clineval import InputError
from clineval.base.arrays import Coded
from clineval.formats.parts import ROOM, PartedSide, Parts, align_parts
from clineval.kinds.mentions.columns import Side
from clineval.results.columns import MentionColumns

TEXTS = {"title": "Gut flora", "abstract": "No effect on mice."}
NAMES = st.sampled_from(["boxed", "warnings", "reactions"])
SECTIONS = st.dictionaries(NAMES, st.text(min_size=1, max_size=12), min_size=1)


def side(parts, spans, keys=("a",), documents=None):
    """Build a side of mentions, one of the first document for each list of fragments."""
    numbers = [0] * len(spans) if documents is None else documents
    columns = MentionColumns.of(numbers, spans, {"label": Coded.of(["x"] * len(spans))})
    return PartedSide(keys, keys, columns, parts=parts)


def spans_of(side):
    columns = side.mentions
    return [columns.text_of_spans(row) for row in range(len(columns))]


@given(SECTIONS, st.booleans(), st.data())
def test_the_words_of_a_part_are_the_words_of_the_joined_text(texts, inclusive, data):
    parts = Parts.of(texts, inclusive=inclusive)
    name = data.draw(st.sampled_from([*texts]))
    start = data.draw(st.integers(0, len(texts[name]) - 1))
    end = data.draw(st.integers(start + 1, len(texts[name])))
    first, last = parts.place(name, start, end - inclusive)
    assert parts.text[first:last] == texts[name][start:end]
    assert parts.find(first, last) == (name, start, end - inclusive)
    assert last <= len(parts.text) < parts.beyond


def test_ends_are_inclusive_or_exclusive():
    assert Parts.of(TEXTS).place("abstract", 3, 9) == (13, 19)
    assert Parts.of(TEXTS, inclusive=True).place("abstract", 3, 8) == (13, 19)
    assert Parts.of(TEXTS, inclusive=True).place("title", 4, 4) == (4, 5)


@pytest.mark.parametrize(
    ("place", "problem"),
    [
        (("body", 0, 1), "unknown part 'body'"),
        ((None, 0, 1), "unknown part"),
        (("title", 0, 10), "offset 10 is outside the title, which has 9 characters"),
        (("title", -1, 3), "offset -1 is negative"),
        (("title", 3, 3), "the end is not after the start"),
        (("title", "0", 3), "expected a whole number as offset"),
        (("title", 0, 3.5), "expected a whole number as offset"),
        (("title", True, 3), "expected a whole number as offset"),
    ],
)
def test_places_outside_the_parts_are_rejected(place, problem):
    with pytest.raises(InputError, match=problem):
        Parts.of(TEXTS).place(*place)
    assert "flora" not in problem


def test_an_inclusive_end_may_be_the_start_but_not_before_it():
    with pytest.raises(InputError, match="offsets 3-2: the end is before the start"):
        Parts.of(TEXTS, inclusive=True).place("title", 3, 2)


@pytest.mark.parametrize("span", [(8, 11), (9, 10), (20, 40)])
def test_a_fragment_between_two_parts_or_after_them_is_in_no_part(span):
    with pytest.raises(InputError, match="not in one of the parts title, abstract"):
        Parts.of(TEXTS).find(*span)


def test_parts_without_texts_never_overlap():
    parts = Parts.unknown(TEXTS)
    assert parts.place("title", 0, 4) == (0, 4)
    assert parts.place("abstract", 0, 4) == (ROOM, ROOM + 4)
    with pytest.raises(InputError, match="outside the title"):
        parts.place("title", 0, ROOM)


def test_predictions_without_texts_get_the_offsets_of_the_gold_standard():
    gold = side((Parts.of(TEXTS),), [])
    found = side(
        (Parts.unknown(TEXTS),), [[(0, 3)], [(ROOM + 3, ROOM + 9), (ROOM + 10, ROOM + 12)]]
    )
    assert spans_of(align_parts(found, gold)) == ["0-3", "13-19,20-22"]


def test_a_mention_outside_its_part_moves_beyond_the_text():
    parts = Parts.of(TEXTS)
    found = side((Parts.unknown(TEXTS),), [[(4, 12)], [(ROOM + 12, ROOM + 30)]])
    moved = align_parts(found, side((parts,), []))
    assert spans_of(moved) == [
        f"{parts.beyond + 4}-{parts.beyond + 12}",
        f"{ROOM + parts.beyond + 12}-{ROOM + parts.beyond + 30}",
    ]


def test_gold_standards_without_texts_keep_their_offsets():
    found = side((Parts.of(TEXTS),), [[(0, 3)], [(13, 19)]])
    moved = align_parts(found, side((Parts.unknown(TEXTS),), []))
    assert spans_of(moved) == ["0-3", f"{ROOM + 3}-{ROOM + 9}"]


def test_documents_are_paired_by_key_or_by_position():
    short, long = Parts.of({"title": "ab", "abstract": "cd"}), Parts.of(TEXTS)
    rooms = (Parts.unknown(TEXTS),) * 2
    gold = side((short, long), [], keys=("a", "b"))
    spans = [[(ROOM, ROOM + 1)], [(ROOM, ROOM + 1)]]
    by_key = side(rooms, spans, keys=("b", "c"), documents=[0, 1])
    assert spans_of(align_parts(by_key, gold)) == ["10-11", f"{ROOM}-{ROOM + 1}"]
    by_position = replace(by_key, keys=None)
    assert spans_of(align_parts(by_position, gold)) == ["3-4", "10-11"]


@pytest.mark.parametrize("which", ["predictions", "references"])
def test_offsets_in_unknown_parts_cannot_be_compared_with_offsets_in_the_whole_text(which):
    columns = MentionColumns.of([0], [[(0, 3)]], {"label": Coded.of(["x"])})
    whole = Side(("a",), ("a",), columns)
    parted = side((Parts.unknown(TEXTS),), [[(0, 3)]])
    given = (parted, whole) if which == "predictions" else (whole, parted)
    with pytest.raises(InputError, match=f"document a: the {which} count offsets in each part"):
        align_parts(*given)


def test_offsets_in_the_whole_text_are_compared_with_known_parts():
    columns = MentionColumns.of([0], [[(13, 19)]], {"label": Coded.of(["x"])})
    whole = Side(("a",), ("a",), columns)
    known = side((Parts.of(TEXTS),), [[(13, 19)]])
    assert align_parts(whole, known) is whole
    assert align_parts(known, whole) is known
    assert align_parts(whole, whole) is whole


def test_a_side_without_mentions_stays_without():
    moved = align_parts(side((Parts.unknown(TEXTS),), []), side((Parts.of(TEXTS),), []))
    assert len(moved.mentions) == 0
    assert moved.mentions.starts.dtype == np.int64
