"""The scores of a source of judgments, and of both sources."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain

from clineval.base.ratios import Number, Totals, precision_recall_f1, prf_keys, ratio
from clineval.kinds.classes.measures import ClassScores
from clineval.kinds.classes.question_scores import QuestionScores
from clineval.results.averages import PRF
from clineval.results.measures import Grid, Measure
from clineval.results.views import ItemCheck

DISEASES = (
    *("Asthma", "CAD", "CHF", "Depression", "Diabetes", "Gallstones", "GERD", "Gout"),
    *("Hypercholesterolemia", "Hypertension", "Hypertriglyceridemia", "OA", "Obesity", "OSA"),
    *("PVD", "Venous Insufficiency"),
)
TEXTUAL, INTUITIVE = SOURCES = ("textual", "intuitive")
JUDGMENTS = {TEXTUAL: ("Y", "N", "Q", "U"), INTUITIVE: ("Y", "N", "Q")}
"""Source to its classes."""
THERE = "sources"
"""The setting that names the sources that have judgments, if a configuration scores both."""


def split_sources(words: str) -> list[str]:
    """List the sources of a setting; all if it names none.

    Examples:
        >>> split_sources("intuitive"), split_sources("")
        (['intuitive'], ['textual', 'intuitive'])
    """
    return [source for source in SOURCES if source in words.split("+")] or [*SOURCES]


@dataclass(frozen=True, slots=True)
class ObesityScores(Measure):
    """The scores of the source of a configuration, or of both sources.

    Args:
        there: the sources that have judgments, if a configuration scores both.
    """

    there: str = ""

    def under(self, settings: Mapping[str, str], /) -> Measure:
        """Return the measure for the sources that have judgments."""
        there = settings.get(THERE, "")
        return self if there == self.there else replace(self, there=there)

    def finish(self, totals: Totals, config: str, /) -> dict[str, Number]:
        """Compute the scores of a source; of both sources with the mean of their macro F1."""
        if config in SOURCES:
            return _score_source(config).finish(totals, config)
        if "micro_tp" not in totals:
            return {}
        found: dict[str, Number] = {}
        for source in split_sources(self.there):
            found |= _score_source(source, f"{source}_").finish(totals, config)
        main = [found[key] for key in _list_main(found)]
        mean = {"macro_f1": ratio(sum(main), len(main))}
        return {**mean, **precision_recall_f1("micro", totals), **found} if main else {}

    def list_parts(self, scores: Mapping[str, Number], /) -> Mapping[str, Sequence[str]]:
        """Map each mean to the scores that it averages."""
        main = _list_main(scores)
        if not main:
            return _score_source(TEXTUAL if "u_tp" in scores else INTUITIVE).list_parts(scores)
        parts: dict[str, Sequence[str]] = {"macro_f1": main}
        for source in SOURCES:
            if f"{source}_macro_f1" in main:
                parts |= _score_source(source, f"{source}_").list_parts(scores)
        return parts

    def tables(self) -> Iterable[Grid]:
        """Lay out the main scores of each source."""
        yield from chain.from_iterable(measure.tables() for measure in _list_all())
        yield Grid("Sources", ("macro F1",), {}, _lay_out_sources)

    def details(self) -> Iterable[Grid]:
        """Lay out the scores of classes and diseases."""
        yield from chain.from_iterable(measure.details() for measure in _list_all())

    @property
    def headline(self) -> tuple[str, ...]:
        """Macro F1, micro F1 and accuracy, of the configuration and of each source."""
        keys = ("macro_f1", "micro_f1", "accuracy")
        own = [f"{source}_{key}" for source in SOURCES for key in (*keys, "diseases_macro_f1")]
        return (*keys, "diseases_macro_f1", *own)

    @property
    def shown_per_document(self) -> tuple[str, ...]:
        """The counts of all judgments."""
        return prf_keys("micro")[len(PRF) :]

    @property
    def short_names(self) -> Mapping[str, str]:
        """The main scores."""
        return ClassScores(()).short_names

    def item_checks(self) -> Iterable[ItemCheck]:
        """List the counts that a page recounts."""
        return ClassScores(()).item_checks()


def _lay_out_sources(keys: Collection[str]) -> Mapping[str, tuple[str, ...]]:
    rows = {key.partition("_")[0]: (key,) for key in _list_main(keys)}
    return rows | ({"mean of the sources": ("macro_f1",)} if rows else {})


def _list_main(scores: Collection[str]) -> list[str]:
    return [key for key in (f"{source}_macro_f1" for source in SOURCES) if key in scores]


def _score_source(source: str, begin: str = "") -> QuestionScores:
    """Return the scores of a source, whose keys and headings name it if there are others."""
    added = f", {source}" if begin else ""
    return QuestionScores(JUDGMENTS[source], DISEASES, "diseases", begin, added)


def _list_all() -> Sequence[QuestionScores]:
    both = [_score_source(source, f"{source}_") for source in SOURCES]
    return [*map(_score_source, SOURCES), *both]
