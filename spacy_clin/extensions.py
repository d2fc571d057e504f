"""Extensions ``span._.clin_...`` for components of your own that set slots on entities."""

from __future__ import annotations

from spacy.tokens import Span

PREFIX = "clin_"
FRAGMENTS = f"{PREFIX}fragments"
SLOTS = (
    "negation",
    "subject",
    "uncertainty",
    "course",
    "severity",
    "conditional",
    "generic",
    "body_location",
)
NAMES = (FRAGMENTS, *(f"{PREFIX}{slot}" for slot in SLOTS))


def register_extensions() -> None:
    """Register ``clin_fragments`` and ``clin_<slot>`` for spans; each is None until it is set.

    The preset ``spacy`` reads them and registers them by itself; call this before a component of
    your own sets them. What another package registered under these names is left alone. spaCy
    keeps extensions by offsets: two entities with the same offsets share their values.

    Examples:
        >>> import spacy
        >>> register_extensions()
        >>> doc = spacy.blank("en")("No fever.")
        >>> doc[1:2]._.clin_negation = "yes"
        >>> doc[1:2]._.clin_negation, doc[1:2]._.clin_severity
        ('yes', None)
    """
    for name in NAMES:
        if not Span.has_extension(name):
            Span.set_extension(name, default=None)
