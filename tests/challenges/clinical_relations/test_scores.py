"""Relations of any scheme: equal to a plain scorer, to examples by hand, and to laws."""

import json

import pytest
from conftest import DATA
from hypothesis import given
from hypothesis import strategies as st

import clineval
from clineval import InputError
from clineval.challenges.clinical_relations.definition import count
from clineval.evaluation.analysis.mistakes import count_mistakes

NAME = "clinical_relations"
CASES = json.loads((DATA / "oracle" / NAME / "cases.json").read_text())
TYPES = ("CAUSES", "SAME")
LABELS = ("Drug", "Sign")
pytestmark = pytest.mark.filterwarnings("ignore::clineval.InputWarning")


@st.composite
def documents(draw):
    """A document with a few mentions, whose places are close, and relations between them."""
    place = st.tuples(st.integers(0, 6), st.integers(1, 3))
    places = draw(st.lists(place, min_size=2, max_size=5))
    mentions = [
        {"id": id_, "spans": [[start, start + size]], "label": draw(st.sampled_from(LABELS))}
        for id_, (start, size) in zip("abcde", places, strict=False)
    ]
    if draw(st.booleans()):
        mentions[0]["spans"].append([12, 14])
    end = st.sampled_from([mention["id"] for mention in mentions])
    ends = draw(st.lists(st.tuples(end, end), max_size=5))
    return {
        "mentions": mentions,
        "relations": [
            {"label": draw(st.sampled_from(TYPES)), "from": a, "to": b} for a, b in ends if a != b
        ],
    }


corpora = st.lists(st.tuples(documents(), documents()), min_size=1, max_size=3)


def score(pairs, **options):
    golds, founds = map(list, zip(*pairs, strict=True))
    return clineval.score(NAME, founds, golds, types=list(TYPES), **options)


def counts_of(scores):
    endings = ("_tp", "_fp", "_fn", "_ends")
    return {key: value for key, value in scores.items() if key.endswith(endings) and value}


@pytest.mark.parametrize("symmetric", [(), ("SAME",), TYPES])
@given(corpora)
def test_counts_are_those_of_a_plain_scorer(symmetric, pairs):
    expected = {key: value for key, value in count(pairs, symmetric).items() if value}
    assert counts_of(score(pairs, symmetric=list(symmetric))) == expected


@given(corpora)
def test_all_symmetric_types_are_undirected(pairs):
    assert counts_of(score(pairs, symmetric=list(TYPES))) == counts_of(
        score(pairs, undirected=True)
    )


@given(corpora)
def test_laws(pairs):
    scores = score(pairs)
    assert scores["strict_f1"] <= scores["spans_f1"] <= scores["overlap_f1"]
    assert scores["mentions_f1"] <= scores["mentions_boundary_f1"] <= scores["mentions_shared_f1"]
    swapped = score([(found, gold) for gold, found in pairs])
    for match in ("strict", "spans", "overlap"):
        assert scores[f"{match}_precision"] == swapped[f"{match}_recall"]
        assert scores[f"{match}_fn_ends"] == swapped[f"{match}_fp_ends"] <= scores[f"{match}_fn"]
    alone = [score([pair]) for pair in pairs]
    assert scores["strict_tp"] == sum(each["strict_tp"] for each in alone)
    turned = [
        tuple({"mentions": d["mentions"][::-1], "relations": d["relations"][::-1]} for d in pair)
        for pair in pairs
    ]
    assert score(turned[::-1]).as_dict().keys() == scores.as_dict().keys()
    assert counts_of(score(turned[::-1])) == counts_of(scores)


@given(st.lists(documents(), min_size=1, max_size=3))
def test_a_perfect_system_has_no_errors(golds):
    scores = score([(gold, gold) for gold in golds])
    assert not any(
        scores[f"{match}_{verdict}"] for match in ("strict", "overlap") for verdict in ("fp", "fn")
    )


def note(*relations, labels="ABCD", moved=(), without=()):
    """Four mentions of four characters, three apart, and relations between them."""
    mentions = [
        {"id": str(at), "label": label, "spans": [[7 * at, 7 * at + 4 - (at in moved)]]}
        for at, label in enumerate(labels)
        if at not in without
    ]
    ends = [{"label": label, "from": str(a), "to": str(b)} for label, a, b in relations]
    return {"mentions": mentions, "relations": ends}


GOLD = note(("R", 0, 1), ("R", 2, 3))


@pytest.mark.parametrize("case", CASES.values(), ids=CASES)
def test_worked_examples(case):
    evaluation = clineval.evaluate(NAME, case["predictions"], case["references"])
    scores = evaluation.score()
    assert {match: scores[f"{match}_tp"] for match in case["tp"]} == case["tp"]
    kinds = count_mistakes(evaluation.outcomes)
    assert {kind: number for kind, number in kinds.items() if number} == case["errors"]


def test_errors_that_mentions_cause():
    found = note(("R", 2, 1), without=[0])
    scores = clineval.score(NAME, [found], [GOLD])
    # the first gold relation has an end that was not found; the second one and the prediction not
    assert (scores["strict_fn_ends"], scores["strict_fp_ends"]) == (1, 0)
    assert scores["strict_ends_share"] == pytest.approx(1 / 3)
    assert (scores["mentions_recall"], scores["mentions_precision"]) == (0.75, 1.0)
    given_mentions = clineval.score(NAME, [found], [GOLD], mentions="given")
    assert not [key for key in given_mentions if "mentions" in key or "ends" in key]
    assert "|mentions:given|" in str(given_mentions.signature)


def test_types():
    found = note(("R", 0, 1), ("S", 2, 3))
    scores = clineval.score(NAME, [found], [GOLD], types="R")
    assert (scores["strict_precision"], scores["strict_recall"]) == (1, 0.5)
    assert "|types:r|" in str(scores.signature)
    every = clineval.score(NAME, [found], [GOLD])
    assert (every["s_strict_fp"], every["macro_strict_f1"]) == (1, pytest.approx(1 / 3))
    assert "|types:r+s|" in str(every.signature)


@pytest.mark.parametrize(
    ("options", "named"),
    [
        ({"types": "R,r"}, "would be called 'r'"),
        ({"types": ["macro"]}, "would be called 'macro'"),
        ({"types": ["?"]}, "has no letter or digit"),
        ({"types": 3}, "expected a list of types"),
        ({"symmetric": ["T"]}, "unknown symmetric type 'T', expected"),
        ({"mentions": "gold"}, "unknown mentions 'gold'"),
    ],
)
def test_wrong_options_are_rejected(options, named):
    with pytest.raises(InputError, match="(?s)" + named.replace("?", r"\?")):
        clineval.score(NAME, [GOLD], [GOLD], **options)
