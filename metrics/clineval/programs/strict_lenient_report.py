"""Print tables of strict and lenient rates side by side, as released scripts do."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from pathlib import Path

from clineval.base.ratios import Number, harmonic_mean, ratio
from clineval.results.scores import Score

MODES = ("strict", "lenient")
HEAD = (
    f"{'':22}{'------- strict -------':26}{'------ lenient -------'}\n"
    f"{'':22}Prec.   Rec.    F(b=1)    Prec.   Rec.    F(b=1)\n"
)
LINE = f"{'':22}{'-' * 48}\n"


def format_row(label: str, *rates: Number) -> str:
    """Format a row: P, R and F of both modes."""
    strict, lenient = (
        "  ".join(f"{rate:.4f}" for rate in rates[first : first + 3]) for first in (0, 3)
    )
    return f"{label:>20}  {strict}    {lenient}\n"


def rates_of(score: Score, prefix: str) -> list[Number]:
    """Return P, R and F of both modes, with the scripts' own rounding errors."""
    rates: list[Number] = []
    for mode in MODES:
        tp, fp, fn = (score[f"{prefix}_{mode}_{verdict}"] for verdict in ("tp", "fp", "fn"))
        rates += compute_rates(tp, fp, fn)
    return rates


def compute_rates(tp: Number, fp: Number, fn: Number) -> tuple[Number, Number, Number]:
    """Compute P, R and F with the scripts' own rounding errors."""
    precision, recall = ratio(tp, tp + fp), ratio(tp, tp + fn)
    return precision, recall, harmonic_mean(precision, recall)


def list_skipped(folders: Sequence[Path], names: Sequence[Collection[str]]) -> Iterator[str]:
    """Yield the scripts' messages about files that only one of two folders has."""
    common = set.intersection(*map(set, names))
    for folder, of in zip(folders, names, strict=True):
        if set(of) - common:
            yield f"Files skipped in {folder}:\n{', '.join(sorted(set(of) - common))}\n"
