"""``clineval agreement``: how far annotators agree."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

from clineval.cli import options as shared
from clineval.cli.options import CONFIDENCE, argument, setting
from clineval.cli.terminal import name_systems, show, show_progress


def agreement(
    module: shared.Module,
    annotators: Annotated[list[Path], argument("Annotations of two or more annotators.")],
    config: shared.Config = "default",
    protocol: shared.ProtocolOption = shared.Protocol.spec,
    confidence: Annotated[float, setting(CONFIDENCE, "Level of the intervals.")] = 0.95,
    cluster: shared.Cluster = None,
    format: shared.NotationOption = shared.Notation.table,  # noqa: A002
    **options: Any,
) -> None:
    """Measure how far annotators agree: F1 of what they marked, kappa and alpha of the slots.

    kappa (Cohen's) and alpha (Krippendorff's) are those of the mentions that both marked; where
    all values are the same they are undefined: null in JSON, a dash in tables.

    [bold]Examples[/bold]

      clineval agreement semeval15_task14 anna/ ben/
    """
    from clineval.base.progress import tracked_by
    from clineval.evaluation.analysis.agreement import agree, describe

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
