"""Codes of documents in any coding system, of data that belong to no challenge.

A document has a set of codes, such as the ICD codes of a stay. A system predicts a set of codes, a
ranked list, or codes with scores: probabilities from 0 to 1. A code with a score above the option
``threshold`` (0.5) is predicted. Codes are compared without case and surrounding blanks; with
``ignore_points`` also without points, so that J45.0 is the same as J450. A code that is repeated in
a document counts once, with its highest score.

The unit is a code of a document:

    P = tp / (tp + fp)        R = tp / (tp + fn)        F1 = 2 tp / (2 tp + fp + fn)

    micro_<score>         all codes of all documents together
    macro_<score>         the mean over the codes that either side has; macro F1 is the mean of the
                          codes' F1, and not the harmonic mean of macro P and macro R
    macro_gold_<score>    the mean over the codes of the gold standard
    document_<score>      the mean over the documents that have a code on either side
    exact_match           documents with the same set of codes on both sides / all documents

Precision, recall or F1 is 0 if its denominator is 0.

Ranked codes have further scores, which are means over the documents with a gold code. Let g be the
number of gold codes of a document:

    precision_at_k    right codes among the first k / k
    recall_at_k       right codes among the first k / g
    r_precision       right codes among the first g / g
    map               the mean of AP = sum of the precisions at the ranks of right codes / g
    map_at_k          the same with the first k codes only

The option ``cutoffs`` lists the values of k. Codes with scores are ranked by score, whatever the
threshold; a code without a score has 0. Codes with equal scores are in random order, and each score
is its mean over all orders: a tied group at a cutoff gives its right codes in proportion. Codes
without scores are ranked by their order if the option ``ranked`` is set.

With scores there are also areas under the ROC curve, the probability that a right code has a higher
score than a wrong one; equal scores count half:

    auc_micro    over all pairs of a document and a code
    auc_macro    the mean over the codes that some documents have, and others do not have

The option ``codes`` lists the codes that exist. Other gold codes are errors, and other predicted
codes are wrong, with a warning. Without it, these are the codes that occur on either side, with any
score. They matter for areas, and for codes without scores in ranks.

A document on one side only counts as all missed, or all spurious; without predictions, all its
codes have the score 0. In groups of codes (``--by code``, ``--by frequency``), only scores of sets
are computed.

With the option ``hierarchy``, codes are also scored with their ancestors (``h_f1``), at each level
(``level0_f1``, ...) and with CoPHE's counts (``cophe_f1``); docs/hierarchies.md defines them.

All scores lie between 0 and 1; a score whose denominator is 0 is 0. There is one protocol,
``spec``, because no challenge and no script stands behind this module. The training code of
Mullenbach et al. computes other values from the same predictions: its macro F1 is the harmonic mean
of macro P and macro R, over all codes that exist.

Sources: Mullenbach et al. (2018), https://aclanthology.org/N18-1100; Edin et al. (2023),
https://doi.org/10.1145/3539618.3591918; McSherry and Najork (2008), on ties.
"""

from __future__ import annotations

from pathlib import Path

from clineval.protocols.scored_codes import ScoredCodes
from clineval.results.challenge import Challenge
from clineval.results.task import Demo, Task

CHALLENGE = Challenge(
    Task(
        name="clinical_codes",
        title="Codes of documents",
        homepage="https://doi.org/10.1145/3539618.3591918",
        citation="""\
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
    protocols={"spec": ScoredCodes()},
    demo=Demo(
        "Codes of documents: a dictionary, and a classifier with scores, code 6 letters",
        "gold.csv",
        {"dictionary": "dictionary.csv", "classifier": "classifier.csv"},
        {"codes": Path("codes.txt")},
    ),
)
