"""Relations of any scheme, scored with sets and loops: no arrays, and nothing of the package."""

from collections import Counter

MATCHES = ("strict", "spans", "overlap")


def fragments_of(mention):
    return tuple(sorted(map(tuple, mention["spans"])))


def overlap_of(one, other):
    """How many characters two mentions share."""
    return sum(max(0, min(b, d) - max(a, c)) for a, b in one[0] for c, d in other[0])


def length_of(mention):
    return sum(end - start for start, end in mention[0])


def read(document, symmetric):
    """The mentions, and the relations as (type, source, target), each once."""
    known = {m["id"]: (fragments_of(m), m["label"]) for m in document["mentions"]}
    relations = set()
    for relation in document["relations"]:
        ends = [known[relation["from"]], known[relation["to"]]]
        if relation["label"] in symmetric:
            ends.sort()
        relations.add((relation["label"], *ends))
    return set(known.values()), relations


def matches(match, one, other):
    """Whether two mentions match."""
    if match == "overlap":
        return overlap_of(one, other) > 0
    return one == other if match == "strict" else one[0] == other[0]


def closeness(gold, found, match, symmetric):
    """How many characters the ends share if the relations match; None if they do not."""
    ways = [found[1:], found[:0:-1]] if gold[0] in symmetric else [found[1:]]
    shared = [
        sum(overlap_of(*both) for both in zip(gold[1:], way, strict=True))
        for way in ways
        if gold[0] == found[0]
        and all(matches(match, *both) for both in zip(gold[1:], way, strict=True))
    ]
    return max(shared, default=None)


def pair(golds, founds, symmetric):
    """Pairs for each kind of match, each beginning with those of the one before it."""
    taken, of_matches = [], {}
    for match in MATCHES:
        candidates = []
        for gold in golds - {g for g, _ in taken}:
            for found in founds - {f for _, f in taken}:
                shared = closeness(gold, found, match, symmetric)
                if shared is not None:
                    ends = [*gold[1:], *found[1:]]
                    order = (-shared, sum(map(length_of, ends)), [end[0] for end in ends])
                    candidates.append((order, gold, found))
        used = set()
        for _, gold, found in sorted(candidates):
            if not {("gold", gold), ("found", found)} & used:
                used |= {("gold", gold), ("found", found)}
                taken.append((gold, found))
        of_matches[match] = list(taken)
    return of_matches


def pair_mentions(golds, founds):
    """How many mentions are paired for each kind of match."""
    strict = {(one, one) for one in golds & founds}
    counts, taken = {"strict": len(strict)}, set(strict)
    for match in ("spans", "overlap"):
        candidates = sorted(
            (-overlap_of(g, f), length_of(g) + length_of(f) - overlap_of(g, f), g[0], f[0], g, f)
            for g in golds
            for f in founds
            if matches(match, g, f)
        )
        for *_, gold, found in candidates:
            if gold not in {g for g, _ in taken} and found not in {f for _, f in taken}:
                taken.add((gold, found))
        counts[match] = len(taken)
    return counts


NAMES = {"strict": "mentions", "spans": "mentions_boundary", "overlap": "mentions_shared"}


def count(documents, symmetric=()):
    """All counts of pairs of documents, gold first."""
    totals = Counter()
    for gold, found in documents:
        (gold_mentions, golds), (found_mentions, founds) = (
            read(d, symmetric) for d in (gold, found)
        )
        for match, right in pair_mentions(gold_mentions, found_mentions).items():
            totals[f"{NAMES[match]}_tp"] += right
            totals[f"{NAMES[match]}_fp"] += len(found_mentions) - right
            totals[f"{NAMES[match]}_fn"] += len(gold_mentions) - right
        for match, pairs in pair(golds, founds, symmetric).items():
            missed, spurious = golds - {g for g, _ in pairs}, founds - {f for _, f in pairs}
            for verdict, relations in (
                ("tp", [g for g, _ in pairs]),
                ("fp", spurious),
                ("fn", missed),
            ):
                for relation in relations:
                    totals[f"{match}_{verdict}"] += 1
                    totals[f"{relation[0].lower()}_{match}_{verdict}"] += 1
            for verdict, wrong, others in (
                ("fn", missed, found_mentions),
                ("fp", spurious, gold_mentions),
            ):
                totals[f"{match}_{verdict}_ends"] += sum(
                    not all(any(matches(match, end, other) for other in others) for end in ends)
                    for _, *ends in wrong
                )
    return totals
