"""Groups of mentions: by document, by the value of a slot, by length, by seen and unseen codes.

A grouping assigns a group to every gold and every predicted mention. An outcome belongs to the
group of its gold mention or, without one, to the group of its prediction. So every outcome is in
exactly one group.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

import numpy as np

from clineval.base.arrays import FloatArray, IntArray, find_first
from clineval.base.errors import InputError, unknown_name, warn
from clineval.evaluation.analysis.languages import find_languages, know_languages
from clineval.formats.section_lines import Sections
from clineval.kinds.mentions.outcomes import Outcomes
from clineval.results.columns import MentionColumns
from clineval.results.kind import Kind
from clineval.results.label_rows import LabelRows
from clineval.results.match import NONE
from clineval.results.options import check_name
from clineval.results.scorable import Counts

NO_SECTION = "no section"
FREQUENCIES = (1, 6, 51, 501)
"""The smallest number of training documents in each group of codes, after the unseen ones."""
LENGTHS = {"characters": (1, 6, 11, 16, 21, 31), "tokens": (1, 2, 3, 4, 5, 6, 11)}
"""The smallest length in each group by length, over all fragments, for each unit of offsets."""


@dataclass(frozen=True, slots=True, eq=False)
class Groups:
    """The group of every gold and predicted mention, ``[n]`` each, as an index of ``names``."""

    names: tuple[str, ...]
    gold: IntArray
    prediction: IntArray


def find_groups(
    outcomes: Outcomes, by: str, *, train: Outcomes | None = None, sections: Sections | None = None
) -> Groups:
    """Find the groups of a corpus.

    Args:
        outcomes: the mentions.
        by: the grouping:

            - ``document``; ``language``, the language of the document;
            - ``slot:NAME``, the value of a slot; the challenge's word for its classes, such as
              ``code``, ``label`` or ``field``;
            - ``length`` in characters, or in tokens if offsets count tokens; ``fragments``,
              contiguous or discontiguous;
            - ``seen``, whether the code is in the training corpus; ``frequency``, how many of its
              documents have the code; ``section``, the section in which the mention begins.
        train: for ``seen`` and ``frequency``, the outcomes of the training corpus. Its gold
            mentions are used.
        sections: for ``section``, the sections of each document.

    Raises:
        InputError: an unknown grouping, or a missing training corpus, or missing sections.
    """
    classes = outcomes.kind.class_slot
    if classes and by == classes.word:
        by = f"slot:{classes.name}"
    if by == "document":
        sides = outcomes.gold.document, outcomes.prediction.document
        return Groups(outcomes.documents, *sides)
    if by.startswith("slot:"):
        slot, attributes = by.removeprefix("slot:"), outcomes.gold.attributes
        check_name("slot", slot, attributes)
        column, predicted = attributes[slot], outcomes.prediction.attributes[slot]
        return Groups(column.values, column.ids, predicted.ids)
    if by == "language":
        spoken, ids = np.unique(find_languages(outcomes), return_inverse=True)
        sides = outcomes.gold.document, outcomes.prediction.document
        return Groups(tuple(spoken.tolist()), *(ids[documents] for documents in sides))
    if by in _BY_TRAIN:
        return _BY_TRAIN[by](outcomes, train)
    if by == "section":
        return _by_section(outcomes, sections)
    if by not in _SHAPES:
        raise unknown_name("grouping", by, list_supported(outcomes))
    _need_places(outcomes, by)
    names, number = _SHAPES[by](outcomes)
    return Groups(names, number(outcomes.gold), number(outcomes.prediction))


def list_supported(outcomes: Outcomes) -> list[str]:
    """List the groupings that a corpus supports."""
    kind = outcomes.kind
    classes = [kind.class_slot.word] if kind.class_slot else []
    slots = [f"slot:{name}" for name in outcomes.gold.attributes]
    shapes = [*_SHAPES] if _have_places(outcomes) else []
    seen = ["seen"] if kind.class_slot and kind.class_slot.none else []
    seen += ["frequency"] if has_codes(kind) else []
    placed = ["section"] if shapes and kind.offsets == "characters" else []
    languages = ["language"] if know_languages(outcomes) else []
    known = ["document", *languages, *classes, *slots, *shapes, *seen, *placed]
    return list(dict.fromkeys(known))


def _by_seen(outcomes: Outcomes, train: Outcomes | None) -> Groups:
    classes = outcomes.kind.class_slot
    if classes is None or not classes.none:
        raise InputError("these mentions have no codes that could have been seen before")
    if train is None:
        raise _need_train("seen and unseen codes")
    trained = train.gold.attributes[classes.name]
    known = {trained.values[number] for number in np.unique(trained.ids)}
    names = ("seen", "unseen", classes.none)
    column = outcomes.gold.attributes[classes.name]
    of_value = np.array(
        [2 if value == classes.none else int(value not in known) for value in column.values],
        np.int64,
    )
    predicted = outcomes.prediction.attributes[classes.name]
    return Groups(names, of_value[column.ids], of_value[predicted.ids])


def has_codes(kind: Kind) -> bool:
    """Return whether annotations have codes, so that a training corpus can have them too."""
    return kind.class_slot is not None and kind.class_slot.word == "code"


def _need_train(what: str) -> InputError:
    return InputError(
        f"grouping by {what} needs the training corpus",
        remedy="Pass the gold standard of the training corpus (--train)",
    )


def _by_frequency(outcomes: Outcomes, train: Outcomes | None) -> Groups:
    """Group codes by the number of training documents that have them."""
    classes = outcomes.kind.class_slot
    if classes is None or not has_codes(outcomes.kind):
        raise InputError("these annotations have no codes that a training corpus could have")
    if train is None:
        raise _need_train("frequency")
    trained, column = (side.gold.attributes[classes.name] for side in (train, outcomes))
    found = np.stack([train.gold.document, trained.ids]).astype(np.int64)
    times = np.bincount(np.unique(found, axis=1)[1], minlength=len(trained.values))
    number = dict(zip(trained.values, times.tolist(), strict=True))
    sizes = np.array([number.get(value, 0) for value in column.values], np.int64)
    of_value = np.searchsorted(FREQUENCIES, sizes, side="right")
    predicted = outcomes.prediction.attributes[classes.name]
    names = [f"{low} to {high - 1} documents" for low, high in pairwise(FREQUENCIES)]
    names = ["unseen", *names, f"{FREQUENCIES[-1]} documents and more"]
    if classes.none in column.values:
        of_value[column.values.index(classes.none)] = len(names)
        names.append(classes.none)
    return Groups(tuple(names), of_value[column.ids], of_value[predicted.ids])


def _by_section(outcomes: Outcomes, sections: Sections | None) -> Groups:
    if outcomes.kind.offsets != "characters":
        raise InputError("offsets of sections count characters, and these mentions count tokens")
    _need_places(outcomes, "section")
    if sections is None:
        raise InputError("grouping by section needs the sections", remedy="Pass them (--sections)")
    of_document = [
        sections.get(name, sections.get(name.removesuffix(".txt"))) for name in outcomes.documents
    ]
    missing = [n for n, of in zip(outcomes.documents, of_document, strict=True) if of is None]
    problem = (
        "{n} {document has no sections, its|documents have no sections, their} mentions are in"
    )
    warn(f"{problem} {NO_SECTION}: {{names}}", missing)
    labels = {label for of in of_document for _, _, label in of or ()}
    names = (*sorted(labels), NO_SECTION)
    sides = (outcomes.gold, outcomes.prediction)
    return Groups(names, *(_number_sections(side, of_document, names) for side in sides))


def _number_sections(
    mentions: MentionColumns,
    sections: Sequence[tuple[tuple[int, int, str], ...] | None],
    names: tuple[str, ...],
) -> IntArray:
    """Find the number of each mention's section, the last to begin if there are several."""
    numbers = np.full(len(mentions), len(names) - 1)
    first = mentions.starts[mentions.bounds[:-1]] if len(mentions) else mentions.document
    edges = find_first(mentions.document, np.arange(len(sections) + 1))
    for document, of_document in enumerate(sections):
        rows = slice(edges[document], edges[document + 1])
        for start, end, label in of_document or ():
            inside = (first[rows] >= start) & (first[rows] < end)
            numbers[rows][inside] = names.index(label)
    return numbers


def _have_places(outcomes: Outcomes) -> bool:
    sides = (outcomes.gold, outcomes.prediction)
    placed = all((side.fragment_counts > 0).all() for side in sides)
    return placed and bool(outcomes.kind.offsets)


def _need_places(outcomes: Outcomes, by: str) -> None:
    if not _have_places(outcomes):
        raise InputError(f"grouping by {by} needs positions in the text, which some mentions lack")


_BY_TRAIN: Mapping[str, Callable[[Outcomes, Outcomes | None], Groups]] = {
    "seen": _by_seen,
    "frequency": _by_frequency,
}
"""Groupings that compare codes with those of a training corpus."""
_Shape = tuple[tuple[str, ...], Callable[[MentionColumns], IntArray]]
"""The names of groups, and a function that returns the number of each mention's group."""


def _by_length(outcomes: Outcomes) -> _Shape:
    """Group by length, in the unit of offsets."""
    unit = outcomes.kind.offsets or "characters"
    first = LENGTHS[unit]
    names = [
        f"{low} to {high - 1} {unit}"
        if high - low > 1
        else f"{low} {unit if low > 1 else unit[:-1]}"
        for low, high in pairwise(first)
    ]

    def number(mentions: MentionColumns) -> IntArray:
        lengths = mentions.lengths(np.arange(len(mentions)))
        return np.searchsorted(first[1:], lengths, side="right")

    return (*names, f"{first[-1]} {unit} and more"), number


def _by_fragments(_outcomes: Outcomes) -> _Shape:
    return ("contiguous", "discontiguous"), lambda mentions: (mentions.fragment_counts > 1).astype(
        np.int64
    )


_SHAPES: Mapping[str, Callable[[Outcomes], _Shape]] = {
    "length": _by_length,
    "fragments": _by_fragments,
}


def count_groups(counts: Counts, outcomes: Outcomes, groups: Groups) -> dict[str, Counts]:
    """Count each group that occurs. The counts of each cover all documents of the corpus."""
    size = len(outcomes.documents)
    places = {
        name: match.choose(groups.gold, groups.prediction).astype(np.int64) * size
        + outcomes.documents_of(match)
        for name, match in outcomes.matches.items()
    }
    occupied = np.unique(np.concatenate([*places.values(), np.zeros(0, np.int64)]))
    columns: dict[str, FloatArray] = {}
    for name, match in outcomes.matches.items():
        columns |= match.tally(np.searchsorted(occupied, places[name]), len(occupied))
    filled = np.column_stack([*columns.values()])
    measures = replace(outcomes.challenge.measures, finish=outcomes.finish)
    challenge = replace(outcomes.challenge, measures=measures)
    whole = replace(counts, challenge=challenge, columns=tuple(columns), details=(), labels=None)
    edges = find_first(occupied, np.arange(len(groups.names) + 1) * size)
    found = {}
    for number, name in enumerate(groups.names):
        rows = slice(edges[number], edges[number + 1])
        if rows.start < rows.stop:
            table = np.zeros((size, len(columns)))
            table[occupied[rows] - number * size] = filled[rows]
            labels = _find_labels(outcomes, groups, number)
            found[name] = replace(whole, cells=table, labels=labels)
    return found


def _find_labels(outcomes: Outcomes, groups: Groups, number: int) -> LabelRows | None:
    """Return the labels of a group, if scores need them."""
    if not outcomes.label_match:
        return None
    match = outcomes.matches[outcomes.label_match]
    chosen = match.choose(groups.gold, groups.prediction) == number
    return outcomes.list_labels(
        np.where(chosen, outcomes.documents_of(match), NONE), len(outcomes.documents)
    )
