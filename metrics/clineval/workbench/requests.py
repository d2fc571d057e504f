"""Requests to the application: the chosen files, and how to score them."""

from __future__ import annotations

import secrets
import warnings
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from clineval.base.errors import InputError, InputWarning
from clineval.base.files import make_directory, write_file
from clineval.formats.given.text_files import is_parquet
from clineval.results.registry import find_challenge
from clineval.stats.clusters import clusters_by
from clineval.workbench.build import build_workbench
from clineval.workbench.texts import as_options, may_hold_notes

OTHERS = "system2"
"""The second system; further systems are ``system3`` and so on."""
SIDES = {
    "gold": "Gold standard",
    "system": "System",
    OTHERS: "Other systems (if any)",
    "notes": "Notes (if separate)",
}


@dataclass(frozen=True, slots=True)
class Wishes:
    """Settings of scoring, as people write them in fields; an empty field is ignored.

    Args:
        labels: the labels to score, separated by commas, for metrics with this option.
        slots: the slots to score, separated by commas.
        cluster_by: how to take clusters from the names of documents, as with ``--cluster-by``.
        cluster: a file of clusters instead.
    """

    labels: str = ""
    slots: str = ""
    cluster_by: str = ""
    cluster: Path | None = None

    def options(self) -> dict[str, object]:
        """Return the arguments of :func:`build_workbench`."""
        named = {"labels": self.labels, "slots": self.slots}
        asked: dict[str, object] = {
            name: [word.strip() for word in words.split(",")]
            for name, words in named.items()
            if words.strip()
        }
        by = self.cluster_by.strip()
        return {**asked, "cluster": clusters_by(by) if by else self.cluster}


NO_WISHES = Wishes()


@dataclass(frozen=True, slots=True)
class Request:
    """A request for a report.

    Args:
        module: the metric.
        config: the configuration.
        protocol: ``spec``, ``official``, or another protocol of the challenge.
        paths: maps ``gold``, ``system``, further systems as ``system2``, ``system3`` and so on, and
            ``notes`` to paths, if given.
        with_text: whether the report contains the notes.
        wishes: the settings of scoring.
    """

    module: str
    config: str
    protocol: str
    paths: Mapping[str, Path]
    with_text: bool
    wishes: Wishes = NO_WISHES


@dataclass(frozen=True, slots=True)
class Result:
    """The paths of the page and of the table of measures, and warnings about the input."""

    report: Path
    measures: Path
    warnings: Sequence[str]


def write_report(request: Request, folder: Path) -> Result:
    """Score the chosen files and write the report to a folder.

    Raises:
        InputError: a side or the notes are missing, or the files cannot be scored.
    """
    paths = dict(request.paths)
    for side in ("gold", "system"):
        if side not in paths:
            raise InputError(f"no {SIDES[side].lower()}", remedy="Choose a file or a directory")
    challenge = find_challenge(request.module)
    apart = challenge.faces.notes_apart and request.with_text and "notes" not in paths
    if apart and is_parquet(paths["gold"]):
        paths["notes"] = paths["gold"]
    elif apart and not may_hold_notes(challenge, paths["gold"]):
        raise _without_notes()
    given = {side: path for side, path in paths.items() if side.startswith("system")}
    systems = {path.name: path for path in given.values()}
    if len(systems) < len(given):
        systems = {f"{side} {path.name}": path for side, path in given.items()}
    options = as_options(challenge, paths["notes"]) if "notes" in paths else {}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", InputWarning)  # the page shows them
        workbench = build_workbench(
            request.module,
            paths["gold"],
            systems,
            config=request.config,
            protocol=request.protocol,
            notes=paths.get("notes"),
            with_text=request.with_text,
            **{**options, **request.wishes.options()},
        )
    if apart and workbench.texts is None:
        raise _without_notes()
    own = folder / secrets.token_hex(8)
    make_directory(own)
    result = Result(
        own / "report.html",
        own / "outcome_measures.csv",
        tuple(workbench.warnings),
    )
    write_file(result.report, workbench.to_bytes())
    write_file(result.measures, workbench.measures)
    return result


def _without_notes() -> InputError:
    return InputError("no notes", remedy="Choose their directory, or leave out the texts")
