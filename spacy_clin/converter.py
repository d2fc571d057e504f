"""The component ``clin_converter``: annotation of any shape, as the challenge's own on the Doc."""

from __future__ import annotations

from typing import Any

from spacy.tokens import Doc

from spacy_clin.integrations import find_integration
from spacy_clin.mentions import get_document_name


def convert(doc: Doc, challenge: str, getter: Any) -> None:
    """Read a Doc's annotation with a getter and keep it in the challenge's span group.

    The preset ``clin`` reads it back exactly, also after the Doc was stored or copied.

    Args:
        doc: the document; only the span group is changed.
        challenge: the module, such as ``semeval15_task14``.
        getter: a preset, or settings.

    Examples:
        >>> import spacy
        >>> doc = spacy.blank("en")("No fever.")
        >>> doc.ents = [doc.char_span(3, 8, label="PROBLEM", kb_id="C0015967")]
        >>> convert(doc, "semeval15_task14", "spacy")
        >>> [(span.text, span.id_, span.kb_id_) for span in doc.spans["clin"]]
        [('fever', 'T1', 'C0015967')]
    """
    annotation = find_integration(challenge).annotation
    found = annotation.find_getter(getter, "getter")
    annotation.keep(found, doc, get_document_name(doc))
