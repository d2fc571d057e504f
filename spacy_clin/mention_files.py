"""Docs from files of mentions, and back: pipe, CLEF, brat, JSON Lines, and DocBin."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from spacy.tokens import Doc

from clineval.errors import InputError
from clineval.formats import converting
from clineval.formats.texts import find_texts
from clineval.mentions.mention import Document
from spacy_clin.documents import FileSource
from spacy_clin.mentions import set_mentions


def make_docs(source: FileSource, *, own: str, key: str) -> Iterator[Doc]:
    """Docs from files of mentions.

    Args:
        source: the files.
        own: the challenge's own format.
        key: the span group to write.
    """
    format_ = source.format or converting.find_format(source.path, own)
    documents = converting.read_documents(source.path, format_)
    for document, note in zip(documents, texts_of(documents, source.text), strict=True):
        doc = source.make_doc(note)
        set_mentions(doc, document.mentions, key=key, document=document.id)
        yield doc


def texts_of(documents: Sequence[Document], text: Any) -> Iterator[str]:
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
            raise missing_text(name)
        yield note


def missing_text(name: str) -> InputError:
    """There is no text to make a Doc of."""
    return InputError(
        "the text is missing, without which there is no Doc",
        where=f"document {name}",
        remedy="Give the directory of the notes (text=, --text DIR)",
    )


def write(documents: Sequence[Document], path: Path, format: str) -> None:  # noqa: A002
    """Write files of mentions."""
    converting.write_documents(documents, path, format)
