"""ShARe/CLEF eHealth 2013 Task 1: disorders in clinical notes, and their codes.

Task 1a asks for the spans of disorders, which may be discontiguous. Task 1b also asks for their
codes. SemEval-2014 Task 7 uses the same definitions and the same script: its Task A is Task 1a, its
Task B is Task 1b.

Task 1a scores the distinct spans of all documents together:

    P = tp / (tp + fp)        R = tp / (tp + fn)        F1 = 2 P R / (P + R)

Here tp counts matching spans, fp spurious ones and fn missing ones. Mentions of one document with
the same fragments are one span, whatever their codes. An exact match has the fragments of a gold
span. An overlap match shares a character with a gold span; ends are exclusive.

Task 1b scores mentions:

    strict_accuracy  = correct / strict_total
    relaxed_accuracy = correct / relaxed_total

Here correct counts predictions with exactly the span and the code of a gold mention, strict_total
all gold mentions, and relaxed_total all predictions with exactly the span of a gold mention.
Mentions of one document with the same fragments and the same code are one mention. Mentions with
the same fragments and different codes count separately: if a span has two predicted codes and one
is right, the relaxed accuracy is .5. By its definition, strict accuracy does not penalise the
surplus code. Codes are compared without case; CUI-less is a code like any other. If only Task 1a is
scored, codes are optional.

All scores lie between 0 and 1; a score whose denominator is 0 is 0.

The lab's document does not define what happens if two predictions overlap one gold span, or one
prediction overlaps two. We decided to pair spans one to one. Equal spans come first. The remaining
overlapping pairs follow: longest prediction first (total characters), then most shared characters,
then gold start, then prediction start. Every predicted span without a partner is a false positive,
and every gold span without a partner a false negative.

Documents of SemEval-2015 Task 14 are accepted; their other slots are ignored.

``protocol="official"`` gives the numbers of the released script, ``eval.pl``, and follows all its
rules. Its overlap counts are not one to one: every prediction that overlaps a gold mention is a
true positive, so tp + fn may exceed the number of gold mentions.

Sources: ShARe/CLEF eHealth Evaluation Lab 2013, Evaluation; for the differences, the behaviour of
the released script.
"""

from __future__ import annotations

from clineval.challenges.clefehealth13_task1.official import Official
from clineval.challenges.clefehealth13_task1.spec import (
    MEASURES,
    Spec,
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
            "task1a": "spans of disorders; codes are optional",
            "task1b": "codes of disorders",
        },
        definition=__doc__,
        file=__file__,
    ),
    protocols={"spec": Spec(), "official": Official()},
    measures=MEASURES,
    differences=list_differences("""
        overlapping mentions (one2many)
            spec: are paired one to one (our decision, as the lab's document does not define it)
            official: a prediction that overlaps any gold mention is a true positive; a gold mention
                is missed if no prediction overlaps it
        repeated spans (dup)
            spec: one span in Task 1a; in Task 1b one mention for each code
            official: are merged; the last line's code wins
        spelling of offsets (leadzero)
            spec: does not matter: 010 is 10, and line ends may be of any kind
            official: must be the same for an exact match: 010 is not 10; a last offset with a
                carriage return after it differs too
        order of fragments (unordered)
            spec: does not matter
            official: decreasing offsets are rejected
        empty fragments (zerolen)
            spec: are an error
            official: are accepted, and overlap the mention that they lie inside
        spelling of CUI-less (cuiless)
            spec: CUIless and an empty code mean the same
            official: are different codes
        names of files in a directory (onefilealldocs)
            spec: must contain .pipe; backup files are ignored
            official: must have two characters or more; hidden and backup files are ignored
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
