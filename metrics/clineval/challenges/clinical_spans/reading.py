"""Read labelled spans of any scheme: labels and slots are chosen by options, or found."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import replace
from difflib import get_close_matches
from itertools import chain

import numpy as np

from clineval.base.errors import InputError, called, listed, shown, warn
from clineval.base.files import Source
from clineval.formats.brat.columns import BratLabels, Unread
from clineval.formats.conll.options import as_tagging
from clineval.formats.given.bioc import open_bioc
from clineval.formats.given.mentions import AsSide, read_side
from clineval.kinds.mentions.columns import Side
from clineval.protocols.own_labels import (
    AnsweredLabel,
    key_labels,
    parse_labels,
    parse_names,
    warn_of_new,
)
from clineval.results.averages import label_key
from clineval.results.challenge import Setup
from clineval.results.columns import MentionColumns
from clineval.results.slots import ANY, INVENTED, Slot

LABEL = Slot("label", "label", required=True)


class SpanFiles(BratLabels):
    """Directories of brat's files, or ``.ann`` files."""

    def read_side(self, source: Source, slots: Sequence[Slot], *, strict: bool) -> Side:
        """Read a directory, a file or a text; warn about attributes if no slot is scored."""
        side = super().read_side(source, slots, strict=strict)
        if not any(slot.values for slot in slots):
            warn(
                "{n} {attribute|attributes} in brat's files {is|are} not scored: {names}. To score "
                "{it|them}, pass slots=",
                sorted(side.mentions.attributes.keys() - {LABEL.name}),
            )
        return side

    def read_strings(self, strings: Sequence[str], slots: Sequence[Slot], *, strict: bool) -> Side:  # noqa: ARG002
        """Reject strings, because JSON is the only format of strings."""
        raise InputError(
            "expected documents as lists of dicts, as JSON, or as Documents, got other strings"
        )


_ONLY = "clinical_spans scores only spans"  # several metrics may score the same files
FILES = SpanFiles(
    why=f"{_ONLY}; clinical_relations scores relations",
    unread=Unread(
        events=f", because {_ONLY}; clinical_events scores events",
        equivalences=f", because {_ONLY}; clinical_relations scores them",
    ),
)


def read_labelled(given: object, side: str, setup: Setup, known: Sequence[str]) -> Side:
    """Read one side; keep scored labels, and check answers against the ``known`` labels."""
    keys = key_labels(known)
    label = AnsweredLabel(LABEL.name, LABEL.kind, required=True, keys=keys)
    slots = label if isinstance(given, AsSide) else LABEL, Slot(ANY, "free", setup["slots"] or ())
    tagging = as_tagging(setup, setup["labels"])
    found = read_side(
        open_bioc(given, FILES.FILES),
        slots,
        strict=True,
        side=side,
        text_format=FILES,
        tagging=tagging,
        relations=FILES.why,
    )
    if isinstance(given, (str, os.PathLike)) and found.keys is not None:
        folded = tuple(map(FILES.document_key, found.keys))
        found = replace(found, keys=folded) if len(set(folded)) == len(folded) else found
    return _only_labels(found, setup["labels"])


def labels_in(*sides: Side) -> list[str]:
    """List the labels of the mentions of some sides."""
    columns = [side.mentions.attributes[LABEL.name].compact() for side in sides]
    return sorted({*chain.from_iterable(column.values for column in columns)} - {INVENTED})


def _only_labels(side: Side, labels: Sequence[str] | None) -> Side:
    """Keep the mentions whose labels are scored; a warning counts the other mentions.

    Mentions of answers with an impossible label are kept too, because they are wrong.
    """
    column = side.mentions.attributes[LABEL.name]
    scored = None if labels is None else {*labels, INVENTED}
    wanted = np.array([scored is None or value in scored for value in column.values], np.bool_)
    kept = np.flatnonzero(wanted[column.ids]) if len(side.mentions) else column.ids
    dropped = len(side.mentions) - len(kept)
    if not dropped:
        return side
    warn(
        "{n} {mention has a label|mentions have labels} that labels= does not list, and "
        "{does|do} not count",
        n=dropped,
    )
    return replace(side, mentions=side.mentions.take(kept))


def warn_of_labels(sides: Sequence[Side]) -> None:
    """Reject labels that share a key, and warn about labels that only predictions have.

    Such labels of answers are not rejected; they have no key and are wrong.
    """
    parse_labels(labels_in(*(side for side in sides if side.intake is None)))
    scored = {*key_labels(labels_in(*sides)).values()}
    found = ([label for label in labels_in(side) if label in scored] for side in sides[1:])
    warn_of_new(labels_in(sides[0]), found)


def check_slots(columns: Sequence[MentionColumns], setup: Setup, documents: int) -> None:
    """Reject slots with the same key, and a scored slot that no mention has.

    In a part of a corpus, or without any mention, a missing slot is only a warning.
    """
    names = [name for name in columns[0].attributes if name != LABEL.name]
    missing = [name for name in setup["slots"] or () if not _is_used(name, columns)]
    there = sorted(set(names).difference(missing))
    keys = {label_key(name): name for name in there}
    for name in missing:
        mistaken = setup["labels"] is None and any(map(len, columns))
        if mistaken or label_key(name) in keys:
            known = f", expected one of {listed(there)}" if there else ""
            near = get_close_matches(label_key(name), keys, n=1)
            remedy = f"Did you mean {called(keys[near[0]])}?" if near else ""
            problem = f"no mention has the slot {shown(name)}{known}"
            raise InputError(problem, where="slots", remedy=remedy)
        warn(
            f"no mention of {{n}} {{document|documents}} has the slot {shown(name)}, so its "
            "scores are meaningless there",
            n=documents,
        )
    parse_names(names, "slots", "slot")


def _is_used(slot: str, columns: Sequence[MentionColumns]) -> bool:
    """Return whether any mention has a value other than ``no``."""
    return any(set(of.attributes[slot].values) - {"no"} for of in columns)
