"""MedProcNER 2023: mentions of procedures, their SNOMED CT codes, and the codes of documents.

The rules are those of Lima-López et al. (2023) and of the sections Metrics and Examples of
https://temu.bsc.es/medprocner/: mentions (``ner``), mentions with their codes (``norm``), and the
set of codes of each document (``index``).
"""

from clineval.definitions.code_sets import score_codes
from clineval.definitions.linked_spans import score_spans


def score_documents(gold, predicted, config="default"):
    """Return the scores of documents as JSON Lines contain them."""
    if config == "index":
        return score_codes(gold, predicted)
    return score_spans(gold, predicted, coded=config == "norm")
