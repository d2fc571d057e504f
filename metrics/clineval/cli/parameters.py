"""Commands that convert plain words into values without pydantic.

Typer validates every value with pydantic, even a missing one. Importing pydantic takes as long as
importing NumPy.
"""

from __future__ import annotations

from collections.abc import Callable
from enum import Enum
from functools import partial
from pathlib import Path
from typing import Any, get_args, get_origin

from typer.core import TyperCommand, TyperGroup

from clineval.cli.progress import progress_shown
from clineval.cli.terminal import interruptible

Click = Any
"""A context or a parameter of click, or of typer's own copy of click."""
_JUDGED = object()


class Command(TyperCommand):
    """A typer command that accepts defaults, words, paths and choices without pydantic."""

    def parse_args(self, ctx: Click, args: list[str]) -> list[str]:
        """Parse the words; an option of other modules has an error that names them."""
        words = [*args]
        try:
            return list(super().parse_args(ctx, args))
        except Exception as error:
            if asked := getattr(error, "option_name", ""):
                from clineval.cli.messages import explain_missing

                error.message += explain_missing(asked, words)  # type: ignore[attr-defined]
            raise

    def get_params(self, ctx: Click) -> list[Click]:
        """Return all parameters, including ``--help``."""
        return [_ease(parameter) for parameter in super().get_params(ctx)]


class Group(TyperGroup):
    """A group of typer commands that does the same."""

    def invoke(self, ctx: Click) -> object:
        """Run a command and show its progress.

        Typer would end an interrupted command without a line, older versions with status 1.
        """
        with interruptible(), progress_shown():
            return super().invoke(ctx)

    def get_params(self, ctx: Click) -> list[Click]:
        """Return all parameters, including ``--help``."""
        return [_ease(parameter) for parameter in super().get_params(ctx)]


def _ease(parameter: Click) -> Click:
    if hasattr(parameter, "type_descriptor"):  # older versions of typer do not use pydantic
        judge = partial(type(parameter).process_value, parameter)
        parameter.process_value = partial(_process, parameter, judge)
    return parameter


def _process(
    parameter: Click, judge: Callable[[Click, object], object], context: Click, word: object
) -> object:
    """Return the value of a parameter. Typer validates every value that is not plain."""
    value = _take(parameter, word)
    if value is _JUDGED or (parameter.required and parameter.value_is_missing(value)):
        return judge(context, word)
    return parameter.callback(context, parameter, value) if parameter.callback else value


def _take(parameter: Click, word: object) -> object:
    several = parameter.multiple or parameter.nargs != 1
    if word is None:
        return () if several else None
    kind = parameter.type_descriptor.annotation
    if several:
        return _take_several(kind, word)
    if not isinstance(kind, type):
        return _JUDGED
    choices = [member.value for member in kind] if issubclass(kind, Enum) else ()
    if isinstance(word, str) and (kind is Path or word in choices):
        return kind(word)
    return word if type(word) is kind else _JUDGED


def _take_several(kind: object, words: object) -> object:
    """Return lists of words and paths as they are."""
    [member] = get_args(kind) if get_origin(kind) is list else [None]
    plain = member in (str, Path) and isinstance(words, (list, tuple))
    return [member(word) for word in words] if plain else _JUDGED  # type: ignore[misc, attr-defined]
