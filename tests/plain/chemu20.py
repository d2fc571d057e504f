"""ChEMU 2020 in plain Python, by the words of its definition, with no thought of speed.

A document is a dict as ``clineval.score`` takes it; each mention has its ``text``.
"""

import math
from fractions import Fraction
from itertools import permutations

MODES = ("exact", "overlap", "approx")
KINDS = ("entities", "relations")
ENTITIES = ("SOLVENT", "TIME", "WORKUP")
RELATIONS = ("ARG1", "ARGM")


def distance(one, other):
    row = list(range(len(other) + 1))
    for i, letter in enumerate(one, 1):
        before, row[0] = row[0], i
        for j, wanted in enumerate(other, 1):
            before, row[j] = row[j], min(row[j] + 1, row[j - 1] + 1, before + (letter != wanted))
    return row[-1]


def characters(mention):
    return {at for start, end in mention["spans"] for at in range(start, end)}


def place(mention):
    return tuple(sorted(map(tuple, mention["spans"])))


# spec


def match(one, other, mode, threshold):
    if place(one) == place(other):
        return True
    if mode == "exact" or not characters(one) & characters(other):
        return False
    longer = max(len(one["text"]), len(other["text"]))
    allowed = (1 - Fraction(str(threshold))) * longer
    return mode == "overlap" or distance(one["text"], other["text"]) <= allowed


def annotations(document):
    """The distinct entities and relations: of equal entities, the first words count."""
    known = {}
    for mention in sorted(document["mentions"], key=lambda of: of["text"]):
        known.setdefault((mention["label"], place(mention)), mention)
    keys = {m["id"]: (m["label"], place(m)) for m in document["mentions"]}
    links = {(of["label"], keys[of["from"]], keys[of["to"]]) for of in document["relations"]}
    relations = [
        {"label": label, "ends": (known[one], known[two])} for label, one, two in sorted(links)
    ]
    return {"entities": list(known.values()), "relations": relations}


def fits(one, other, mode, types, threshold):
    labels = one["label"] == other["label"]
    if "ends" not in one:
        return (types == "any" or labels) and match(one, other, mode, threshold)
    pairs = zip(one["ends"], other["ends"], strict=True)
    return labels and all(fits(*pair, mode, types, threshold) for pair in pairs)


def largest(edges, golds):
    """The size of the largest pairing, along augmenting paths."""
    owners = {}

    def grow(gold, seen):
        for other in edges[gold]:
            if other not in seen:
                seen.add(other)
                if other not in owners or grow(owners[other], seen):
                    owners[other] = gold
                    return True
        return False

    return sum(grow(gold, set()) for gold in range(golds))


def largest_of_all(edges, golds, predictions):
    """The same by trying all pairings."""
    few, many = sorted((golds, predictions))
    turned = golds > predictions
    return max(
        (
            sum((b in edges[a]) if not turned else (a in edges[b]) for a, b in enumerate(chosen))
            for chosen in permutations(range(many), few)
        ),
        default=0,
    )


def count(golds, systems, types="exact", threshold=0.8, find=None):
    """The counts of all annotations by kind and match, and of each label if types are exact."""
    counts = {}

    def add(key, tp, predictions, gold):
        for name, number in zip(("tp", "fp", "fn"), (tp, predictions - tp, gold - tp), strict=True):
            counts[f"{key}_{name}"] = counts.get(f"{key}_{name}", 0) + number

    for gold, system in zip(golds, systems, strict=True):
        own, others = annotations(gold), annotations(system)
        for kind in KINDS:
            for mode in MODES:
                labels = ENTITIES if kind == "entities" else RELATIONS
                parts = {f"{label.lower()}_{mode}": [label] for label in labels}
                for key, among in {f"{kind}_{mode}": labels, **parts}.items():
                    left = [of for of in own[kind] if of["label"] in among]
                    right = [of for of in others[kind] if of["label"] in among]
                    edges = [
                        [at for at, b in enumerate(right) if fits(a, b, mode, types, threshold)]
                        for a in left
                    ]
                    size = (find or (lambda e, g, _: largest(e, g)))(edges, len(left), len(right))
                    if types == "exact" or len(among) > 1:
                        add(key, size, len(right), len(left))
    return counts


# official


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
    if mode == "exact" or not characters(one) & characters(other):
        return False
    longer = max(len(one["text"]), len(other["text"]))
    changed = distance(one["text"], other["text"])
    similar = changed <= math.floor((1.0 - threshold) * longer)
    return mode == "overlap" or (similar and 1.0 - changed / longer >= threshold)


def count_as_program(golds, systems, types="exact", threshold=0.8):
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
