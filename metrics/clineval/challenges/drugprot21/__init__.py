"""DrugProt (BioCreative VII Track 1, 2021): relations between given chemicals and genes.

Systems receive abstracts with their chemicals and genes, and predict how these interact. A relation
has one of 13 types, such as INHIBITOR, and connects a chemical (CHEMICAL) and a gene (GENE). A pair
can have several types. The unit is (abstract, type, chemical, gene), and each side is a set of
units: repeats count once, and the order of lines and of the two arguments does not matter.

    P = tp / (tp + fp)        R = tp / (tp + fn)        F1 = 2 tp / (2 tp + fp + fn)

    micro_<score>     all relations; ``micro_f1`` ranks systems
    <type>_<score>    each type, such as inhibitor_f1
    macro_<score>     the mean over the types that the gold standard has

All scores lie between 0 and 1; a score whose denominator is 0 is 0.

The list of PMIDs names the abstracts to score. Predictions in other abstracts do not count, because
systems of the large-scale track predict relations in millions of abstracts. Gold relations in other
abstracts do not count either, with a warning. Without a list, the abstracts are all with entities.
GENE-Y and GENE-N, the types of the training data, are genes too.

Predictions with an unknown type, with an id that the abstract does not have, or between two
chemicals or two genes are false positives, with a warning. In the gold standard these are errors,
as are malformed lines, and an id with two different entities.

Files are the challenge's tables: a folder with entities, relations and perhaps the list of PMIDs,
and a file of predicted relations. In Python a document is a dict with ``id``, ``mentions`` and
``relations``, whose ends are ids of mentions; predictions may leave out ``mentions``.

``protocol="official"`` gives the numbers of the released library. The last pair of an abstract
shares its slot with the first pair of the next abstract there, so its scores can differ from these
definitions in both directions.

Sources: Miranda-Escalada et al., Overview of DrugProt task at BioCreative VII, Database, 2023; the
readme of the evaluation library; for the differences, the behaviour of the library.
"""

from __future__ import annotations

from dataclasses import replace

from clineval.challenges.drugprot21.official import OFFICIAL, PROGRAM_SCORES
from clineval.challenges.drugprot21.spec import SPEC
from clineval.results.challenge import Challenge
from clineval.results.differences import list_differences
from clineval.results.measures import Measures
from clineval.results.task import Demo, Task

CHALLENGE = Challenge(
    Task(
        name="drugprot21",
        title="DrugProt: relations between chemicals and genes",
        homepage="https://biocreative.bioinformatics.udel.edu/tasks/biocreative-vii/track-1/",
        citation="""\
@article{miranda-escalada-etal-2023-drugprot,
    title = "Overview of {DrugProt} task at {BioCreative} {VII}: data and methods for large-scale
        text mining and knowledge graph generation of heterogenous chemical--protein relations",
    author = "Miranda-Escalada, Antonio and Mehryary, Farrokh and Luoma, Jouni and
        Estrada-Zavala, Darryl and Gasco, Luis and Pyysalo, Sampo and Valencia, Alfonso and
        Krallinger, Martin",
    journal = "Database",
    volume = "2023",
    pages = "baad080",
    year = "2023",
    doi = "10.1093/database/baad080",
}""",
        definition=__doc__,
        file=__file__,
    ),
    {"spec": SPEC, "official": OFFICIAL},
    measures=SPEC.measures.with_protocols({"official": Measures.of(PROGRAM_SCORES)}),
    differences=list_differences("""
        neighbouring abstracts (d10, d11, d12, d16)
            spec: have no effect on each other
            official: share a slot: the last pair of an abstract and the first pair of the next one
                count as one pair
        one pair of a chemical and a gene in the whole corpus (d18)
            spec: is scored as any other
            official: precision, recall and F1 are the accuracy over the 13 types
        gold relations outside the list of PMIDs (d21)
            spec: do not count, with a warning
            official: count
        relations of an abstract without entities (d23)
            spec: are false positives, and rejected in the gold standard
            official: do not count
        unknown types (d24, d25)
            spec: are false positives, and rejected in the gold standard
            official: do not count
        unknown ids, two genes or two chemicals (d26, d27, d28, d29, d30)
            spec: are false positives, and rejected in the gold standard
            official: do not count
        entities of the types GENE-Y and GENE-N (d31)
            spec: are genes
            official: are ignored with their relations, on both sides
        an entity that is repeated (d32)
            spec: counts once
            official: its relations count twice
        entities of an abstract in two places of the file (d33)
            spec: all count
            official: those of the last place count
        an id with two types in an abstract (d34)
            spec: is rejected
            official: has the type of its last line
        quotation marks (d47)
            spec: are characters
            official: open a quoted cell, which can contain tabs and line ends
        files from which no relation is left to score (d38, d39, d40, d41)
            spec: score 0
            official: are rejected
        lines with a wrong number of columns (d42, d43, d44, d45)
            spec: are rejected with file and line
            official: stop the library
    """),
    demo=Demo(
        "DrugProt: relations between chemicals and genes of four invented abstracts",
        "gold",
        {"rules": "rules", "model": "model"},
    ),
    faces=replace(
        SPEC.faces,
        scripts=("drugprot-2021",),
        printed="clineval.challenges.drugprot21.printed",
        formats="clineval.formats.argument_documents",
    ),
)
