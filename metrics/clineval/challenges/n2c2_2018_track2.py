"""n2c2 2018 Track 2: adverse drug events and medication in discharge summaries.

Concepts are labelled spans of nine types: Drug, Strength, Duration, Route, Form, ADE, Dosage,
Reason, Frequency. Relations go from an attribute to its drug and are of eight types, such as
Strength-Drug. The configuration ``concepts`` is task 1 of the challenge; ``relations`` is task 2
where the system was given the gold concepts, and task 3, end to end, where it was not; ``default``
scores both.

For each type, and for all of them together (micro), with tp, fp, fn summed over documents:

    P = tp / (tp + fp)        R = tp / (tp + fn)        F1 = 2 P R / (P + R)

    strict      concepts: same type, same fragments; relations: same type, both arguments strict
    lenient     concepts: same type, a character in common (a gap between fragments has none);
                relations: same type, both arguments lenient, source with source

Macro is the mean over documents, as the released script has it, and not over types: of each
document P, R and F1 of all types together, 0 where a denominator is 0; documents in which neither
side has a concept (a relation) are left out.

All scores lie between 0 and 1; a score whose denominator is 0 is 0.

Annotations are paired one to one within a document. Identical pairs come first. Of the lenient
pairs that are left those with most characters in common come first (of relations: the sum over both
arguments); then those with fewest characters in the union; then by type and fragments of the gold
annotation, then of the prediction. Relations are paired by themselves: whether an argument was
paired plays no role. What is left are false positives and false negatives. Copies within a
document (same type and fragments; relations: same type and arguments) are one annotation.

A file names its document; what only one side has counts as missed or as spurious, with a warning.
Types and relation types are compared as they are written, and others than those above are refused.

The body of the challenge's paper was not at hand: this definition is reconstructed from what the
released script and its comments intend, with the choices that it leaves open made so that no order
of lines matters.

``protocol="official"`` gives the numbers of the released script, ``Track2-evaluate-ver4.py``, with
its own rules throughout.

Sources: Henry et al., 2018 n2c2 shared task on adverse drug events and medication extraction in
electronic health records, JAMIA 27 (2020); for the differences, what the released script does.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import numpy as np

from clineval.arrays import BoolArray, Coded, FloatArray, IntArray
from clineval.challenge import Challenge, ClassSlot, Demo, Difference, Grid, Setup
from clineval.challenges import n2c2_2018_track2_lines as lines
from clineval.challenges import n2c2_2018_track2_rules as script
from clineval.formats import brat_columns
from clineval.inputs.relations import find_problems, read_related
from clineval.mentions.closeness import closest
from clineval.mentions.corpus import Corpus, Reading
from clineval.mentions.matching import others, same_spans, same_value
from clineval.mentions.outcomes import (
    Match,
    MatchKind,
    Outcomes,
    columns_of,
    join_pairings,
    list_matches,
)
from clineval.mentions.overlap import SHARED, Candidates, find_candidates_in_parts
from clineval.mentions.pairing import Pairs, find_same_spans, pair_greedily
from clineval.mentions.slots import Slot
from clineval.ratios import Columns, Number, Totals, precision_recall_f1, prf_keys, ratio
from clineval.relations.columns import NO_RELATIONS, RelatedSide
from clineval.relations.corpus import RelatedCorpus, join_related
from clineval.relations.outcomes import UnitCorpus
from clineval.relations.pairing import pair_by_partners, pair_others, partners_of
from clineval.views import DocView, MentionView, PairCheck, Preset, check_prf, short_prf

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
SPEC = Reading(strict=True, values="folded", repeats="merged", documents="all")
PROTOCOLS: Mapping[str, Reading | None] = {"spec": SPEC, "official": None}
"""How mentions are read; the released script has its own ways."""
Pairing = Mapping[str, Pairs]
"""``concepts_strict`` and so on to the pairs, in rows of mentions or of relations."""


def label_key(label: str) -> str:
    """What a type is called in keys.

    Examples:
        >>> label_key("ADE"), label_key("Strength-Drug")
        ('ade', 'strength_drug')
    """
    return label.lower().replace("-", "_")


def kinds_of(config: str) -> tuple[str, ...]:
    """What a configuration scores."""
    return tuple(LABELS) if config == "default" else (config,)


def read(
    references: Any, predictions: Sequence[Any], setup: Setup
) -> tuple[RelatedSide, list[RelatedSide]]:
    """Both sides: brat's files or text, JSON Lines, dicts of mentions and relations, Documents."""
    spec = setup.protocol == "spec"
    slot, labels = (LABEL, RELATIONS) if spec else (ANY_LABEL, ())
    read_one = partial(
        read_related, slot=slot, labels=labels, text_format=brat_columns if spec else lines
    )
    gold = read_one(references, side="references")
    return gold, [read_one(given, side="predictions") for given in predictions]


def join(gold: RelatedSide, predicted: RelatedSide, setup: Setup) -> Any:
    """Both sides together; without relations where they are not scored."""
    if setup.config == "concepts":
        gold, predicted = (replace(side, relations=NO_RELATIONS) for side in (gold, predicted))
    if setup.protocol == "official":
        return script.join_sides(gold, predicted, LABEL.name)
    return join_related(gold, predicted, [LABEL], setup.rules)


def pair(corpus: Any, setup: Setup) -> Pairing:
    """Strict and lenient pairs of what is scored."""
    kinds = kinds_of(setup.config)
    if setup.protocol == "official":
        return script.pair(corpus, kinds, LABEL)
    mentions = corpus.mentions
    same = find_same_spans(mentions.gold, mentions.prediction)
    same = same.take(same_value(same, mentions, LABEL))
    found: dict[str, Pairs] = {}
    if "concepts" in kinds:
        found |= {"concepts_strict": same, "concepts_lenient": _pair_lenient(mentions, same)}
    if "relations" in kinds:
        strict = pair_by_partners(corpus, partners_of(same, len(mentions.prediction)))
        near = partial(_find_near, mentions, labelled=True)
        found |= {
            "relations_strict": strict,
            "relations_lenient": pair_others(corpus, strict, near),
        }
    return found


def _pair_lenient(corpus: Corpus, certain: Pairs, *, labelled: bool = True) -> Pairs:
    """The certain pairs, and overlapping ones of what is left."""
    left = others(certain.gold, corpus.gold), others(certain.prediction, corpus.prediction)
    near = _find_near(corpus, *left, labelled=labelled)
    order = closest(corpus)
    return Pairs.joined([certain, *(pair_greedily(some, order) for some in near)])


def _find_near(
    corpus: Corpus, gold: IntArray, prediction: IntArray, *, labelled: bool
) -> Iterator[Candidates]:
    """Overlapping pairs among some mentions: of equal type, or all."""
    sides = corpus.gold.columns, corpus.prediction.columns
    for near in find_candidates_in_parts(*sides, gold, prediction, SHARED, corpus.documents):
        yield near.take(same_value(near, corpus, LABEL)) if labelled else near


@dataclass(frozen=True, slots=True, eq=False)
class Counted:
    """What is counted: the concepts or the relations of both sides.

    Args:
        documents: how many documents there are.
        document: ``[n]`` of either side, the document of each.
        label: ``[n]`` of either side, its type.
        twins: of either side what is counted as one, where the released script does so.
    """

    documents: int
    document: tuple[IntArray, IntArray]
    label: tuple[Coded, Coded]
    twins: tuple[IntArray, IntArray] | None

    @classmethod
    def of(cls, corpus: Any, kind: str) -> Counted:
        """The concepts or the relations of a corpus."""
        related, size = getattr(corpus, "related", corpus), len(corpus.documents)
        twins = getattr(corpus, "twins", {}).get(kind)
        if kind == "relations":
            relations = related.gold, related.prediction
            documents = relations[0].document, relations[1].document
            return cls(size, documents, (relations[0].label, relations[1].label), twins)
        gold, prediction = related.mentions.gold.columns, related.mentions.prediction.columns
        labels = gold.attributes[LABEL.name], prediction.attributes[LABEL.name]
        return cls(size, (gold.document, prediction.document), labels, twins)

    def either(self) -> BoolArray:
        """``[documents]``, whether either side has one."""
        sizes = sum(np.bincount(side, minlength=self.documents) for side in self.document)
        some: BoolArray = np.asarray(sizes) > 0
        return some

    def count(self, pairs: Pairs, labels: Sequence[str]) -> dict[str, IntArray]:
        """``tp``, ``fp`` and ``fn``, ``[documents, 1 + labels]``: of all types, then of each."""
        system = np.ones(len(self.document[1]), np.bool_)
        system[pairs.displaced] = False
        golds = np.arange(len(self.document[0]))
        tp = self._tabulate(1, pairs.prediction, labels)
        found = self._tabulate(1, np.flatnonzero(system), labels)
        return {"tp": tp, "fp": found - tp, "fn": self._tabulate(0, golds, labels) - tp}

    def _tabulate(self, side: int, rows: IntArray, labels: Sequence[str]) -> IntArray:
        """How many of some rows there are in each document: of all types, and of each."""
        places = {label: at for at, label in enumerate(labels)}
        values = self.label[side].values
        number = np.array([places.get(value, len(labels)) for value in values], np.int64)
        of_row = number[self.label[side].ids[rows]] if len(rows) else rows
        document, width = self.document[side][rows].astype(np.int64), len(labels) + 1
        if self.twins is None:
            cells = np.bincount(document * width + of_row, minlength=self.documents * width)
            table = cells.reshape(-1, width)
            return np.column_stack([table.sum(axis=1), table[:, :-1]])
        twins = self.twins[side][rows]
        of_each = self._count_once(document * width + of_row, twins, width).reshape(-1, width)
        return np.column_stack([self._count_once(document, twins, 1), of_each[:, :-1]])

    def _count_once(self, cells: IntArray, twins: IntArray, width: int) -> IntArray:
        distinct = np.unique(np.column_stack([cells, twins]), axis=0)
        return np.bincount(distinct[:, 0], minlength=self.documents * width)


def tally(corpus: Any, pairing: Pairing, setup: Setup) -> Columns:
    """The counts of each document, and what the means over documents are made of."""
    columns: dict[str, Any] = {}
    for kind in kinds_of(setup.config):
        sides = Counted.of(corpus, kind)
        for mode in MODES:
            columns |= _tally(sides, pairing[f"{kind}_{mode}"], kind, mode)
        counts = sides.either() | (setup.protocol == "official")
        columns |= _score_documents(columns, kind, counts)
    return columns


def _tally(sides: Counted, pairs: Pairs, kind: str, mode: str) -> dict[str, IntArray]:
    """True and false positives and false negatives: of all types, and of each."""
    prefixes = [f"{kind}_micro_{mode}", *(f"{label_key(x)}_{mode}" for x in LABELS[kind])]
    columns: dict[str, IntArray] = {}
    for verdict, table in sides.count(pairs, LABELS[kind]).items():
        columns |= {f"{prefix}_{verdict}": table[:, at] for at, prefix in enumerate(prefixes)}
    return columns


def _score_documents(counted: Columns, kind: str, counts: Any) -> dict[str, FloatArray]:
    """P, R and F1 of each document that counts, to be added up."""
    columns: dict[str, FloatArray] = {f"{kind}_macro_documents": counts.astype(np.float64)}
    for mode in MODES:
        tp, fp, fn = (counted[f"{kind}_micro_{mode}_{verdict}"] for verdict in ("tp", "fp", "fn"))
        precision, recall = ratio(tp, tp + fp), ratio(tp, tp + fn)
        f1 = ratio(2 * (precision * recall), precision + recall)
        for name, values in zip(_PRF, (precision, recall, f1), strict=True):
            columns[f"{kind}_macro_{mode}_{name}_sum"] = values * counts
    return columns


_PRF = ("precision", "recall", "f1")


def finish(totals: Totals, config: str) -> dict[str, Number]:
    """Scores from totals; see the top of the file for the formulas."""
    scores: dict[str, Number] = {}
    for kind in kinds_of(config):
        for mode in MODES:
            scores |= precision_recall_f1(f"{kind}_micro_{mode}", totals)
            for name in _PRF if f"{kind}_macro_documents" in totals else ():
                key = f"{kind}_macro_{mode}_{name}"
                scores[key] = ratio(totals[f"{key}_sum"], totals[f"{kind}_macro_documents"])
            for label in LABELS[kind]:
                scores |= precision_recall_f1(f"{label_key(label)}_{mode}", totals)
    return scores


def list_outcomes(corpus: Any, pairings: Sequence[Pairing], setup: Setup) -> Outcomes:
    """What became of every concept and every relation; a relation has the words of both arguments.

    ``concepts_strict`` and the like list all types, ``drug_strict`` and the like those of one,
    ``strict`` and ``lenient`` concepts and relations together; ``exact`` and ``overlap`` pair
    annotations of different types too, the former those of the same fragments.
    """
    related: RelatedCorpus = getattr(corpus, "related", corpus)
    whole = _join(corpus, pairings)
    units = _units_of(related, setup)
    found: dict[str, Match] = {}
    for name, pairs in whole.items():
        found |= _list_units(units, name, pairs)
    widest = whole if setup.protocol == "official" else _pair_any(related, whole)
    joined = {mode: _join_kinds(units, whole, mode) for mode in MODES}
    joined["overlap"] = overlap = _join_kinds(units, widest, "lenient")
    sides = units.corpus.gold.columns, units.corpus.prediction.columns
    joined["exact"] = joined["strict"]
    if widest is not whole:
        same = same_spans(sides[0], overlap.gold, sides[1], overlap.prediction)
        joined["exact"] = overlap.take(same)
    found |= list_matches(units.corpus, joined, dict.fromkeys(joined, MatchKind()))
    return Outcomes(CHALLENGE, setup.config, related.documents, *sides, found, "overlap", finish)


def _units_of(corpus: RelatedCorpus, setup: Setup) -> UnitCorpus:
    return UnitCorpus.of(corpus, LABEL.name, alone=setup.config == "relations")


def _join_kinds(units: UnitCorpus, pairing: Pairing, mode: str) -> Pairs:
    """The pairs of concepts and of relations together."""
    nobody = Pairs(*[np.zeros(0, np.int64)] * 2)
    return units.join(*(pairing.get(f"{kind}_{mode}", nobody) for kind in LABELS))


def _join(corpus: Any, pairings: Sequence[Pairing]) -> dict[str, Pairs]:
    """The pairs of a corpus from those of its blocks."""
    if len(pairings) == 1:
        return dict(pairings[0])
    blocks: list[Any] = list(corpus.blocks())
    joined: dict[str, Any] = {}
    for kind, parts in (("concepts", [block.mentions for block in blocks]), ("relations", blocks)):
        of_kind = [{n: p for n, p in each.items() if n.startswith(kind)} for each in pairings]
        joined |= join_pairings(parts, of_kind)
    return joined


def _list_units(units: UnitCorpus, name: str, pairs: Pairs) -> dict[str, Match]:
    """The outcomes of one kind under one match: all, and those of each type."""
    kind, mode = name.split("_")
    of = "mentions" if kind == "concepts" else kind
    match = units.list_match(of, pairs, columns_of(f"{kind}_micro_{mode}"))
    columns = units.corpus.gold.columns.attributes, units.corpus.prediction.columns.attributes
    number = match.choose(*(side[LABEL.name].ids for side in columns))
    values = columns[0][LABEL.name].values
    found = {name: match}
    for label in LABELS[kind]:
        key = f"{label_key(label)}_{mode}"
        rows = np.flatnonzero(number == values.index(label)) if label in values else number[:0]
        found[key] = _take(match, rows, columns_of(key))
    return found


def _take(match: Match, rows: IntArray, columns: Mapping[str, tuple[str, ...]]) -> Match:
    """Some of the outcomes, which are counted elsewhere."""
    sides = match.gold[rows], match.prediction[rows], match.verdict[rows]
    return Match(*sides, match.verdicts, columns)


def _pair_any(corpus: RelatedCorpus, pairing: Pairing) -> dict[str, Pairs]:
    """The lenient pairs, and of what is left whatever overlaps, whatever its type."""
    found = {}
    if "concepts_lenient" in pairing:
        pairs = _pair_lenient(corpus.mentions, pairing["concepts_lenient"], labelled=False)
        found["concepts_lenient"] = pairs
    if "relations_lenient" in pairing:
        sides = (
            replace(side, label=Coded(np.zeros(len(side), np.int8), ("",)))
            for side in (corpus.gold, corpus.prediction)
        )
        alike = RelatedCorpus(corpus.mentions, *sides)
        near = partial(_find_near, corpus.mentions, labelled=False)
        found["relations_lenient"] = pair_others(alike, pairing["relations_lenient"], near)
    return found


def _grid(kind: str, title: str, mode: str) -> Grid:
    prefixes = {label: f"{label_key(label)}_{mode}" for label in LABELS[kind]}
    rows = {name: prf_keys(prefix) for name, prefix in prefixes.items()}
    rows["micro"] = prf_keys(f"{kind}_micro_{mode}")
    rows["macro (documents)"] = tuple(f"{kind}_macro_{mode}_{name}" for name in _PRF)
    return Grid(f"{title}, {mode}", ("P", "R", "F1", "TP", "FP", "FN"), rows)


def _checks(kind: str) -> tuple[PairCheck, ...]:
    some = {"classes": RELATIONS} if kind == "relations" else {"without": RELATIONS}
    modes = {"exact": "strict", "overlap": "lenient"}
    return tuple(
        check
        for match, mode in modes.items()
        for check in check_prf(f"{kind}_micro_{mode}", match, "both", **some)
    )


CHALLENGE = Challenge(
    name="n2c2_2018_track2",
    kind="relations",
    title="n2c2 2018 Track 2: Adverse drug events and medication",
    configs={
        "default": "concepts and relations",
        "concepts": "task 1: drugs, what is said of them, adverse drug events",
        "relations": "tasks 2 and 3: what belongs to which drug",
    },
    protocols=PROTOCOLS,
    differences=(
        Difference(
            "documents on one side only",
            "count as missed or as spurious",
            "are skipped",
            "q15_files_on_one_side",
        ),
        Difference(
            "surplus predictions on one gold annotation",
            "are false positives",
            "are dropped",
            "q01_spare_prediction",
        ),
        Difference(
            "a prediction over a taken and a free gold annotation",
            "pairs with the free one",
            "is dropped, and uses up the free one",
            "q03a_order",
        ),
        Difference(
            "a prediction over several gold annotations",
            "pairs with one, the others stay free",
            "pairs with one, all become taken",
            "q06_overlapping_gold_copy",
        ),
        Difference("order of lines", "does not matter", "decides who is paired", "q03b_order"),
        Difference(
            "copies of an annotation",
            "are one",
            "are dropped among predictions, and separate in the gold standard",
            "q05_duplicate_gold_copy",
        ),
        Difference(
            "fragments",
            "all count, and nothing in a gap",
            "only the first start and the last end; from four fragments on those of the line "
            "before",
            "q07a_discontiguous_hull_strict",
        ),
        Difference("other types", "are refused", "count in the overall scores", "q11_type_outside"),
        Difference(
            "arguments of a relation",
            "are told by Arg1 and Arg2",
            "are told by their order",
            "q17b_relation_roles_by_position",
        ),
        Difference(
            "macro scores",
            "leave documents without annotations out",
            "count such documents as 0",
            "q14_empty_documents",
        ),
        Difference(
            "malformed lines",
            "are refused",
            "are skipped, or mean what the line before says, or stop the script",
            "q08a_four_fragments",
        ),
        Difference(
            "empty and reversed spans",
            "are refused",
            "match strictly and not leniently",
            "q24a_zero_length_same",
        ),
        Difference("repeated ids", "are refused", "the last one counts", "q10a_id_twice"),
    ),
    read=read,
    join=join,
    pair=pair,
    tally=tally,
    finish=finish,
    list_outcomes=list_outcomes,
    class_slot=ClassSlot("label", "label"),
    view=MentionView(
        checks=(*_checks("concepts"), *_checks("relations")),
        presets=tuple(
            Preset(f"{kind} {mode}", match, "both", f"{kind}_micro_{mode}_f1")
            for kind in LABELS
            for match, mode in (("exact", "strict"), ("overlap", "lenient"))
        ),
        slots=lambda _: (ANY_LABEL,),
        modes=("Strict", "Lenient"),
        matches={
            "exact/span": "exact",
            "overlap/span": "overlap",
            "exact/both": "strict",
            "overlap/both": "lenient",
        },
        units=lambda corpus, setup: _units_of(getattr(corpus, "related", corpus), setup).corpus,
        sources=lambda corpus, setup: _units_of(getattr(corpus, "related", corpus), setup).sources,
    ),
    docs=DocView(
        prefix="n18",
        names={
            **short_prf("concepts_micro_lenient", "c_len"),
            **short_prf("concepts_micro_strict", "c_str"),
            **short_prf("relations_micro_lenient", "r_len"),
            **short_prf("relations_micro_strict", "r_str"),
        },
        columns={
            "default": ("concepts_micro_lenient_f1", "relations_micro_lenient_f1"),
            "concepts": ("concepts_micro_lenient_f1", "concepts_micro_strict_f1"),
            "relations": ("relations_micro_lenient_f1", "relations_micro_strict_f1"),
        },
        group="clin",
        slots=lambda _: (ANY_LABEL,),
        format="brat",
        take=list,
        relations="id",
    ),
    ranking={
        "default": ("concepts_micro_lenient_f1", "relations_micro_lenient_f1"),
        "concepts": ("concepts_micro_lenient_f1",),
        "relations": ("relations_micro_lenient_f1",),
    },
    scripts=("n2c2-2018-track2",),
    notes_apart=True,
    demo=Demo(
        "n2c2 2018 Track 2: drugs, what is said of them, and their adverse effects",
        "gold",
        {"rules": "rules", "tagger": "tagger"},
    ),
    grids=tuple(
        _grid(kind, title, mode)
        for kind, title in (("concepts", "Concepts"), ("relations", "Relations"))
        for mode in MODES
    ),
    homepage="https://n2c2.dbmi.hms.harvard.edu/2018-challenge",
    citation="""\
@article{henry-etal-2020-n2c2,
    title = "2018 n2c2 shared task on adverse drug events and medication extraction in electronic
        health records",
    author = {Henry, Sam and Buchan, Kevin and Filannino, Michele and Stubbs, Amber and Uzuner,
        {\\"O}zlem},
    journal = "Journal of the American Medical Informatics Association",
    volume = "27",
    number = "1",
    year = "2020",
    pages = "3--12",
    doi = "10.1093/jamia/ocz166",
}""",
    headline=(
        "concepts_micro_lenient_f1",
        "concepts_micro_strict_f1",
        "relations_micro_lenient_f1",
        "relations_micro_strict_f1",
    ),
    shown_per_document=tuple(
        f"{kind}_micro_lenient_{name}" for kind in LABELS for name in ("tp", "fp", "fn", "f1")
    ),
    validate=lambda paths: find_problems(paths, LABEL, RELATIONS),
)
