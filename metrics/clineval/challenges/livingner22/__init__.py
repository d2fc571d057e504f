"""LivingNER 2022 (IberLEF): species in Spanish clinical cases.

Task 1 (``ner``, also the ``default``, *Species NER*): mentions with a span and a label, SPECIES or
HUMAN. A ``strict`` match has the same document, start, end and label.

Task 2 (``norm``, *Species Norm*): mentions with NCBI Taxonomy codes. A ``linked`` match also has
the same set of codes, in any order; ``+`` or ``|`` separates codes. ``|H`` after a code is part of
it.

Task 3 (``app``, *Clinical Impact*): four questions for each case, about pets, injuries by animals,
food and nosocomial infections, and the species involved. ``pet_``, ``injury_``, ``food_`` and
``nosocomial_`` score the answers *yes* to one question; ``pet_species_`` and so on also require the
same set of species. ``yes_`` and ``micro_`` are the sums of both over the four questions. We added
them: the task only scores the questions one by one.

    P = tp / (tp + fp)        R = tp / (tp + fn)        F1 = 2 tp / (2 tp + fp + fn)

All scores are micro-averages; a score whose denominator is 0 is 0. Rows that agree in everything
that is compared count once. If several gold mentions have the same position, each needs a
prediction of its own. Texts are not compared. In a document that only one side has, all items are
false negatives or false positives. Other labels are rejected. With a list of valid codes
(``codes``), a predicted code outside the list is wrong, and a gold one is rejected.

With the option ``hierarchy``, the answers of ``app`` are also scored with their ancestors
(``h_f1``), at each level (``level0_f1``, ...) and with CoPHE's counts (``cophe_f1``);
docs/hierarchies.md defines them. The parents of an answer are those of its species, and the kind of
impact is the top: Pet, Pet:40674, Pet:9615. Several species are a code below each of them, and
``9615|H`` is a code below 9615.

``protocol="official"`` follows the released library. It joins tables on positions after it has
dropped rows, including gold rows: repeats, other labels and, with a list of codes, rows with
unknown codes.

Sources: Miranda-Escalada et al. (2022); https://temu.bsc.es/livingner/, Evaluation and FAQ;
https://github.com/tonifuc3m/livingner-evaluation-library.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial

from clineval.challenges.livingner22 import impact
from clineval.challenges.livingner22.answers import fold_species
from clineval.formats.code_lists import CODES
from clineval.kinds.codes.hierarchical import HierarchyScores
from clineval.kinds.mentions.measures import Spans
from clineval.programs.span_rows import RowTables
from clineval.programs.table_joins import AS_STRINGS, DIFFERENCES, NAMES, TableJoins
from clineval.protocols.code_sets import CODE_PAGE
from clineval.protocols.hierarchies import HIERARCHY
from clineval.protocols.linked_spans import CODE, LINKED, LinkedSpans, SpansT, list_faces
from clineval.results.challenge import Challenge, Configurations
from clineval.results.differences import list_differences
from clineval.results.measures import Measures
from clineval.results.task import Demo, Task

_MENTION = "filename,mark,label,off0,off1,span"
HEADERS = {
    _MENTION: "ner",
    f"{_MENTION},NCBITax": "norm, predictions file",
    f"{_MENTION},isH,isN,iscomplex,NCBITax": "norm, GS file",
}
STRICT = Spans("strict", by="", title="Mentions", short="ner")


def declare(of: Callable[..., SpansT], app: impact.Impact) -> Configurations[SpansT]:
    """Declare the configurations, with a protocol for spans and one for answers."""
    labels, codes = ("SPECIES", "HUMAN"), {"separators": "+|", "suffix": "H"}
    ner = of(labels, named=True, scores=(STRICT,), short="liv22", format="tsv-mark", **codes)
    norm = replace(ner, slots=(CODE,), scores=(LINKED, STRICT))
    return Configurations(ner, {"norm": norm, "app": app})


APP = impact.Impact(impact.read_table, fold_species, impact.LABEL, impact.ANSWERS)
SPEC = declare(LinkedSpans, APP)
FILES = RowTables(reading=AS_STRINGS, names={**NAMES, "code": "NCBITax"}, headers=HEADERS)
FIRST = impact.OfficialImpact(
    impact.read_table, impact.format_species, impact.LABEL, impact.ANSWERS
)
RANKING = {"default": ("strict_f1",), "norm": ("linked_f1",), "app": ("micro_f1",)}


CHALLENGE = Challenge(
    Task(
        name="livingner22",
        title="LivingNER 2022: Named entity recognition, normalization and impact of species",
        homepage="https://temu.bsc.es/livingner/",
        citation="""\
@article{miranda-escalada-etal-2022-livingner,
    title = "Mention detection, normalization \\& classification of species, pathogens, humans and
        food in clinical documents: Overview of the {LivingNER} shared task and resources",
    author = "Miranda-Escalada, Antonio and Farr{\\'e}-Maduell, Eul{\\`a}lia and others",
    journal = "Procesamiento del Lenguaje Natural",
    volume = "69",
    year = "2022",
}""",
        configs={
            "default": "task 1, mentions",
            "ner": "task 1, mentions",
            "norm": "task 2, mentions with codes",
            "app": "task 3, the clinical impact of species on each case",
        },
        definition=__doc__,
        file=__file__,
    ),
    protocols={
        "spec": SPEC,
        "official": declare(partial(TableJoins, files=FILES, labelled=True, stripped=True), FIRST),
    },
    measures=Measures.of(STRICT, LINKED, *impact.ANSWERS, HierarchyScores(), ranking=RANKING),
    options=(CODES,),
    differences=DIFFERENCES
    + list_differences("""
        two codes at a position, in two rows (norm_two_codes_one_place_first_wins)
            spec: are two mentions
            official: only the first row counts, on both sides
        H, for a higher rank, after one of several codes (norm_suffix_H_moves_to_the_end)
            spec: belongs to its code
            official: belongs to all codes: 12|H+34 is 12+34|H
        unknown species in an answer (app_unknown_code_drops_the_row_in_all_columns)
            spec: are wrong in predictions, and rejected in the gold standard
            official: make the program drop all answers of the document, in the gold standard too
        a second row for a document (app_second_row_of_a_document_dropped)
            spec: is rejected
            official: is ignored
        species next to No, and yes instead of Yes (app_no_with_ids, app_yes_case)
            spec: are rejected
            official: count as No
        the separator between species in an answer (a rule of ours)
            spec: does not matter
            official: is compared
    """),
    demo=Demo(
        "LivingNER 2022: a dictionary and a tagger find species in 6 cases in Spanish",
        "gold.tsv",
        {"dictionary": "dictionary.tsv", "tagger": "tagger.tsv"},
        headline=2,
    ),
    faces=list_faces(
        SPEC,
        RANKING,
        pages={"app": CODE_PAGE},
        validation_options=(CODES, HIERARCHY),
        scripts=("livingner-2022",),
        printed="clineval.challenges.livingner22.printed",
    ),
)
