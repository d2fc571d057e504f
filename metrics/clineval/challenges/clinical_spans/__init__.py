"""Labelled spans of any scheme: named entities of data that belong to no challenge.

A mention is one or more fragments of a document with a label; mentions may overlap, nest, and be
discontiguous. Mentions of one document that agree in fragments and label are one mention. The
labels are those of the option ``labels``, and mentions with others are left out; or, without it,
all that either side has (where systems are compared, any of them).

Precision, recall and F1 of mentions, of each label, together (micro), and averaged over the labels
that either side has (macro), of which one without a gold mention has F1 0:

    strict     the same fragments and the same label
    lenient    a character in common and the same label
    boundary   the same fragments, whatever the label

    P = tp / (tp + fp)        R = tp / (tp + fn)        F1 = 2 P R / (P + R)

The four measures of SemEval-2013 Task 9.1, which go back to MUC-5. Mentions that overlap are
paired; a pair is correct (COR), incorrect (INC) or partial (PAR), a gold mention without a partner
missing (MIS), a prediction without one spurious (SPU):

    strict     COR: same fragments and label; INC: all other pairs
    boundary   COR: same fragments; INC: all other pairs
    partial    COR: same fragments; PAR: all other pairs
    type       COR: same label; INC: all other pairs

    possible = COR + INC + PAR + MIS, the gold mentions
    actual = COR + INC + PAR + SPU, the predictions
    P = (COR + PAR / 2) / actual      R = (COR + PAR / 2) / possible      F1 = 2 P R / (P + R)

Of a part of the mentions, such as those of a label, these hold too, but for the sum that ``actual``
is. It is TP + FP of the match of the measure's name, ``possible`` TP + FN, while a pair whose
mentions are in two parts counts in that of its gold mention.

Slots are what else is said of mentions: brat's attributes, and all names in dicts and JSON Lines
but ``spans``, ``label``, ``id``, ``text``, ``type``, ``cui`` and ``cues``. Values are words,
compared as they are written; true is ``yes``; false, null and what is left out are ``no``. Those of
the option ``slots`` count, by default none; mentions that differ in them are two:

    strict_slots        strict, and the same values of all slots that count
    S_strict_accuracy   the share of strict pairs with the same value of the slot S
    S_lenient_accuracy  that of lenient pairs

The others have no part in any score, but in groups, confusions and agreement.

What no prediction covers, whatever its label, in all and of each label (see
:mod:`clineval.kinds.mentions.leak`): ``leaked_characters`` of ``gold_characters``,
``leaked_mentions`` and ``leaked_whole_mentions``, of which some or all characters leak, of
``gold_mentions``; with ``_share`` after them the shares.

All scores lie between 0 and 1; a score whose denominator is 0 is 0.

Pairs are one to one. Mentions with the same fragments and label come first; then, but for
``lenient`` and ``type``, those with the same fragments; then overlapping ones in the order that the
option ``order`` names; for ``type`` those of the same label before all others. So no mention counts
twice, and nothing depends on the order of the input.

There is one protocol, ``spec``: no challenge stands behind this module, and no script. On flat data
with ``order="position"`` the counts of ``strict``, ``boundary`` and ``partial`` are those of
nervaluate (its ``strict``, ``exact`` and ``partial``), and those of ``type`` its ``ent_type``
wherever no mention overlaps several of the other side. Where mentions of one side overlap, its
counts depend on the order of the input.

Sources: Segura-Bedmar et al., SemEval-2013 Task 9; Chinchor and Sundheim, MUC-5 Evaluation Metrics.
"""

from __future__ import annotations

from dataclasses import replace

from clineval.challenges.clinical_spans.parsing import parse_labels, parse_slots
from clineval.challenges.clinical_spans.spec import ORDERS, SPEC
from clineval.kinds.mentions.labelled import MATCHES
from clineval.results.challenge import Challenge
from clineval.results.measures import Measures
from clineval.results.options import Option
from clineval.results.task import Demo, Task
from clineval.results.views import MentionView

CHALLENGE = Challenge(
    Task(
        name="clinical_spans",
        title="Labelled spans of any scheme",
        homepage="https://aclanthology.org/S13-2056/",
        citation="""\
@inproceedings{segura-bedmar-etal-2013-semeval,
    title = "{S}em{E}val-2013 Task 9: Extraction of Drug-Drug Interactions from Biomedical Texts
        ({DDIE}xtraction 2013)",
    author = "Segura-Bedmar, Isabel and Mart{\\'i}nez, Paloma and Herrero-Zazo, Mar{\\'i}a",
    booktitle = "Second Joint Conference on Lexical and Computational Semantics ({*SEM}),
        Volume 2: Proceedings of the Seventh International Workshop on Semantic Evaluation
        ({S}em{E}val 2013)",
    year = "2013",
    pages = "341--350",
    url = "https://aclanthology.org/S13-2056/",
}""",
        configs={"default": "all measures"},
        definition=__doc__,
        file=__file__,
    ),
    protocols={"spec": SPEC},
    measures=Measures.of(
        *SPEC.scores,
        ranking={},
        headline=(
            *("strict_f1", "strict_slots_f1", "lenient_f1"),
            *("boundary_f1", "partial_f1", "type_f1"),
        ),
        shown_per_document=("strict_f1", "lenient_f1", "strict_tp", "strict_fp", "strict_fn"),
    ),
    options=(
        Option(
            "labels",
            "The labels that count, with commas between them; if left out, all.",
            None,
            "names",
            python="the labels that count, as a list; if None, all that either side has.",
            parse=parse_labels,
        ),
        Option(
            "slots",
            "The slots that count, with commas between them, such as negated; if left out, none.",
            None,
            "names",
            python="the slots that count, as a list; if None, none does.",
            parse=parse_slots,
        ),
        Option(
            "overlap",
            "What overlapping mentions share: a character of their fragments, a word, or a "
            "character of their hulls, which have no gaps.",
            "character",
            "choice",
            choices=("character", "word", "hull"),
        ),
        Option(
            "order",
            "Which overlapping pairs come first: the closest (most shared, then fewest in all), "
            "the longest predictions, or by position.",
            "closest",
            "choice",
            choices=tuple(ORDERS),
        ),
        Option("touching", "Mentions that touch overlap.", default=False, kind="flag"),
    ),
    demo=Demo(
        "Labelled spans: problems, tests and treatments of six notes",
        "gold.jsonl",
        {"dictionary": "dictionary.jsonl", "tagger": "tagger.jsonl"},
    ),
    faces=replace(
        SPEC.faces,
        page=MentionView(
            matches={**MATCHES, "overlap/span": SPEC.widest},
            labels=lambda setup: setup["labels"] or (),
        ),
    ),
)
