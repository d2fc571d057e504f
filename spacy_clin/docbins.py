"""Docs in ``.spacy`` files, spaCy's DocBin."""

from __future__ import annotations

import gc
import os
import zlib
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from spacy.tokens import Doc, DocBin
from spacy.vocab import Vocab

from clineval.base.errors import InputError, listed, shown, warn
from clineval.base.files import as_path, find_limit, is_directory, name_path, read_bytes, write_file
from spacy_clin import guards
from spacy_clin.guards import as_items

DOCBIN = ".spacy"
_DAMAGED = "not a DocBin, or a damaged one"


def is_docbin(path: Path) -> bool:
    """Return whether a path is a ``.spacy`` file, or a directory that contains one."""
    if is_directory(path):
        return any(each.is_file() for each in path.rglob(f"*{DOCBIN}"))
    return path.suffix == DOCBIN


def read_docbin(path: Path, vocab: Vocab) -> Iterator[Doc]:
    """Read the Docs of a ``.spacy`` file, or of all files in a directory, sorted by name."""
    for file in list_docbins(path):
        with reading(name_path(file)):
            for doc in unpack(file).get_docs(vocab):
                read_strings(doc)
                yield doc


def list_docbins(path: Path) -> Sequence[Path]:
    """List the ``.spacy`` files of a path, sorted by name."""
    return _find_docbins(path) if is_directory(path) else [path]


@contextmanager
def reading(where: str) -> Iterator[None]:
    """Turn an error of spaCy, whose type depends on the bytes, into an ``InputError``."""
    collecting = gc.isenabled()
    try:
        yield
    except InputError as error:
        raise guards.placed(error, where) from None
    except Exception:  # noqa: BLE001
        if collecting:  # srsly disables garbage collection, and after an error leaves it so
            gc.enable()
        raise InputError(_DAMAGED, where=where) from None


def unpack(file: Path) -> DocBin:
    """Read a file, without making the Docs; within :func:`reading`."""
    content = read_bytes(file)
    _check_size(content)
    stored = DocBin().from_bytes(content)
    _check_columns(stored)
    return stored


def _find_docbins(folder: Path) -> list[Path]:
    """Find the ``.spacy`` files of a directory and its subdirectories; warn about other files."""
    found = sorted(path for path in folder.rglob("*") if path.is_file())
    files = [path for path in found if path.suffix == DOCBIN]
    others = [path.name for path in found if path.suffix != DOCBIN and path.name[0] != "."]
    if others:
        warn(f"{name_path(folder)}: only {DOCBIN} files are read, ignored: {listed(others)}")
    if not files:
        raise InputError(f"expected {DOCBIN} files, got none", where=name_path(folder))
    return files


def _check_columns(stored: DocBin) -> None:
    """Reject columns that spaCy never writes: names instead of attribute numbers, or duplicates.

    spaCy checks only the first column of heads, and a second one makes it write outside its memory.
    """
    columns: list[object] = list(stored.attrs)
    if {type(column) for column in columns} != {int} or len(set(columns)) < len(columns):
        raise InputError(_DAMAGED)


def read_strings(doc: Doc) -> None:
    """Read values that spaCy looks up lazily, so that bad spans and missing strings fail here."""
    for spans in (doc.ents, *doc.spans.values()):
        for span in spans:
            _ = span.label_, span.kb_id_, span.id_


def _check_size(content: bytes) -> None:
    """Reject content that exceeds the limit for files when unpacked."""
    unpacking = zlib.decompressobj()
    unpacking.decompress(content, find_limit())
    if unpacking.unconsumed_tail:
        problem = f"larger than {find_limit()} bytes when unpacked"
        raise InputError(problem, remedy="Raise CLINEVAL_MAX_BYTES")


def write_docbin(
    docs: Iterable[Doc], path: str | os.PathLike[str], *, user_data: bool = True
) -> None:
    """Write Docs to a ``.spacy`` file, with the values of extensions.

    Args:
        docs: the documents.
        path: the file.
        user_data: whether to write extensions too. Annotation from :func:`set_mentions` is kept
            in both cases.

    Raises:
        InputError: an extension holds a value that cannot be written; the message names it.

    Examples:
        >>> import spacy
        >>> from pathlib import Path
        >>> from tempfile import TemporaryDirectory
        >>> with TemporaryDirectory() as folder:
        ...     write_docbin([spacy.blank("en")("No fever.")], f"{folder}/notes.spacy")
        ...     print([path.name for path in Path(folder).iterdir()])
        ['notes.spacy']
    """
    stored = DocBin(store_user_data=user_data)
    for doc in as_items(docs, "Docs"):
        if not isinstance(doc, Doc):
            raise InputError(f"expected a Doc, got {shown(doc)}")
        if user_data:
            guards.copied(doc, doc.to_bytes)
        stored.add(doc)
    write_file(as_path(path), stored.to_bytes())
