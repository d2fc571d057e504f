"""ICD codes of discharge summaries, as in MIMIC: a definition, and the numbers of two programs.

A document has a set of codes. A system predicts a set of codes, or codes with scores from 0 to 1; a
code with a score above the option ``threshold`` (0.5) is predicted. If a folder has a file of
predicted codes and a file of scores, the first one determines what is predicted, and the scores
determine ranks and areas. Papers report numbers of two training codes, which differ from each other
and from this definition. They are protocols: ``caml`` for Mullenbach et al. and the copies of their
code, ``edin`` for Edin et al. No challenge stands behind them, so that there is no ``official``.

The unit is a code of a document:

    P = tp / (tp + fp)        R = tp / (tp + fn)        F1 = 2 tp / (2 tp + fp + fn)

    micro_<score>         all codes of all documents together
    macro_<score>         the mean over the codes that either side has; macro F1 is the mean of the
                          codes' F1
    macro_gold_<score>    the mean over the codes of the gold standard
    document_<score>      the mean over the documents that have a code on either side
    exact_match           documents with the same set of codes on both sides / all documents

Ranked codes have further scores, which are means over the documents with a gold code. Let g be the
number of gold codes of a document:

    precision_at_k    right codes among the first k / k
    recall_at_k       right codes among the first k / g
    r_precision       right codes among the first g / g
    map               the mean of AP = sum of the precisions at the ranks of right codes / g
    map_at_k          the same with the first k codes only

The option ``cutoffs`` lists the values of k. Codes are ranked by score; a code without a score has
0. Codes with equal scores are in random order, and each score is its mean over all orders: a tied
group at a cutoff gives its right codes in proportion. Codes without scores are ranked by their
order if the option ``ranked`` is set. With scores there are also areas under the ROC curve, where
equal scores count half:

    auc_micro    over all pairs of a document and a code of the label set
    auc_macro    the mean over the codes that some documents have, and others do not have

The option ``codes`` is the label set. Other gold codes are errors, and other predicted codes are
wrong, with a warning. Without it, the label set is the codes that occur on either side.

A document on one side only counts as all missed, or all spurious. Codes are compared without case
and surrounding blanks. A code without a point is a diagnosis: 4019 is 401.9, and not the procedure
40.19; a warning says if all codes of a side lack points. With ``ignore_points`` all codes are
compared without points. Groups by ``slot:type`` are diagnoses and procedures of ICD-9-CM, by the
same rule for both sides; groups by ``slot:chapter`` are chapters. Scores that the predictions do
not allow are left out, with a warning.

Under ``caml``, documents on one side only are left out, and codes are compared as they are written.
All codes of the label set count in macro means, those that nobody has as 0. Let pred and gold be
the numbers of predicted and of gold codes:

    micro_accuracy    tp / (pred + gold - tp)
    macro_precision   the mean over all codes of tp / (pred + 1e-10); recall and accuracy likewise
    macro_f1          2 P R / (P + R) of macro precision P and macro recall R
    precision_at_k    as above, but divided by the number of codes if k is larger
    f1_at_k           2 P R / (P + R) of both means at k
    f1_diag, f1_proc  micro F1 of diagnoses and of procedures, by the place of the point

Under ``edin``, scores are rounded to 32 bits and alone determine what is predicted. Only codes of
the gold standard count, and documents with such a code: other codes are no false positives, and
have no rank. Scores whose names end with ``_mullenbach`` are those of all codes and all documents.
Denominators have 1e-10 more, and macro F1 is the mean of the codes' F1. ``micro_fpr`` and
``macro_fpr`` are rates of false positives, fp / (fp + tn), where lower is better. Areas are over
all codes in both families. The counts ``micro_tp``, ``micro_fp`` and ``micro_fn`` include all
codes. A threshold is tuned on other data: pass it as ``threshold``.

With the option ``hierarchy``, codes are also scored with their ancestors (``h_f1``), at each level
(``level0_f1``, ...) and with CoPHE's counts (``cophe_f1``); docs/hierarchies.md defines them.

All scores lie between 0 and 1; a score whose denominator is 0 is 0, also if a program prints nan.

Sources: Mullenbach et al. (2018), https://aclanthology.org/N18-1100, evaluation.py of
https://github.com/jamesmullenbach/caml-mimic (44a4745); Edin et al. (2023),
https://doi.org/10.1145/3539618.3591918, src/metrics.py of
https://github.com/JoakimEdin/medical-coding-reproducibility (c0e1d42).
"""

from __future__ import annotations

from pathlib import Path

from clineval.challenges.icd_coding import caml, edin
from clineval.challenges.icd_coding.codes import fold
from clineval.challenges.icd_coding.rules import IcdCodes
from clineval.results.challenge import Challenge
from clineval.results.differences import list_differences
from clineval.results.task import Demo, Task

_SPEC = IcdCodes(fold=fold)
CHALLENGE = Challenge(
    Task(
        name="icd_coding",
        title="ICD codes of discharge summaries",
        homepage="https://doi.org/10.1145/3539618.3591918",
        citation="""\
@inproceedings{mullenbach-etal-2018-explainable,
    title = "Explainable Prediction of Medical Codes from Clinical Text",
    author = "Mullenbach, James and Wiegreffe, Sarah and Duke, Jon and Sun, Jimeng and Eisenstein,
        Jacob",
    booktitle = "Proceedings of the 2018 Conference of the North {A}merican Chapter of the
        Association for Computational Linguistics: Human Language Technologies",
    year = "2018",
    doi = "10.18653/v1/N18-1100",
}
@inproceedings{edin-etal-2023-automated,
    title = "Automated Medical Coding on {MIMIC}-{III} and {MIMIC}-{IV}: A Critical Review and
        Replicability Study",
    author = "Edin, Joakim and Junge, Alexander and Havtorn, Jakob D. and Borgholt, Lasse and
        Maistro, Maria and Ruotsalo, Tuukka and Maal{\\o}e, Lars",
    booktitle = "Proceedings of the 46th International ACM SIGIR Conference on Research and
        Development in Information Retrieval",
    year = "2023",
    doi = "10.1145/3539618.3591918",
}""",
        configs={"default": "codes of documents: sets, ranked lists, or codes with scores"},
        definition=__doc__,
        file=__file__,
    ),
    protocols={
        "spec": _SPEC,
        "caml": IcdCodes(fold=str.strip, rules=caml.RULES),
        "edin": IcdCodes(fold=str.strip, rules=edin.RULES),
    },
    measures=_SPEC.measures.with_protocols({"caml": caml.MEASURES, "edin": edin.MEASURES}),
    differences=list_differences("""
        macro F1 (i02_macro_f1)
            spec: the mean of the codes' F1
            caml: computed from macro precision and macro recall
            edin: the mean of the codes' F1
        a code that nobody has (i03_code_nowhere)
            spec: left out of macro means
            caml: counts as 0
            edin: left out; `_mullenbach`: counts as 0
        a code that only the system has (i04_code_predicted_only)
            spec: a false positive; F1 is 0 in macro means, except `macro_gold`
            caml: a false positive; counts as 0 in macro means
            edin: dropped, also from micro; `_mullenbach`: a false positive
        a document without gold codes (i05_document_without_gold_crash)
            spec: counts; not in ranks
            caml: an error, because the program stops
            edin: left out; `_mullenbach`: counts
        a document on one side only (i06_document_not_predicted)
            spec: missed, or spurious, with a warning
            caml: left out, with a warning
            edin: left out, with a warning
        predicted codes and scores disagree (i12_files_differ)
            spec: sets are those of the list, ranks and areas those of the scores
            caml: the same
            edin: scores alone count
        a single document with scores (i13_one_document_crash)
            spec: counts
            caml: in files, an error, because the program stops
            edin: counts
        k above the number of codes (i15_k_beyond_codes)
            spec: P at k divides by k
            caml: P at k divides by the number of codes
            edin: P at k divides by k; the program stops
        codes with and without points (i23_code_as_written)
            spec: a code without a point is a diagnosis: 4019 is 401.9
            caml: compared as they are written
            edin: compared as they are written
        a predicted code outside the label set (i24_unknown_code)
            spec: wrong, with a warning
            caml: in files, an error, because the program stops
            edin: wrong, with a warning; in `_mullenbach` only
        E codes by type (i28_by_type_e_with_point)
            spec: diagnoses on both sides (`--by slot:type`)
            caml: with a point, diagnoses of the system only, so that a right one is wrong
            edin: no scores by type
    """),
    demo=Demo(
        "ICD codes: a dictionary, and a classifier with scores, code 8 letters",
        "gold.csv",
        {"dictionary": "dictionary.psv", "classifier": "classifier.json"},
        {"codes": Path("codes.txt")},
    ),
)
