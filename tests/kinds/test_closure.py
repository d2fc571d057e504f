"""The closure of links says what holds in all placements of their ends, whatever their order."""

import random
import time
from itertools import permutations, product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from clineval import InputError
from clineval.definitions import closure as plain
from clineval.kinds.relations.closure import MOST_ENDS, MOST_LINKS, ClosedLinks, Links

SIZE = 4
PLACEMENTS = [*product(range(SIZE), repeat=SIZE)]
EVERY = [(a, b, same) for a, b, same in product(range(SIZE), range(SIZE), (False, True)) if a != b]


def links_of(size, most):
    end = st.integers(0, size - 1)
    return st.lists(st.tuples(end, end, st.booleans()), max_size=most, unique=True)


def holds(link, placement):
    a, b, same = link
    return placement[a] == placement[b] if same else placement[a] < placement[b]


def place(links):
    """All placements, ends on one place included, in which links hold."""
    return [each for each in PLACEMENTS if all(holds(link, each) for link in links)]


def list_implied(links, wanted=EVERY):
    implied = ClosedLinks(Links.of(links)).imply(Links.of(wanted)).tolist()
    return {link for link, follows in zip(wanted, implied, strict=True) if follows}


def select(links, column):
    return [link for link, chosen in zip(links, column.tolist(), strict=True) if chosen]


@given(links_of(SIZE, 7))
def test_what_follows_holds_in_all_placements(links):
    closed = ClosedLinks(Links.of(links))
    sound = select(links, ~closed.contradictory)
    placements = place(sound)
    assert placements
    assert bool(place(links)) == (len(sound) == len(links))
    always = {link for link in EVERY if all(holds(link, each) for each in placements)}
    assert list_implied(links) == always
    reduced = select(links, closed.reduced & ~closed.contradictory)
    assert list_implied(reduced) == always


@given(links_of(SIZE, 7))
def test_a_strict_link_is_contradictory_if_and_only_if_some_others_exclude_it(links):
    """Among others that can all hold together."""
    closed = ClosedLinks(Links.of(links))
    subsets = [
        [link for link, chosen in zip(links, mask, strict=True) if chosen]
        for mask in product((False, True), repeat=len(links))
    ]
    possible = [(subset, found) for subset in subsets if (found := place(subset))]
    for link, contradictory in zip(links, closed.contradictory.tolist(), strict=True):
        if not link[2]:
            excluded = any(not any(holds(link, p) for p in found) for _, found in possible)
            assert excluded == contradictory


@given(links_of(7, 12))
def test_it_agrees_with_rules_that_are_applied_until_nothing_is_new(links):
    closed = ClosedLinks(Links.of(links))
    assert {*select(links, closed.contradictory)} == plain.find_contradictory(links)
    assert {*select(links, closed.reduced)} == plain.reduce(links)
    wanted = [*product(range(8), range(8), (False, True))]
    assert list_implied(links, wanted) == plain.close(links)


@given(links_of(SIZE, 4))
def test_no_order_of_links_matters(links):
    first = ClosedLinks(Links.of(links))
    expected = [{*select(links, column)} for column in (first.contradictory, first.reduced)]
    for order in permutations(links):
        closed = ClosedLinks(Links.of(order))
        found = [{*select(order, column)} for column in (closed.contradictory, closed.reduced)]
        assert found == expected
        assert list_implied(order) == list_implied(links)


def replay(links, steps, start):
    """Follow a chain; return its last end, and whether it has a strict link."""
    strict = False
    for row, backwards in steps:
        a, b, same = links[row]
        assert same or not backwards
        first, second = (b, a) if backwards else (a, b)
        assert first == start
        start, strict = second, strict or not same
    return start, strict


@given(links_of(7, 12))
def test_every_path_and_every_cycle_can_be_replayed(links):
    closed = ClosedLinks(Links.of(links))
    for a, b, same in list_implied(links, [*product(range(7), range(7), (False, True))]):
        path = closed.find_path(a, b)
        assert replay(links, path, a) == (b, not same)
        assert not closed.contradictory[[step.row for step in path]].any()
        assert len(path) == measure(select(links, ~closed.contradictory), a, b)
    for row in np.flatnonzero(closed.contradictory).tolist():
        cycle = closed.find_cycle(row)
        assert cycle[0] == (row, False)
        assert replay(links, cycle, links[row][0]) == (links[row][0], True)
        assert closed.contradictory[[step.row for step in cycle]].all()
    for a, b, same in plain.find_contradictory(links):
        if not same:
            row = links.index((a, b, same))
            assert len(closed.find_cycle(row)) == 1 + (0 if a == b else measure(links, b, a))


def measure(links, a, b):
    """The number of links between two ends, from rounds of steps."""
    steps = {(x, y) for x, y, _ in links} | {(y, x) for x, y, same in links if same}
    reached, rounds = {a}, 0
    while b not in reached:
        reached |= {y for x, y in steps if x in reached}
        rounds += 1
    return rounds


def test_an_end_says_nothing_about_itself():
    alone = [(0, 0, True), (1, 1, False), (0, 1, False)]
    closed = ClosedLinks(Links.of(alone))
    assert closed.contradictory.tolist() == [False, True, False]
    assert not closed.imply(Links.of(alone)).tolist()[0]


def draw(size, number, name, seed):
    """Random links of a size: also in one chain with shortcuts, and in one cycle."""
    rng = random.Random(seed)
    rows = range(size - 1) if name == "chain" else range(size)
    found = {(at, (at + 1) % size, False) for at in rows} if name != "any" else set()
    while len(found) < number:
        a, b = sorted(rng.sample(range(size), 2))
        same = name != "chain" and rng.random() < 0.3
        found.add((a, b, same) if name != "any" or rng.random() < 0.5 else (b, a, same))
    return Links.of(sorted(found))


@pytest.mark.parametrize("name", ["any", "chain", "cycle"])
def test_the_largest_document_is_quick(name):
    start = time.process_time()
    gold, found = (draw(MOST_ENDS, MOST_LINKS, name, seed) for seed in (1, 2))
    sides = ClosedLinks(gold), ClosedLinks(found)
    assert sides[0].imply(found).all() == sides[1].imply(gold).all() == (name == "chain")
    assert all(side.reduced.any() for side in sides)
    for row in range(0, MOST_LINKS, 50):
        if sides[0].contradictory[row]:
            assert sides[0].find_cycle(row)
    assert time.process_time() - start < 5


@pytest.mark.parametrize(("ends", "links"), [(MOST_ENDS + 1, MOST_ENDS), (200, MOST_LINKS + 1)])
def test_larger_documents_are_refused(ends, links):
    with pytest.raises(InputError, match=r"^document 'a': there are [15],001 .*expected at most"):
        ClosedLinks(draw(ends, links, "chain", 1), "document 'a'")
