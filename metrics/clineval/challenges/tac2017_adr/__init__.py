"""TAC 2017 ADR: adverse reactions in drug labels, with their relations and MedDRA terms.

A document is a drug label with up to three sections: adverse reactions, warnings and precautions,
boxed warnings. The track has four tasks, each of which is a configuration. ``default`` scores all
of them.

    mentions    task 1: fragments of text with a type: AdverseReaction, Severity, Factor, DrugClass,
                Negation, Animal
    relations   task 2: Hypothetical, Effect or Negated, from a mention to another
    reactions   task 3: the set of strings of a label's adverse reactions
    codes       task 4: the set of the MedDRA terms (preferred terms) of these reactions

Each score compares two sets of units for each document; an equal unit counts once:

    exact             (fragments, type of a mention)
    binary            (source, target, type of a relation), the ends with their types
    full              a source with all its relations: (source, {(type, target), ...})
    exact_untyped, binary_untyped, full_untyped
                      the same without any types, also those of relations
    reactions, codes  a string; the number of a term, or its name if it has no number

    P = tp / (tp + fp)        R = tp / (tp + fn)        F1 = 2 tp / (2 tp + fp + fn)

tp, fp and fn are summed over documents (micro). ``document_reactions_f1`` and
``document_codes_f1`` rank systems in the tasks 3 and 4. They are means of the F1 of each document.
Documents with nothing on both sides are left out. All scores lie between 0 and 1; a score whose
denominator is 0 is 0.

Mentions are equal if they have the same fragments in the same section. Touching fragments are not
joined. Mentions of one place and type are one source of relations. A document that only one side
has is all missed, or all spurious. Invalid predictions are spurious, with a warning; an invalid
gold standard is rejected. The file name identifies a document.

In Python, a document is a dict with ``mentions`` and ``relations``, whose offsets count characters
of the sections' joined text, with a line end between two sections. ``default`` then has the scores
of mentions and relations alone. Reactions and codes are lists of strings.

``protocol="official"`` gives the numbers of the track's evaluation program. We could not find the
organisers' original: the rules are those of a public copy of the evaluation program, with the
checks of a public copy of the format checker.

Sources: Roberts, Demner-Fushman, Tonning, Overview of the TAC 2017 Adverse Reaction Extraction from
Drug Labels Track, TAC 2017; for the differences, the behaviour of the copies of the program.
"""

from __future__ import annotations

from dataclasses import replace

from clineval.challenges.tac2017_adr.labels import RELATIONS, TYPES, LabelFile
from clineval.challenges.tac2017_adr.measures import MEASURES, OF_PROGRAM
from clineval.challenges.tac2017_adr.official import CommonStrings, Official, ProgramFile
from clineval.challenges.tac2017_adr.sides import LISTS
from clineval.challenges.tac2017_adr.spec import Spec, Strings
from clineval.protocols.code_sets import CODE_PAGE
from clineval.results.challenge import Challenge, Configurations
from clineval.results.differences import list_differences
from clineval.results.task import Demo, Task
from clineval.results.views import DocView, ListView

SPEC = Spec(TYPES, RELATIONS)
CHALLENGE = Challenge(
    Task(
        name="tac2017_adr",
        title="TAC 2017 ADR: Adverse reactions in drug labels",
        homepage="https://bionlp.nlm.nih.gov/tac2017adversereactions/",
        citation="""\
@inproceedings{roberts-etal-2017-overview,
    title = "Overview of the {TAC} 2017 Adverse Reaction Extraction from Drug Labels Track",
    author = "Roberts, Kirk and Demner-Fushman, Dina and Tonning, Joseph M.",
    booktitle = "Proceedings of the Text Analysis Conference (TAC)",
    year = "2017",
}""",
        configs={
            "default": "mentions, relations, reactions and codes",
            "mentions": "task 1: mentions of adverse reactions and their modifiers",
            "relations": "task 2: relations between mentions",
            "reactions": "task 3: the strings of each label's adverse reactions",
            "codes": "task 4: the MedDRA terms of each label's adverse reactions",
        },
        definition=__doc__,
        file=__file__,
    ),
    protocols={
        "spec": Configurations(SPEC, {name: Strings.of(name, LabelFile) for name in LISTS}),
        "official": Configurations(
            Official(TYPES, RELATIONS, merged=False, open_file=ProgramFile),
            {name: CommonStrings.of(name, ProgramFile) for name in LISTS},
        ),
    },
    measures=MEASURES.with_protocols({"official": OF_PROGRAM}),
    differences=list_differences("""
        documents on one side only (a25, a26, a62)
            spec: count as missed or as spurious
            official: are not scored
        order of fragments, and leading zeros (a06, a08)
            spec: do not matter
            official: make a different mention
        equal mentions with several ids (a36, a37)
            spec: are one source with all its relations
            official: are units for each id; one without relations is a unit too
        two relations between the same mentions, without types (a39, a41)
            spec: count once
            official: count twice in full
        a relation that occurs twice (a40)
            spec: counts once
            official: stops the program
        MedDRA terms (a52, a54)
            spec: are numbers; names if there is no number
            official: are names
        documents without reactions or codes on either side (a61)
            spec: are left out of means over documents
            official: count as 0 in means over documents
        mentions without str (a12, a13, a14, a15)
            spec: are checked by their offsets and ids, and can have relations
            official: are not checked, and a relation to one stops the program
        invalid elements (a16, a17, a19, a43, a53, a63)
            spec: are rejected in the gold standard, and spurious in predictions
            official: stop the program
    """),
    demo=Demo(
        "TAC 2017 ADR: adverse reactions in four invented drug labels",
        "gold",
        {"dictionary": "dictionary", "tagger": "tagger"},
    ),
    faces=replace(
        SPEC.faces,
        pages={
            name: ListView(CODE_PAGE.module, {f"{name}_f1": "F1"}, MEASURES.item_checks)
            for name in LISTS
        },
        docs=DocView(
            prefix="tac",
            names=MEASURES.short_names,
            columns={
                "default": ("exact_f1", "full_f1", "binary_f1"),
                "mentions": ("exact_f1",),
                "relations": ("full_f1", "binary_f1"),
                **{name: (f"document_{name}_f1",) for name in LISTS},
            },
            slots=SPEC.kind.slots,
            take=list,
            relations="id",
        ),
        scripts=("tac2017-adr",),
        printed="clineval.challenges.tac2017_adr.printed",
        formats="clineval.challenges.tac2017_adr.documents",
    ),
)
