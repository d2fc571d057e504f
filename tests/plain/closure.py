"""What follows from links, in plain Python: a fixpoint of rules, with no thought of speed.

A link is ``(first, second, same)``. Two ends of a contradiction lead to each other over a strict
link.
"""

from itertools import product

VERDICTS = ("_tp", "_fp", "_fn")


def compose(links):
    """All links that chains give, also those of an end with itself, and those turned round."""
    found = set(links) | {(b, a, True) for a, b, same in links if same}
    while True:
        new = {
            (a, d, same and other)
            for (a, b, same), (c, d, other) in product(found, repeat=2)
            if b == c
        }
        if new <= found:
            return found
        found |= new


def find_contradictory(links):
    """The links between ends that lead to each other, if any such end is before itself."""
    found = compose(links)
    before_itself = {a for a, b, same in found if a == b and not same}
    return {(a, b, same) for a, b, same in links if {a, b} <= before_itself and leads(found, b, a)}


def leads(found, a, b):
    return (a, b, True) in found or (a, b, False) in found


def close(links):
    """What follows from the links without contradiction."""
    found = compose(set(links) - find_contradictory(links))
    return {(a, b, same) for a, b, same in found if a != b}


def reduce(links):
    """The links without those that follow over an end that is the same as neither end."""
    found, contradictory = close(links), find_contradictory(links)
    ends = {end for link in links for end in link[:2]}
    return {
        (a, b, same)
        for a, b, same in links
        if same
        or (a, b, same) in contradictory
        or not any((a, c, False) in found and (c, b, False) in found for c in ends)
    }


def count(gold, found):
    """Counts of two sides: reduced, closed and as written; each link must be there once."""
    sides, counts = (gold, found), {}
    right = [
        {link for link in own if link in close(other) or link in other}
        for own, other in (sides, sides[::-1])
    ]
    for name, units in (("links", [*map(reduce, sides)]), ("links_written", sides)):
        counts[f"{name}_gold_tp"] = len(units[0] & right[0])
        counts[f"{name}_gold_fn"] = len(units[0] - right[0])
        counts[f"{name}_tp"] = len(units[1] & right[1])
        counts[f"{name}_fp"] = len(units[1] - right[1])
    counts["links_as_written_tp"] = len(gold & found)
    counts["links_as_written_fp"] = len(found - gold)
    counts["links_as_written_fn"] = len(gold - found)
    return counts
