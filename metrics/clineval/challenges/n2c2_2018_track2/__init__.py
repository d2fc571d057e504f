"""n2c2 2018 Track 2: adverse drug events and medication in discharge summaries.

Concepts are labelled spans of nine types: Drug, Strength, Duration, Route, Form, ADE, Dosage,
Reason, Frequency. Relations go from an attribute to its drug and have eight types, such as
Strength-Drug. The configuration ``concepts`` is task 1 of the challenge. ``relations`` is task 2 if
the system was given the gold concepts, and task 3 (end to end) if it was not. ``default`` scores
both.

For each type, and for all of them together (micro), with tp, fp, fn summed over documents:

    P = tp / (tp + fp)        R = tp / (tp + fn)        F1 = 2 P R / (P + R)

    strict      concepts: same type, same fragments; relations: same type, both arguments strict
    lenient     concepts: same type, at least one shared character (gaps between fragments do not
                count); relations: same type, both arguments lenient, source with source

Macro is the mean over documents, as in the released script, not over types. P, R and F1 of all
types together are computed for each document, with 0 for a denominator of 0. Documents in which
neither side has a concept (a relation) are left out.

All scores lie between 0 and 1; a score whose denominator is 0 is 0.

Annotations are paired one to one within a document. Identical pairs come first. The remaining
lenient pairs are ordered by most shared characters (for relations, the sum over both arguments),
then by fewest characters in the union, then by type and fragments of the gold annotation, then of
the prediction. Relations are paired on their own: it does not matter whether an argument was
paired. Unpaired annotations are false positives and false negatives. Duplicates within a document
(same type and fragments; for relations, same type and arguments) count once.

The file name identifies the document. If only one side has a document, everything in it counts as
missed or spurious, with a warning. Types and relation types are compared as written; unknown types
are rejected.

The body of the challenge's paper was not available to us. This definition is reconstructed from the
released script and its comments. If they leave a choice open, the rule here does not depend on the
order of lines.

``protocol="official"`` gives the numbers of the released script, ``Track2-evaluate-ver4.py``, with
all its own rules.

Sources: Henry et al., 2018 n2c2 shared task on adverse drug events and medication extraction in
electronic health records, JAMIA 27 (2020); for the differences, the behaviour of the released
script.
"""

from __future__ import annotations

from clineval.challenges.n2c2_2018_track2.measures import MEASURES, RELATIONS
from clineval.challenges.n2c2_2018_track2.official import Official
from clineval.challenges.n2c2_2018_track2.spec import ANY_LABEL, Spec
from clineval.kinds.relations.outcomes import MATCHES
from clineval.results.challenge import Challenge
from clineval.results.differences import list_differences
from clineval.results.faces import Faces
from clineval.results.task import Demo, Task
from clineval.results.views import DocView, MentionView

CHALLENGE = Challenge(
    Task(
        name="n2c2_2018_track2",
        title="n2c2 2018 Track 2: Adverse drug events and medication",
        homepage="https://n2c2.dbmi.hms.harvard.edu/2018-challenge",
        citation="""\
@article{henry-etal-2020-n2c2,
    title = "2018 n2c2 shared task on adverse drug events and medication extraction in electronic
        health records",
    author = {Henry, Sam and Buchan, Kevin and Filannino, Michele and Stubbs, Amber and Uzuner,
        {\\"O}zlem},
    journal = "Journal of the American Medical Informatics Association",
    volume = "27",
    number = "1",
    year = "2020",
    pages = "3--12",
    doi = "10.1093/jamia/ocz166",
}""",
        configs={
            "default": "concepts and relations",
            "concepts": "task 1: drugs, their attributes, adverse drug events",
            "relations": "tasks 2 and 3: relations from attributes to drugs",
        },
        definition=__doc__,
        file=__file__,
    ),
    protocols={"spec": Spec(), "official": Official()},
    measures=MEASURES,
    differences=list_differences("""
        documents on one side only (q15_files_on_one_side)
            spec: count as missed or as spurious
            official: are skipped
        surplus predictions on one gold annotation (q01_spare_prediction)
            spec: are false positives
            official: are dropped
        a prediction that overlaps a taken and a free gold annotation (q03a_order)
            spec: pairs with the free one
            official: is dropped, and uses up the free one
        a prediction that overlaps several gold annotations (q06_overlapping_gold_copy)
            spec: pairs with one; the others stay free
            official: pairs with one; all become taken
        order of lines (q03b_order)
            spec: does not matter
            official: decides which annotations are paired
        duplicates of an annotation (q05_duplicate_gold_copy)
            spec: count once
            official: are dropped from predictions, and count separately in the gold standard
        fragments (q07a_discontiguous_hull_strict)
            spec: all count; gaps do not
            official: are reduced to the first start and the last end; with four or more fragments,
                the offsets of the previous line are used
        other types (q11_type_outside)
            spec: are rejected
            official: count in the overall scores
        arguments of a relation (q17b_relation_roles_by_position)
            spec: are identified by Arg1 and Arg2
            official: are identified by their order
        documents without annotations (q14_empty_documents)
            spec: are left out of macro scores
            official: count as 0 in macro scores
        malformed lines (q08a_four_fragments)
            spec: are rejected
            official: are skipped, take the values of the previous line, or stop the script
        empty and reversed spans (q24a_zero_length_same)
            spec: are rejected
            official: match strictly but not leniently
        repeated ids (q10a_id_twice)
            spec: are rejected
            official: count once, as in the last line
    """),
    demo=Demo(
        "n2c2 2018 Track 2: drugs, their attributes and their adverse effects",
        "gold",
        {"rules": "rules", "tagger": "tagger"},
    ),
    faces=Faces(
        page=MentionView(
            checks=MEASURES.checks,
            presets=MEASURES.presets,
            modes=("Strict", "Lenient"),
            matches=MATCHES,
            parts={"concepts": (), "relations": RELATIONS},
        ),
        docs=DocView(
            prefix="n18",
            names=MEASURES.short_names,
            columns={
                "default": MEASURES.ranking["default"],
                "concepts": MEASURES.headline[:2],
                "relations": MEASURES.headline[2:],
            },
            slots=lambda _: (ANY_LABEL,),
            format="brat",
            take=list,
            relations="id",
        ),
        scripts=("n2c2-2018-track2",),
        printed="clineval.challenges.n2c2_2018_track2.printed",
        notes_apart=True,
    ),
)
