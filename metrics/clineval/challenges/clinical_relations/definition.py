"""Relations of any scheme: typed links between two mentions, of data that belong to no challenge.

Relations are paired one to one, and the two of a pair have the same type: ``strict`` with the same
fragments and labels at both ends, ``spans`` with the same fragments, ``overlap`` with a character
in common. Mentions have scores of their own under the same conditions.
"""

from collections import Counter

from clineval.definitions.documents import fragments_of, pair_documents
from clineval.definitions.rates import name_scores

MATCHES = ("strict", "spans", "overlap")


def overlap_of(one, other):
    """Return the number of characters that two mentions (fragments, label) share."""
    return sum(max(0, min(b, d) - max(a, c)) for a, b in one[0] for c, d in other[0])


def length_of(mention):
    """Return the number of characters of a mention."""
    return sum(end - start for start, end in mention[0])


def read(document, symmetric):
    """Return the distinct mentions, and the relations as (type, source, target)."""
    known = {m["id"]: (fragments_of(m), m["label"]) for m in document.get("mentions", ())}
    relations = set()
    for relation in document.get("relations", ()):
        ends = [known[relation["from"]], known[relation["to"]]]
        if relation["label"] in symmetric:
            ends.sort()
        relations.add((relation["label"], *ends))
    return set(known.values()), relations


def matches(match, one, other):
    """Check whether two mentions match."""
    if match == "overlap":
        return overlap_of(one, other) > 0
    return one == other if match == "strict" else one[0] == other[0]


def closeness(gold, found, match, symmetric):
    """Return how many characters the ends of two relations share; None if they do not match."""
    ways = [found[1:], found[:0:-1]] if gold[0] in symmetric else [found[1:]]
    shared = [
        sum(overlap_of(*both) for both in zip(gold[1:], way, strict=True))
        for way in ways
        if gold[0] == found[0]
        and all(matches(match, *both) for both in zip(gold[1:], way, strict=True))
    ]
    return max(shared, default=None)


def pair(golds, founds, symmetric):
    """Return the pairs for each kind of match, which begin with those of the one before it."""
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
    """Return how many mentions are paired for each kind of match."""
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
    """Return all counts of pairs of a gold and a predicted document."""
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


def score_documents(gold, predicted, config="default"):  # noqa: ARG001 - there is one
    """Return the scores of documents as JSON Lines contain them."""
    totals = count(pair_documents(gold, predicted))
    names = {key[:-3] for key in totals if key[-3:] in ("_tp", "_fp", "_fn")}
    scores = {}
    for name in names:
        scores |= name_scores(
            name, *(totals[f"{name}_{verdict}"] for verdict in ("tp", "fp", "fn"))
        )
    return scores
