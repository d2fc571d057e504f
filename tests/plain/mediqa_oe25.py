"""MEDIQA-OE 2025 in plain Python: all pairings of an encounter are tried."""

from collections import Counter
from fractions import Fraction
from itertools import permutations

FIELDS = ("description", "reason", "provenance")


def words(order, field):
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
    return text[at - 1 : at].isdigit() and text[at + 1 : at + 2].isdigit()


def share(gold, found):
    """F1 of the words that both have."""
    size = gold.total() + found.total()
    return Fraction(2 * (gold & found).total(), size) if size else Fraction(0)


def judge(gold, found):
    """What a pair is worth; pairs without a common word are none."""
    shares = [share(words(gold, field), words(found, field)) for field in FIELDS]
    if not shares[0]:
        return None
    same = Fraction(gold["order_type"] == found["order_type"])
    return (shares[0], same, *shares[1:])


def pair(golds, found):
    """The best pairing, as the sums that decide and the pairs; of equal ones any."""
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
    """Of an encounter: the sums of F1 over pairs, the number of pairs, and those of equal types."""
    worth, pairs = pair(golds, found)
    equal = sum(golds[g]["order_type"] == found[f]["order_type"] for g, f in pairs)
    return worth, len(pairs), equal, pairs
