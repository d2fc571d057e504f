"""ToxHabits 2025 (BioCreative IX): toxic habits in Spanish clinical cases.

Subtask 1 (``toxner``): mentions of Tobacco, Alcohol, Cannabis and Drug.
Subtask 2 (``toxuse``): mentions of their use: Amount, Type, Frequency, Duration, Method and
History. StatusTime is not scored, and is dropped on both sides.

``default`` scores the labels of both subtasks, and each subtask its own. ``strict`` requires the
same document, start, end and label. It is also computed for each label, such as
``tobacco_strict_f1``, and as ``macro_``, the mean over the labels that either side has (a label
without a gold mention has F1 0).

    P = tp / (tp + fp)        R = tp / (tp + fn)        F1 = 2 tp / (2 tp + fp + fn)

All other scores are micro-averages; a score whose denominator is 0 is 0. Rows that agree in
everything compared count once. Texts are not compared. If only one side has a document, everything
in it counts as missed or spurious. Other labels are rejected.

``protocol="official"`` gives the numbers of the released library after the smallest possible fix.
Its list of labels is still that of DisTEMIST, ENFERMEDAD, so it stops at files of its own task.
Here the list contains the ten labels above. The library joins tables on places, so scores may
exceed 1 if a place has two labels.

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
    """Declare the configurations of a protocol, given its class of spans."""
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
            official: are two hits over one place, so precision and recall may be 2
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
