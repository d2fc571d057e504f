"""MEDIQA-OE 2025: medical orders from dialogues between doctors and patients.

An order has a description and an order_type (medication, lab, imaging or followup). It may also
have a reason and a provenance: the numbers of the dialogue turns that it comes from. It has no
offsets in the text. Orders of an encounter are paired one to one. Precision, recall and F1 are
computed for:

    match_precision, match_recall, match_f1    orders; every pair is a true positive
    strict_...         descriptions; a true positive is a pair with equal descriptions
    order_type_...     types; a true positive is a pair with equal types
    description_...    shares of words; reason_... the same; provenance_... shares of turns

        precision = tp / (tp + fp)      recall = tp / (tp + fn)      F1 = 2 tp / (2 tp + fp + fn)

The formulas above apply to the first three, over all orders. For a share of words,

    precision = mean over predicted orders of common / words of the prediction
    recall    = mean over gold orders of common / words of the gold order

where each mean covers the orders that fill the field. ``common`` is the number of words that both
orders of a pair contain, each counted as often as both contain it (clipped counts, as in ROUGE-1).
It is 0 for an order without a partner. F1 is the harmonic mean of the two means. ``average_f1``,
which ranks systems in the challenge, is the mean F1 of description, reason, order_type and
provenance, without fields that neither side fills. All scores lie between 0 and 1; a score whose
denominator is 0 is 0.

Orders are paired so that the sum of the F1 of their descriptions' words is largest. Ties are broken
by the number of equal types, then by the common words of reasons, then by the common turns, then by
the number of pairs, and finally by alphabetical order. The order of orders therefore never matters.
Orders whose descriptions share no word are never paired.

Words are compared without case. Commas, question and exclamation marks are removed, and so are
periods that do not stand between digits. A dash after a digit becomes a blank. Other marks at the
ends of words are removed. Turns are sets: 3, 3.0 and "3" are the same turn, and any other value is
a wrong turn.

A predicted order without a description, or with another type, is a false positive with a warning,
and is never paired. A predicted reason that is not a text is wrong, and so is a provenance that is
not a list. In the gold standard all these are rejected. If only one side has an encounter,
everything in it counts as missed or spurious.

``protocol="official"`` gives the numbers of the released program: see
``clineval describe mediqa_oe25 --full``. The program also scores whole orders and encounters by
comparing their Python representations, including brackets and names. Only its stand-in,
``clineval official mediqa-oe-2025``, computes these scores.

Source: MEDIQA-OE 2025, https://github.com/jpcorb20/mediqa-oe; overview, arXiv 2510.26974, table 1;
ROUGE-1: Lin 2004.
"""

from __future__ import annotations

from dataclasses import replace

from clineval.challenges.mediqa_oe25.official import OFFICIAL
from clineval.challenges.mediqa_oe25.spec import SPEC
from clineval.results.challenge import Challenge
from clineval.results.differences import list_differences
from clineval.results.task import Demo, Task

CHALLENGE = Challenge(
    Task(
        name="mediqa_oe25",
        title="MEDIQA-OE 2025: medical orders from dialogues",
        homepage="https://github.com/jpcorb20/mediqa-oe",
        citation="""\
@misc{corbeil-etal-2025-mediqa-oe,
    title = "Overview of the {MEDIQA-OE} 2025 Shared Task on Medical Order Extraction from
        Doctor-Patient Consultations",
    author = "Corbeil, Jean-Philippe and Ben Abacha, Asma and Tremblay, J{\\'e}r{\\^o}me and
        Swazinna, Phillip and Jeeson Daniel, Akila and Del-Agua, Miguel and Beaulieu, Francois",
    eprint = "2510.26974",
    archivePrefix = "arXiv",
    year = "2025",
}""",
        configs={"default": "orders and their fields"},
        definition=__doc__,
        file=__file__,
    ),
    {"spec": SPEC, "official": OFFICIAL},
    differences=list_differences("""
        pairs (o02)
            spec: share the most words, relative to both sides
            official: cover the most gold words, so that a long prediction is as good as an exact
                one
        ties (o03b)
            spec: are broken by type, reason and turns, then alphabetically
            official: are broken by the order of the orders
        a repeated word (o07)
            spec: counts as often as both sides contain it
            official: counts every time if the other side contains it at all
        12.5 and 125 (o10)
            spec: differ
            official: are equal
        brackets, semicolons and quotation marks at the ends of words (o09)
            spec: make no difference
            official: make a different word
        a predicted order with another type, or without a description (o14)
            spec: is a false positive; in the gold standard it is rejected
            official: is dropped on both sides
        Medication. with a period (o15)
            spec: is medication
            official: is dropped
        repeated turns (o23)
            spec: count once
            official: count each time
        3.0 or a word as a turn (o26)
            spec: 3.0 is 3; a word is wrong
            official: is ignored
        types that are null, a provenance that is a word or a number (o17)
            spec: are scored
            official: are rejected
        fields that neither side fills (o04)
            spec: are left out of the mean
            official: count as 0
        encounters on one side only (o33)
            spec: count, with a warning
            official: count; clineval official rejects them, as the program does
    """),
    demo=Demo(
        "MEDIQA-OE 2025: a prompted model and rules on 6 invented encounters",
        "gold.json",
        {"model": "model.json", "rules": "rules.json"},
        headline=3,
    ),
    faces=replace(
        SPEC.faces,
        printed="clineval.challenges.mediqa_oe25.printed",
        scripts=("mediqa-oe-2025",),
    ),
)
