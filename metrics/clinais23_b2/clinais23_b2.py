"""ClinAIS 2023, sections of Spanish clinical notes, as an evaluate module."""

import clineval
import datasets
import evaluate
from clineval.challenges.clinais23_b2 import CHALLENGE
from clineval.challenges.clinais23_b2 import LABELS
from clineval.hf import InMemory

_DESCRIPTION = """
B2, the score of ClinAIS 2023 (identification of sections in clinical documents in Spanish): how
well the boundaries of labelled sections were found, by a boundary edit distance whose edits are
weighted, so that a boundary a few tokens off costs little. Also Fournier's B from the same edits,
and the numbers of matches, additions (missed), deletions (spurious), substitutions and
transpositions.
"""

_KWARGS_DESCRIPTION = """
Args:
    predictions: for each note a list with one item for each token: the label of the section that
        begins there, else None. Or a dict: `text`, the note, and `sections`, a list of dicts with
        `start` and `end` in characters, ends exclusive, and `label`; tokens are then what stands
        between white space. Or an entry of the task's JSON (`boundary_annotation`). Or any of
        these as a string of JSON.
    references: as the predictions.
    protocol: "spec" (default) or "official", which give the same numbers: the specification
        follows the released code.
    n_t: a boundary can be transposed by at most n_t - 1 tokens; 40 by default, as in the task.
    weights: "clinais" (default), or a mapping of constants of the weights that are to have other
        values, such as {"substitution": 1.0}; or the path of such a mapping as JSON.
    b_weights: "unweighted" (default), each edit counts 1 in B; "scaled", a transposition counts
        its displacement / n_t, as in segeval.
    labels: the labels that sections can have; by default the task's seven: PRESENT_ILLNESS,
        DERIVED_FROM/TO, PAST_MEDICAL_HISTORY, FAMILY_HISTORY, EXPLORATION, TREATMENT, EVOLUTION.
    confidence: such as 0.95 (default None) to add `<key>_low` and `<key>_high` for every score:
        its confidence interval, by drawing notes with replacement.
    n_resamples: how many times they are drawn; default 1000.
    seed: of the drawing; default 12345.
    interval: "percentile" (default) or "bca", bias-corrected and accelerated.
    per_document: whether to add a list of one row for each note, with its `edits` and what was
        `matched`.

Returns:
    A dict: `b2` and `b`, means of the notes weighted by their numbers of gold boundaries, from 0
    to 1; `matches`, `additions`, `deletions`, `substitutions`, `transpositions`; `n_documents`
    and `signature`; `per_document` if asked for.

Examples:
    >>> metric = evaluate.load("clinais23_b2")
    >>> gold = ["EXPLORATION", None, None, None, "TREATMENT", None, None, None]
    >>> found = ["EXPLORATION", None, None, None, None, None, None, "TREATMENT"]
    >>> results = metric.compute(predictions=[found], references=[gold])
    >>> round(results["b2"], 4), results["b"], results["transpositions"]
    (0.9754, 0.5, 1)

    Sections as characters; the boundary is two words late, which is free.

    >>> text = "Abdomen blando. Se pauta reposo."
    >>> sections = [{"start": 0, "end": 16, "label": "EXPLORATION"},
    ...             {"start": 16, "end": 32, "label": "TREATMENT"}]
    >>> late = [{"start": 0, "end": 25, "label": "EXPLORATION"},
    ...         {"start": 25, "end": 32, "label": "TREATMENT"}]
    >>> results = metric.compute(
    ...     predictions=[{"text": text, "sections": late}],
    ...     references=[{"text": text, "sections": sections}], per_document=True)
    >>> results["b2"], results["per_document"][0]["edits"][0]["displacement"]
    (1.0, 2)

    Labels of your own.

    >>> results = metric.compute(
    ...     predictions=[["A", None, "C"]], references=[["A", None, "B"]], labels=["A", "B", "C"])
    >>> round(results["b2"], 2), results["substitutions"], results["signature"].split("|")[3]
    (0.35, 1, 'n_t:40')
"""


@evaluate.utils.file_utils.add_start_docstrings(_DESCRIPTION, _KWARGS_DESCRIPTION)
class Clinais23B2(InMemory, evaluate.Metric):
    """The metric; `clineval.score` computes it."""

    def _info(self) -> evaluate.MetricInfo:
        string, offset = datasets.Value("string"), datasets.Value("int64")
        section = {"start": offset, "end": offset, "label": string}
        note = {"text": string, "sections": [section]}
        return evaluate.MetricInfo(
            description=_DESCRIPTION,
            citation=CHALLENGE.citation,
            inputs_description=_KWARGS_DESCRIPTION,
            # between processes each note is a string, which a list would take apart
            features=[
                datasets.Features({"predictions": note, "references": note}),
                datasets.Features({"predictions": string, "references": string}),
                datasets.Features({"predictions": [string], "references": [string]}),
            ],
            homepage=CHALLENGE.homepage,
            reference_urls=["https://aclanthology.org/P13-1167/"],
        )

    def _compute(
        self,
        predictions,
        references,
        *,
        protocol="spec",
        n_t=40,
        weights="clinais",
        b_weights="unweighted",
        labels=LABELS,
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
            protocol=protocol,
            n_t=n_t,
            weights=weights,
            b_weights=b_weights,
            labels=labels,
            confidence=confidence,
            n_resamples=n_resamples,
            seed=seed,
            interval=interval,
        )
        return score.as_dict(per_document=per_document)
