"""Counts of several systems, or runs of them, with the same documents in the same order."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from clineval.base.errors import InputError, agree, listed
from clineval.results.scores import Counts


def align_counts(systems: Sequence[Counts]) -> list[Counts]:
    """Give counts of the same references and options the same documents in the same order.

    A document that only some systems have, such as one that is not in the gold standard, adds
    nothing to the others.
    """
    first = systems[0]
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


def _fill(counts: Counts, names: tuple[str, ...]) -> Counts:
    """Give counts a row for each of these documents; new rows are 0."""
    at = {name: row for row, name in enumerate(names)}
    rows = [at[name] for name in counts.documents]
    if len(set(rows)) < len(rows):
        raise InputError(
            "systems with different documents cannot be compared if a name stands for several "
            "documents",
            remedy="Give every document a name of its own",
        )
    table = np.zeros((len(names), len(counts.columns)))
    digests = np.zeros(len(names), np.uint64)
    table[rows], digests[rows] = counts.table, counts.digests
    return replace(counts, documents=names, table=table, digests=digests, details=())


def _check_references(systems: Sequence[Counts]) -> None:
    digests = np.stack([counts.digests for counts in systems])
    known = digests.max(axis=0)
    other = np.any((digests != known) & (digests != 0), axis=0)
    if other.any():
        names = [systems[0].documents[row] for row in np.flatnonzero(other)]
        some = agree("{n} {document|documents}", len(names))
        raise InputError(
            f"the systems were scored against different references in {some}: {listed(names)}"
        )
