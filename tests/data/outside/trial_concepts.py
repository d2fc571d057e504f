"""A small challenge from outside of the package: concepts and what is asserted of them.

A concept is a problem, a test or a treatment; its class slot is called ``type``, and must be said.
Strict: the same span and type; lenient: the same type, and a character in common. Scores are
precision, recall and F1 of each type, of all together (micro), and their mean (macro).
``assertion_accuracy`` is the share of strict pairs with the same assertion. ``boundary`` and
``overlap`` pair concepts whatever their type; what was taken for what is seen in these.

This is all that its author writes, besides the entry point

    [clineval.challenges]
    trial_concepts = trial_concepts:CHALLENGE
"""

from functools import partial

from clineval.base.ratios import ratio
from clineval.formats.given.mentions import read_side
from clineval.kinds.mentions.corpus import Reading, join_sides
from clineval.kinds.mentions.labelled import MATCHES, LabelScheme, pair_all
from clineval.kinds.mentions.matching import same_value
from clineval.kinds.mentions.outcomes import (
    MatchKind,
    Outcomes,
    join_pairings,
    list_matches,
    tally_matches,
)
from clineval.kinds.mentions.slots import Slot
from clineval.kinds.mentions.tagged import as_mentions
from clineval.results.challenge import Challenge, Steps
from clineval.results.faces import Faces
from clineval.results.measures import Measures
from clineval.results.task import ClassSlot, Task
from clineval.results.views import MentionView, Preset, check_prf

TYPE = Slot("type", "closed", ("problem", "test", "treatment"), required=True)
ASSERTION = Slot("assertion", "closed", ("present", "absent", "possible"))
SLOTS = (TYPE, ASSERTION)
READING = Reading()
SCHEME = LabelScheme(TYPE, TYPE.values, slots=SLOTS)


def read(references, predictions, setup):  # noqa: ARG001
    """Lists of dicts, Documents, or JSON Lines."""
    read_one = partial(read_side, slots=SLOTS, strict=True)
    gold = read_one(references, side="references")
    return gold, [read_one(given, side="predictions") for given in predictions]


def join(gold, predicted, setup):  # noqa: ARG001
    """Both sides together."""
    return join_sides(gold, predicted, SLOTS, READING)


def pair(corpus, setup):  # noqa: ARG001
    """Strict and lenient pairs, and those whatever the type: boundary and overlap."""
    return pair_all(corpus, *SLOTS)


def weigh(corpus, pairs):
    """Which pairs have the same assertion."""
    yield "assertion_correct", same_value(pairs, corpus, ASSERTION)


ASSERTED = {"strict": MatchKind(weigh=weigh)}


def tally(corpus, pairing, setup):  # noqa: ARG001
    """The counts of each document."""
    return SCHEME.tally(corpus, pairing) | tally_matches(corpus, pairing, ASSERTED)


def list_outcomes(corpus, pairings, setup):
    """What became of every concept."""
    pairing = join_pairings(corpus.blocks(), pairings)
    [asserted] = list_matches(corpus, pairing, ASSERTED).values()
    wider = list_matches(corpus, pairing, dict.fromkeys(("boundary", "overlap"), MatchKind()))
    matches = {**SCHEME.list_matches(corpus, pairing), **wider, "asserted": asserted}
    return Outcomes.of(setup, corpus, matches, "overlap", any_class=True)


def finish(totals, config):  # noqa: ARG001
    """Scores from totals."""
    accuracy = ratio(totals["assertion_correct"], totals["strict_tp"])
    return SCHEME.finish(totals) | {"assertion_accuracy": accuracy}


CHALLENGE = Challenge(
    Task(
        name="trial_concepts",
        title="Trial: concepts and assertions",
        homepage="https://example.org/",
        citation="@misc{trial}",
        configs={"default": "concepts and what is asserted of them"},
        kind="mentions",
        class_slot=ClassSlot("type", "concept"),
        definition=__doc__,
        file=__file__,
    ),
    protocols=Steps(read, join, pair, tally, list_outcomes).under({"spec": READING}),
    measures=Measures(
        finish=finish,
        grids=SCHEME.grids("Concepts"),
        headline=("strict_f1", "lenient_f1", "assertion_accuracy"),
    ),
    faces=Faces(
        page=MentionView(
            checks=(
                *check_prf("strict", "exact", "both"),
                *check_prf("lenient", "overlap", "both"),
            ),
            presets=(Preset("strict", "exact", "both", "strict_f1"),),
            slots=lambda _: SLOTS,
            matches=MATCHES,
        ),
        build=as_mentions(label="type"),
    ),
)
