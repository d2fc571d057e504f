"""Stand-in for ``evaluate.py cr``, the released script of i2b2 2014."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from enum import StrEnum
from itertools import chain
from typing import Annotated

import typer

from clineval.challenges.i2b2_2014_risk.official import FORM
from clineval.challenges.i2b2_2014_risk.tags import (
    ATTRIBUTES,
    INDICATOR,
    MEDICATION,
    SMOKER,
    TIME,
    TIMES,
    VALUES,
    VARIANTS,
)
from clineval.programs import record_arguments as arguments
from clineval.programs.record_systems import TagFilter, run_tags
from clineval.results.scripts import ScriptRun

_OTHERS = (values for tag, values in VALUES.items() if tag not in (MEDICATION, SMOKER))
LISTS = {
    "type1": VALUES[MEDICATION],
    "type2": (*VALUES[MEDICATION], ""),
    INDICATOR: (*chain.from_iterable(_OTHERS), *VARIANTS),
    "status": VALUES[SMOKER],
    TIME: TIMES,
}
"""The attributes by whose values the script filters, with the values that it knows."""


class Track(StrEnum):
    """The only track that is emulated."""

    cr = "cr"


def evaluate_cr(
    track: Annotated[Track, typer.Argument(help="cr.", show_default=False)],  # noqa: ARG001
    systems: arguments.Systems,
    gold: arguments.Gold,
    *,
    verbose: arguments.Verbose = False,
    words: arguments.Words = "",
    conjunctive: arguments.Conjunctive = False,
    invert: arguments.Invert = False,
) -> ScriptRun:
    """Print what evaluate.py cr prints, except its warnings about odd values.

    If both sides are files, it only prints the scores of the record.
    """
    kept = TagFilter.of(words, ATTRIBUTES, LISTS, conjunctive=conjunctive, invert=invert)
    form = replace(FORM, kept=kept if words else None)
    return run_tags(systems, gold, form, "micro", verbose=verbose)


COMMANDS: Mapping[str, Callable[..., ScriptRun]] = {"i2b2-2014-risk": evaluate_cr}
