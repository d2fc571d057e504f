"""Leaks, character by character, in plain Python.

Independent of the package: used as its oracle on random data. A mention is (fragments, label).
"""


def characters(fragments):
    return {at for start, end in fragments for at in range(start, end)}


def leak(gold, prediction, label=None):
    """Leaked characters, all; mentions that leak, that leak whole, all; of one document."""
    covered = {at for fragments, _ in prediction for at in characters(fragments)}
    mentions = [characters(f) for f, of in gold if label is None or of == label]
    union = set().union(*mentions)
    exposed = [mention - covered for mention in mentions]
    whole = [mention == left for mention, left in zip(mentions, exposed, strict=True)]
    return len(union - covered), len(union), sum(map(bool, exposed)), sum(whole), len(mentions)
