"""ShARe/CLEF eHealth 2013 Task 3, retrieval of web documents, as an evaluate module."""

import clineval
import datasets
import evaluate
from clineval.challenges.clefehealth13_task3 import CHALLENGE
from clineval.hf import InMemory

_DESCRIPTION = """
The scores of ShARe/CLEF eHealth 2013 Task 3: ranked retrieval, with the measures of trec_eval by
their own names (`map`, `P_10`, `ndcg_cut_10` and all others), ties broken as trec_eval breaks them.
"""

_KWARGS_DESCRIPTION = """
Args:
    predictions: a run: `{topic: {document: score}}`; or a dict of the columns `query`, `docid`
        and `score`, as the module `trec_eval` takes it; or the path, or the lines, of a TREC run;
        or a list of these, such as one for each topic.
    references: the relevance judgments, in any of these forms; the column is `rel`.
    measures: names of measures, as trec_eval prints them (`P_10`) or takes them (`P.5,10`,
        `official`, `all_trec`); by default map, P_5, P_10, ndcg_cut_5, ndcg_cut_10, Rprec, bpref,
        recip_rank, num_q, num_ret, num_rel and num_rel_ret.
    complete: whether judged topics that the run lacks count 0 (default), or not at all.
    relevance_level: the lowest judgment that is relevant; default 1.
    protocol: "spec", the only one, which is trec_eval's.
    confidence: such as 0.95 (default None) to add `<key>_low` and `<key>_high` for every score:
        its confidence interval, by drawing topics with replacement.
    n_resamples: how many times they are drawn; default 1000.
    seed: of the drawing; default 12345.
    interval: "percentile" (default) or "bca", bias-corrected and accelerated.
    per_document: whether to add a list of one row of scores for each topic.

Returns:
    A dict: each measure under its name, and `num_q`; `n_documents`, the number of topics, and
    `signature`; `per_document` if asked for.

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


@evaluate.utils.file_utils.add_start_docstrings(_DESCRIPTION, _KWARGS_DESCRIPTION)
class Clefehealth13Task3(InMemory, evaluate.Metric):
    """The metric; `clineval.score` computes it."""

    def _info(self) -> evaluate.MetricInfo:
        string, number = datasets.Value("string"), datasets.Value("float64")
        topic = {"query": [string], "q0": [string], "docid": [string]}
        run = {**topic, "rank": [datasets.Value("int64")], "score": [number], "system": [string]}
        qrels = {**topic, "rel": [datasets.Value("int64")]}
        return evaluate.MetricInfo(
            description=_DESCRIPTION,
            citation=CHALLENGE.citation,
            inputs_description=_KWARGS_DESCRIPTION,
            features=[
                datasets.Features({"predictions": run, "references": qrels}),
                datasets.Features({"predictions": string, "references": string}),
            ],
            homepage=CHALLENGE.homepage,
            reference_urls=["https://trec.nist.gov/trec_eval/"],
        )

    def _compute(
        self,
        predictions,
        references,
        *,
        measures=None,
        complete=True,
        relevance_level=1,
        protocol="spec",
        confidence=None,
        n_resamples=1000,
        seed=12345,
        interval="percentile",
        per_document=False,
    ) -> dict:
        score = clineval.score(
            CHALLENGE.name,
            predictions,
            references,
            config=self.config_name or "default",
            protocol=protocol,
            measures=measures,
            complete=complete,
            relevance_level=relevance_level,
            confidence=confidence,
            n_resamples=n_resamples,
            seed=seed,
            interval=interval,
        )
        return score.as_dict(per_document=per_document)
