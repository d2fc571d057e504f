"""Scores by a hierarchy: codes with their ancestors, at each level, and with CoPHE's counts.

Let A(d) be the codes of a document with all their ancestors. Instead of a document, another place
can hold the codes (:mod:`clineval.kinds.codes.placed`).

    h_<score>          codes of A, as a set (Kiritchenko et al. 2006)
    cophe_<score>      codes of A, each as often as it is a code of the document or an ancestor of
                       one; the true positives of each are the smaller of both counts (CoPHE, Falis
                       et al. 2021)
    level<k>_<score>   the ancestors at level k, as a set

At level k, a code above this level stands for itself, and a code with several ancestors at this
level for all of them. Codes outside the hierarchy have no ancestors, and stand for themselves.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from clineval.base.arrays import IntArray, unite_keys
from clineval.base.errors import InputError, agree, called, named, warn
from clineval.base.ratios import Number, Totals, precision_recall_f1, prf_keys
from clineval.kinds.codes.hierarchy import WHERE, AnyLineage, Fold, Lists
from clineval.kinds.codes.placed import PlacedCodes, PlacedSides
from clineval.kinds.codes.prefixes import AnyHierarchy
from clineval.kinds.mentions.rows import Rows, columns_of
from clineval.results.formulas import PRF_HEADINGS
from clineval.results.grid import Grid
from clineval.results.match import NONE, VERDICTS, Match
from clineval.results.measure import Measure

ANCESTORS, COPHE, LEVEL = "h", "cophe", "level"
_UNKNOWN = "{n} {code is|codes are} not in the hierarchy"
_MOST = np.int64(1 << 20)
"""More codes than a place has."""
Locate = Callable[[str, str], str]
"""Returns the file and line of a code, given the name of its document and the code."""
_NAME = re.compile(rf"({ANCESTORS}|{COPHE}|{LEVEL}\d+)\Z")


def list_nodes(
    sides: PlacedSides, lineage: AnyLineage, levels: Sequence[int]
) -> Mapping[str, Rows]:
    """Return the outcomes of codes and their ancestors.

    A row has a gold and a predicted annotation with a code below another code or equal to it; an
    annotation can be in many rows.
    """
    columns, size = (sides[0].columns, sides[1].columns), len(lineage.level)
    every = [_place(side, lineage.nodes, size) for side in sides]
    placed = {ANCESTORS: [side.unite() for side in every], COPHE: [side.number() for side in every]}
    for level in levels:
        lists = lineage.at_level(level)
        placed[f"{LEVEL}{level}"] = [_place(side, lists, size).unite() for side in sides]
    return {name: Rows(_match(*each), columns, columns_of(name)) for name, each in placed.items()}


@dataclass(frozen=True, slots=True, eq=False)
class _Placed:
    """The codes and ancestors of one side: sorted keys, and the row of a code for each."""

    keys: IntArray
    rows: IntArray

    @property
    def _first(self) -> IntArray:
        return np.flatnonzero(np.diff(self.keys, prepend=-1))

    def unite(self) -> _Placed:
        """Return each key once."""
        return _Placed(self.keys[self._first], self.rows[self._first])

    def number(self) -> _Placed:
        """Return keys that count the repeats of a key."""
        first = self._first
        times = np.diff(np.append(first, len(self.keys)))
        repeat = np.arange(len(self.keys)) - np.repeat(first, times)
        return _Placed(self.keys * _MOST + repeat, self.rows)


def _place(side: PlacedCodes, lists: Lists, size: int) -> _Placed:
    """Return a key for each place and number below ``size``."""
    at, nodes = lists.spread(side.codes)
    keys = side.place[at] * np.int64(size) + nodes
    order = np.argsort(keys, kind="stable")
    return _Placed(keys[order], side.rows[at[order]])


def _match(gold: _Placed, prediction: _Placed) -> Match:
    """Pair equal keys."""
    at = np.searchsorted(prediction.keys[:-1], gold.keys)
    shared = (
        prediction.keys[at] == gold.keys if len(prediction.keys) else np.zeros(len(at), np.bool_)
    )
    found = np.zeros(len(prediction.keys), np.bool_)
    found[at[shared]] = True
    tp, fp, fn = gold.rows[shared], prediction.rows[~found], gold.rows[~shared]
    verdict = np.repeat(np.arange(3, dtype=np.int8), [len(tp), len(fp), len(fn)])
    return Match(
        np.concatenate([tp, np.full(len(fp), NONE), fn]),
        np.concatenate([prediction.rows[found], fp, np.full(len(fn), NONE)]),
        verdict,
        VERDICTS,
    )


def locate_nothing(_document: str, _code: str) -> str:
    """Return nothing: the lines are unknown."""
    return ""


def refuse(code: str) -> str:
    """Return the problem of a gold code that is not in the hierarchy."""
    name = f"the code {code!r}" if named(code) else f"a code of {len(code)} characters"
    return f"{name} is not in the hierarchy"


def check_known(
    sides: PlacedSides,
    documents: Sequence[str],
    hierarchy: AnyHierarchy,
    fold: Fold,
    locate: Locate = locate_nothing,
) -> None:
    """Check that gold codes are in a hierarchy; warn about predicted codes that are not.

    Args:
        sides: the codes of both sides.
        documents: the names of the documents.
        hierarchy: the hierarchy.
        fold: returns the form in which codes are compared.
        locate: returns the file and line of a code of a document; empty if it is unknown.

    Raises:
        InputError: a gold code is not in the hierarchy.
    """
    check_gold(sides[0], documents, hierarchy, fold, locate)
    problem = "{n} predicted {code is|codes are} not in the hierarchy, and {counts|count} as wrong"
    wrong = _find_unknown(sides[1], hierarchy, fold)
    warn(f"{problem}, without ancestors", n=len(wrong))


def check_gold(
    gold: PlacedCodes,
    documents: Sequence[str],
    hierarchy: AnyHierarchy,
    fold: Fold,
    locate: Locate = locate_nothing,
) -> None:
    """Check that gold codes are in a hierarchy; the arguments are those of :func:`check_known`.

    Raises:
        InputError: one is not; the message has the document and the code.
    """
    unknown = _find_unknown(gold, hierarchy, fold)
    if not len(unknown):
        return
    document = documents[gold.columns.document[gold.rows[unknown[0]]]]
    code = gold.values[gold.codes[unknown[0]]]
    problem, place = refuse(code), locate(document, code)
    if others := len(unknown) - 1:
        problem = f"{problem}; {agree(_UNKNOWN, others + 1)}"
    where = f"references, document {called(document)}" if document else "references"
    where = f"{place}, document {called(document)}" if place else where
    remedy = "Add these codes to the file, or use the hierarchy of this coding system"
    raise InputError(problem, where=where, remedy=remedy)


def _find_unknown(side: PlacedCodes, hierarchy: AnyHierarchy, fold: Fold) -> IntArray:
    used = unite_keys(side.codes)
    known = [hierarchy.knows(side.values[code], fold) for code in used.tolist()]
    unknown = used[~np.array(known, np.bool_)]
    return np.flatnonzero(np.isin(side.codes, unknown))


@dataclass(frozen=True)
class HierarchyScores(Measure):
    """Precision, recall and F1 by a hierarchy, if there is one.

    Args:
        chosen: whether there is one.
        always: whether counts of other scores never have the same names.
        among: what stands before the names of scores, for scores of several kinds.
    """

    chosen: bool = False
    always: bool = True
    among: tuple[str, ...] = ("",)

    def under(self, settings: Mapping[str, str], /) -> Measure:
        """Return the measure with a main score, if the settings name a hierarchy."""
        return replace(self, chosen=True) if WHERE in settings else self

    @property
    def headline(self) -> tuple[str, ...]:
        """F1 of codes with their ancestors, if there is a hierarchy."""
        return tuple(f"{kind}{ANCESTORS}_f1" for kind in self.among) if self.chosen else ()

    def finish(self, totals: Totals, _config: str, /) -> dict[str, Number]:
        """Compute the scores; groups of codes have none."""
        found: dict[str, Number] = {}
        for kind in self.among if self.chosen or self.always else ():
            for name in _list_names(totals, kind):
                found |= precision_recall_f1(name, totals)
        return found

    def tables(self) -> Iterable[Grid]:
        """Lay out the scores of ancestors, and of each level."""
        if not (self.chosen or self.always):
            return
        for kind in self.among:
            title = f" of {kind.removesuffix('_')}" if kind else ""
            rows = {"codes with ancestors": ANCESTORS, "with counts (CoPHE)": COPHE}
            keys = {heading: prf_keys(f"{kind}{name}") for heading, name in rows.items()}
            yield Grid(f"Hierarchy{title}", PRF_HEADINGS, keys)
            yield Grid(f"Levels of the hierarchy{title}", PRF_HEADINGS, {}, _FindLevels(kind))


def is_score(name: str) -> bool:
    """Return whether scores by hierarchy have this name.

    Examples:
        >>> [is_score(name) for name in ("h", "level12", "level", "cophe2")]
        [True, True, False, False]
    """
    return bool(_NAME.match(name))


def _list_names(keys: Collection[str], kind: str) -> Iterator[str]:
    names = (key.removesuffix("_tp") for key in keys if key.endswith("_tp"))
    return (name for name in names if name.startswith(kind) and is_score(name[len(kind) :]))


@dataclass(frozen=True, slots=True)
class _FindLevels:
    """Finds the rows of a table of levels in the keys of a score, for a kind."""

    kind: str

    def __call__(self, keys: Collection[str]) -> Mapping[str, tuple[str, ...]]:
        start = f"{self.kind}{LEVEL}"
        names = [name for name in _list_names(keys, self.kind) if name.startswith(start)]
        return {f"level {name.removeprefix(start)}": prf_keys(name) for name in names}
