"""ShARe/CLEF eHealth 2013 Task 1, disorders and their codes, as an evaluate module."""

import clineval
import datasets
import evaluate
from clineval.challenges.clefehealth13_task1 import CHALLENGE
from clineval.hf import InMemory

_DESCRIPTION = """
The scores of ShARe/CLEF eHealth 2013 Task 1, which are those of SemEval-2014 Task 7 as well: exact
and overlap precision, recall and F1 of disorder spans (Task 1a), strict and relaxed accuracy of
their codes (Task 1b). Mentions may be discontiguous. Configurations: `default` (both), `task1a`,
which needs no codes, `task1b`.
"""

_KWARGS_DESCRIPTION = """
Args:
    predictions: for each document a list of mentions, or a `clineval.Document`, or a string in
        the lab's format (`DocName||Type||CUI||start||end||start||end...`, a line for a mention).
        A mention is a dict: `spans`, a list of `[start, end]` in characters, ends exclusive;
        and `cui`, a code or None for CUI-less, which `task1a` can do without.
    references: as the predictions.
    protocol: "spec" (default) for the definition in the lab's document, "official" for the
        numbers that the released script prints.
    confidence: such as 0.95 (default None) to add `<key>_low` and `<key>_high` for every score:
        its confidence interval, by drawing documents with replacement.
    n_resamples: how many times they are drawn; default 1000.
    seed: of the drawing; default 12345.
    interval: "percentile" (default) or "bca", bias-corrected and accelerated.
    per_document: whether to add a list of one row of scores for each document.

Returns:
    A dict. `exact_` and `overlap_` with `precision`, `recall`, `f1`, `tp`, `fp`, `fn` (Task 1a);
    `strict_accuracy`, `relaxed_accuracy`, and the counts `correct`, `strict_total`,
    `relaxed_total` behind them (Task 1b); `n_documents` and `signature`; `per_document` if asked
    for.

Examples:
    >>> metric = evaluate.load("clefehealth13_task1")
    >>> gold = [[{"spans": [[4, 15], [31, 38]], "cui": "C0344720"},
    ...          {"spans": [[50, 60]], "cui": None}]]
    >>> found = [[{"spans": [[4, 15]], "cui": "C0344720"}, {"spans": [[50, 60]], "cui": None}]]
    >>> results = metric.compute(predictions=found, references=gold)
    >>> results["exact_f1"], results["overlap_f1"]
    (0.5, 1.0)
    >>> results["strict_accuracy"], results["relaxed_accuracy"]
    (0.5, 1.0)

    Spans alone, and the released script's rules: three predictions, all right, for one mention.

    >>> metric = evaluate.load("clefehealth13_task1", "task1a")
    >>> found = [[{"spans": [[k, k + 9]]} for k in (0, 10, 20)]]
    >>> gold = [[{"spans": [[0, 100]]}]]
    >>> metric.compute(predictions=found, references=gold)["overlap_precision"]
    0.3333333333333333
    >>> metric.compute(predictions=found, references=gold, protocol="official")["overlap_tp"]
    3

    The lab's format.

    >>> results = metric.compute(
    ...     predictions=["a.txt||Disease_Disorder||CUI-less||10||20"],
    ...     references=["a.txt||Disease_Disorder||C0032285||10||20"])
    >>> results["exact_f1"], results["signature"].split("|")[:3]
    (1.0, ['clefehealth13_task1', 'task1a', 'protocol:spec'])
"""


@evaluate.utils.file_utils.add_start_docstrings(_DESCRIPTION, _KWARGS_DESCRIPTION)
class Clefehealth13Task1(InMemory, evaluate.Metric):
    """The metric; `clineval.score` computes it."""

    def _info(self) -> evaluate.MetricInfo:
        string = datasets.Value("string")
        mention = {"spans": [[datasets.Value("int64")]], "cui": string}
        return evaluate.MetricInfo(
            description=_DESCRIPTION,
            citation=CHALLENGE.citation,
            inputs_description=_KWARGS_DESCRIPTION,
            features=[
                datasets.Features({"predictions": [mention], "references": [mention]}),
                datasets.Features({"predictions": string, "references": string}),
            ],
            homepage=CHALLENGE.homepage,
            reference_urls=["https://doi.org/10.1007/978-3-642-40802-1_24"],
        )

    def _compute(
        self,
        predictions,
        references,
        *,
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
            confidence=confidence,
            n_resamples=n_resamples,
            seed=seed,
            interval=interval,
        )
        return score.as_dict(per_document=per_document)
