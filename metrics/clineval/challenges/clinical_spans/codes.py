"""The slot of codes that a hierarchy scores: its option, and its value."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from clineval.base.errors import InputError, called, listed
from clineval.challenges.clinical_spans.reading import LABEL
from clineval.protocols.hierarchies import (
    HIERARCHY,
    HIERARCHY_SETTING,
    find_hierarchy,
    name_hierarchy,
)
from clineval.protocols.own_labels import parse_names
from clineval.results.averages import label_key
from clineval.results.challenge import Setup
from clineval.results.options import Option
from clineval.results.settings import Setting


def _parse_slot(given: object) -> str | None:
    """Parse the name of the slot."""
    if given is None or (isinstance(given, str) and given == LABEL.name):
        return None if given is None else LABEL.name
    [name, *others] = parse_names(given, CODE_SLOT.name, "slot")
    if others:
        raise InputError("expected the name of one slot, got several", where=CODE_SLOT.name)
    return name


CODE_SLOT = Option(
    "code_slot",
    "The slot with the codes of --hierarchy: one of --slots, or label; by default the only one of "
    "--slots.",
    None,
    python="the slot with the codes of ``hierarchy``: one of ``slots``, or ``label``; if None, the "
    "only one of ``slots``",
    parse=_parse_slot,
)
CODE_SETTINGS = (
    HIERARCHY_SETTING,
    Setting("code_slot", "the slot with codes", option="--code-slot", literal=False),
)


def find_code_slot(setup: Setup) -> str:
    """Return the name of the slot with codes.

    Raises:
        InputError: the slot is not scored, or several are.
    """
    slots: tuple[str, ...] = setup["slots"] or ()
    given: str | None = setup[CODE_SLOT.name]
    if given is None:
        return _find_only(slots)
    if given not in (LABEL.name, *slots):
        remedy = f"Pass slots= with {called(given)} too"
        raise InputError("the slot is not scored", where=CODE_SLOT.name, remedy=remedy)
    return given


def _find_only(slots: Sequence[str]) -> str:
    if len(slots) == 1:
        return slots[0]
    problem = (
        f"the codes can be in any of the slots {listed(slots)}" if slots else "no slot is scored"
    )
    remedy = "Pass slots=, and code_slot= if the labels or one of several slots are the codes"
    raise InputError(problem, where=HIERARCHY.name, remedy=remedy)


def describe_codes(setup: Setup) -> Mapping[str, str]:
    """Return the hierarchy and the slot of codes for the signature."""
    if find_hierarchy(setup) is None:
        return {}
    return {**name_hierarchy(setup), "code_slot": label_key(find_code_slot(setup))}
