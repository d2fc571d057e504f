"""What the released program of ChEMU 2020 pairs, and the largest pairing, in plain Python."""

import math
from itertools import permutations

from clineval.challenges.chemu20.definition import KINDS, MODES, distance
from clineval.definitions.documents import characters_of


def largest_of_all(edges, predictions):
    """The size of the largest pairing, by trying all."""
    golds = len(edges)
    few, many = sorted((golds, predictions))
    turned = golds > predictions
    return max(
        (
            sum((b in edges[a]) if not turned else (a in edges[b]) for a, b in enumerate(chosen))
            for chosen in permutations(range(many), few)
        ),
        default=0,
    )


def java_hash(text):
    value = 0
    for letter in text:
        value = (31 * value + ord(letter)) % 2**32
    return value


def visit(keys):
    """The keys in the order of a hash table."""
    size = 16
    while len(keys) > 3 * size / 4:
        size *= 2
    buckets = [[] for _ in range(size)]
    for key in keys:
        value = java_hash(key)
        buckets[(value ^ (value >> 16)) % size].append(key)
    return [key for bucket in buckets for key in bucket]


def accepts(one, other, mode, types, threshold):
    if types == "exact" and one["label"] != other["label"]:
        return False
    if all(span in other["spans"] for span in one["spans"]):
        return True
    if mode == "exact" or not characters_of(one) & characters_of(other):
        return False
    longer = max(len(one["text"]), len(other["text"]))
    changed = distance(one["text"], other["text"])
    similar = changed <= math.floor((1.0 - threshold) * longer)
    return mode == "overlap" or (similar and 1.0 - changed / longer >= threshold)


def count(golds, systems, types="exact", threshold=0.8):
    counts = {f"{kind}_{mode}_{name}": 0 for kind in KINDS for mode in MODES
              for name in ("tp", "fp", "fn")}  # fmt: skip
    for gold, system in zip(golds, systems, strict=True):
        for mode in MODES:
            sides = [{m["id"]: m for m in side["mentions"]} for side in (gold, system)]
            order = [visit(list(side)) for side in sides]
            free = list(order[1])
            for key in order[0]:
                one = sides[0][key]
                found = [o for o in free if accepts(one, sides[1][o], mode, types, threshold)]
                counts[f"entities_{mode}_{'tp' if found else 'fn'}"] += 1
                if found:
                    free.remove(found[0])
            counts[f"entities_{mode}_fp"] += len(free)
            links = [
                {f"R{at}": of for at, of in enumerate(side["relations"], 1)}
                for side in (gold, system)
            ]
            free = visit(list(links[1]))
            for key in visit(list(links[0])):
                one = links[0][key]
                found = []
                for other in free:
                    two = links[1][other]
                    ends = [(sides[0][one[e]], sides[1][two[e]]) for e in ("from", "to")]
                    if one["label"] == two["label"] and all(
                        a["label"] == b["label"] and accepts(a, b, mode, types, threshold)
                        for a, b in ends
                    ):
                        found.append(other)
                counts[f"relations_{mode}_{'tp' if found else 'fn'}"] += 1
                if found:
                    free.remove(found[0])
            counts[f"relations_{mode}_fp"] += len(free)
    return counts
