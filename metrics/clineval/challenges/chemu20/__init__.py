"""ChEMU 2020: compounds, conditions and reaction steps in chemical patents, and their relations.

The shared task asks for entities in passages of patents (task 1), and for the steps of a reaction
with their arguments (task 2): a relation ARG1 or ARGM leads from a step to an entity. Its scorer,
brateval, is also that of ChEMU 2021 and, for entities, of QUAERO (French medical notes). The
configuration ``entities`` is task 1, ``relations`` is task 2, and ``default`` scores both.

Entities and relations are scored under three kinds of match:

    exact      the same fragments
    overlap    a character in common; gaps between fragments do not count
    approx     exact, or overlap and similar words: the edit distance of the words (insertions,
               deletions, replacements; with case) is at most (1 - threshold) times the length of
               the longer ones

Entities also need the same label. A relation needs the same label, direction and labels of its
ends, and both ends must match. The option ``types`` compares labels of entities in other ways:
``any`` ignores them, also at the ends of relations, and ``hier`` accepts labels that have a label
above both in brat's annotation.conf (the option ``taxonomy``).

    P = tp / (tp + fp)        R = tp / (tp + fn)        F1 = 2 tp / (2 tp + fp + fn)

for all labels (micro), for each label of ChEMU 2020, and as the mean over the labels
that either side has (macro; a label without a gold annotation has F1 0). Other labels count among
all. All scores lie between 0 and 1; a score whose denominator is 0 is 0. In ``entities`` and
``relations`` the keys are ``exact_f1`` and so on; in ``default`` they are ``entities_exact_f1``
and ``relations_exact_f1``.

For each kind of match, annotations of a document are paired one to one in the largest pairing. Of
several largest ones, that with most equal places and labels counts, then that with most shared
characters. Relations are paired on their own. Equal annotations count once on both sides: entities
with the same fragments and label, relations with the same label between the same entities.

The words of an entity are those of its brat line, or its ``text`` in JSON; otherwise those of the
note, with blanks between fragments. Entities without known words match approximately only if they
match exactly. Files are paired by name; a document on one side only counts as all missed, or all
spurious, with a warning. Events, attributes and notes of brat's files are not scored.

``protocol="official"`` gives the numbers of brateval 0.3.2, with all its rules: for example, it
takes the first prediction that fits, in the order of a hash table of ids.

Sources: He et al., ChEMU 2020, Frontiers in Research Metrics and Analytics 6, 2021; the readme of
brateval (https://github.com/READ-BioMed/brateval, commit 17acc16); for the differences, the
behaviour of the program.
"""

from __future__ import annotations

from clineval.challenges.chemu20.likeness import parse_threshold
from clineval.challenges.chemu20.measures import ENTITIES
from clineval.challenges.chemu20.official import Official
from clineval.challenges.chemu20.spec import Spec
from clineval.challenges.chemu20.taxonomy import parse_taxonomy
from clineval.formats.given.texts import option_of_texts
from clineval.protocols.mentions_and_relations import RELATIONS
from clineval.results.challenge import Challenge, Configurations
from clineval.results.differences import list_differences
from clineval.results.faces import Faces
from clineval.results.options import Option
from clineval.results.task import Demo, Task

_KINDS = (ENTITIES, RELATIONS)
SPEC = Configurations(Spec(), {kind: Spec((kind,)) for kind in _KINDS})
OFFICIAL = Configurations(Official(), {kind: Official((kind,)) for kind in _KINDS})
CHALLENGE = Challenge(
    Task(
        name="chemu20",
        title="ChEMU 2020: Entities and reaction steps in chemical patents",
        homepage="https://chemu-patent-ie.github.io",
        citation="""\
@article{he-etal-2021-chemu,
    title = "{ChEMU} 2020: Natural Language Processing Methods Are Effective for Information
        Extraction From Chemical Patents",
    author = "He, Jiayuan and Nguyen, Dat Quoc and Akhondi, Saber A. and Druckenbrodt, Christian
        and Thorne, Camilo and Hoessel, Ralph and Afzal, Zubair and Zhai, Zenan and Fang, Biaoyan
        and Yoshikawa, Hiyori and Albahem, Ameer and Cavedon, Lawrence and Cohn, Trevor and
        Baldwin, Timothy and Verspoor, Karin",
    journal = "Frontiers in Research Metrics and Analytics",
    volume = "6",
    pages = "654438",
    year = "2021",
    doi = "10.3389/frma.2021.654438",
}""",
        configs={
            "default": "entities and relations",
            ENTITIES: "task 1: compounds, conditions and yields; words for reaction steps (task 2)",
            RELATIONS: "task 2: relations from reaction steps to entities",
        },
        definition=__doc__,
        file=__file__,
    ),
    protocols={"spec": SPEC, "official": OFFICIAL},
    options=(
        Option(
            "threshold",
            "The least similarity of words for approx, above 0 and at most 1.",
            0.8,
            parse=parse_threshold,
        ),
        Option(
            "types",
            "How to compare labels of entities: exact, any (not at all), or hier (with a label "
            "above both, which needs --taxonomy).",
            "exact",
            "choice",
            choices=("exact", "any", "hier"),
        ),
        Option(
            "taxonomy",
            "brat's annotation.conf, for --types hier.",
            kind="file",
            python='for types="hier": the path of brat\'s annotation.conf.',
            parse=parse_taxonomy,
        ),
        option_of_texts(
            "reports, and for approx if entities have no words of their own",
            "the text of each document, for approx if entities have no words of their own.",
        ),
    ),
    differences=list_differences("""
        a system's entity with further fragments (b08_gold_fragments_in_system)
            spec: is not exact
            official: is exact; a gold entity with further fragments is not
        several candidates (b13_overlap_takes_any)
            spec: the largest pairing counts
            official: the first that fits in the order of a hash table of ids is taken
        another label, with types any (b17_inexact_takes_wrong_type_first)
            spec: equal labels and places are preferred
            official: the first in the order of the hash table is taken
        repeats (b07_repeats)
            spec: count once
            official: count each time
        similar words (b22_approx_rounding)
            spec: are compared exactly: 1 of 5 letters may differ at 0.8
            official: are compared in floating point: (1 - 0.8) * 5 allows no difference
        malformed lines (b33_no_text_column)
            spec: are rejected
            official: are skipped, or stop the program
        repeated ids (b35_id_twice)
            spec: are rejected
            official: count once, as in the last line
        a document without a prediction (b30_document_missing_crash)
            spec: counts as missed
            official: stops the program
        a document without gold annotation (b31_document_extra)
            spec: counts as spurious
            official: is not read
        empty fragments (b40_zero_length)
            spec: are rejected
            official: count, and overlap spans around them
        names of arguments (b57_relation_role_names)
            spec: are Arg1 and Arg2
            official: are not read; their order counts
        labels at the ends of relations, with types any (b55_relation_inexact_types)
            spec: are not compared
            official: are compared
        sums, with annotation.conf (b70_config)
            spec: include all labels
            official: `all` leaves out labels that the file lists
        types hier without annotation.conf (b72_hier_without_config)
            spec: is rejected
            official: is exact
    """),
    demo=Demo(
        "ChEMU 2020: compounds, conditions and steps of three invented syntheses",
        "gold",
        {"rules": "rules", "tagger": "tagger"},
    ),
    faces=Faces(
        page=SPEC.faces.page,
        pages=SPEC.faces.pages,
        docs=Spec().docs,
        scripts=("brateval",),
        printed="clineval.challenges.chemu20.printed",
        notes_apart=True,
    ),
)
