"""The scores of the clinical NLP challenges, computed once, the same everywhere.

Examples:
    >>> import clineval
    >>> gold = [[{"spans": [[4, 15], [31, 38]], "cui": "C0344720", "severity": "moderate"}]]
    >>> found = [[{"spans": [[4, 15], [31, 38]], "cui": "C0344720"}]]
    >>> score = clineval.score("semeval15_task14", found, gold)
    >>> score["strict_f1"], round(score["weighted_accuracy"], 3)
    (1.0, 0.678)
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from clineval.counts import Counts
    from clineval.errors import InputError, InputWarning
    from clineval.mentions.mention import Document, Mention
    from clineval.scores import Score
    from clineval.scoring import count, score
    from clineval.signature import Signature
    from clineval.statistics.comparison import Comparison, compare, compare_counts

__version__ = "0.1.0"

__all__ = [
    "Comparison",
    "Counts",
    "Document",
    "InputError",
    "InputWarning",
    "Mention",
    "Score",
    "Signature",
    "compare",
    "compare_counts",
    "count",
    "score",
]

# imported when first used: the command line's help must not wait for NumPy
_HOMES = {
    "Comparison": "statistics.comparison",
    "Counts": "counts",
    "Document": "mentions.mention",
    "InputError": "errors",
    "InputWarning": "errors",
    "Mention": "mentions.mention",
    "Score": "scores",
    "Signature": "signature",
    "compare": "statistics.comparison",
    "compare_counts": "statistics.comparison",
    "count": "scoring",
    "score": "scoring",
}


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module 'clineval' has no attribute {name!r}")
    return getattr(import_module(f"clineval.{_HOMES[name]}"), name)


def __dir__() -> list[str]:
    return sorted([*globals(), *__all__])
