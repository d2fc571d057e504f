"""Mentions with one span, a label and codes, as the Spanish tasks of TeMU and BSC score them.

DisTEMIST, LivingNER, MedProcNER, SympTEMIST, MultiCardioNER, ToxHabits, MultiClinAI and CANTEMIST
have this rule in common: a ``strict`` match has the same start, end and label, a ``linked`` match
also the same set of codes. All scores are micro-averages over the mentions of all documents.

A mention is ``(start, end, label, codes)``, with the codes as a file has them, or
``(start, end, label)``; a document is a list of mentions.
"""

from collections import Counter

from clineval.definitions.documents import hull_of, pair_lists
from clineval.definitions.rates import add_rows, mean_rates, name_rates, name_scores

PLACE = ("start", "end", "label")
"""The parts that every mention has."""


def read_mentions(mentions, *, coded=False, labels=None):
    """Return mentions of JSON Lines as tuples; ``labels`` are those that are scored."""
    return [
        (*hull_of(mention), mention["label"], *([mention.get("code") or ""] if coded else []))
        for mention in mentions
        if labels is None or mention["label"] in labels
    ]


def normal(mention, separators="+"):
    """Return a mention with the set of its codes; their order does not matter."""
    if len(mention) == len(PLACE):
        return mention
    *place, codes = mention
    for separator in separators:
        codes = codes.replace(separator, "\n")
    return (*place, frozenset(filter(None, map(str.strip, codes.split("\n")))))


def linked(gold, found, separators="+"):
    """Count mentions that agree in all; equal mentions of a side count once."""
    sides = [{normal(mention, separators) for mention in side} for side in (gold, found)]
    return compare(Counter(sides[0]), Counter(sides[1]))


def strict(gold, found, separators="+"):
    """Count mentions whose codes may differ: two gold mentions of a place need two predictions."""
    sides = [{normal(mention, separators) for mention in side} for side in (gold, found)]
    return compare(*(Counter(mention[:3] for mention in side) for side in sides))


def compare(gold, found):
    """Return true positives, false positives and false negatives of two multisets."""
    right = (gold & found).total()
    return right, found.total() - right, gold.total() - right


def score_spans(gold, predicted, *, coded=False, separators="+", labels=None):
    """Return the strict scores of documents, and with codes the linked ones."""
    documents = [
        [read_mentions(side, coded=coded, labels=labels) for side in pair]
        for pair in pair_lists(gold, predicted)
    ]
    scores = name_scores("strict", *add_rows([strict(*pair, separators) for pair in documents]))
    if coded:
        counts = add_rows([linked(*pair, separators) for pair in documents])
        scores |= name_scores("linked", *counts)
    return scores


def score_labels(gold, predicted, labels):
    """Return the strict scores of each label, and their means over the labels that occur."""
    documents = pair_lists(gold, predicted)
    scores, rows = {}, []
    for label in labels:
        pairs = [[read_mentions(side, labels=[label]) for side in pair] for pair in documents]
        rows.append(add_rows([strict(*pair) for pair in pairs]))
        scores |= name_scores(f"{label.lower()}_strict", *rows[-1])
    return {**scores, **name_rates("macro_strict", mean_rates(rows))}
