"""Stand-ins of released scripts: what one is asked for, and what it writes."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True, slots=True)
class Output:
    """What a stand-in of a released script writes.

    Args:
        text: the text.
        file: the name of a file; standard output if empty.
        error: whether it goes to standard error instead.
        folder: where the file is; in the working directory if empty. It is made if need be.
        option: the option that gives the file's name, for messages.
    """

    text: str
    file: str = ""
    error: bool = False
    folder: str = ""
    option: str = "-o"


@dataclass(frozen=True, slots=True)
class ScriptRun:
    """What a stand-in of a released script does when it is called.

    Args:
        config: the configuration that it scores.
        predictions: what it scores.
        references: the gold standard.
        write: makes its output of an evaluation.
        options: options of the challenge.
    """

    config: str
    predictions: object
    references: object
    write: Callable[[Any], Iterable[Output]]
    options: Mapping[str, object] = field(default_factory=dict)
