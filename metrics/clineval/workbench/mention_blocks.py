"""Mentions and their partners as packed columns."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from clineval.base.arrays import IntArray, find_first
from clineval.base.errors import InputError, called
from clineval.base.offsets import LARGEST
from clineval.evaluation.analysis.groups import Groups
from clineval.kinds.mentions.corpus import Mentions
from clineval.results.columns import MentionColumns
from clineval.workbench.links import Partners
from clineval.workbench.packing import Block, pack_columns
from clineval.workbench.pairs import PairedMentions


@dataclass(frozen=True, slots=True, eq=False)
class Numbering:
    """The names of documents and the values of slots that all systems of a page share."""

    documents: Sequence[str]
    values: Mapping[str, tuple[str, ...]]

    @classmethod
    def of(cls, systems: Sequence[PairedMentions]) -> Numbering:
        """Return the shared names and values; documents of the gold standard come first."""
        corpora = [system.corpus for system in systems]
        columns = [corpus.gold.columns.attributes for corpus in corpora]
        shared = {
            slot.name: {value for of in columns for value in of[slot.name].values}
            for slot in systems[0].slots
        }
        return cls(
            tuple(dict.fromkeys(name for corpus in corpora for name in corpus.all_documents)),
            {name: tuple(sorted(values)) for name, values in shared.items()},
        )

    def number(self, documents: Sequence[str]) -> IntArray:
        """Return the numbers of documents, given their names."""
        numbers = {name: at for at, name in enumerate(self.documents)}
        return np.array([numbers[name] for name in documents], np.int64)


def pack_gold(
    paired: PairedMentions,
    numbering: Numbering,
    phrases: IntArray | None,
    groupings: Mapping[str, Groups],
) -> Block:
    """Pack the gold mentions, with their groups in every grouping."""
    more = _name_groups(groupings, paired, 0)
    return pack_columns(_columns_of(paired.corpus.gold, paired, numbering, phrases, more))


def pack_system(
    paired: PairedMentions,
    numbering: Numbering,
    phrases: IntArray | None,
    groupings: Mapping[str, Groups],
) -> Block:
    """Pack a system's mentions, their right slots, and the partners of both sides.

    The columns ``<pairing>/gold`` have a number for each gold mention. All other columns have a
    number for each mention of the system.
    """
    gold, prediction = paired.corpus.gold, paired.corpus.prediction
    bits = np.zeros(len(prediction), np.int64)
    for slot, right in enumerate(paired.equal):
        bits |= right.astype(np.int64) << slot
    columns: dict[str, IntArray] = {
        "equal": bits,
        **_name_groups(groupings, paired, 1),
        **({} if paired.relations is None else {"relation": paired.relations}),
    }
    of_gold = {}
    for name, partners in paired.pairings.items():
        of_gold[f"{name}/gold"], columns[f"{name}/system"] = _relative(
            partners, gold, prediction, len(paired.corpus.documents)
        )
    mine = _columns_of(prediction, paired, numbering, phrases, columns)
    return pack_columns({**mine, **of_gold})


def _name_groups(
    groupings: Mapping[str, Groups], paired: PairedMentions, side: int
) -> dict[str, IntArray]:
    """Return further columns of a side's mentions: groups, relations, events."""
    columns = {
        f"group/{by}": (groups.gold, groups.prediction)[side].astype(np.int64)
        for by, groups in groupings.items()
    }
    if paired.arrows.sources is not None:
        columns["sources"] = paired.arrows.sources[side]
    if paired.arrows.arguments is not None:
        columns["source"], columns["target"] = paired.arrows.arguments[side].T
    if paired.arrows.triggers is not None:
        columns["trigger"] = paired.arrows.triggers[side]
    return columns


def _relative(
    partners: Partners, gold: Mentions, prediction: Mentions, documents: int
) -> tuple[IntArray, IntArray]:
    """Return partners as differences of the mentions' numbers in documents, which are small.

    0 stands for nobody, and 1 for displaced. Any other number is twice the distance plus 2, or
    plus 1 if the partner comes before.
    """
    sides = (
        (partners.gold, gold.columns.document, prediction.columns.document),
        (partners.prediction, prediction.columns.document, gold.columns.document),
    )
    relative = []
    for partner, mine, theirs in sides:
        place = np.arange(len(mine)) - _firsts(mine, documents)[mine]
        distance = partner - _firsts(theirs, documents)[mine] - place
        code = np.where(distance >= 0, 2 * distance + 2, -2 * distance + 1)
        relative.append(np.where(partner >= 0, code, -1 - partner))
    return relative[0], relative[1]


def _firsts(document: IntArray, documents: int) -> IntArray:
    return find_first(document, np.arange(documents))


def _columns_of(
    side: Mentions,
    paired: PairedMentions,
    numbering: Numbering,
    phrases: IntArray | None,
    more: Mapping[str, IntArray],
) -> dict[str, IntArray]:
    """Return the mentions of one side: counts, offsets as differences, values of slots."""
    numbers = numbering.number(paired.corpus.documents)
    document = numbers[side.columns.document] if len(side) else side.columns.document
    order = np.argsort(document, kind="stable")
    columns, document = side.columns.take(order), document[order]
    _check_reach(columns, document, numbering.documents)
    starts = columns.starts.astype(np.int64)
    new_document = np.diff(document[columns.owners], prepend=-1) != 0
    own = {**more, **({} if phrases is None else {"phrase": phrases})}
    values = {
        f"slot/{slot.name}": columns.attributes[slot.name].fold(str, numbering.values[slot.name])
        for slot in paired.slots
    }
    return {
        "mentions": np.bincount(document, minlength=len(numbering.documents)),
        "fragments": columns.fragment_counts,
        "steps": np.where(new_document, starts, np.diff(starts, prepend=0)),
        "lengths": columns.ends.astype(np.int64) - starts,
        **{name: column.ids for name, column in values.items()},
        **{name: column[order] for name, column in own.items()},
    }


def _check_reach(columns: MentionColumns, document: IntArray, names: Sequence[str]) -> None:
    """Reject positions too large for a page, such as a line of millions times 1,000 plus a token.

    Raises:
        InputError: a position is too large, with the name of the first such document.
    """
    places = np.maximum(columns.starts, columns.ends)
    far = np.flatnonzero(places > LARGEST)
    if len(far):
        raise InputError(
            f"a mention is at position {int(places[far[0]])}, and a page supports positions up to "
            f"{LARGEST}",
            where=f"document {called(names[document[columns.owners[far[0]]]])}",
            remedy="Correct its offsets, or leave out the document",
        )
