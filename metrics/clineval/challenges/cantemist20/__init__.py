"""CANTEMIST 2020 (IberLEF): tumour morphology in Spanish clinical cases.

NER (``ner``, also the ``default``): mentions with a span and the label MORFOLOGIA_NEOPLASIA. A
``strict`` match has the same document, start and end.

NORM (``norm``): mentions with one ICD-O-3 code each. A ``linked`` match also has the same code,
compared as it is written. ``specific`` is the same without mentions with the code 8000/6, because
the task reports both. At two positions of the test set (cc_onco838, cc_onco1057) either of two gold
codes is right.

CODING (``coding``): ranked codes of documents, compared without case. ``codingf1`` is the same
without the code 8000/6.

    P = tp / (tp + fp)        R = tp / (tp + fn)        F1 = 2 tp / (2 tp + fp + fn)
    AP(d) = sum over the ranks r of right codes of (right codes up to r) / r
            / number of gold codes of d
    map   = sum of AP(d) over the gold documents with at least one code / their number

P, R and F1 are micro-averages; a score whose denominator is 0 is 0. Repeated items count once.
Texts are not compared. In a document that only one side has, all items are false negatives or false
positives. Other labels are rejected. In NORM, a gold mention without a code is rejected, and a
predicted one is wrong. With a list of valid codes (``codes``), a predicted code outside the list is
wrong, and a gold one is rejected. ``map_at_k`` uses the first k codes of each list.

With the option ``hierarchy``, the codes of ``coding`` and ``codingf1`` are also scored with their
ancestors (``h_f1``), at each level (``level0_f1``, ...) and with CoPHE's counts (``cophe_f1``);
docs/hierarchies.md defines them.

``protocol="official"`` follows the released scripts. They join tables on positions, so repeated
mentions count several times, and they average AP over the documents with at least one predicted
code.

Sources: Miranda-Escalada et al. (2020); https://temu.bsc.es/cantemist/, Evaluation and Submission;
https://github.com/TeMU-BSC/cantemist-evaluation-library.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial

from clineval.challenges.cantemist20 import coding
from clineval.challenges.cantemist20.ann_rows import AnnRows
from clineval.challenges.cantemist20.mentions import LABEL, JoinedMorphologies, Morphologies
from clineval.challenges.cantemist20.notes import BratNotes
from clineval.formats.code_lists import CODES
from clineval.formats.delimited import code_tables
from clineval.kinds.codes.hierarchical import HierarchyScores
from clineval.kinds.mentions.derived import View, keep
from clineval.kinds.mentions.measures import Derived
from clineval.programs.table_joins import AS_STRINGS, PlacedSpans
from clineval.protocols.code_sets import CODE_PAGE
from clineval.protocols.hierarchies import HIERARCHY
from clineval.protocols.linked_spans import CODE, LinkedSpans, SpansT, list_faces
from clineval.protocols.ranked_codes import CUTOFFS
from clineval.results.challenge import Challenge, Configurations
from clineval.results.differences import list_differences
from clineval.results.measures import Measures
from clineval.results.task import Demo, Task
from clineval.results.views import ListView

STRICT = PlacedSpans("strict", by="", title="Mentions", short="ner")
LINKED = PlacedSpans("linked", by="", title="Linked mentions", short="lnk")
SPECIFIC = Derived(
    "specific",
    title="Linked mentions",
    heading="without 8000/6",
    main=False,
    view=View(CODE, (keep(CODE, coding.UNSPECIFIC.__ne__),)),
)


def declare(of: Callable[..., SpansT], codes: coding.Coding) -> Configurations[SpansT]:
    """Declare the configurations, with a protocol for spans and one for codes."""
    ner = of((LABEL,), named=True, scores=(STRICT,), separators="", short="can20", format="brat")
    norm = replace(ner, slots=(CODE,), scores=(LINKED, STRICT, SPECIFIC))
    return Configurations(ner, {"norm": norm, **dict.fromkeys(coding.CONFIGS, codes)})


SPEC: Configurations[LinkedSpans] = declare(partial(Morphologies, files=BratNotes()), coding.SPEC)
ROWS = partial(JoinedMorphologies, files=AnnRows(reading=AS_STRINGS), visited="all", repeats=True)
OFFICIAL = declare(ROWS, coding.OFFICIAL)
RANKING = {
    "default": ("strict_f1",),
    "norm": ("linked_f1",),
    "coding": ("map",),
    "codingf1": ("micro_f1",),
}
OPTIONS = (replace(CODES, parse=code_tables.read_valid), CUTOFFS)
PAGE = ListView(CODE_PAGE.module, {"micro_f1": "F1", "map": "AP"})


CHALLENGE = Challenge(
    Task(
        name="cantemist20",
        title="CANTEMIST 2020: Cancer Text Mining Shared Task",
        homepage="https://temu.bsc.es/cantemist/",
        citation="""\
@inproceedings{miranda-escalada-etal-2020-cantemist,
    title = "Named entity recognition, concept normalization and clinical coding: Overview of the
        {Cantemist} track for cancer text mining in {S}panish, corpus, guidelines, methods and
        results",
    author = "Miranda-Escalada, Antonio and Farr{\\'e}, Eul{\\`a}lia and Krallinger, Martin",
    booktitle = "Proceedings of the Iberian Languages Evaluation Forum (IberLEF 2020)",
    series = "CEUR Workshop Proceedings",
    year = "2020",
}""",
        configs={
            "default": "sub-track 1, mentions",
            "ner": "sub-track 1, mentions",
            "norm": "sub-track 2, mentions with codes",
            "coding": "sub-track 3, ranked codes of documents",
            "codingf1": "sub-track 3 without the code 8000/6",
        },
        definition=__doc__,
        file=__file__,
    ),
    protocols={"spec": SPEC, "official": OFFICIAL},
    measures=Measures.of(
        STRICT, LINKED, SPECIFIC, coding.MAP, coding.MICRO, HierarchyScores(), ranking=RANKING
    ),
    options=OPTIONS,
    differences=list_differences("""
        repeated mentions (ann_repeated_on_both_sides_counts_four_times)
            spec: count once
            official: count once per pair of equal rows, divided by one position: scores may exceed
                1
        two codes at a position (ann_two_codes_one_place_in_gold)
            spec: are two mentions
            official: are one position, and in NER one true positive for each pair
        fragments, attributes, blank lines (ann_attribute_line_drops_the_file)
            spec: are read, or do not matter
            official: make the script skip the file, in the gold standard too
        mentions that take part in a relation (ann_relation_hides_its_mentions)
            spec: count
            official: do not count
        documents that are missing from the gold standard
                (ann_predicted_document_without_gold_is_free)
            spec: count: all predictions are false positives
            official: do not count
        other labels (ann_label_unknown_dropped)
            spec: are rejected
            official: are dropped; predicted labels may have a hyphen instead of the underscore
        offsets (ann_leading_zero_differs)
            spec: are whole numbers, and the end is after the start
            official: are compared as written, in any order
        a mention without a code in NORM (ann_mention_without_note_unseen_by_norm)
            spec: is rejected in the gold standard, and wrong in predictions
            official: is ignored
        MAP is the mean over (coding_gold_document_without_prediction_is_free_in_map)
            spec: gold documents; one without predictions scores 0
            official: gold documents with a valid predicted code
        the first row of the gold codes (coding_gold_without_header_loses_its_first_row)
            spec: is data unless it is a header
            official: is always read as a header; in codingf1 always as data
        predicted codes that are not in the list (coding_unknown_code_dropped_before_ranking)
            spec: keep their ranks and are wrong
            official: are dropped before ranking
        no code predicted in CODING (coding_empty_prediction_kills)
            spec: scores 0
            official: is rejected, except in codingf1
    """),
    demo=Demo(
        "CANTEMIST 2020: a dictionary and a tagger find tumours in 6 cases in Spanish",
        "gold",
        {"dictionary": "dictionary", "tagger": "tagger"},
        headline=2,
    ),
    faces=list_faces(
        SPEC,
        RANKING,
        pages=dict.fromkeys(coding.CONFIGS, PAGE),
        validation_options=(*OPTIONS[:1], HIERARCHY),
        scripts=("cantemist-2020", "cantemist-2020-f1"),
        printed="clineval.challenges.cantemist20.printed",
    ),
)
