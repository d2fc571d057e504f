"""What follows from links of an order: Clinical TempEval's containers, i2b2 2012's times.

A link is ``(first, second, same)``: the first end is before the second one (or contains it), or
both are the same in the order. If A is before B, and B before C, then A is before C. Links are
right if the other side has them, or if they follow there. Two ends of a contradiction lead to each
other over a strict link; the links between such ends imply nothing.
"""

from itertools import product

from clineval.definitions.rates import divide


def compose(links):
    """Return all links that chains of links imply, also those of an end with itself."""
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
    """Return the links between ends that lead to each other, if such an end is before itself."""
    found = compose(links)
    before_itself = {a for a, b, same in found if a == b and not same}
    return {(a, b, same) for a, b, same in links if {a, b} <= before_itself and leads(found, b, a)}


def leads(found, a, b):
    """Check whether a link leads from one end to another."""
    return (a, b, True) in found or (a, b, False) in found


def close(links):
    """Return what follows from the links without contradiction."""
    found = compose(set(links) - find_contradictory(links))
    return {(a, b, same) for a, b, same in found if a != b}


def reduce(links):
    """Return the links without those that follow over an end that is the same as neither end."""
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
    """Return the counts of two sets of links: reduced, all, and as written."""
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


def score_links(counts):
    """Return the scores of links: precision counts predicted links, recall gold links."""
    scores = {}
    for name in ("links", "links_written", "links_as_written"):
        right, wrong = counts[f"{name}_tp"], counts[f"{name}_fp"]
        found = counts.get(f"{name}_gold_tp", right)
        missed = counts.get(f"{name}_gold_fn", counts.get(f"{name}_fn"))
        precision, recall = divide(right, right + wrong), divide(found, found + missed)
        scores |= {f"{name}_precision": precision, f"{name}_recall": recall}
        scores[f"{name}_f1"] = divide(2 * precision * recall, precision + recall)
    return scores
