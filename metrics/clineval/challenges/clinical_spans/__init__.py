"""Labelled spans of any scheme: named entities of data that belong to no challenge.

A mention has a label and one or more fragments of a document. Mentions may overlap, nest, and be
discontiguous. Mentions of one document with the same fragments and label count once. The option
``labels`` lists the labels to score; mentions with other labels are left out. By default, all
labels on either side are scored (or on any side, if several systems are compared).

Precision, recall and F1 are computed for each label, for all mentions together (micro), and as
averages over the labels that occur on either side (macro). In the macro average, a label without a
gold mention has F1 0.

    strict     the same fragments and the same label
    lenient    a character in common and the same label
    boundary   the same fragments, whatever the label

    P = tp / (tp + fp)        R = tp / (tp + fn)        F1 = 2 P R / (P + R)

The four measures of SemEval-2013 Task 9.1 go back to MUC-5. Overlapping mentions are paired. A pair
is correct (COR), incorrect (INC) or partial (PAR). A gold mention without a partner is missing
(MIS), and a prediction without one is spurious (SPU):

    strict     COR: same fragments and label; INC: all other pairs
    boundary   COR: same fragments; INC: all other pairs
    partial    COR: same fragments; PAR: all other pairs
    type       COR: same label; INC: all other pairs

    possible = COR + INC + PAR + MIS, the gold mentions
    actual = COR + INC + PAR + SPU, the predictions
    P = (COR + PAR / 2) / actual      R = (COR + PAR / 2) / possible      F1 = 2 P R / (P + R)

The same formulas apply to a subset of the mentions, such as one label, with one exception:
``actual`` is not the sum above. For a subset, ``actual`` is TP + FP and ``possible`` is TP + FN of
the match with the measure's name. A pair of mentions from two subsets counts for the subset of its
gold mention.

Slots are other attributes of mentions: brat's attributes, and every key in dicts and JSON Lines
except ``spans``, ``label``, ``id``, ``text``, ``type``, ``cui`` and ``cues``. Values are words,
compared as they are written; true is ``yes``; false, null and a missing slot are ``no``. The option
``slots`` lists the slots to score, none by default. Mentions that differ in any of these slots
count separately:

    strict_slots        strict, and the same values of all scored slots
    S_strict_accuracy   the share of strict pairs with the same value of the slot S
    S_lenient_accuracy  the share of lenient pairs with the same value of the slot S

Other slots do not affect any score; groups, confusions and agreement can use them.

The leak is the gold text that no prediction covers, whatever its label. It is computed for all
mentions and for each label (see :mod:`clineval.kinds.mentions.leak`): ``leaked_characters`` of
``gold_characters``; ``leaked_mentions``, in which some characters leak, and
``leaked_whole_mentions``, in which all of them leak, of ``gold_mentions``. Keys with ``_share``
give the shares.

Options restrict overlapping pairs. Let G be the characters of the gold mention, P those of the
prediction, or their words or hulls with the option ``overlap``. Pairs of equal mentions always
count.

    min_overlap    |G and P| / |G| is at least this number
    iou            |G and P| / |G or P| is at least this number

Options add scores:

    tokens              P, R and F1 of words with a label instead of mentions: tokens_f1,
                        L_tokens_f1 of the label L, macro_tokens_f1. A word is a run of letters,
                        digits and underscores that lies completely inside a fragment. A word that
                        several mentions of a label share counts once. All documents need texts.
    weighted            means over labels, weighted by gold mentions: weighted_strict_f1
    beta                F-beta of every match, of each label, and its means: strict_fbeta

                            F = (1 + beta^2) P R / (beta^2 P + R)

    document_accuracy   documents without errors under ``strict``, or ``strict_slots`` if slots are
                        scored / all documents. A document without mentions on both sides is right.

    hierarchy           codes of spans with their ancestors (h_f1), at each level (level0_f1, ...)
                        and with CoPHE's counts (cophe_f1). The codes are the values of the slot
                        ``code_slot``. A code is compared with the codes of mentions with the same
                        fragments, label and other scored slots; docs/hierarchies.md has the
                        formulas

All scores lie between 0 and 1; a score whose denominator is 0 is 0.

Pairs are one to one. Mentions with the same fragments and label come first. Mentions with the same
fragments come next, except for ``lenient`` and ``type``. Overlapping mentions follow in the order
of the option ``order``; for ``type``, pairs with the same label precede all others. So no mention
counts twice, and the order of the input does not matter.

There is one protocol, ``spec``, because no challenge and no script stands behind this module. On
flat data with ``order="position"`` the counts of ``strict``, ``boundary`` and ``partial`` are the
same as nervaluate's (its ``strict``, ``exact`` and ``partial``). The counts of ``type`` are those
of its ``ent_type`` if no mention overlaps several mentions of the other side. If mentions of one
side overlap, nervaluate's counts depend on the order of the input.

Sources: Segura-Bedmar et al., SemEval-2013 Task 9; Chinchor and Sundheim, MUC-5 Evaluation Metrics.
"""

from __future__ import annotations

from dataclasses import replace

from clineval.challenges.clinical_spans.chosen import OPTIONS
from clineval.challenges.clinical_spans.codes import CODE_SLOT
from clineval.challenges.clinical_spans.further import CHOSEN
from clineval.challenges.clinical_spans.spec import ORDERS, SPEC
from clineval.formats.conll import options as tags
from clineval.kinds.codes.hierarchical import HierarchyScores
from clineval.kinds.mentions.labelled import MATCHES
from clineval.protocols.own_labels import parse_labels, parse_slots
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
        *CHOSEN,
        HierarchyScores(),
        ranking={},
        headline=(
            *("strict_f1", "strict_slots_f1", "lenient_f1"),
            *("boundary_f1", "partial_f1", "type_f1"),
            *("tokens_f1", "strict_fbeta", "document_accuracy", "h_f1"),
        ),
        shown_per_document=("strict_f1", "lenient_f1", "strict_tp", "strict_fp", "strict_fn"),
    ),
    options=(
        Option(
            "labels",
            "The labels to score, separated by commas; all by default.",
            None,
            "names",
            python="the labels to score, as a list; if None, all labels on either side.",
            parse=parse_labels,
        ),
        Option(
            "slots",
            "The slots to score, separated by commas, such as negated; none by default.",
            None,
            "names",
            python="the slots to score, as a list; if None, no slot is scored.",
            parse=parse_slots,
        ),
        Option(
            "overlap",
            "What overlapping mentions must share: a character of their fragments, a word, or "
            "(hull) a character of the fragments or the gaps between them.",
            "character",
            "choice",
            choices=("character", "word", "hull"),
        ),
        Option(
            "order",
            "Which overlapping pairs are matched first: closest (most shared characters, then the "
            "shortest in total), longest (the longest predictions) or position (left to right).",
            "closest",
            "choice",
            choices=tuple(ORDERS),
        ),
        Option(
            "touching", "Count mentions that only touch as overlapping.", default=False, kind="flag"
        ),
        *OPTIONS,
        CODE_SLOT,
        *tags.OPTIONS,
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
        ),
        validation_options=tags.OPTIONS,
    ),
)
