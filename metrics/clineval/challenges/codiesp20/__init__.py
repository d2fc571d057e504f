"""CodiEsp 2020 (CLEF eHealth Task 1): codes of Spanish clinical cases, and where they stand.

A case has codes of diagnoses (``D``, *diagnósticos*, CIE-10-CM) and of procedures (``P``,
*procedimientos*, CIE-10-PCS). In D and P a system gives each document a ranked list of codes, in X
codes of both kinds and where the text says so. The unit is a code of a document: repeats collapse,
the first one counts. Codes are compared without case and without blanks around them. With a list of
valid codes (``codes``) predicted codes outside of it are dropped before ranks are given; the gold
standard is never filtered.

    precision = tp / (tp + fp)      recall = tp / (tp + fn)     F1 = 2 tp / (2 tp + fp + fn)
    AP(d)     = sum over the ranks r of right codes of (right codes up to r) / r
                / number of gold codes of d
    map       = sum of AP(d) over the gold documents with at least one code / their number
    map_at_k  = the same of the first k codes of each list; the denominators do not change

Precision, recall and F1 are micro-averages, over all codes of all documents, from 0 to 1.
``default``, ``D`` and ``P`` score alike, whatever the codes stand for. A document that is not
predicted counts 0; one that is only predicted does not enter ``map``, and its codes are false
positives.

In ``X`` a gold code is found if a prediction of the same document and code points to one of its
references: start and end differ by at most 10 characters each. A reference of several parts stands
for all from its first to its last character. The labels DIAGNOSTICO and PROCEDIMIENTO are not
compared.

``protocol="official"`` does what the released scripts do (codiespD_P_evaluation.py,
comp_f1_diag_proc.py, codiespX_evaluation.py): MAP is the mean over the documents that any valid
code was predicted for, in the gold standard or not; only the first 1,000 codes of a list count; in
X a prediction must contain the reference, and exceed it by at most 10 characters at each end. Files
are read as pandas reads them. Where the scripts write nan, the score is 0.

``chapters`` names groups of codes: a TSV file of beginnings of codes and the chapter of each; the
longest beginning counts. Groups, errors and agreement then have the slot ``chapter``.

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
            "default": "ranked codes of documents, whatever they stand for",
            "D": "ranked codes of diagnoses (diagnósticos, CIE-10-CM)",
            "P": "ranked codes of procedures (procedimientos, CIE-10-PCS)",
            "X": "codes of both kinds with their places in the text",
        },
        definition=__doc__,
        file=__file__,
    ),
    protocols={"spec": SPEC, "official": OFFICIAL},
    options=(
        Option(
            "codes",
            "Valid codes, the first column of a TSV file; others are dropped.",
            kind="file",
            python="the valid codes, or the path of a TSV file whose first column has them, or of "
            "a directory of such files; predicted codes outside of them are dropped",
            parse=read_valid,
        ),
        CUTOFFS,
        Option(
            "chapters",
            "TSV file of beginnings of codes and their chapters, for --by slot:chapter.",
            kind="file",
            python="beginnings of codes to their chapters, as a mapping or the path of a TSV file",
            parse=read_chapters,
        ),
    ),
    differences=list_differences("""
        MAP is the mean over (d_missing_document_not_averaged)
            spec: gold documents with a code; one without predictions counts 0
            official: documents with a valid predicted code, in the gold standard or not
        length of a ranked list (d_depth_1000)
            spec: does not matter
            official: only the first 1,000 codes count
        where a code stands (X) (x_narrower_by_1)
            spec: start and end may differ by 10 characters, to either side
            official: the prediction must contain the reference and exceed it by at most 10 at each
                end
        references of several parts (X) (x_discontinuous_gold_parts_unordered)
            spec: stand for all from the least start to the greatest end, on both sides
            official: go from the first number to the last as written; in predictions they are
                refused
        blanks around a code (d_trailing_blank)
            spec: do not matter
            official: are part of the code
        names and codes of digits, null and the like (d_digit_document_names)
            spec: are strings
            official: are what pandas takes them for: 01 is 1 if all names of documents are numbers,
                null is no code; codes of which all are numbers are refused
        a line of another number of columns (d_later_third_column_ignored)
            spec: is refused with file and line
            official: is refused if it is the first
        no prediction (d_empty_predictions)
            spec: scores 0
            official: is refused
    """),
    demo=Demo(
        "CodiEsp 2020: a dictionary and a classifier code 6 cases in Spanish",
        "gold_D.tsv",
        {"dictionary": "dictionary_D.tsv", "classifier": "classifier_D.tsv"},
        {"codes": Path("codes_D.tsv")},
    ),
    faces=Faces(
        page=ListView(CODE_PAGE.module, {"micro_f1": "F1", "map": "AP"}),
        scripts=("codiesp-2020",),
        printed="clineval.challenges.codiesp20.printed",
    ),
)
