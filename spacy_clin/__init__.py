"""spaCy integration: score pipelines by the challenges' own metrics, in training and after.

Importing this imports neither clineval nor anything heavy; spaCy does so for every user, because
the factories are entry points.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from spacy_clin.extensions import register_extensions
    from spacy_clin.files import read_docs, write_docbin, write_docs
    from spacy_clin.inputs import to_inputs
    from spacy_clin.mentions import get_mentions, set_mentions
    from spacy_clin.presets import PRESETS
    from spacy_clin.rendering import render
    from spacy_clin.scoring import score_docs, score_examples

__all__ = [
    "PRESETS",
    "get_mentions",
    "read_docs",
    "register_extensions",
    "render",
    "score_docs",
    "score_examples",
    "set_mentions",
    "to_inputs",
    "write_docbin",
    "write_docs",
]

_HOMES = {
    "PRESETS": "presets",
    "get_mentions": "mentions",
    "read_docs": "files",
    "register_extensions": "extensions",
    "render": "rendering",
    "score_docs": "scoring",
    "score_examples": "scoring",
    "set_mentions": "mentions",
    "to_inputs": "inputs",
    "write_docbin": "files",
    "write_docs": "files",
}


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module 'spacy_clin' has no attribute {name!r}")
    return getattr(import_module(f"spacy_clin.{_HOMES[name]}"), name)


def __dir__() -> list[str]:
    return sorted([*globals(), *__all__])
