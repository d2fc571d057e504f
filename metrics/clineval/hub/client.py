"""The Hub's client library, which comes with ``evaluate``."""

from __future__ import annotations

from typing import Any

from clineval.base.errors import need


def import_hub() -> Any:
    """Import the module ``huggingface_hub``, if it is installed."""
    for module in ("huggingface_hub.constants", "huggingface_hub.errors", "huggingface_hub"):
        found = need(module, "evaluate", "huggingface_hub is not installed")
    return found
