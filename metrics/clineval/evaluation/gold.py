"""Describe a gold standard without any text: numbers, digests, its name."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from warnings import catch_warnings, simplefilter

import numpy as np

from clineval.base.arrays import IntArray
from clineval.base.errors import InputError
from clineval.base.hashing import Hashes, digest_all
from clineval.evaluation.evaluate import read_gold
from clineval.evaluation.inputs import open_inputs
from clineval.results.challenge import Challenge, Setup
from clineval.results.known.names import list_datasets, list_digests, list_documents, recognise
from clineval.results.registry import find_challenge
from clineval.results.tables import Sheet, Table


@dataclass(frozen=True, slots=True, eq=False)
class View:
    """A gold standard as a configuration and a protocol read it.

    Args:
        config: the configuration.
        protocol: the protocol.
        digests: ``[documents]``, the digest of each document's annotations.
        sizes: ``[documents]``, the number of annotations of each document.
    """

    config: str
    protocol: str
    digests: Hashes
    sizes: IntArray

    @property
    def digest(self) -> str:
        """The digest of all annotations, 64 hex digits."""
        return digest_all(self.digests)

    @property
    def by_document(self) -> list[str]:
        """The digests of the annotated documents, 16 hex digits each, sorted."""
        return list_digests(self.digests)


@dataclass(frozen=True, eq=False)
class Gold:
    """A description of a gold standard.

    Args:
        challenge: the challenge of its annotations.
        views: all views that can be read. The first is the requested view.
    """

    challenge: Challenge
    views: tuple[View, ...]

    @property
    def documents(self) -> int:
        """The number of documents."""
        return len(self.views[0].digests)

    @property
    def annotated(self) -> int:
        """The number of documents with annotations."""
        return int(np.count_nonzero(self.views[0].sizes))

    @property
    def annotations(self) -> int:
        """The number of annotations of all documents."""
        return int(self.views[0].sizes.sum())

    @cached_property
    def named_views(self) -> Mapping[str, View]:
        """The views that differ, by their names in the list of known gold standards."""
        found: dict[str, View] = {}
        for view in self.views:
            names = (view.config, f"default/{view.protocol}", "default")
            usual = next((found[name] for name in names if name in found), None)
            if usual is None or usual.digest != view.digest:
                spec = view.protocol == next(iter(self.challenge.protocols))
                found[view.config if spec else f"{view.config}/{view.protocol}"] = view
        return found

    @property
    def digests(self) -> Mapping[str, str]:
        """View to digest, as in the list of known gold standards."""
        return {name: view.digest for name, view in self.named_views.items()}

    @cached_property
    def dataset(self) -> str:
        """The name of the gold standard; empty if it is not known."""
        first = self.views[0]
        return recognise(self.challenge, first.config, first.protocol, first.digests)

    @cached_property
    def part_of(self) -> Mapping[str, int]:
        """The known gold standards that contain it: name to their number of annotated documents."""
        first, ours = self.views[0], Counter(self.views[0].by_document)
        every = {
            dataset.name: list_documents(dataset, first.config, first.protocol)
            for dataset in list_datasets(self.challenge)
        }
        return {name: len(known) for name, known in every.items() if ours and ours < Counter(known)}

    def sheet(self, *, by_document: bool = False) -> Sheet:
        """Lay out the description; ``by_document`` adds the digests of documents."""
        return Sheet(
            self._tabulate, lambda: self._describe(by_document=by_document), heading=self._heading
        )

    @property
    def _heading(self) -> str:
        if self.dataset:
            return f"{self.challenge.task.title}: {self.dataset}"
        parts = (
            f"{self.annotated} of the {number} annotated documents of {name}"
            for name, number in self.part_of.items()
        )
        return f"{self.challenge.task.title}: {next(parts, 'none that is known by name')}"

    def _tabulate(self) -> list[Table]:
        numbers = (
            ("documents", str(self.documents)),
            ("  with annotations", str(self.annotated)),
            ("annotations", str(self.annotations)),
        )
        return [
            Table("Gold standard", ("number",), numbers),
            Table("Digests of its annotations", ("SHA-256",), tuple(self.digests.items())),
        ]

    def _describe(self, *, by_document: bool) -> dict[str, object]:
        documents = {name: view.by_document for name, view in self.named_views.items()}
        return {
            "metric": self.challenge.name,
            "documents": self.documents,
            "annotated": self.annotated,
            "annotations": self.annotations,
            "digests": self.digests,
            **({"dataset": self.dataset} if self.dataset else {}),
            **({"part_of": dict(self.part_of)} if self.part_of else {}),
            **({"document_digests": documents} if by_document else {}),
        }


def describe_gold(
    module: str | Challenge,
    references: object,
    *,
    config: str = "default",
    protocol: str = "spec",
    **options: object,
) -> Gold:
    """Read a gold standard under all configurations and protocols, and describe it.

    Configurations and protocols that cannot read it, for example because of another format, are
    left out. The requested view must be readable.

    Args:
        module: the metric.
        references: the gold standard, as in ``clineval.score``.
        config: the requested configuration.
        protocol: the requested protocol.
        options: the challenge's own options.

    Raises:
        InputError: an unknown name, or a gold standard that cannot be read.

    Examples:
        >>> gold = describe_gold("semeval15_task14", [[{"spans": [[4, 15]], "cui": "C0344720"}]])
        >>> gold.documents, gold.annotations, gold.digests["default"][:6], gold.dataset
        (1, 1, '339b3e', '')
    """
    challenge = find_challenge(module)
    asked = challenge.setup(config, protocol, options)
    first = _read_first(asked, references)
    others = (_try_view(setup, references) for setup in _other_setups(asked))
    return Gold(challenge, (first, *(view for view in others if view is not None)))


def _read_first(asked: Setup, references: object) -> View:
    """Read the requested view. The error suggests another configuration that can read it."""
    try:
        return _view(asked, references)
    except InputError as error:
        alike = (setup for setup in _other_setups(asked) if setup.protocol == asked.protocol)
        fitting = next((s.config for s in alike if _try_view(s, references)), None)
        if fitting is None:
            raise
        remedy = f"The configuration {fitting} can read it: pass --config {fitting}"
        raise InputError(error.problem, where=error.where, remedy=remedy) from None


def _other_setups(asked: Setup) -> Iterator[Setup]:
    """Yield the setups of all other configurations and protocols."""
    challenge = asked.challenge
    for config in challenge.task.configs:
        for protocol in challenge.protocols:
            if (config, protocol) != (asked.config, asked.protocol):
                yield challenge.setup(config, protocol, asked.options)


def _try_view(setup: Setup, references: object) -> View | None:
    """Read another view; None if the configuration is for other files."""
    with catch_warnings():
        simplefilter("ignore")  # the requested view has triggered these warnings
        try:
            view = _view(setup, references)
        except InputError:
            return None
    return view if view.by_document else None


def _view(setup: Setup, references: object) -> View:
    corpus = read_gold(setup, open_inputs(references, [], setup))
    return View(setup.config, setup.protocol, corpus.digests, corpus.gold_sizes)
