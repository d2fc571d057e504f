"""Agreement as tables, as lines of a spreadsheet, and as data for programs."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from clineval.base.errors import agree as count_words
from clineval.evaluation.analysis.agreement import Agreement, SlotAgreement
from clineval.evaluation.analysis.ceiling import Beside, Ceiling, Key
from clineval.evaluation.analysis.together import ManyAgreement, Together
from clineval.results.scores import Score
from clineval.results.tables import Sheet, Table, format_interval, format_value
from clineval.stats.cautions import explain_few
from clineval.stats.chance import NOMINAL, ORDERED, Bounds, Coefficient

HEADINGS = {
    "ac1": "AC1",
    "linear_kappa": "linear kappa",
    "quadratic_kappa": "quadratic kappa",
    "ordinal_alpha": "ordinal alpha",
}
MOST_ROWS = 20
"""The most rows of a table; the other notations have all of them."""
Data = dict[str, object]
Line = Sequence[object]


def describe(
    pairs: Sequence[Agreement], together: Together | None = None, ceiling: Ceiling | None = None
) -> Sheet:
    """Lay out agreement: tables for every two annotators, for all of them, and for the ceiling.

    In the data for programs, an undefined coefficient is None, and ``undefined`` lists it.
    """
    return Sheet(
        lambda: [*_tabulate_all(pairs, together, ceiling)],
        lambda: _list_data(pairs, together, ceiling),
        lambda: [_COLUMNS, *_list_lines(pairs, together, ceiling)],
        heading=_head(pairs[0].score),
        signature="\n".join(_sign(found, alone=len(pairs) == 1) for found in pairs),
        notes=lambda: [*_note_rows(pairs), *_explain_few(pairs)],
    )


def _tabulate_all(
    pairs: Sequence[Agreement], together: Together | None, ceiling: Ceiling | None
) -> Iterator[Table]:
    for found in pairs:
        yield from _tabulate(found)
    if together:
        yield from _tabulate_together(together)
    if ceiling:
        yield from _tabulate_ceiling(ceiling)


def _head(score: Score) -> str:
    return f"{score.challenge.task.title}, {score.config}, protocol {score.protocol}"


def _sign(found: Agreement, *, alone: bool) -> str:
    """Return the signature, after the names if there are several pairs of annotators."""
    names = "" if alone else f"{found.first} and {found.second}: "
    return names + found.score.signature_line


def _explain_few(pairs: Sequence[Agreement]) -> list[str]:
    return explain_few([key for found in pairs for key in found.score.few_units])


def _note_rows(pairs: Sequence[Agreement]) -> list[str]:
    """Say how many rows the tables leave out."""
    more = max(len(found.slots) for found in pairs) - MOST_ROWS
    words = "Tables show the first {most} rows, and JSON and CSV also the other {n}."
    return [count_words(words.replace("{most}", str(MOST_ROWS)), more)] if more > 0 else []


def _name_level(level: float) -> str:
    return f"{100 * level:g} %"


def _tabulate(found: Agreement) -> Iterator[Table]:
    """Yield the main scores of two annotators, then their agreement in each slot."""
    score, who = found.score, f"{found.first} and {found.second}"
    level = _name_level(score.confidence.level) if score.confidence else ""
    rows = tuple(
        (key, format_value(score.shown[key]), score.format_interval(key)) for key in score.headline
    )
    documents = count_words("{n} {document|documents}", len(score.counts))
    items = score.challenge.kind_of(score.config).items
    yield Table(f"{who}: {items}, {documents}", ("score", level), rows)
    if found.slots:
        columns = ("pairs", "missing", "agreement", *_name_columns(NOMINAL, level))
        yield Table(f"{who}: {items} of both", columns, tuple(_list_slots(found.slots)))
    ordered = {name: of for name, of in found.slots.items() if ORDERED[0] in of.coefficients}
    if ordered:
        slots = tuple((name, *_format_all(of, ORDERED)) for name, of in _first(ordered))
        yield Table(f"{who}: ordered answers", _name_columns(ORDERED, level), slots)


def _list_slots(slots: Mapping[str, SlotAgreement]) -> Iterator[tuple[str, ...]]:
    for name, of in _first(slots):
        shown = map(format_value, (of.pairs, of.missing, of.agreement if of.pairs else None))
        yield (name, *shown, *_format_all(of, NOMINAL))


def _first(slots: Mapping[str, SlotAgreement]) -> list[tuple[str, SlotAgreement]]:
    return [*slots.items()][:MOST_ROWS]


def _name_columns(names: Iterable[str], level: str) -> tuple[str, ...]:
    return tuple(column for name in names for column in (HEADINGS.get(name, name), level))


def _format_all(of: SlotAgreement | ManyAgreement, names: Iterable[str]) -> Iterator[str]:
    """Yield the cells of coefficients: each value, then its interval."""
    for name in names:
        yield format_value(of[name])
        yield format_interval(of.bounds(name))


def _tabulate_together(together: Together) -> Iterator[Table]:
    slots = [*together.slots.items()][:MOST_ROWS]
    level = _name_level(slots[0][1].level) if slots else ""
    names = [*dict.fromkeys(name for _, of in slots for name in of.coefficients)]
    rows = tuple(
        (
            question,
            *map(format_value, (of.units, of.missing)),
            *_format_all(of, [name for name in names if name in of.coefficients]),
        )
        for question, of in slots
    )
    width = 2 + 2 * len(names)
    filled = tuple((*row, *[""] * (width + 1 - len(row))) for row in rows)
    title = f"{', '.join(together.annotators)}: all together"
    yield Table(title, ("units", "missing", *_name_columns(names, level)), filled)


def _tabulate_ceiling(ceiling: Ceiling) -> Iterator[Table]:
    """Yield the means over all annotators, then the means without each annotator."""
    shown = [*ceiling.whole][:MOST_ROWS]
    level = _name_level(next(iter(ceiling.whole.values())).level) if ceiling.whole else ""
    columns = ("people", level, ceiling.system, level, "difference", level)
    rows = tuple((_name_key(key), *_format_beside(ceiling.whole[key])) for key in shown)
    yield Table(f"People with each other, and {ceiling.system} with people", columns, rows)
    rows = tuple(
        (f"{_name_key(key)}  {name}", *_format_beside(of[key]))
        for key in shown
        for name, of in ceiling.left_out.items()
    )
    columns = ("person", level, ceiling.system, level, "difference", level)
    title = f"Each person with the other people, and {ceiling.system} with the same people"
    yield Table(title, columns, rows)


def _name_key(key: Key) -> str:
    question, name = key
    named = HEADINGS.get(name, name)
    return f"{question} {named}" if question else name


def _format_beside(of: Beside) -> Iterator[str]:
    for value, bounds in _values_of(of).values():
        yield format_value(value)
        yield format_interval(bounds)


def _values_of(of: Beside) -> dict[str, tuple[float | None, Bounds | None]]:
    """Return what people, the system and their difference are, with intervals."""
    return {
        "people": (of.people.value, of.people.bounds(of.level)),
        "system": (of.system.value, of.system.bounds(of.level)),
        "difference": of.difference,
    }


def _list_data(
    pairs: Sequence[Agreement], together: Together | None, ceiling: Ceiling | None
) -> Data:
    data: Data = {"pairs": [_describe_pair(found) for found in pairs]}
    if together:
        slots = {
            name: {"units": of.units, "missing": of.missing, **_describe_coefficients(of)}
            for name, of in together.slots.items()
        }
        data["together"] = {"annotators": list(together.annotators), "slots": slots}
    if ceiling:
        data["ceiling"] = {
            "system": ceiling.system,
            "annotators": list(ceiling.people),
            "whole": _describe_ceiling(ceiling.whole),
            "left_out": {name: _describe_ceiling(of) for name, of in ceiling.left_out.items()},
        }
    return data


def _describe_pair(found: Agreement) -> Data:
    return {
        "annotators": [found.first, found.second],
        "scores": found.score.numbers,
        **found.score.described_intervals,
        "slots": {
            name: {
                "pairs": of.pairs,
                "missing": of.missing,
                "agreement": of.agreement,
                **_describe_coefficients(of),
            }
            for name, of in found.slots.items()
        },
        "signature": str(found.score.signature),
    }


def _describe_coefficients(of: SlotAgreement | ManyAgreement) -> Data:
    """Return coefficients with their bounds, and the names of those that are undefined."""
    data: Data = {}
    for name, coefficient in of.coefficients.items():
        low, high = of.bounds(name) or (None, None)
        data |= {name: coefficient.value, f"{name}_low": low, f"{name}_high": high}
    return {**data, "undefined": _list_undefined(of.coefficients)}


def _list_undefined(coefficients: Mapping[str, Coefficient]) -> list[str]:
    return [name for name, of in coefficients.items() if of.value is None]


def _describe_ceiling(means: Mapping[Key, Beside]) -> Data:
    """Return the means by question and name; the scores are under an empty question."""
    data: dict[str, Data] = {}
    for (question, name), of in means.items():
        values: Data = {}
        for key, (value, bounds) in _values_of(of).items():
            low, high = bounds or (None, None)
            values |= {key: value, f"{key}_low": low, f"{key}_high": high}
        data.setdefault(question or "scores", {})[name] = values
    return dict(data)


_COLUMNS = ("annotators", "question", "measure", "value", "low", "high", "pairs", "missing")


def _list_lines(
    pairs: Sequence[Agreement], together: Together | None, ceiling: Ceiling | None
) -> Iterator[Line]:
    """Yield a line for each score and coefficient; empty cells are undefined."""
    for found in pairs:
        yield from _list_pair(found)
    if together:
        names = " and ".join(together.annotators)
        for question, of in together.slots.items():
            for name in of.coefficients:
                bounds = of.bounds(name) or (None, None)
                yield names, question, name, of[name], *bounds, of.units, of.missing
    if ceiling:
        yield from _list_means("people", ceiling.system, ceiling.whole)
        for name, means in ceiling.left_out.items():
            yield from _list_means(name, ceiling.system, means)


def _list_pair(found: Agreement) -> Iterator[Line]:
    who, score = f"{found.first} and {found.second}", found.score
    for key in score.headline:
        bounds = score.intervals.get(key, (None, None))
        yield who, "", key, score[key], *bounds, "", ""
    for question, of in found.slots.items():
        sizes = of.pairs, of.missing
        yield who, question, "agreement", of.agreement if of.pairs else None, "", "", *sizes
        for name in of.coefficients:
            yield who, question, name, of[name], *(of.bounds(name) or (None, None)), *sizes


def _list_means(people: str, system: str, means: Mapping[Key, Beside]) -> Iterator[Line]:
    """Yield the means of people, of the system, and their difference."""
    who = {
        "people": f"{people} with people",
        "system": f"{system} with the same people",
        "difference": f"{system} minus {people}",
    }
    for (question, name), of in means.items():
        for key, (value, bounds) in _values_of(of).items():
            yield who[key], question, name, value, *(bounds or (None, None)), "", ""
