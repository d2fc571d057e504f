"""Classes and codes of documents on a Doc: ``doc.cats``, as spaCy's text categorizers set them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence

from spacy.tokens import Doc

from clineval.base.errors import InputError, shown
from clineval.formats.listed import warn_of_evidence
from clineval.results.kind import DocumentForm
from clineval.results.listed import Listed
from spacy_clin.annotation import Annotation, Files, Notes, Parsed, Side
from spacy_clin.getters import SpanGetter
from spacy_clin.guards import REFERENCES, located, place_of_document
from spacy_clin.mentions import set_group
from spacy_clin.paths import compile_doc_path
from spacy_clin.presets import CLASSES, ReaderConfig


class ClassAnnotation(Annotation):
    """Classes or codes of a document."""

    presets = CLASSES
    has_spans = False

    def read(self, side: Side) -> list[object]:
        """Return the classes of each document in the form that the evaluate module takes."""
        find = _compile(side.reader.span_getter, side.side)
        found = []
        for doc, name in zip(side.docs, side.names, strict=True):
            with located(place_of_document(name)):
                given = find(doc) if find else doc.cats
                found.append(self.challenge.kind.of_cats(_as_cats(given)))
        return found

    objects = read

    def name_read(self, found: object, notes: Notes) -> object:
        """Return a mapping from names to classes, if all documents have names."""
        if not (isinstance(found, list) and notes.named):
            return found
        return dict(zip(notes.names, found, strict=True))

    @property
    def _form(self) -> DocumentForm:
        form = self.challenge.document_form(protocol=next(iter(self.challenge.protocols)))
        if form is None:
            raise InputError(f"{self.challenge.name} does not define how files are written")
        return form

    def is_annotated(self, docs: Sequence[Doc], getter: ReaderConfig) -> bool:
        """Return whether any Doc has a category, or a value that the user's function finds."""
        find = _compile(self.choose(getter, REFERENCES, docs).span_getter, REFERENCES)
        return any(find(doc) if find else doc.cats for doc in docs)

    def write(self, doc: Doc, found: object, name: str) -> None:
        """Write categories, and the document's name."""
        doc.cats = self.challenge.kind.as_cats(found)
        set_group(doc, self.view.group, [], {}, name)

    def parse(self, files: Files) -> Iterator[Parsed]:
        """Parse the challenge's files."""
        documents = self._form.list_files(files.path)
        warn_of_evidence(documents)
        for listed in documents:
            text = listed.text if isinstance(listed.text, str) else None
            yield str(listed.name), text, listed.content

    def write_files(self, side: Side, files: Files) -> None:
        """Write one file."""
        documents = [
            Listed("", name, found, doc.text)
            for doc, name, found in zip(side.docs, side.names, self.read(side), strict=True)
        ]
        self._form.write(documents, files.path)


def _compile(getter: SpanGetter | None, where: str) -> Callable[[Doc], object] | None:
    """Return a function that finds the classes of a Doc; None if they are its categories.

    Raises:
        InputError: the getter is neither a function of the Doc nor the path of an extension.
    """
    if getter is None:
        return None
    if callable(getter):
        return getter
    if not isinstance(getter, str) or not getter.startswith("_."):
        problem = f"expected a path of the Doc such as _.status, got {shown(getter)}"
        raise InputError(problem, where=where)
    return compile_doc_path(getter)


def _as_cats(given: object) -> Mapping[str, float]:
    """Return categories from the value on a Doc: a word, words, or words with probabilities."""
    if isinstance(given, str):
        return {given: 1.0}
    if isinstance(given, Mapping):
        strange = [share for share in given.values() if not isinstance(share, (int, float))]
        if not strange:
            return {str(name): float(share) for name, share in given.items()}
    elif given is None or isinstance(given, (list, tuple)):
        return dict.fromkeys(map(str, given or ()), 1.0)
    raise InputError(f"expected categories such as doc.cats, got {shown(given)}")
