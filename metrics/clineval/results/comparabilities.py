"""Several results: which of them can be compared, and what to do about the others."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from clineval.base.errors import agree
from clineval.results.comparable import ANSWERS, Comparability, Compared
from clineval.results.signature import Signature
from clineval.results.tables import Sheet, Table

_HEADINGS = ("field", "first", "this", "verdict", "what to do")


def group_comparable(signatures: Mapping[str, Signature]) -> list[list[str]]:
    """Group results; all results of a group can be compared with its first.

    Args:
        signatures: names of results to their signatures.

    Examples:
        >>> golds = {"a": "f0", "b": "f0", "c": "ee"}
        >>> group_comparable({name: Signature.parse(f"bc5cdr|default|docs:2|refs:{gold}")
        ...                   for name, gold in golds.items()})
        [['a', 'b'], ['c']]
    """
    groups: list[list[str]] = []
    for name, signature in signatures.items():
        alike = (group for group in groups if signatures[group[0]].compare(signature).comparable)
        group = next(alike, None)
        if group is None:
            groups.append([name])
        else:
            group.append(name)
    return groups


def conclude(found: Sequence[Comparability]) -> bool | None:
    """Decide whether all results can be compared; None if that cannot be told."""
    answers = {each.comparable for each in found}
    return False if False in answers else (None if None in answers else True)


def lay_out(signatures: Mapping[str, Signature]) -> tuple[Sheet, bool | None]:
    """Lay out which results can be compared, and what to do about those that cannot.

    Args:
        signatures: names of at least two results to their signatures. All are compared with the
            first one.

    Returns:
        The tables, and whether all results can be compared.
    """
    first, *others = signatures
    found = {name: signatures[first].compare(signatures[name]) for name in others}
    groups = group_comparable(signatures)
    comparable = conclude([*found.values()])
    sheet = Sheet(
        lambda: list(_list_tables(found, groups)),
        lambda: {
            "comparable": comparable,
            "groups": groups,
            "signatures": {name: str(each) for name, each in signatures.items()},
            "compared": {name: each.describe() for name, each in found.items()},
        },
        lambda: [("result", *_HEADINGS), *_list_lines(found)],
        heading=f"{agree('{n} results', len(signatures))}: {ANSWERS[comparable]}",
    )
    return sheet, comparable


def _list_tables(found: Mapping[str, Comparability], groups: list[list[str]]) -> Iterator[Table]:
    """Yield a table of the groups, if there are several results, and one for each result."""
    if len(found) > 1:
        numbered = tuple((str(n), ", ".join(group)) for n, group in enumerate(groups, 1))
        yield Table("Comparable with one another", ("group", "results"), numbered)
    for name, each in found.items():
        rows = tuple((of.name, *_cells(of)) for of in each.differing)
        if rows:
            yield Table(f"{name}: {each.answer}", _HEADINGS, rows)


def _list_lines(found: Mapping[str, Comparability]) -> Iterator[tuple[str, ...]]:
    for name, each in found.items():
        yield from ((name, of.name, *_cells(of)) for of in each.fields)


def _cells(field: Compared) -> tuple[str, ...]:
    return field.first or "–", field.second or "–", field.verdict, field.advice
