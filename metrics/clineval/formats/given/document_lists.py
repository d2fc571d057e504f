"""Lists of the documents to score, such as a split of a corpus."""

from __future__ import annotations

import os
from collections.abc import Collection, Iterable
from dataclasses import replace

import numpy as np

from clineval.base.errors import InputError, shown, warn
from clineval.base.hashing import hash_text
from clineval.formats.files import read_text_files
from clineval.kinds.mentions.columns import Side
from clineval.results.options import Option
from clineval.results.settings import Setting


def read_names(given: object) -> frozenset[str] | None:
    """Read names of documents.

    ``given`` is the path of a file with a name on each line, a collection of names, or None for all
    documents.

    Raises:
        InputError: the value is something else, or contains no names.

    Examples:
        >>> sorted(read_names(["25763772", "25847295"]))
        ['25763772', '25847295']
    """
    if given is None or isinstance(given, frozenset):
        return given
    if isinstance(given, (str, os.PathLike)):
        files = read_text_files(given, pattern=r"\.txt$", separator="\n")
        names = [line.strip() for file in files for _, line in file.lines()]
    else:
        names = list(given) if isinstance(given, (list, tuple, set)) else []
    if not names or not all(isinstance(name, str) for name in names):
        raise InputError(
            f"expected a file with a name of a document on each line, or names, got {shown(given)}",
            where="pmids",
        )
    return frozenset(names)


PMIDS = Option(
    "pmids",
    "The documents to score: a file with a PMID on each line, such as the list of a split; all by "
    "default.",
    kind="file",
    python="the PMIDs of the documents to score, or the path of a file with one on each line",
    parse=read_names,
)


LISTED = Setting(
    "pmids",
    "the number of listed documents that count, and a digest of their names",
    option="--pmids",
    literal=False,
)
"""The field of signatures for a list of documents."""


def keep_documents(side: Side, names: Collection[str], *, gold: bool) -> Side:
    """Return a side without the documents that are not listed.

    Args:
        side: the side, whose documents have names.
        names: the names of the documents to keep.
        gold: whether to warn about listed documents that the side lacks.

    Raises:
        InputError: the documents have no names.
    """
    if side.keys is None:
        problem = "the documents have no names, so a list cannot select them"
        raise InputError(problem, where="pmids", remedy="Give each document its PMID as 'id'")
    if gold:
        problem = "{n} {document|documents} of the list {is|are} not in the gold standard: {names}"
        warn(problem, sorted({*names} - {*side.keys}))
    kept = np.array([key in names for key in side.keys], np.bool_)
    numbers = np.cumsum(kept) - 1
    rows = np.flatnonzero(kept[side.mentions.document]) if len(side.mentions) else np.arange(0)
    mentions = side.mentions.take(rows)
    if len(mentions):
        mentions = replace(mentions, document=numbers[mentions.document].astype(np.int32))
    places = np.flatnonzero(kept).tolist()
    return replace(
        side,
        documents=tuple(side.documents[at] for at in places),
        keys=tuple(side.keys[at] for at in places),
        texts=tuple(side.texts[at] for at in places) if side.texts else (),
        mentions=mentions,
    )


def describe_names(names: Iterable[str]) -> str:
    """Return the number and a hash of the listed documents, for the signature.

    Examples:
        >>> describe_names(["25847295", "25763772"])
        '2-e9dbcb'
    """
    known = sorted(names)
    return f"{len(known)}-{hash_text(' '.join(known)) >> 40:06x}"
