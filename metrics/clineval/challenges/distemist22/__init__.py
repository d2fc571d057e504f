"""DisTEMIST 2022 (BioASQ at CLEF): diseases in Spanish clinical cases.

Sub-track 1 (``ner``, also the ``default``, *entities*): mentions with a span and the label
ENFERMEDAD. A ``strict`` match has the same document, start, end and label.

Sub-track 2 (``norm``, *linking*): mentions with SNOMED CT codes. A ``linked`` match also has the
same set of codes, in any order; ``+`` or ``|`` separates the codes of one mention.

    P = tp / (tp + fp)        R = tp / (tp + fn)        F1 = 2 tp / (2 tp + fp + fn)

All scores are micro-averages; a score whose denominator is 0 is 0. Rows that agree in everything
that is compared count once. If several gold mentions have the same position, each needs a
prediction of its own. Texts are not compared. In a document that only one side has, all items are
false negatives or false positives. Other labels are rejected. With a list of valid codes
(``codes``), a predicted code outside the list is wrong, and a gold one is rejected.

``protocol="official"`` follows the released library. It joins tables on positions after it has
dropped rows, including gold rows: repeats, other labels and, with a list of codes, rows with
unknown codes.

Sources: Miranda-Escalada et al. (2022); https://temu.bsc.es/distemist/, Evaluation and Submission;
https://github.com/TeMU-BSC/distemist_evaluation_library.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial

from clineval.formats.code_lists import CODES
from clineval.kinds.mentions.measures import Spans
from clineval.programs.span_rows import RowTables
from clineval.programs.table_joins import AS_STRINGS, DIFFERENCES, NAMES, TableJoins
from clineval.protocols.linked_spans import CODE, LINKED, LinkedSpans, SpansT, list_faces
from clineval.results.challenge import Challenge, Configurations
from clineval.results.differences import list_differences
from clineval.results.measures import Measures
from clineval.results.task import Demo, Task

_MENTION = "label,off0,off1,span"
HEADERS = {
    f"filename,mark,{_MENTION}": "ner, GS file",
    f"filename,{_MENTION}": "ner, predictions file",
    f"filename,mark,{_MENTION},code": "norm, predictions file",
    f"filename,{_MENTION},code": "norm, predictions file",
    f"filename,mark,{_MENTION},code,semantic_rel": "norm, GS file",
}
STRICT = Spans("strict", by="", title="Mentions", short="ner")


def declare(of: Callable[..., SpansT]) -> Configurations[SpansT]:
    """Declare the configurations, with a protocol for spans."""
    labels, codes = ("ENFERMEDAD",), {"separators": "+|"}
    ner = of(labels, named=True, scores=(STRICT,), short="dis22", format="tsv-off", **codes)
    return Configurations(ner, {"norm": replace(ner, slots=(CODE,), scores=(LINKED, STRICT))})


SPEC = declare(LinkedSpans)
FILES = RowTables(reading=AS_STRINGS, names=NAMES, headers=HEADERS)
RANKING = {"default": ("strict_f1",), "norm": ("linked_f1",)}
CHALLENGE = Challenge(
    Task(
        name="distemist22",
        title="DisTEMIST 2022: Disease Text Mining and Indexing",
        homepage="https://temu.bsc.es/distemist/",
        citation="""\
@inproceedings{miranda-escalada-etal-2022-distemist,
    title = "Overview of {DisTEMIST} at {BioASQ}: Automatic detection and normalization of diseases
        from clinical texts: results, methods, evaluation and multilingual resources",
    author = "Miranda-Escalada, Antonio and Gasc{\\'o}, Luis and others",
    booktitle = "Working Notes of CLEF 2022",
    year = "2022",
}""",
        configs={
            "default": "sub-track 1, mentions",
            "ner": "sub-track 1, mentions",
            "norm": "sub-track 2, mentions with codes",
        },
        definition=__doc__,
        file=__file__,
    ),
    protocols={"spec": SPEC, "official": declare(partial(TableJoins, files=FILES))},
    measures=Measures.of(STRICT, LINKED, ranking=RANKING),
    options=(CODES,),
    differences=DIFFERENCES
    + list_differences("""
        two codes at a position, in two rows (norm_two_codes_one_place_first_wins)
            spec: are two mentions
            official: only the first row counts, on both sides
    """),
    demo=Demo(
        "DisTEMIST 2022: a dictionary and a tagger find diseases in 6 cases in Spanish",
        "gold.tsv",
        {"dictionary": "dictionary.tsv", "tagger": "tagger.tsv"},
        headline=2,
    ),
    faces=list_faces(
        SPEC,
        RANKING,
        validation_options=(CODES,),
        scripts=("distemist-2022",),
        printed="clineval.challenges.distemist22.printed",
    ),
)
