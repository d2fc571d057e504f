"""ShARe/CLEF eHealth 2013 Task 1: disorders in clinical notes, and their codes.

Task 1a asks for the spans of disorders, which may be discontiguous, Task 1b for their codes too.
SemEval-2014 Task 7 uses the same definitions and the same script: its Task A is Task 1a, its
Task B is Task 1b.

Task 1a, for the distinct spans of all documents together:

    P = tp / (tp + fp)        R = tp / (tp + fn)        F1 = 2 P R / (P + R)

where tp counts same spans, fp spurious ones, fn missing ones. Mentions of one document with the
same fragments are one span, whatever their codes. Exact: the prediction has the fragments of a
gold span. Overlap: it shares a character with one; ends are exclusive.

Task 1b, for mentions:

    strict_accuracy  = correct / strict_total
    relaxed_accuracy = correct / relaxed_total

where correct counts predictions with exactly the span and the code of a gold mention,
strict_total all gold mentions, and relaxed_total all predictions with exactly the span of a gold
mention. Mentions of one document that agree in fragments and code are one mention; mentions with
the same fragments and different codes are several, each of which counts: two codes at a span, one
of them right, are a relaxed accuracy of .5. The strict one leaves surplus codes unpunished, by its
definition. Codes compare without case; CUI-less is a code like any other. Where Task 1a is scored
alone codes may be left out.

All scores lie between 0 and 1; a score whose denominator is 0 is 0.

The lab's document does not say what becomes of two predictions that overlap one gold span, or of
one that overlaps two. That spans are paired one to one is our decision, and so is the order: equal
spans come first. The remaining overlapping pairs follow: longest prediction first (total
characters), then most shared characters, then gold start, then prediction start. Every predicted
span that is left is a false positive, every gold span that is left a false negative.

The documents of SemEval-2015 Task 14 are taken as they are. Their other slots are not looked at.

``protocol="official"`` gives the numbers of the released script, ``eval.pl``, with its own rules
throughout. Its overlap counts are not one to one: every prediction that overlaps some gold
mention is a true positive, so that tp + fn may be more than there are gold mentions.

Sources: ShARe/CLEF eHealth Evaluation Lab 2013, Evaluation; for the differences, what the
released script does.
"""

from __future__ import annotations

from clineval.challenges.clefehealth13_task1.official import Official
from clineval.challenges.clefehealth13_task1.spec import (
    MEASURES,
    Spec,
    list_pairings,
    slots_of,
)
from clineval.results.challenge import Challenge
from clineval.results.differences import list_differences
from clineval.results.faces import Faces
from clineval.results.task import Demo, Task
from clineval.results.views import DocView, MentionView

CHALLENGE = Challenge(
    Task(
        name="clefehealth13_task1",
        title="ShARe/CLEF eHealth 2013 Task 1: Disorders and their codes",
        homepage="https://sites.google.com/site/shareclefehealth/",
        citation="""\
@inproceedings{pradhan-etal-2013-task1,
    title = "Task 1: {ShARe/CLEF} eHealth Evaluation Lab 2013",
    author = "Pradhan, Sameer and Elhadad, Noemie and South, Brett R. and Martinez, David and
        Christensen, Lee and Vogel, A. and Suominen, Hanna and Chapman, Wendy W. and Savova,
        Guergana",
    booktitle = "Working Notes for CLEF 2013 Conference",
    series = "CEUR Workshop Proceedings",
    volume = "1179",
    year = "2013",
    url = "http://ceur-ws.org/Vol-1179/CLEF2013wn-CLEFeHealth-PradhanEt2013.pdf",
}
@inproceedings{suominen-etal-2013-overview,
    title = "Overview of the {ShARe/CLEF} eHealth Evaluation Lab 2013",
    author = {Suominen, Hanna and Salanter{\\"a}, Sanna and Velupillai, Sumithra and Chapman,
        Wendy W. and Savova, Guergana and Elhadad, Noemie and Pradhan, Sameer and South, Brett R.
        and Mowery, Danielle L. and Jones, Gareth J. F. and Leveling, Johannes and Kelly, Liadh
        and Goeuriot, Lorraine and Martinez, David and Zuccon, Guido},
    booktitle = "Information Access Evaluation. Multilinguality, Multimodality, and Visualization",
    series = "Lecture Notes in Computer Science",
    volume = "8138",
    year = "2013",
    pages = "212--231",
    doi = "10.1007/978-3-642-40802-1_24",
}""",
        configs={
            "default": "Task 1a and Task 1b",
            "task1a": "spans of disorders; codes may be left out",
            "task1b": "codes of disorders",
        },
        definition=__doc__,
        file=__file__,
    ),
    protocols={"spec": Spec(), "official": Official()},
    measures=MEASURES,
    differences=list_differences("""
        overlapping mentions (one2many)
            spec: are paired one to one, which is our decision: the lab's document does not say
            official: a prediction that overlaps any gold mention is a true positive, a gold mention
                is missed if no prediction overlaps it
        repeated spans (dup)
            spec: one span in Task 1a; in Task 1b one mention for each code
            official: collapse; the last line's code wins
        spelling of offsets (leadzero)
            spec: does not matter: 010 is 10, and line ends may be of any kind
            official: must be the same for an exact match: 010 is not 10, nor is a last offset
                before a carriage return the same as one without
        order of fragments (unordered)
            spec: does not matter
            official: decreasing offsets are refused
        empty fragments (zerolen)
            spec: an error
            official: are taken, and overlap what they lie inside of
        spelling of CUI-less (cuiless)
            spec: CUIless and an empty code mean the same
            official: are codes of their own
        names of files in a directory (onefilealldocs)
            spec: those with .pipe in them, backup files excepted
            official: all of two characters or more, hidden and backup files excepted
    """),
    demo=Demo(
        "ShARe/CLEF eHealth 2013 Task 1: the same notes and systems in that lab's format",
        "gold.pipe",
        {"dictionary": "dictionary.pipe", "tagger": "tagger.pipe"},
    ),
    faces=Faces(
        page=MentionView(
            checks=MEASURES.checks,
            presets=MEASURES.presets,
            list_pairings=list_pairings,
        ),
        docs=DocView(
            prefix="c13t1",
            names=MEASURES.short_names,
            columns={
                "default": ("exact_f1", "overlap_f1", "strict_accuracy"),
                "task1a": ("exact_f1", "overlap_f1"),
                "task1b": ("strict_accuracy", "relaxed_accuracy"),
            },
            slots=slots_of,
            format="clef",
        ),
        scripts=("clefehealth13-task1",),
        printed="clineval.challenges.clefehealth13_task1.printed",
        notes_apart=True,
    ),
)
