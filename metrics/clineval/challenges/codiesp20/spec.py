"""CodiEsp 2020 read, paired and counted; the package's docstring says how."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from clineval.base.arrays import BoolArray, IntArray, is_iterable
from clineval.base.errors import InputError, shown
from clineval.base.hashing import hash_text
from clineval.base.ratios import Columns, Number, Totals, precision_recall_f1, ratio
from clineval.challenges.codiesp20.tsv import (
    GOLD_PLACES,
    LISTS,
    PLACES,
    AsPandas,
    Table,
    check_valid,
    read_side,
)
from clineval.formats.code_chapters import CHAPTER, Chapters
from clineval.formats.given.code_lists import read_codes
from clineval.kinds.codes.corpus import CodeCorpus, join_codes, point_alike, sum_precisions
from clineval.kinds.codes.rows import CODE
from clineval.kinds.mentions.any_class import pair_any_class
from clineval.kinds.mentions.columns import Side
from clineval.kinds.mentions.outcomes import ANY_CLASS, Outcomes, columns_of
from clineval.kinds.mentions.pairing import Pairs
from clineval.results.challenge import Setup, Steps

MOST_CHARACTERS = 10
"""How far each end of a prediction may be from the reference's."""


@dataclass(frozen=True, slots=True)
class Rules:
    """The rules on which the protocols differ.

    Args:
        pandas: whether files are read as the released scripts read them.
        fold: the form in which codes are compared.
        depth: how many codes of a list count for MAP; None for all.
        average: the documents over which MAP is the mean: those of the ``gold`` standard, or
            those that are ``ranked``.
        near: tells which predictions are right from how much sooner they start and later they end.
    """

    pandas: bool
    fold: Callable[[str], str]
    depth: int | None
    average: str
    near: Callable[[IntArray, IntArray], BoolArray]


def _fold(code: str) -> str:
    return code.strip().lower()


def _within(before: IntArray, after: IntArray) -> BoolArray:
    near: BoolArray = (abs(before) <= MOST_CHARACTERS) & (abs(after) <= MOST_CHARACTERS)
    return near


def _around(before: IntArray, after: IntArray) -> BoolArray:
    contains: BoolArray = (before >= 0) & (after >= 0)
    return contains & _within(before, after)


SPEC = Rules(pandas=False, fold=_fold, depth=None, average="gold", near=_within)
OFFICIAL = Rules(pandas=True, fold=str.lower, depth=1000, average="ranked", near=_around)
PROTOCOLS = {"spec": SPEC, "official": OFFICIAL}


def read(references: Any, predictions: Sequence[Any], setup: Setup) -> tuple[Side, list[Side]]:
    """Read both sides: TSV files or text, lists of codes, or mappings of documents to these."""
    places = setup.config == "X"
    gold, system = (GOLD_PLACES, PLACES) if places else (LISTS, LISTS)
    valid = setup["codes"]
    if setup.rules.pandas and valid is not None:
        valid = check_valid(valid)

    def read_one(given: Any, side: str, table: Table, valid: Collection[str] | None) -> Side:
        strict = partial(read_side, table=table)
        ranked = side == "predictions" and not places
        as_script = partial(AsPandas(table, ranked=ranked).read, valid=valid)
        read_files = as_script if setup.rules.pandas else strict
        return read_codes(given, side, read_files, places=places)

    found = [read_one(given, "predictions", system, valid) for given in predictions]
    return read_one(references, "references", gold, None), found


def join(gold: Side, predicted: Side, setup: Setup) -> CodeCorpus:
    """Bring both sides together, with the chapters of their codes if these are known."""
    corpus = join_codes(gold, predicted, setup.rules.fold, setup["codes"])
    chapters: Chapters | None = setup["chapters"]
    return corpus.labelled(CHAPTER, chapters.find) if chapters else corpus


def settings(setup: Setup) -> Mapping[str, str]:
    """Name what the numbers depend on besides the protocol."""
    valid = setup["codes"]
    folded = sorted(set(map(_fold, valid or ())))
    listed = f"{len(folded)}-{hash_text(' '.join(folded)) >> 40:06x}"
    named = {"codes": "any" if valid is None else listed}
    return named if setup.config == "X" else named | {"k": "+".join(map(str, setup["cutoffs"]))}


def pair(corpus: CodeCorpus, setup: Setup) -> Mapping[str, Pairs]:
    """Pair the codes that both sides have, and those of them that are right."""
    same = corpus.find_same()
    if setup.config != "X":
        return {"micro": same, "code": same}
    right = point_alike(corpus.gold, corpus.prediction, same, setup.rules.near)
    return {"micro": same.take(right), "code": same}


def tally(corpus: CodeCorpus, pairing: Mapping[str, Pairs], setup: Setup) -> Columns:
    """Count the codes of each document."""
    columns = corpus.tally(pairing["micro"])
    return columns if setup.config == "X" else {**columns, **_rank(corpus, pairing["micro"], setup)}


def _rank(corpus: CodeCorpus, right: Pairs, setup: Setup) -> Columns:
    """Return what each document adds to MAP, and whether it counts there."""
    codes = corpus.gold.attributes[CODE]
    named = np.array([bool(code) for code in codes.values], np.bool_)[codes.ids]
    golds = np.bincount(corpus.gold.document[named], minlength=len(corpus.documents))
    right = right.take(np.flatnonzero(named[right.gold]))  # a missing code cannot be found
    deepest = setup.rules.depth
    depths = {"map": deepest} | {
        f"map_at_{k}": k if deepest is None else min(k, deepest) for k in setup["cutoffs"]
    }
    sums = {
        f"{name}_sum": np.asarray(ratio(sum_precisions(corpus, right, depth), golds))
        for name, depth in depths.items()
    }
    counts = golds > 0 if setup.rules.average == "gold" else corpus.ranked
    return {**sums, "ranked_documents": counts.astype(np.int64)}


def list_outcomes(
    corpus: CodeCorpus, pairings: Sequence[Mapping[str, Pairs]], setup: Setup
) -> Outcomes:
    """List what became of every code: ``micro`` as it counts, ``code`` wherever it points to.

    ``any_class`` also pairs different codes that point to the same words.
    """
    [pairing] = pairings
    counted = {"micro": columns_of("micro"), "code": {}}
    matches = {name: corpus.list_match(pairing[name], of) for name, of in counted.items()}
    sides = corpus.gold, corpus.prediction
    matches[ANY_CLASS] = pair_any_class(matches["code"], *sides, corpus.documents)
    return Outcomes.of(setup, corpus, matches, ANY_CLASS, sides)


def finish(totals: Totals) -> dict[str, Number]:
    """Return the scores of totals; the package's docstring has the formulas."""
    means = {
        name.removesuffix("_sum"): ratio(total, totals["ranked_documents"])
        for name, total in totals.items()
        if name.startswith("map")
    }
    return {**means, **precision_recall_f1("micro", totals)}


def parse_cutoffs(given: Any) -> tuple[int, ...]:
    """Judge the option ``cutoffs``."""
    words = given.split(",") if isinstance(given, str) else given
    listed = is_iterable(words) and not isinstance(words, bytes)
    numbers = list(map(_parse_cutoff, words)) if listed else []
    if not numbers or not all(numbers):
        raise InputError(
            f"expected whole numbers from 1 on, such as 10,30, got {shown(given)}", where="cutoffs"
        )
    return tuple(dict.fromkeys(numbers))


def _parse_cutoff(given: Any) -> int:
    """Return a positive integer; 0 for anything else."""
    if isinstance(given, str) and given.strip().isdecimal() and len(given.strip()) < len("10" * 5):
        given = int(given)
    return given if type(given) is int and given > 0 else 0


STEPS = Steps(read, join, pair, tally, list_outcomes, settings=settings)
