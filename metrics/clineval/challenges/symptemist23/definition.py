"""SympTEMIST 2023: mentions of symptoms (``ner``), and their SNOMED CT codes (``norm``, ``multi``).

The rules are those of Lima-López et al. (2023) and of the sections Metrics and Examples of
https://temu.bsc.es/symptemist/. A ``lenient`` match has the same label and a character in common.
``linked_accuracy`` is the share of gold mentions with the right codes.
"""

from clineval.definitions.documents import pair_lists
from clineval.definitions.linked_spans import normal, read_mentions, score_spans
from clineval.definitions.pairings import count_largest
from clineval.definitions.rates import add_rows, name_scores


def overlaps(gold, found):
    """Count mentions of one label that share a character, in the largest one-to-one pairing."""
    golds, founds = (sorted({normal(m) for m in side}, key=repr) for side in (gold, found))
    near = [
        [
            number
            for number, p in enumerate(founds)
            if g[2] == p[2] and max(g[0], p[0]) < min(g[1], p[1])
        ]
        for g in golds
    ]
    right = count_largest(near)
    return right, len(founds) - right, len(golds) - right


def score_documents(gold, predicted, config="default"):
    """Return the scores of documents as JSON Lines contain them."""
    if config in ("norm", "multi"):
        scores = score_spans(gold, predicted, coded=True)
        return {**scores, "linked_accuracy": scores["linked_recall"]}
    pairs = [map(read_mentions, pair) for pair in pair_lists(gold, predicted)]
    lenient = name_scores("lenient", *add_rows([overlaps(*pair) for pair in pairs]))
    return {**score_spans(gold, predicted), **lenient}
