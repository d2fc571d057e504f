"""DisTEMIST 2022: mentions of diseases (``ner``), and their SNOMED CT codes (``norm``).

The rules are those of Miranda-Escalada et al. (2022) and of the section Evaluation of
https://temu.bsc.es/distemist/. ``+`` or ``|`` separates the codes of a mention.
"""

from clineval.definitions.linked_spans import score_spans


def score_documents(gold, predicted, config="default"):
    """Return the scores of documents as JSON Lines contain them."""
    return score_spans(gold, predicted, coded=config == "norm", separators="+|")
