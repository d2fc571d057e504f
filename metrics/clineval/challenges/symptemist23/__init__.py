"""SympTEMIST 2023 (BioCreative VIII): symptoms, signs and findings in Spanish clinical cases.

Subtask 1 (``ner``, and ``default``): mentions with a span and the label SINTOMA. ``strict``: the
same document, start, end and label. ``lenient``: the same label and at least one shared character;
pairs are one to one, and as many as possible.
Subtask 2 (``norm``), and 3 in other languages (``multi``): mentions with SNOMED CT codes.
``linked``: also the same set of codes, in any order; ``+`` separates the codes of a mention.

    P = tp / (tp + fp)        R = tp / (tp + fn)        F1 = 2 tp / (2 tp + fp + fn)
    linked_accuracy = linked_tp / gold mentions, which is the recall

All are micro-averages; a score whose denominator is 0 is 0. Rows that agree in everything compared
count once. If several gold mentions have the same span, each needs a prediction of its own. Texts
are not compared. If only one side has a document, everything in it counts as missed or spurious.

``protocol="official"`` gives the numbers of the released library. It compares rows as sets of
cells, including texts, and codes and offsets as strings: 95 is greater than 105.

Sources: Lima-López et al. (2023); https://temu.bsc.es/symptemist/, Metrics and Examples;
https://github.com/nlp4bia-bsc/symptemist_evaluation_library.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial

from clineval.base.ratios import ratio
from clineval.challenges.symptemist23.row_overlaps import OverlappingRows, OverlappingSpans
from clineval.kinds.mentions.measures import Spans
from clineval.programs.pandas_cells import Reading
from clineval.programs.row_sets import DIFFERENCES
from clineval.programs.span_rows import RowTables
from clineval.protocols.linked_spans import CODE, LINKED, LinkedSpans, SpansT, list_faces
from clineval.results.challenge import Challenge, Configurations
from clineval.results.differences import list_differences
from clineval.results.formulas import Formula
from clineval.results.measures import Measures
from clineval.results.task import Demo, Task

STRICT = Spans("strict", by="", title="Mentions", short="ner")
OVERLAP = Spans("lenient", by="", title="Mentions", short="ovl")
ACCURACY = Formula(
    "linked_accuracy",
    lambda of: ratio(of["linked_tp"], of["linked_tp"] + of["linked_fn"]),
    ("Gold mentions", "linked", "accuracy"),
    configs=("norm", "multi"),
    main=True,
    short="acc",
)


def declare(of: Callable[..., SpansT]) -> Configurations[SpansT]:
    """Declare the configurations of a protocol, given its class of spans."""
    ner = of(("SINTOMA",), scores=(STRICT, OVERLAP), short="sym23", format="tsv")
    norm = replace(ner, slots=(CODE,), scores=(LINKED, STRICT))
    return Configurations(ner, {"norm": norm, "multi": norm})


SPEC: Configurations[LinkedSpans] = declare(OverlappingSpans)
FILES = RowTables(reading=Reading(quotes=False, numbers=False))
ROWS = declare(partial(OverlappingRows, files=FILES))
REPEATED = declare(partial(OverlappingRows, files=FILES, repeats=True))
OFFICIAL = replace(ROWS, others={**ROWS.others, "multi": REPEATED.others["multi"]})
RANKING = {"default": ("strict_f1",), "norm": ("linked_accuracy",), "multi": ("linked_accuracy",)}
CHALLENGE = Challenge(
    Task(
        name="symptemist23",
        title="SympTEMIST 2023: Symptoms, Signs and Findings in Spanish",
        homepage="https://temu.bsc.es/symptemist/",
        citation="""\
@inproceedings{lima-lopez-etal-2023-symptemist,
    title = "Overview of {SympTEMIST} at {BioCreative} {VIII}: corpus, guidelines and evaluation of
        systems for the detection and normalization of symptoms, signs and findings from text",
    author = "Lima-L{\\'o}pez, Salvador and Farr{\\'e}-Maduell, Eul{\\`a}lia and others",
    booktitle = "Proceedings of the BioCreative VIII Challenge and Workshop",
    year = "2023",
}""",
        configs={
            "default": "subtask 1, mentions",
            "ner": "subtask 1, mentions",
            "norm": "subtask 2, mentions with codes",
            "multi": "subtask 3, the same in other languages",
        },
        definition=__doc__,
        file=__file__,
    ),
    protocols={"spec": SPEC, "official": OFFICIAL},
    measures=Measures.of(STRICT, OVERLAP, LINKED, ACCURACY, ranking=RANKING),
    differences=DIFFERENCES
    + list_differences("""
        overlap (ner_overlap_offsets_are_strings_false_match)
            spec: is one shared character; offsets are whole numbers; as many pairs as possible
            official: includes touching ends; offsets are strings; each gold row takes the first
                prediction
        codes (norm_composite_order)
            spec: are sets
            official: are one string
    """),
    demo=Demo(
        "SympTEMIST 2023: a dictionary and a tagger find symptoms in 6 cases in Spanish",
        "gold.tsv",
        {"dictionary": "dictionary.tsv", "tagger": "tagger.tsv"},
        headline=2,
    ),
    faces=list_faces(
        SPEC,
        RANKING,
        scripts=("symptemist-2023",),
        printed="clineval.challenges.symptemist23.printed",
    ),
)
