"""Scores as programs read them."""

from __future__ import annotations

from typing import Any, TypedDict


class Described(TypedDict, total=False):
    """What JSON can hold of the scores of a system.

    Without intervals there is nothing of how they were made, and without a known gold standard
    there is no ``dataset``.
    """

    metric: str
    config: str
    protocol: str
    scores: dict[str, float | None]
    interval_methods: dict[str, str]
    few_units: list[str]
    signature: str
    dataset: str
    per_document: list[dict[str, Any]]
