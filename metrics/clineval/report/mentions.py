"""What a page of mentions shows: the pairs of every document, its text, and what to check."""

from __future__ import annotations

import warnings
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from itertools import chain
from typing import Any

import numpy as np

from clineval.errors import InputError, InputWarning, listed
from clineval.mentions.slots import CUI_LESS, Slot
from clineval.report.mention_blocks import Numbering, pack_gold, pack_system
from clineval.report.page import Workbench
from clineval.report.partners import PairedMentions
from clineval.report.phrases import number_phrases
from clineval.scores import Score

_PRF = ("precision", "recall", "f1", "tp", "fp", "fn")


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
    "clefehealth13_task2": [
        Check("strict_accuracy", "exact", "both", "recall"),
        Check("strict_correct", "exact", "both", "tp"),
        Check("relaxed_accuracy", "overlap", "both", "recall"),
        Check("relaxed_correct", "overlap", "both", "tp"),
        Check("total", "exact", "both", "gold"),
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
    "clefehealth13_task2": [
        Preset("Task 2 strict", "exact", "both", "strict_accuracy"),
        Preset("Task 2 relaxed", "overlap", "both", "relaxed_accuracy"),
    ],
}


def show_mentions(
    scores: Mapping[str, Score],
    paired: Sequence[PairedMentions],
    texts: Sequence[str | None] | None,
) -> Workbench:
    """All that a page of mentions needs.

    Args:
        scores: system name to its score.
        paired: the pairs of each system, in the same order.
        texts: the text of each document of :func:`all_documents`; None to leave texts out.
    """
    documents = all_documents(paired)
    slots = paired[0].slots
    numbering = Numbering(documents, _shared_values(paired))
    phrases = number_phrases(documents, paired, texts)
    of_systems = zip(paired, phrases.predictions, strict=True)
    module = next(iter(scores.values())).metric
    known = {key for score in scores.values() for key in score.values}
    values = numbering.values
    return Workbench(
        scores,
        {
            "view": "mentions",
            "coded": any(value != CUI_LESS for value in values["cui"]),
            "criteria": paired[0].criteria,
            "spans_given": paired[0].spans_given,
            "modes": dict(zip(("exact", "overlap"), paired[0].modes, strict=True)),
            "slots": [_describe_slot(slot, values[slot.name], paired[0]) for slot in slots],
            "checks": [asdict(check) for check in CHECKS[module] if check.key in known],
            "presets": [asdict(preset) for preset in PRESETS[module] if preset.key in known],
            "problems": {} if texts is None else _find_problems(documents, paired, texts),
        },
        {"documents": documents, "phrases": phrases.values},
        {
            "gold": pack_gold(paired[0], numbering, phrases.gold),
            **{
                f"system{at}": pack_system(system, numbering, numbers)
                for at, (system, numbers) in enumerate(of_systems)
            },
        },
        texts,
    )


def all_documents(paired: Sequence[PairedMentions]) -> tuple[str, ...]:
    """The documents of the gold standard, then those that only predictions are of."""
    return tuple(dict.fromkeys(chain.from_iterable(p.corpus.documents for p in paired)))


def _shared_values(paired: Sequence[PairedMentions]) -> dict[str, tuple[str, ...]]:
    """For each slot the values of all systems."""
    shared = {}
    for slot in paired[0].slots:
        columns = [system.corpus.gold.columns.attributes[slot.name] for system in paired]
        shared[slot.name] = tuple(sorted({v for column in columns for v in column.values}))
    return shared


def _describe_slot(slot: Slot, values: Sequence[str], paired: PairedMentions) -> dict[str, Any]:
    weights = paired.weights
    return {
        "name": slot.name,
        "kind": slot.kind,
        "values": [_spell(slot, value) for value in values],
        "default": values.index(slot.default) if slot.default in values else -1,
        "weights": weights.column(slot, values).tolist() if weights else None,
    }


def _spell(slot: Slot, value: str) -> str:
    """A value as people write it; values are compared without case."""
    if slot.kind == "closed":
        return value
    codes = value.split(",")
    return ",".join("CUI-less" if code == CUI_LESS else code.upper() for code in codes)


def _find_problems(
    documents: Sequence[str], paired: Sequence[PairedMentions], texts: Sequence[str | None]
) -> dict[str, list[str]]:
    """Documents without a text, and documents with mentions that their text does not reach."""
    lengths = np.array([-1 if text is None else len(text) for text in texts], np.int64)
    numbers = {name: at for at, name in enumerate(documents)}
    beyond: set[int] = set()
    for system in paired:
        to_all = np.array([numbers[name] for name in system.corpus.documents], np.int64)
        for side in (system.corpus.gold.columns, system.corpus.prediction.columns):
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


def check_references(scores: Mapping[str, Score]) -> None:
    """Refuse to show systems that were scored against different gold standards.

    Raises:
        InputError: they were.
    """
    if len({score.counts.references for score in scores.values()}) > 1:
        raise InputError("the systems were scored against different gold standards")
