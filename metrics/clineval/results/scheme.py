"""The types of a challenge's events, and the arguments of each."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np

from clineval.base.arrays import BoolArray, Coded


@dataclass(frozen=True, slots=True)
class Argument:
    """An argument of events.

    Args:
        label: its label, such as ``Amount``.
        values: the values that are scored separately; other values count only in the scores of all
            values. An argument with values is *labelled*: its value counts. An argument without
            values is a *span* argument: its span counts.
        valued: whether an argument is labelled even if none of its values is scored separately.

    Examples:
        >>> Argument("Amount"), Argument("StatusTime", ("current", "past")).values
        (Argument(label='Amount', values=()), ('current', 'past'))
    """

    label: str
    values: tuple[str, ...] = ()
    valued: bool = field(default=False, kw_only=True, repr=False)

    @property
    def is_labelled(self) -> bool:
        """Whether its value counts."""
        return self.valued or bool(self.values)


class Row(NamedTuple):
    """The units of a score: the event type, labels and value, triggers or not; None matches all."""

    event: str | None = None
    labels: Sequence[str] | None = None
    value: str | None = None
    trigger: bool | None = None

    def holds(self, event: str, label: str, value: str, *, trigger: bool = False) -> bool:
        """Return whether the score counts a unit.

        Examples:
            >>> Row("Tobacco", ("StatusTime",)).holds("Tobacco", "StatusTime", "past")
            True
        """
        labelled = self.labels is None or label in self.labels
        named = labelled and self.event in (None, event) and self.value in (None, value)
        return named and self.trigger in (None, trigger)


@dataclass(frozen=True, slots=True)
class Scheme:
    """The events of a challenge.

    Args:
        events: the label of triggers to the arguments that are scored separately; other arguments
            count only in the scores of all arguments. Empty for events of any types.

    Examples:
        >>> status = Argument("Status", ("planned", "done"))
        >>> scheme = Scheme({"Start": (status, Argument("Rate")), "Stop": (Argument("Reason"),)})
        >>> scheme.labels
        ('Start', 'Stop', 'Status', 'Rate', 'Reason')
    """

    events: Mapping[str, tuple[Argument, ...]]

    @property
    def is_open(self) -> bool:
        """Whether events can have any types and arguments."""
        return not self.events

    @property
    def triggers(self) -> tuple[str, ...]:
        """The labels of triggers."""
        return tuple(self.events)

    @property
    def labelled(self) -> tuple[str, ...]:
        """The labels of labelled arguments."""
        return self._labels_of(labelled=True)

    @property
    def spans(self) -> tuple[str, ...]:
        """The labels of span arguments."""
        return self._labels_of(labelled=False)

    def _labels_of(self, *, labelled: bool) -> tuple[str, ...]:
        every = (argument for arguments in self.events.values() for argument in arguments)
        return tuple(dict.fromkeys(each.label for each in every if each.is_labelled == labelled))

    @property
    def arguments(self) -> tuple[str, ...]:
        """The labels of arguments."""
        return (*self.labelled, *self.spans)

    @property
    def labels(self) -> tuple[str, ...]:
        """All labels."""
        return (*self.triggers, *self.arguments)


def has_label(label: Coded, labels: Sequence[str]) -> BoolArray:
    """Return whether each row of a column has one of some labels, ``[n]``."""
    known = np.array([value in labels for value in label.values], np.bool_)
    return known[label.ids] if len(known) else np.zeros(len(label.ids), np.bool_)
