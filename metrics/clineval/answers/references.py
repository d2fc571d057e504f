"""Read the gold standard of one document from trainers and harnesses: often a string of JSON."""

from __future__ import annotations

from clineval.base.strict_json import expect_json
from clineval.results.kind import Kind


def open_reference(gold: object, kind: Kind, where: str) -> object:
    """Return a gold document; parse a string as JSON unless the kind's documents are words.

    Raises:
        InputError: a string is not JSON.

    Examples:
        >>> open_reference('[{"spans": [[3, 8]]}]', Kind(), "gold")
        [{'spans': [[3, 8]]}]
    """
    if isinstance(gold, str) and not kind.words:
        return expect_json(gold, "JSON", where)
    return gold
