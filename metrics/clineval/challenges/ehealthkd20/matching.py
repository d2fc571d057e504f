"""Pair sentences of eHealth-KD, and the annotations in them, by the definition."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence

import numpy as np

from clineval.base.arrays import BoolArray
from clineval.base.errors import warn
from clineval.challenges.ehealthkd20.sentences import SAME_AS, Collection, Pair, Phrase, Sentence
from clineval.kinds.documents import check_as_many, warn_of_case
from clineval.kinds.mentions.mention import Fragment
from clineval.results.match import NONE

Row = tuple[int, int, str]
"""Numbers of a gold and a predicted annotation in their sentences, -1 for none, and the verdict."""
Result = Mapping[str, Sequence[Row]]
"""Verdicts on the ``phrases`` and ``relations`` of a pair of sentences."""


def pair_collections(
    gold: Sequence[Collection], system: Sequence[Collection]
) -> Iterator[tuple[Collection, Collection]]:
    """Pair texts by name, or by position if they have no names or each side has one text."""
    named = all(each.name for each in (*gold, *system))
    if len(gold) == len(system) == 1 or not named:
        check_as_many(len(system), len(gold), "Name the texts, or give both sides of each")
        yield from zip(gold, system, strict=True)
        return
    known = {each.name: each for each in system}
    warn_of_case([*(each.name for each in gold), *known])
    missing = [each.name for each in gold if each.name not in known]
    extra = [name for name in known if name not in {each.name for each in gold}]
    for names, effect in ((missing, "all missed"), (extra, "all spurious")):
        problem = "{n} {text is|texts are} on one side only and {counts|count} as"
        warn(f"{problem} {effect}: {{names}}", names)
    for each in gold:
        yield each, known.get(each.name, Collection(each.name, ()))
    for name in extra:
        yield Collection(name, ()), known[name]


def pair_sentences(gold: Sequence[Sentence], system: Sequence[Sentence]) -> Iterator[Pair]:
    """Pair sentences by position, or by the longest common sequence of their keys."""
    keys = [[sentence.key for sentence in side] for side in (gold, system)]
    if keys[0] == keys[1]:
        yield from zip(gold, system, strict=True)
        return
    partners = dict(_find_longest(*keys))
    taken = set(partners.values())
    extra = [at for at in range(len(system)) if at not in taken]
    warn(
        "{n} predicted {sentence is|sentences are} not in the gold standard and {counts|count} as "
        "all spurious: {names}",
        [system[at].name for at in extra],
    )
    for at, sentence in enumerate(gold):
        yield sentence, system[partners[at]] if at in partners else Sentence("", sentence.text)
    yield from ((Sentence("", system[at].text), system[at]) for at in extra)


def _find_longest(gold: Sequence[str], system: Sequence[str]) -> Iterator[tuple[int, int]]:
    """Find the longest common sequence; among ties, the one with the earliest gold sentences."""
    numbers: defaultdict[str, int] = defaultdict(lambda: len(numbers))
    left, right = (np.array([numbers[key] for key in side], np.int64) for side in (gold, system))
    lengths = np.zeros((len(left) + 1, len(right) + 1), np.int32)
    for at in range(len(left) - 1, -1, -1):
        found = np.where(right == left[at], lengths[at + 1, 1:] + 1, 0)
        best = np.maximum.accumulate(found[::-1])[::-1]
        lengths[at, :-1] = np.maximum(lengths[at + 1, :-1], best)
    start = 0
    for at in range(len(left)):
        same: BoolArray = right[start:] == left[at]
        same &= lengths[at + 1, start + 1 :] + 1 == lengths[at, start]
        if same.any():
            start += int(np.argmax(same)) + 1
            yield at, start - 1


def match_sentence(gold: Sentence, system: Sentence, *, closure: bool) -> Result:
    """Pair the annotations of two sentences by the definition.

    With ``closure``, phrases that gold ``same-as`` relations connect are interchangeable.
    """
    phrases = _match_phrases(gold.phrases, system.phrases)
    partners = {
        _identity(system.phrases[p]): _identity(gold.phrases[g])
        for g, p, kind in phrases
        if kind in ("correct", "partial")
    }
    relations = _match_relations(gold, system, partners, closure=closure)
    return {"phrases": phrases, "relations": relations}


Identity = tuple[tuple[Fragment, ...], str]


def _identity(phrase: Phrase) -> Identity:
    return phrase.fragments, phrase.label


def _order(phrase: Phrase) -> tuple[list[int], list[int], str]:
    starts, ends = zip(*phrase.fragments, strict=True)
    return list(starts), list(ends), phrase.label


def _match_phrases(gold: Sequence[Phrase], system: Sequence[Phrase]) -> list[Row]:
    golds, others = (
        sorted(range(len(side)), key=lambda at, side=side: _order(side[at]))  # type: ignore[misc]
        for side in (gold, system)
    )
    found: list[Row] = []
    free: dict[Identity, list[int]] = {}
    for g in golds:
        free.setdefault(_identity(gold[g]), []).append(g)
    left: list[int] = []
    for p in others:
        same = free.get(_identity(system[p]))
        if same:
            found.append((same.pop(0), p, "correct"))
        else:
            left.append(p)
    paired = {_identity(system[p]) for _, p, _ in found}
    rest = [_first_of_each(side, rows, paired) for side, rows in ((gold, golds), (system, left))]
    found += _match_others(gold, system, *rest)
    for side, kind in ((0, "missing"), (1, "spurious")):
        taken = {row[side] for row in found}
        alone = (at for at in (golds, others)[side] if at not in taken)
        found += [(at, NONE, kind) if side == 0 else (NONE, at, kind) for at in alone]
    return found


def _first_of_each(
    phrases: Sequence[Phrase], rows: Sequence[int], paired: set[Identity]
) -> list[int]:
    """Return the first of equal phrases, without phrases that are paired."""
    firsts: dict[Identity, int] = {}
    for row in rows:
        firsts.setdefault(_identity(phrases[row]), row)
    return [row for identity, row in firsts.items() if identity not in paired]


def _match_others(
    gold: Sequence[Phrase], system: Sequence[Phrase], golds: list[int], others: list[int]
) -> Iterator[Row]:
    """Yield incorrect pairs, then partial ones, of phrases in their order."""
    for kind, alike in (("incorrect", _same_span), ("partial", _partial)):
        for p in list(others):
            g = next((g for g in golds if alike(gold[g], system[p])), None)
            if g is not None:
                golds.remove(g)
                others.remove(p)
                yield g, p, kind


def _same_span(one: Phrase, other: Phrase) -> bool:
    return one.fragments == other.fragments


def _partial(one: Phrase, other: Phrase) -> bool:
    return one.label == other.label and any(
        start < end_ and start_ < end
        for start, end in one.fragments
        for start_, end_ in other.fragments
    )


Key = tuple[str, Identity | int, Identity | int]
Ends = tuple[str, Identity, Identity | None]
"""Label and ends of a relation; None for a phrase of another sentence."""


def _match_relations(
    gold: Sentence, system: Sentence, partners: dict[Identity, Identity], *, closure: bool
) -> list[Row]:
    """Pair relations with equal labels between the same phrases, or classes of phrases."""
    golds = {(n, a, b): at for (n, a, b), at in _distinct(gold).items() if b is not None}
    classes = _classes(list(golds)) if closure else {}
    free: defaultdict[Key, list[int]] = defaultdict(list)
    for (label, source, target), at in golds.items():
        free[_key(label, source, target, classes)].append(at)
    found: list[Row] = []
    for (label, one, other), at in _distinct(system).items():
        ends = partners.get(one), None if other is None else partners.get(other)
        wanted = None
        if ends[0] is not None and ends[1] is not None:
            wanted = free.get(_key(label, ends[0], ends[1], classes))
        found.append((wanted.pop(0), at, "correct") if wanted else (NONE, at, "spurious"))
    return [*found, *((at, NONE, "missing") for rows in free.values() for at in rows)]


def _distinct(sentence: Sentence) -> dict[Ends, int]:
    """Return the relations without repeats."""
    found: dict[Ends, int] = {}
    for at, (label, source, target) in enumerate(sentence.relations):
        end = _identity(sentence.phrases[target]) if target >= 0 else None
        found.setdefault((label, _identity(sentence.phrases[source]), end), at)
    return found


def _key(label: str, source: Identity, target: Identity, classes: dict[Identity, int]) -> Key:
    ends: list[Identity | int] = [classes.get(end, end) for end in (source, target)]
    if label == SAME_AS and not classes:
        ends = sorted((source, target))
    return label, ends[0], ends[1]


def _classes(relations: Sequence[tuple[str, Identity, Identity]]) -> dict[Identity, int]:
    """Return the ``same-as`` class of each phrase in a relation."""
    phrases = dict.fromkeys(end for _, *ends in relations for end in ends)
    classes = {phrase: at for at, phrase in enumerate(phrases)}
    for label, source, target in relations:
        if label == SAME_AS:
            kept, gone = classes[source], classes[target]
            classes = {of: kept if number == gone else number for of, number in classes.items()}
    return classes
