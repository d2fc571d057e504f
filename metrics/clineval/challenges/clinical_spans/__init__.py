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

from collections.abc import Callable, Collection, Mapping

from clineval.base.ratios import prf_keys
from clineval.challenges.clinical_spans.reading import (
    SLOTS,
    find_problems,
    parse_labels,
    parse_slots,
)
from clineval.challenges.clinical_spans.slots import READING, STRICT_SLOTS
from clineval.challenges.clinical_spans.spec import MATCHES, MEASURES, NAMES, ORDERS, STEPS, finish
from clineval.challenges.labelled_spans import labelled_page
from clineval.formats.given.texts import option_of_texts
from clineval.kinds.mentions.labelled import MATCHES as PAGE_MATCHES
from clineval.kinds.mentions.labelled import PRF_HEADINGS, grid_of_means, grid_of_prf
from clineval.kinds.mentions.leak import HEADINGS, SHARES, grid_of_leak, leak_keys
from clineval.kinds.mentions.tagged import as_mentions
from clineval.results.challenge import Challenge
from clineval.results.faces import Faces
from clineval.results.measures import Grid, Measures
from clineval.results.options import Option
from clineval.results.task import ClassSlot, Demo, Task

_OF_MEASURE = ("precision", "recall", "f1", "cor", "inc", "par", "mis", "spu")


def _rows_of_labels(
    keys: tuple[str, ...],
) -> Callable[[Collection[str]], Mapping[str, tuple[str, ...]]]:
    """Return a function that finds the rows of a table of any labels in the keys of a score."""
    ending = f"_{keys[-1]}"

    def find(scores: Collection[str]) -> Mapping[str, tuple[str, ...]]:
        labels = [key.removesuffix(ending) for key in scores if key.endswith(ending)]
        return {label: tuple(f"{label}_{key}" for key in keys) for label in labels}

    return find


def _row_with_slots(scores: Collection[str]) -> Mapping[str, tuple[str, ...]]:
    """Find the row of strict matches with slots in the keys of a score."""
    keys = prf_keys(STRICT_SLOTS)
    return {"all": keys} if keys[0] in scores else {}


def _rows_of_slots(scores: Collection[str]) -> Mapping[str, tuple[str, ...]]:
    """Find the rows of the table of slots in the keys of a score."""
    endings = [f"_{match}_accuracy" for match in MATCHES]
    slots = [key.removesuffix(endings[0]) for key in scores if key.endswith(endings[0])]
    return {slot: tuple(f"{slot}{ending}" for ending in endings) for slot in slots}


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
        kind="mentions",
        class_slot=ClassSlot("label", "label"),
        definition=__doc__,
        file=__file__,
    ),
    protocols=STEPS.under({"spec": READING}),
    measures=Measures(
        finish=finish,
        grids=(
            grid_of_prf("Labelled spans", {name: name for name in (*MATCHES, "boundary")}),
            Grid("Strict, with slots", PRF_HEADINGS, {}, _row_with_slots),
            Grid("Accuracy of slots in pairs", MATCHES, {}, _rows_of_slots),
            Grid(
                "SemEval-2013 Task 9",
                (*PRF_HEADINGS[:3], "COR", "INC", "PAR", "MIS", "SPU"),
                {name: tuple(f"{name}_{key}" for key in _OF_MEASURE) for name in MEASURES},
            ),
            *(
                Grid(f"Labels, {match}", PRF_HEADINGS, {}, _rows_of_labels(prf_keys(match)))
                for match in MATCHES
            ),
            grid_of_means("Mean of the labels", NAMES),
            grid_of_leak("What no prediction covers"),
            Grid("Labels, what no prediction covers", HEADINGS, {}, _rows_of_labels(leak_keys())),
        ),
        less_is_better=SHARES,
        headline=(
            "strict_f1",
            "strict_slots_f1",
            "lenient_f1",
            "boundary_f1",
            "partial_f1",
            "type_f1",
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
        option_of_texts(
            "reports and --overlap word", 'for overlap="word": the text of each document.'
        ),
    ),
    demo=Demo(
        "Labelled spans: problems, tests and treatments of six notes",
        "gold.jsonl",
        {"dictionary": "dictionary.jsonl", "tagger": "tagger.jsonl"},
    ),
    faces=Faces(
        page=labelled_page(
            SLOTS,
            scored=(*MATCHES, "boundary"),
            matches={**PAGE_MATCHES, "overlap/span": "partial"},
            free=True,
        ),
        validate=find_problems,
        build=as_mentions(label="label"),
    ),
)
