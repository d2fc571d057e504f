"""Clusters: documents that belong together, such as the notes of a patient.

The notes of one patient resemble one another. If they were drawn separately, intervals would be too
narrow and p-values too small. So whole clusters are drawn.
"""

from __future__ import annotations

import csv
import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from os import PathLike, fspath

import numpy as np

from clineval.base.arrays import IntArray
from clineval.base.errors import InputError, agree, listed, shown
from clineval.base.files import name_path, read_bytes

_HEADINGS = ["document", "cluster"]
_TEXT = ".txt"
"""File name suffixes that some formats add to the name of a document."""
_ENDING = re.compile(r"\.[a-zA-Z]{2,5}\Z")
_PREFIX = re.compile(r"[-_. ][^-_. ]*\Z")
_LEAST_PATIENTS = 5
_MEAN_SIZES = 2, 20


@dataclass(frozen=True, slots=True)
class Clusters:
    """The assignment of documents to clusters.

    Args:
        given: a mapping or a function from document name to cluster name.
        where: the name of the argument in messages.

    Examples:
        >>> patients = Clusters(lambda name: name.split("-")[0])
        >>> patients.number(["anna-1", "ben-1", "anna-2"]).tolist()
        [0, 1, 0]
    """

    given: Mapping[str, object] | Callable[[str], object]
    where: str = "cluster"

    def number(self, documents: Sequence[str]) -> IntArray:
        """Return the number of each document's cluster, ``[d]``; every document needs a cluster."""
        find = self.given
        if isinstance(find, Mapping):
            self._check_names(find, documents)
            named = [find.get(name, find.get(name.removesuffix(_TEXT))) for name in documents]
        else:
            named = [find(name) for name in documents]
        missing = [n for n, of in zip(documents, named, strict=True) if of is None or of == ""]
        if missing:
            problem = f"no cluster for {len(missing)} of {len(documents)} documents"
            remedy = "Assign a cluster to every document of the corpus"
            raise InputError(f"{problem}: {listed(missing)}", where=self.where, remedy=remedy)
        numbers = {cluster: number for number, cluster in enumerate(dict.fromkeys(named))}
        return np.array([numbers[cluster] for cluster in named], np.int64)

    def _check_names(self, names: Mapping[str, object], documents: Sequence[str]) -> None:
        in_corpus = {*documents, *(name.removesuffix(_TEXT) for name in documents)}
        unknown = [name for name in names if name not in in_corpus]
        if unknown:
            problem = f"{{n}} of {len(names)} documents {{is|are}} not in the corpus"
            raise InputError(
                f"{agree(problem, len(unknown))}: {listed(list(map(str, unknown)))}",
                where=self.where,
                remedy="Use the names of the gold standard, and leave out other documents",
            )


def clusters_by(pattern: str) -> Clusters:
    """Make clusters from document names, such as clusters of patients from ``p12-note3``.

    Args:
        pattern: ``prefix``: the part of the name before the last hyphen, underscore, dot or space,
            without the suffix of a file name. Or a regular expression, whose first group (or, if it
            has no groups, whose first match) is the name of the cluster.

    Returns:
        A value for the argument ``cluster=`` of functions that draw documents.

    Raises:
        InputError: the pattern is not a valid regular expression.

    Examples:
        >>> clusters_by("prefix").number(["p12-note3.txt", "p12-note4.txt", "p7-1.txt"]).tolist()
        [0, 0, 1]
        >>> clusters_by("^[a-z]+").number(["anna1", "ben1", "anna2"]).tolist()
        [0, 1, 0]
    """
    where = "cluster_by"
    if not isinstance(pattern, str) or not pattern:
        wanted = "'prefix' or a regular expression"
        raise InputError(f"expected {wanted}, got {shown(pattern)}", where=where)
    if pattern == "prefix":
        return Clusters(find_prefix, where)
    try:
        expression = re.compile(pattern)
    except (re.error, RecursionError, OverflowError) as error:
        problem = f"not a regular expression: {error}"
        raise InputError(problem, where=where) from None

    def find(name: str) -> str | None:
        found = expression.search(name)
        return found and found[min(1, expression.groups)]

    return Clusters(find, where)


def find_prefix(name: str) -> str:
    """Return the part of a document's name before the last separator, or else the whole name."""
    return _PREFIX.sub("", _ENDING.sub("", name)) or name


def count_patients(names: Sequence[str]) -> int:
    """Count the prefixes that many names share, such as those of patients; 0 if few names do.

    The count is not 0 if at least five prefixes contain a digit, have 2 to 20 documents on average,
    and half of the documents share their prefix with another.

    Examples:
        >>> count_patients([f"p{patient}-note{note}" for patient in range(6) for note in range(3)])
        6
        >>> count_patients([f"note-{number}" for number in range(100)])
        0
    """
    sizes = Counter(map(find_prefix, names))
    shared = sum(size for size in sizes.values() if size > 1)
    numbered = all(any(map(str.isdigit, prefix)) for prefix in sizes)
    few, many = _MEAN_SIZES
    patients = (
        numbered
        and len(sizes) >= _LEAST_PATIENTS
        and few * len(sizes) <= len(names) <= many * len(sizes)
        and 2 * shared >= len(names)
    )
    return len(sizes) if patients else 0


def find_clusters(given: object) -> Clusters | None:
    """Make clusters from a mapping, a function of the name, or the path of a file.

    Args:
        given: the mapping, function or path; None if every document is its own unit.

    Raises:
        InputError: the argument has another type, or the file another format.
    """
    if given is None or isinstance(given, Clusters):
        return given
    if isinstance(given, (str, PathLike)):
        return read_clusters(given)
    if isinstance(given, Mapping) or callable(given):
        return Clusters(given)
    wanted = "a mapping or a function from a document's name to its cluster, or the path of a file"
    raise InputError(f"expected {wanted}, got {shown(given)}", where="cluster")


def read_clusters(path: str | PathLike[str]) -> Clusters:
    """Read a file with two columns, document and cluster, separated by tabs or commas.

    The first line may be a heading: ``document`` and ``cluster``.

    Raises:
        InputError: the file cannot be read, or a line has another form.
    """
    where = name_path(fspath(path))
    try:
        lines = read_bytes(path).decode("utf-8-sig").splitlines()
    except UnicodeDecodeError:
        raise InputError("the file is not UTF-8", where=where) from None
    separator = "\t" if any("\t" in line for line in lines[:1]) else ","
    clusters: dict[str, str] = {}
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        [row] = csv.reader([line], delimiter=separator)
        cells = [cell.strip() for cell in row]
        if number == 1 and [cell.lower() for cell in cells] == _HEADINGS:
            continue
        if len(cells) != len(_HEADINGS) or not all(cells):
            wanted = "two columns, document and cluster, separated by a tab or a comma"
            problem = f"expected {wanted}, got {len(cells)} columns"
            raise InputError(problem, where=f"{where}:{number}")
        name, cluster = cells
        if clusters.setdefault(name, cluster) != cluster:
            raise InputError(
                "the document has a different cluster in a line above", where=f"{where}:{number}"
            )
    return Clusters(clusters, where)
