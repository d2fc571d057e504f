"""Parts of a corpus, and the results of counting them."""

from __future__ import annotations

import re
import warnings
from collections.abc import Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, field, replace
from itertools import chain
from pathlib import Path
from typing import TypeAlias

from clineval.base.errors import InputError, counting_part
from clineval.base.files import reading_instead
from clineval.evaluation.counting.found_names import Names, Uniting, find_names
from clineval.evaluation.evaluate import evaluate_inputs
from clineval.evaluation.inputs import Inputs, Lists, Whole
from clineval.formats.files import SomeFiles
from clineval.formats.line_index import Lines, pair_singly
from clineval.formats.stored import StoredDocuments, find_records
from clineval.formats.tables.rows import Rows
from clineval.results.challenge import Challenge, Setup
from clineval.results.registry import find_challenge, is_known
from clineval.results.scorable import Counts

Values = Mapping[str, Sequence[object]]
"""Options with a value for each document, such as the texts."""
_NUMBERED = re.compile(r"(\d+)((?::\d+)?)\Z")
_PLACE = re.compile(r"\b(document|note|record|abbreviation|text) (\d+)\b")


@dataclass(frozen=True, slots=True)
class ListPart:
    """Documents in lists. ``first`` is the number of the first document in the corpus."""

    references: Sequence[object]
    predictions: Sequence[object]
    first: int
    options: Values = field(default_factory=dict)

    def __len__(self) -> int:
        return len(self.references)

    def names(self, _challenge: Challenge) -> Sequence[str]:
        """Return the numbers of documents in the corpus, unless they have names."""
        named = any(name_of(item) for item in self.references)
        return () if named else list(map(str, range(self.first, self.first + len(self))))

    def inputs(self, _challenge: Challenge) -> Inputs:
        """Return the lists."""
        return Lists(self.references, [self.predictions])

    def singles(self) -> Iterator[tuple[str, Part]]:
        """Yield each document as a part of its own, with its name."""
        for at, (gold, found) in enumerate(zip(self.references, self.predictions, strict=True)):
            name = name_of(gold) or str(self.first + at)
            yield name, ListPart([gold], [found], self.first + at, _only(self.options, at))


def name_of(item: object) -> str:
    """Return the name of a document that is an object or a dict; empty if it has none."""
    key = item.get("id", item.get("note_id")) if isinstance(item, Mapping) else None
    name = getattr(item, "id", key)
    return name if isinstance(name, str) else ""


def _only(options: Values, at: int) -> Values:
    return {name: [values[at]] for name, values in options.items()}


@dataclass(frozen=True, slots=True)
class RowsPart:
    """Documents in a table."""

    rows: Rows
    options: Values = field(default_factory=dict)

    def __len__(self) -> int:
        return len(self.rows)

    def names(self, challenge: Challenge) -> Sequence[str]:
        """Return the ids of the table, or the numbers of the rows."""
        return () if self.rows.has_names(challenge) else self.rows.names

    def inputs(self, challenge: Challenge) -> Inputs:
        """Return columns if the table has them, or else lists."""
        references, predictions = self.rows.given(challenge)
        return Whole(references, [predictions])

    def singles(self) -> Iterator[tuple[str, Part]]:
        """Yield each row."""
        for at, name in enumerate(self.rows.names):
            yield name, RowsPart(self.rows.slice(at, at + 1), _only(self.options, at))


@dataclass(frozen=True, slots=True)
class FilesPart:
    """Documents in two directories with the same file names; one sequence for each document."""

    references: Path
    predictions: Path
    files: Sequence[Sequence[str]]
    options: Values = field(default_factory=dict)  # texts are files too

    def __len__(self) -> int:
        return len(self.files)

    def names(self, _challenge: Challenge) -> Sequence[str]:
        """Return nothing, because files determine the names of their documents."""
        return ()

    def inputs(self, _challenge: Challenge) -> Inputs:
        """Return the directories, as if they had no other files."""
        names = list(chain.from_iterable(self.files))
        return Whole(SomeFiles(self.references, names), [SomeFiles(self.predictions, names)])

    def singles(self) -> Iterator[tuple[str, Part]]:
        """Yield the files of each document."""
        for names in self.files:
            yield names[0], FilesPart(self.references, self.predictions, [names])


@dataclass(frozen=True, slots=True)
class StoredPart:
    """Documents in files that another package reads; both sides are in the same order."""

    references: StoredDocuments
    predictions: StoredDocuments
    rows: range
    options: Values = field(default_factory=dict)  # the files hold texts

    def __len__(self) -> int:
        return len(self.rows)

    def names(self, _challenge: Challenge) -> Sequence[str]:
        """Return the names of documents, or their numbers; nothing if they have their names."""
        sides = self.references.names, self.predictions.names
        if all(map(all, sides)):
            return ()
        return [sides[0][row] or sides[1][row] or str(row) for row in self.rows]

    def inputs(self, _challenge: Challenge) -> Inputs:
        """Read the documents."""
        self.references.compare(self.predictions, zip(self.rows, self.rows, strict=True))
        return Whole(self.references.read(self.rows), [self.predictions.read(self.rows)])

    def singles(self) -> Iterator[tuple[str, Part]]:
        """Yield each document."""
        for row in self.rows:
            name = self.references.names[row] or str(row)
            yield name, StoredPart(self.references, self.predictions, range(row, row + 1))


@dataclass(frozen=True, slots=True)
class LinesPart:
    """Documents in lines of two files, or of two directories of files."""

    references: Lines
    predictions: Lines
    options: Values = field(default_factory=dict)

    def __len__(self) -> int:
        return len(self.references)

    def names(self, _challenge: Challenge) -> Sequence[str]:
        """Return nothing, because lines have the ids of their documents."""
        return ()

    def inputs(self, _challenge: Challenge) -> Inputs:
        """Return the files, which :meth:`reading` reduces to the lines of the part."""
        return Whole(self.references.source, [self.predictions.source])

    def reading(self) -> AbstractContextManager[None]:
        """Read only the lines of the part inside."""
        return reading_instead({**self.predictions.read(), **self.references.read()})

    def singles(self) -> Iterator[tuple[str, Part]]:
        """Yield each document with its id."""
        for name, gold, found in pair_singly(self.references, self.predictions):
            yield name, LinesPart(gold, found)


Part: TypeAlias = ListPart | RowsPart | FilesPart | StoredPart | LinesPart
"""Both sides of some documents, and the ``options`` with a value for each document."""


@dataclass(frozen=True, slots=True)
class LeftOut:
    """The name or number of a document that could not be counted, and the problem."""

    document: str
    problem: str


@dataclass(frozen=True, slots=True)
class Result:
    """The result of counting a part of ``size`` documents: counts or an error, or neither."""

    size: int
    counts: Counts | None = None
    warnings: Sequence[Warning] = ()
    left_out: Sequence[LeftOut] = ()
    error: InputError | None = None
    names: Names = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Counter:
    """Counts a part, in this process or another; can leave out documents with errors."""

    setup: Setup
    keep_going: bool = False

    def __reduce__(self) -> tuple[object, ...]:
        # functions of a challenge cannot be sent, so a known challenge is sent as its name
        setup, challenge = self.setup, self.setup.challenge
        known = is_known(challenge.name) and find_challenge(challenge.name) is challenge
        asked = (setup.config, setup.protocol, dict(setup.options), self.keep_going)
        return _make_counter, (challenge.name if known else challenge, *asked)

    def __call__(self, part: Part) -> Result:
        """Count a part.

        The result keeps the warnings, which are issued once for all parts.
        """
        with warnings.catch_warnings(record=True) as caught, counting_part():
            warnings.simplefilter("always")
            try:
                counts, names = self._count(part)
                result = Result(len(part), counts, names=names)
            except InputError as error:
                if self.keep_going:
                    result = self._count_singly(part)
                else:
                    result = Result(len(part), error=self._renumber(error, part))
        raised = [each.message for each in caught if isinstance(each.message, Warning)]
        return replace(result, warnings=raised)

    def _count(self, part: Part) -> tuple[Counts, Names]:
        """Return the counts of a part, and the names that were found in it."""
        setup, challenge = self.setup.with_options(**part.options), self.setup.challenge
        if isinstance(part, StoredPart):
            setup = setup.with_options(**find_records(part.references, part.rows, setup))
        with part.reading() if isinstance(part, LinesPart) else nullcontext():
            [evaluation] = evaluate_inputs(setup, part.inputs(challenge))
        counts, names = evaluation.counts, part.names(challenge)
        if names:
            counts = counts.named(*(_rename(n, names) for n in counts.documents))
        return counts, find_names(setup, evaluation.setup)

    def _count_singly(self, part: Part) -> Result:
        found: list[Counts] = []
        left_out: list[LeftOut] = []
        uniting = Uniting(self.setup)
        for name, single in part.singles():
            try:
                counts, names = self._count(single)
            except InputError as error:
                left_out.append(LeftOut(name, str(self._renumber(error, single))))
            else:
                found.append(counts)
                uniting.add(names, ())
        return Result(len(part), uniting.unite(found), left_out=left_out, names=uniting.names)

    def _renumber(self, error: InputError, part: Part) -> InputError:
        return _renumber(error, part.names(self.setup.challenge))


def _make_counter(
    module: str | Challenge,
    config: str,
    protocol: str,
    options: Mapping[str, object],
    keep_going: bool,  # noqa: FBT001
) -> Counter:
    return Counter(Setup(find_challenge(module), config, protocol, options), keep_going)


def _rename(name: str, names: Sequence[str]) -> str:
    found = _NUMBERED.match(name)
    if found is None or int(found[1]) >= len(names):
        return name
    return names[int(found[1])] + found[2]


def _renumber(error: InputError, names: Sequence[str]) -> InputError:
    """Replace the numbers of documents in the part by their names."""

    def rename(place: re.Match[str]) -> str:
        return f"{place[1]} {_rename(place[2], names)}"

    renamed = InputError(error.problem, where=_PLACE.sub(rename, error.where))
    renamed.others = tuple(_renumber(other, names) for other in error.others)
    return renamed
