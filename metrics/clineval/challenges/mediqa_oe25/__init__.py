"""MEDIQA-OE 2025: medical orders from the dialogues of doctors and patients.

An order has a description, an order_type (medication, lab, imaging or followup), and it may have a
reason and a provenance, the numbers of the dialogue's turns that it comes from. It has no other
place. Orders of an encounter are paired one to one. Of paired and of unpaired orders:

    match_precision, match_recall, match_f1    orders; pairs are right
    strict_...         descriptions; right where those of a pair are equal
    order_type_...     types; right where those of a pair are equal
    description_...    shares of words, reason_... the same, provenance_... shares of turns

        precision = tp / (tp + fp)      recall = tp / (tp + fn)      F1 = 2 tp / (2 tp + fp + fn)

of the first three, over all orders. With a share of words,

    precision = mean over predicted orders of common / words of the prediction
    recall    = mean over gold orders of common / words of the gold order

over the orders that say something in the field, where common counts the words of both orders of a
pair, each as often as both have it (clipped counts, as ROUGE-1 has them), and is 0 of an order
without a partner; F1 is the harmonic mean of the two means. ``average_f1``, by which the challenge
ranks, is the mean of the F1 of description, reason, order_type and provenance, without those that
neither side has. All lie between 0 and 1, and are 0 where nothing is divided by.

Orders are paired so that the sum of the F1 of their descriptions' words is largest. Of pairings
that are equally good the one with more equal types counts, then the one with more common words of
reasons, then that with more common turns, then that with more pairs; at last the alphabet decides,
so that the order of orders never matters. Orders without a common word in their descriptions are no
pair.

Words compare without case; without commas, question and exclamation marks, and points that do not
stand between digits; with a blank for a dash after a digit; and without other marks at their ends.
Turns are sets: 3, 3.0 and "3" are the same turn, and anything else is a wrong one.

A predicted order without a description or with another type counts as a false positive, with a
warning, and is in no pair; a reason or a provenance that is no text, or no list, is wrong. In the
gold standard all these are refused. Encounters of one side count: all missed, or all spurious.

``protocol="official"`` gives the released program's numbers: see ``clineval describe mediqa_oe25
--full``. Its scores of whole orders and encounters compare what Python writes of them, brackets and
names included; only its stand-in, ``clineval official mediqa-oe-2025``, has them.

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
            spec: have the most words in common, of both sides
            official: have the most gold words, so that a long prediction is as good as an exact one
        ties (o03b)
            spec: are decided by type, reason and turns, then by the alphabet
            official: are decided by the order of the orders
        a word that stands twice (o07)
            spec: counts as often as both have it
            official: counts each time that the other side has it at all
        12.5 and 125 (o10)
            spec: differ
            official: are equal
        brackets, semicolons and quotation marks at the ends of words (o09)
            spec: make no difference
            official: make another word
        a predicted order of another type, or without description (o14)
            spec: is a false positive; in the gold standard it is refused
            official: is dropped on both sides
        Medication. with a point (o15)
            spec: is medication
            official: is dropped
        turns that stand twice (o23)
            spec: count once
            official: count each time
        3.0 as a turn, and words (o26)
            spec: is 3; are wrong
            official: are ignored
        types that are null, a provenance that is a word or a number (o17)
            spec: are scored
            official: are refused
        fields that neither side has (o04)
            spec: are left out of the mean
            official: count as 0
        encounters of one side only (o33)
            spec: count, with a warning
            official: count; clineval official refuses them, as the program does
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
