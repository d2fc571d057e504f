"""The language of every document, from its files or else from its name."""

from __future__ import annotations

import re
from collections.abc import Sequence

from clineval.base.errors import InputError, agree, listed
from clineval.kinds.mentions.outcomes import Outcomes


def know_languages(outcomes: Outcomes) -> bool:
    """Return whether the language of every document is known."""
    return bool(outcomes.documents) and all(_look_up(outcomes))


def find_languages(outcomes: Outcomes) -> list[str]:
    """Find the language of every document, ``[d]``.

    Raises:
        InputError: the language of a document is not known.
    """
    found, codes = _look_up(outcomes), outcomes.challenge.task.languages
    missing = [name for name, of in zip(outcomes.documents, found, strict=True) if not of]
    if missing:
        which = agree("{n} {document has|documents have} no language", len(missing))
        named = f"names that begin or end with one of {', '.join(codes)}, or " if codes else ""
        held = "a column 'language' (in JSON Lines, a key of documents)"
        remedy = f"Add {named}{held}, or score the files of each language separately"
        raise InputError(f"{which}: {listed(missing)}", where="language", remedy=remedy)
    return found


def _look_up(outcomes: Outcomes) -> list[str]:
    """Return the language of every document; empty if it is not known."""
    told, codes = outcomes.languages, outcomes.challenge.task.languages
    return [told.get(name) or language_in(name, codes) for name in outcomes.documents]


def language_in(name: str, codes: Sequence[str]) -> str:
    """Return the code with which a name begins or ends; empty if it has none, or two.

    Examples:
        >>> [language_in(name, ["es", "en"]) for name in ("caso-1_es.txt", "EN-7", "estudio-1")]
        ['es', 'en', '']
        >>> language_in("es-7_en", ["es", "en"])
        ''
    """
    words = re.split(r"[\W_]+", name.removesuffix(".txt").lower())
    found = {word for word in (words[0], words[-1]) if word in codes}
    return found.pop() if len(found) == 1 else ""
