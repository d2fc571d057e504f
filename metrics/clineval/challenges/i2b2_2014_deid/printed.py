"""Stand-in for evaluate.py, the released script of i2b2 2014."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from clineval.challenges.i2b2_2014_deid.documents import TYPES
from clineval.challenges.i2b2_2014_deid.spec import SLOTS
from clineval.formats.files import read_text_files
from clineval.formats.i2b2_annotations import I2b2Xml, label_by_both
from clineval.formats.i2b2_xml import FILES, parse
from clineval.kinds.pages import AnyScored
from clineval.programs import record_arguments as arguments
from clineval.programs.record_report import format_report
from clineval.programs.record_systems import pair_systems, refuse_other_files
from clineval.results.scripts import Output, ScriptRun

_VIEWS = {
    "Token": "token",
    "Strict": "strict",
    "Relaxed": "relaxed",
    "HIPPA Token": "hipaa_token",
    "HIPAA Strict": "hipaa_strict",
    "HIPAA Relaxed": "hipaa_relaxed",
    "Binary Token": "binary_token",
    "Binary Strict": "binary_strict",
    "Binary HIPPA Token": "binary_hipaa_token",
    "Binary HIPAA Strict": "binary_hipaa_strict",
}
_CATEGORY_VIEWS = {
    "Token": "token",
    "Strict": "strict",
    "HIPPA Token": "hipaa_token",
    "Binary HIPAA Strict": "hipaa_strict",  # the script's name for it
}
_ORDER = ("CONTACT", "NAME", "DATE", "AGE", "PROFESSION", "ID", "OTHER", "LOCATION")
SECTIONS: Mapping[str, str] = _VIEWS | {
    f"{category} {title}": f"{category.lower()}_{name}"
    for category in _ORDER
    for title, name in _CATEGORY_VIEWS.items()
}
"""The sections of a report, in order, and the scores of each."""


class Track(StrEnum):
    """The only track that is emulated."""

    phi = "phi"


def evaluate_phi(
    track: Annotated[Track, typer.Argument(help="phi.", show_default=False)],  # noqa: ARG001
    system: arguments.System,
    gold: arguments.Gold,
    verbose: arguments.Verbose = False,  # noqa: FBT002
) -> ScriptRun:
    """Print what evaluate.py phi prints; warnings of unknown types come first.

    If both sides are files, it only prints the scores of the record.
    """
    reading = I2b2Xml(label_by_both)
    there = not system.is_dir() or any(re.search(FILES, path.name) for path in system.iterdir())
    found = reading.read_side(system, SLOTS, strict=False) if there else None
    refuse_other_files(gold)
    golds = reading.read_side(gold, SLOTS, strict=False)
    systems, sides = pair_systems(found, golds)
    whole = system.is_dir() or gold.is_dir()
    warned = [*(_warn_of_types(system) if found else ()), *_warn_of_types(gold)]

    def write(evaluation: AnyScored) -> Iterator[Output]:
        yield Output("".join(warned))
        for name in systems:
            report = format_report(
                evaluation.counts, name, SECTIONS, verbose=verbose or not whole, whole=whole
            )
            yield Output(report)

    return ScriptRun("default", sides[1], sides[0], write)


COMMANDS: Mapping[str, Callable[..., ScriptRun]] = {"i2b2-2014": evaluate_phi}


def _warn_of_types(source: Path) -> Iterator[str]:
    """Yield the script's warnings about types that their element does not have."""
    for file in read_text_files(source, pattern=FILES, separator="<"):
        for tag in parse(file).tags:
            name, label = tag.attributes.get("id", ""), tag.attributes.get("TYPE")
            start = f"WARNING: Expected attribute 'TYPE' for xml element <{tag.element}"
            if label is None:
                yield f"{start} ('{name}')>, setting to ''\n"
            elif label.upper() not in TYPES.get(tag.element, (label.upper(),)):
                yield f"{start} ({name})>  was not valid ('{label}')\n"
