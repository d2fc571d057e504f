"""Leaks: hand-made cases, and a plain count on random ones."""

import laws
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import clineval
from clineval.definitions.leaks import leak

KEYS = ("leaked_characters", "gold_characters", "leaked_mentions", "leaked_whole_mentions",
        "gold_mentions")  # fmt: skip
LABELS = ("NAME", "DATE", "ID")
pytestmark = pytest.mark.filterwarnings("ignore::clineval.InputWarning")


def score(predictions, references, **options):
    options = {"labels": LABELS, **options}
    return clineval.score("clinical_spans", predictions, references, **options)


def mention(*fragments, label="NAME"):
    return {"spans": [list(fragment) for fragment in fragments], "label": label}


@pytest.mark.parametrize(
    ("gold", "found", "expected"),
    [
        ([mention((5, 15))], [], (10, 10, 1, 1, 1)),
        ([mention((5, 15))], [mention((5, 15))], (0, 10, 0, 0, 1)),
        ([mention((5, 15))], [mention((0, 20), label="DATE")], (0, 10, 0, 0, 1)),
        ([mention((5, 15))], [mention((5, 12))], (3, 10, 1, 0, 1)),
        ([mention((5, 15))], [mention((2, 9)), mention((9, 18))], (0, 10, 0, 0, 1)),
        ([mention((5, 15))], [mention((2, 9)), mention((10, 18))], (1, 10, 1, 0, 1)),
        ([mention((5, 15))], [mention((2, 12)), mention((6, 11))], (3, 10, 1, 0, 1)),
        ([mention((0, 4), (10, 14))], [mention((0, 4))], (4, 8, 1, 0, 1)),
        ([mention((0, 4), (10, 14))], [mention((4, 10))], (8, 8, 1, 1, 1)),
        ([mention((0, 14))], [mention((0, 4), (10, 14))], (6, 14, 1, 0, 1)),
        ([mention((0, 8)), mention((4, 12))], [mention((4, 8))], (8, 12, 2, 0, 2)),
        ([mention((3, 7)), mention((3, 7), label="ID")], [], (4, 4, 2, 2, 2)),
        ([], [mention((3, 7))], (0, 0, 0, 0, 0)),
    ],
)
def test_by_hand(gold, found, expected):
    result = score([found], [gold])
    assert tuple(result[key] for key in KEYS) == expected
    leaked, there, *mentions = expected
    assert result["leaked_characters_share"] == (leaked / there if there else 0)
    shares = ("leaked_mentions_share", "leaked_whole_mentions_share")
    assert [result[key] for key in shares] == [n / (mentions[2] or 1) for n in mentions[:2]]


def test_a_document_does_not_cover_another():
    result = score([[], [mention((0, 4))]], [[mention((0, 4))], []])
    assert result["leaked_characters"] == 4
    assert [row["leaked_characters"] for row in result.per_document] == [4, 0]


def test_the_largest_offset_covers_as_any_other():
    gold = [[mention((0, 4))], [mention((6, 9))]]
    for end in (20, np.iinfo(np.int32).max):
        found = [[mention((0, end)), mention((0, 2))], [mention((0, 2))]]
        result = score(found, gold)
        assert [row["leaked_characters"] for row in result.per_document] == [0, 3]


SPAN = st.integers(0, 20).flatmap(lambda s: st.tuples(st.just(s), st.integers(s + 1, s + 6)))


@st.composite
def mentions(draw):
    first, label = draw(SPAN), draw(st.sampled_from(LABELS))
    second = draw(SPAN.map(lambda span: (span[0] + first[1], span[1] + first[1])))
    return ((first, second) if draw(st.booleans()) else (first,)), label


DOCUMENTS = st.lists(st.tuples(*[st.lists(mentions(), max_size=5, unique=True)] * 2), min_size=1)


@given(DOCUMENTS)
def test_random_documents(documents):
    sides = [
        [[mention(*fragments, label=label) for fragments, label in side] for side in both]
        for both in zip(*documents, strict=True)
    ]
    result = score(sides[1], sides[0])
    for label in (None, *LABELS):
        prefix = f"{label.lower()}_" if label else ""
        counts = [leak(gold, found, label) for gold, found in documents]
        rows = [tuple(row[f"{prefix}{key}"] for key in KEYS) for row in result.per_document]
        assert rows == counts
        assert tuple(result[f"{prefix}{key}"] for key in KEYS) == tuple(
            map(sum, zip(*counts, strict=True))
        )


@given(DOCUMENTS)
def test_more_predictions_never_leak_more(documents):
    gold, found = (
        [[mention(*fragments, label=label) for fragments, label in side] for side in both]
        for both in zip(*documents, strict=True)
    )
    fewer = score([doc[1:] for doc in found], gold)
    assert score(found, gold)["leaked_characters"] <= fewer["leaked_characters"]
    laws.scores_are_flat_numbers(fewer.as_dict())


def test_shares_have_intervals_and_numbers_have_none():
    gold = [[mention((0, 4)), mention((9, 12))], [mention((3, 8))]]
    result = score([[mention((0, 4))], []], gold, confidence=0.9)
    low, high = result.intervals["leaked_characters_share"]
    assert low <= result["leaked_characters_share"] <= high
    assert "leaked_characters" not in result.intervals
