"""BioCreative V CDR, chemicals, diseases and their relations, as an evaluate module."""

import evaluate

from clineval.challenges.bc5cdr import CHALLENGE
from clineval.hf import RELATION, ChallengeMetric

_MENTION = {"spans": [[int]], "label": str, "concepts": [str]}


class Bc5cdr(ChallengeMetric, evaluate.Metric):
    """The metric; `clineval.score` computes it."""

    challenge = CHALLENGE
    about = """
The scores of BioCreative V CDR: precision, recall and F1 of mentions of diseases and chemicals, of
the concepts of each document (those of diseases are the task DNER), and of its relations between
chemicals and diseases (the task CID). Configurations: `default` (all), `mentions`, `concepts`,
`relations`.
"""
    inputs = """
    predictions: the path of a PubTator or BioC file; or for each document a dict of `mentions` and
        `relations`, a list of mentions alone, a `clineval.Document`, or a string of PubTator, BioC
        or JSON. A mention is a dict: `spans`, a list of `[start, end]` in characters, ends
        exclusive; `label`, Disease or Chemical; `concepts`, a list such as `["MESH:D001249"]`. A
        relation has the `label` CID, and the concepts `from`, a chemical, and `to`, a disease.
    references: as the predictions.
"""
    returns = """
Returns:
    A dict. `mentions_`, `concepts_` and `relations_` with `precision`, `recall`, `f1`, `tp`, `fp`,
    `fn`; the first two also with `disease_` and `chemical_` before, such as `disease_concepts_f1`,
    and with `macro_`, without counts; `n_documents` and `signature`; `per_document` if asked for.

Examples:
    >>> metric = evaluate.load("bc5cdr")
    >>> gold = [{"mentions": [{"spans": [[0, 6]], "label": "Disease", "concepts": ["D001249"]}],
    ...          "relations": [{"label": "CID", "from": "D008094", "to": "D001249"}]}]
    >>> found = [{"mentions": [{"spans": [[9, 15]], "label": "Disease", "concepts": ["D001249"]}]}]
    >>> results = metric.compute(predictions=found, references=gold)
    >>> results["mentions_f1"], results["disease_concepts_f1"], results["relations_recall"]
    (0.0, 1.0, 0.0)

    PubTator; the kit drops predictions in a document without a gold item of the type.

    >>> gold, found = ["1|t|Lithium."], ["1\\t0\\t7\\tLithium\\tDisease\\tD001249"]
    >>> for protocol in ("spec", "official"):
    ...     results = metric.compute(predictions=found, references=gold, protocol=protocol)
    ...     print(protocol, results["disease_concepts_fp"])
    spec 1
    official 0
"""
    further = ("https://doi.org/10.1093/database/baw032", "https://doi.org/10.1093/database/baw068")
    forms = ({"mentions": [_MENTION], "relations": [RELATION]}, str)
