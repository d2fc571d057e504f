"""Kinds of annotation on Docs.

The declaration of a challenge contains everything specific to that challenge. Mentions may have
relations between them. Each further kind has its own class, under the name of the kind.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

from spacy.tokens import Doc

from clineval.base.errors import InputError, unknown_name
from clineval.results.challenge import Challenge
from clineval.results.registry import NAMES, all_challenges, find_challenge, known_names
from clineval.results.views import DocView
from spacy_clin import settings
from spacy_clin.annotation import Annotation
from spacy_clin.classes import ClassAnnotation
from spacy_clin.guards import get_document_name
from spacy_clin.medications import EntryAnnotation
from spacy_clin.presets import ReaderConfig
from spacy_clin.relations import AcronymAnnotation, MentionAnnotation
from spacy_clin.sections import SectionAnnotation

DEFAULT = NAMES[0]
"""The default challenge."""


@dataclass(frozen=True, slots=True)
class Holding:
    """Ways in which Docs hold annotation; the kind of a challenge chooses one of them."""

    challenge: Challenge
    view: DocView

    def spans(self) -> Annotation:
        """Hold mentions and the relations between them."""
        return MentionAnnotation(self.challenge, self.view)

    def given_spans(self) -> Annotation:
        """Hold mentions whose spans are given."""
        return AcronymAnnotation(self.challenge, self.view)

    def entries(self) -> Annotation:
        """Hold entries."""
        return EntryAnnotation(self.challenge, self.view)

    def sections(self) -> Annotation:
        """Hold sections."""
        return SectionAnnotation(self.challenge, self.view)

    def classes(self) -> Annotation:
        """Hold classes of the document."""
        return ClassAnnotation(self.challenge, self.view)


def find_annotation(challenge: str) -> Annotation:
    """Return how Docs hold the annotation of a challenge; errors list the supported challenges."""
    return _find_annotation(challenge if isinstance(challenge, str) else "")


@cache
def _find_annotation(challenge: str) -> Annotation:
    found = find_challenge(challenge) if challenge in known_names() else None
    view = settings.view_of(found) if found else None
    if found is None or view is None:
        names = [known.name for known in all_challenges() if settings.view_of(known)]
        if found is None:
            raise unknown_name("challenge", challenge, names)
        reason = found.kind.lacks.get("docs", "it does not declare how Docs hold its annotation")
        problem = f"no scores of Docs for this challenge: {reason}"
        raise InputError(f"{problem}; expected one of {', '.join(names)}")
    return found.kind.hold(Holding(found, view))


def convert_doc(doc: Doc, challenge: str, getter: ReaderConfig) -> None:
    """Read a Doc's annotation and write it to the challenge's span group.

    The preset ``clin`` reads it back exactly, even after the Doc was stored or copied.

    Args:
        doc: the document; only the span group is changed.
        challenge: the module, such as ``semeval15_task14``; if empty, the default challenge.
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
