"""Docs from files and to files: DocBin, the challenges' own formats, brat, JSON Lines."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any, Literal

import spacy
from spacy.tokens import Doc, DocBin, Span
from spacy.util import filter_spans
from spacy.vocab import Vocab

from clineval.errors import InputError
from clineval.mentions.mention import Document
from spacy_clin.documents import REFERENCES, Documents, FileSource, MakeDoc
from spacy_clin.guards import check_names, copied, report_lacking_groups
from spacy_clin.inputs import name_documents
from spacy_clin.integrations import find_integration
from spacy_clin.mention_files import texts_of
from spacy_clin.mentions import KEY as MENTIONS
from spacy_clin.mentions import get_mentions, set_mentions, share_strings

DOCBIN = ".spacy"
Entities = Literal["none", "envelopes", "fragments"]


def read_docs(  # noqa: PLR0913 - files have their ways
    path: str | os.PathLike[str],
    make_doc: MakeDoc,
    challenge: str = "semeval15_task14",
    *,
    text: Any = None,
    format: str | None = None,  # noqa: A002 - what everyone calls it
    entities: Entities | None = None,
    side: str = REFERENCES,
) -> Iterator[Doc]:
    """Read gold or predicted documents with their annotation as :func:`set_mentions` writes it.

    Args:
        path: a ``.spacy`` file or a directory of such; or files in a format of the challenge, or
            for challenges of mentions brat's (a directory of ``.ann`` and ``.txt``) or JSON Lines.
        make_doc: makes a Doc of a text, such as ``nlp.make_doc``. Docs of a DocBin get its
            vocabulary.
        challenge: the module whose annotation is read.
        text: directory of the notes, or name to text, where the format does not hold them.
        format: the format, where the names of the files do not tell it.
        entities: what to put into ``doc.ents``, where a model is to be trained: nothing; for each
            mention ``envelopes``, from its first character to its last; or its ``fragments``. Of
            overlapping ones the longest stays. None: envelopes, and of a DocBin what is there.
        side: ``references`` or ``predictions``: which to read of files that hold both.

    Raises:
        InputError: names the file and line, or the document.
    """
    source = Path(path)
    if format == "spacy" or (format is None and _is_docbin(source)):
        docs = read_docbin(source, make_doc("").vocab)
    else:
        files = FileSource(source, make_doc, text, format, side)
        docs = find_integration(challenge).annotation.read_files(files)
        entities = entities or "envelopes"
    key = find_integration(challenge).annotation.key
    known: dict[str, str] = {}
    for doc in docs:
        if entities is not None:
            set_entities(doc, entities, key)
        share_strings(doc, key, known)
        yield doc


def read_docbin(path: Path, vocab: Vocab) -> Iterator[Doc]:
    """The Docs of a ``.spacy`` file, or of all in a directory in the order of their names."""
    files = sorted(path.rglob(f"*{DOCBIN}")) if path.is_dir() else [path]
    for file in files:
        try:
            stored = DocBin().from_disk(file)
        except OSError as error:
            raise InputError(f"cannot be read: {error.strerror}", where=str(file)) from None
        except Exception as error:
            raise InputError("not a DocBin", where=str(file)) from error
        yield from stored.get_docs(vocab)


def write_docbin(
    docs: Iterable[Doc], path: str | os.PathLike[str], *, user_data: bool = True
) -> None:
    """Write Docs to a ``.spacy`` file, with the values of extensions.

    Args:
        docs: the documents.
        path: the file.
        user_data: whether to write extensions too. What :func:`set_mentions` writes is kept
            either way.

    Raises:
        InputError: an extension holds what cannot be written; the message names it.
    """
    stored = DocBin(store_user_data=user_data)
    for doc in docs:
        if user_data:
            copied(doc, doc.to_bytes)
        stored.add(doc)
    stored.to_disk(Path(path))


def write_docs(  # noqa: PLR0913 - files have their ways
    docs: Iterable[Doc],
    path: str | os.PathLike[str],
    challenge: str = "semeval15_task14",
    *,
    getter: Any = "clin",
    format: str | None = None,  # noqa: A002
    names: Sequence[str] | None = None,
    side: str = "predictions",
) -> None:
    """Write the annotation of Docs in a format of the challenge, for the command line.

    Args:
        docs: the documents.
        path: a directory, or a file where the format has one for all documents.
        challenge: the module.
        getter: where the annotation is.
        format: one of the challenge's formats; by default its own.
        names: the documents' names; None for those they have, or their positions.
        side: ``predictions`` or ``references``.
    """
    documents = list(docs)
    known = name_documents(documents) if names is None else list(names)
    check_names(known, side)
    annotation = find_integration(challenge).annotation
    found = annotation.find_getter(getter, side)
    annotation.write_files(found, Documents(documents, known, side), Path(path), format)


def write_documents(
    documents: Sequence[Document], path: Path, language: str, entities: Entities
) -> None:
    """Write documents of mentions to a ``.spacy`` file, for ``clineval convert``."""
    make_doc = spacy.blank(language).make_doc
    docs = []
    for document, note in zip(documents, texts_of(documents, None), strict=True):
        doc = make_doc(note)
        set_mentions(doc, document.mentions, document=document.id)
        set_entities(doc, entities, MENTIONS)
        docs.append(doc)
    write_docbin(docs, path)


def read_documents_of(path: Path, language: str) -> list[Document]:
    """The documents of mentions of ``.spacy`` files, for ``clineval convert``."""
    docs = list(read_docbin(path, spacy.blank(language).vocab))
    lacking = [at for at, doc in enumerate(docs) if MENTIONS not in doc.spans]
    report_lacking_groups(MENTIONS, docs, lacking, "references")
    return [
        Document(name, get_mentions(doc).values(), doc.text)
        for doc, name in zip(docs, name_documents(docs), strict=True)
    ]


def set_entities(doc: Doc, entities: Entities, key: str) -> None:
    """Put mentions into ``doc.ents``; of overlapping ones the longest stays."""
    if entities == "none":
        doc.ents = ()
        return
    spans = list(doc.spans.get(key, ()))
    if entities == "envelopes":
        tied: dict[tuple[str, str], list[Span]] = {}
        for span in spans:
            tied.setdefault((span.id_, span.label_), []).append(span)
        spans = [_envelope(doc, fragments) for fragments in tied.values()]
    doc.ents = filter_spans(spans)


def _envelope(doc: Doc, spans: Sequence[Span]) -> Span:
    first, last = min(span.start for span in spans), max(span.end for span in spans)
    return Span(doc, first, last, spans[0].label, kb_id=spans[0].kb_id, span_id=spans[0].id)


def _is_docbin(path: Path) -> bool:
    return path.suffix == DOCBIN or (path.is_dir() and any(path.glob(f"*{DOCBIN}")))
