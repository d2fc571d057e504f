"""Scores as programs read them."""

from __future__ import annotations

from typing import Any, TypedDict


class Described(TypedDict, total=False):
    """The scores of a system, as JSON holds them.

    The keys about intervals are missing without intervals, ``undefined``, the keys of scores that
    are None, is missing if there are none, and ``dataset`` is missing unless the gold standard is
    known.
    """

    metric: str
    config: str
    protocol: str
    scores: dict[str, float | None]
    interval_methods: dict[str, str]
    few_units: list[str]
    undefined: list[str]
    signature: str
    dataset: str
    per_document: list[dict[str, Any]]
