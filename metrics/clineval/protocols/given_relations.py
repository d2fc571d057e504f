"""Relations between given mentions, ready to be scored."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import KW_ONLY, dataclass, replace
from functools import partial
from typing import ClassVar

import numpy as np

from clineval.base.errors import InputError, warn
from clineval.base.files import Source
from clineval.base.subjects import read_predictions, read_references
from clineval.formats.argument_tables import (
    DOCUMENTS_OPTION,
    ENTITIES_OPTION,
    RELATIONS,
    find_listed,
)
from clineval.formats.code_lists import describe
from clineval.formats.given.document_lists import LISTED
from clineval.formats.given.given_relations import GivenFiles, warn_of_unknown
from clineval.kinds.mentions.columns import Side
from clineval.kinds.relations.columns import RelatedSide
from clineval.kinds.relations.given import (
    GivenRelationKind,
    Roles,
    give_mentions,
    keep_documents,
)
from clineval.kinds.relations.joining import has_label
from clineval.kinds.relations.measures import MICRO, TypedRelations
from clineval.protocols.relations import LABEL, Ends, Relations
from clineval.results.challenge import Setup
from clineval.results.options import Option
from clineval.results.settings import declare_settings
from clineval.results.task import ClassSlot

_ANY = Roles((), ())


@dataclass(frozen=True)
class GivenRelations(Relations):
    """Relations between mentions that systems receive, as sets of (label, source, target).

        P = tp / (tp + fp)        R = tp / (tp + fn)        F1 = 2 tp / (2 tp + fp + fn)

    There are scores for all relations (``micro_f1``), for each label, and their mean over the
    labels of the gold standard (``macro_f1``). The labels of mentions decide which end is the
    source. Repeats count once. Predictions with an unknown label, or an end that is not a given
    mention, are wrong.

    Args:
        labels: the labels of relations.
        ends: not used; ends are the given mentions.
        directed: not used; ``roles`` determine the direction.
        roles: the labels of the mentions at the ends of a relation.
        ignored: labels whose relations are left out on both sides, with a warning.
        closed: whether a list can name the documents to score; predictions in other documents do
            not count. Otherwise they are wrong.
        tables: the patterns of names of files of relations in a folder, the first one first.
        bare: whether a gold standard can be a file of relations, without entities.

    Raises:
        InputError: an argument is invalid.

    Examples:
        >>> roles = Roles(("DRUG",), ("EFFECT",))
        >>> GivenRelations(("CAUSES", "TREATS"), roles=roles).measures.headline
        ('micro_f1',)
    """

    widest: ClassVar[str] = MICRO

    ends: Ends = "ids"
    _: KW_ONLY
    roles: Roles = _ANY
    ignored: tuple[str, ...] = ()
    closed: bool = False
    tables: tuple[str, ...] = (RELATIONS,)
    bare: bool = False

    @property
    def score(self) -> TypedRelations:
        """The scores of all relations and of each label."""
        return TypedRelations(
            labels=self.labels,
            title="All relations",
            labels_title="Relations",
            means_title="Relations, mean of the types",
            place="overlap/both",
            preset="relations",
        )

    @property
    def kind(self) -> GivenRelationKind:
        """Relations of these labels, between given mentions."""
        return GivenRelationKind(
            ClassSlot(LABEL.name, "label"), slots_of=lambda _: (LABEL,), labels=self.labels
        )

    @property
    def options(self) -> tuple[Option, ...]:
        """The files beside the relations."""
        return (ENTITIES_OPTION, DOCUMENTS_OPTION) if self.closed else (ENTITIES_OPTION,)

    @property
    def files(self) -> GivenFiles:
        """How files are read."""
        return GivenFiles(LABEL, self.labels, self.roles, self.ignored, self.tables, self.bare)

    def read(
        self, references: object, predictions: Sequence[object], setup: Setup, /
    ) -> tuple[RelatedSide, list[RelatedSide]]:
        """Read the gold standard, and predictions between its mentions."""
        gold = read_references(lambda given, _: self.read_gold(given, setup), references)
        read = partial(self.read_predictions, gold=gold)
        return gold, read_predictions(lambda given, _: read(given), predictions)

    def read_gold(self, given: object, setup: Setup) -> RelatedSide:
        """Read a gold standard, and keep the listed documents and the scored labels."""
        if isinstance(given, RelatedSide):
            return given
        gold = self.files.read_gold(given, setup["entities"])
        listed = self.list_documents(given, setup)
        return self._drop_ignored(gold if listed is None else _keep_listed(gold, listed))

    def list_documents(self, given: object, setup: Setup) -> frozenset[str] | None:
        """Return the documents to score, from the option or a file in the folder."""
        if not self.closed:
            return None
        chosen: frozenset[str] | None = setup["pmids"]
        if chosen is None and isinstance(given, (str, os.PathLike)):
            return find_listed(given)
        return chosen

    def read_predictions(self, given: object, gold: RelatedSide) -> RelatedSide:
        """Read predictions, with the given mentions as ends."""
        found = self.files.read_predictions(given, gold.side)
        if self.closed:
            found = _drop_others(found, gold.side)
        found = self._drop_ignored(found)
        warn_of_unknown(found, self.labels)
        oriented = self.roles.orient(give_mentions(gold, found, LABEL.name), LABEL.name)
        labelled = any(gold.side.mentions.attributes[LABEL.name].values)
        misfits = self.roles.find_misfits(oriented, LABEL.name) if labelled else ()
        warn(
            "{n} {relation does|relations do} not connect two given mentions with fitting labels, "
            "and {counts|count} as wrong",
            n=len(misfits),
        )
        return oriented

    def _drop_ignored(self, side: RelatedSide) -> RelatedSide:
        """Leave out relations with an ignored label; a warning counts them."""
        left_out = has_label(side.relations, self.ignored)
        warn(
            f"{{n}} {{relation has|relations have}} a label that is not scored "
            f"({', '.join(self.ignored)}), and {{does|do}} not count",
            n=int(left_out.sum()),
        )
        return replace(side, relations=side.relations.take(np.flatnonzero(~left_out)))

    def check(self, source: Source, setup: Setup, /) -> None:
        """Reject files that are not in the format; a file of relations may be predictions."""
        self.files.check(source, setup["entities"])

    own_settings = declare_settings(
        LISTED,
    )

    def settings(self, setup: Setup, /) -> Mapping[str, str]:
        """Return the list of documents, if an option has one."""
        chosen = setup.options.get("pmids")
        return {"pmids": describe(chosen)} if isinstance(chosen, frozenset) else {}


def _keep_listed(gold: RelatedSide, listed: frozenset[str]) -> RelatedSide:
    """Keep the documents of a list; a warning counts the relations in other documents."""
    names = gold.side.keys
    if names is None:
        problem = "expected documents with an 'id', which the list of documents names"
        raise InputError(problem, where="references")
    kept = [number for number, name in enumerate(names) if name in listed]
    others = sorted(listed.difference(names))
    found = keep_documents(gold, [*kept, *(-1 for _ in others)])
    warn(
        "{n} gold {relation is|relations are} in documents outside the list, and {does|do} not "
        "count",
        n=len(gold.relations) - len(found.relations),
    )
    documents = (*found.side.documents[: len(kept)], *others)
    return replace(found, side=replace(found.side, documents=documents, keys=documents))


def _drop_others(found: RelatedSide, gold: Side) -> RelatedSide:
    """Leave out predictions in documents that are not scored; a warning counts them."""
    if found.side.keys is None or gold.keys is None:
        return found
    known = {*gold.keys}
    kept = [number for number, name in enumerate(found.side.keys) if name in known]
    if len(kept) == len(found.side.documents):
        return found
    left = keep_documents(found, kept)
    warn(
        "{n} {relation is|relations are} in documents that are not scored, and {does|do} not count",
        n=len(found.relations) - len(left.relations),
    )
    return left
