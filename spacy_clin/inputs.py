"""Docs as the input of the evaluate modules."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from copy import deepcopy
from typing import Any

from spacy.tokens import Doc

from spacy_clin.documents import Documents
from spacy_clin.guards import check_names
from spacy_clin.integrations import find_integration
from spacy_clin.mentions import get_document_name


def to_inputs(  # noqa: PLR0913 - one setting for each thing that is read
    docs: Iterable[Doc],
    challenge: str = "semeval15_task14",
    *,
    getter: Any = "clin",
    config: str = "default",
    names: Sequence[str] | None = None,
    side: str = "predictions",
) -> Any:
    """What the evaluate module of a challenge takes as predictions or references.

    Args:
        docs: the documents; they are neither copied nor changed.
        challenge: the module, such as ``semeval15_task14``.
        getter: where the annotation is: a preset, or settings; see ``spacy clin presets``.
        config: the module's configuration.
        names: the documents' names; None for those they have, or their positions.
        side: ``predictions`` or ``references``.

    Returns:
        A list with one item for each document; for ``clefehealth13_task2`` lines of the lab's
        format, which pair acronyms by document and span.

    Raises:
        InputError: names the document and what cannot be read.

    Examples:
        >>> import spacy
        >>> from spacy_clin import set_mentions
        >>> doc = spacy.blank("en")("No fever.")
        >>> group = set_mentions(doc, [{"spans": [[3, 8]], "cui": "C0015967", "negation": "yes"}])
        >>> to_inputs([doc])
        [[{'spans': [[3, 8]], 'cui': 'C0015967', 'negation': 'yes'}]]
    """
    annotation = find_integration(challenge).annotation
    documents = docs if isinstance(docs, Sequence) else list(docs)
    known = name_documents(documents) if names is None else names
    check_names(known, side)
    found = annotation.find_getter(getter, side)
    inputs = annotation.read(found, Documents(documents, known, side), config)
    # what a Doc holds stays its own, whatever becomes of the inputs
    return inputs if isinstance(inputs, str) else deepcopy(inputs)


def name_documents(docs: Sequence[Doc]) -> list[str]:
    """The documents' names; of one without a name its position."""
    return [get_document_name(doc) or str(at) for at, doc in enumerate(docs)]
