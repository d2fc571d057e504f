"""Quotes are found where a plain, slow search finds them, by every policy."""

from typing import get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st
from plain.answers import plain_align

from clineval import InputError
from clineval.answers import Alignment, align_quotes
from clineval.answers.alignment import Align

WORDS = ["pain", "Pain", "painful", "knee", "no", "in", "caf\u00e9", "cafe\u0301", "\ufb01ne",
         "fine", "½", "…", "l'eau", "l’eau", "痛み", "痛", "a_b", "ß", "ss"]  # fmt: skip
SEPARATORS = [" ", " ", "  ", "\n", ", ", "-", "–", "\u00a0", "", "."]
MATCHES = ["exact", "whitespace", "fold", "fuzzy"]


@st.composite
def notes(draw):
    parts = draw(
        st.lists(st.tuples(st.sampled_from(WORDS), st.sampled_from(SEPARATORS)), max_size=9)
    )
    return "".join(word + separator for word, separator in parts)


@st.composite
def cases(draw):
    """A note, and quotes that are in it, nearly in it, twice in it, or not at all."""
    note = draw(notes())
    fragment = st.one_of(
        st.tuples(st.integers(0, 40), st.integers(1, 14)).map(lambda t: note[t[0] : t[0] + t[1]]),
        st.sampled_from([*WORDS, "zebra", "", " ", "pain  knee", "PAIN", "pan"]),
    )
    altered = st.tuples(fragment, st.integers(0, 12), st.sampled_from(["", "x", " "])).map(
        lambda t: t[0][: t[1]] + t[2] + t[0][t[1] + 1 :]
    )
    quotes = st.lists(st.lists(st.one_of(fragment, altered), max_size=3).map(tuple), max_size=6)
    return note, draw(quotes)


@given(
    cases(),
    st.sampled_from(get_args(Align)),
    st.sampled_from(MATCHES),
    st.sampled_from([0, 0.2, 0.5]),
)
def test_every_policy_is_the_plain_one(case, align, match, distance):
    note, quotes = case
    found = align_quotes(quotes, note, Alignment(align, match, distance))
    expected = plain_align(quotes, note, align, match, distance)
    assert [(p.verdict, list(p.places)) for p in found] == expected
    assert len(found) == len(quotes)
    assert all((p.verdict == "aligned") == bool(p.places) for p in found)


@pytest.mark.parametrize(
    ("note", "quote", "place"),
    [
        ("pain ½ ", "xain ½", (0, 6)),
        ("pain½ in", "pain¼", (0, 5)),
        ("knee… pain", "kne…", (0, 5)),
        ("no ½ pain", "½ paim", (3, 9)),
    ],
)
def test_a_character_that_is_taken_apart_is_a_word(note, quote, place):
    [found] = align_quotes([(quote,)], note, Alignment("in-order", "fuzzy", 0.3))
    assert found.places == ((place,),)
    assert plain_align([(quote,)], note, "in-order", "fuzzy", 0.3) == [("aligned", [(place,)])]


@given(cases(), st.sampled_from(MATCHES))
def test_in_order_no_place_is_given_twice(case, match):
    note, quotes = case
    places = [p.places[0] for p in align_quotes(quotes, note, Alignment(match=match)) if p.places]
    assert len(set(places)) == len(places)


@pytest.mark.parametrize(
    ("quote", "note", "match", "expected"),
    [
        ("MI", "MILD MI", "exact", "MI"),
        ("left  leg", "the left\n leg", "whitespace", "left\n leg"),
        ("LEFT leg", "the left\n leg", "fold", "left\n leg"),
        ("patient’s", "the patient's leg", "fold", "patient's"),
        ("swelling left leg", "no swelling of left leg.", "fuzzy", "swelling of left leg"),
        ("oedema", "no edema, no pain", "fuzzy", "edema"),
        ("e", "caf\u00e9 e", "fold", "e"),
    ],
)
def test_what_models_change(quote, note, match, expected):
    [placement] = align_quotes([(quote,)], note, Alignment("first", match))
    [((start, end),)] = placement.places
    assert note[start:end] == expected
    if match in ("whitespace", "fold"):
        assert not align_quotes([(quote,)], note)[0].places or match == "fold"


def test_offsets_are_code_points_of_the_note_as_it_is():
    note = "🩺 Straße\r\n  ﬁne, e\u0301dema"
    for quote, expected in (("STRASSE", "Straße"), ("fine", "ﬁne"), ("édema", "e\u0301dema")):
        [placement] = align_quotes([(quote,)], note, Alignment(match="fold"))
        [((start, end),)] = placement.places
        assert note[start:end] == expected


@pytest.mark.parametrize(
    "given_",
    [{"align": "last"}, {"match": "near"}, {"distance": 1}, {"distance": True}, {"distance": "x"}],
)
def test_other_policies_are_refused(given_):
    with pytest.raises(InputError):
        Alignment(**given_)
