"""ShARe/CLEF eHealth 2013 Task 2: acronyms and abbreviations to UMLS codes.

The acronyms and abbreviations are annotated beforehand. A system predicts one code for each of
them; the annotators listed the possible codes, best first.

    strict_accuracy  = strict_correct / total
    relaxed_accuracy = relaxed_correct / total

Here total counts the annotated abbreviations, strict_correct those whose predicted code is the
annotators' first code, and relaxed_correct those whose predicted code is in the annotators' list.
Codes are compared without case; CUI-less (also an empty code, and None in lists) is a code like any
other. A missing prediction is wrong; predictions for anything that is not annotated are ignored.
Both scores lie between 0 and 1, and are 0 if nothing is annotated.

Files have lines in the Task 1 format, and abbreviations are matched by document and span. In lists
they are matched by position. ``documents`` names the document of each list item, so that counting
and resampling use documents. Without it, each item is a document by itself.

There is one protocol, because we found no released script.

Source: ShARe/CLEF eHealth Evaluation Lab 2013, Evaluation.
"""

from __future__ import annotations

from collections.abc import Sequence

from clineval.base.narrowing import as_type
from clineval.challenges.clefehealth13_task2.items import CODE
from clineval.challenges.clefehealth13_task2.spec import MEASURES, Spec
from clineval.formats.delimited import clef
from clineval.kinds.mentions.mention import Document
from clineval.results.challenge import Challenge
from clineval.results.faces import Faces
from clineval.results.options import Option
from clineval.results.task import Demo, Task
from clineval.results.views import DocView, MentionView


def _as_lines(documents: Sequence[object]) -> str:
    """Write documents as lines, because acronyms are paired by line."""
    return "".join(clef.format_document(as_type(document, Document)) for document in documents)


CHALLENGE = Challenge(
    Task(
        name="clefehealth13_task2",
        title="ShARe/CLEF eHealth 2013 Task 2: Acronyms and abbreviations",
        homepage="https://sites.google.com/site/shareclefehealth/",
        citation="""\
@inproceedings{mowery-etal-2013-task2,
    title = "Task 2: {ShARe/CLEF} eHealth Evaluation Lab 2013",
    author = "Mowery, Danielle L. and South, Brett R. and Christensen, Lee and Murtola,
        Laura-Maria and Salanter{\\"a}, Sanna and Suominen, Hanna and Martinez, David and Elhadad,
        Noemie and Pradhan, Sameer and Savova, Guergana and Chapman, Wendy W.",
    booktitle = "Working Notes for CLEF 2013 Conference",
    series = "CEUR Workshop Proceedings",
    volume = "1179",
    year = "2013",
    url = "http://ceur-ws.org/Vol-1179/CLEF2013wn-CLEFeHealth-MoweryEt2013.pdf",
}""",
        configs={"default": "codes of annotated acronyms and abbreviations"},
        definition=__doc__,
        file=__file__,
    ),
    protocols={"spec": Spec()},
    measures=MEASURES,
    options=(Option("documents", "Document name of each abbreviation, for lists.", kind="column"),),
    demo=Demo(
        "ShARe/CLEF eHealth 2013 Task 2: the abbreviations of these notes",
        "gold.pipe",
        {"dictionary": "dictionary.pipe", "first sense": "first_sense.pipe"},
    ),
    faces=Faces(
        page=MentionView(
            modes=("First code", "Listed code"),
        ),
        docs=DocView(
            prefix="c13t2",
            columns={"default": tuple(MEASURES.short_names)},
            group="clin_acronyms",
            slots=lambda _: (CODE,),
            format="clef",
            take=_as_lines,
        ),
        notes_apart=True,
    ),
)
