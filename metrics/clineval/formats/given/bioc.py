"""Documents of BioC files, in place of their path, for the readers of documents from Python."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from clineval.base.errors import InputError, called
from clineval.formats.bioc import is_bioc
from clineval.formats.pubtator.documents import read_documents
from clineval.kinds.mentions.mention import Document


@dataclass(frozen=True, slots=True)
class ReadDocuments:
    """Documents that were read from files, so they have names even if there are none."""

    documents: Sequence[Document]

    def as_documents(self) -> list[Document]:
        """Return the documents."""
        return list(self.documents)


def open_bioc(given: object, own: str, *, linked: bool = False) -> object:
    """Return the documents of a path of BioC; return anything else unchanged.

    Args:
        given: one side in any form.
        own: a pattern of file names in the metric's own format, which come first.
        linked: whether relations must connect mentions.

    Raises:
        InputError: a file has a problem, or a relation connects concepts.
    """
    if not is_bioc(given, own):
        return given
    documents = read_documents(given)
    for document in documents if linked else ():
        ids = {mention.id for mention in document.mentions}
        if not ids.issuperset(end for of in document.relations for end in (of.source, of.target)):
            raise InputError(
                "a relation connects no mentions, but concepts",
                where=f"document {called(document.id or '')}",
                remedy="Give each relation two nodes, with the ids of mentions",
            )
    return ReadDocuments(documents)
