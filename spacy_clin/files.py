"""Docs from files and to files: DocBin, the challenges' own formats, brat, JSON Lines."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any, Literal

from clineval.converting import find_format, read_documents, write_documents
from clineval.errors import InputError
from clineval.formats.texts import find_texts
from clineval.mentions import Document, Mention
from spacy.tokens import Doc, DocBin
from spacy.util import filter_spans
from spacy.vocab import Vocab

from spacy_clin.guards import check_names, copied
from spacy_clin.inputs import name_documents
from spacy_clin.integrations import find_integration
from spacy_clin.mentions import TYPE, get_mentions, set_mentions, snap

DOCBIN = ".spacy"
Entities = Literal["none", "envelopes", "fragments"]
MakeDoc = Callable[[str], Doc]


def read_docs(  # noqa: PLR0913 - files have their ways
    path: str | os.PathLike[str],
    make_doc: MakeDoc,
    challenge: str = "semeval15_task14",
    *,
    text: Any = None,
    format: str | None = None,  # noqa: A002 - what everyone calls it
    entities: Entities | None = None,
    side: str = "references",
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
        docs = _read_challenge(source, make_doc, challenge, text, format, side)
        entities = entities or "envelopes"
    for doc in docs:
        if entities is not None:
            set_entities(doc, entities, find_integration(challenge).key)
        yield doc


def read_docbin(path: Path, vocab: Vocab) -> Iterator[Doc]:
    """The Docs of a ``.spacy`` file, or of all in a directory in the order of their names."""
    files = sorted(path.rglob(f"*{DOCBIN}")) if path.is_dir() else [path]
    for file in files:
        try:
            stored = DocBin().from_disk(file)
        except OSError as error:
            raise InputError(f"cannot be read: {error.strerror}", where=str(file)) from None
        except Exception as error:  # noqa: BLE001 - zlib's and msgpack's, each of its own kind
            raise InputError("not a DocBin", where=str(file)) from error
        yield from stored.get_docs(vocab)


def write_docbin(docs: Iterable[Doc], path: str | os.PathLike[str], *, user_data: bool = True) -> None:
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
    stored.to_disk(path)


def write_docs(
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
    integration = find_integration(challenge)
    found = integration.find_getter(getter, side)
    integration.write(found, documents, Path(path), known, side, format)


def set_entities(doc: Doc, entities: Entities, key: str) -> None:
    """Put mentions into ``doc.ents``; of overlapping ones the longest stays."""
    if entities == "none":
        doc.ents = ()
        return
    wanted = get_mentions(doc, key=key).values()
    spans = [
        snap(doc, start, end, label=str(mention.slots.get("type", TYPE)), kb_id=mention.cui or "")
        for mention in wanted
        for start, end in _extents(mention, entities)
    ]
    doc.ents = filter_spans(spans)


def _extents(mention: Mention, entities: Entities) -> Sequence[tuple[int, int]]:
    if entities == "fragments":
        return mention.spans
    return [(mention.spans[0][0], mention.spans[-1][1])]


def _is_docbin(path: Path) -> bool:
    return path.suffix == DOCBIN or (path.is_dir() and any(path.glob(f"*{DOCBIN}")))


def _read_challenge(  # noqa: PLR0913, PLR0917
    source: Path, make_doc: MakeDoc, challenge: str, text: Any, format: str | None, side: str  # noqa: A002
) -> Iterator[Doc]:
    docs: Iterator[Doc] = find_integration(challenge).read_files(
        source, make_doc, text, format, side
    )
    return docs


def read_mention_files(
    source: Path, make_doc: MakeDoc, text: Any, format: str | None, *, own: str, key: str  # noqa: A002
) -> Iterator[Doc]:
    """Docs from files of mentions.

    Args:
        source: the files.
        make_doc: makes a Doc of a text.
        text: the notes, where the format does not hold them.
        format: the format; None to tell it from the files' names.
        own: the challenge's own format.
        key: the span group to write.
    """
    documents = read_documents(source, format or find_format(source, own))
    for document, note in zip(documents, with_texts(documents, text), strict=True):
        doc = make_doc(note)
        set_mentions(doc, document.mentions, key=key, document=document.id)
        yield doc


def with_texts(documents: Sequence[Document], text: Any) -> Iterator[str]:
    """The text of each document, from the files or from beside them.

    Raises:
        InputError: there is none.
    """
    names = [str(document.id) for document in documents]
    found: Sequence[str | None] = [document.text for document in documents]
    if text is not None:
        found = find_texts(names, text, "text")
    for name, note in zip(names, found, strict=True):
        if note is None:
            raise InputError(
                "the text is missing, without which there is no Doc",
                where=f"document {name}",
                remedy="Give the directory of the notes (text=, --text DIR)",
            )
        yield note


def write_mention_files(
    records: Sequence[Sequence[dict[str, Any]]],
    docs: Sequence[Doc],
    path: Path,
    names: Sequence[str],
    format: str,  # noqa: A002
) -> None:
    """Files of mentions from what a getter read."""
    documents = [
        Document(name, map(Mention.from_dict, mentions), doc.text)
        for name, mentions, doc in zip(names, records, docs, strict=True)
    ]
    write_documents(documents, path, format)
