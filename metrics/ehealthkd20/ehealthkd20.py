"""eHealth-KD 2020, key phrases and relations of Spanish health texts, as an evaluate module."""

import evaluate

from clineval.challenges.ehealthkd20 import CHALLENGE
from clineval.hf import RELATION, ChallengeMetric

_MENTION = {"id": str, "spans": [[int]], "label": str}


class Ehealthkd20(ChallengeMetric, evaluate.Metric):
    """The metric; `clineval.score` computes it."""

    challenge = CHALLENGE
    about = """
The scores of eHealth-KD 2020: precision, recall and F1 of key phrases, where a partial match counts
half, and of the relations between them; together, apart, and for each label. Configurations:
`default` or `main` (both), `taskA` (key phrases), `taskB` (relations), `transfer` (both).
"""
    inputs = """
    predictions: for each text a dict with `text`, `mentions` and `relations`, or a
        `clineval.Document`; or the path of a `.txt` file with its `.ann` beside it, or of a
        directory of such. Each line of a text is a sentence. A mention is a dict: `id`, by which
        relations name it; `spans`, a list of `[start, end]` in characters of the text, ends
        exclusive; `label`, such as `Concept`. A relation is a dict: `label`, such as `is-a`;
        `from` and `to`, ids of mentions.
    references: as the predictions.
"""
    returns = """
Returns:
    A dict. `precision`, `recall`, `f1` of all that is scored; `phrases_` and `<label>_` (such as
    `concept_`) with `precision`, `recall`, `f1`, `correct`, `incorrect`, `partial`, `spurious`,
    `missing`; `relations_` and `<label>_` (such as `is_a_`) with the same but `incorrect` and
    `partial`; `n_documents`, how many sentences were evaluated, and `signature`; `per_document`
    if asked for.

Examples:
    >>> metric = evaluate.load("ehealthkd20")
    >>> gold = [{"text": "El asma afecta las vías respiratorias.",
    ...          "mentions": [{"id": "T1", "spans": [[3, 7]], "label": "Concept"},
    ...                       {"id": "T2", "spans": [[8, 14]], "label": "Action"},
    ...                       {"id": "T3", "spans": [[19, 37]], "label": "Concept"}],
    ...          "relations": [{"label": "subject", "from": "T2", "to": "T1"},
    ...                        {"label": "target", "from": "T2", "to": "T3"}]}]
    >>> shorter = {"id": "T3", "spans": [[19, 23]], "label": "Concept"}
    >>> found = [{**gold[0], "mentions": [*gold[0]["mentions"][:2], shorter]}]
    >>> results = metric.compute(predictions=found, references=gold)
    >>> results["phrases_correct"], results["phrases_partial"], results["relations_correct"]
    (2, 1, 2)
    >>> results["f1"], results["concept_f1"]
    (0.9, 0.75)
"""
    further = ("https://ehealthkd.github.io/2020",)
    forms = ({"text": str, "mentions": [_MENTION], "relations": [RELATION]},)
