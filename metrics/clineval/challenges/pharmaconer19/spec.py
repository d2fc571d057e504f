"""PharmaCoNER 2019 read, paired and counted; ``__init__.py`` says how."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from clineval.base.errors import InputError, agree, listed, shown, warn
from clineval.base.files import Source, find_directory, is_directory, name_path
from clineval.base.problems import Problem
from clineval.base.ratios import Columns, Number, Totals, precision_recall_f1
from clineval.challenges.pharmaconer19 import indexing_tsv
from clineval.challenges.pharmaconer19.indexing_tsv import Noted, read_as_script, read_notes
from clineval.formats.brat import columns as brat_columns
from clineval.formats.brat.labels import BratLabels
from clineval.formats.files import holds
from clineval.formats.given.code_lists import read_codes
from clineval.formats.given.mentions import read_side
from clineval.formats.given.texts import with_texts
from clineval.kinds.codes import CODE, CodeCorpus, as_side, join_codes, number
from clineval.kinds.mentions.columns import Side
from clineval.kinds.mentions.corpus import Corpus, Reading, join_sides
from clineval.kinds.mentions.derived import keep
from clineval.kinds.mentions.documents import keep_common
from clineval.kinds.mentions.labelled import LabelScheme, pair_all
from clineval.kinds.mentions.leak import finish_leak, tally_leak
from clineval.kinds.mentions.outcomes import (
    MatchKind,
    Outcomes,
    Pairing,
    columns_of,
    join_pairings,
    list_matches,
)
from clineval.kinds.mentions.slots import Slot
from clineval.results.challenge import Setup, Steps

LABELS = ("NORMALIZABLES", "NO_NORMALIZABLES", "PROTEINAS")
UNCLEAR = "UNCLEAR"
LABEL = Slot("label", "label", required=True)
SLOTS = (LABEL,)


@dataclass(frozen=True, slots=True)
class Rules:
    """The rules on which the protocols differ."""

    official: bool

    def fold(self, code: str) -> str:
        """Return the form in which codes are compared."""
        return code if self.official else code.strip().lower()


SPEC, OFFICIAL = Rules(official=False), Rules(official=True)
PROTOCOLS = {"spec": SPEC, "official": OFFICIAL}


def read(references: Any, predictions: Sequence[Any], setup: Setup) -> tuple[Side, list[Side]]:
    """Read both sides: brat's files, JSON Lines, dicts, or Documents; codes as TSV or lists."""
    if setup.config == "indexing":
        return _read_codes(references, predictions, setup)

    def read_one(given: Any, side: str) -> Side:
        strict = not setup.rules.official
        found = read_side(given, SLOTS, strict=strict, side=side, text_format=BratLabels())
        if setup["unclear"] == "kept":
            return found
        scored = keep(LABEL, lambda label: label != UNCLEAR)
        return replace(found, mentions=scored(found.mentions, {}))

    gold = with_texts(read_one(references, "references"), setup["texts"])
    return gold, [read_one(given, "predictions") for given in predictions]


def _read_codes(
    references: Any, predictions: Sequence[Any], setup: Setup
) -> tuple[Side, list[Side]]:
    read_files = as_codes if setup.rules.official else indexing_tsv.read_side

    def read_one(given: Any, side: str) -> Side:
        return read_codes(given, side, read_files, places=False)

    found = [read_one(given, "predictions") for given in predictions]
    if setup["annotations"] is None:
        return read_one(references, "references"), found
    if setup.rules.official and isinstance(references, (str, os.PathLike)):
        return _read_clear_rows(references, setup["annotations"]), found
    return _drop_unclear(read_one(references, "references"), setup), found


def as_codes(source: Source, pattern: str = indexing_tsv.FILES) -> Side:
    """Read codes as the released scripts do."""
    return _as_side(*read_as_script(source, pattern))


def _as_side(names: tuple[str, ...], rows: Sequence[indexing_tsv.Row]) -> Side:
    _, numbers = number([*names, *(row.document for row in rows)])
    both = zip(numbers[len(names) :], rows, strict=True)
    return as_side(names, ((at, row.code, ()) for at, row in both))


def _read_clear_rows(source: Source, folder: Path) -> Side:
    """Read the rows, but for codes of unclear mentions alone that name the file's document."""
    names, rows = read_as_script(source)
    noted = read_notes(folder, names, UNCLEAR)
    missing = [name for name in names if name not in noted]
    if missing:
        problem = agree("{n} {document has|documents have} no annotations", len(missing))
        raise InputError(
            f"{problem}, at which the released script stops: {listed(missing)}",
            where=name_path(folder),
        )
    clear = [r for r in rows if r.named != r.document or not _is_unclear(r.code, noted[r.document])]
    return _as_side(names, clear)


def _is_unclear(code: str, noted: Noted) -> bool:
    return code in noted.theirs and code not in noted.others


def _drop_unclear(gold: Side, setup: Setup) -> Side:
    """Drop the gold codes of unclear mentions alone."""
    fold = setup.rules.fold
    noted = {
        name: Noted(*(frozenset(map(fold, codes)) for codes in of))
        for name, of in read_notes(setup["annotations"], gold.documents, UNCLEAR).items()
    }
    codes = gold.mentions.attributes[CODE]
    nothing = Noted(frozenset(), frozenset())
    kept = [
        row
        for row, document in enumerate(gold.mentions.document.tolist())
        if not _is_unclear(
            fold(codes.values[codes.ids[row]]), noted.get(gold.documents[document], nothing)
        )
    ]
    missing = [name for name in gold.documents if name not in noted]
    warn(
        "{n} {document has no annotations, and all its|documents have no annotations, and all "
        "their} codes count: {names}",
        missing,
    )
    return replace(gold, mentions=gold.mentions.take(np.array(kept, np.int64)))


def join(gold: Side, predicted: Side, setup: Setup) -> Corpus | CodeCorpus:
    """Join both sides."""
    if setup.rules.official:
        gold, predicted = keep_common(gold, predicted)
    if setup.config != "indexing":
        return join_sides(gold, predicted, SLOTS, Reading())
    corpus = join_codes(gold, predicted, setup.rules.fold)
    return corpus.labelled(LABEL.name, str)  # what a code is to whatever looks at classes


def settings(setup: Setup) -> Mapping[str, str]:
    """Return what the numbers depend on besides the protocol."""
    if setup.config == "indexing":
        return {"unclear": "kept" if setup["annotations"] is None else "dropped"}
    return {"unclear": setup["unclear"]}


def scheme_of(*, unclear: bool) -> LabelScheme:
    """Return the labels that are scored, with UNCLEAR if such mentions are kept."""
    return LabelScheme(LABEL, (*LABELS, *([UNCLEAR] if unclear else [])), ("strict",))


def pair(corpus: Any, setup: Setup) -> Pairing:
    """Pair mentions, or codes."""
    if setup.config == "indexing":
        same = corpus.find_same()
        return {"micro": same, "code": same}
    return {**pair_all(corpus, LABEL)}


def tally(corpus: Any, pairing: Pairing, setup: Setup) -> Columns:
    """Return the counts of each document."""
    if setup.config == "indexing":
        return dict(corpus.tally(pairing["micro"]))
    scheme = scheme_of(unclear=setup["unclear"] == "kept")
    sides = corpus.gold.columns, corpus.prediction.columns
    leak = tally_leak(*sides, len(corpus.documents), {LABEL.name: scheme.labels})
    return {**scheme.tally(corpus, {"strict": pairing["strict"]}), **leak}


def list_outcomes(corpus: Any, pairings: Sequence[Pairing], setup: Setup) -> Outcomes:
    """List what became of every mention, or of every code."""
    if setup.config == "indexing":
        match = corpus.list_match(pairings[0]["micro"], columns_of("micro"))
        sides = corpus.gold, corpus.prediction
        return Outcomes.of(setup, corpus, {"micro": match}, "micro", sides)
    pairing = join_pairings(corpus.blocks(), pairings)
    scheme = scheme_of(unclear=setup["unclear"] == "kept")
    kinds = {name: MatchKind({}, scheme.kinds["strict"].compare) for name in pairing}
    matches = {**list_matches(corpus, pairing, kinds), **scheme.list_matches(corpus, pairing)}
    return Outcomes.of(setup, corpus, matches, "overlap", any_class=True)


def finish(totals: Totals, config: str) -> dict[str, Number]:
    """Return scores from totals, by the formulas of the specification."""
    if config == "indexing":
        return precision_recall_f1("micro", totals)
    scheme = scheme_of(unclear="unclear_strict_tp" in totals)
    return scheme.finish(totals) | finish_leak(totals, scheme.labels)


def parse_folder(given: Any) -> Path | None:
    """Return the directory of the gold mentions, if one is given."""
    if given is None:
        return None
    if not isinstance(given, (str, os.PathLike)):
        raise InputError(f"expected a directory, got {shown(given)}", where="annotations")
    return find_directory(given)


def find_problems(paths: Sequence[Path]) -> Iterator[Problem]:
    """Find all problems of brat's files, and of TSV; directories without ``.ann`` have codes."""
    for path in paths:
        if path.suffix == ".tsv" or (is_directory(path) and not holds(path, brat_columns.FILES)):
            yield from indexing_tsv.find_problems(path)
        else:
            yield from brat_columns.find_problems([path], Slot("label", "label"), ())


STEPS = Steps(read, join, pair, tally, list_outcomes, settings=settings)
