"""Check that a gold standard is the requested one, and report the differences."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import TYPE_CHECKING

from clineval.base.errors import InputError, agree
from clineval.base.hashing import Hashes, digest_all
from clineval.results.challenge import Setup
from clineval.results.known.names import find_dataset, list_digests, list_documents
from clineval.results.protocol import Corpus

if TYPE_CHECKING:  # few gold standards are known
    from clineval.results.known.entries import Dataset


def expect_dataset(setup: Setup, name: object) -> Setup:
    """Return a setup that rejects any gold standard except the named one.

    Raises:
        InputError: the name is unknown, it belongs to another challenge or configuration, or its
            digest is unknown.
    """
    dataset, module = find_dataset(name), setup.challenge.name
    if dataset.challenge != module:
        problem = f"{dataset.name} is a gold standard of {dataset.challenge}, not of {module}"
        raise InputError(problem, where="dataset")
    if not dataset.view_of(setup.config, setup.protocol):
        if dataset.digests:
            raise InputError(
                f"{dataset.name} does not belong to config {setup.config!r}",
                where="dataset",
                remedy=f"Choose config {' or '.join(_list_configs(dataset))}",
            )
        raise InputError(
            f"the digest of {dataset.name} is unknown, so no gold standard can be compared with it",
            where="dataset",
            remedy=f"Leave it out; 'clineval datasets digest {module} GOLD' prints what to send in",
        )
    return replace(setup, dataset=dataset.name)


def _list_configs(dataset: Dataset) -> list[str]:
    """List the configurations with known digests."""
    return list(dict.fromkeys(view.partition("/")[0] for view in dataset.digests))


def check_dataset(setup: Setup, digests: Hashes, read: Callable[[], Corpus] | None) -> None:
    """Reject a gold standard that is not the requested one.

    Args:
        setup: the setup, with the name of the requested gold standard, if any.
        digests: the digests of the documents that were counted.
        read: reads the gold standard again, with all its documents; None if it cannot be read
            again.

    Raises:
        InputError: the gold standard is not the requested one. The message states the differences
            in numbers.
    """
    if not setup.dataset:
        return
    dataset = find_dataset(setup.dataset)
    expected = dataset.digests[dataset.view_of(setup.config, setup.protocol)]
    if digest_all(digests) in expected:
        return
    annotations = None
    if read is not None:
        gold = read()  # the rules may leave out documents that the system does not have
        digests, annotations = gold.digests, int(gold.gold_sizes.sum())
        if digest_all(digests) in expected:
            return
    if dataset.view_of(setup.config, setup.protocol) != next(iter(dataset.digests)):
        annotations = None  # the list has the number for the first view only
    known = Counter(list_documents(dataset, setup.config, setup.protocol))
    differing = "; ".join(_differ(dataset, known, Counter(list_digests(digests)), annotations))
    raise InputError(f"the gold standard is not {dataset.name}: {differing}", where="dataset")


def _differ(
    dataset: Dataset, known: Counter[str], ours: Counter[str], annotations: int | None
) -> Iterator[str]:
    """Yield the differences, without any text."""
    if known:
        missing, more = (known - ours).total(), (ours - known).total()
        if missing:
            lacks = agree("{is|are} missing", missing)
            yield f"{missing} of the set's {known.total()} annotated documents {lacks}"
        if more:
            yield agree("{n} {document is|documents are} not in the set", more)
        else:
            yield "it is a part of the set"
    else:
        changed = "the annotations of its {n} annotated {document|documents} differ"
        yield agree(changed, ours.total())
    if annotations is not None and dataset.annotations not in (None, annotations):
        yield f"expected {dataset.annotations} annotations, got {annotations}"
