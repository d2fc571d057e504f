"""Scores of event types and their parts, whose names the counts show."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass

from clineval.base.ratios import Number, Totals, precision_recall_f1, prf_keys
from clineval.results.averages import MACRO, PRF, average, is_there, list_parts_of
from clineval.results.formulas import PRF_HEADINGS
from clineval.results.measures import Grid, Measure
from clineval.results.views import short_prf

OVERALL, TRIGGER, LABELLED, SPAN = MAIN = "overall", "trigger", "labelled", "span"
"""The scores of all events."""
_TRIGGER_TP = f"_{TRIGGER}_tp"


def find_types(keys: Collection[str]) -> list[str]:
    """Find the keys of event types among the names of counts.

    Examples:
        >>> find_types(["trigger_tp", "start_tp", "start_trigger_tp", "start_drug_tp"])
        ['start']
    """
    found = [key.removesuffix(_TRIGGER_TP) for key in keys if key.endswith(_TRIGGER_TP)]
    return [key for key in found if f"{key}_tp" in keys]


@dataclass(frozen=True, slots=True)
class TypeScores(Measure):
    """Precision, recall and F1 of event types, triggers, arguments and values, and means.

        macro_overall_<score>    the mean over the event types of all their units
        macro_trigger_<score>    of their triggers

    Means are over the types that either side has; a type without a gold event has F1 0.
    """

    @property
    def short_names(self) -> Mapping[str, str]:
        """The names of the means in spaCy's training table."""
        return short_prf(f"{MACRO}_{OVERALL}", "mac") | short_prf(f"{MACRO}_{TRIGGER}", "mac_trig")

    def finish(self, totals: Totals, _config: str, /) -> dict[str, Number]:
        """Compute the scores of everything that is counted, and average those of types."""
        keys = [key.removesuffix("_tp") for key in totals if key.endswith("_tp")]
        of_parts = {key: precision_recall_f1(key, totals) for key in keys if key not in MAIN}
        scores: dict[str, Number] = {}
        if f"{OVERALL}_tp" in totals:
            for name, parts in _name_parts(find_types(totals)).items():
                scores |= average(name, [of_parts[key] for key in parts], is_there)
        for each in of_parts.values():
            scores |= each
        return scores

    def list_parts(self, scores: Mapping[str, Number], /) -> Mapping[str, Sequence[str]]:
        """Map each mean to the scores of the event types that either side has."""
        parts: dict[str, Sequence[str]] = {}
        for name, keys in _name_parts(find_types(scores)).items():
            parts |= list_parts_of(name, keys, scores)
        return parts

    def tables(self) -> Iterable[Grid]:
        """Lay out the means, and the scores of each event type."""
        names = {OVERALL: "all units", TRIGGER: "triggers"}
        rows = {
            heading: tuple(f"{MACRO}_{name}_{key}" for key in PRF)
            for name, heading in names.items()
        }
        yield Grid("Event types, mean of the types", PRF_HEADINGS[:3], rows)
        yield Grid("Event types", PRF_HEADINGS, {}, _lay_out_types)

    def details(self) -> Iterable[Grid]:
        """Lay out the triggers and the arguments of all types."""
        yield Grid("Triggers and arguments", PRF_HEADINGS, {}, _lay_out_parts)


def _name_parts(types: Sequence[str]) -> dict[str, list[str]]:
    """Return the beginning of the keys of each mean, and of the scores that it averages."""
    return {
        f"{MACRO}_{OVERALL}": [*types],
        f"{MACRO}_{TRIGGER}": [f"{key}_{TRIGGER}" for key in types],
    }


def _lay_out_types(scores: Collection[str]) -> Mapping[str, tuple[str, ...]]:
    return {key: prf_keys(key) for key in find_types(scores)}


def _lay_out_parts(scores: Collection[str]) -> Mapping[str, tuple[str, ...]]:
    """Find the rows of triggers, arguments and values, which follow the row of their type."""
    types = tuple(f"{key}_" for key in find_types(scores))
    own = [key.removesuffix("_tp") for key in scores if key.endswith("_tp")]
    return {key: prf_keys(key) for key in own if key.startswith(types) and f"{key}_f1" in scores}
