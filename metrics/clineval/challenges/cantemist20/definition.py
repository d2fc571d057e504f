"""CANTEMIST 2020: mentions of tumour morphology, their ICD-O-3 codes, and codes of documents.

The rules are those of Miranda-Escalada et al. (2020) and of the section Evaluation of
https://temu.bsc.es/cantemist/: mentions (``ner``), mentions with one code each (``norm``), and
ranked codes of documents (``coding``). ``specific`` and the configuration ``codingf1`` leave out
the code 8000/6. At two positions of the test set either of two gold codes is right, which is not
shown here.
"""

from clineval.definitions.documents import pair_lists
from clineval.definitions.linked_spans import linked, read_mentions, score_spans
from clineval.definitions.ranked_codes import distinct, ranked
from clineval.definitions.rates import add_rows, compare_sets, name_scores

UNSPECIFIC = "8000/6"


def micro(documents, without=()):
    """Count the codes of pairs of gold and predicted codes, some codes left out."""
    sides = [[set(distinct(codes)) - set(without) for codes in pair] for pair in documents]
    return add_rows([compare_sets(*pair) for pair in sides])


def score_documents(gold, predicted, config="default"):
    """Return the scores of documents as JSON Lines contain them."""
    if config in ("coding", "codingf1"):
        without = (UNSPECIFIC,) if config == "codingf1" else ()
        pairs = [
            [[code for code in distinct(side) if code not in without] for side in pair]
            for pair in pair_lists(gold, predicted, "codes")
        ]
        return {**name_scores("micro", *micro(pairs)), "map": ranked(pairs)}
    scores = score_spans(gold, predicted, coded=config == "norm", separators="")
    if config != "norm":
        return scores
    specific = [
        [[m for m in read_mentions(side, coded=True) if m[3] != UNSPECIFIC] for side in pair]
        for pair in pair_lists(gold, predicted)
    ]
    rows = [linked(*pair, separators="") for pair in specific]
    return {**scores, **name_scores("specific", *add_rows(rows))}
