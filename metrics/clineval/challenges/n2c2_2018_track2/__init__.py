"""n2c2 2018 Track 2: adverse drug events and medication in discharge summaries.

Concepts are labelled spans of nine types: Drug, Strength, Duration, Route, Form, ADE, Dosage,
Reason, Frequency. Relations go from an attribute to its drug and are of eight types, such as
Strength-Drug. The configuration ``concepts`` is task 1 of the challenge; ``relations`` is task 2
where the system was given the gold concepts, and task 3, end to end, where it was not; ``default``
scores both.

For each type, and for all of them together (micro), with tp, fp, fn summed over documents:

    P = tp / (tp + fp)        R = tp / (tp + fn)        F1 = 2 P R / (P + R)

    strict      concepts: same type, same fragments; relations: same type, both arguments strict
    lenient     concepts: same type, a character in common (a gap between fragments has none);
                relations: same type, both arguments lenient, source with source

Macro is the mean over documents, as the released script has it, and not over types: of each
document P, R and F1 of all types together, 0 where a denominator is 0; documents in which neither
side has a concept (a relation) are left out.

All scores lie between 0 and 1; a score whose denominator is 0 is 0.

Annotations are paired one to one within a document. Identical pairs come first. Of the lenient
pairs that are left those with most characters in common come first (of relations: the sum over both
arguments); then those with fewest characters in the union; then by type and fragments of the gold
annotation, then of the prediction. Relations are paired by themselves: whether an argument was
paired plays no role. What is left are false positives and false negatives. Copies within a
document (same type and fragments; relations: same type and arguments) are one annotation.

A file names its document; what only one side has counts as missed or as spurious, with a warning.
Types and relation types are compared as they are written, and others than those above are refused.

The body of the challenge's paper was not at hand: this definition is reconstructed from what the
released script and its comments intend, with the choices that it leaves open made so that no order
of lines matters.

``protocol="official"`` gives the numbers of the released script, ``Track2-evaluate-ver4.py``, with
its own rules throughout.

Sources: Henry et al., 2018 n2c2 shared task on adverse drug events and medication extraction in
electronic health records, JAMIA 27 (2020); for the differences, what the released script does.
"""

from __future__ import annotations

from clineval.challenges.n2c2_2018_track2.measures import MEASURES, RELATIONS
from clineval.challenges.n2c2_2018_track2.official import Official
from clineval.challenges.n2c2_2018_track2.spec import ANY_LABEL, Spec, units_of
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
            "concepts": "task 1: drugs, what is said of them, adverse drug events",
            "relations": "tasks 2 and 3: what belongs to which drug",
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
        a prediction over a taken and a free gold annotation (q03a_order)
            spec: pairs with the free one
            official: is dropped, and uses up the free one
        a prediction over several gold annotations (q06_overlapping_gold_copy)
            spec: pairs with one, the others stay free
            official: pairs with one, all become taken
        order of lines (q03b_order)
            spec: does not matter
            official: decides who is paired
        copies of an annotation (q05_duplicate_gold_copy)
            spec: are one
            official: are dropped among predictions, and separate in the gold standard
        fragments (q07a_discontiguous_hull_strict)
            spec: all count, and nothing in a gap
            official: only the first start and the last end; from four fragments on those of the
                line before
        other types (q11_type_outside)
            spec: are refused
            official: count in the overall scores
        arguments of a relation (q17b_relation_roles_by_position)
            spec: are told by Arg1 and Arg2
            official: are told by their order
        macro scores (q14_empty_documents)
            spec: leave documents without annotations out
            official: count such documents as 0
        malformed lines (q08a_four_fragments)
            spec: are refused
            official: are skipped, or mean what the line before says, or stop the script
        empty and reversed spans (q24a_zero_length_same)
            spec: are refused
            official: match strictly and not leniently
        repeated ids (q10a_id_twice)
            spec: are refused
            official: the last one counts
    """),
    demo=Demo(
        "n2c2 2018 Track 2: drugs, what is said of them, and their adverse effects",
        "gold",
        {"rules": "rules", "tagger": "tagger"},
    ),
    faces=Faces(
        page=MentionView(
            checks=MEASURES.checks,
            presets=MEASURES.presets,
            modes=("Strict", "Lenient"),
            matches=MATCHES,
            units=lambda corpus, setup: units_of(corpus, setup).corpus,
            sources=lambda corpus, setup: units_of(corpus, setup).sources,
            arguments=lambda corpus, setup: units_of(corpus, setup).arguments,
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
