"""Kinds of annotation on Docs, and Docs of one side, judged.

What is of one challenge is in its declaration. Mentions may have relations between them; a
further kind is a class of its own, under the kind's name.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from typing import Any

from spacy.tokens import Doc

from clineval.base.errors import InputError, listed, shown, unknown_name
from clineval.results.options import check_name
from clineval.results.registry import NAMES, all_challenges, find_challenge, known_names
from spacy_clin import guards, settings
from spacy_clin.annotation import USUAL, Annotation, Side
from spacy_clin.attrs import as_items
from spacy_clin.guards import PREDICTIONS, get_document_name
from spacy_clin.medications import EntryAnnotation
from spacy_clin.presets import ReaderConfig
from spacy_clin.relations import MentionAnnotation
from spacy_clin.sections import SectionAnnotation

DEFAULT = NAMES[0]
"""The challenge that is meant where none is named."""
KINDS: Mapping[str, type[Annotation]] = {
    "mentions": MentionAnnotation,
    "relations": MentionAnnotation,
    "entries": EntryAnnotation,
    "sections": SectionAnnotation,
}


def find_annotation(challenge: str) -> Annotation:
    """Look up how Docs hold what a challenge scores.

    Raises:
        InputError: they do not; the message lists the challenges that they do.
    """
    return _find_annotation(challenge if isinstance(challenge, str) else "")


@cache
def _find_annotation(challenge: str) -> Annotation:
    found = find_challenge(challenge) if challenge in known_names() else None
    view = settings.view_of(found) if found else None
    if found is None or view is None or found.task.kind not in KINDS:
        names = [known.name for known in all_challenges() if known.task.kind in KINDS]
        if found is None:
            raise unknown_name("challenge", challenge, names)
        raise InputError(
            f"no scores of Docs for this challenge, expected one of {', '.join(names)}"
        )
    return KINDS[found.task.kind](found, view)


def open_side(  # noqa: PLR0913
    annotation: Annotation,
    given: Iterable[Any],
    getter: ReaderConfig | None,
    *,
    names: Sequence[str] | None = None,
    side: str = PREDICTIONS,
    config: str = "default",
) -> Side:
    """Judge the Docs and the names of one side, and choose its reader."""
    annotation.judge(config)
    check_name("side", side, USUAL)
    docs = as_docs(given, side)
    known = guards.name_documents(docs) if names is None else list(as_items(names, "names"))
    strange = [name for name in known if not isinstance(name, str)]
    if strange:
        raise InputError(f"expected names of documents, got {shown(strange[0])}", where=side)
    if len(known) != len(docs):
        problem = f"expected as many names as documents, got {len(known)} and {len(docs)}"
        raise InputError(problem, where=side)
    check_names(known, side)
    reader = annotation.choose(USUAL[side] if getter is None else getter, side, docs)
    return Side(docs, known, reader, side, config)


def as_docs(given: Iterable[Any], side: str) -> list[Any]:
    """List Docs, or other objects with a text.

    Raises:
        InputError: an item is neither.
    """
    with guards.located(side):
        docs = list(as_items(given, "documents"))
        for at, doc in enumerate(docs):
            if not isinstance(doc, Doc) and not isinstance(getattr(doc, "text", None), str):
                raise InputError(f"expected a Doc, got {shown(doc)}", where=f"document {at}")
    return docs


def check_names(names: Sequence[str], side: str) -> None:
    """Refuse repeated names of documents."""
    repeated = [name for name, number in Counter(filter(None, names)).items() if number > 1]
    if repeated:
        raise InputError(
            f"repeated document names: {listed(sorted(repeated))}",
            where=side,
            remedy="Give each document a name of its own (set_mentions(..., document=...))",
        )


def convert_doc(doc: Doc, challenge: str, getter: Any) -> None:
    """Read a Doc's annotation and keep it in the challenge's span group.

    The preset ``clin`` reads it back exactly, also after the Doc was stored or copied.

    Args:
        doc: the document; only the span group is changed.
        challenge: the module, such as ``semeval15_task14``; the first one if empty.
        getter: a preset, settings, or a reader.

    Examples:
        >>> import spacy
        >>> doc = spacy.blank("en")("No fever.")
        >>> doc.ents = [doc.char_span(3, 8, label="PROBLEM", kb_id="C0015967")]
        >>> convert_doc(doc, "semeval15_task14", "spacy")
        >>> [(span.text, span.id_, span.kb_id_) for span in doc.spans["clin"]]
        [('fever', 'T1', 'C0015967')]
    """
    annotation = find_annotation(challenge or DEFAULT)
    reader = annotation.choose(getter, "getter", [doc])
    annotation.keep(reader, doc, get_document_name(doc))
