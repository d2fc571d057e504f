"""The means of the diseases' scores."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from clineval.base.ratios import Number, Totals
from clineval.kinds.classes.measures import ClassScores, OtherMeans
from clineval.results.averages import PRF, average_columns, is_there, label_key
from clineval.results.formulas import PRF_HEADINGS
from clineval.results.measures import Grid, Measure, Measures

_MEANS = ("micro", "macro")


@dataclass(frozen=True)
class DiseaseMeans(Measure):
    """The mean of the micro and of the macro scores over the diseases that either side has.

    Args:
        diseases: the beginnings of the diseases' keys.
        scores: the scores of each disease.
    """

    diseases: tuple[str, ...]
    scores: tuple[ClassScores, ...]

    def finish(self, totals: Totals, config: str, /) -> dict[str, Number]:
        """Compute the means."""
        of_diseases = [scores.finish(totals, config) for scores in self.scores]
        if not all(of_diseases):
            return {}
        both = [*zip(self.diseases, of_diseases, strict=True)]
        weights = [
            is_there(*(scores[f"{key}_micro_{verdict}"] for verdict in ("tp", "fp", "fn")))
            for key, scores in both
        ]
        means: dict[str, Number] = {}
        for of in _MEANS:
            rows = [[scores[f"{key}_{of}_{name}"] for name in PRF] for key, scores in both]
            averages = average_columns(rows, weights)
            means |= {f"diseases_{of}_{n}": mean for n, mean in zip(PRF, averages, strict=True)}
        return means

    def list_parts(self, scores: Mapping[str, Number], /) -> Mapping[str, Sequence[str]]:
        """Map each mean to the scores that it averages."""
        verdicts = ("tp", "fp", "fn")
        there = [k for k in self.diseases if any(scores.get(f"{k}_micro_{v}") for v in verdicts)]
        return {
            f"diseases_{of}_{name}": [f"{key}_{of}_{name}" for key in there]
            for of in _MEANS
            for name in PRF
        }

    def tables(self) -> Iterable[Grid]:
        """Lay out the means."""
        rows = {of: tuple(f"diseases_{of}_{name}" for name in PRF) for of in _MEANS}
        yield Grid("Means over the diseases", PRF_HEADINGS[:3], rows)

    @property
    def headline(self) -> tuple[str, ...]:
        """The mean macro F1."""
        return ("diseases_macro_f1",)


def make_measures(values: tuple[str, ...], diseases: tuple[str, ...]) -> Measures:
    """Return the scores: pooled, the means of the diseases, and of each disease."""
    pooled = ClassScores(values)
    keys = tuple(map(label_key, diseases))
    alone = tuple(
        ClassScores(values, prefix=f"{key}_", title=disease, main=False)
        for key, disease in zip(keys, diseases, strict=True)
    )
    return Measures.of(pooled, OtherMeans(pooled), DiseaseMeans(keys, alone), *alone)
