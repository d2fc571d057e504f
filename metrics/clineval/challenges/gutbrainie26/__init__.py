"""GutBrainIE 2026 (BioASQ task 6 at CLEF): entities, links and relations of the gut-brain axis.

Documents are titles and abstracts of PubMed. Four subtasks compare sets of tuples per document:

    ner                  (label, location, start, end)
    nerd                 (label, location, start, end, URI)
    mention_relations    (subject words, subject label, predicate, object words, object label)
    concept_relations    (subject URI, subject label, predicate, object URI, object label)

A tuple counts once per document. A predicted tuple is right if the gold standard's document
contains it. There are 13 labels of entities and 17 predicates.

    P = tp / (tp + fp)        R = tp / (tp + fn)        F1 = 2 tp / (2 tp + fp + fn)

over all tuples of a subtask (``micro_``); micro F1 ranks systems. The labels of means are the
labels of entities or the triples (subject label, predicate, object label) that either side has:

    macro_precision, macro_recall    the means of the labels' P and R
    macro_f1                         2 P R / (P + R) of these two means, as the page defines it
    mean_f1                          the mean of the labels' F1, which the leaderboard prints

All scores lie between 0 and 1; a score whose denominator is 0 is 0. A configuration scores one
subtask; ``default`` scores all of them, with its name before each key (``ner_micro_f1``).

Offsets restart in title and abstract, and ends are inclusive. Words of entities are not compared,
words of relations are compared as they are written. A URI that is NA, null or empty is no link, and
equals another one. Invalid predictions count as wrong, with a warning; an invalid gold standard is
rejected. In a document that only one side has, all tuples are missed, or spurious.

Besides the challenge's JSON there are documents with ``mentions`` and ``relations`` (JSON Lines,
dicts, Docs, answers of models). Their offsets count in the title, a line end, and the abstract;
the tuples of relations are made from the words and codes of the mentions.

With the option ``hierarchy``, the URIs of ``nerd`` and ``concept_relations`` are also scored with
their ancestors (``nerd_h_f1``, ``concept_relations_h_f1``), at each level and with CoPHE's counts;
a configuration of one subtask has the keys ``h_f1``, ``level0_f1``, ... and ``cophe_f1``. The
ancestors of a relation are the pairs of ancestors of its concepts; docs/hierarchies.md defines the
scores.

``protocol="official"`` gives the numbers of the released program. It removes repeated and
overlapping predictions, and ignores predictions whose label the gold standard lacks.

Sources: the challenge's page of 2026 (Evaluation); Martinelli et al. (2025);
https://github.com/MMartinelli-hub/GutBrainIE_2026_Baseline.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from clineval.challenges.gutbrainie26.files import CONCEPTS, LABELS, MENTIONS, NER, NERD, PREDICATES
from clineval.challenges.gutbrainie26.official import Official
from clineval.challenges.gutbrainie26.spec import Spec
from clineval.kinds.relations.tuples import Role
from clineval.results.challenge import Challenge
from clineval.results.differences import list_differences
from clineval.results.task import Demo, Task

SORTS: Mapping[str, Role] = {NER: "mentions", NERD: "links", MENTIONS: "words", CONCEPTS: "codes"}
SPEC, OFFICIAL = (of(SORTS, LABELS, PREDICATES, short="gb26") for of in (Spec, Official))
CHALLENGE = Challenge(
    Task(
        name="gutbrainie26",
        title="GutBrainIE 2026: Entities, links and relations of the gut-brain axis",
        homepage="https://hereditary.dei.unipd.it/challenges/gutbrainie/2026/",
        citation="""\
@inproceedings{martinelli-etal-2025-gutbrainie,
    title = "Overview of {GutBrainIE@CLEF} 2025: Gut-Brain Interplay Information Extraction",
    author = "Martinelli, Marco and Silvello, Gianmaria and Bonato, Vanessa and Di Nunzio, Giorgio
        Maria and Ferro, Nicola and Irrera, Ornella and Marchesin, Stefano and Menotti, Laura and
        Vezzani, Federica",
    booktitle = "Working Notes of CLEF 2025",
    series = "CEUR Workshop Proceedings",
    volume = "4038",
    year = "2025",
}""",
        configs={
            "default": "all subtasks",
            NER: "subtask 6.1.1, entities",
            NERD: "subtask 6.1.2, entities with URIs",
            MENTIONS: "subtask 6.2.1, relations between the words of mentions",
            CONCEPTS: "subtask 6.2.2, relations between concepts",
        },
        definition=__doc__,
        file=__file__,
    ),
    protocols={"spec": SPEC, "official": OFFICIAL},
    measures=SPEC.measures.with_protocols({"official": OFFICIAL.measures}),
    differences=list_differences("""
        words of an entity (g04_text_compared)
            spec: are not compared; a warning counts those that differ
            official: are compared
        repeats in the gold standard (g14_gold_repeat, g57_repeat_gold)
            spec: count once, as in predictions
            official: count each time, but a prediction finds only one
        two labels at one place (g11_same_place_two_labels)
            spec: are two entities
            official: are one prediction, the first one
        overlapping predictions (g15_overlap_longest, g16_overlap_chain)
            spec: all count
            official: only the longest of a chain counts
        predictions whose label, or triple of labels, the gold standard lacks (g24, g54)
            spec: are false positives
            official: do not count
        macro F1 (g62_macro)
            spec: macro_f1 is the harmonic mean of macro P and macro R; mean_f1 is beside it
            official: is the mean of F1, as mean_f1; the labels are those of the gold standard
        null as URI (g09_uri_null)
            spec: is no link, like NA
            official: is the word None
        unknown labels, predicates and locations (g26, g27, g28, g29, g59)
            spec: are wrong in predictions, and rejected in the gold standard
            official: stop the program in predictions; in the gold standard nothing can find them
        offsets that are no whole numbers (g30, g31)
            spec: are wrong in predictions, and rejected in the gold standard
            official: stop the program if they are strings; fractions are cut off
        a missing field (g33, g35)
            spec: makes the prediction wrong
            official: stops the program
        a missing list of predictions (g34_list_missing_crash)
            spec: is an empty list
            official: stops the program
        predictions in a document that the gold standard lacks (g37_document_extra_crash)
            spec: are false positives, with a warning
            official: stop the program
        a gold standard without annotations (g39_no_gold_crash)
            spec: gives scores of 0
            official: stops the program
        denominators (g01_identical)
            spec: are counts, so that a perfect score is 1
            official: are larger by 1e-10
    """),
    demo=Demo(
        "GutBrainIE 2026: a dictionary and a model on four invented abstracts",
        "gold.json",
        {"model": "model.json", "dictionary": "dictionary.json"},
    ),
    faces=replace(
        SPEC.faces,
        scripts=("gutbrainie-2026",),
        printed="clineval.challenges.gutbrainie26.printed",
        formats="clineval.challenges.gutbrainie26.documents",
    ),
)
