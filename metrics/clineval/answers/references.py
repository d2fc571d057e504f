"""The gold standard of one document, as trainers and harnesses carry it: often a string of JSON."""

from __future__ import annotations

from clineval.base.strict_json import expect_json
from clineval.results.kind import Kind


def open_reference(gold: object, kind: Kind, where: str) -> object:
    """Return what a metric takes of a document; a string is JSON, unless words are documents.

    Raises:
        InputError: a string that is no JSON.

    Examples:
        >>> open_reference('[{"spans": [[3, 8]]}]', Kind(), "gold")
        [{'spans': [[3, 8]]}]
    """
    if isinstance(gold, str) and not kind.words:
        return expect_json(gold, "JSON", where)
    return gold
