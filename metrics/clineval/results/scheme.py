"""What events a challenge has: their types, and the arguments of each."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from clineval.base.arrays import BoolArray, Coded


@dataclass(frozen=True, slots=True)
class Argument:
    """An argument of events.

    Args:
        label: what it says of the event, such as ``Amount``.
        values: of a *labelled* argument, whose value counts, the values that are scored one by
            one; others count with it. Without any it is a *span* argument, whose place counts.

    Examples:
        >>> Argument("Amount"), Argument("StatusTime", ("current", "past")).values
        (Argument(label='Amount', values=()), ('current', 'past'))
    """

    label: str
    values: tuple[str, ...] = ()


class Row(NamedTuple):
    """What a score is of: units of some event types, labels and values; of all if None."""

    event: str | None = None
    labels: Sequence[str] | None = None
    value: str | None = None

    def holds(self, event: str, label: str, value: str) -> bool:
        """Tell whether a unit is one of these.

        Examples:
            >>> Row("Tobacco", ("StatusTime",)).holds("Tobacco", "StatusTime", "past")
            True
        """
        labelled = self.labels is None or label in self.labels
        return labelled and self.event in (None, event) and self.value in (None, value)


@dataclass(frozen=True, slots=True)
class Scheme:
    """The events of a challenge.

    Args:
        events: the label of triggers to the arguments that are scored one by one; those of other
            events count with all.

    Examples:
        >>> status = Argument("Status", ("planned", "done"))
        >>> scheme = Scheme({"Start": (status, Argument("Rate")), "Stop": (Argument("Reason"),)})
        >>> scheme.labels
        ('Start', 'Stop', 'Status', 'Rate', 'Reason')
    """

    events: Mapping[str, tuple[Argument, ...]]

    @property
    def triggers(self) -> tuple[str, ...]:
        """The labels of triggers."""
        return tuple(self.events)

    @property
    def labelled(self) -> tuple[str, ...]:
        """The labels of arguments whose value counts."""
        return self._labels_of(labelled=True)

    @property
    def spans(self) -> tuple[str, ...]:
        """The labels of arguments whose place counts."""
        return self._labels_of(labelled=False)

    def _labels_of(self, *, labelled: bool) -> tuple[str, ...]:
        every = (argument for arguments in self.events.values() for argument in arguments)
        return tuple(dict.fromkeys(each.label for each in every if bool(each.values) == labelled))

    @property
    def arguments(self) -> tuple[str, ...]:
        """The labels of arguments."""
        return (*self.labelled, *self.spans)

    @property
    def labels(self) -> tuple[str, ...]:
        """All labels."""
        return (*self.triggers, *self.arguments)


def has_label(label: Coded, labels: Sequence[str]) -> BoolArray:
    """Tell which rows of a column have one of some labels, ``[n]``."""
    known = np.array([value in labels for value in label.values], np.bool_)
    return known[label.ids] if len(known) else np.zeros(len(label.ids), np.bool_)
