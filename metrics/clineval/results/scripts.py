"""Stand-ins of released scripts: their calls, and their output."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True, slots=True)
class Output:
    """The output of a stand-in of a released script.

    Args:
        text: the text.
        file: the name of a file; standard output if empty.
        error: whether the text goes to standard error instead.
        folder: the folder of the file, which is created if necessary; if empty, the working
            directory.
        option: the option with the file's name, for messages.
    """

    text: str
    file: str = ""
    error: bool = False
    folder: str = ""
    option: str = "-o"


@dataclass(frozen=True, slots=True)
class ScriptRun:
    """A call of a stand-in of a released script.

    Args:
        config: the configuration that it scores.
        predictions: the predictions.
        references: the gold standard.
        write: writes the output for an evaluation.
        options: options of the challenge.
    """

    config: str
    predictions: object
    references: object
    write: Callable[[Any], Iterable[Output]]
    options: Mapping[str, object] = field(default_factory=dict)
