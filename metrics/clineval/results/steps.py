"""The steps of scoring, from what a user gives to scores, as one value."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from clineval.base.ratios import Columns
from clineval.results.challenge import Corpus, Finish, Pairing, Setup, Side


@dataclass(frozen=True)
class Steps:
    """What a challenge does, in order, each as :class:`~clineval.results.challenge.Challenge` has it.

    A declaration takes them all with ``**STEPS.given``.
    """

    read: Callable[[Any, Sequence[Any], Setup], tuple[Side, list[Side]]]
    join: Callable[[Side, Side, Setup], Corpus]
    pair: Callable[[Any, Setup], Pairing]
    tally: Callable[[Any, Pairing, Setup], Columns]
    finish: Finish
    list_outcomes: Callable[[Any, Sequence[Pairing], Setup], Any] | None = None
    as_gold: Callable[[Side, Side, Setup], Side] | None = None
    resolve: Callable[[Any, Setup], Setup] | None = None
    whole: Callable[[Setup], str] | None = None
    unite: Callable[[Sequence[Any]], Sequence[Any]] | None = None
    settings: Callable[[Setup], Mapping[str, str]] | None = None
    detail: Callable[[Any, Sequence[Pairing], Setup], Sequence[dict[str, Any]]] | None = None

    @property
    def given(self) -> dict[str, Any]:
        """Those that there are, by name."""
        return {name: step for name, step in vars(self).items() if step is not None}
