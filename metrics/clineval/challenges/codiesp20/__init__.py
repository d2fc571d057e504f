"""CodiEsp 2020 (CLEF eHealth Task 1): codes of Spanish clinical cases and their positions.

A case has codes of diagnoses (``D``, *diagnósticos*, CIE-10-CM) and of procedures (``P``,
*procedimientos*, CIE-10-PCS). In D and P a system predicts a ranked list of codes for each
document, in X codes of both kinds with their positions in the text. The unit is a code of a
document; only the first occurrence of a repeated code counts. Codes are compared without case and
surrounding blanks. With a list of valid codes (``codes``), predicted codes outside the list are
dropped before ranking. The gold standard is never filtered.

    precision = tp / (tp + fp)      recall = tp / (tp + fn)     F1 = 2 tp / (2 tp + fp + fn)
    AP(d)     = sum over the ranks r of right codes of (right codes up to r) / r
                / number of gold codes of d
    map       = sum of AP(d) over the gold documents with at least one code / their number
    map_at_k  = the same of the first k codes of each list; the denominators do not change

Precision, recall and F1 are micro-averages over all codes of all documents, from 0 to 1.
``default``, ``D`` and ``P`` give the same scores. A document without predictions scores 0. A
document that is missing from the gold standard does not enter ``map``, and its codes are false
positives.

In ``X``, a gold code is found if a prediction with the same document and code points to one of its
references. Start and end may each differ by at most 10 characters. A reference with several parts
extends from its first to its last character. The labels DIAGNOSTICO and PROCEDIMIENTO are not
compared.

``protocol="official"`` follows the released scripts (codiespD_P_evaluation.py,
comp_f1_diag_proc.py, codiespX_evaluation.py). MAP is the mean over the documents with at least one
valid predicted code, even if they are missing from the gold standard. Only the first 1,000 codes of
a list count. In X, a prediction must contain the reference and exceed it by at most 10 characters
at each end. Files are read as pandas reads them. If the scripts print nan, the score is 0.

``chapters`` defines groups of codes: a TSV file of code prefixes and their chapters. The longest
matching prefix counts. Groups, errors and agreement then have the slot ``chapter``.

With the option ``hierarchy``, codes are also scored with their ancestors (``h_f1``), at each level
(``level0_f1``, ...) and with CoPHE's counts (``cophe_f1``); docs/hierarchies.md defines them;
in X, positions do not matter for them.

Sources: Miranda-Escalada et al. (2020); https://temu.bsc.es/codiesp/, Evaluation;
https://github.com/TeMU-BSC/codiesp-evaluation-script.
"""

from __future__ import annotations

from pathlib import Path

from clineval.challenges.codiesp20.chapters import read_chapters
from clineval.challenges.codiesp20.official import OFFICIAL
from clineval.challenges.codiesp20.spec import SPEC
from clineval.formats.delimited.code_tables import read_valid
from clineval.protocols.code_sets import CODE_PAGE
from clineval.protocols.hierarchies import HIERARCHY
from clineval.protocols.ranked_codes import CUTOFFS
from clineval.results.challenge import Challenge
from clineval.results.differences import list_differences
from clineval.results.faces import Faces
from clineval.results.options import Option
from clineval.results.task import Demo, Task
from clineval.results.views import ListView

CHALLENGE = Challenge(
    Task(
        name="codiesp20",
        title="CodiEsp 2020: Clinical Case Coding in Spanish",
        homepage="https://temu.bsc.es/codiesp/",
        citation="""\
@inproceedings{miranda-escalada-etal-2020-codiesp,
    title = "Overview of Automatic Clinical Coding: Annotations, Guidelines, and Solutions for
        non-{E}nglish Clinical Cases at {CodiEsp} Track of {CLEF} {eHealth} 2020",
    author = "Miranda-Escalada, Antonio and Gonzalez-Agirre, Aitor and Armengol-Estap{\\'e}, Jordi
        and Krallinger, Martin",
    booktitle = "Working Notes of CLEF 2020 - Conference and Labs of the Evaluation Forum",
    series = "CEUR Workshop Proceedings",
    volume = "2696",
    year = "2020",
    url = "http://ceur-ws.org/Vol-2696/paper_263.pdf",
}""",
        configs={
            "default": "ranked codes of documents, of any kind",
            "D": "ranked codes of diagnoses (diagnósticos, CIE-10-CM)",
            "P": "ranked codes of procedures (procedimientos, CIE-10-PCS)",
            "X": "codes of both kinds with their positions in the text",
        },
        definition=__doc__,
        file=__file__,
    ),
    protocols={"spec": SPEC, "official": OFFICIAL},
    options=(
        Option(
            "codes",
            "TSV file of the valid codes, in its first column; others are dropped.",
            kind="file",
            python="the valid codes, or the path of a TSV file with the codes in its first column, "
            "or a directory of such files; other predicted codes are dropped",
            parse=read_valid,
        ),
        CUTOFFS,
        Option(
            "chapters",
            "TSV file of code prefixes and their chapters, for --by slot:chapter.",
            kind="file",
            python="code prefixes and their chapters, as a mapping or the path of a TSV file",
            parse=read_chapters,
        ),
    ),
    differences=list_differences("""
        MAP is the mean over (d_missing_document_not_averaged)
            spec: gold documents with a code; one without predictions scores 0
            official: documents with a valid predicted code, even if the gold standard lacks them
        length of a ranked list (d_depth_1000)
            spec: does not matter
            official: only the first 1,000 codes count
        position of a code (X) (x_narrower_by_1)
            spec: start and end may each differ by 10 characters, in either direction
            official: the prediction must contain the reference and exceed it by at most 10
                characters at each end
        references with several parts (X) (x_discontinuous_gold_parts_unordered)
            spec: extend from the lowest start to the highest end, on both sides
            official: extend from the first to the last number as written; in predictions they are
                rejected
        blanks around a code (d_trailing_blank)
            spec: do not matter
            official: are part of the code
        names and codes such as numbers or null (d_digit_document_names)
            spec: are strings
            official: are what pandas reads: 01 is 1 if all document names are numbers; null is no
                code; codes that are all numbers are rejected
        a line with a wrong number of columns (d_later_third_column_ignored)
            spec: is rejected with file and line
            official: is rejected if it is the first line
        no predictions at all (d_empty_predictions)
            spec: scores 0
            official: are rejected
    """),
    demo=Demo(
        "CodiEsp 2020: a dictionary and a classifier code 6 cases in Spanish",
        "gold_D.tsv",
        {"dictionary": "dictionary_D.tsv", "classifier": "classifier_D.tsv"},
        {"codes": Path("codes_D.tsv")},
    ),
    faces=Faces(
        page=ListView(CODE_PAGE.module, {"micro_f1": "F1", "map": "AP"}),
        validation_options=(HIERARCHY,),
        scripts=("codiesp-2020",),
        printed="clineval.challenges.codiesp20.printed",
    ),
)
