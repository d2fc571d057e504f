"""Relations with a closure agree with a plain scorer, and each of their reasons can be replayed."""

import json
import random
import time
import xml.etree.ElementTree as ET
from collections import Counter
from itertools import permutations

import pytest
from conftest import SHARED
from hypothesis import given
from hypothesis import strategies as st

import clineval
from clineval import Challenge, Closure, InputError, Relations, Rule, Task
from clineval.definitions import closure as plain
from clineval.evaluation.analysis.mistakes import count_mistakes, list_reasonings

TIMES = Closure(before="BEFORE", same=("OVERLAP", "DURING"), inverse={"AFTER": "BEFORE"})
I2B2 = Closure(before="BEFORE", same=("OVERLAP", "SIMULTANEOUS"), inverse={"AFTER": "BEFORE"})
CONTENT = Closure(before="CONTAINS")
pytestmark = pytest.mark.filterwarnings("ignore::clineval.InputWarning")


def declare(closure=TIMES, **options):
    task = Task("own_links", "Own links", "https://x.org/", definition="d", file=__file__)
    return Challenge(task, {"spec": Relations(closure.known, closure=closure, **options)})


def relate(links, ends, *, shift=0, names=()):
    """A document of mentions at some places, and links between their numbers."""
    mentions = [
        {"id": id_, "spans": [[10 * at, 10 * at + 5 + shift]], "label": "EVENT"}
        for id_, at in zip(names or map(str, ends), ends, strict=True)
    ]
    ids = dict(zip(ends, [mention["id"] for mention in mentions], strict=True))
    relations = [{"label": label, "from": ids[a], "to": ids[b]} for label, a, b in links]
    return {"mentions": mentions, "relations": relations}


def read(links, closure=TIMES):
    """The distinct links without labels that mean the same."""
    found = set()
    for label, a, b in links:
        same = label in closure.same
        turned = label in closure.inverse or (same and a > b)
        found.add((b, a, same) if turned else (a, b, same))
    return found


@st.composite
def links_of(draw, closure=TIMES, size=6, most=10):
    end = st.integers(0, size - 1)
    link = st.tuples(st.sampled_from(closure.known), end, end).filter(
        lambda link: link[1] != link[2]
    )
    return draw(st.lists(link, max_size=most))


def pick_counts(score):
    return {
        key: score[key]
        for key in score
        if key.startswith("links") and key[-3:] in ("_tp", "_fp", "_fn")
    }


SIDES = st.lists(st.tuples(links_of(), links_of()), min_size=1, max_size=3)


@pytest.mark.parametrize(("ends", "shift"), [("spans", 0), ("ids", 3), ("overlap", 3)])
@given(SIDES, st.integers(0, 99))
def test_counts_are_those_of_a_plain_scorer(ends, shift, sides, seed):
    totals, golds, founds = Counter(), [], []
    order = random.Random(seed).sample(range(6), 6)
    for gold, found in sides:
        totals.update(plain.count(read(gold), read(found)))
        golds.append(relate(gold, range(6)))
        founds.append(relate(found, order, shift=shift))
    score = clineval.score(declare(ends=ends), founds, golds)
    assert pick_counts(score) == totals
    for name in ("links", "links_written"):
        tp, fp, right, fn = (score[f"{name}_{key}"] for key in ("tp", "fp", "gold_tp", "gold_fn"))
        precision, recall = tp / max(tp + fp, 1), right / max(right + fn, 1)
        assert score[f"{name}_precision"] == precision
        assert score[f"{name}_recall"] == recall
        assert score[f"{name}_f1"] == 2 * precision * recall / ((precision + recall) or 1)
    swapped = clineval.score(declare(ends=ends), golds, founds)
    assert swapped["links_precision"] == score["links_recall"]


def test_random_links_have_cycles_that_pass_through_the_same():
    """Such data are not too simple."""
    rng = random.Random(7)
    found = Counter()
    for _ in range(50):
        links = read([(rng.choice(TIMES.known), *rng.sample(range(6), 2)) for _ in range(9)])
        found.update(link[2] for link in plain.find_contradictory(links))
    assert found[True] > 20
    assert found[False] > 20


@given(links_of(CONTENT), links_of(CONTENT))
def test_an_order_may_have_no_equals(gold, found):
    sides = [[relate(links, range(6))] for links in (found, gold)]
    counts = pick_counts(clineval.score(declare(CONTENT), *sides))
    assert counts == plain.count(read(gold, CONTENT), read(found, CONTENT))


@given(links_of(most=5), links_of(most=4))
def test_no_order_of_lines_matters(gold, found):
    """Nor does it matter if a line is there twice."""
    challenge, golds = declare(), [relate(gold, range(6))]
    first = clineval.score(challenge, [relate(found, range(6))], golds)
    for order in permutations(found):
        again = clineval.score(challenge, [relate([*order, *order[:1]], range(6))], golds)
        assert dict(again) == dict(first)


@given(SIDES)
def test_every_path_and_every_cycle_can_be_replayed(sides):
    golds, founds = (
        [relate(links, range(6)) for links in side] for side in zip(*sides, strict=True)
    )
    outcomes = clineval.evaluate(declare(), founds, golds).outcomes
    reasonings = [reasoning.as_dict() for reasoning in list_reasonings(outcomes)]
    expected = Counter()
    for number, pair in enumerate(sides):
        name, links = outcomes.documents[number], [*map(read, pair)]
        for side, own, other in (("gold", *links), ("predicted", *links[::-1])):
            expected[name, side, "right by inference"] += len((own & plain.close(other)) - other)
            expected[name, side, "contradictory"] += len(plain.find_contradictory(own))
            replay(
                [r for r in reasonings if (r["document"], r["side"]) == (name, side)], own, other
            )
    found = Counter((r["document"], r["side"], r["kind"]) for r in reasonings)
    assert found == +expected
    counted = count_mistakes(outcomes)["right by inference"]
    assert counted == sum(r["kind"] == "right by inference" for r in reasonings)


def place(link):
    a, b = (int(link[key].split("-")[0]) // 10 for key in ("from", "to"))
    return a, b, link["label"] == "OVERLAP"


def replay(reasonings, own, other):
    """Follow each chain over links that its side has, from the link's first end."""
    for reasoning in reasonings:
        link, chain = place(reasoning), [*map(place, reasoning["chain"])]
        cycle = reasoning["kind"] == "contradictory"
        known = own if cycle else other - plain.find_contradictory(other)
        for a, b, same in chain:
            assert (a, b, same) in known or (same and (b, a, same) in known)
        assert [a for a, _, _ in chain] == [link[0], *(b for _, b, _ in chain[:-1])]
        assert chain[-1][1] == link[0 if cycle else 1]
        assert any(not same for _, _, same in chain) == (cycle or not link[2])
        assert not cycle or chain[0] == link


GOLD = [("BEFORE", 0, 1), ("AFTER", 2, 1), ("OVERLAP", 3, 2), ("BEFORE", 0, 2), ("BEFORE", 4, 5)]
FOUND = [("BEFORE", 0, 3), ("DURING", 2, 3), ("BEFORE", 4, 1), ("BEFORE", 1, 4), ("OVERLAP", 4, 5)]


def test_outcomes_by_hand():
    outcomes = clineval.evaluate(
        declare(), [relate(FOUND, range(6))], [relate(GOLD, range(6))]
    ).outcomes
    kinds = {kind: number for kind, number in count_mistakes(outcomes).items() if number}
    assert kinds == {
        "right": 1,  # 2 OVERLAP 3
        "label": 1,  # 4 BEFORE 5 is OVERLAP
        "right by inference": 2,  # 0 BEFORE 3 in gold; 0 BEFORE 2 in the predictions
        "contradictory": 2,  # 1 BEFORE 4 BEFORE 1
        "unlinked": 2,  # 0 BEFORE 1, 1 BEFORE 2
    }
    paths = [
        (r.side, str(r.link), [*map(str, r.chain)])
        for r in list_reasonings(outcomes)
        if r.kind == "right by inference"
    ]
    assert paths == [
        ("gold", "0-5 BEFORE 20-25", ["0-5 BEFORE 30-35", "30-35 OVERLAP 20-25"]),
        ("predicted", "0-5 BEFORE 30-35", ["0-5 BEFORE 20-25", "20-25 OVERLAP 30-35"]),
    ]


def test_overlapping_ends_are_paired_one_to_one():
    """The system's second mention touches the first gold one too, and is an end of its own."""
    gold = relate([("BEFORE", 0, 1)], (0, 1))
    found = relate([("BEFORE", 0, 2), ("BEFORE", 1, 2)], (0, 1, 2))
    for mention, span in zip(found["mentions"], ((0, 4), (3, 5), (10, 14)), strict=True):
        mention["spans"] = [[*span]]
    score = clineval.score(declare(ends="overlap"), [found], [gold])
    assert (score["links_tp"], score["links_fp"]) == (1, 1)


def test_a_rule_may_read_such_links():
    """Its items have the labels of the closure; it has scores of its own."""

    def match(gold, found):
        rows = [
            (None, at, "tp" if item.label == "BEFORE" else "fp") for at, item in enumerate(found)
        ]
        return {"strict": [*rows, *((at, None, "fn") for at, _ in enumerate(gold))]}

    links = Relations(TIMES.known, closure=TIMES)
    task = Task("own_rule", "Own rule", "https://x.org/", definition="d", file=__file__)
    challenge = Challenge(task, {"spec": Rule(match, links, pairs=False)})
    sides = [relate(FOUND, range(6))], [relate(GOLD, range(6))]
    assert clineval.score(challenge, *sides)["strict_tp"] == 3
    assert count_mistakes(clineval.evaluate(challenge, *sides).outcomes)["right"]


@pytest.mark.parametrize(
    ("build", "where"),
    [
        (lambda: Closure(before=""), "before: expected a word"),
        (lambda: Closure(before="A", same="B"), "same: expected a tuple"),
        (lambda: Closure(before="A", same=("A",)), "A occurs twice"),
        (lambda: Closure(before="A", inverse=("B",)), "inverse: expected a dict"),
        (lambda: Closure(before="A", inverse={"B": "C"}), "inverse: expected A"),
        (lambda: Relations(("A", "B"), closure=Closure(before="A")), "closure: expected A, B"),
        (lambda: Relations(("A",), closure="A"), "closure: expected"),
        (lambda: Relations(("A",), closure=Closure(before="A"), directed=False), "directed"),
    ],
)
def test_declarations_are_checked(build, where):
    with pytest.raises(InputError, match=where):
        build()


def draw(ends, number, seed):
    rng = random.Random(seed)
    links = [(rng.choice(TIMES.known), *rng.sample(range(ends), 2)) for _ in range(number)]
    return relate(links, range(ends))


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("documents", "ends", "links", "limit"), [(310, 102, 180, 2), (1, 1000, 4900, 5)]
)
def test_it_is_quick(documents, ends, links, limit):
    sides = [[draw(ends, links, seed + first) for seed in range(documents)] for first in (0, 500)]
    challenge = declare()
    clineval.score(challenge, [draw(9, 9, 1)], [draw(9, 9, 2)])
    start = time.process_time()
    clineval.score(challenge, *sides)
    assert time.process_time() - start < limit


def test_larger_documents_are_refused():
    document = draw(1002, 6000, 1)
    with pytest.raises(InputError, match=r"document '?0'?.*: there are .* expected at most"):
        clineval.score(declare(), [document], [document])


def read_tlinks(path):
    """The links of a document of i2b2 2012 between ids; without a label if an end is unknown."""
    root = ET.parse(path).getroot()
    known = {entity.get("id") for tag in ("EVENT", "TIMEX3") for entity in root.iter(tag)}
    known |= {"Admission", "Discharge"}
    found = []
    for link in root.iter("TLINK"):
        label, *ends = (link.get(key) for key in ("type", "fromID", "toID"))
        found.append((label if known.issuperset(ends) else "", *ends))
    return found


def read_contains(path):
    """A document of THYME: containers between the places of entities."""
    root = ET.parse(path).getroot()
    places = {
        entity.findtext("id"): frozenset(entity.findtext("span").split(";"))
        for entity in root.iter("entity")
    }
    links = [
        [relation.findtext(f"properties/{key}") for key in ("Type", "Source", "Target")]
        for relation in root.iter("relation")
        if relation.findtext("type") == "TLINK"
    ]
    return [
        (label, *(places[end] for end in ends))
        for label, *ends in links
        if label == "CONTAINS" and all(end in places for end in ends)
    ]


def read_sides(folder, read_links, pattern):
    """The links of the documents of both sides; names of files may differ."""
    sides = [
        {
            path.relative_to(folder / side).parts[0]: read_links(path)
            for path in (folder / side).glob(pattern)
        }
        for side in ("gold", "system")
    ]
    assert sides[0].keys() == sides[1].keys()
    return [(links, sides[1][name]) for name, links in sorted(sides[0].items())]


def score_sides(documents, closure):
    """Score links with known labels; each end has a place of its own."""
    golds, founds = [], []
    for document in documents:
        ends = sorted({end for links in document for _, *both in links for end in both}, key=str)
        for side, links in zip((golds, founds), document, strict=True):
            numbered = [
                (label, ends.index(a), ends.index(b))
                for label, a, b in links
                if label in closure.known
            ]
            side.append(relate(numbered, range(len(ends))))
    return clineval.score(declare(closure), founds, golds)


def find_corpora(name):
    return sorted((SHARED / "oracle" / name).glob("random_*"))


@pytest.mark.parametrize("folder", find_corpora("i2b2_2012_temporal"), ids=lambda f: f.name)
def test_links_of_i2b2_2012_with_given_ends(folder):
    """The counts of the reference; links without a type or a known end are wrong, and no more."""
    expected = json.loads((folder / "spec.json").read_text())["TLINK given"]
    documents = read_sides(folder, read_tlinks, "*.xml")
    score = score_sides(documents, I2B2)
    wrong = [sum(not link[0] for both in documents for link in both[side]) for side in (0, 1)]
    found = {
        "right_p": score["links_tp"],
        "right_r": score["links_gold_tp"],
        "system": score["links_tp"] + score["links_fp"] + wrong[1],
        "gold": score["links_gold_tp"] + score["links_gold_fn"] + wrong[0],
        "oc_p": score["links_written_tp"],
        "oc_r": score["links_written_gold_tp"],
        "system_all": score["links_written_tp"] + score["links_written_fp"] + wrong[1],
        "gold_all": score["links_written_gold_tp"] + score["links_written_gold_fn"] + wrong[0],
        "oo": score["links_as_written_tp"],
    }
    assert found == expected


@pytest.mark.parametrize("folder", find_corpora("clinical_tempeval"), ids=lambda f: f.name)
def test_containers_of_thyme(folder):
    counts = json.loads((folder / "spec.json").read_text())
    score = score_sides(read_sides(folder, read_contains, "*/*.xml"), CONTENT)
    closed = {
        "right_p": score["links_written_tp"],
        "right_r": score["links_written_gold_tp"],
        "system": score["links_written_tp"] + score["links_written_fp"],
        "gold": score["links_written_gold_tp"] + score["links_written_gold_fn"],
    }
    assert closed == counts["closure"]
    assert score["links_as_written_tp"] == counts["TLINK:Type:CONTAINS"]["right"]
