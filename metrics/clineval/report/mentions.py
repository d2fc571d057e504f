"""What a page of mentions shows: the pairs of every document, its text, and what to check."""

from __future__ import annotations

import re
import warnings
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Any

import numpy as np

from clineval.columns import IntArray
from clineval.corpus import Mentions
from clineval.errors import InputError, InputWarning, listed
from clineval.report.blocks import Block, pack_columns
from clineval.report.page import System, Views, Workbench
from clineval.report.partners import PairedMentions, Partners
from clineval.scores import Score
from clineval.slots import CUI_LESS, Slot

_PRF = ("precision", "recall", "f1", "tp", "fp", "fn")
_MOST_PHRASES = 2000


@dataclass(frozen=True, slots=True)
class Check:
    """A score of the core that the page must arrive at by counting pairs.

    Args:
        key: the score's name.
        match: ``exact`` or ``overlap``.
        criterion: ``span``, ``class`` or ``both``.
        measure: what of that table: ``tp``, ``fp``, ``fn``, ``precision``, ``recall``, ``f1``,
            ``accuracy``, ``gold``, ``pairs``.
    """

    key: str
    match: str
    criterion: str
    measure: str


@dataclass(frozen=True, slots=True)
class Preset:
    """A named choice of match mode and criterion.

    Args:
        name: what the page calls it.
        match: as in :class:`Check`.
        criterion: as in :class:`Check`.
        key: the score that it is about.
    """

    name: str
    match: str
    criterion: str
    key: str


def _prf(prefix: str, match: str, criterion: str) -> list[Check]:
    return [Check(f"{prefix}_{name}", match, criterion, name) for name in _PRF]


CHECKS: Mapping[str, Sequence[Check]] = {
    "semeval15_task14": [
        *_prf("strict", "exact", "both"),
        *_prf("relaxed", "overlap", "both"),
        *_prf("span", "overlap", "span"),
        Check("cui_accuracy", "overlap", "class", "accuracy"),
    ],
    "clefehealth13_task1": [
        *_prf("exact", "exact", "span"),
        *_prf("overlap", "overlap", "span"),
        Check("strict_accuracy", "exact", "both", "recall"),
        Check("relaxed_accuracy", "exact", "class", "accuracy"),
        Check("correct", "exact", "both", "tp"),
        Check("strict_total", "exact", "both", "gold"),
        Check("relaxed_total", "exact", "class", "pairs"),
    ],
}
PRESETS: Mapping[str, Sequence[Preset]] = {
    "semeval15_task14": [
        Preset("Task 1 strict", "exact", "both", "strict_f1"),
        Preset("Task 1 relaxed", "overlap", "both", "relaxed_f1"),
        Preset("Task 2 spans", "overlap", "span", "span_f1"),
        Preset("Task 2 codes", "overlap", "class", "cui_accuracy"),
    ],
    "clefehealth13_task1": [
        Preset("1a exact", "exact", "span", "exact_f1"),
        Preset("1a overlap", "overlap", "span", "overlap_f1"),
        Preset("1b strict", "exact", "both", "strict_accuracy"),
        Preset("1b relaxed", "exact", "class", "relaxed_accuracy"),
    ],
}


def show_mentions(
    scores: Mapping[str, Score],
    outcomes: Sequence[PairedMentions],
    texts: Sequence[str | None] | None,
) -> Workbench:
    """All that a page of mentions needs.

    Args:
        scores: system name to its score.
        outcomes: the pairs of each system, in the same order.
        texts: the text of each document of :func:`all_documents`; None to leave texts out.

    Raises:
        InputError: the systems were scored against different gold standards.
    """
    if len({score.counts.references for score in scores.values()}) > 1:
        raise InputError("the systems were scored against different gold standards")
    documents = all_documents(outcomes)
    first = outcomes[0]
    gold = first.corpus.gold
    values = _shared_values(outcomes)
    problems = _find_problems(documents, outcomes, texts) if texts is not None else {}
    phrases = _number_phrases(documents, outcomes, texts)
    module = next(iter(scores.values())).metric
    known = {key for score in scores.values() for key in score.values}
    blocks = {
        "gold": pack_columns(_side_columns(gold, first, documents, values, phrases.gold, {})),
        **{
            f"system{at}": _pack_system(shown, documents, values, phrases.predictions[at])
            for at, shown in enumerate(outcomes)
        },
    }
    views: Views = {
        "view": "mentions",
        "coded": any(value != CUI_LESS for value in values["cui"]),
        "slots": [_describe_slot(slot, values[slot.name], outcomes) for slot in first.slots],
        "checks": [_fields(check) for check in CHECKS[module] if check.key in known],
        "presets": [_fields(preset) for preset in PRESETS[module] if preset.key in known],
        "problems": problems,
    }
    systems = [System(name, score) for name, score in scores.items()]
    tables = {"documents": documents, "phrases": phrases.values}
    return Workbench(systems, views, tables, blocks, texts)


def all_documents(outcomes: Sequence[PairedMentions]) -> tuple[str, ...]:
    """The documents of the gold standard, then those that only predictions are of."""
    return tuple(dict.fromkeys(chain.from_iterable(o.corpus.documents for o in outcomes)))


@dataclass(frozen=True, slots=True, eq=False)
class _Phrases:
    """The words of mentions, as far as they repeat: 0 for any other, else the number plus 1.

    Without texts there are no words, and no numbers.
    """

    values: tuple[str, ...]
    gold: IntArray | None
    predictions: Sequence[IntArray | None]


def _fields(item: Check | Preset) -> dict[str, str]:
    return {name: getattr(item, name) for name in type(item).__slots__}


def _shared_values(outcomes: Sequence[PairedMentions]) -> dict[str, tuple[str, ...]]:
    """For each slot the values of all systems; the gold mentions are the same for each."""
    shared = {}
    for slot in outcomes[0].slots:
        columns = [o.corpus.gold.columns.attributes[slot.name] for o in outcomes]
        shared[slot.name] = tuple(sorted({v for column in columns for v in column.values}))
    return shared


def _describe_slot(
    slot: Slot, values: Sequence[str], outcomes: Sequence[PairedMentions]
) -> dict[str, Any]:
    weights = outcomes[0].weights
    column = weights.column(slot, values).tolist() if weights else None
    return {
        "name": slot.name,
        "kind": slot.kind,
        "values": [_spell(slot, value) for value in values],
        "default": values.index(slot.default) if slot.default in values else -1,
        "weights": column,
    }


def _spell(slot: Slot, value: str) -> str:
    """A value as people write it; values are compared without case."""
    if slot.kind == "closed":
        return value
    codes = value.split(",")
    return ",".join("CUI-less" if code == CUI_LESS else code.upper() for code in codes)


def _pack_system(
    shown: PairedMentions,
    documents: Sequence[str],
    values: Mapping[str, tuple[str, ...]],
    phrases: IntArray | None,
) -> Block:
    gold, prediction = shown.corpus.gold, shown.corpus.prediction
    columns: dict[str, IntArray] = {
        "equal": (shown.equal.T @ (1 << np.arange(len(shown.slots)))).astype(np.int64)
    }
    of_gold = {}
    for name, pairing in shown.pairings.items():
        of_gold[f"{name}/gold"], columns[f"{name}/system"] = _relative(
            pairing, gold, prediction, len(shown.corpus.documents)
        )
    mine = _side_columns(prediction, shown, documents, values, phrases, columns)
    return pack_columns({**mine, **of_gold})


def _relative(
    pairing: Partners, gold: Mentions, prediction: Mentions, documents: int
) -> tuple[IntArray, IntArray]:
    """Partners as differences of the mentions' numbers in their documents, which are small.

    0 stands for nobody, 1 for displaced; otherwise twice the distance, plus 2 or, for a partner
    that comes before, plus 3.
    """
    sides = (
        (pairing.gold, gold.columns, prediction.columns),
        (pairing.prediction, prediction.columns, gold.columns),
    )
    relative = []
    for partner, mine, theirs in sides:
        my_place = np.arange(len(mine)) - _firsts(mine.document, documents)[mine.document]
        their_first = _firsts(theirs.document, documents)[mine.document]
        distance = partner - their_first - my_place
        code = np.where(distance >= 0, 2 * distance + 2, -2 * distance + 1)
        relative.append(np.where(partner >= 0, code, -1 - partner))
    return relative[0], relative[1]


def _firsts(document: IntArray, documents: int) -> IntArray:
    return np.searchsorted(document, np.arange(documents))


def _side_columns(
    side: Mentions,
    shown: PairedMentions,
    documents: Sequence[str],
    values: Mapping[str, tuple[str, ...]],
    phrases: IntArray | None,
    more: Mapping[str, IntArray],
) -> dict[str, IntArray]:
    """The mentions of one side: counts, offsets as differences, values of slots."""
    numbers = {name: at for at, name in enumerate(documents)}
    to_all = np.array([numbers[name] for name in shown.corpus.documents], np.int64)
    document = to_all[side.columns.document] if len(side) else side.columns.document
    order = np.argsort(document, kind="stable")
    columns, document = side.columns.take(order), document[order]
    starts = columns.starts.astype(np.int64)
    new_document = np.diff(document[columns.owners], prepend=-1) != 0
    own = dict(more) if phrases is None else {**more, "phrase": phrases}
    return {
        "mentions": np.bincount(document, minlength=len(documents)),
        "fragments": columns.fragment_counts,
        "steps": np.where(new_document, starts, np.diff(starts, prepend=0)),
        "lengths": columns.ends.astype(np.int64) - starts,
        **{
            f"slot/{slot.name}": columns.attributes[slot.name].fold(str, values[slot.name]).ids
            for slot in shown.slots
        },
        **{name: column[order] for name, column in own.items()},
    }


def _find_problems(
    documents: Sequence[str], outcomes: Sequence[PairedMentions], texts: Sequence[str | None]
) -> dict[str, list[str]]:
    """Documents without a text, and documents with mentions that their text does not reach."""
    lengths = np.array([-1 if text is None else len(text) for text in texts], np.int64)
    numbers = {name: at for at, name in enumerate(documents)}
    beyond: set[int] = set()
    for shown in outcomes:
        to_all = np.array([numbers[name] for name in shown.corpus.documents], np.int64)
        for side in (shown.corpus.gold.columns, shown.corpus.prediction.columns):
            document = to_all[side.document[side.owners]] if len(side) else side.document
            known = lengths[document] >= 0
            beyond |= set(document[known & (side.ends > lengths[document])].tolist())
    problems = {
        "no text": [name for name, text in zip(documents, texts, strict=True) if text is None],
        "offsets beyond the text": [documents[at] for at in sorted(beyond)],
    }
    for problem, names in problems.items():
        if names:
            warnings.warn(
                f"{len(names)} documents, {problem}: {listed(names)}", InputWarning, stacklevel=2
            )
    return problems


def _number_phrases(
    documents: Sequence[str],
    outcomes: Sequence[PairedMentions],
    texts: Sequence[str | None] | None,
) -> _Phrases:
    """Number the phrases that occur more than once, the most frequent ones first."""
    if texts is None:
        return _Phrases((), None, [None] * len(outcomes))
    text_of = dict(zip(documents, texts, strict=True))
    sides = [outcomes[0].corpus.gold, *(shown.corpus.prediction for shown in outcomes)]
    names = [outcomes[0].corpus.documents, *(shown.corpus.documents for shown in outcomes)]
    written = [_phrases_of(side, of, text_of) for side, of in zip(sides, names, strict=True)]
    counts = Counter(chain.from_iterable(written))
    del counts[""]
    common = [phrase for phrase, count in counts.most_common(_MOST_PHRASES) if count > 1]
    numbers = {phrase: at + 1 for at, phrase in enumerate(common)}
    columns = [np.array([numbers.get(phrase, 0) for phrase in side], np.int64) for side in written]
    return _Phrases(tuple(common), columns[0], columns[1:])


def _phrases_of(
    side: Mentions, documents: Sequence[str], texts: Mapping[str, str | None]
) -> list[str]:
    columns = side.columns
    bounds, starts, ends = columns.bounds.tolist(), columns.starts.tolist(), columns.ends.tolist()
    phrases = []
    for row, document in enumerate(columns.document.tolist()):
        text = texts[documents[document]] or ""
        at = range(bounds[row], bounds[row + 1])
        words = " … ".join(text[starts[k] : ends[k]] for k in at)
        phrases.append(re.sub(r"\s+", " ", words).strip().lower())
    return phrases
