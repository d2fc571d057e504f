"""The scores of eHealth-KD 2020, each declared once."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from clineval.base.ratios import Number, Totals, harmonic_mean, ratio
from clineval.challenges.ehealthkd20.sentences import KNOWN_RELATIONS, PHRASES, RELATIONS
from clineval.results.averages import PRF, label_key
from clineval.results.measures import Grid, Measure, Measures
from clineval.results.views import PairCheck, Preset, short_prf

LABELS = {"phrases": PHRASES, "relations": RELATIONS}
KINDS = {
    "phrases": ("correct", "incorrect", "partial", "spurious", "missing"),
    "relations": ("correct", "spurious", "missing"),
}
Counts = Mapping[str, Number]
"""Counts by kind."""


def kinds_of(config: str) -> tuple[str, ...]:
    """Return the kinds of annotations that a configuration scores."""
    return {"taskA": ("phrases",), "taskB": ("relations",)}.get(config, tuple(KINDS))


def _count(totals: Totals, prefix: str, of: str) -> Counts:
    return {kind: totals[f"{prefix}_{kind}"] for kind in KINDS[of]}


def _rate(prefix: str, counts: Sequence[Counts]) -> dict[str, Number]:
    total = {kind: sum(each.get(kind, 0) for each in counts) for kind in KINDS["phrases"]}
    right = total["correct"] + 0.5 * total["partial"]
    paired = total["correct"] + total["partial"] + total["incorrect"]
    recall = ratio(right, paired + total["missing"])
    precision = ratio(right, paired + total["spurious"])
    return {
        f"{prefix}precision": precision,
        f"{prefix}recall": recall,
        f"{prefix}f1": harmonic_mean(precision, recall),
    }


class Overall(Measure):
    """Precision, recall and F1 of all annotations that a configuration scores."""

    headline = ("f1", "precision", "recall")

    def finish(self, totals: Totals, config: str, /) -> dict[str, Number]:
        """Compute them."""
        return _rate("", [_count(totals, of, of) for of in kinds_of(config)])

    def tables(self) -> Iterable[Grid]:
        """Lay out the scores."""
        yield Grid("Key phrases and relations", ("P", "R", "F1"), {"all": PRF})

    @property
    def short_names(self) -> Mapping[str, str]:
        """The first letters of the keys."""
        return {key: key[0] for key in PRF}

    def presets(self) -> Iterable[Preset]:
        """Offer the F1 of correct annotations."""
        yield Preset("correct", "exact", "both", "f1")


@dataclass(frozen=True)
class OfLabels(Measure):
    """Precision, recall and F1 of phrases or relations, for all and for each label.

    A page counts ``classes`` for these scores, or all classes except ``without``.
    """

    of: str
    title: str
    short: str
    classes: tuple[str, ...] = ()
    without: tuple[str, ...] = ()

    def finish(self, totals: Totals, config: str, /) -> dict[str, Number]:
        """Compute the scores, and return them with their counts."""
        scores: dict[str, Number] = {}
        if self.of in kinds_of(config):
            for prefix in (self.of, *map(label_key, LABELS[self.of])):
                counts = _count(totals, prefix, self.of)
                scores |= _rate(f"{prefix}_", [counts])
                scores |= {f"{prefix}_{kind}": count for kind, count in counts.items()}
        return scores

    def tables(self) -> Iterable[Grid]:
        """Lay out each label, then all labels together."""
        keys, heads = (*PRF, *KINDS[self.of]), ("P", "R", "F1", *KINDS[self.of])
        prefixes = {**{label: label_key(label) for label in LABELS[self.of]}, "all": self.of}
        rows = {name: tuple(f"{of}_{key}" for key in keys) for name, of in prefixes.items()}
        yield Grid(self.title, heads, rows)

    @property
    def short_names(self) -> Mapping[str, str]:
        """The short names of the scores of all labels."""
        return short_prf(self.of, self.short)

    def checks(self) -> Iterable[PairCheck]:
        """List the number of correct annotations."""
        place = "exact", "both", "tp"
        yield PairCheck(f"{self.of}_correct", *place, self.classes, self.without)


MEASURES = Measures.of(
    Overall(),
    OfLabels("phrases", "Key phrases", "phr", without=KNOWN_RELATIONS),
    OfLabels("relations", "Relations", "rel", classes=KNOWN_RELATIONS),
    shown_per_document=("phrases_correct", "relations_correct", "f1"),
)
