"""Counts of several systems on the same documents, made comparable."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from clineval.base.errors import InputError, agree, listed
from clineval.results.counts import Counted, SomeCounts


def align_counts(systems: Sequence[SomeCounts]) -> list[SomeCounts]:
    """Give all counts the same documents in the same order.

    All counts need the same references and options. A document that only some systems have, such as
    one without a gold document, adds nothing to the other systems.
    """
    first, *_ = systems = list(systems[0].challenge.steps.share(systems))
    for counts in systems[1:]:
        differing = sorted(dict(first.kind.items() ^ counts.kind.items()))
        if differing or first.columns != counts.columns:
            raise InputError(
                f"counts that differ in {', '.join(differing) or 'columns'} cannot be compared"
            )
    if any(counts.documents != first.documents for counts in systems):
        names = tuple(dict.fromkeys(name for counts in systems for name in counts.documents))
        systems = [_fill(counts, names) for counts in systems]
    _check_references(systems)
    return list(systems)


def _fill(counts: SomeCounts, names: tuple[str, ...]) -> SomeCounts:
    """Give counts a row for each of these documents; new rows are 0."""
    row_of = {name: row for row, name in enumerate(names)}
    rows = [row_of[name] for name in counts.documents]
    if len(set(rows)) < len(rows):
        raise InputError(
            "systems with different documents cannot be compared if a name stands for several "
            "documents",
            remedy="Give every document a name of its own",
        )
    table = np.zeros((len(names), len(counts.columns)))
    digests = np.zeros(len(names), np.uint64)
    table[rows], digests[rows] = counts.table, counts.digests
    labels = None if counts.labels is None else counts.labels.spread(rows, len(names))
    return replace(counts, documents=names, cells=table, digests=digests, details=(), labels=labels)


def share_weights(first: SomeCounts, second: SomeCounts) -> tuple[SomeCounts, SomeCounts]:
    """Let the rows of two systems on the same documents be mixed: see :meth:`LabelRows.share`."""
    if first.labels is None or second.labels is None:
        return first, second
    ours, theirs = first.labels.share(second.labels)
    return replace(first, labels=ours), replace(second, labels=theirs)


def _check_references(systems: Sequence[Counted]) -> None:
    digests = np.stack([counts.digests for counts in systems])
    differing = np.any((digests != digests.max(axis=0)) & (digests != 0), axis=0)
    if differing.any():
        names = [systems[0].documents[row] for row in np.flatnonzero(differing)]
        some = agree("{n} {document|documents}", len(names))
        raise InputError(
            f"the systems were scored against different references in {some}: {listed(names)}"
        )
