"""Views of labelled spans: what their steps make, and as many near ends as possible."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clineval.formats.dicts import read_records
from clineval.kinds.mentions.corpus import join_sides
from clineval.kinds.mentions.derived import (
    View,
    cut,
    keep,
    merge,
    relabel,
    split_fragments,
    untyped,
)
from clineval.results.slots import Slot

LABEL = Slot("label", "label", required=True)
LETTER = re.compile(r"[^\W_]")


def join(gold, found, text=None):
    sides = [
        read_records(
            [[{"spans": [list(s) for s in spans], "label": of} for *spans, of in side]], [LABEL]
        )
        for side in (gold, found)
    ]
    corpus = join_sides(*sides, [LABEL])
    if text is not None:
        corpus.texts[0] = text
    return corpus


def shown(corpus):
    """The gold mentions as spans and labels."""
    columns = corpus.gold.columns
    labels = columns.attributes["label"]
    return [
        (columns.text_of_spans(row), labels.values[labels.ids[row]]) for row in range(len(columns))
    ]


def view(*steps, gold, text=None, found=(), reach=0):
    return View(LABEL, steps, reach).pair(join(gold, found, text))


TWO = [((0, 4), "NAME"), ((0, 4), "ID"), ((6, 9), "NAME")]


def test_without_labels_equal_spans_are_one():
    assert shown(view(untyped(LABEL), gold=TWO).corpus) == [("0-4", ""), ("6-9", "")]


def test_some_labels():
    assert shown(view(keep(LABEL, "ID".__eq__), gold=TWO).corpus) == [("0-4", "ID")]


def test_steps_follow_one_another():
    steps = keep(LABEL, "NAME".__eq__), relabel(LABEL, str.lower)
    assert shown(view(*steps, gold=TWO).corpus) == [("0-4", "name"), ("6-9", "name")]


def test_fragments_are_mentions():
    gold = [((0, 4), (6, 9), "NAME"), ((6, 9), "NAME")]
    assert shown(view(split_fragments, gold=gold).corpus) == [("0-4", "NAME"), ("6-9", "NAME")]


def test_tokens_are_inside_of_mentions_and_have_their_labels():
    gold = [((0, 8), "NAME"), ((2, 8), "NAME"), ((9, 11), "DATE")]
    tokens = shown(view(cut(LABEL, re.compile(r"[^\W_]+")), gold=gold, text="Jo-José: -- x").corpus)
    assert tokens == [("0-2", "NAME"), ("3-7", "NAME")]
    found = shown(
        view(
            cut(LABEL, re.compile(r"[A-Za-z]+"), empty=True), gold=gold, text="Jo-José: -- x"
        ).corpus
    )
    assert found == [("0-2", "NAME"), ("3-6", "NAME"), ("11-11", "DATE")]


SPANS = st.lists(st.tuples(st.integers(0, 12), st.integers(0, 14), st.sampled_from("AB")))


@given(st.text("a -", max_size=12), SPANS, st.booleans())
def test_tokens_of_mentions_that_overlap_are_those_of_each(text, given_spans, empty):
    spans = [(start, end) for start, end, _ in given_spans if start < end]
    labels = [label for start, end, label in given_spans if start < end]
    pattern = re.compile("a+")
    expected = set()
    for (start, end), label in zip(spans, labels, strict=True):
        tokens = [token.span() for token in pattern.finditer(text, start, end)]
        expected |= {(a, b, label) for a, b in tokens or ([(end, end)] if empty else [])}
    gold = [(span, label) for span, label in zip(spans, labels, strict=True)]
    found = shown(view(cut(LABEL, pattern, empty=empty), gold=gold, text=text).corpus)
    assert sorted(found) == sorted((f"{a}-{b}", label) for a, b, label in expected)


@pytest.mark.parametrize(
    ("text", "gold", "expected"),
    [
        ("Ana, Paz", [(0, 3), (5, 8)], ["0-8"]),
        ("Ana y Paz", [(0, 3), (6, 9)], ["0-3", "6-9"]),
        ("Ana²Paz", [(0, 3), (4, 7)], ["0-3", "4-7"]),
        ("Ana_€\nPaz", [(0, 3), (6, 9)], ["0-9"]),
        ("A, B - C d", [(0, 1), (3, 4), (7, 8), (9, 10)], ["0-10"]),
        ("Ana Paz Sol", [(0, 11), (4, 7)], ["0-11"]),
        ("Ana Paz Sol", [(0, 7), (4, 11)], ["0-11"]),
        ("AnaPaz", [(0, 3), (3, 6)], ["0-6"]),
        (None, [(0, 3), (3, 6), (7, 9)], ["0-6", "7-9"]),
    ],
)
def test_neighbours_merge(text, gold, expected):
    steps = untyped(LABEL), split_fragments, merge(LETTER)
    spans = [
        span for span, _ in shown(view(*steps, gold=[(g, "X") for g in gold], text=text).corpus)
    ]
    assert spans == expected


def test_a_nested_mention_may_move_the_end():
    steps = untyped(LABEL), merge(LETTER, within=False)
    spans = shown(view(*steps, gold=[((8, 28), "X"), ((15, 21), "X")], text="." * 40).corpus)
    assert spans == [("8-21", "")]


ENDS = st.lists(st.tuples(st.integers(0, 1), st.integers(3, 14), st.sampled_from("AB")), max_size=7)


@given(ENDS, ENDS, st.integers(1, 4))
def test_as_many_near_ends_as_possible(gold, found, reach):
    sides = [sorted({((start, end), of) for start, end, of in side}) for side in (gold, found)]
    viewed = view(gold=sides[0], found=sides[1], reach=reach)
    pairs = list(zip(viewed.pairs.gold.tolist(), viewed.pairs.prediction.tolist(), strict=True))
    assert len({g for g, _ in pairs}) == len({p for _, p in pairs}) == len(pairs)
    assert all(near(sides[0], sides[1], reach, *pair) for pair in zip_rows(viewed, sides, pairs))
    assert len(pairs) == most(sides[0], sides[1], reach)


def zip_rows(viewed, sides, pairs):
    """Pairs of rows as numbers in the lists that they were made of."""
    numbers = []
    for side, mentions in zip(sides, (viewed.corpus.gold, viewed.corpus.prediction), strict=True):
        columns = mentions.columns
        labels = columns.attributes["label"]
        spans = zip(columns.starts.tolist(), columns.ends.tolist(), strict=True)
        names = [labels.values[at] for at in labels.ids.tolist()]
        numbers.append([side.index(mention) for mention in zip(spans, names, strict=True)])
    return [(numbers[0][g], numbers[1][p]) for g, p in pairs]


def near(gold, found, reach, g, p):
    (one, label), (other, other_label) = gold[g], found[p]
    return label == other_label and one[0] == other[0] and abs(one[1] - other[1]) <= reach


def most(gold, found, reach):
    """The greatest number of pairs, by augmenting paths."""
    partner = {}

    def augment(g, seen):
        for p in range(len(found)):
            if near(gold, found, reach, g, p) and p not in seen:
                seen.add(p)
                if p not in partner or augment(partner[p], seen):
                    partner[p] = g
                    return True
        return False

    return sum(augment(g, set()) for g in range(len(gold)))
