"""eHealth-KD 2020 read, paired and counted; ``ehealthkd20.py`` says how."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

import numpy as np

from clineval.base.arrays import IntArray
from clineval.base.errors import InputError, warn
from clineval.base.files import find_path
from clineval.base.ratios import Columns, Number, Totals, ratio
from clineval.challenges.ehealthkd20 import matching
from clineval.challenges.ehealthkd20.corpus import SentenceCorpus, kinds_in, labels_in
from clineval.challenges.ehealthkd20.documents import read_documents
from clineval.challenges.ehealthkd20.passes import match_as_program, pair_as_program
from clineval.challenges.ehealthkd20.programs import read_as_program
from clineval.challenges.ehealthkd20.reading import read_collection
from clineval.challenges.ehealthkd20.sentences import (
    PHRASES,
    RELATIONS,
    Collection,
    Sentence,
    find_collections,
)
from clineval.formats.brat import standoff
from clineval.formats.given.relations import read_related
from clineval.formats.jsonl import is_jsonl
from clineval.kinds.mentions.labelled import label_key
from clineval.kinds.mentions.match import Match
from clineval.kinds.mentions.outcomes import ANY_CLASS, MatchKind, Outcomes, list_matches
from clineval.kinds.mentions.pairing import NO_PAIRS, Pairs
from clineval.kinds.mentions.slots import Slot
from clineval.kinds.relations.corpus import RelatedCorpus
from clineval.kinds.relations.outcomes import UnitCorpus
from clineval.kinds.relations.pairing import pair_any_class
from clineval.results.challenge import Setup, Steps

LABEL = Slot("label", "label", required=True)
LABELS = {"phrases": PHRASES, "relations": RELATIONS}
KINDS = {
    "phrases": ("correct", "incorrect", "partial", "spurious", "missing"),
    "relations": ("correct", "spurious", "missing"),
}
PROTOCOLS = {"spec": False, "official": True}


def kinds_of(config: str) -> tuple[str, ...]:
    """Return what a configuration scores."""
    return {"taskA": ("phrases",), "taskB": ("relations",)}.get(config, tuple(KINDS))


class _NoText:
    """Text that is not JSON: annotations without their text cannot be read."""

    FILES: str = standoff.FILES

    @staticmethod
    def read_side(*_: Any) -> Any:
        raise InputError("expected a path, or documents with 'text', 'mentions' and 'relations'")

    read_strings = read_side


def read(
    references: Any, predictions: Sequence[Any], setup: Setup
) -> tuple[list[Collection], list[list[Collection]]]:
    """Read both sides: texts with annotations beside them, JSON Lines, dicts, Documents."""
    gold = _read_one(references, "references", setup)
    return gold, [_read_one(given, "predictions", setup) for given in predictions]


def _read_one(given: Any, side: str, setup: Setup) -> list[Collection]:
    edition = setup["edition"] if setup.protocol == "official" else ""
    gold = side == "references"
    path = find_path(given) if isinstance(given, (str,)) or hasattr(given, "__fspath__") else None
    if path is None or is_jsonl(given, _NoText.FILES):
        documents = read_related(given, LABEL, (), side=side, text_format=_NoText())
        return read_documents(documents, gold=gold, edition=edition)
    pattern = "*put_*.txt" if edition == "2019" else "*.txt"
    if edition:
        return find_collections(given, partial(read_as_program, edition=edition), pattern)
    return find_collections(given, partial(read_collection, gold=gold), pattern)


def join(gold: list[Collection], predicted: list[Collection], setup: Setup) -> SentenceCorpus:
    """Pair sentences, and keep the evaluated ones."""
    pairs: list[tuple[Sentence, Sentence]] = []
    for one, other in matching.pair_collections(gold, predicted):
        if setup.protocol == "official":
            pairs += pair_as_program(one.sentences, other.sentences, setup["edition"])
        else:
            pairs += matching.pair_sentences(one.sentences, other.sentences)
    if setup.protocol == "spec" and setup["evaluated"] == "all":
        return SentenceCorpus.of(pairs)
    kept = [pair for pair in pairs if pair[0].is_annotated or not pair[0].name]
    left = sum(pair[1].is_annotated for pair in pairs) - sum(pair[1].is_annotated for pair in kept)
    warn("predictions in {n} {sentence|sentences} without gold annotations do not count", n=left)
    return SentenceCorpus.of(kept)


def settings(setup: Setup) -> Mapping[str, str]:
    """Return what the numbers depend on besides the protocol."""
    if setup.protocol == "official":
        return {"edition": setup["edition"]}
    return {"same_as": setup["same_as"], "evaluated": setup["evaluated"]}


Found = Sequence[matching.Result]
"""What became of the annotations of each sentence."""


def pair(corpus: SentenceCorpus, setup: Setup) -> Found:
    """Pair the phrases and the relations of each sentence."""
    if setup.protocol == "official":
        match = partial(match_as_program, edition=setup["edition"])
    else:
        match = partial(matching.match_sentence, closure=setup["same_as"] == "closure")
    return [match(*pair) for pair in corpus.pairs]


def tally(corpus: SentenceCorpus, found: Found, setup: Setup) -> Columns:
    """Count each sentence: all labels together, and each label."""
    columns = {
        f"{prefix}_{kind}": np.zeros(len(found), np.int64)
        for of in kinds_of(setup.config)
        for prefix in (of, *map(label_key, LABELS[of]))
        for kind in KINDS[of]
    }
    for at, (sentences, result) in enumerate(zip(corpus.pairs, found, strict=True)):
        for of in kinds_of(setup.config):
            for (label, kind), count in _count(of, sentences, result).items():
                columns[f"{of}_{kind}"][at] += count
                if label in LABELS[of]:
                    columns[f"{label_key(label)}_{kind}"][at] += count
    return columns


def _count(
    of: str, sentences: tuple[Sentence, Sentence], result: matching.Result
) -> Counter[tuple[str, str]]:
    """Count the annotations of a sentence by label and kind."""
    gold, system = (list((labels_in if of == "phrases" else kinds_in)(s)) for s in sentences)
    rows: Sequence[matching.Row] = getattr(result, of)
    return Counter((gold[g] if g is not None else system[p or 0], kind) for g, p, kind in rows)


def list_outcomes(corpus: SentenceCorpus, pairings: Sequence[Found], setup: Setup) -> Outcomes:
    """List what became of every phrase and relation; a relation has the words of both phrases.

    ``phrases`` and ``relations`` list all labels, ``concept``, ``same_as`` and the like one;
    ``overlap`` everything that is paired in any way, ``exact`` phrases of the same fragments and
    relations, ``strict`` what is correct, ``lenient`` what is correct or partial; ``any_class``
    also pairs what overlaps of the rest, whatever the labels.
    """
    [found] = pairings
    units = units_of(corpus, setup)
    matches: dict[str, Match] = {}
    pairs: dict[str, dict[str, Pairs]] = {name: {} for name in _PAGES}
    for of in kinds_of(setup.config):
        gold, prediction, kinds = _rows_of(corpus, found, of)
        matches |= _list_kinds(units, of, gold, prediction, kinds)
        for name, wanted in _PAGES.items():
            some = np.isin(kinds, [KINDS[of].index(k) for k in wanted if k in KINDS[of]])
            pairs[name][of] = Pairs(gold[some], prediction[some])
    joined = {
        name: units.join(*(of.get(kind, NO_PAIRS) for kind in KINDS)) for name, of in pairs.items()
    }
    paired = (pairs["overlap"].get(kind, NO_PAIRS) for kind in KINDS)
    joined[ANY_CLASS] = units.join(*pair_any_class(corpus, *paired))
    matches |= list_matches(units.corpus, joined, dict.fromkeys(joined, MatchKind()))
    sides = units.corpus.gold.columns, units.corpus.prediction.columns
    return Outcomes.of(setup, corpus, matches, ANY_CLASS, sides)


_PAGES = {
    "exact": ("correct", "incorrect"),
    "strict": ("correct",),
    "lenient": ("correct", "partial"),
    "overlap": ("correct", "incorrect", "partial"),
}
"""Kinds of match of a page to what is paired."""


def units_of(corpus: SentenceCorpus, setup: Setup) -> UnitCorpus:
    """Put mentions and relations in one table, as far as they are scored."""
    related: RelatedCorpus = corpus
    if setup.config == "taskA":
        nothing = np.zeros(0, np.int64)
        related = RelatedCorpus(
            related.mentions, related.gold.take(nothing), related.prediction.take(nothing)
        )
    return UnitCorpus.of(related, LABEL.name, alone=setup.config == "taskB")


def _rows_of(corpus: SentenceCorpus, found: Found, of: str) -> tuple[IntArray, IntArray, IntArray]:
    """Return gold row, predicted row (-1 for none) and number of the kind of each outcome."""
    sizes = [
        [len(s.phrases if of == "phrases" else s.relations) for s in pair] for pair in corpus.pairs
    ]
    first = np.cumsum([[0, 0], *sizes], axis=0).tolist()
    rows = [
        (-1 if g is None else g + golds, -1 if p is None else p + others, KINDS[of].index(kind))
        for (golds, others), result in zip(first, found, strict=False)
        for g, p, kind in getattr(result, of)
    ]
    gold, prediction, kinds = np.array(rows, np.int64).reshape(-1, 3).T
    return gold, prediction, kinds


def _list_kinds(
    units: UnitCorpus, of: str, gold: IntArray, prediction: IntArray, kinds: IntArray
) -> dict[str, Match]:
    """List the outcomes of one sort of units: of all labels, and of each."""
    order = np.lexsort((kinds, (gold < 0) | (prediction < 0)))
    name = "mentions" if of == "phrases" else of
    rows = units.rows_of(name, gold[order], prediction[order])
    match = Match(*rows, kinds[order], KINDS[of], _columns_of(of, of))
    columns = {label: label_key(label) for label in LABELS[of]}
    parts = units.split(match, LABEL.name, {x: _columns_of(key, of) for x, key in columns.items()})
    return {of: match, **dict(zip(columns.values(), parts, strict=True))}


def _columns_of(prefix: str, of: str) -> dict[str, tuple[str, ...]]:
    return {f"{prefix}_{kind}": (kind,) for kind in KINDS[of]}


def finish(totals: Totals, config: str) -> dict[str, Number]:
    """Compute scores from totals, by the formulas of the specification."""
    kinds = kinds_of(config)
    scores = _rate("", [_sums(totals, of, of) for of in kinds])
    for of in kinds:
        for prefix in (of, *map(label_key, LABELS[of])):
            counts = _sums(totals, prefix, of)
            scores |= _rate(f"{prefix}_", [counts])
            scores |= {f"{prefix}_{kind}": count for kind, count in counts.items()}
    return scores


def _sums(totals: Totals, prefix: str, of: str) -> dict[str, Number]:
    return {kind: totals[f"{prefix}_{kind}"] for kind in KINDS[of]}


def _rate(prefix: str, counts: Sequence[Mapping[str, Number]]) -> dict[str, Number]:
    total = {kind: sum(each.get(kind, 0) for each in counts) for kind in KINDS["phrases"]}
    right = total["correct"] + 0.5 * total["partial"]
    paired = total["correct"] + total["partial"] + total["incorrect"]
    recall = ratio(right, paired + total["missing"])
    precision = ratio(right, paired + total["spurious"])
    return {
        f"{prefix}precision": precision,
        f"{prefix}recall": recall,
        f"{prefix}f1": ratio(2 * recall * precision, recall + precision),
    }


STEPS = Steps(read, join, pair, tally, list_outcomes, settings=settings)
