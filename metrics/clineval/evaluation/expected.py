"""The gold standard that is asked for by its name, and what differs where it is another one."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import replace

from clineval.base.errors import InputError, agree
from clineval.base.hashing import Hashes, digest_all
from clineval.results.challenge import Setup
from clineval.results.known.entries import Dataset
from clineval.results.known.names import find_dataset, list_digests, list_documents
from clineval.results.protocol import Corpus


def expect_dataset(setup: Setup, name: object) -> Setup:
    """Return the setup that refuses any gold standard but the one of this name.

    Raises:
        InputError: there is none of this name, it is another challenge's or configuration's, or
            nobody has told its digest yet.
    """
    dataset, module = find_dataset(name), setup.challenge.name
    if dataset.challenge != module:
        problem = f"{dataset.name} is a gold standard of {dataset.challenge}, not of {module}"
        raise InputError(problem, where="dataset")
    if not dataset.view_of(setup.config, setup.protocol):
        if dataset.digests:
            raise InputError(
                f"{dataset.name} is not one of config {setup.config!r}",
                where="dataset",
                remedy=f"Ask for config {' or '.join(_list_configs(dataset))}",
            )
        raise InputError(
            f"nobody has told the digest of {dataset.name} yet, which gold standards are compared "
            "with",
            where="dataset",
            remedy=f"Leave it out; 'clineval datasets digest {module} GOLD' prints what to tell",
        )
    return replace(setup, dataset=dataset.name)


def _list_configs(dataset: Dataset) -> list[str]:
    """List the configurations that the list has digests for."""
    return list(dict.fromkeys(view.partition("/")[0] for view in dataset.digests))


def check_dataset(setup: Setup, digests: Hashes, read: Callable[[], Corpus] | None) -> None:
    """Refuse a gold standard that is not the one that is asked for.

    Args:
        setup: what is asked for.
        digests: of the documents that were counted.
        read: reads the gold standard again, with all its documents; None if that cannot be.

    Raises:
        InputError: it is another one; says what differs, in numbers.
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
        annotations = None  # the list has how many the first view has
    known = Counter(list_documents(dataset, setup.config, setup.protocol))
    differing = "; ".join(_differ(dataset, known, Counter(list_digests(digests)), annotations))
    raise InputError(f"the gold standard is not {dataset.name}: {differing}", where="dataset")


def _differ(
    dataset: Dataset, known: Counter[str], ours: Counter[str], annotations: int | None
) -> Iterator[str]:
    """Say what differs; no word of a note is in it."""
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
        yield agree("its {n} annotated {document has|documents have} others", ours.total())
    if annotations is not None and dataset.annotations not in (None, annotations):
        yield f"expected {dataset.annotations} annotations, got {annotations}"
