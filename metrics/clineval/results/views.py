"""Views of a challenge's annotations for the Workbench and for spaCy's Docs."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Protocol as Structure
from typing import TypeVar

from clineval.base.arrays import IntArray
from clineval.results.slots import Slot

Shown_co = TypeVar("Shown_co", covariant=True)
T = TypeVar("T")


class PageWays(Structure[Shown_co]):
    """The ways to show annotation in the Workbench; a view chooses one of them."""

    def mentions(self, view: MentionView, /) -> Shown_co:
        """Show mentions in their notes, with their pairs."""
        ...

    def items(self, view: ListView, /) -> Shown_co:
        """Show lists of items."""
        ...


@dataclass(frozen=True, slots=True)
class PairCheck:
    """A score of the core that a page of mentions must reproduce by counting pairs.

    Args:
        key: the score's name.
        match: ``exact`` or ``overlap``.
        criterion: ``span``, ``class`` or ``both``.
        measure: the number: ``tp``, ``fp``, ``fn``, ``precision``, ``recall``, ``f1``,
            ``accuracy``, ``gold`` or ``pairs``.
        classes: the classes that are counted; all if empty.
        without: classes that are not counted.
        protocols: the protocols under which the score equals that number; all if empty.
    """

    key: str
    match: str
    criterion: str
    measure: str
    classes: tuple[str, ...] = ()
    without: tuple[str, ...] = ()
    protocols: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Preset:
    """A named choice of match mode and criterion, as in :class:`PairCheck`, for a score."""

    name: str
    match: str
    criterion: str
    key: str


class Checked(Structure):
    """Scores that pages recount: :class:`~clineval.results.measures.Measures`."""

    @property
    def checks(self) -> tuple[PairCheck, ...]:
        """The scores that a page of pairs recounts."""
        ...

    @property
    def presets(self) -> tuple[Preset, ...]:
        """The choices that a page of pairs offers."""
        ...

    @property
    def item_checks(self) -> tuple[ItemCheck, ...]:
        """The scores that a page of items recounts."""
        ...


@dataclass(frozen=True, slots=True, eq=False)
class Arrows:
    """The ends of the arrows on a page of mentions, for each gold and each predicted row.

    Args:
        sources: the number of fragments of the row that belong to a relation's source, ``[g]`` and
            ``[p]``, 0 for other annotations; None if there are no relations.
        arguments: the distance in rows to the source and the target, ``[g, 2]`` and ``[p, 2]``, 0
            for other annotations; None if fragments identify a relation's arguments.
        triggers: the distance in rows to the trigger of the event, ``[g]`` and ``[p]``, 0 for a
            trigger; None if there are no events.
    """

    sources: tuple[IntArray, IntArray] | None = None
    arguments: tuple[IntArray, IntArray] | None = None
    triggers: tuple[IntArray, IntArray] | None = None


NO_ARROWS = Arrows()


@dataclass(frozen=True, slots=True)
class MentionView:
    """A page of paired mentions.

    Args:
        checks: scores that the page recounts; if empty, the checks of the measures.
        presets: choices that it offers; if empty, the presets of the measures.
        matches: a dict from the pairings of the page (``exact/span``, ``overlap/span``,
            ``exact/both``, ``overlap/both``) to the challenge's own names of matches. A protocol
            that lists pairings of its own does not need it.
        parts: names of parts that no score adds up, each with its classes; a part without classes
            has all classes that other parts lack. The page adds up each part separately.
        weights: the option that holds the weights of the slots' values after it is resolved; empty
            without weights.
        modes: the names of the match modes ``exact`` and ``overlap`` on the page.
        equal_only: whether only equal items are pairs, so that there is one match mode and one
            criterion.
    """

    checks: tuple[PairCheck, ...] = ()
    presets: tuple[Preset, ...] = ()
    matches: Mapping[str, str] = field(default_factory=dict)
    parts: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    weights: str = ""
    modes: tuple[str, str] = ("Exact", "Overlap")
    equal_only: bool = False

    def with_scores(self, measures: Checked) -> MentionView:
        """Return a copy with the checks and presets of measures, if it has none."""
        checks, presets = self.checks or measures.checks, self.presets or measures.presets
        return replace(self, checks=checks, presets=presets)

    def with_matches(self, matches: Mapping[str, str], _shown: Sequence[str], /) -> MentionView:
        """Return a copy for other kinds of match, without checks."""
        return replace(self, matches=matches, checks=(), presets=())

    def with_prefix(self, prefix: str, shown: Sequence[str], /) -> MentionView:
        """Return a copy for longer names of the kinds of match, without checks."""
        longer = {place: f"{prefix}{name}" for place, name in self.matches.items()}
        return self.with_matches(longer, shown)

    def show(self, ways: PageWays[T]) -> T:
        """Choose how it is shown."""
        return ways.mentions(self)


@dataclass(frozen=True, slots=True)
class ItemCheck:
    """A score of the core that a page of items must reproduce by counting them.

    Args:
        key: the score's name.
        mode: the way of counting.
        kinds: the kinds of items to count.
        of: the kinds by whose number it is divided; empty for no division.
        row: the row of the statistics; empty for all rows.
    """

    key: str
    mode: str
    kinds: tuple[str, ...]
    of: tuple[str, ...] = ()
    row: str = ""


@dataclass(frozen=True, slots=True)
class ListView:
    """A page of items of some kinds, document by document.

    Args:
        module: the dotted name of the module that lists the items, imported on demand; see
            :mod:`clineval.kinds.pages`.
        measures: keys of scores that the list of documents shows, the main one first, each with
            its heading.
        checks: scores that the page recounts; if empty, the checks of the measures.
    """

    module: str
    measures: Mapping[str, str]
    checks: tuple[ItemCheck, ...] = ()

    def with_scores(self, measures: Checked) -> ListView:
        """Return a copy with the checks of measures, if it has none."""
        return replace(self, checks=self.checks or measures.item_checks)

    def with_matches(self, _matches: Mapping[str, str], shown: Sequence[str], /) -> ListView:
        """Return a copy with other scores, without checks."""
        return replace(self, measures={key: key for key in shown}, checks=())

    def with_prefix(self, _prefix: str, shown: Sequence[str], /) -> ListView:
        """Return a copy with other scores."""
        return self.with_matches({}, shown)

    def show(self, ways: PageWays[T]) -> T:
        """Choose how it is shown."""
        return ways.items(self)


@dataclass(frozen=True, slots=True)
class DocView:
    """Annotation on spaCy's Docs, and scores in its training table.

    Args:
        prefix: the beginning of the scores' names in the table, which cuts names at :data:`COLUMN`
            characters; if empty, the first letters of the challenge's name.
        columns: configuration to the keys that the table shows; ``default`` applies to all other
            configurations.
        names: key of a score to its name in the table, without the prefix; if empty, the short
            names of the measures.
        group: the span group that holds the annotation.
        slots: configuration to the slots that are read from mentions. The class slot is optional if
            it is not scored.
        format: the challenge's own format of mentions, by its name in
            :mod:`clineval.evaluation.convert`.
        take: converts documents of mentions for the challenge
            (:class:`~clineval.kinds.mentions.mention.Document`); None if it reads lists of dicts.
        labels: the option that holds all possible labels; empty if labels are open or not scored.
        relations: what relations connect: ``id`` for mentions, or a slot for its values; empty if
            there are no relations.
    """

    prefix: str
    columns: Mapping[str, tuple[str, ...]]
    names: Mapping[str, str] = field(default_factory=dict)
    group: str = "clin"
    slots: Callable[[str], Sequence[Slot]] = lambda _: ()
    format: str = ""
    take: Callable[[Sequence[object]], object] | None = None
    labels: str = ""
    relations: str = ""


COLUMN = 13
"""The number of characters after which spaCy's training table cuts names."""


def take_initials(name: str) -> str:
    """Return the first letters of a name's words, the prefix of its scores in that table.

    Examples:
        >>> take_initials("wound_findings")
        'wf'
    """
    return "".join(word[0] for word in name.split("_") if word)[:4]


def usual_docs(
    name: str, headline: Sequence[str], slots: Callable[[str], Sequence[Slot]]
) -> DocView:
    """Return the default view of mentions on Docs, which shows the main scores.

    Args:
        name: the challenge's name.
        headline: the keys of the main scores.
        slots: returns the slots of mentions in a configuration.

    Examples:
        >>> view = usual_docs("wound_findings", ["strict_f1", "assertion_accuracy"], lambda _: ())
        >>> view.prefix, view.names
        ('wf', {'strict_f1': 'strict_f1', 'assertion_accuracy': 'assertion'})
    """
    prefix = take_initials(name)
    names, columns = fit_names(prefix, {}, headline), {"default": tuple(headline)}
    return DocView(prefix, columns, names, slots=slots, format="jsonl", take=list)


def fit_names(prefix: str, known: Mapping[str, str], keys: Iterable[str]) -> dict[str, str]:
    """Return the names of scores that fit into the training table.

    Args:
        prefix: the prefix of the names.
        known: key of a score to its name; names that are too long are left out.
        keys: the keys that the table shows; each gets a name.

    Examples:
        >>> fit_names("ce", {"strict_f1": "strict_f", "a_f1": "a" * 11}, ["strict_f1", "type_f1"])
        {'strict_f1': 'strict_f', 'type_f1': 'type_f1'}
    """
    width = COLUMN - 1 - len(prefix)
    names = {key: name for key, name in known.items() if len(name) <= width}
    for key in keys:
        if key in names:
            continue
        taken_names = {*names.values()}
        fitting = next(
            (short for short in _shorten(key) if len(short) <= width and short not in taken_names),
            key[:width],
        )
        taken = fitting in taken_names
        names[key] = f"{fitting[: width - 2]}{len(names):02}" if taken else fitting
    return names


_SHORT = {"precision": "p", "recall": "r", "f1": "f", "accuracy": "acc"}


def _shorten(key: str) -> Iterator[str]:
    """Yield shorter and shorter names of a score: whole words first, then their beginnings.

    Examples:
        >>> list(_shorten("strict_slots_f1"))[:4]
        ['strict_slots_f1', 'strict_slots_f', 'slots_f1', 'slots_f']
    """
    words = key.split("_")
    for first in range(max(len(words) - 1, 1)):
        *named, measure = words[first:]
        yield "_".join([*named, measure])
        yield "_".join([*named, _SHORT.get(measure, measure)])
        if measure == "accuracy" and named:
            yield "_".join(named)
    yield from ("_".join(word[:size] for word in words) for size in range(len(key), 0, -1))


def short_prf(match: str, short: str) -> dict[str, str]:
    """Return short names of precision, recall and F1.

    Examples:
        >>> short_prf("relaxed", "relax")["relaxed_f1"]
        'relax_f'
    """
    return {f"{match}_{name}": f"{short}_{name[0]}" for name in ("precision", "recall", "f1")}


def check_prf(  # noqa: PLR0913 - the fields of PairCheck
    prefix: str,
    match: str,
    criterion: str,
    *,
    classes: tuple[str, ...] = (),
    without: tuple[str, ...] = (),
    protocols: tuple[str, ...] = (),
) -> tuple[PairCheck, ...]:
    """Return the checks of precision, recall, F1 and their counts, for all classes or some.

    Examples:
        >>> check = check_prf("strict", "exact", "both")[2]
        >>> check.key, check.match, check.criterion, check.measure
        ('strict_f1', 'exact', 'both', 'f1')
    """
    names = ("precision", "recall", "f1", "tp", "fp", "fn")
    return tuple(
        PairCheck(f"{prefix}_{name}", match, criterion, name, classes, without, protocols)
        for name in names
    )
