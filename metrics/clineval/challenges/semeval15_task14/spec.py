"""SemEval-2015 Task 14 read, paired and counted; ``__init__.py`` says how."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, Literal

import numpy as np

from clineval.base.arrays import BoolArray, Coded, IntArray
from clineval.base.errors import warn
from clineval.base.ratios import Columns, Number, Totals, precision_recall_f1, ratio
from clineval.challenges.semeval15_task14.collecting import collect
from clineval.formats.delimited.pipe import CUI, SLOTS
from clineval.formats.given.mentions import read_side
from clineval.formats.given.texts import with_texts
from clineval.kinds.mentions.columns import Side
from clineval.kinds.mentions.corpus import Corpus, Mentions, Reading, join_sides
from clineval.kinds.mentions.matching import agreement, others, outside, precedence, same_value
from clineval.kinds.mentions.outcomes import (
    MatchKind,
    Outcomes,
    Pairing,
    columns_of,
    join_pairings,
    list_matches,
    tally_matches,
)
from clineval.kinds.mentions.overlap import Overlap, find_candidates_in_parts, in_words
from clineval.kinds.mentions.pairing import Pairs, pair_greedily, pair_same_spans
from clineval.kinds.mentions.slots import Slot
from clineval.kinds.mentions.weights import (
    Weights,
    WeightTable,
    digest_weights,
    read_weights,
    weigh_by_prevalence,
)
from clineval.results.challenge import Setup, Steps

_RARE = 0.95
_FAINT = 2.0**-1000  # a power of two, so that sums and quotients of such weights are exact
SHARE_WEIGHTS: WeightTable = {
    "cui": 1.0,
    "negation": {"no": 0.21, "yes": 0.79},
    "subject": {"patient": 0.05, "family_member": _RARE, "other": _RARE, "doner_other": _RARE},
    "uncertainty": {"no": 0.07, "yes": 0.93},
    "course": {
        "unmarked": 0.05, "changed": _RARE, "increased": _RARE, "decreased": _RARE,
        "improved": _RARE, "worsened": _RARE, "resolved": _RARE,
    },
    "severity": {"unmarked": 0.08, "slight": _RARE, "moderate": _RARE, "severe": _RARE},
    "conditional": {"false": 0.06, "true": 0.94},
    "generic": {"false": 0.05, "true": _RARE},
    "body_location": {"NULL": 0.51, "CUI": 0.49},
}  # fmt: skip
"""The final official script's table, with its misspelt "doner_other"."""


@dataclass(frozen=True, slots=True)
class Rules:
    """The rules on which the protocols differ.

    Args:
        reading: how mentions are read.
        overlap: how overlap is measured.
        pairing: ``one_to_one``, or ``collecting`` as in the released script.
        locations: body locations agree if the sets are ``equal``, or if they ``intersect``.
        unlisted: the weight of a slot value that the table of weights does not name.
        least: what a weight of 0 weighs in its own slot's average. Beside any other weight it
            vanishes; where there are only such, the average is the unweighted one. With 0 it is 0.
    """

    reading: Reading
    overlap: Overlap
    pairing: Literal["one_to_one", "collecting"]
    locations: Literal["equal", "intersect"]
    unlisted: float
    least: float


SPEC = Rules(
    reading=Reading(),
    overlap=Overlap(reach=0, fragments="total"),
    pairing="one_to_one",
    locations="equal",
    unlisted=_RARE,
    least=_FAINT,
)
OFFICIAL = Rules(
    reading=Reading(strict=False, values="written", repeats="last", documents="gold"),
    overlap=Overlap(reach=1, fragments="largest"),
    pairing="collecting",
    locations="intersect",
    unlisted=0.0,
    least=0.0,
)
PROTOCOLS = {"spec": SPEC, "official": OFFICIAL}


def read(references: Any, predictions: Sequence[Any], setup: Setup) -> tuple[Side, list[Side]]:
    """Read both sides: pipe or JSON Lines files, pipe text, lists of dicts, or Documents."""
    strict = setup.rules.reading.strict
    gold = read_side(references, SLOTS, strict=strict, side="references")
    systems = [read_side(p, SLOTS, strict=strict, side="predictions") for p in predictions]
    return with_texts(gold, setup["texts"]), systems


def as_gold(gold: Side, side: Side, setup: Setup) -> Side:
    """Return an annotator's side with the notes' texts, read again only for other notes."""
    if setup["texts"] is not None and side.documents == gold.documents:
        return replace(side, texts=gold.texts)
    return with_texts(side, setup["texts"])


def join(gold: Side, predicted: Side, setup: Setup) -> Corpus:
    """Join both sides."""
    return join_sides(gold, predicted, SLOTS, setup.rules.reading)


def resolve(corpus: Corpus, setup: Setup) -> Setup:
    """Replace the value of the option ``weights`` by the weights that it asks for."""
    if setup.config == "task2a":
        _warn_of_other_spans(corpus)
    weights = choose_weights(setup["weights"], corpus.gold, setup.rules)
    return setup.with_options(weights=weights)


def whole(setup: Setup) -> str:
    """Say why parts cannot be counted alone: weights of references depend on all of them."""
    if setup["weights"] != "references":
        return ""
    return (
        "weights='references' depends on all references. Write the weights to a file first "
        "(clineval prevalence)"
    )


def settings(setup: Setup) -> Mapping[str, str]:
    """Return what the numbers depend on besides the protocol."""
    return {"overlap": setup["overlap"], "weights": setup["weights"].label}


def pair(corpus: Corpus, setup: Setup) -> Pairing:
    """Pair for all tasks: ``exact`` spans; ``strict``, ``relaxed`` (Task 1); ``span`` (Task 2)."""
    rules: Rules = setup.rules
    gold, prediction = corpus.gold, corpus.prediction
    likest = agreement(corpus, SLOTS)
    exact = pair_same_spans(corpus, likest)
    strict = exact.take(same_value(exact, corpus, CUI))
    one_to_one = rules.pairing == "one_to_one"
    candidates = find_candidates_in_parts(
        *_measured(corpus, setup["overlap"]),
        others(strict.gold, gold) if one_to_one else np.arange(len(gold)),
        others(strict.prediction, prediction),
        rules.overlap,
        corpus.documents,
    )
    order = (*precedence(corpus), *likest)
    relaxed, span = [], []
    for near in candidates:
        coded = near.take(same_value(near, corpus, CUI))
        open_ = outside(near.prediction, exact.prediction, len(prediction))
        if one_to_one:
            open_ &= outside(near.gold, exact.gold, len(gold))
            relaxed.append(pair_greedily(coded, order))
            alike = len(coded) == len(near) and open_.all()  # where all have one code
            span.append(relaxed[-1] if alike else pair_greedily(near.take(open_), order))
        else:
            relaxed.append(collect(coded, gold, prediction, exact, passed_over=strict.gold))
            span.append(collect(near.take(open_), gold, prediction))
    return {
        "exact": exact,
        "strict": strict,
        "relaxed": strict.replaced_by(relaxed),
        "span": exact.replaced_by(span),
    }


def match_kinds(setup: Setup) -> Mapping[str, MatchKind]:
    """Return what is counted of each pairing in the configuration."""
    compare = partial(_compare_slots, setup=setup)
    task1, task2 = setup.config in ("default", "task1"), setup.config != "task1"
    weigh = partial(_weigh_slots, setup=setup) if task2 else None
    return {
        "exact": MatchKind(compare=compare),
        "strict": MatchKind(columns_of("strict") if task1 else {}),
        "relaxed": MatchKind(columns_of("relaxed") if task1 else {}),
        "span": MatchKind(columns_of("span") if task2 else {}, compare, weigh),
    }


def tally(corpus: Corpus, pairing: Pairing, setup: Setup) -> Columns:
    """Return the counts of each document."""
    return tally_matches(corpus, pairing, match_kinds(setup))


def list_outcomes(corpus: Corpus, pairings: Sequence[Pairing], setup: Setup) -> Outcomes:
    """List what became of every mention."""
    pairing = join_pairings(corpus.blocks(), pairings)
    matches = list_matches(corpus, pairing, match_kinds(setup))
    return Outcomes.of(setup, corpus, matches, "span", any_class=True)


def choose_weights(source: str | WeightTable, gold: Mentions, rules: Rules) -> Weights:
    """Return the weights that the option ``weights`` asks for."""
    named = source if isinstance(source, str) else ""
    if named == "share":
        return Weights("share", SHARE_WEIGHTS, rules.unlisted)
    if named == "references":
        table = weigh_by_prevalence([gold], SLOTS)
        return Weights(f"references-{digest_weights(table)}", table, unlisted=1.0)
    return read_weights(source, SLOTS)


def prevalence(*references: Any) -> WeightTable:
    """Compute weights from gold corpora: one minus the prevalence of each value in all of them."""
    sides = [read_side(given, SLOTS, strict=True, side="references") for given in references]
    corpora = [join_sides(side, side, SLOTS, SPEC.reading).gold for side in sides]
    return weigh_by_prevalence(corpora, SLOTS)


def finish(totals: Totals, config: str) -> dict[str, Number]:
    """Return scores from totals, by the formulas of the specification."""
    scores: dict[str, Number] = {}
    if config in ("default", "task1"):
        scores |= precision_recall_f1("strict", totals)
        scores |= precision_recall_f1("relaxed", totals)
    if config == "task1":
        return scores
    scores |= precision_recall_f1("span", totals)
    pairs, f1 = totals["span_tp"], scores["span_f1"]
    scores["accuracy"] = ratio(totals["equal_slots"], pairs * len(SLOTS))
    scores["weighted_accuracy"] = ratio(totals["weighted_accuracy_sum"], pairs)
    scores["f1_x_accuracy"] = f1 * scores["accuracy"]
    scores["f1_x_weighted_accuracy"] = f1 * scores["weighted_accuracy"]
    for slot in SLOTS:
        equal, weight = totals[f"{slot.name}_equal_weight"], totals[f"{slot.name}_weight"]
        scores[f"{slot.name}_accuracy"] = ratio(totals[f"{slot.name}_equal"], pairs)
        scores[f"{slot.name}_weighted_accuracy"] = ratio(equal, weight)
    return scores


def _warn_of_other_spans(corpus: Corpus) -> None:
    """Warn of other spans than those that Task 2a gives, one for each disorder."""
    found = len(pair_same_spans(corpus, agreement(corpus, SLOTS)))
    warn(
        "Task 2a gives the spans, but {n} {disorder has|disorders have} no prediction with the "
        "same span: the accuracies leave out disorders that no prediction is paired with",
        n=len(corpus.gold) - found,
    )
    warn(
        "Task 2a gives the spans, but {n} {prediction is at another span|predictions are at other "
        "spans} or {repeats|repeat} one: unless paired with a disorder that overlaps, each is a "
        "false positive",
        n=len(corpus.prediction) - found,
    )


def _measured(corpus: Corpus, overlap: str) -> tuple[Any, Any]:
    gold, prediction = corpus.gold.columns, corpus.prediction.columns
    if overlap == "character":
        return gold, prediction
    return (
        in_words(gold, corpus.texts, corpus.documents),
        in_words(prediction, corpus.texts, corpus.documents),
    )


def _compare_slots(corpus: Corpus, pairs: Pairs, setup: Setup) -> dict[str, BoolArray]:
    """Tell for each slot which pairs agree in it by the protocol's rules, ``[p]``."""
    return {slot.name: _agree(corpus, pairs, slot, setup.rules) for slot in SLOTS}


def _agree(corpus: Corpus, pairs: Pairs, slot: Slot, rules: Rules) -> BoolArray:
    gold = corpus.gold.columns.attributes[slot.name]
    prediction = corpus.prediction.columns.attributes[slot.name]
    gold_ids, ids = gold.ids.take(pairs.gold), prediction.ids.take(pairs.prediction)
    equal: BoolArray = gold_ids == ids
    if slot.kind == "codes" and rules.locations == "intersect":
        equal |= _intersect(gold, gold_ids, ids, ~equal)
    return equal


def _weigh_slots(corpus: Corpus, pairs: Pairs, setup: Setup) -> Iterator[tuple[str, Any]]:
    """Yield names of counts, and what each pair adds to them, ``[p]``.

    ``<slot>_equal`` is whether the values agree; the others are weights in the slot's own average,
    and at the end the number of equal slots and the weighted accuracy of the pair, which is the
    unweighted one where all its slots weigh 0.
    """
    equal_slots = np.zeros(len(pairs), np.int8)
    equal_weight, weight = np.zeros(len(pairs)), np.zeros(len(pairs))
    for slot in SLOTS:
        equal = _agree(corpus, pairs, slot, setup.rules)
        gold = corpus.gold.columns.attributes[slot.name]
        of_value = setup["weights"].column(slot, gold.values)
        slot_weight = of_value.take(gold.ids.take(pairs.gold), mode="clip")
        slot_equal = slot_weight * equal
        equal_slots += equal
        equal_weight += slot_equal
        weight += slot_weight
        if not of_value.all():
            slot_weight = np.maximum(slot_weight, setup.rules.least)
            slot_equal = slot_weight * equal
        yield f"{slot.name}_equal", equal
        yield f"{slot.name}_equal_weight", slot_equal
        yield f"{slot.name}_weight", slot_weight
    yield "equal_slots", equal_slots
    weightless = weight == 0
    equal_weight[weightless], weight[weightless] = equal_slots[weightless], len(SLOTS)
    yield "weighted_accuracy_sum", np.asarray(ratio(equal_weight, weight))


def _intersect(column: Coded, gold: IntArray, ids: IntArray, rows: BoolArray) -> BoolArray:
    """Tell whether two sets of codes, joined by commas, share one; look at some rows only."""
    sets = [set(value.split(",")) for value in column.values]
    shared = np.zeros(len(gold), np.bool_)
    for row in np.flatnonzero(rows).tolist():
        shared[row] = not sets[gold[row]].isdisjoint(sets[ids[row]])
    return shared


STEPS = Steps(
    read,
    join,
    pair,
    tally,
    list_outcomes,
    as_gold=as_gold,
    resolve=resolve,
    whole=whole,
    settings=settings,
)
