"""Groups of mentions in the page, as with ``--by``, and intervals of their measures."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from pathlib import Path
from typing import Any

import numpy as np

from clineval.base.arrays import IntArray
from clineval.base.errors import InputError
from clineval.base.progress import metered
from clineval.evaluation.analysis.groups import Groups, find_groups
from clineval.evaluation.analysis.languages import know_languages
from clineval.evaluation.evaluate import Evaluation, evaluate_gold, make_setup
from clineval.formats.section_lines import Sections, read_sections
from clineval.kinds.mentions.outcomes import Outcomes
from clineval.stats.confidence import Confidence, Interval, intervals_of_shares
from clineval.workbench.links import NOBODY
from clineval.workbench.pairs import PairedMentions

CLASS = "class"
_SHAPES = ("length", "fragments")
_MOST_GROUPS = 40
_FEWEST = 2
_NO_GROUP = -1


@dataclass(frozen=True, slots=True)
class Extras:
    """Further input for groups: the training corpus's outcomes for ``seen``, and the sections."""

    train: Outcomes | None = None
    sections: Sections | None = None


def list_groupings(
    evaluation: Evaluation, paired: PairedMentions, extras: Extras
) -> dict[str, Groups]:
    """List the groupings that the page offers besides classes and slots."""
    corpus = paired.corpus
    sides = corpus.gold.columns, corpus.prediction.columns
    outcomes = replace(
        evaluation.outcomes, documents=corpus.documents, gold=sides[0], prediction=sides[1]
    )
    asked = [*_SHAPES] if all((side.fragment_counts > 0).all() for side in sides) else []
    asked += ["language"] if know_languages(outcomes) else []
    asked += ["section"] if extras.sections is not None else []
    asked += ["seen"] if extras.train is not None else []
    train, sections = extras.train, extras.sections
    found = {by: find_groups(outcomes, by, train=train, sections=sections) for by in asked}
    return {
        by: _set_relations_apart(groups, paired) if by in _SHAPES else groups
        for by, groups in found.items()
    }


def share_names(found: Sequence[Mapping[str, Groups]]) -> list[dict[str, Groups]]:
    """Give the groups of all systems the same numbers, and leave out groupings that some lack.

    For example, a document that only one system has may have a language that no other has.
    """
    shared: list[dict[str, Groups]] = [{} for _ in found]
    for by in [by for by in found[0] if all(by in of for of in found)]:
        names = tuple(dict.fromkeys(chain.from_iterable(of[by].names for of in found)))
        for groups, of in zip(shared, found, strict=True):
            at = np.array([names.index(name) for name in of[by].names], np.int64)
            groups[by] = Groups(names, at[of[by].gold], at[of[by].prediction])
    return shared


def _set_relations_apart(groups: Groups, paired: PairedMentions) -> Groups:
    """Give relations a group of their own, because their fragments belong to their arguments."""
    if paired.arrows.sources is None:
        return groups
    gold, prediction = (
        np.where(sources > 0, len(groups.names), numbers)
        for sources, numbers in zip(
            paired.arrows.sources, (groups.gold, groups.prediction), strict=True
        )
    )
    return Groups((*groups.names, "relation"), gold, prediction)


def estimate_groups(
    paired: PairedMentions,
    groupings: Mapping[str, Groups],
    modes: Sequence[tuple[str, str]],
    parts: Mapping[str, Sequence[str]],
) -> dict[str, dict[str, dict[str, tuple[float, ...]]]]:
    """Estimate intervals of the main measure of every group: F1, or an accuracy.

    The result maps ``match/criterion`` to groupings to groups to bounds, followed by ``True`` if
    they rest on few documents. Only the largest classes are included. The rows of totals are
    groupings with one group: ``whole:`` for all, ``whole:`` and the name of a part, or
    ``whole:coded``.
    """
    if len(paired.corpus.documents) < _FEWEST:
        return {}
    every = {
        CLASS: _group_classes(paired),
        **_group_slots(paired),
        **groupings,
        **dict(_group_wholes(paired, parts)),
    }
    names: dict[str, dict[str, list[str]]] = {}

    def count_all() -> Iterator[IntArray]:
        documents = len(paired.corpus.documents)
        with metered(documents * len(modes) * len(every), "intervals of groups") as advance:
            for match, criterion in modes:
                measured = _Measured.of(paired, match, criterion)
                of_mode = names[f"{match}/{criterion}"] = {}
                for by, groups in every.items():
                    of_mode[by], counts = measured.count(groups, documents)
                    yield from counts
                    advance(documents)

    intervals = iter(intervals_of_shares(count_all(), Confidence(0.95)))
    return {
        mode: {by: {name: _mark(next(intervals)) for name in own} for by, own in of_mode.items()}
        for mode, of_mode in names.items()
    }


def _mark(interval: Interval) -> tuple[float, ...]:
    bounds = interval.low, interval.high
    return (*bounds, True) if interval.rare else bounds


def _group_classes(paired: PairedMentions) -> Groups:
    spell = paired.classes.spell if paired.classes else str
    return Groups(tuple(map(spell, paired.class_values)), *paired.class_ids())


def _group_wholes(
    paired: PairedMentions, parts: Mapping[str, Sequence[str]]
) -> Iterator[tuple[str, Groups]]:
    """Yield the groups of totals: all, the classes of each part, all with a code."""
    classes = _group_classes(paired)
    names = np.array([name.lower() for name in classes.names], str)
    named = [name.lower() for own in parts.values() for name in own]
    wholes = {"": np.ones(len(names), bool)}
    for part, own in parts.items():
        wanted = [name.lower() for name in own]
        wholes[part] = np.isin(names, wanted) if own else ~np.isin(names, named)
    none = paired.named.none
    if paired.classes and none:
        wholes["coded"] = names != paired.classes.spell(none).lower()
    for name, counted in wholes.items():
        number = np.where(counted, 0, _NO_GROUP)
        yield f"whole:{name}", Groups((name,), number[classes.gold], number[classes.prediction])


def _group_slots(paired: PairedMentions) -> dict[str, Groups]:
    """Group mentions by the slots with few values."""
    closed = [slot for slot in paired.slots if slot.kind == "closed" and slot != paired.classes]
    sides = paired.corpus.gold, paired.corpus.prediction
    return {
        f"slot:{slot.name}": Groups(
            tuple(map(slot.spell, paired.values_of(slot))), *(side.ids(slot.name) for side in sides)
        )
        for slot in closed
    }


@dataclass(frozen=True, slots=True, eq=False)
class _Measured:
    """The contributions of mentions to the two parts of a ratio, ``[n]`` each.

    Args:
        document: the document of each mention that contributes.
        row: the row of the mention; rows of predictions follow those of all gold mentions.
        top: its contribution to the numerator.
        bottom: its contribution to the denominator.
    """

    document: IntArray
    row: IntArray
    top: IntArray
    bottom: IntArray

    @classmethod
    def of(cls, paired: PairedMentions, match: str, criterion: str) -> _Measured:
        """Return the contributions to the main measure of a match mode and a criterion."""
        parts = list(_list_parts(paired, match, criterion))
        row = np.concatenate([rows for rows, _, _ in parts])
        top, bottom = (
            np.repeat([part[at] for part in parts], [len(rows) for rows, _, _ in parts])
            for at in (1, 2)
        )
        gold, prediction = paired.corpus.gold.columns, paired.corpus.prediction.columns
        return cls(np.concatenate([gold.document, prediction.document])[row], row, top, bottom)

    def count(self, groups: Groups, documents: int) -> tuple[list[str], IntArray]:
        """Return the largest groups, and the parts of each ratio, ``[groups, documents, 2]``."""
        group = np.concatenate([groups.gold, groups.prediction])[self.row]
        sizes = np.bincount(group[group != _NO_GROUP], minlength=len(groups.names))
        chosen = np.argsort(-sizes, kind="stable")[:_MOST_GROUPS]
        chosen = chosen[sizes[chosen] > 0]
        place = np.full(len(groups.names) + 1, -1, np.int64)  # the last place is for no group
        place[chosen] = np.arange(len(chosen))
        places = place[group]
        kept = places >= 0
        shape = len(chosen), documents
        cells = places[kept] * documents + self.document[kept]
        parts = [
            np.bincount(cells, of[kept], shape[0] * shape[1]).astype(np.int32).reshape(shape)
            for of in (self.top, self.bottom)
        ]
        return [groups.names[number] for number in chosen.tolist()], np.stack(parts, axis=-1)


def _list_parts(
    paired: PairedMentions, match: str, criterion: str
) -> Iterator[tuple[IntArray, int, int]]:
    """Yield mentions with equal contributions to the two parts of a ratio, and these contributions.

    F1 is 2 TP / (2 TP + FP + FN). The accuracy of criterion ``class`` is right pairs / pairs. The
    accuracy of answers for given spans is right answers / gold mentions.
    """
    partners = paired.pairing(match, criterion)
    found = partners.prediction >= 0
    of_pair = partners.prediction[found]
    if criterion == "class":
        right = paired.same_class()[found]
        yield of_pair[right], 1, 1
        yield of_pair[~right], 0, 1
        return
    missed = np.flatnonzero(partners.gold == NOBODY)
    if paired.spans_given:
        yield of_pair, 1, 1
        yield missed, 0, 1
        return
    yield of_pair, 2, 2
    yield len(partners.gold) + np.flatnonzero(partners.prediction == NOBODY), 0, 1
    yield missed, 0, 1


def read_extras(
    evaluation: Evaluation, train: object, sections: str | Path | None, asked: Mapping[str, Any]
) -> Extras:
    """Read the input for groups, with the same errors as ``clineval score --by``."""
    challenge, classes = evaluation.challenge, evaluation.setup.steps.kind.class_slot
    if train is not None and not (classes and classes.none):
        raise InputError("these mentions have no codes that could have been seen before")
    return Extras(
        None if train is None else evaluate_gold(make_setup(challenge, **asked), train).outcomes,
        None if sections is None else read_sections(sections),
    )
