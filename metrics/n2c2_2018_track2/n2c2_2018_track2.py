"""n2c2 2018 Track 2, adverse drug events and medication, as an evaluate module."""

import evaluate

from clineval.challenges.n2c2_2018_track2 import CHALLENGE
from clineval.hf import RELATION, ChallengeMetric

_MENTION = {"id": str, "spans": [[int]], "label": str}


class N2c2_2018Track2(ChallengeMetric, evaluate.Metric):  # noqa: N801 - evaluate makes the name of it
    """The metric; `clineval.score` computes it."""

    challenge = CHALLENGE
    about = """
The scores of n2c2 2018 Track 2: strict and lenient precision, recall and F1 of drugs, of what is
said of them and of adverse drug events, and of the relations between these and the drugs; for each
type, micro, and macro over documents. Configurations: `default` (both), `concepts`, `relations`.
"""
    inputs = """
    predictions: for each document a dict with `mentions` and `relations`, or a
        `clineval.Document`, or a string with the lines of a brat file; or a directory of `.ann`
        files. A mention is a dict: `id`, by which relations name it; `spans`, a list of
        `[start, end]` in characters, ends exclusive; `label`, such as `Drug`. A relation is a
        dict: `label`, such as `Strength-Drug`; `from` and `to`, ids of mentions. For `concepts` a
        list of mentions will do.
    references: as the predictions.
"""
    returns = """
Returns:
    A dict. `concepts_micro_`, `relations_micro_` and `<type>_` (such as `drug_` and
    `strength_drug_`) with `strict_` and `lenient_` `precision`, `recall`, `f1`, `tp`, `fp`, `fn`;
    `concepts_macro_` and `relations_macro_` with `strict_` and `lenient_` `precision`, `recall`,
    `f1`, means over documents; `n_documents` and `signature`; `per_document` if asked for.

Examples:
    >>> metric = evaluate.load("n2c2_2018_track2")
    >>> gold = [{"mentions": [{"id": "T1", "spans": [[0, 7]], "label": "Drug"},
    ...                       {"id": "T2", "spans": [[8, 14]], "label": "Strength"}],
    ...          "relations": [{"label": "Strength-Drug", "from": "T2", "to": "T1"}]}]
    >>> found = [{**gold[0], "mentions": [{"id": "T1", "spans": [[0, 7]], "label": "Drug"},
    ...                                   {"id": "T2", "spans": [[8, 11]], "label": "Strength"}]}]
    >>> results = metric.compute(predictions=found, references=gold)
    >>> results["concepts_micro_strict_f1"], results["concepts_micro_lenient_f1"]
    (0.5, 1.0)
    >>> results["strength_drug_strict_f1"], results["strength_drug_lenient_f1"]
    (0.0, 1.0)

    The released script drops a second prediction on one gold concept, where it should count it.

    >>> metric = evaluate.load("n2c2_2018_track2", "concepts")
    >>> twice = [[{"spans": [[0, 3]], "label": "Drug"}, {"spans": [[4, 7]], "label": "Drug"}]]
    >>> gold = [[{"spans": [[0, 7]], "label": "Drug"}]]
    >>> metric.compute(predictions=twice, references=gold)["drug_lenient_fp"]
    1
    >>> metric.compute(predictions=twice, references=gold, protocol="official")["drug_lenient_fp"]
    0
"""
    further = ("https://doi.org/10.1093/jamia/ocz166",)
    forms = ({"mentions": [_MENTION], "relations": [RELATION]}, [_MENTION], str)
