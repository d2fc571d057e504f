"""Commands whose words become values without pydantic, where there is nothing to judge.

Typer has pydantic judge every value, even none, and importing it takes as long as NumPy does.
"""

from __future__ import annotations

from enum import Enum
from functools import partial
from pathlib import Path
from typing import Any

from typer.core import TyperCommand, TyperGroup

_JUDGED = object()


class Command(TyperCommand):
    """A command of typer that takes defaults, words, paths and choices as they are."""

    def get_params(self, ctx: Any) -> list[Any]:
        """Return all parameters, with that of help."""
        return _ease(super().get_params(ctx))


class Group(TyperGroup):
    """A group of commands of typer, likewise."""

    def get_params(self, ctx: Any) -> list[Any]:
        """Return all parameters, with that of help."""
        return _ease(super().get_params(ctx))


def _ease(parameters: list[Any]) -> list[Any]:
    for parameter in parameters:
        if hasattr(parameter, "type_descriptor"):  # older typers do without pydantic
            process = type(parameter).process_value
            parameter.process_value = partial(_process, parameter, partial(process, parameter))
    return parameters


def _process(parameter: Any, process: Any, context: Any, given: Any) -> Any:
    """Return the value of a parameter; typer judges all that is not plain."""
    value = _take(parameter, given)
    if value is _JUDGED or (parameter.required and parameter.value_is_missing(value)):
        return process(context, given)
    return parameter.callback(context, parameter, value) if parameter.callback else value


def _take(parameter: Any, given: Any) -> Any:
    several = parameter.multiple or parameter.nargs != 1
    if given is None:
        return () if several else None
    kind = parameter.type_descriptor.annotation
    if several or not isinstance(kind, type):
        return _JUDGED
    choices = [member.value for member in kind] if issubclass(kind, Enum) else ()
    if isinstance(given, str) and (kind is Path or given in choices):
        return kind(given)
    return given if type(given) is kind else _JUDGED
