"""BioCreative V CDR: diseases and chemicals in abstracts, their concepts and relations.

The task asks for mentions of diseases and chemicals, their concepts in each document, and the
chemicals that induce diseases. It compares sets of items: an item counts once per document, however
often the text mentions it.

    mentions     (fragments, type); the types are Disease and Chemical
    concepts     (type, concept): the concepts that a document mentions
    relations    (chemical, disease): chemicals that induce diseases (CID)

Precision, recall and F1 are computed over all documents:

    P = tp / (tp + fp)        R = tp / (tp + fn)        F1 = 2 P R / (P + R)

Scores of mentions and of concepts exist for each type (``disease_concepts_f1`` is the score of the
task DNER), for both types together (``mentions_f1``, ``concepts_f1``), and as averages over the
types that occur on either side (``macro_concepts_f1``; a type without gold items has F1 0).
``relations_f1`` is the score of the task CID. All scores lie between 0 and 1; a score whose
denominator is 0 is 0.

A concept is a name space and an identifier, such as MESH:D001249 or OMIM:1. The default name space
is MESH. Case and surrounding blanks do not matter. ``-1``, ``-`` and an empty string are not
concepts. A composite mention has several concepts. The individual mentions inside it
(``CompositeRole`` in BioC) do not count as mentions, but their concepts count. A relation with
several concepts at an end stands for each pair.

Predictions in documents that are missing from the gold standard are false positives, with a
warning.

Files are PubTator or BioC XML. In Python a document is a dict with ``mentions`` and ``relations``.
A mention has ``spans``, ``label`` and ``concepts``; a relation has the concept of a chemical
(``from``) and of a disease (``to``).

With the option ``hierarchy``, concepts and relations are also scored with their ancestors
(``concepts_h_f1``, ``relations_h_f1``), at each level and with CoPHE's counts. If a configuration
scores only one of both, the keys are ``h_f1``, ``level0_f1``, ... and ``cophe_f1``. The ancestors
of a relation are the pairs of ancestors of its concepts; docs/hierarchies.md defines the scores.

``protocol="official"`` gives the numbers of the challenge's evaluation kit and follows all its
rules. For example, predictions in a document without a gold item of the same kind and type do not
count.

Sources: Wei et al., Assessing the state of the art in biomedical relation extraction: overview of
the BioCreative V chemical-disease relation (CDR) task, Database, 2016; the readme of the evaluation
kit; for the differences, the behaviour of its program.
"""

from __future__ import annotations

from dataclasses import replace

from clineval.challenges.bc5cdr.measures import MEASURES, PARTS, SCHEME, SCORED, SPEC
from clineval.challenges.bc5cdr.official import Official
from clineval.protocols.item_codes import CONCEPT
from clineval.protocols.item_sets import FORMATS, PAGE
from clineval.results.challenge import Challenge
from clineval.results.differences import list_differences
from clineval.results.faces import Faces
from clineval.results.task import Demo, Task
from clineval.results.views import DocView

CHALLENGE = Challenge(
    Task(
        name="bc5cdr",
        title="BioCreative V CDR: Chemicals, diseases and their relations",
        homepage="https://biocreative.bioinformatics.udel.edu/tasks/biocreative-v/track-3-cdr/",
        citation="""\
@article{wei-etal-2016-assessing,
    title = "Assessing the state of the art in biomedical relation extraction: overview of the
        {BioCreative} {V} chemical-disease relation ({CDR}) task",
    author = "Wei, Chih-Hsuan and Peng, Yifan and Leaman, Robert and Davis, Allan Peter and
        Mattingly, Carolyn J. and Li, Jiao and Wiegers, Thomas C. and Lu, Zhiyong",
    journal = "Database",
    volume = "2016",
    pages = "baw032",
    year = "2016",
    doi = "10.1093/database/baw032",
}""",
        configs={
            "default": "mentions, concepts and relations",
            "mentions": "mentions of diseases and chemicals",
            "concepts": "concepts of each document; disease concepts are the task DNER",
            "relations": "chemicals that induce diseases (task CID)",
        },
        definition=__doc__,
        file=__file__,
    ),
    protocols={"spec": SPEC, "official": Official(SCHEME, scored=SCORED)},
    measures=MEASURES,
    differences=list_differences("""
        predictions in a document without a gold item of the scored kind and type (m05, i04, r07)
            spec: are false positives
            official: do not count
        predictions in a document that is missing from the gold standard (m06)
            spec: are false positives, with a warning
            official: do not count
        case of concepts, and blanks around them (i06, i07, i11)
            spec: do not matter
            official: make a different concept
        MESH:-1 (i10)
            spec: is not a concept, as with -1
            official: is a concept
        concepts in BioC (x04, x05, x06)
            spec: take the name of their infon as name space; all infons are read
            official: come from the infon MESH or else OMIM, and always count as MESH
        a relation without a concept at one end (r04, x13)
            spec: is rejected in the gold standard, and a false positive in predictions
            official: has null at that end, and null equals null
        a relation with several concepts at one end (r06)
            spec: stands for each pair
            official: has one concept, which contains the bar
        a mention with several locations (x07)
            spec: is discontiguous
            official: stops the program
        annotations of sentences and documents, relations of passages in BioC (x11, x12, x14)
            spec: are read
            official: are ignored
        lines of text (m11)
            spec: begin with an identifier and a t or an a between bars
            official: contain a t or an a between bars anywhere
        lines and types outside the format (m18, m19, m21)
            spec: are rejected
            official: are ignored, or stop the program
    """),
    demo=Demo(
        "BioCreative V CDR: chemicals, diseases and relations of four invented abstracts",
        "gold.PubTator",
        {"dictionary": "dictionary.PubTator", "tagger": "tagger.PubTator"},
    ),
    faces=Faces(
        page=replace(
            PAGE,
            checks=tuple(sorted(MEASURES.checks, key=lambda check: not check.protocols)),
            parts=PARTS,
        ),
        docs=DocView(
            prefix="cdr",
            columns={**MEASURES.ranking, "default": MEASURES.headline},
            slots=lambda _: SPEC.slots,
            format="jsonl",
            take=list,
            relations=CONCEPT,
        ),
        scripts=("bc5cdr",),
        printed="clineval.challenges.bc5cdr.printed",
        formats=FORMATS,
    ),
)
