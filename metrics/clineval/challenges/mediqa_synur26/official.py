"""Read, compare and count MEDIQA-SYNUR 2026 as its released script does."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterator, Sequence
from typing import Any, NoReturn

import numpy as np

from clineval.base.errors import InputError
from clineval.challenges.mediqa_synur26.spec import (
    CONCEPT,
    FIELDS,
    MATCHES,
    MULTI_SELECT,
    NAME,
    TYPE,
    VALUE,
    Observations,
)
from clineval.formats.files import TextFile
from clineval.formats.given.records import read_records
from clineval.formats.record_files import RecordFormat
from clineval.kinds.mentions.columns import Side
from clineval.kinds.mentions.pairing import Pairs
from clineval.kinds.records.corpus import RecordCorpus, join_records
from clineval.kinds.records.fields import Written
from clineval.kinds.records.pairing import number_keys
from clineval.kinds.records.values import spell
from clineval.protocols.records import RecordPairing
from clineval.results.challenge import Setup
from clineval.results.columns import MentionColumns
from clineval.results.listed import Listed

_MISSING = ""
_NOTHING = object()
"""The value of a record without a value."""
_UNITS = {"fahrenheit": "F", "celsius": "C"}
_LISTED = json.dumps(MULTI_SELECT)


class Official(Observations):
    """Split lists by each side's own value_type, and pair each prediction with an equal gold value.

    A prediction takes the first gold value that it equals.
    """

    def read_side(self, given: object, side: str, _setup: Setup, /) -> Side:
        """Read one side as the script does; only the fields that it compares are checked."""
        return read_records(given, side, self.usual_form, strict=True)

    def join(self, gold: Side, predicted: Side, _setup: Setup, /) -> RecordCorpus:
        """Join both sides; documents without a gold standard are ignored."""
        names = [field.name for field in self.fields]
        corpus = join_records(gold, predicted, names, self.shown, visited="gold")
        sides = (self._unroll_own(side) for side in corpus.sides)
        return corpus.with_sides(sides).folded({CONCEPT: _as_key})

    def _unroll_own(self, side: MentionColumns) -> MentionColumns:
        types, values = (side.attributes[name] for name in (TYPE, VALUE))
        if _MISSING in types.compact().values:
            _stop("a record has no 'value_type'")
        listed = np.array([value == _LISTED for value in types.values], np.bool_)
        rows = listed[types.ids] if len(side) else np.zeros(0, np.bool_)
        if any(values.values[at] == _MISSING for at in np.unique(values.ids[rows]).tolist()):
            _stop("a record has no 'value'")
        return self.unroll(side, rows)

    def pair(self, block: RecordCorpus, _setup: Setup, /) -> RecordPairing:
        """Pair each prediction, in order, with the first free gold value that it equals."""
        keys = number_keys(block, (CONCEPT,))
        free: dict[int, list[int]] = defaultdict(list)
        for row, key in enumerate(keys[0].tolist()):
            free[key].append(row)
        compare = _Comparison([*map(_parse, block.gold.attributes[VALUE].values)])
        golds, found = (side.attributes[VALUE].ids.tolist() for side in block.sides)
        pairs = []
        for row, key in enumerate(keys[1].tolist()):
            equal = (g for g in free.get(key, ()) if compare(found[row], golds[g]))
            gold = next(equal, None)
            if gold is not None:
                free[key].remove(gold)
                pairs.append((gold, row))
        gold_rows, rows = np.array(sorted(pairs), np.int64).reshape(-1, 2).T
        return self.pair_others(block, {"micro": Pairs(gold_rows, rows)}, ["concept"])

    def describe(self, corpus: RecordCorpus) -> RecordCorpus:
        """Return the corpus with concepts and names without quotation marks."""
        return super().describe(corpus.folded({CONCEPT: _say_concept, NAME: _say_name}))


class _Comparison:
    """Compare values by their numbers as the script does, and remember the results."""

    def __init__(self, values: Sequence[object]) -> None:
        self._values = values
        self._known: dict[tuple[int, int], bool] = {}

    def __call__(self, found: int, expected: int) -> bool:
        pair = found, expected
        if pair not in self._known:
            try:
                self._known[pair] = is_equal(self._values[found], self._values[expected])
            except RecursionError:
                _stop("a value is nested too deeply")
        return self._known[pair]


def is_equal(found: Any, expected: Any) -> bool:
    """Return whether a predicted value counts as equal to a gold value.

    Examples:
        >>> is_equal("F", "Fahrenheit"), is_equal("Fahrenheit", "Fahrenheit"), is_equal(True, 1.0)
        (True, False, True)
        >>> is_equal(["a"], []), is_equal([], ["a"])
        (True, False)
    """
    if found is _NOTHING or expected is _NOTHING:
        _stop("a record has no 'value'")
    if isinstance(expected, (int, float)):
        return isinstance(found, (int, float)) and _as_double(found) == _as_double(expected)
    if type(found) is not type(expected):
        return False
    if isinstance(expected, str):
        return bool(found == _UNITS.get(expected.lower(), expected))
    if not expected:
        return True
    if isinstance(expected, dict):
        same = found.keys() == expected.keys()
        return same and all(is_equal(found[name], expected[name]) for name in expected)
    same = len(found) == len(expected)
    return same and all(map(is_equal, _sort(found), _sort(expected)))


def _stop(what: str) -> NoReturn:
    raise InputError(
        f"{what}: the released script stops here",
        remedy="protocol='spec' scores it, or reports where it is",
    ) from None


def _as_double(number: float) -> float:
    try:
        return float(number)
    except OverflowError:
        _stop("a number is too large")


def _sort(values: list[object]) -> list[Any]:
    try:
        return sorted(values)
    except TypeError:
        _stop("the members of a list cannot be sorted")


def _parse(written: str) -> object:
    return json.loads(written) if written else _NOTHING


def _as_key(written: str) -> str:
    """Return a text for the id of a concept; ids that are equal as Python keys share one text."""
    key = json.loads(written) if written else _stop("a record has no 'id'")
    if isinstance(key, (list, dict)):
        _stop("an 'id' is a list or an object")
    return spell(int(key) if isinstance(key, bool) else key)


def _say_concept(written: str) -> str:
    key = json.loads(written)
    return key if isinstance(key, str) else f"{written} (not a string)"


def _say_name(written: str) -> str:
    name = json.loads(written) if written else ""
    return name if isinstance(name, str) else ""


def _list_file(file: TextFile) -> Iterator[Listed]:
    """List the documents of a file; the last document with an id counts."""
    lines = file.content.decode().split("\n")[:-1]
    found: dict[object, Listed] = {}
    for number, line in enumerate(lines, 1):
        where = f"{file.label}:{number}"
        document = _load(line, where)
        if not isinstance(document, dict) or not {"id", "observations"} <= document.keys():
            raise InputError("expected an object with 'id' and 'observations'", where=where)
        name, given = document["id"], document["observations"]
        records = _load(given, where) if isinstance(given, str) else given
        called = name if isinstance(name, str) else f"{json.dumps(name)} (not a string)"
        found[called] = Listed(where, called, records)
    yield from found.values()


def _load(text: str, where: str) -> object:
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        problem = "expected JSON: the released script stops here"
        raise InputError(problem, where=where) from None


_OWN = tuple(Written(field.name, "value", key=field.key) for field in FIELDS)
OFFICIAL = Official(
    _OWN,
    MATCHES,
    row=CONCEPT,
    word="value",
    form=RecordFormat(_OWN, ("observations",), read_file=_list_file),
)
