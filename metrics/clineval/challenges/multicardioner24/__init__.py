"""MultiCardioNER 2024 (BioASQ at CLEF): diseases and drugs in clinical cases of cardiology.

Track 1 (``track1``): diseases in Spanish, with the label ENFERMEDAD. Track 2: drugs, with the label
FARMACO, in Spanish (``track2_es``), English (``track2_en``) and Italian (``track2_it``). All tracks
and ``default`` have the same score, ``strict``: the same document, start, end and label.

    P = tp / (tp + fp)        R = tp / (tp + fn)        F1 = 2 tp / (2 tp + fp + fn)

All are micro-averages; a score whose denominator is 0 is 0. Rows that agree in everything compared
count once. Texts are not compared. If only one side has a document, everything in it counts as
missed or spurious.

The names of the test documents were masked. ``mapping`` gives the document name for each masked
name in the predictions; a predicted name that is not in the mapping is rejected.

``protocol="official"`` gives the numbers of the released library. It compares rows as sets of
cells, including texts, and reads files as pandas does.

Sources: Lima-López et al. (2024); https://temu.bsc.es/multicardioner/;
https://github.com/nlp4bia-bsc/multicardioner_evaluation_library.
"""

from __future__ import annotations

from collections.abc import Callable

from clineval.challenges.multicardioner24.masked import MAPPING, MaskedRows, MaskedSpans
from clineval.kinds.mentions.measures import Spans
from clineval.programs.row_sets import DIFFERENCES
from clineval.protocols.linked_spans import LinkedSpans, SpansT, list_faces
from clineval.results.challenge import Challenge, Configurations
from clineval.results.differences import list_differences
from clineval.results.measures import Measures
from clineval.results.task import Demo, Task

STRICT = Spans("strict", by="", title="Mentions", short="ner")


def declare(of: Callable[..., SpansT]) -> Configurations[SpansT]:
    """Declare the configurations of a protocol, given its class of spans."""
    ner = of(("ENFERMEDAD", "FARMACO"), scores=(STRICT,), short="mcn24", format="tsv")
    return Configurations(ner, {})


SPEC: Configurations[LinkedSpans] = declare(MaskedSpans)
RANKING = {"default": ("strict_f1",)}
CHALLENGE = Challenge(
    Task(
        name="multicardioner24",
        title="MultiCardioNER 2024: Diseases and Drugs in Cardiology, in Three Languages",
        homepage="https://temu.bsc.es/multicardioner/",
        citation="""\
@inproceedings{lima-lopez-etal-2024-multicardioner,
    title = "Overview of {MultiCardioNER} task at {BioASQ} 2024 on Medical Speciality and Language
        Adaptation of Clinical {NER} Systems for {Spanish}, {English} and {Italian}",
    author = "Lima-L{\\'o}pez, Salvador and Farr{\\'e}-Maduell, Eul{\\`a}lia and others",
    booktitle = "Working Notes of CLEF 2024",
    year = "2024",
}""",
        configs={
            "default": "mentions of any track",
            "track1": "track 1, diseases in Spanish",
            "track2_es": "track 2, drugs in Spanish",
            "track2_en": "track 2, drugs in English",
            "track2_it": "track 2, drugs in Italian",
        },
        definition=__doc__,
        file=__file__,
        languages=("es", "en", "it"),
    ),
    protocols={"spec": SPEC, "official": declare(MaskedRows)},
    measures=Measures.of(STRICT, ranking=RANKING),
    options=(MAPPING,),
    differences=DIFFERENCES
    + list_differences("""
        a predicted name that the mapping lacks (ner_name_not_in_the_mapping_is_free)
            spec: is rejected
            official: its rows are lost
        no mapping (ner_no_mapping_kills)
            spec: names are used as they are
            official: names are used as they are; the library itself stops
    """),
    demo=Demo(
        "MultiCardioNER 2024: a dictionary and a tagger find diseases in 6 cases in Spanish",
        "gold.tsv",
        {"dictionary": "dictionary.tsv", "tagger": "tagger.tsv"},
        headline=2,
    ),
    faces=list_faces(
        SPEC,
        RANKING,
        scripts=("multicardioner-2024",),
        printed="clineval.challenges.multicardioner24.printed",
    ),
)
