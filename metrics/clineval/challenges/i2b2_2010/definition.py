"""i2b2/VA 2010: concepts in clinical records, assertions about problems, relations.

The rules are those of Uzuner et al. (2011) and of the organisers' requirements for
the evaluation program. An item is right with the same place and label (``strict``), the same place
(``exact``), or a token in common (``lenient`` with the same label, ``overlap`` with any). "You can
only count each annotation once": pairs are one to one. The document does not say which items are
paired if several overlap; here those with most in common are.
"""

from itertools import product

from clineval.definitions.documents import characters_of, hull_of, pair_documents
from clineval.definitions.pairings import pair_in_order
from clineval.definitions.rates import add_rows, mean_rates, name_rates, name_scores

LABELS = {
    "concepts": ["problem", "test", "treatment"],
    "assertions": [
        "present", "absent", "possible", "hypothetical", "conditional",
        "associated_with_someone_else",
    ],
    "relations": ["TrIP", "TrWP", "TrCP", "TrAP", "TrNAP", "PIP", "TeRP", "TeCP"],
}  # fmt: skip
MATCHES = {
    "concepts": ("strict", "exact", "lenient", "overlap"),
    "assertions": ("strict", "exact"),
    "relations": ("strict", "exact"),
}
RANK = {label: number for labels in LABELS.values() for number, label in enumerate(labels)}
"""The order of the labels of a kind."""


def read_items(document):
    """Return the distinct items of each kind: (label, places); relations have no direction."""
    mentions = document.get("mentions", ())
    places = {mention.get("id"): hull_of(mention) for mention in mentions}
    items = {
        kind: {(m["label"], (hull_of(m),)) for m in mentions if m["label"] in LABELS[kind]}
        for kind in ("concepts", "assertions")
    }
    items["relations"] = {
        (of["label"], tuple(sorted(places[of[end]] for end in ("from", "to"))))
        for of in document.get("relations", ())
    }
    return items


def list_near(golds, founds, *, any_label):
    """Return overlapping pairs: most tokens in common first, then fewest in both together."""
    near = []
    for gold, found in product(golds, founds):
        own, other = (characters_of({"spans": item[1]}) for item in (gold, found))
        if own & other and (any_label or gold[0] == found[0]):
            order = [(item[1], RANK[item[0]]) for item in (gold, found)]
            near.append(((-len(own & other), len(own | other), *order), gold, found))
    return [(gold, found) for _, gold, found in sorted(near)]


def pair(golds, founds, match):
    """Return the pairs of the items of a document under a match."""
    equal = [(item, item) for item in golds & founds]
    same = [(gold, found) for gold, found in product(golds, founds) if gold[1] == found[1]]
    same.sort(key=lambda pair: (RANK[pair[0][0]], RANK[pair[1][0]]))
    candidates = {
        "strict": equal,
        "exact": [*equal, *same],
        "lenient": [*equal, *list_near(golds, founds, any_label=False)],
        "overlap": [*equal, *same, *list_near(golds, founds, any_label=True)],
    }
    return pair_in_order(candidates[match], golds, founds)


def count(golds, founds, match, labels):
    """Return tp, fp and fn of each label, and of all items under None."""
    pairs = pair(golds, founds, match)
    spare = founds - {found for _, found in pairs}
    counts = {}
    for label in (*labels, None):
        right, wrong, every = (
            sum(label in (None, item[0]) for item in items)
            for items in ([gold for gold, _ in pairs], spare, golds)
        )
        counts[label] = (right, wrong, every - right)
    return counts


def score_documents(gold, predicted, config="default"):
    """Return the scores of documents as JSON Lines contain them."""
    documents = [
        [read_items(document) for document in pair] for pair in pair_documents(gold, predicted)
    ]
    scores = {}
    for kind, labels in LABELS.items():
        if config not in ("default", kind):
            continue
        for match in MATCHES[kind]:
            rows = [count(*(side[kind] for side in pair), match, labels) for pair in documents]
            totals = {label: add_rows([row[label] for row in rows]) for label in (*labels, None)}
            scores |= name_scores(f"{kind}_{match}", *totals.pop(None))
            for label, total in totals.items():
                scores |= name_scores(f"{label.lower()}_{match}", *total)
            scores |= name_rates(f"macro_{kind}_{match}", mean_rates(totals.values()))
    return scores
