"""torchmetrics: a metric with counts as its state, for one process or several."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import torch
from torchmetrics import Metric
from torchmetrics.utilities.distributed import gather_all_tensors

from clineval.evaluation.counting import count
from clineval.results.options import check_name
from clineval.results.scorable import Counts


class CorpusScore(Metric):  # type: ignore[misc]
    """The scores of a challenge, over all batches and all processes.

    Args:
        module: the metric.
        keys: the scores to return; if empty, the main scores.
        config: the configuration.
        protocol: ``spec``, ``official``, or another protocol of the challenge.
        scoring: the metric's own options.
        options: options of ``torchmetrics.Metric``.
    """

    is_differentiable = False
    higher_is_better = True
    full_state_update = False
    counts: list[torch.Tensor]

    def __init__(
        self,
        module: str,
        keys: Sequence[str] = (),
        *,
        config: str = "default",
        protocol: str = "spec",
        scoring: Mapping[str, Any] | None = None,
        **options: object,
    ) -> None:
        super().__init__(**{"dist_sync_fn": _gather_bytes, **options})
        self._module, self._keys = module, tuple(keys)
        self._asked = {"config": config, "protocol": protocol, **(scoring or {})}
        # JSON as bytes: exact on every device, and unaffected by half()
        self.add_state("counts", default=[], dist_reduce_fx="cat")
        empty = count(module, [[]], [[]], **self._asked).score()
        for key in self._keys:
            check_name("score", key, empty.values)

    def update(self, preds: object, target: object, names: Sequence[str] = ()) -> None:
        """Add a batch of documents.

        Args:
            preds: predictions, as in :func:`clineval.score`.
            target: references, as in :func:`clineval.score`.
            names: the names of the documents, if the documents themselves have none.

        Raises:
            InputError: as for :func:`clineval.score`.
        """
        counts = count(self._module, preds, target, **self._asked)
        counts = counts.named(*names) if names else counts
        line = f"{counts.to_json()}\n".encode()
        self.counts.append(torch.frombuffer(bytearray(line), dtype=torch.uint8).to(self.device))

    def compute(self) -> dict[str, torch.Tensor]:
        """Return the scores of all documents; empty if there are none."""
        if not len(self.counts):
            return {}
        score = self.total.score()
        return {
            key: torch.tensor(float(score[key]), dtype=torch.float64)
            for key in self._keys or score.headline
        }

    @property
    def total(self) -> Counts:
        """The counts of all documents, for intervals, rows of documents and the signature.

        Raises:
            InputError: there are no documents.
        """
        parts = self.counts if isinstance(self.counts, list) else [self.counts]
        lines = b"".join(bytes(part.cpu().numpy()) for part in parts).decode().splitlines()
        return Counts.sum(map(Counts.from_json, lines))


def _gather_bytes(tensor: torch.Tensor, group: object = None) -> list[torch.Tensor]:
    """Gather bytes; for processes without documents, torchmetrics returns empty float tensors."""
    gathered: list[torch.Tensor] = gather_all_tensors(tensor.to(torch.uint8), group)
    return gathered
