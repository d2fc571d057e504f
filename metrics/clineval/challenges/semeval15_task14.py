"""SemEval-2015 Task 14, Analysis of Clinical Text: disorders, their codes and attributes.

Task 1 asks for disorder mentions and their codes (CUIs). Task 2 asks for nine slots of each
mention: the code, seven attributes with closed sets of values, and the body location; the spans
are given in Task 2a and to be found in Task 2b.

Task 1, for the mentions of all documents together (seed, eq. 1 to 3):

    P = tp / (tp + fp)        R = tp / (tp + fn)        F = 2 P R / (P + R)

Strict: a prediction is a true positive if a gold mention has the same fragments and the same
code. Relaxed: the same code, and at least one shared word. ``overlap="character"`` counts a
shared character, which is the same whenever annotations end at word boundaries;
``overlap="word"`` looks at the texts and counts words that lie wholly inside both mentions.

Task 2 pairs mentions that overlap, whatever their codes, and gives span P, R and F. With the
gold values gs_k and the predicted values ps_k of the K = 9 slots of a pair (eq. 4, 6, 11):

    accuracy          = mean over pairs of  sum_k [gs_k = ps_k] / K
    weighted_accuracy = mean over pairs of  sum_k w(gs_k) [gs_k = ps_k] / sum_k w(gs_k)

``f1_x_accuracy`` and ``f1_x_weighted_accuracy`` are their products with the span F (eq. 13).
``<slot>_weighted_accuracy`` is sum_i w(gs_i) [gs_i = ps_i] / sum_i w(gs_i) over the pairs i
(eq. 12), ``<slot>_accuracy`` the unweighted share. All scores lie between 0 and 1; a score whose
denominator is 0 is 0.

Pairing is one to one. Mentions with the same fragments come first, those that agree in code and
in most slots before others. The remaining overlapping pairs follow: longest prediction first
(total characters), then most shared characters, then gold start, then prediction start, then
agreement as before. Every prediction that is left is a false positive, every gold mention that
is left a false negative. Mentions of one document that agree in fragments, code and all slots
but the body location are one mention with all their locations.

Weights: ``"share"`` is the table of the final official script (one minus the prevalence in the
whole ShARe corpus, clamped to [.05, .95]); ``"references"`` computes one minus the prevalence in
the references given; a mapping or a JSON file is taken as it is.

``protocol="official"`` gives the released script's numbers, with its own rules throughout; where
they depend on Perl's hash order, those of a run that visits mentions in byte order.

Source: Elhadad et al., Evaluation Metrics for the SemEval-2015 Task 14, November 4, 2014.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from clineval.analysis.outcomes import Outcomes, match_mentions, matches_of
from clineval.arrays import BoolArray, Coded, FloatArray, IntArray
from clineval.challenge import Challenge, Difference, Grid
from clineval.counts import Counts
from clineval.digest import digest_documents
from clineval.errors import InputError
from clineval.formats.sides import read_side
from clineval.formats.texts import with_texts
from clineval.mentions.corpus import Corpus, Mentions, Reading, join_sides
from clineval.mentions.matching import (
    agreement,
    count_matches,
    others,
    outside,
    precedence,
    same_code,
)
from clineval.mentions.overlap import Overlap, find_candidates, in_words
from clineval.mentions.pairing import (
    Pairs,
    find_same_spans,
    pair_by_collecting,
    pair_greedily,
)
from clineval.mentions.slots import Slot
from clineval.mentions.weights import (
    Weights,
    WeightTable,
    digest_weights,
    read_weights,
    weigh_by_prevalence,
)
from clineval.scores import Number, Totals, precision_recall_f1, ratio
from clineval.validation.semeval15_task14 import find_problems

SLOTS = (
    Slot("cui", "code"),
    Slot("negation", "closed", ("no", "yes")),
    Slot(
        "subject",
        "closed",
        ("patient", "family_member", "donor_family_member", "donor_other", "null", "other"),
    ),
    Slot("uncertainty", "closed", ("no", "yes")),
    Slot(
        "course",
        "closed",
        ("unmarked", "changed", "increased", "decreased", "improved", "worsened", "resolved"),
    ),
    Slot("severity", "closed", ("unmarked", "slight", "moderate", "severe")),
    Slot("conditional", "closed", ("false", "true")),
    Slot("generic", "closed", ("false", "true")),
    Slot("body_location", "codes"),
)

Columns = dict[str, IntArray | FloatArray]
_RARE = 0.95
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
    """

    reading: Reading
    overlap: Overlap
    pairing: Literal["one_to_one", "collecting"]
    locations: Literal["equal", "intersect"]
    unlisted: float


SPEC = Rules(
    reading=Reading(strict=True, values="folded", repeats="merged", documents="all"),
    overlap=Overlap(reach=0, fragments="total"),
    pairing="one_to_one",
    locations="equal",
    unlisted=_RARE,
)
OFFICIAL = Rules(
    reading=Reading(strict=False, values="written", repeats="last", documents="gold"),
    overlap=Overlap(reach=1, fragments="largest"),
    pairing="collecting",
    locations="intersect",
    unlisted=0.0,
)
PROTOCOLS = {"spec": SPEC, "official": OFFICIAL}


@dataclass(frozen=True, slots=True, eq=False)
class Pairing:
    """The pairs of a corpus under one protocol.

    Args:
        strict: Task 1, same span and code.
        relaxed: Task 1, same code and overlap.
        span: Task 2, overlap.
    """

    strict: Pairs
    relaxed: Pairs
    span: Pairs


def count(  # noqa: PLR0913 - the options are the challenge's
    predictions: Any,
    references: Any,
    *,
    config: str = "default",
    protocol: str = "spec",
    overlap: str = "character",
    texts: Any = None,
    weights: str | WeightTable = "share",
) -> Counts:
    """Count matches document by document.

    Args:
        predictions: a path of pipe or JSON Lines files, pipe text, or for each document a list
            of dicts, a Document, or pipe text.
        references: as the predictions.
        config: ``default`` for all, ``task1``, ``task2a`` or ``task2b``.
        protocol: ``spec`` or ``official``.
        overlap: ``character`` or ``word``.
        texts: for ``overlap="word"``: the documents' texts as a list, as a mapping from
            document name to text, or as a directory of ``.txt`` files.
        weights: ``share``, ``references``, a mapping, or the path of a JSON file.
    """
    rules = PROTOCOLS[protocol]
    corpus = read_corpus(predictions, references, rules, texts)
    weighing = choose_weights(weights, corpus.gold, rules)
    blocks = [
        _count_block(block, pair(block, rules, overlap), config, weighing, rules)
        for block in corpus.blocks()
    ]
    return Counts(
        CHALLENGE.name,
        config,
        {"protocol": protocol, "overlap": overlap, "weights": weighing.label},
        tuple(blocks[0]),
        corpus.documents,
        np.concatenate([np.column_stack([*block.values()]) for block in blocks], dtype=np.float64),
        digest_documents(corpus.gold.columns, len(corpus.documents)),
    )


def read_corpus(predictions: Any, references: Any, rules: Rules, texts: Any = None) -> Corpus:
    """Both sides, as :func:`count` takes them."""
    strict = rules.reading.strict
    gold = read_side(references, SLOTS, strict=strict, side="references")
    predicted = read_side(predictions, SLOTS, strict=strict, side="predictions")
    return join_sides(with_texts(gold, texts), predicted, SLOTS, rules.reading)


def pair(corpus: Corpus, rules: Rules, overlap: str = "character") -> Pairing:
    """Pair the mentions of a corpus for all tasks.

    Args:
        corpus: the mentions of both sides.
        rules: the protocol's rules.
        overlap: ``character``, or ``word``, which needs the texts.
    """
    gold, prediction = corpus.gold, corpus.prediction
    same = find_same_spans(gold, prediction)
    exact = pair_greedily(same, lambda rivals: agreement(rivals, corpus, SLOTS))
    strict = exact.take(same_code(exact, corpus))
    open_golds = (
        others(strict.gold, gold) if rules.pairing == "one_to_one" else np.arange(len(gold))
    )
    near = find_candidates(
        *_measured(corpus, overlap),
        open_golds,
        others(strict.prediction, prediction),
        rules.overlap,
    )
    coded = near.take(np.flatnonzero(same_code(near, corpus)))
    if rules.pairing == "collecting":
        free = near.take(outside(near.prediction, exact.prediction, len(prediction)))
        return Pairing(
            strict,
            pair_by_collecting(strict, coded, gold, prediction, partners=same),
            pair_by_collecting(exact, free, gold, prediction),
        )
    free = near.take(
        outside(near.prediction, exact.prediction, len(prediction))
        & outside(near.gold, exact.gold, len(gold))
    )
    return Pairing(
        strict,
        strict + pair_greedily(coded, lambda rivals: precedence(rivals, corpus, SLOTS)),
        exact + pair_greedily(free, lambda rivals: precedence(rivals, corpus, SLOTS)),
    )


def choose_weights(source: str | WeightTable, gold: Mentions, rules: Rules) -> Weights:
    """The weights that the option ``weights`` asks for."""
    if source == "share":
        return Weights("share", SHARE_WEIGHTS, rules.unlisted)
    if source == "references":
        table = weigh_by_prevalence([gold], SLOTS)
        return Weights(f"references-{digest_weights(table)}", table, unlisted=1.0)
    return read_weights(source, SLOTS)


def prevalence(*references: Any) -> WeightTable:
    """Weights from gold corpora: one minus the prevalence of each value in all of them.

    Args:
        references: the corpora, each as in :func:`count`.
    """
    sides = [read_side(given, SLOTS, strict=True, side="references") for given in references]
    corpora = [join_sides(side, side, SLOTS, SPEC.reading).gold for side in sides]
    return weigh_by_prevalence(corpora, SLOTS)


def finish(totals: Totals, config: str) -> dict[str, Number]:
    """Scores from totals; see the top of the file for the formulas."""
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


def _measured(corpus: Corpus, overlap: str) -> tuple[Any, Any]:
    gold, prediction = corpus.gold.columns, corpus.prediction.columns
    if overlap == "character":
        return gold, prediction
    if overlap == "word":
        return (
            in_words(gold, corpus.texts, corpus.documents),
            in_words(prediction, corpus.texts, corpus.documents),
        )
    raise InputError(f"unknown overlap {overlap!r}, expected one of character, word")


def _count_block(
    corpus: Corpus, pairing: Pairing, config: str, weights: Weights, rules: Rules
) -> Columns:
    task1 = _count_task1(corpus, pairing) if config in ("default", "task1") else {}
    task2 = _count_task2(corpus, pairing, weights, rules) if config != "task1" else {}
    return {**task1, **task2}


def _count_task1(corpus: Corpus, pairing: Pairing) -> Columns:
    return {
        **count_matches("strict", pairing.strict, corpus),
        **count_matches("relaxed", pairing.relaxed, corpus),
    }


def _count_task2(corpus: Corpus, pairing: Pairing, weights: Weights, rules: Rules) -> Columns:
    """Matches, and for all slots of the pairs the equal ones and their weights."""
    pairs = pairing.span.take(np.argsort(pairing.span.gold, kind="stable"))
    add_up = _Sums(corpus.gold.columns.document[pairs.gold], len(corpus.documents))
    compared = compare_slots(corpus, pairs, weights, rules)
    sums: Columns = {column: add_up(values) for column, values in compared}
    return {**count_matches("span", pairing.span, corpus), **sums}


def compare_slots(
    corpus: Corpus, pairs: Pairs, weights: Weights, rules: Rules
) -> Iterator[tuple[str, Any]]:
    """Names of counts, and ``[p]`` for each pair what it adds to them.

    ``<slot>_equal`` is whether the values agree; the others are weights, and at the end the
    number of equal slots and the weighted accuracy of the pair.
    """
    equal_slots = np.zeros(len(pairs), np.int8)
    equal_weight, weight = np.zeros(len(pairs)), np.zeros(len(pairs))
    for slot in SLOTS:
        gold = corpus.gold.columns.attributes[slot.name]
        prediction = corpus.prediction.columns.attributes[slot.name]
        gold_ids, ids = gold.ids.take(pairs.gold), prediction.ids.take(pairs.prediction)
        equal = gold_ids == ids
        if slot.kind == "codes" and rules.locations == "intersect":
            equal |= _intersect(gold, gold_ids, ids, ~equal)
        slot_weight = weights.column(slot, gold.values).take(gold_ids, mode="clip")
        slot_equal = slot_weight * equal
        equal_slots += equal
        equal_weight += slot_equal
        weight += slot_weight
        yield f"{slot.name}_equal", equal
        yield f"{slot.name}_equal_weight", slot_equal
        yield f"{slot.name}_weight", slot_weight
    yield "equal_slots", equal_slots
    yield "weighted_accuracy_sum", np.asarray(ratio(equal_weight, weight))


def list_outcomes(  # noqa: PLR0913 - as count
    predictions: Any,
    references: Any,
    *,
    config: str = "default",
    protocol: str = "spec",
    overlap: str = "character",
    texts: Any = None,
    weights: str | WeightTable = "share",
) -> Outcomes:
    """What became of every mention; the arguments are those of :func:`count`."""
    rules = PROTOCOLS[protocol]
    corpus = read_corpus(predictions, references, rules, texts)
    weighing = choose_weights(weights, corpus.gold, rules)
    pairing = pair(corpus, rules, overlap)
    matches = {}
    if config in ("default", "task1"):
        for name, pairs in (("strict", pairing.strict), ("relaxed", pairing.relaxed)):
            matches[name] = match_mentions(pairs, corpus, matches_of(name))

    def compare() -> Iterator[tuple[str, Any]]:
        return compare_slots(corpus, pairing.span, weighing, rules)

    equal = {
        column.removesuffix("_equal"): values
        for column, values in compare()
        if column.endswith("_equal")
    }
    task2 = {} if config == "task1" else {"sums": compare}
    columns = {} if config == "task1" else matches_of("span")
    matches["span"] = match_mentions(pairing.span, corpus, columns, equal=equal, **task2)
    return Outcomes(
        CHALLENGE.name,
        config,
        corpus.documents,
        corpus.gold.columns,
        corpus.prediction.columns,
        matches,
        "span",
    )


class _Sums:
    """Adds up values of pairs document by document; the pairs are sorted by document."""

    def __init__(self, document: IntArray, size: int) -> None:
        self._size = size
        self._starts = np.flatnonzero(np.diff(document, prepend=-1))
        self._documents = document[self._starts]

    def __call__(self, values: Any) -> FloatArray:
        sums = np.zeros(self._size)
        if len(self._starts):
            sums[self._documents] = np.add.reduceat(values, self._starts, dtype=np.float64)
        return sums


def _intersect(column: Coded, gold: IntArray, ids: IntArray, rows: BoolArray) -> BoolArray:
    """Whether two sets of codes, written with commas, share one; looks at some rows only."""
    sets = [set(value.split(",")) for value in column.values]
    shared = np.zeros(len(gold), np.bool_)
    for row in np.flatnonzero(rows).tolist():
        shared[row] = not sets[gold[row]].isdisjoint(sets[ids[row]])
    return shared


_PRF = ("P", "R", "F1", "TP", "FP", "FN")


def _prf_keys(prefix: str) -> tuple[str, ...]:
    return tuple(f"{prefix}_{name}" for name in ("precision", "recall", "f1", "tp", "fp", "fn"))


CHALLENGE = Challenge(
    name="semeval15_task14",
    title="SemEval-2015 Task 14: Analysis of Clinical Text",
    configs={
        "default": "Task 1 and Task 2",
        "task1": "disorder mentions and their codes",
        "task2a": "slots of disorders whose spans are given",
        "task2b": "disorders and their slots, end to end",
    },
    protocols=PROTOCOLS,
    differences=(
        Difference(
            "documents without a gold mention",
            "predictions in them are false positives",
            "are not visited, predictions in them do not count",
            "q2_extradoc",
        ),
        Difference(
            "touching spans",
            "do not overlap: ends are exclusive",
            "overlap: 10-20 and 20-25",
            "q3_touch",
        ),
        Difference(
            "how much two discontiguous mentions share",
            "the characters that all their fragments share",
            "the most that one fragment of each shares",
            "q11_frag",
        ),
        Difference(
            "several overlapping predictions",
            "the longest prediction comes first",
            "the one that shares most comes first, of equals the last in byte order",
            "q11_longspan",
        ),
        Difference(
            "a prediction that another one displaces",
            "is free for another gold mention, else a false positive",
            "cannot serve another gold mention; in Task 2 an exact match can be displaced and "
            "then counts as nothing",
            "q1_displaced",
        ),
        Difference(
            "a gold mention whose span was predicted for another one",
            "is paired like any other",
            "is passed over in Task 1 relaxed",
            "q13_headskip",
        ),
        Difference(
            "repeated spans",
            "equal mentions are one, all others count",
            "collapse; the last line wins, body locations accumulate",
            "q4_golddup",
        ),
        Difference(
            "order and spelling of fragments",
            "do not matter",
            "must be the same for an exact match",
            "q6_order",
        ),
        Difference(
            "several body locations",
            "the sets must be equal",
            "the sets must intersect",
            "q9_multibl",
        ),
        Difference(
            "subject donor_other, donor_family_member and null",
            "weigh .95, as rare values do",
            "weigh 0: the table misspells or forgets them",
            "q8_donor_wrong",
        ),
        Difference(
            "absent slots (3 columns)",
            "have their default values",
            "are empty values, which equal no default",
            "q16_3col",
        ),
        Difference(
            "malformed input",
            "an error",
            "taken as it is: reversed spans never overlap, unknown values compare as strings",
            "q18_reverse",
        ),
    ),
    count=count,
    finish=finish,
    grids=(
        Grid(
            "Task 1: disorder mentions",
            _PRF,
            {"strict": _prf_keys("strict"), "relaxed": _prf_keys("relaxed")},
        ),
        Grid("Task 2: spans", _PRF, {"overlap": _prf_keys("span")}),
        Grid(
            "Task 2: slots of true positives",
            ("accuracy", "F1 × accuracy"),
            {
                "unweighted": ("accuracy", "f1_x_accuracy"),
                "weighted": ("weighted_accuracy", "f1_x_weighted_accuracy"),
            },
        ),
        Grid(
            "Task 2: each slot",
            ("accuracy", "weighted"),
            {s.name: (f"{s.name}_accuracy", f"{s.name}_weighted_accuracy") for s in SLOTS},
        ),
    ),
    homepage="https://alt.qcri.org/semeval2015/task14/",
    citation="""\
@inproceedings{elhadad-etal-2015-semeval,
    title = "{S}em{E}val-2015 Task 14: Analysis of Clinical Text",
    author = "Elhadad, No{\\'e}mie and Pradhan, Sameer and Gorman, Sharon and Manandhar, Suresh
        and Chapman, Wendy and Savova, Guergana",
    booktitle = "Proceedings of the 9th International Workshop on Semantic Evaluation",
    year = "2015",
    pages = "303--310",
    doi = "10.18653/v1/S15-2051",
}""",
    headline=(
        "strict_f1",
        "relaxed_f1",
        "span_f1",
        "weighted_accuracy",
        "f1_x_accuracy",
        "f1_x_weighted_accuracy",
    ),
    validate=lambda paths: find_problems(paths, SLOTS),
    outcomes=list_outcomes,
)
