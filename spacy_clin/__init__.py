"""spaCy integration: score pipelines by the challenges' own metrics, in training and after.

Importing this package imports neither clineval nor anything heavy. spaCy imports it for every
user, because the factories are entry points.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from spacy_clin.docbins import write_docbin
    from spacy_clin.files import read_docs, write_docs
    from spacy_clin.medications import set_entries
    from spacy_clin.mentions import get_mentions, set_mentions
    from spacy_clin.presets import PRESETS, register_extensions
    from spacy_clin.scoring import score_docs, score_examples, to_inputs
    from spacy_clin.sections import set_sections
    from spacy_clin.settings import Reader

__all__ = [
    "PRESETS",
    "Reader",
    "get_mentions",
    "read_docs",
    "register_extensions",
    "score_docs",
    "score_examples",
    "set_entries",
    "set_mentions",
    "set_sections",
    "to_inputs",
    "write_docbin",
    "write_docs",
]

_HOMES = {
    "docbins": ("write_docbin",),
    "files": ("read_docs", "write_docs"),
    "medications": ("set_entries",),
    "mentions": ("get_mentions", "set_mentions"),
    "presets": ("PRESETS", "register_extensions"),
    "scoring": ("score_docs", "score_examples", "to_inputs"),
    "sections": ("set_sections",),
    "settings": ("Reader",),
}


def __getattr__(name: str) -> object:
    for home, names in _HOMES.items():
        if name in names:
            return getattr(import_module(f"spacy_clin.{home}"), name)
    raise AttributeError(f"module 'spacy_clin' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted([*globals(), *__all__])
