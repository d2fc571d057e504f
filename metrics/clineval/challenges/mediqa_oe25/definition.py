"""MEDIQA-OE 2025: medical orders from dialogues between doctors and patients.

The rules are those of https://github.com/jpcorb20/mediqa-oe and of table 1 of arXiv 2510.26974. The
orders of an encounter are paired by the words of their descriptions. Types are right or wrong;
descriptions, reasons and provenances have the shares of words that ROUGE-1 counts. The mean F1 of
the four fields ranks systems.
"""

from collections import Counter
from fractions import Fraction
from itertools import permutations

from clineval.definitions.documents import pair_lists
from clineval.definitions.rates import divide, mean, name_rates, name_scores

FIELDS = ("description", "reason", "provenance")


def words(order, field):
    """Return the words of a field, or its turns, with how often they occur."""
    value = order.get(field)
    if field == "provenance":
        return Counter(set(map(str, value or [])))
    text = (value or "").lower()
    kept = "".join(
        char
        for at, char in enumerate(text)
        if char not in ",?!" and (char != "." or between_digits(text, at))
    )
    split = "".join(
        " " if char == "-" and at and kept[at - 1].isdigit() else char
        for at, char in enumerate(kept)
    )
    found = (word.strip(";:()'-") for word in split.split())
    return Counter(word for word in found if word)


def between_digits(text, at):
    """Check that a period is part of a number."""
    return text[at - 1 : at].isdigit() and text[at + 1 : at + 2].isdigit()


def share(gold, found):
    """Return the F1 of the words that both have."""
    size = gold.total() + found.total()
    return Fraction(2 * (gold & found).total(), size) if size else Fraction(0)


def judge(gold, found):
    """Return what a pair is worth; None if its descriptions share no word."""
    shares = [share(words(gold, field), words(found, field)) for field in FIELDS]
    if not shares[0]:
        return None
    same = Fraction(gold["order_type"] == found["order_type"])
    return (shares[0], same, *shares[1:])


def pair(golds, found):
    """Return the sums of the best pairing, and its pairs, after trying all pairings."""
    best = ((Fraction(0),) * 5, [])
    size = max(len(golds), len(found))
    for places in permutations(range(size), len(golds)):
        pairs = [(g, f) for g, f in enumerate(places) if f < len(found)]
        judged = [(g, f, judge(golds[g], found[f])) for g, f in pairs]
        kept = [each for each in judged if each[2] is not None]
        worth = tuple(sum((each[2][k] for each in kept), Fraction(0)) for k in range(4))
        worth = (*worth, Fraction(len(kept)))
        best = max(best, (worth, [(g, f) for g, f, _ in kept]), key=lambda each: each[0])
    return best


def sums(golds, found):
    """Return the sums of an encounter, its number of pairs, those of equal types, and the pairs."""
    worth, pairs = pair(golds, found)
    equal = sum(golds[g]["order_type"] == found[f]["order_type"] for g, f in pairs)
    return worth, len(pairs), equal, pairs


def score_field(documents, field):
    """Return precision, recall and F1 of the words of a field; None if no order fills it.

    Both are means over the orders that fill the field; an order without a partner has share 0.
    """
    shares = [[], []]
    for golds, found, pairs in documents:
        sides = [[words(order, field) for order in orders] for orders in (golds, found)]
        common = [{}, {}]
        for g, p in pairs:
            common[0][g] = common[1][p] = (sides[0][g] & sides[1][p]).total()
        for side in (0, 1):
            shares[side] += [
                Fraction(common[side].get(number, 0), own.total())
                for number, own in enumerate(sides[side])
                if own
            ]
    if not any(shares):
        return None
    recall, precision = map(mean, shares)
    return [
        float(of) for of in (precision, recall, divide(2 * precision * recall, precision + recall))
    ]


def score_documents(gold, predicted, config="default"):  # noqa: ARG001 - there is one
    """Return the scores of documents as JSON Lines contain them."""
    documents = [(g, f, pair(g, f)[1]) for g, f in pair_lists(gold, predicted, "orders")]
    golds, found = (sum(len(document[side]) for document in documents) for side in (0, 1))
    both = [(g[a], f[b]) for g, f, pairs in documents for a, b in pairs]
    right = {
        "match": len(both),
        "order_type": sum(a["order_type"] == b["order_type"] for a, b in both),
        "strict": sum(words(a, "description") == words(b, "description") for a, b in both),
    }
    scores = {}
    for name, tp in right.items():
        scores |= name_scores(name, tp, found - tp, golds - tp)
    f1s = [scores["order_type_f1"]]
    for field in FIELDS:
        values = score_field(documents, field)
        scores |= name_rates(field, values or (0.0, 0.0, 0.0))
        f1s += values[2:] if values else []
    return {**scores, "average_f1": mean(f1s) if golds + found else 0.0}
