"""Leaks of de-identification: what of the gold mentions no prediction covers.

A mention leaks if a character of it is in no prediction, whatever the labels. It leaks whole if no
character is covered. Characters of several gold mentions count once.
"""

from clineval.definitions.documents import fragments_of, pair_lists
from clineval.definitions.rates import add_rows, divide


def characters(fragments):
    """Return the offsets of the characters of fragments."""
    return {offset for start, end in fragments for offset in range(start, end)}


def leak(gold, prediction, label=None):
    """Count a document's leaks; a mention is (fragments, label), ``label`` selects gold ones.

    Returns the leaked characters and all; the mentions that leak, that leak whole, and all.
    """
    covered = {offset for fragments, _ in prediction for offset in characters(fragments)}
    mentions = [characters(f) for f, own in gold if label in (None, own)]
    every = set().union(*mentions)
    exposed = [mention - covered for mention in mentions]
    whole = [mention == left for mention, left in zip(mentions, exposed, strict=True)]
    return len(every - covered), len(every), sum(map(bool, exposed)), sum(whole), len(mentions)


def score_leaks(gold, predicted):
    """Return the shares of characters and mentions that leak; equal mentions count once."""
    rows = [
        leak(*({(fragments_of(m), m["label"].upper()) for m in side} for side in pair))
        for pair in pair_lists(gold, predicted)
    ]
    leaked, every, mentions, whole, size = add_rows(rows) if rows else (0, 0, 0, 0, 0)
    return {
        "leaked_characters_share": divide(leaked, every),
        "leaked_mentions_share": divide(mentions, size),
        "leaked_whole_mentions_share": divide(whole, size),
    }
