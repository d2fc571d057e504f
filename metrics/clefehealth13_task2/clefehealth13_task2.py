"""ShARe/CLEF eHealth 2013 Task 2, acronyms and abbreviations, as an evaluate module."""

import clineval
import datasets
import evaluate
from clineval.challenges.clefehealth13_task2 import CHALLENGE
from clineval.hf import InMemory

_DESCRIPTION = """
The scores of ShARe/CLEF eHealth 2013 Task 2: the share of annotated acronyms and abbreviations
whose code is the annotators' first one (strict), or is in their list of possible codes (relaxed).
"""

_KWARGS_DESCRIPTION = """
Args:
    predictions: one code for each abbreviation; None for CUI-less.
    references: for each abbreviation the annotators' codes, best first: a list, or a string with
        commas between the codes.
    documents: the name of each abbreviation's document, so that counts are those of documents.
    protocol: "spec", the only one: no released script was found.
    confidence: such as 0.95 (default None) to add `<key>_low` and `<key>_high` for every score:
        its confidence interval, by drawing documents with replacement.
    n_resamples: how many times they are drawn; default 1000.
    seed: of the drawing; default 12345.
    interval: "percentile" (default) or "bca", bias-corrected and accelerated.
    per_document: whether to add a list of one row of scores for each document.

Returns:
    A dict: `strict_accuracy`, `relaxed_accuracy`, and the counts `strict_correct`,
    `relaxed_correct` and `total` behind them; `n_documents` and `signature`; `per_document` if
    asked for.

Examples:
    >>> metric = evaluate.load("clefehealth13_task2")
    >>> results = metric.compute(
    ...     predictions=["C0003842", "C0003843", "C0000001"],
    ...     references=[["C0003842", "C0003843"], ["C0003842", "C0003843"], ["C0003842"]])
    >>> round(results["strict_accuracy"], 4), round(results["relaxed_accuracy"], 4)
    (0.3333, 0.6667)
    >>> results["relaxed_correct"], results["total"]
    (2, 3)
"""


@evaluate.utils.file_utils.add_start_docstrings(_DESCRIPTION, _KWARGS_DESCRIPTION)
class Clefehealth13Task2(InMemory, evaluate.Metric):
    """The metric; `clineval.score` computes it."""

    def _info(self) -> evaluate.MetricInfo:
        string = datasets.Value("string")
        return evaluate.MetricInfo(
            description=_DESCRIPTION,
            citation=CHALLENGE.citation,
            inputs_description=_KWARGS_DESCRIPTION,
            features=[
                # first, as datasets 3 takes a string for a list of its characters
                datasets.Features({"predictions": string, "references": string}),
                datasets.Features({"predictions": string, "references": [string]}),
            ],
            homepage=CHALLENGE.homepage,
            reference_urls=["https://doi.org/10.1186/s13326-016-0084-y"],
        )

    def _compute(
        self,
        predictions,
        references,
        *,
        documents=None,
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
            documents=documents,
            confidence=confidence,
            n_resamples=n_resamples,
            seed=seed,
            interval=interval,
        )
        return score.as_dict(per_document=per_document)
