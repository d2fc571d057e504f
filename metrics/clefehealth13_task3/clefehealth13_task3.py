"""ShARe/CLEF eHealth 2013 Task 3, retrieval of web documents, as an evaluate module."""

import evaluate

from clineval.challenges.clefehealth13_task3 import CHALLENGE
from clineval.hf import ChallengeMetric

_TOPIC = {"query": [str], "q0": [str], "docid": [str]}
_RUN = {**_TOPIC, "rank": [int], "score": [float], "system": [str]}


class Clefehealth13Task3(ChallengeMetric, evaluate.Metric):
    """The metric; `clineval.score` computes it."""

    challenge = CHALLENGE
    about = """
The scores of ShARe/CLEF eHealth 2013 Task 3: ranked retrieval, with the measures of trec_eval 9
by their own names (`map`, `P_10`, `ndcg_cut_10` and all others), ties broken as it breaks them.
"""
    inputs = """
    predictions: a run: `{topic: {document: score}}`; or a dict of the columns `query`, `docid`
        and `score`, as the module `trec_eval` takes it; or the path, or the lines, of a TREC run;
        or a list of these, such as one for each topic.
    references: the relevance judgments, in any of these forms; the column is `rel`.
"""
    returns = """
Returns:
    A dict: each measure under its name, and `num_q`; `n_documents`, the number of judged topics,
    and `signature`; `per_document` if asked for.

Examples:
    >>> metric = evaluate.load("clefehealth13_task3")
    >>> qrels = {"qtest1": {"a": 1, "b": 0, "c": 1}, "qtest2": {"d": 1}}
    >>> run = {"qtest1": {"a": 2.0, "b": 1.5, "c": 1.0}, "qtest2": {"e": 2.0, "d": 1.0}}
    >>> results = metric.compute(predictions=run, references=qrels)
    >>> round(results["map"], 4), results["P_5"], results["num_rel_ret"]
    (0.6667, 0.30000000000000004, 3)

    The inputs of the module `trec_eval`, other measures, and topic by topic.

    >>> qrel = {"query": [1, 1], "q0": ["q0", "q0"], "docid": ["a", "b"], "rel": [1, 2]}
    >>> run = {"query": [1, 1], "q0": ["q0", "q0"], "docid": ["b", "a"], "rank": [0, 1],
    ...        "score": [1.5, 1.2], "system": ["test", "test"]}
    >>> results = metric.compute(predictions=[run], references=[qrel],
    ...                          measures=["ndcg", "success_1"], per_document=True)
    >>> results["ndcg"], results["per_document"]
    (1.0, [{'document': '1', 'num_q': 1, 'ndcg': 1.0, 'success_1': 1.0}])
"""
    further = ("https://trec.nist.gov/trec_eval/",)
    forms = ((_RUN, {**_TOPIC, "rel": [int]}), str)
