"""i2b2 2009 medication read, aligned and counted; ``__init__.py`` says how."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from typing import Any, Literal

import numpy as np

from clineval.base.ratios import Columns, Number, Totals, ratio
from clineval.challenges.i2b2_2009_medication.alignment import align_by_pair, align_in_stages
from clineval.challenges.i2b2_2009_medication.columns import EntrySide
from clineval.challenges.i2b2_2009_medication.corpus import (
    EntryCorpus,
    EntryReading,
    FindTexts,
    join_entries,
)
from clineval.challenges.i2b2_2009_medication.evaluation_sets import read_sets
from clineval.challenges.i2b2_2009_medication.items import find_records, read_side
from clineval.challenges.i2b2_2009_medication.levels import Counting, count_records, score_totals
from clineval.challenges.i2b2_2009_medication.outcomes import as_phrases, match_fields
from clineval.kinds.mentions.any_class import pair_any_class
from clineval.kinds.mentions.outcomes import ANY_CLASS, Outcomes
from clineval.kinds.mentions.pairing import Pairs
from clineval.results.challenge import Setup, Steps

SETS = ("A", "B", "C")
_Gold = tuple[EntrySide, FindTexts | None]
"""The reference side, and a function that returns the records' texts."""


@dataclass(frozen=True, slots=True)
class Rules:
    """The rules on which the protocols differ.

    Args:
        reading: how entries are read.
        alignment: ``in_stages``: the best pair comes first, but equal medications before those
            that overlap; ``by_pair``: the best pair of the record comes first.
        counting: what counts.
    """

    reading: EntryReading
    alignment: Literal["in_stages", "by_pair"]
    counting: Counting


SPEC = Rules(
    EntryReading(strict=True, documents="all", phrases="offsets", order="canonical"),
    "in_stages",
    Counting(vertical="lists", patients="either", decimals=None, recall_of_nothing=0.0),
)
OFFICIAL = Rules(
    EntryReading(strict=False, documents="gold", phrases="tokens", order="written"),
    "by_pair",
    Counting(vertical="aligned", patients="gold", decimals=4, recall_of_nothing=0.09),
)
PROTOCOLS = {"spec": SPEC, "official": OFFICIAL}
_ALIGNMENTS = {"in_stages": align_in_stages, "by_pair": align_by_pair}


def read(
    references: Any, predictions: Sequence[Any], setup: Setup
) -> tuple[_Gold, list[EntrySide]]:
    """Read both sides; the records' texts are read once, when the records are known."""
    gold = read_side(references, side="references")
    systems = [read_side(found, side="predictions") for found in predictions]
    records = setup["records"]
    texts = None if records is None else cache(lambda names: find_records(names, records))
    return (gold, texts), systems


def join(gold: _Gold, system: EntrySide, setup: Setup) -> EntryCorpus:
    """Join both sides."""
    entries, texts = gold
    reading = setup.rules.reading
    return join_entries(entries, system, reading, records=texts, subset=setup["subset"])


def resolve(corpus: EntryCorpus, setup: Setup) -> Setup:
    """Replace the option of evaluation sets by the sets of the corpus."""
    sets = read_sets(setup["evaluation_sets"], corpus.documents, SETS)
    return setup.with_options(evaluation_sets=sets)


def whole(setup: Setup) -> str:
    """Say why records cannot be counted in parts: evaluation sets are those of all records."""
    if setup["evaluation_sets"] is None:
        return ""
    return "evaluation_sets are those of all records. Count without them, or all records at once"


def settings(setup: Setup) -> Mapping[str, str]:
    """Return what the numbers depend on besides the protocol."""
    return {
        "tokens": "offsets" if setup["records"] is None else "records",
        "subset": setup["subset"] or "all",
        "sets": setup["evaluation_sets"].label,
    }


def pair(corpus: EntryCorpus, setup: Setup) -> Pairs:
    """Align system entries with gold entries."""
    rules: Rules = setup.rules
    return _ALIGNMENTS[rules.alignment](corpus)


def tally(corpus: EntryCorpus, pairs: Pairs, setup: Setup) -> Columns:
    """Count phrases and tokens of each record, and those of the records of each set."""
    columns = count_records(corpus, pairs, setup.rules.counting)
    of_sets = {
        f"set_{letter.lower()}_{name}": column * members
        for letter, members in setup["evaluation_sets"].members.items()
        for name, column in columns.items()
    }
    return {**columns, **of_sets}


def list_outcomes(corpus: EntryCorpus, pairings: Sequence[Pairs], setup: Setup) -> Outcomes:
    """List what became of the phrases of all fields.

    ``horizontal`` pairs equal phrases of aligned entries, ``aligned`` all phrases of the same
    field of aligned entries, and ``any_class`` also what overlaps of other fields. The scores of a
    group are the exact horizontal ones.
    """
    [entries] = pairings
    columns = {
        "exact_horizontal_shared": ("tp",),
        "exact_horizontal_gold": ("tp", "fn"),
        "exact_horizontal_system": ("tp", "fp"),
    }
    matches = match_fields(corpus, entries, {"horizontal": columns, "aligned": {}})
    sides = as_phrases(corpus.gold), as_phrases(corpus.system)
    widest = pair_any_class(matches["aligned"], *sides, corpus.documents, "field")
    found = Outcomes.of(setup, corpus, {**matches, ANY_CLASS: widest}, ANY_CLASS, sides)
    return replace(found, finish=lambda totals, _: _finish_group(totals))


def _finish_group(totals: Totals) -> dict[str, Number]:
    name = "exact_horizontal"
    shared, gold, system = (totals[f"{name}_{part}"] for part in ("shared", "gold", "system"))
    return {
        f"{name}_system_precision": ratio(shared, system),
        f"{name}_system_recall": ratio(shared, gold),
        f"{name}_system_f1": ratio(2 * shared, gold + system),
        **totals,
    }


def finish(totals: Totals) -> dict[str, Number]:
    """Return scores from totals, by the formulas of the specification."""
    scores = score_totals(totals, "")
    sets = [f"set_{letter.lower()}_" for letter in SETS]
    if f"{sets[0]}records" not in totals:
        return scores
    of_sets = [score_totals(totals, prefix) for prefix in sets]
    used = sum((np.sign(totals[f"{prefix}records"]) for prefix in sets), np.zeros(()))
    for prefix, of_set in zip(sets, of_sets, strict=True):
        scores |= {f"{prefix}{name}": value for name, value in of_set.items()}
    for name in of_sets[0]:
        scores[f"sets_mean_{name}"] = ratio(sum(of_set[name] for of_set in of_sets), used)
    return scores


STEPS = Steps(
    read,
    join,
    pair,
    tally,
    list_outcomes,
    as_gold=lambda gold, side, _setup: (side, gold[1]),  # the records' texts stay
    resolve=resolve,
    whole=whole,
    settings=settings,
)
