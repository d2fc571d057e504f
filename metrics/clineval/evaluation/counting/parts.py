"""Parts of a corpus, and what counting one gives."""

from __future__ import annotations

import re
import warnings
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain
from pathlib import Path
from typing import Any, Protocol

from clineval.base.errors import InputError, InputWarning
from clineval.base.progress import tracked_by
from clineval.evaluation.evaluate import evaluate
from clineval.formats.files import SomeFiles
from clineval.formats.tables.rows import Rows
from clineval.results.challenge import Challenge
from clineval.results.registry import find_challenge
from clineval.results.scores import Counts

_NUMBERED = re.compile(r"(\d+)((?::\d+)?)\Z")
_PLACE = re.compile(r"\b(document|note|record|abbreviation|text) (\d+)\b")


class Part(Protocol):
    """Some documents of a corpus, both sides."""

    def __len__(self) -> int:
        """Return the number of documents."""
        ...

    def names(self, challenge: Challenge) -> Sequence[str]:
        """Name the documents that are given without names; empty if they have names."""
        ...

    @property
    def options(self) -> Mapping[str, Any]:
        """Options that have other values for these documents, such as their texts."""
        ...

    def given(self, challenge: Challenge) -> tuple[Any, Any]:
        """Return references and predictions as the challenge takes them."""
        ...

    def singles(self) -> Iterator[tuple[str, Part]]:
        """Yield each document as a part by itself, with its name."""
        ...


@dataclass(frozen=True, slots=True)
class ListPart:
    """Documents in lists.

    Args:
        references: one item for each document.
        predictions: likewise.
        first: the number of the first document in the corpus.
        options: as :attr:`Part.options`.
    """

    references: Sequence[Any]
    predictions: Sequence[Any]
    first: int
    options: Mapping[str, Any] = field(default_factory=dict)

    def __len__(self) -> int:
        return len(self.references)

    def names(self, challenge: Challenge) -> Sequence[str]:  # noqa: ARG002
        """Return the numbers in the corpus, unless documents have names."""
        named = any(name_of(item) for item in self.references)
        return () if named else list(map(str, range(self.first, self.first + len(self))))

    def given(self, challenge: Challenge) -> tuple[Any, Any]:  # noqa: ARG002
        """Return the lists."""
        return self.references, self.predictions

    def singles(self) -> Iterator[tuple[str, Part]]:
        """Yield each document."""
        for at, pair in enumerate(zip(self.references, self.predictions, strict=True)):
            options = {name: [values[at]] for name, values in self.options.items()}
            name = name_of(pair[0]) or str(self.first + at)
            yield name, ListPart([pair[0]], [pair[1]], self.first + at, options)


def name_of(item: Any) -> str:
    """Return the name of a document that is given as an object or a dict; empty if it has none."""
    given = item.get("id", item.get("note_id")) if isinstance(item, Mapping) else None
    name = getattr(item, "id", given)
    return name if isinstance(name, str) else ""


@dataclass(frozen=True, slots=True)
class RowsPart:
    """Documents in a table.

    Args:
        rows: the documents.
        options: as :attr:`Part.options`.
    """

    rows: Rows
    options: Mapping[str, Any] = field(default_factory=dict)

    def __len__(self) -> int:
        return len(self.rows)

    def names(self, challenge: Challenge) -> Sequence[str]:
        """Return the ids of the table, or the numbers of the rows."""
        return () if self.rows.has_names(challenge) else self.rows.names

    def given(self, challenge: Challenge) -> tuple[Any, Any]:
        """Return columns where there are such, else lists."""
        return self.rows.given(challenge)

    def singles(self) -> Iterator[tuple[str, Part]]:
        """Yield each row."""
        for at, name in enumerate(self.rows.names):
            options = {key: [values[at]] for key, values in self.options.items()}
            yield name, RowsPart(self.rows.slice(at, at + 1), options)


@dataclass(frozen=True, slots=True)
class FilesPart:
    """Documents that have a file of the same name in two directories.

    Args:
        gold: the directory of the references.
        found: the directory of the predictions.
        files: the names of the files of each document.
    """

    gold: Path
    found: Path
    files: Sequence[Sequence[str]]

    def __len__(self) -> int:
        return len(self.files)

    def names(self, challenge: Challenge) -> Sequence[str]:  # noqa: ARG002
        """Return nothing: files say what their documents are called."""
        return ()

    @property
    def options(self) -> Mapping[str, Any]:
        """None: texts are in directories too."""
        return {}

    def given(self, challenge: Challenge) -> tuple[Any, Any]:  # noqa: ARG002
        """Return the directories, as if they had no other files."""
        names = list(chain.from_iterable(self.files))
        return SomeFiles(self.gold, names), SomeFiles(self.found, names)

    def singles(self) -> Iterator[tuple[str, Part]]:
        """Yield the files of each document."""
        for names in self.files:
            yield names[0], FilesPart(self.gold, self.found, [names])


@dataclass(frozen=True, slots=True)
class LeftOut:
    """A document that could not be counted.

    Args:
        name: its name, or its number in the corpus.
        problem: what is wrong with it.
    """

    name: str
    problem: str


@dataclass(frozen=True, slots=True)
class Result:
    """What counting a part gave.

    Args:
        size: the number of documents of the part.
        counts: those of its documents; None if there are none.
        warnings: what was warned of.
        left_out: documents that could not be counted.
        error: what is wrong, where nothing is to be left out.
    """

    size: int
    counts: Counts | None = None
    warnings: Sequence[Warning] = ()
    left_out: Sequence[LeftOut] = ()
    error: InputError | None = None


@dataclass(frozen=True, slots=True)
class Counter:
    """Counts a part; it goes to other processes.

    Args:
        module: the metric's name.
        config: as in ``clineval.score``.
        protocol: as in ``clineval.score``.
        options: as in ``clineval.score``.
        keep_going: whether documents that cannot be counted are left out.
        challenge: the metric, where it is not one of the registry.
    """

    module: str
    config: str
    protocol: str
    options: Mapping[str, Any]
    keep_going: bool
    challenge: Challenge | None = None

    @property
    def _challenge(self) -> Challenge:
        return self.challenge or find_challenge(self.module)

    def __call__(self, part: Part) -> Result:
        """Count a part.

        What is warned of is kept, to be said once for the whole, whose progress is what is shown.
        """
        with warnings.catch_warnings(record=True) as caught, tracked_by(None):
            warnings.simplefilter("always")
            try:
                result = Result(len(part), self._count(part))
            except InputError as error:
                if self.keep_going:
                    result = self._count_singly(part)
                else:
                    result = Result(len(part), error=self._renumber(error, part))
        told = [each.message for each in caught if isinstance(each.message, Warning)]
        return replace(result, warnings=told)

    def _count(self, part: Part) -> Counts:
        challenge = self._challenge
        references, predictions = part.given(challenge)
        options = {**self.options, **part.options}
        asked = {"config": self.config, "protocol": self.protocol, **options}
        counts = evaluate(challenge, predictions, references, **asked).counts
        names = part.names(challenge)
        return counts.named(*(_rename(n, names) for n in counts.documents)) if names else counts

    def _count_singly(self, part: Part) -> Result:
        found: list[Counts] = []
        left_out: list[LeftOut] = []
        for name, single in part.singles():
            try:
                found.append(self._count(single))
            except InputError as error:  # noqa: PERF203 - each is a document of its own
                left_out.append(LeftOut(name, str(self._renumber(error, single))))
        return Result(len(part), Counts.sum(found) if found else None, left_out=left_out)

    def _renumber(self, error: InputError, part: Part) -> InputError:
        return _renumber_error(error, part.names(self._challenge))


def _rename(name: str, names: Sequence[str]) -> str:
    found = _NUMBERED.match(name)
    if found is None or int(found[1]) >= len(names):
        return name
    return names[int(found[1])] + found[2]


def _renumber_error(error: InputError, names: Sequence[str]) -> InputError:
    """Replace the numbers of documents in the part by their names."""

    def rename(place: re.Match[str]) -> str:
        return f"{place[1]} {_rename(place[2], names)}"

    renamed = InputError(error.problem, where=_PLACE.sub(rename, error.where))
    renamed.others = tuple(_renumber_error(other, names) for other in error.others)
    return renamed


def input_warnings(told: Sequence[Warning]) -> tuple[list[InputWarning], list[Warning]]:
    """Split warnings into those about the input and the others."""
    about = [each for each in told if isinstance(each, InputWarning)]
    return about, [each for each in told if not isinstance(each, InputWarning)]
