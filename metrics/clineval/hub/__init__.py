"""The HuggingFace Hub: metric cards, Spaces with metrics, results on model cards."""

from types import ModuleType

from clineval.base.errors import need


def import_hub() -> ModuleType:
    """Import the module ``huggingface_hub``; the extra ``evaluate`` installs it."""
    for module in ("huggingface_hub.constants", "huggingface_hub.errors", "huggingface_hub"):
        found: ModuleType = need(module, "evaluate", "huggingface_hub is not installed")
    return found
