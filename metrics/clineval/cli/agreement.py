"""``clineval agreement``: how far annotators agree."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from clineval.cli.options import (
    CONFIDENCE,
    Cluster,
    Config,
    Module,
    Notation,
    NotationOption,
    Protocol,
    ProtocolOption,
    argument,
)
from clineval.cli.terminal import name_systems, show, show_progress


def agreement(
    module: Module,
    annotators: Annotated[list[Path], argument("Annotations of two or more annotators.")],
    config: Config = "default",
    protocol: ProtocolOption = Protocol.spec,
    confidence: Annotated[
        float, typer.Option(help="Level of the intervals.", rich_help_panel=CONFIDENCE)
    ] = 0.95,
    cluster: Cluster = None,
    format: NotationOption = Notation.table,  # noqa: A002
    **options: Any,
) -> None:
    """How far annotators agree: F1 of what they marked, kappa and alpha of the slots.

    kappa (Cohen's) and alpha (Krippendorff's) are those of the mentions that both marked; where
    all values are the same they are undefined: null in JSON, a dash in tables.

    [bold]Examples[/bold]

      clineval agreement semeval15_task14 anna/ ben/
    """
    from clineval.analysis.agreement import agree, describe
    from clineval.progress import tracked_by

    with tracked_by(show_progress):
        found = agree(
            module,
            dict(zip(name_systems(annotators), annotators, strict=True)),
            config=config,
            protocol=protocol.value,
            confidence=confidence,
            cluster=cluster,
            **options,
        )
    show(describe(found), format.value)
