"""i2b2 2012: a plain scorer of links agrees, also if cycles pass through OVERLAP; limits."""

import random
import time

import pytest

import clineval
from clineval import InputError

NAME = "i2b2_2012_temporal"
LABELS = ("BEFORE", "AFTER", "OVERLAP")


def make_links(chance, ends, number):
    pairs = [chance.sample(range(ends), 2) for _ in range(number)]
    return [(chance.choice(LABELS), source, target) for source, target in pairs]


def as_document(links, ends):
    mentions = [
        {"id": f"E{n}", "label": "EVENT", "spans": [[n * 9, n * 9 + 5]]} for n in range(ends)
    ]
    relations = [{"label": label, "from": f"E{a}", "to": f"E{b}"} for label, a, b in links]
    return {"mentions": mentions, "relations": relations}


def turn(links):
    """Links as sets: BEFORE alone, and OVERLAP from the lower number."""
    turned = {("BEFORE", b, a) if label == "AFTER" else (label, a, b) for label, a, b in links}
    return {
        (label, *sorted(ends)) if label == "OVERLAP" else (label, *ends) for label, *ends in turned
    }


def reach(links):
    """Pairs of ends that a chain leads between, and those with a chain that has a BEFORE."""
    steps = {(a, b, label == "BEFORE") for label, a, b in links}
    steps |= {(b, a, False) for label, a, b in links if label == "OVERLAP"}
    while True:
        longer = {(a, d, x or y) for a, b, x in steps for c, d, y in steps if b == c}
        if longer <= steps:
            return {(a, b) for a, b, _ in steps}, {(a, b) for a, b, strict in steps if strict}
        steps |= longer


def without_contradictions(links):
    every, strict = reach(links)
    wrong = {
        (label, a, b)
        for label, a, b in links
        if (a, a) in strict and (b, b) in strict and {(a, b), (b, a)} <= every
    }
    return links - wrong, wrong


def score(gold, found):
    counts = {}
    sides = {"_gold": turn(gold), "": turn(found)}
    for ending, other in (("_gold", ""), ("", "_gold")):
        own = sides[ending]
        sound, wrong = without_contradictions(own)
        every, strict = reach(sound)
        between = {
            (a, b)
            for a, b in strict
            if any({(a, c), (c, b)} <= strict for c in {end for _, end in every})
        }
        reduced = {
            link for link in own if link in wrong or link[0] == "OVERLAP" or link[1:] not in between
        }
        others, others_strict = reach(without_contradictions(sides[other])[0])
        right = {
            link
            for link in own
            if link in sides[other]
            or (
                link[1:] in others_strict
                if link[0] == "BEFORE"
                else link[1:] in others - others_strict
            )
        }
        counts[f"links{ending}_tp"] = len(right & reduced)
        counts[f"links_written{ending}_tp"] = len(right)
        lost = "fn" if ending else "fp"
        counts[f"links{ending}_{lost}"] = len(reduced - right)
        counts[f"links_written{ending}_{lost}"] = len(own - right)
    counts["links_as_written_tp"] = len(sides[""] & sides["_gold"])
    return counts


@pytest.mark.parametrize("config", ["default", "links"])
@pytest.mark.parametrize("seed", range(60))
def test_a_plain_scorer_agrees(seed, config):
    chance = random.Random(seed)
    ends = chance.randint(3, 7)
    gold, found = (make_links(chance, ends, chance.randint(0, 9)) for _ in range(2))
    sides = ([as_document(links, ends)] for links in (found, gold))
    counts = clineval.score(NAME, *sides, config=config)
    expected = score(gold, found)
    assert {key: counts[key] for key in expected} == expected


def chain_of(ends, *, closed):
    links = [("BEFORE", n, n + 1) for n in range(ends - 1)]
    return [*links, ("BEFORE", ends - 1, 0)] if closed else links


@pytest.mark.parametrize("closed", [False, True], ids=["chain", "cycle"])
def test_a_thousand_ends(closed):
    chance = random.Random(7)
    links = chain_of(1000, closed=closed) + [
        ("BEFORE", *sorted(chance.sample(range(1000), 2))) for _ in range(4000)
    ]
    document = [as_document(sorted({*links}), 1000)]
    begun = time.monotonic()
    clineval.score(NAME, document, document, config="links")
    assert time.monotonic() - begun < 10
    with pytest.raises(InputError, match="1,001 ends of links"):
        clineval.score(NAME, document, [as_document(chain_of(1001, closed=closed), 1001)])
