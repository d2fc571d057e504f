"""ToxHabits 2025 (BioCreative IX): toxic habits in Spanish clinical cases.

Subtask 1 (``toxner``): mentions of Tobacco, Alcohol, Cannabis and Drug. Subtask 2 (``toxuse``):
what is said of their use: Amount, Type, Frequency, Duration, Method and History; StatusTime is not
scored and dropped on both sides. ``default`` takes the labels of both, and each subtask its own.
``strict``: the same document, start, end and label; of each label too, such as
``tobacco_strict_f1``, and ``macro_``, the mean over the labels that either side has (one without a
gold mention has F1 0).

    P = tp / (tp + fp)        R = tp / (tp + fn)        F1 = 2 tp / (2 tp + fp + fn)

All others are micro-averages; a score whose denominator is 0 is 0. Rows that agree in all that is
compared are one. Texts are not compared. Documents of one side count: all missed, or all spurious.
Other labels are refused.

``protocol="official"`` does what the released library does with the smallest mend: its list of
labels is still that of DisTEMIST, ENFERMEDAD, so that it stops at files of its own task; here it
has the ten labels above. It joins tables on places: with two labels at a place scores may exceed 1.

Sources: https://temu.bsc.es/toxhabits/, Evaluation, Submission and Subtasks;
https://github.com/nlp4bia-bsc/ToxHabits_evaluation_library.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial

from clineval.programs.span_rows import RowTables
from clineval.programs.table_joins import AS_STRINGS, DIFFERENCES, NAMES, PlacedSpans, TableJoins
from clineval.protocols.linked_spans import LinkedSpans, SpansT, list_faces
from clineval.results.challenge import Challenge, Configurations
from clineval.results.differences import list_differences
from clineval.results.measures import Measures
from clineval.results.task import Demo, Task

HABITS = ("Tobacco", "Alcohol", "Cannabis", "Drug")
USES = ("Amount", "Type", "Frequency", "Duration", "Method", "History")
LABELS = (*HABITS, *USES)
HEADERS = {
    "filename,mark,label,off0,off1,span": "ner, GS file",
    "filename,label,off0,off1,span": "ner, predictions file",
}
STRICT = PlacedSpans("strict", labels=LABELS, title="Mentions", short="ner")


def declare(of: Callable[..., SpansT]) -> Configurations[SpansT]:
    """Declare what is scored, by one kind of spans."""
    drop = ("StatusTime",)
    both = of(LABELS, named=True, drop=drop, scores=(STRICT,), short="tox25", format="tsv-off")
    habits = replace(both, labels=HABITS, drop=(*USES, *drop))
    uses = replace(both, labels=USES, drop=(*HABITS, *drop))
    return Configurations(both, {"toxner": habits, "toxuse": uses})


SPEC = declare(LinkedSpans)
FILES = RowTables(reading=AS_STRINGS, names=NAMES, headers=HEADERS)
RANKING = {"default": ("strict_f1",)}
CHALLENGE = Challenge(
    Task(
        name="toxhabits25",
        title="ToxHabits 2025: Toxic Habits in Spanish Clinical Cases",
        homepage="https://temu.bsc.es/toxhabits/",
        citation="""\
@misc{toxhabits-2025,
    title = "{ToxHabits}: Toxic habits extraction in {Spanish} clinical cases, {BioCreative} {IX}",
    year = "2025",
    howpublished = "https://temu.bsc.es/toxhabits/",
}""",
        configs={
            "default": "mentions of both subtasks",
            "toxner": "subtask 1, mentions of substances",
            "toxuse": "subtask 2, mentions of their use",
        },
        definition=__doc__,
        file=__file__,
    ),
    protocols={"spec": SPEC, "official": declare(partial(TableJoins, files=FILES, known=LABELS))},
    measures=Measures.of(STRICT, ranking=RANKING),
    differences=tuple(each for each in DIFFERENCES if not each.example.startswith("norm_"))
    + list_differences("""
        two labels at a place (ner_two_labels_precision_above_one)
            spec: are two mentions
            official: are two hits over one place, so that precision and recall may be 2
        a second label at a place where one is right (ner_two_labels_one_place_predicted)
            spec: is a false positive
            official: costs nothing
    """),
    demo=Demo(
        "ToxHabits 2025: a dictionary and a tagger find toxic habits in 6 cases in Spanish",
        "gold.tsv",
        {"dictionary": "dictionary.tsv", "tagger": "tagger.tsv"},
        headline=2,
    ),
    faces=list_faces(
        SPEC,
        RANKING,
        scripts=("toxhabits-2025",),
        printed="clineval.challenges.toxhabits25.printed",
    ),
)
