"""Tags of tokens: BIO, BILOU, and BIOHD for discontiguous mentions.

BIO: ``B-Disorder`` begins a mention, ``I-Disorder`` continues it, ``O`` is outside. BILOU also
marks the last token (``L``, also ``E``) and mentions of one token (``U``, also ``S``). Neither can
express a discontiguous mention: each of its fragments is tagged separately.

BIOHD (Tang et al., Recognizing clinical entities in hospital discharge summaries using Structural
Support Vector Machines with word representation features, 2013) adds two kinds of fragments.
``HB``, ``HI`` mark a head, which several mentions share. ``DB``, ``DI`` mark a body, which belongs
to one discontiguous mention. The tags do not define which fragments form a mention. Here, heads
and bodies with one label form a group if there are at most ``reach`` tokens from one to the next.
Each body joins the nearest head of its group, or the earlier one if two are equally near. If a
group has no head, its bodies form one mention. A head without bodies is a mention.

Tags are read leniently, as in conlleval: a continuation without a beginning begins a mention.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import pairwise
from typing import Literal, get_args

import numpy as np

from clineval.base.arrays import BoolArray, IntArray, expect_names
from clineval.base.errors import InputError, listed, shown
from clineval.results.options import check_name

Scheme = Literal["bio", "bilou", "biohd"]
OUTSIDE, PLAIN, HEAD, BODY = range(4)
_PREFIXES = {
    "bio": ("B", "I"),
    "bilou": ("B", "I", "L", "U"),
    "biohd": ("B", "I", "HB", "HI", "DB", "DI"),
}
_SPELLINGS = {"E": "L", "S": "U", "H": "HI", "D": "DI"}
_TURN_ROUND = (
    "The prefix must come first, as in B-Disorder: replace each tag by "
    "'-'.join(reversed(tag.rsplit('-', 1)))"
)
_KINDS = {"O": OUTSIDE, "HB": HEAD, "HI": HEAD, "DB": BODY, "DI": BODY}


@dataclass(frozen=True)
class TagSet:
    """The tags of a model, in the order of its outputs.

    Args:
        tags: tags such as ``O``, ``B-Disorder``, ``I-Disorder``; the label is optional if there is
            only one label.
        reach: for BIOHD, the maximum number of tokens between fragments of a mention.

    Raises:
        InputError: ``tags`` is not a tuple of strings, lacks ``O``, or contains a repeated tag or
            a tag of an unknown scheme.

    Examples:
        >>> tags = TagSet.of(["Disorder"])
        >>> tags.tags
        ('O', 'B-Disorder', 'I-Disorder')
        >>> tags.id2label[1], tags.scheme
        ('B-Disorder', 'bio')
    """

    tags: tuple[str, ...]
    reach: int = 20

    def __post_init__(self) -> None:
        if not isinstance(self.tags, tuple) or not all(isinstance(tag, str) for tag in self.tags):
            raise InputError("expected a tuple of strings", where="tags")
        if "O" not in self.tags or len(set(self.tags)) < len(self.tags):
            raise InputError("expected different tags and O among them", where="tags")
        if type(self.reach) is not int or self.reach < 0:
            raise InputError(f"expected a number of tokens, got {shown(self.reach)}", where="reach")
        every = dict.fromkeys(("O", *_PREFIXES["bilou"], *_PREFIXES["biohd"]))
        for tag, (prefix, _) in zip(self.tags, self.parts, strict=True):
            if prefix not in every:
                problem = f"unknown tag prefix {shown(prefix)}, expected one of {', '.join(every)}"
                ending = tag.rpartition("-")[2]
                reversed_ = _SPELLINGS.get(ending, ending) in every
                remedy = _TURN_ROUND if reversed_ else "Write tags such as B-Disorder"
                raise InputError(problem, where="tags", remedy=remedy)

    @classmethod
    def of(cls, labels: Iterable[str], scheme: Scheme = "bio", *, reach: int = 20) -> TagSet:
        """Return all tags of a scheme for some labels.

        Args:
            labels: the labels of the annotations.
            scheme: ``bio``, ``bilou`` or ``biohd``.
            reach: as for the class.

        Raises:
            InputError: the scheme is unknown, or a label is invalid.
        """
        check_name("scheme", scheme, get_args(Scheme))
        names = expect_names(labels, "labels")
        pairs = (f"{prefix}-{name}" for name in names for prefix in _PREFIXES[scheme])
        return cls(("O", *pairs), reach)

    def labelled(self, label: str) -> TagSet:
        """Return the same tags, after adding a label to those that have none.

        Examples:
            >>> TagSet(("O", "B", "I")).labelled("Disorder").tags
            ('O', 'B-Disorder', 'I-Disorder')
        """
        [name] = expect_names([label], "label")
        pairs = zip(self.tags, self.parts, strict=True)
        named = (
            tag if part[1] or part[0] == "O" else f"{tag.removesuffix('-')}-{name}"
            for tag, part in pairs
        )
        return replace(self, tags=tuple(named))

    @property
    def id2label(self) -> dict[int, str]:
        """A dict from number to tag, for a model's configuration."""
        return dict(enumerate(self.tags))

    @property
    def label2id(self) -> dict[str, int]:
        """A dict from tag to number, for a model's configuration."""
        return {tag: number for number, tag in enumerate(self.tags)}

    @property
    def scheme(self) -> Scheme:
        """The scheme of the tags."""
        prefixes = {prefix for prefix, _ in self.parts}
        if prefixes & {"HB", "HI", "DB", "DI"}:
            return "biohd"
        return "bilou" if prefixes & {"L", "U"} else "bio"

    @cached_property
    def parts(self) -> tuple[tuple[str, str], ...]:
        """The prefix and label of each tag."""
        split = (tag.partition("-") for tag in self.tags)
        return tuple((_SPELLINGS.get(prefix, prefix), label) for prefix, _, label in split)

    @property
    def labels(self) -> tuple[str, ...]:
        """The different labels, in order."""
        return tuple(dict.fromkeys(label for prefix, label in self.parts if prefix != "O"))


@dataclass(frozen=True, slots=True, eq=False)
class Runs:
    """Runs of consecutive tokens of one fragment, as arrays ``[runs]``.

    The arrays are the first and last token, the kind (``PLAIN``, ``HEAD`` or ``BODY``), and the
    number of the label in :attr:`TagSet.labels`.
    """

    first: IntArray
    last: IntArray
    kind: IntArray
    label: IntArray


def find_runs(ids: IntArray, document: IntArray, tags: TagSet) -> Runs:
    """Find the runs in numbers of tags; no run crosses documents, whose numbers ascend."""
    prefixes = [prefix for prefix, _ in tags.parts]
    label_numbers = {label: number for number, label in enumerate(tags.labels)}
    begins = np.isin(prefixes, ["B", "U", "HB", "DB"])[ids]
    ends = np.isin(prefixes, ["L", "U"])[ids]
    kind = np.array([_KINDS.get(prefix, PLAIN) for prefix in prefixes])[ids]
    outside = kind == OUTSIDE
    label = np.array([label_numbers.get(label, -1) for _, label in tags.parts])[ids]
    alone = np.ones(len(ids), np.bool_)  # nothing before it to continue
    alone[1:] = (
        outside[:-1]
        | ends[:-1]
        | (label[1:] != label[:-1])
        | (kind[1:] != kind[:-1])
        | (document[1:] != document[:-1])
    )
    starts = ~outside & (begins | alone)
    stops = np.ones(len(ids), np.bool_)
    stops[:-1] = starts[1:] | outside[1:]
    first = np.flatnonzero(starts)
    return Runs(first, np.flatnonzero(~outside & stops), kind[first], label[first])


def join_runs(runs: Runs, document: IntArray, reach: int) -> list[list[int]]:
    """Return the numbers of the runs of each mention, in the order of their first runs.

    ``document`` is the document of each token. ``reach`` is the maximum number of tokens between
    fragments of a mention.
    """
    mentions = [[number] for number in np.flatnonzero(runs.kind == PLAIN).tolist()]
    parts = np.flatnonzero(runs.kind != PLAIN)
    for label in np.unique(runs.label[parts]).tolist():
        of_label = parts[runs.label[parts] == label]
        gaps = runs.first[of_label[1:]] - runs.last[of_label[:-1]] - 1
        crossing = document[runs.first[of_label[1:]]] != document[runs.first[of_label[:-1]]]
        for group in np.split(of_label, np.flatnonzero((gaps > reach) | crossing) + 1):
            mentions += _join_group(group.tolist(), runs)
    return sorted(mentions)


def _join_group(group: Sequence[int], runs: Runs) -> list[list[int]]:
    heads = [number for number in group if runs.kind[number] == HEAD]
    bodies = [number for number in group if runs.kind[number] == BODY]
    if not heads:
        return [bodies]
    if not bodies:
        return [[head] for head in heads]

    def distance(head: int, body: int) -> int:
        left, right = sorted((head, body))
        return int(runs.first[right] - runs.last[left])

    nearest = [min(heads, key=lambda head: distance(head, body)) for body in bodies]
    pairs = [sorted(pair) for pair in zip(nearest, bodies, strict=True)]
    return pairs + [[head] for head in heads if head not in nearest]


def write_tags(
    mentions: Sequence[tuple[Sequence[tuple[int, int]], str]], size: int, tags: TagSet
) -> IntArray:
    """Return the tags of one document's tokens.

    A token has one tag. If mentions overlap, longer mentions are tagged first, and mentions without
    free tokens are not tagged. With BIOHD, tokens that a discontiguous mention shares are heads.

    Args:
        mentions: the fragments of each mention as first and last token, and its label.
        size: the number of tokens.
        tags: the tag set.

    Raises:
        InputError: the tags lack a label.
    """
    outside = tags.label2id["O"]
    ids = np.full(size, outside, np.int64)
    shared = _find_shared(mentions, size)
    for fragments, label in sorted(mentions, key=lambda m: -sum(b - a for a, b in m[0])):
        parts = [(PLAIN, first, last) for first, last in fragments]
        joined = len(fragments) > 1 or any(shared[a : b + 1].any() for a, b in fragments)
        if tags.scheme == "biohd" and joined:
            parts = [part for a, b in fragments for part in _split(shared, a, b)]
        for kind, first, last in parts:
            if (ids[first : last + 1] == outside).all():
                ids[first : last + 1] = _spell(kind, last - first + 1, label, tags)
    return ids


def _find_shared(mentions: Sequence[tuple[Sequence[tuple[int, int]], str]], size: int) -> BoolArray:
    """Find the tokens in several mentions, at least one of them discontiguous."""
    owners, broken = np.zeros((2, size), np.int64)
    for fragments, _ in mentions:
        for first, last in fragments:
            owners[first : last + 1] += 1
            broken[first : last + 1] += len(fragments) > 1
    return (owners > 1) & (broken > 0)


def _split(shared: BoolArray, first: int, last: int) -> Iterable[tuple[int, int, int]]:
    """Split a fragment into heads and bodies, each with its first and last token."""
    edges = np.flatnonzero(np.diff(shared[first : last + 1])) + first + 1
    bounds = [first, *edges.tolist(), last + 1]
    for start, end in pairwise(bounds):
        yield (HEAD if shared[start] else BODY), start, end - 1


def _spell(kind: int, size: int, label: str, tags: TagSet) -> list[int]:
    prefix = {PLAIN: "", HEAD: "H", BODY: "D"}[kind]
    spelling = [f"{prefix}B", *[f"{prefix}I"] * (size - 1)]
    if tags.scheme == "bilou":
        spelling = ["U"] if size == 1 else [*spelling[:-1], "L"]
    numbers = {part: number for number, part in enumerate(tags.parts)}
    try:
        return [numbers[part, label] for part in spelling]
    except KeyError:
        problem = f"no tags for the label {shown(label)}, the labels are {listed(tags.labels)}"
        raise InputError(problem, where="annotations") from None
