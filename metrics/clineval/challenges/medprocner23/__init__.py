"""MedProcNER 2023 (ProcTEMIST; BioASQ at CLEF): medical procedures in Spanish clinical cases.

Sub-track 1 (``ner``, and ``default``): mentions with a span and the label PROCEDIMIENTO.
``strict``: the same document, start, end and label.
Sub-track 2 (``norm``): mentions with SNOMED CT codes. ``linked``: also the same set of codes, in
any order; ``+`` separates the codes of one mention.
Sub-track 3 (``index``): the set of codes of each document: ``micro_``.

    P = tp / (tp + fp)        R = tp / (tp + fn)        F1 = 2 tp / (2 tp + fp + fn)

All are micro-averages; a score whose denominator is 0 is 0. Rows that agree in everything compared
count once. If several gold mentions have the same span, each needs a prediction of its own. Texts
are not compared. If only one side has a document, everything in it counts as missed or spurious.

With the option ``hierarchy``, the codes of ``index`` are also scored with their ancestors
(``h_f1``), at each level (``level0_f1``, ...) and with CoPHE's counts (``cophe_f1``);
docs/hierarchies.md defines them.

``protocol="official"`` gives the numbers of the released library. It compares rows as sets of
cells, including texts, and the codes of a document as a set of characters (123 equals 321). It
reads files as pandas does.

Sources: Lima-López et al. (2023); https://temu.bsc.es/medprocner/, Metrics and Examples;
https://github.com/TeMU-BSC/medprocner_evaluation_library.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial

from clineval.challenges.medprocner23.first_codes import FirstCodes, read_first
from clineval.formats.delimited.span_tables import read_code_table
from clineval.kinds.codes.hierarchical import HierarchyScores
from clineval.kinds.mentions.measures import Spans
from clineval.programs.row_sets import DIFFERENCES, RowSets
from clineval.protocols.code_sets import CODE_PAGE, CodeMeasure, CodeSets
from clineval.protocols.hierarchies import HIERARCHY
from clineval.protocols.linked_spans import CODE, LINKED, LinkedSpans, SpansT, list_faces
from clineval.results.challenge import Challenge, Configurations
from clineval.results.differences import list_differences
from clineval.results.measures import Measures
from clineval.results.task import Demo, Task

LABELS = ("PROCEDIMIENTO",)
STRICT = Spans("strict", by="", title="Mentions", short="ner")
CODES = CodeMeasure(title="Codes of documents")


def declare(of: Callable[..., SpansT], index: CodeSets) -> Configurations[SpansT]:
    """Declare the configurations of a protocol, given its class of spans and its codes."""
    ner = of(LABELS, scores=(STRICT,), short="mpn23", format="tsv")
    norm = replace(ner, slots=(CODE,), scores=(LINKED, STRICT))
    return Configurations(ner, {"norm": norm, "index": index})


INDEX = CodeSets(read_code_table, str.strip, "label", (CODES,))
SPEC = declare(LinkedSpans, INDEX)
FIRST = FirstCodes(read_first, str, "label", (CODES,))
RANKING = {"default": ("strict_f1",), "norm": ("linked_f1",), "index": ("micro_f1",)}
CHALLENGE = Challenge(
    Task(
        name="medprocner23",
        title="MedProcNER 2023: Medical Procedure Recognition, Linking and Indexing",
        homepage="https://temu.bsc.es/medprocner/",
        citation="""\
@inproceedings{lima-lopez-etal-2023-medprocner,
    title = "Overview of {MedProcNER} task on medical procedure detection and entity linking at
        {BioASQ} 2023",
    author = "Lima-L{\\'o}pez, Salvador and Farr{\\'e}-Maduell, Eul{\\`a}lia and others",
    booktitle = "Working Notes of CLEF 2023",
    year = "2023",
}""",
        configs={
            "default": "sub-track 1, mentions",
            "ner": "sub-track 1, mentions",
            "norm": "sub-track 2, mentions with codes",
            "index": "sub-track 3, the codes of each document",
        },
        definition=__doc__,
        file=__file__,
    ),
    protocols={"spec": SPEC, "official": declare(partial(RowSets, parted=True), FIRST)},
    measures=Measures.of(STRICT, LINKED, CODES, HierarchyScores(), ranking=RANKING),
    differences=DIFFERENCES
    + list_differences("""
        codes at one place, two rows of predictions (norm_two_codes_one_place_second_dropped)
            spec: are two mentions
            official: only the first one counts
        codes in another order, such as 34+12 (norm_composite_order)
            spec: are the same set
            official: are the same set; a blank before a code makes a different code
        codes of a document (index_same_digits_in_another_order_match)
            spec: are equal or not
            official: are equal if they have the same characters: 123 equals 321
        several rows of codes for a document (index_second_row_of_a_document_ignored)
            spec: are combined
            official: are ignored after the first
    """),
    demo=Demo(
        "MedProcNER 2023: a dictionary and a tagger find procedures in 6 cases in Spanish",
        "gold.tsv",
        {"dictionary": "dictionary.tsv", "tagger": "tagger.tsv"},
        headline=2,
    ),
    faces=list_faces(
        SPEC,
        RANKING,
        pages={"index": CODE_PAGE},
        validation_options=(HIERARCHY,),
        scripts=("medprocner-2023",),
        printed="clineval.challenges.medprocner23.printed",
    ),
)
