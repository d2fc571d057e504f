"""Labelled spans as they are read: brat, JSON Lines, dicts, Documents; their labels and slots."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import chain
from pathlib import Path
from typing import Any

import numpy as np

from clineval.base.errors import InputError, listed, shown, warn
from clineval.base.problems import Problem
from clineval.formats.brat import columns as brat_columns
from clineval.formats.brat.columns import BratLabels
from clineval.formats.given.mentions import find_in_documents, read_side
from clineval.formats.given.texts import with_texts
from clineval.formats.jsonl import is_jsonl
from clineval.kinds.mentions.columns import MentionColumns, Side, fill_slots, share_values
from clineval.kinds.mentions.corpus import Corpus
from clineval.kinds.mentions.labelled import label_key
from clineval.kinds.mentions.slots import ANY, Slot
from clineval.results.challenge import Setup

LABEL = Slot("label", "label", required=True)
SLOTS = (LABEL,)
_RESERVED = frozenset({"", "macro"})


class _Files(BratLabels):
    """Directories of brat, or ``.ann`` files; the only format besides JSON Lines."""

    def read_strings(self, strings: Sequence[str], slots: Sequence[Slot], *, strict: bool) -> Side:  # noqa: ARG002
        """Refuse strings, as JSON is the only format of strings."""
        raise InputError(
            "expected documents as lists of dicts, as JSON, or as Documents, got other strings"
        )


def read(references: Any, predictions: Sequence[Any], setup: Setup) -> tuple[Side, list[Side]]:
    """Read both sides: JSON Lines, brat, lists of dicts, or Documents."""
    files, slots = _Files(), (LABEL, Slot(ANY, "free", setup["slots"] or ()))

    def read_one(given: Any, side: str) -> Side:
        found = read_side(given, slots, strict=True, side=side, text_format=files)
        if isinstance(given, (str, os.PathLike)) and found.keys is not None:
            found = replace(found, keys=tuple(map(files.document_key, found.keys)))
        return _only_labels(found, setup["labels"], side)

    gold = with_texts(read_one(references, "references"), setup["texts"])
    sides = [gold, *(read_one(given, "predictions") for given in predictions)]
    first, *others = _share_values(sides, setup)
    return first, others


def _only_labels(side: Side, labels: Sequence[str] | None, name: str) -> Side:
    """Keep the mentions whose labels are scored; a warning counts the others."""
    column = side.mentions.attributes[LABEL.name]
    wanted = np.array([labels is None or value in labels for value in column.values], np.bool_)
    kept = np.flatnonzero(wanted[column.ids]) if len(side.mentions) else column.ids
    dropped = len(side.mentions) - len(kept)
    if not dropped:
        return side
    warn(
        f"{name}: {{n}} {{mention has a label that was|mentions have labels that were}} not asked "
        "for, and {does|do} not count",
        n=dropped,
    )
    return replace(side, mentions=side.mentions.take(kept))


def _share_values(sides: Sequence[Side], setup: Setup) -> list[Side]:
    """Give all sides, the gold one first, the labels, slots and values that any of them has.

    Systems that are read together thus have the same counts.
    """
    columns = [of.compact() for of in fill_slots([s.mentions for s in sides], setup["slots"] or ())]
    _check_slots(columns, setup, len(sides[0].documents))
    if setup["labels"] is None:
        labels = [of.attributes[LABEL.name].values for of in columns]
        every = sorted({*chain.from_iterable(labels)})
        parse_labels(every)
        warn(
            "{n} {label|labels} of predictions {is|are} not among those of the references, and "
            "{has|have} F1 0 in the means over labels: {names}",
            [value for value in every if value not in labels[0]],
        )
    shared = share_values(columns, dict.fromkeys(columns[0].attributes, ()))
    return [replace(side, mentions=of) for side, of in zip(sides, shared, strict=True)]


def _check_slots(columns: Sequence[MentionColumns], setup: Setup, documents: int) -> None:
    """Refuse slots of the same name, and one that counts and that no mention has.

    In a part of a corpus this is only a warning.
    """
    names = [name for name in columns[0].attributes if name != LABEL.name]
    _parse_names(names, "slots", "slot")
    for name in setup["slots"] or ():
        if any(set(of.attributes[name].values) - {"no"} for of in columns):
            continue
        if setup["labels"] is None:
            others = sorted(set(names) - {name})
            known = f", expected one of {listed(others)}" if others else ""
            raise InputError(f"no mention has the slot {shown(name)}{known}", where="slots")
        warn(
            f"no mention of {{n}} {{document|documents}} has the slot {shown(name)}, so that it "
            "says nothing there",
            n=documents,
        )


def resolve(corpus: Corpus, setup: Setup) -> Setup:
    """Set the labels to those of all sides that were read together, if none were asked for."""
    if setup["labels"] is not None:
        return setup
    column = corpus.gold.columns.attributes[LABEL.name]
    return setup.with_options(labels=parse_labels(column.values))


def whole(setup: Setup) -> str:
    """Say why parts cannot be counted alone: without ``labels`` those of all documents count."""
    if setup["labels"] is not None:
        return ""
    return "labels that are not given are those of all documents. Give labels"


def parse_labels(labels: Any) -> tuple[str, ...] | None:
    """Parse the labels that are scored.

    Raises:
        InputError: something that is not a label, or two whose keys are the same.

    Examples:
        >>> parse_labels("Drug,ADE")
        ('Drug', 'ADE')
    """
    remedy = "Rename it, or leave it out with labels="
    return None if labels is None else _parse_names(labels, "labels", "label", remedy)


def parse_slots(slots: Any) -> tuple[str, ...] | None:
    """Parse the slots that count, None if none does; raise as :func:`parse_labels` does."""
    return (None if slots is None else _parse_names(slots, "slots", "slot")) or None


def _parse_names(names: Any, where: str, kind: str, remedy: str = "Rename it") -> tuple[str, ...]:
    """Parse names that all have keys of their own."""
    if not isinstance(names, (str, list, tuple, set, frozenset)):
        raise InputError(f"expected a list of {where}, got {shown(names)}", where=where)
    given = tuple(names.split(",") if isinstance(names, str) else names)
    if not all(isinstance(name, str) for name in given):
        raise InputError(f"expected {where} as strings, got {shown(names)}", where=where)
    keys: dict[str, str] = {}
    for name in given:
        key = label_key(name)
        if key in _RESERVED or keys.setdefault(key, name) != name:
            other = f", as {shown(keys[key])} is" if key in keys else ""
            raise InputError(
                f"the {kind} {shown(name)} would be called {key!r} in the results{other}",
                where=where,
                remedy=remedy,
            )
    return tuple(keys.values())


def find_problems(paths: Sequence[Path]) -> Iterator[Problem]:
    """Find all problems of JSON Lines and of brat's files, line by line."""
    files = _Files()
    documents = [path for path in paths if is_jsonl(path, files.FILES)]
    for path in documents:  # each is a side of its own
        yield from find_in_documents([path], (LABEL, Slot(ANY, "free")), files.UNREAD)
    others = [path for path in paths if path not in documents]
    yield from brat_columns.find_problems(others, LABEL, (), attributes=True)
