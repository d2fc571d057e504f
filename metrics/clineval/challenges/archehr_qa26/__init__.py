"""ArchEHR-QA 2026: evidence for answers to patients' questions, subtasks 2 and 4.

A case is a question of a patient with numbered sentences of a clinical note and a clinician's
answer. Every sentence of the note has a grade: ``essential``, ``supplementary`` or
``not-relevant``. In subtask 2 a system predicts the sentences that are needed to answer the
question. In subtask 4 it predicts links: which sentences of the note support a sentence of the
answer. The unit is a sentence, or a link (answer sentence, note sentence), of a case. Repeats count
once.

    precision = tp / (tp + fp)      recall = tp / (tp + fn)     F1 = 2 tp / (2 tp + fp + fn)

    strict_micro_<score>     sentences of all cases; only essential ones are gold annotation
    lenient_micro_<score>    the same, as if supplementary sentences had not been predicted
    micro_<score>            links of all cases
    strict_macro_<score>, lenient_macro_<score>, macro_<score>
                             the means over the cases that have a gold or a predicted sentence
                             (lenient: one that is not supplementary), or link; macro F1 is the mean
                             of the cases' F1
    overall_score            strict_micro_f1 in ``subtask2``, micro_f1 in ``subtask4``; it ranks
                             systems

All scores lie between 0 and 1 (the program prints percent); a score whose denominator is 0 is 0.
``default`` scores the subtasks that the predictions belong to; with predictions for both,
``overall_score`` is the mean of the two F1. In ``subtask2`` and ``subtask4``, predictions for the
other subtask do not count, with a warning. In 2025, lenient meant something else: supplementary
sentences were gold annotation. Scores of the two years cannot be compared.

Ids are compared without outer blanks; a number is the string of its digits. Grades are compared
without case. A sentence with several grades has the highest one. A predicted id that the key does
not have is wrong. Anything else in a prediction that is not a sentence or a link is one wrong
sentence or link, whatever a model writes; both trigger a warning. Predictions for a case that
occurs twice are united. A case on one side only counts as all missed, or all spurious. In the gold
standard, unknown grades, citations of sentences that do not exist, and repeated cases are errors.

Files are the challenge's JSON, or JSON Lines with a case on each line. In Python, a case is an
object of the key, or a list of sentences (``"5"``), links (``"2>5"``, or objects with ``answer_id``
and ``evidence_id``) and graded sentences (``"3:supplementary"``, or objects with ``sentence_id``
and ``relevance``). Predicted sentences with another grade than ``essential`` are not predicted
evidence.

``protocol="official"`` follows the released programs: see ``clineval describe archehr_qa26
--full``. They print the same micro-averages if they accept the files.

Sources: https://archehr-qa.github.io, Evaluation; the programs at
https://github.com/soni-sarvesh/archehr-qa-2026, which alone define averages and empty cases.
"""

from __future__ import annotations

from dataclasses import replace

from clineval.challenges.archehr_qa26.official import OFFICIAL
from clineval.challenges.archehr_qa26.spec import SPEC
from clineval.results.challenge import Challenge
from clineval.results.differences import list_differences
from clineval.results.task import Demo, Task

CHALLENGE = Challenge(
    Task(
        name="archehr_qa26",
        title="ArchEHR-QA 2026: evidence for answers to patients' questions",
        homepage="https://archehr-qa.github.io",
        citation="""\
@inproceedings{soni-etal-2026-archehr-qa,
    title = "Overview of the {ArchEHR-QA} 2026 Shared Task on Grounded Question Answering from
        Electronic Health Records",
    author = "Soni, Sarvesh and Demner-Fushman, Dina",
    booktitle = "Proceedings of the Third Workshop on Patient-Oriented Language Processing
        (CL4Health)",
    year = "2026",
    address = "Palma, Mallorca (Spain)",
    publisher = "ELRA",
}""",
        configs={
            "default": "the subtasks that the predictions belong to",
            "subtask2": "sentences of the note that are needed for the answer",
            "subtask4": "links from sentences of the answer to sentences of the note",
        },
        definition=__doc__,
        file=__file__,
    ),
    {"spec": SPEC, "official": OFFICIAL},
    differences=list_differences("""
        a case without gold annotation and without predictions (a05)
            spec: is left out of means over cases
            official: counts as 1 in subtask 2, and as 0 in subtask 4
        no annotation at all on both sides in subtask 2 (a09)
            spec: micro-averages are 0
            official: micro-averages are 1
        a case that is predicted twice (a12)
            spec: its predictions are united
            official: counts twice
        cases on one side only (a14, a15)
            spec: count as missed or spurious
            official: are rejected
        predicted ids that the key does not have (a16)
            spec: are wrong
            official: are rejected
        numbers as ids, blanks around ids (a18, a24)
            spec: are read as the string of the digits, without blanks
            official: are rejected
        predictions in another form (a19, a20, a21, a22)
            spec: are wrong
            official: are rejected
        a case that the key has twice (a13)
            spec: is rejected
            official: counts as written the last time
        an unknown grade (a25)
            spec: is rejected; case does not matter
            official: is not relevant
        citations of no sentence, or a string of citations (a27, a28)
            spec: are rejected
            official: cannot be found; a string is a list of its letters
    """),
    demo=Demo(
        "ArchEHR-QA 2026: two prompted models find evidence for 6 invented cases",
        "key.json",
        {"model": "model.json", "keywords": "keywords.json"},
    ),
    faces=replace(
        SPEC.faces,
        scripts=("archehr-2026-task2", "archehr-2026-task4"),
        printed="clineval.challenges.archehr_qa26.printed",
    ),
)
