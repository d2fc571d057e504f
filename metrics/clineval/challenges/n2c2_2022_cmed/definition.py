"""n2c2 2022 Track 1: whether a medication changes (the event), and in which context.

The rules are those of Mahajan et al. (2023), abstract, and of the call. Mentions of drugs,
their events and the five dimensions of context are right at the same place (``strict``) or with a
character in common (``lenient``). The document does not say how to pair mentions if several
overlap: here most pairs count, then most characters in common, then most right dimensions.
"""

from itertools import product

from clineval.definitions.documents import characters_of, fragments_of, pair_lists
from clineval.definitions.pairings import best_pairing
from clineval.definitions.rates import NAMES, mean, name_scores

EVENTS = ("Disposition", "NoDisposition", "Undetermined")
CONTEXT = ("action", "negation", "temporality", "certainty", "actor")
ROWS = ("drug", "events", *map(str.lower, EVENTS), "context", *CONTEXT, "combined")
GROUPS = {"events": tuple(map(str.lower, EVENTS)), "context": CONTEXT}


def context(mention):
    """Return the values of the five dimensions; an empty one is not annotated."""
    return tuple(mention.get(name) or "" for name in CONTEXT)


def near_pairs(golds, systems, mode, *, same_label):
    """Yield pairs of numbers of mentions that match, each with its characters in common."""
    for (g, gold), (s, system) in product(enumerate(golds), enumerate(systems)):
        if same_label and gold["label"] != system["label"]:
            continue
        shared = len(characters_of(gold) & characters_of(system))
        equal = fragments_of(gold) == fragments_of(system)
        if equal if mode == "strict" else shared:
            yield (g, s), shared if mode == "lenient" else 0


def right_context(gold, system):
    """Return which dimensions of the context are right, and whether all of them are."""
    sides = context(gold), context(system)
    right = [one == other != "" for one, other in zip(*sides, strict=True)]
    return right, sides[0] == sides[1] and any(sides[0])


def worth(gold, system, shared):
    """Return what decides about a pair of events, before all that as many pairs as possible."""
    right, whole = right_context(gold, system)
    return (1, shared, sum(right), whole, *right)


def distinct(mentions):
    """Return the mentions without repeats."""
    found = {(fragments_of(m), m["label"], context(m)): m for m in mentions}
    return list(found.values())


def count(gold, system, mode):
    """Return row to tp, number of gold items, and number of predicted ones, of a document."""
    golds, systems = distinct(gold), distinct(system)
    drugs = [list({fragments_of(m): m for m in side}.values()) for side in (golds, systems)]
    near = {pair: (1, shared) for pair, shared in near_pairs(*drugs, mode, same_label=False)}
    counts = {"drug": [len(best_pairing(near)), *map(len, drugs)]}
    near = {
        (g, s): worth(golds[g], systems[s], shared)
        for (g, s), shared in near_pairs(golds, systems, mode, same_label=True)
    }
    pairs = [(golds[g], systems[s]) for g, s in best_pairing(near)]
    for of in EVENTS:
        tp = sum(g["label"] == of for g, _ in pairs)
        counts[of.lower()] = [
            tp,
            *(sum(m["label"] == of for m in side) for side in (golds, systems)),
        ]
    for k, name in enumerate(CONTEXT):
        tp = sum(right_context(g, s)[0][k] for g, s in pairs)
        sides = (sum(context(m)[k] != "" for m in side) for side in (golds, systems))
        counts[name] = [tp, *sides]
    tp = sum(right_context(g, s)[1] for g, s in pairs)
    counts["combined"] = [tp, *(sum(any(context(m)) for m in side) for side in (golds, systems))]
    return counts


def score(pairs, count=count, *, every_row=False):
    """Return the scores of pairs of documents; means are over the rows that occur, or over all."""
    scores = {}
    for mode in ("strict", "lenient"):
        tables = [count(g, s, mode) for g, s in pairs]
        totals = {r: [sum(c) for c in zip(*(t[r] for t in tables), strict=True)] for r in tables[0]}
        for group, rows in GROUPS.items():
            totals[group] = [sum(column) for column in zip(*(totals[r] for r in rows), strict=True)]
        for row, (tp, gold, found) in totals.items():
            scores |= name_scores(f"{row}_{mode}", tp, found - tp, gold - tp)
        for (group, rows), name in product(GROUPS.items(), NAMES):
            there = [scores[f"{r}_{mode}_{name}"] for r in rows if every_row or any(totals[r])]
            scores[f"macro_{group}_{mode}_{name}"] = mean(there)
    return scores


def score_documents(gold, predicted, config="default"):  # noqa: ARG001 - there is one
    """Return the scores of documents as JSON Lines contain them."""
    return score(pair_lists(gold, predicted))
