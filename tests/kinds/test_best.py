"""The best of all ways to pair, against all ways tried one after the other."""

from itertools import combinations, permutations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from clineval.kinds.mentions.best import assign, choose_best
from clineval.kinds.mentions.pairing import Pairs

edges = st.dictionaries(
    st.tuples(st.integers(0, 4), st.integers(0, 4)),
    st.tuples(st.integers(0, 3), st.integers(0, 2)),
    max_size=8,
)


def one_to_one(pairs):
    return all(len(set(ends)) == len(pairs) for ends in zip(*pairs, strict=True)) if pairs else True


@given(edges)
def test_the_best_pairs_are_those_of_all_ways(edges):
    pairs, counts = list(edges), [*map(list, zip(*edges.values(), strict=True))] or [[], []]
    columns = [np.array(count, np.int64) for count in counts]
    gold, prediction = np.array(pairs, np.int64).reshape(-1, 2).T
    chosen = choose_best(Pairs(gold, prediction), columns).tolist()
    assert one_to_one([pairs[at] for at in chosen])
    ways = (w for k in range(len(pairs) + 1) for w in combinations(range(len(pairs)), k))
    values = ((len(w), *(sum(count[at] for at in w) for count in counts)) for w in ways
              if one_to_one([pairs[at] for at in w]))  # fmt: skip
    assert (len(chosen), *(sum(count[at] for at in chosen) for count in counts)) == max(values)


@given(st.integers(1, 4), st.integers(1, 4), st.data())
def test_assigned_columns_add_up_to_most(rows, columns, data):
    row = st.lists(st.integers(0, 9), min_size=columns, max_size=columns)
    weights = np.array(data.draw(st.lists(row, min_size=rows, max_size=rows)))
    partners = assign(weights)
    found = [(at, to) for at, to in enumerate(partners.tolist()) if to >= 0]
    assert one_to_one(found)
    table = weights if rows <= columns else weights.T
    ways = permutations(range(table.shape[1]), table.shape[0])
    most = max(sum(table[at, to] for at, to in enumerate(way)) for way in ways)
    assert sum(weights[pair] for pair in found) == most
