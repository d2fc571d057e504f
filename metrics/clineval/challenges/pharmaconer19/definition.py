"""PharmaCoNER 2019: mentions of substances (``ner``), and the codes of documents (``indexing``).

The rules are those of Gonzalez-Agirre et al. (2019) and of https://temu.bsc.es/pharmaconer/: a
mention is right if its offsets and label are. Mentions with the label UNCLEAR are not scored, and
their codes are no gold codes, unless a clear mention has the same code. Codes are compared without
case. The shares of leaks are our addition.
"""

from clineval.definitions.documents import fragments_of, pair_lists
from clineval.definitions.leaks import score_leaks
from clineval.definitions.rates import add_rows, compare_sets, name_scores


def mentions(gold, found, *, unclear=False):
    """Count mentions (..., label) of a document; UNCLEAR ones only if asked for."""
    sides = [{m for m in side if unclear or m[-1] != "UNCLEAR"} for side in (gold, found)]
    return compare_sets(*sides)


def codes(gold, found, noted=()):
    """Count codes of a document; ``noted`` are pairs of a label and the code of a gold mention."""
    sides = [{code.strip().lower() for code in side} for side in (gold, found)]
    unclear = {code.lower() for label, code in noted if label == "UNCLEAR"}
    clear = {code.lower() for label, code in noted if label != "UNCLEAR"}
    return compare_sets(sides[0] - (unclear - clear), sides[1])


def score_documents(gold, predicted, config="default"):
    """Return the scores of documents as JSON Lines contain them."""
    if config == "indexing":
        pairs = pair_lists(gold, predicted, "codes")
        return name_scores("micro", *add_rows([codes(*pair) for pair in pairs]))
    clear = [
        [
            {**document, "mentions": [m for m in document["mentions"] if m["label"] != "UNCLEAR"]}
            for document in side
        ]
        for side in (gold, predicted)
    ]
    rows = [
        mentions(*([(fragments_of(m), m["label"]) for m in side] for side in pair))
        for pair in pair_lists(*clear)
    ]
    return {**score_leaks(*clear), **name_scores("strict", *add_rows(rows))}
