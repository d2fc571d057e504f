"""The Hub's client library, which comes with ``evaluate``."""

from __future__ import annotations

from typing import Any

from clineval.errors import InputError


def import_hub() -> Any:
    """The module ``huggingface_hub``, if it is installed."""
    try:
        import huggingface_hub
        import huggingface_hub.constants
        import huggingface_hub.errors
    except ImportError:
        raise InputError(
            "huggingface_hub is not installed",
            remedy="Install it: pip install 'clineval[evaluate]'",
        ) from None
    return huggingface_hub
