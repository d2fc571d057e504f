"""n2c2 2018 Track 2 by its definition, which the package's docstring states."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import numpy as np

from clineval.base.arrays import BoolArray, Coded, FloatArray, IntArray
from clineval.base.ratios import Columns, Number, Totals, precision_recall_f1, ratio
from clineval.formats.given.relations import read_related
from clineval.kinds.mentions.closeness import closest
from clineval.kinds.mentions.corpus import Corpus, Reading
from clineval.kinds.mentions.labelled import PRF, label_key
from clineval.kinds.mentions.match import Match
from clineval.kinds.mentions.matching import others, same_spans, same_value
from clineval.kinds.mentions.outcomes import (
    ANY_CLASS,
    MatchKind,
    Outcomes,
    columns_of,
    join_pairings,
    list_matches,
)
from clineval.kinds.mentions.overlap import SHARED, Candidates, find_candidates_in_parts
from clineval.kinds.mentions.pairing import NO_PAIRS, Pairs, find_same_spans, pair_greedily
from clineval.kinds.mentions.slots import Slot
from clineval.kinds.relations.columns import NO_RELATIONS, RelatedSide
from clineval.kinds.relations.corpus import RelatedCorpus, join_related
from clineval.kinds.relations.outcomes import UnitCorpus
from clineval.kinds.relations.pairing import (
    pair_any_class,
    pair_by_partners,
    pair_others,
    partners_of,
)
from clineval.results.challenge import Setup, Steps

CONCEPTS = (
    "Drug", "Strength", "Duration", "Route", "Form", "ADE", "Dosage", "Reason", "Frequency",
)  # fmt: skip
RELATIONS = (
    "Strength-Drug", "Dosage-Drug", "Duration-Drug", "Frequency-Drug", "Form-Drug", "Route-Drug",
    "Reason-Drug", "ADE-Drug",
)  # fmt: skip
LABELS = {"concepts": CONCEPTS, "relations": RELATIONS}
MODES = ("strict", "lenient")
LABEL = Slot("label", "label", CONCEPTS, required=True)
ANY_LABEL = Slot("label", "label", required=True)
Pairing = Mapping[str, Pairs]
"""``concepts_strict`` and so on to the pairs, in rows of mentions or of relations."""


def kinds_of(config: str) -> tuple[str, ...]:
    """Return what a configuration scores."""
    return tuple(LABELS) if config == "default" else (config,)


def read(
    references: Any, predictions: Sequence[Any], setup: Setup
) -> tuple[RelatedSide, list[RelatedSide]]:
    """Read both sides: brat files or text, JSON Lines, dicts, Documents."""
    del setup
    read_one = partial(read_related, slot=LABEL, labels=RELATIONS)
    gold = read_one(references, side="references")
    return gold, [read_one(given, side="predictions") for given in predictions]


def without_unscored(side: RelatedSide, setup: Setup) -> RelatedSide:
    """Return a side without relations where they are not scored."""
    return replace(side, relations=NO_RELATIONS) if setup.config == "concepts" else side


def join(gold: RelatedSide, predicted: RelatedSide, setup: Setup) -> RelatedCorpus:
    """Bring both sides together, without relations where they are not scored."""
    gold, predicted = (without_unscored(side, setup) for side in (gold, predicted))
    return join_related(gold, predicted, [LABEL], Reading())


def pair(corpus: RelatedCorpus, setup: Setup) -> Pairing:
    """Return the strict and lenient pairs of what is scored."""
    kinds, mentions = kinds_of(setup.config), corpus.mentions
    same = find_same_spans(mentions)
    same = same.take(same_value(same, mentions, LABEL))
    found: dict[str, Pairs] = {}
    if "concepts" in kinds:
        found |= {"concepts_strict": same, "concepts_lenient": _pair_lenient(mentions, same)}
    if "relations" in kinds:
        strict = pair_by_partners(corpus, partners_of(same, len(mentions.prediction)))
        near = partial(_find_near, mentions)
        found |= {
            "relations_strict": strict,
            "relations_lenient": pair_others(corpus, strict, near),
        }
    return found


def _pair_lenient(corpus: Corpus, certain: Pairs) -> Pairs:
    """Return the certain pairs, and overlapping ones of what is left."""
    left = others(certain.gold, corpus.gold), others(certain.prediction, corpus.prediction)
    near = _find_near(corpus, *left)
    order = closest(corpus)
    return Pairs.joined([certain, *(pair_greedily(some, order) for some in near)])


def _find_near(corpus: Corpus, gold: IntArray, prediction: IntArray) -> Iterator[Candidates]:
    """Yield overlapping pairs of equal type among some mentions."""
    sides = corpus.gold.columns, corpus.prediction.columns
    for near in find_candidates_in_parts(*sides, gold, prediction, SHARED, corpus.documents):
        yield near.take(same_value(near, corpus, LABEL))


@dataclass(frozen=True, slots=True, eq=False)
class Counted:
    """Annotations to be counted: the concepts or the relations of both sides.

    Args:
        documents: how many documents there are.
        document: ``[n]`` of either side, the document of each.
        label: ``[n]`` of either side, its type.
    """

    documents: int
    document: tuple[IntArray, IntArray]
    label: tuple[Coded, Coded]

    @classmethod
    def of(cls, corpus: RelatedCorpus, kind: str) -> Counted:
        """Return the concepts or the relations of a corpus."""
        gold, prediction = corpus.mentions.gold.columns, corpus.mentions.prediction.columns
        labels = gold.attributes[LABEL.name], prediction.attributes[LABEL.name]
        documents = gold.document, prediction.document
        if kind == "relations":
            documents = corpus.gold.document, corpus.prediction.document
            labels = corpus.gold.label, corpus.prediction.label
        return Counted(len(corpus.documents), documents, labels)

    def visited(self) -> BoolArray:
        """Tell of each document, ``[documents]``, whether the means count it: if it has any."""
        sizes = sum(np.bincount(side, minlength=self.documents) for side in self.document)
        some: BoolArray = np.asarray(sizes) > 0
        return some

    def count(self, pairs: Pairs, labels: Sequence[str]) -> dict[str, IntArray]:
        """Return tp, fp and fn, ``[documents, 1 + labels]``: of all types, then of each."""
        system = np.ones(len(self.document[1]), np.bool_)
        system[pairs.displaced] = False
        golds = np.arange(len(self.document[0]))
        tp = self.tabulate(1, pairs.prediction, labels)
        found = self.tabulate(1, np.flatnonzero(system), labels)
        return {"tp": tp, "fp": found - tp, "fn": self.tabulate(0, golds, labels) - tp}

    def tabulate(self, side: int, rows: IntArray, labels: Sequence[str]) -> IntArray:
        """Count some rows in each document: of all types, and of each."""
        places = {label: at for at, label in enumerate(labels)}
        values = self.label[side].values
        number = np.array([places.get(value, len(labels)) for value in values], np.int64)
        of_row = number[self.label[side].ids[rows]] if len(rows) else rows
        cells = self.document[side][rows].astype(np.int64) * (len(labels) + 1) + of_row
        counts = np.bincount(cells, minlength=self.documents * (len(labels) + 1))
        table = counts.reshape(-1, len(labels) + 1)
        return np.column_stack([table.sum(axis=1), table[:, :-1]])


def tally(corpus: RelatedCorpus, pairing: Pairing, setup: Setup) -> Columns:
    """Count each document, and what the means over documents are made of."""
    return tally_kinds({k: Counted.of(corpus, k) for k in kinds_of(setup.config)}, pairing)


def tally_kinds(counted: Mapping[str, Counted], pairing: Pairing) -> Columns:
    """Count what of each kind is to be counted."""
    columns: dict[str, Any] = {}
    for kind, sides in counted.items():
        for mode in MODES:
            columns |= _tally(sides, pairing[f"{kind}_{mode}"], kind, mode)
        columns |= _score_documents(columns, kind, sides.visited())
    return columns


def _tally(sides: Counted, pairs: Pairs, kind: str, mode: str) -> dict[str, IntArray]:
    """Count true positives, false positives and false negatives: of all types, and of each."""
    prefixes = [f"{kind}_micro_{mode}", *(f"{label_key(x)}_{mode}" for x in LABELS[kind])]
    columns: dict[str, IntArray] = {}
    for verdict, table in sides.count(pairs, LABELS[kind]).items():
        columns |= {f"{prefix}_{verdict}": table[:, at] for at, prefix in enumerate(prefixes)}
    return columns


def _score_documents(counted: Columns, kind: str, counts: Any) -> dict[str, FloatArray]:
    """Return P, R and F1 of each document that counts, to be added up."""
    columns: dict[str, FloatArray] = {f"{kind}_macro_documents": counts.astype(np.float64)}
    for mode in MODES:
        tp, fp, fn = (counted[f"{kind}_micro_{mode}_{verdict}"] for verdict in ("tp", "fp", "fn"))
        precision, recall = ratio(tp, tp + fp), ratio(tp, tp + fn)
        f1 = ratio(2 * (precision * recall), precision + recall)
        for name, values in zip(PRF, (precision, recall, f1), strict=True):
            columns[f"{kind}_macro_{mode}_{name}_sum"] = values * counts
    return columns


def finish(totals: Totals, config: str) -> dict[str, Number]:
    """Compute scores from totals, by the formulas of the specification."""
    scores: dict[str, Number] = {}
    for kind in kinds_of(config):
        for mode in MODES:
            scores |= precision_recall_f1(f"{kind}_micro_{mode}", totals)
            for name in PRF if f"{kind}_macro_documents" in totals else ():
                key = f"{kind}_macro_{mode}_{name}"
                scores[key] = ratio(totals[f"{key}_sum"], totals[f"{kind}_macro_documents"])
            for label in LABELS[kind]:
                scores |= precision_recall_f1(f"{label_key(label)}_{mode}", totals)
    return scores


def list_outcomes(corpus: RelatedCorpus, pairings: Sequence[Pairing], setup: Setup) -> Outcomes:
    """List what became of every concept and relation; a relation has the words of its arguments.

    ``concepts_strict`` and the like list all types, ``drug_strict`` and the like those of one,
    ``strict`` and ``lenient`` concepts and relations together; ``any_class`` pairs annotations of
    different types too. So do ``overlap`` and, for the same fragments, ``exact``, except under the
    released script's rules.
    """
    whole = _join(corpus, pairings)
    units = units_of(corpus, setup)
    found: dict[str, Match] = {}
    for name, pairs in whole.items():
        found |= _list_units(units, name, pairs)
    joined = {mode: _join_kinds(units, whole, mode) for mode in MODES}
    lenient = (whole.get(f"{kind}_lenient", NO_PAIRS) for kind in LABELS)
    joined[ANY_CLASS] = widest = units.join(*pair_any_class(corpus, *lenient))
    sides = units.corpus.gold.columns, units.corpus.prediction.columns
    same = same_spans(sides[0], widest.gold, sides[1], widest.prediction)
    official = setup.protocol == "official"
    joined["exact"] = joined["strict"] if official else widest.take(same)
    joined["overlap"] = joined["lenient"] if official else widest
    found |= list_matches(units.corpus, joined, dict.fromkeys(joined, MatchKind()))
    return Outcomes.of(setup, corpus, found, ANY_CLASS, sides)


def units_of(corpus: RelatedCorpus, setup: Setup) -> UnitCorpus:
    """Put mentions and relations in one table, as far as they are scored."""
    return UnitCorpus.of(corpus, LABEL.name, alone=setup.config == "relations")


def _join_kinds(units: UnitCorpus, pairing: Pairing, mode: str) -> Pairs:
    """Return the pairs of concepts and of relations together."""
    return units.join(*(pairing.get(f"{kind}_{mode}", NO_PAIRS) for kind in LABELS))


def _join(corpus: RelatedCorpus, pairings: Sequence[Pairing]) -> dict[str, Pairs]:
    """Return the pairs of a corpus from those of its blocks."""
    if len(pairings) == 1:
        return dict(pairings[0])
    blocks: list[Any] = list(corpus.blocks())
    joined: dict[str, Any] = {}
    for kind, parts in (("concepts", [block.mentions for block in blocks]), ("relations", blocks)):
        of_kind = [{n: p for n, p in each.items() if n.startswith(kind)} for each in pairings]
        joined |= join_pairings(parts, of_kind)
    return joined


def _list_units(units: UnitCorpus, name: str, pairs: Pairs) -> dict[str, Match]:
    """List the outcomes of one kind under one match: all, and those of each type."""
    kind, mode = name.split("_")
    of = "mentions" if kind == "concepts" else kind
    match = units.list_match(of, pairs, columns_of(f"{kind}_micro_{mode}"))
    columns = {label: f"{label_key(label)}_{mode}" for label in LABELS[kind]}
    parts = units.split(match, LABEL.name, {x: columns_of(key) for x, key in columns.items()})
    return {name: match, **dict(zip(columns.values(), parts, strict=True))}


STEPS = Steps(read, join, pair, tally, list_outcomes)
