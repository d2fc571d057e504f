"""The scores of the diseases, and their means."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from clineval.base.ratios import Number, Totals
from clineval.kinds.classes.measures import ClassScores, OtherMeans
from clineval.results.averages import PRF, average_columns, is_there, label_key
from clineval.results.formulas import PRF_HEADINGS
from clineval.results.measures import Grid, Measure, Measures

_MEANS = {
    "micro": "micro",
    "macro": "macro",
    "macro_all": "macro, all classes",
}
_COLUMNS = {
    "micro_f1": "micro F1",
    "macro_f1": "macro F1",
    "macro_all_f1": "macro F1, all classes",
    "accuracy": "accuracy",
    "kappa": "kappa",
    "questions": "documents",
}


@dataclass(frozen=True, slots=True)
class Disease(Measure):
    """The scores of a disease.

    Args:
        scores: the scores of its classes.
    """

    scores: ClassScores

    @property
    def prefix(self) -> str:
        """The beginning of its keys."""
        return self.scores.prefix

    def finish(self, totals: Totals, config: str, /) -> dict[str, Number]:
        """Compute the scores of the classes, and all means over them."""
        means = OtherMeans(self.scores).finish(totals, config)
        return {**self.scores.finish(totals, config), **means}

    def details(self) -> Iterable[Grid]:
        """Lay out each class, and the means over the classes."""
        yield from self.scores.tables()
        yield from OtherMeans(self.scores).tables()
        yield from self.scores.details()

    def list_parts(self, scores: Mapping[str, Number], /) -> Mapping[str, Sequence[str]]:
        """Map each mean over classes to the scores that it averages."""
        return {**self.scores.list_parts(scores), **OtherMeans(self.scores).list_parts(scores)}


@dataclass(frozen=True, slots=True)
class Diseases(Measure):
    """The scores of each disease, and their means over the diseases that either side has.

    Args:
        each: the scores of each disease.
    """

    each: tuple[Disease, ...]

    def finish(self, totals: Totals, config: str, /) -> dict[str, Number]:
        """Compute the scores and the means."""
        of_diseases = {disease.prefix: disease.finish(totals, config) for disease in self.each}
        scores = {key: score for of in of_diseases.values() for key, score in of.items()}
        if not all(of_diseases.values()):
            return scores
        weights = [is_there(*_count(prefix, of)) for prefix, of in of_diseases.items()]
        means: dict[str, Number] = {}
        for mean in _MEANS:
            rows = [[scores[f"{prefix}{mean}_{name}"] for name in PRF] for prefix in of_diseases]
            averages = average_columns(rows, weights)
            means |= {f"diseases_{mean}_{n}": of for n, of in zip(PRF, averages, strict=True)}
        return means | scores

    def list_parts(self, scores: Mapping[str, Number], /) -> Mapping[str, Sequence[str]]:
        """Map each mean to the scores that it averages."""
        parts: dict[str, Sequence[str]] = {}
        for disease in self.each:
            parts |= disease.list_parts(scores)
        there = [each.prefix for each in self.each if any(_count(each.prefix, scores))]
        return parts | {
            f"diseases_{mean}_{name}": [f"{prefix}{mean}_{name}" for prefix in there]
            for mean in _MEANS
            for name in PRF
        }

    def tables(self) -> Iterable[Grid]:
        """Lay out the means, and the main scores of each disease."""
        means = {
            title: tuple(f"diseases_{mean}_{name}" for name in PRF)
            for mean, title in _MEANS.items()
        }
        yield Grid("Means over the diseases", PRF_HEADINGS[:3], means)
        rows = {
            disease.scores.title: tuple(f"{disease.prefix}{key}" for key in _COLUMNS)
            for disease in self.each
        }
        yield Grid("Diseases", tuple(_COLUMNS.values()), rows)

    def details(self) -> Iterable[Grid]:
        """Lay out the classes of each disease."""
        for disease in self.each:
            yield from disease.details()

    @property
    def headline(self) -> tuple[str, ...]:
        """The mean macro F1."""
        return ("diseases_macro_f1",)


def _count(prefix: str, scores: Mapping[str, Number]) -> list[Number]:
    """Return the tp, fp and fn of a disease; 0 if there are none."""
    return [scores.get(f"{prefix}micro_{verdict}", 0) for verdict in ("tp", "fp", "fn")]


def make_measures(values: tuple[str, ...], diseases: tuple[str, ...]) -> Measures:
    """Return the scores: pooled, of each disease, and the means of the diseases."""
    pooled = ClassScores(values)
    alone = tuple(
        Disease(ClassScores(values, prefix=f"{label_key(name)}_", title=name, main=False))
        for name in diseases
    )
    return Measures.of(pooled, OtherMeans(pooled), Diseases(alone))
