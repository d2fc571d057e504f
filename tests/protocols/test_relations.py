"""Relations of one's own types agree with a plain scorer, whatever the ends and directions."""

import json
from collections import Counter
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

import clineval
from clineval import Challenge, Document, InputError, Mention, Relation, Relations, Task

LABELS = ("CAUSES", "TREATS")
TYPES = ("Drug", "Sign")
pytestmark = pytest.mark.filterwarnings("ignore::clineval.InputWarning")


def declare(**options):
    task = Task("own_relations", "Own relations", "https://x.org/", definition="d", file=__file__)
    return Challenge(task, {"spec": Relations(LABELS, **options)})


@st.composite
def documents(draw):
    """A document with a few mentions, whose places are close, and relations between them."""
    place = st.tuples(st.integers(0, 4), st.integers(1, 3))
    mentions = [
        {"id": id_, "spans": [[start, start + size]], "label": draw(st.sampled_from(TYPES))}
        for id_, (start, size) in zip(
            "abcd", draw(st.lists(place, min_size=2, max_size=4)), strict=False
        )
    ]
    end = st.sampled_from([mention["id"] for mention in mentions])
    ends = draw(st.lists(st.tuples(end, end), max_size=4))
    relations = [
        {"label": draw(st.sampled_from(LABELS)), "from": a, "to": b} for a, b in ends if a != b
    ]
    return {"mentions": mentions, "relations": relations}


def list_relations(document, ends, *, directed, typed):
    """Each relation once: its label and its ends, of which the order may not count."""
    known = {mention["id"]: mention for mention in document["mentions"]}
    found = set()
    for relation in document["relations"]:
        both = []
        for id_ in (relation["from"], relation["to"]):
            mention = known[id_]
            key = id_ if ends == "ids" else tuple(map(tuple, mention["spans"]))
            both.append((key, mention["label"] if typed else ""))
        found.add((relation["label"], *(both if directed else sorted(both))))
    return found


def count(gold, found):
    right = gold & found
    return len(right), len(found - right), len(gold - right)


@pytest.mark.parametrize("ends", ["spans", "ids"])
@pytest.mark.parametrize(("directed", "typed"), [*product([True, False], repeat=2)])
@given(st.lists(st.tuples(documents(), documents()), min_size=1, max_size=3))
def test_scores_are_those_of_sets(ends, directed, typed, sides):
    options = {"directed": directed, "typed": typed}
    totals = Counter()
    for pair in sides:
        gold, found = (list_relations(each, ends, **options) for each in pair)
        for label in LABELS:
            own = [{r for r in side if r[0] == label} for side in (gold, found)]
            for verdict, number in zip(("tp", "fp", "fn"), count(*own), strict=True):
                totals[f"{label.lower()}_relations_{verdict}"] += number
                totals[f"relations_{verdict}"] += number
    golds, founds = map(list, zip(*sides, strict=True))
    challenge = declare(ends=ends, **options)
    score = clineval.score(challenge, founds, golds)
    assert {key.lower(): score[key] for key in score if key[-3:] in ("_tp", "_fp", "_fn")} == totals
    swapped = clineval.score(challenge, golds, founds)
    assert swapped["relations_precision"] == score["relations_recall"]


def share(one, two):
    """How many characters two ends have in common."""
    (a, b), (c, d) = one[0], two[0]
    return max(0, min(b, d) - max(a, c))


def largest(golds, founds, *, directed):
    """The largest number of pairs with overlapping ends, tried one after the other."""
    if not golds:
        return 0
    (label, *ends), *rest = golds
    best = largest(rest, founds, directed=directed)
    for at, (other, *theirs) in enumerate(founds):
        ways = [theirs] if directed else [theirs, theirs[::-1]]
        if label == other and any(all(map(share, ends, way)) for way in ways):
            left = founds[:at] + founds[at + 1 :]
            best = max(best, 1 + largest(rest, left, directed=directed))
    return best


@pytest.mark.parametrize("directed", [True, False])
@given(documents(), documents())
def test_overlapping_ends_are_paired_one_to_one(directed, one, two):
    """Closest first is at least half of the most, and at least what is the same."""
    challenge = declare(ends="overlap", directed=directed)
    score = clineval.score(challenge, [two], [one])
    sides = [
        [
            (r[0], *(end[0] for end in r[1:]))
            for r in list_relations(d, "spans", directed=directed, typed=False)
        ]
        for d in (one, two)
    ]
    most = largest(*sides, directed=directed)
    same = len(set(sides[0]) & set(sides[1]))
    right = score["relations_tp"]
    assert max(same, most / 2) <= right <= most
    assert (right + score["relations_fn"], right + score["relations_fp"]) == tuple(map(len, sides))


def relate(places, *relations):
    return {
        "mentions": [
            {"id": id_, "spans": [list(span)], "label": "Drug"} for id_, span in places.items()
        ],
        "relations": [{"label": label, "from": a, "to": b} for label, a, b in relations],
    }


GOLD = relate({"a": (0, 4), "b": (6, 9), "c": (12, 15)}, ("CAUSES", "a", "b"), ("TREATS", "c", "b"))
FOUND = relate(
    {"x": (0, 4), "b": (6, 9), "c": (12, 19)}, ("CAUSES", "b", "x"), ("TREATS", "c", "b")
)


@pytest.mark.parametrize(
    ("options", "right"),
    [
        ({}, 0),
        ({"directed": False}, 1),
        ({"ends": "overlap"}, 1),
        ({"ends": "overlap", "directed": False}, 2),
        ({"ends": "ids"}, 1),
        ({"ends": "ids", "directed": False}, 1),
    ],
)
def test_ends_and_direction_decide(options, right):
    score = clineval.score(declare(**options), [FOUND], [GOLD])
    assert (score["relations_tp"], score["relations_fp"]) == (right, 2 - right)


def test_it_reads_brat_lines_documents_and_files(tmp_path):
    lines = "T1\tDrug 0 4\tword\nT2\tDrug 6 9\ttwo\nR1\tCAUSES Arg1:T1 Arg2:T2\n"
    (tmp_path / "gold").mkdir()
    (tmp_path / "gold/a.ann").write_text(lines)
    document = {"id": "a", **relate({"T1": (0, 4), "T2": (6, 9)}, ("CAUSES", "T1", "T2"))}
    (tmp_path / "found.jsonl").write_text(json.dumps(document) + "\n")
    for ends in ("spans", "overlap", "ids"):
        challenge = declare(ends=ends)
        files = clineval.score(challenge, tmp_path / "found.jsonl", tmp_path / "gold")
        assert (files["relations_f1"], files["relations_tp"]) == (1, 1)
        mentions = [Mention.from_dict(mention) for mention in document["mentions"]]
        relations = [Relation("CAUSES", "T1", "T2")]
        objects = [Document("a", mentions, relations=relations)]
        assert clineval.score(challenge, objects, tmp_path / "gold")["relations_tp"] == 1
        assert clineval.score(challenge, [lines], [lines])["relations_tp"] == 1


@pytest.mark.parametrize(
    ("options", "where"),
    [
        ({"labels": ()}, "labels"),
        ({"labels": ("A", "a ")}, "labels"),
        ({"labels": ("A",), "ends": "words"}, "ends"),
    ],
)
def test_declarations_are_checked(options, where):
    with pytest.raises(InputError, match=where):
        Relations(**options)


def test_a_label_that_is_not_declared_is_refused():
    with pytest.raises(InputError, match="label: expected one of CAUSES, TREATS"):
        clineval.score(declare(), [relate({"a": (0, 1), "b": (2, 3)}, ("HELPS", "a", "b"))], [GOLD])


def test_confusion_compares_ends_that_overlap():
    other = relate({"a": (0, 4), "b": (6, 8)}, ("TREATS", "a", "b"))
    found = clineval.evaluate(declare(), [other], [GOLD]).outcomes
    match = found.matches["any_class"]
    assert (match.pairs, len(match)) == (1, 2)
