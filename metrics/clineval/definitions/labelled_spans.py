"""Labelled spans of any scheme: which mentions are the same, and which ones are paired.

A mention is ``(fragments, label, values)``, with the values of the slots that are scored. Pairs are
one to one. Equal mentions come first, then those with the same fragments, then overlapping ones:
the closest ones, the longest predictions, or by position.
"""

import re
from itertools import product

from clineval.definitions.documents import characters_of, fragments_of
from clineval.definitions.pairings import pair_in_order

WORDS = {True: "yes", False: "no", None: "no", "true": "yes", "false": "no"}
"""How values of slots compare if they are no words."""


def words_of(fragments, text):
    """Return the numbers of the words that lie completely inside a fragment."""
    words = [word.span() for word in re.finditer(r"\w+", text)]
    return {
        number
        for number, (start, end) in enumerate(words)
        for first, last in fragments
        if first <= start and end <= last
    }


def measure(fragments, how, *, touching, text):
    """Return the units of a mention by which overlap is measured: characters, words or a hull."""
    if how == "word":
        return words_of(fragments, text)
    if how == "hull":
        fragments = [(fragments[0][0], fragments[-1][1])]
    return characters_of({"spans": [(start, end + touching) for start, end in fragments]})


def read(mentions, slots=()):
    """Return the distinct mentions in order."""
    distinct = set()
    for mention in mentions:
        values = tuple(WORDS.get(mention.get(slot), mention.get(slot)) for slot in slots)
        distinct.add((fragments_of(mention), mention["label"], values))
    return sorted(distinct)


def key_of(order, shared, gold, found):
    """Return what sorts overlapping pairs."""
    own, other = (len(characters_of({"spans": mention[0]})) for mention in (gold, found))
    starts = gold[0][0][0], found[0][0][0]
    keys = {
        "closest": (-shared, own + other - shared, gold[0], found[0]),
        "longest": (-other, -shared, *starts),
        "position": starts,
    }
    return keys[order]


def place_of(mention):
    """Return the place of a mention among those of its document."""
    (first, *rest), label, values = mention
    return first, len(rest), rest, label, values


def differences(gold, found):
    """Return whether the labels differ, and how many slots do."""
    values = sum(a != b for a, b in zip(gold[2], found[2], strict=True))
    return gold[1] != found[1], values, place_of(gold), place_of(found)


def list_near(golds, founds, order, overlap, *, touching, min_overlap, iou, text):  # noqa: PLR0913
    """Return overlapping pairs in order."""
    near = []
    for gold, found in product(golds, founds):
        one, two = (measure(m[0], overlap, touching=touching, text=text) for m in (gold, found))
        shared = len(one & two)
        if shared and shared / len(one) >= min_overlap and shared / len(one | two) >= iou:
            places = place_of(gold), place_of(found)
            near.append((key_of(order, shared, gold, found), *places, gold, found))
    return [(gold, found) for *_, gold, found in sorted(near)]


def pair(  # noqa: PLR0913 - the options
    golds, founds, *, order="closest", overlap="character", touching=False, min_overlap=0, iou=0,
    text="",
):  # fmt: skip
    """Return the pairs of a document under each match."""
    limits = {"touching": touching, "min_overlap": min_overlap, "iou": iou, "text": text}
    every = list_near(golds, founds, order, overlap, **limits)
    spans = [(g, f) for g, f in product(golds, founds) if g[0] == f[0]]
    spans.sort(key=lambda pair: differences(*pair))
    same = [(g, f) for g, f in spans if g[1] == f[1]]
    alike = [(g, f) for g, f in every if g[1] == f[1]]
    equal = pair_in_order(same, golds, founds)
    return {
        "strict": equal,
        "strict_slots": [(g, f) for g, f in equal if g == f],
        "boundary": pair_in_order([*equal, *spans], golds, founds),
        "lenient": pair_in_order([*equal, *alike], golds, founds),
        "type": pair_in_order([*equal, *alike, *every], golds, founds),
        "partial": pair_in_order([*equal, *spans, *every], golds, founds),
    }
