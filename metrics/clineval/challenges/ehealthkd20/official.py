"""eHealth-KD as the released programs of 2019, 2020 and 2021 score it."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from typing import NoReturn

from clineval.base.errors import InputError, called, warn
from clineval.base.files import Source
from clineval.challenges.ehealthkd20.matching import Result, Row
from clineval.challenges.ehealthkd20.programs import read_as_program, read_given
from clineval.challenges.ehealthkd20.sentences import (
    SAME_AS,
    Collection,
    GivenText,
    Pair,
    Phrase,
    Sentence,
    find_texts,
)
from clineval.challenges.ehealthkd20.spec import Spec
from clineval.kinds.mentions.mention import Fragment
from clineval.results.challenge import Setup
from clineval.results.match import NONE
from clineval.results.settings import Setting, declare_settings


class Official(Spec):
    """The released program of the edition that the option names."""

    def read_files(self, source: Source, _side: str, setup: Setup) -> list[Collection]:
        """Read texts; the program of 2019 finds them by their names."""
        pattern = "*put_*.txt" if setup["edition"] == "2019" else "*.txt"
        return [read_as_program(text, setup["edition"]) for text in find_texts(source, pattern)]

    def read_given(self, given: GivenText, _side: str, setup: Setup) -> Collection:
        """Read a document as the program reads files."""
        return read_given(given, setup["edition"])

    def pair_sentences(
        self, gold: Sequence[Sentence], system: Sequence[Sentence], setup: Setup
    ) -> Iterator[Pair]:
        """Pair sentences in the order in which the program visits them."""
        if setup["edition"] == "2019":
            pairs = zip(gold, system, strict=False)
            yield from ((one, other) for one, other in pairs if one.text == other.text)
            return
        at = 0
        for sentence in gold:
            if at < len(system) and system[at].key == sentence.key:
                yield sentence, system[at]
                at += 1
            else:
                yield sentence, Sentence("", sentence.text)
        left = len(system) - at
        warn(
            "{n} predicted {sentence does|sentences do} not count: the program drops {it|them}",
            n=left,
        )

    def evaluates_all(self, _setup: Setup) -> bool:
        """Count sentences with gold annotations only."""
        return False

    def match(self, gold: Sentence, system: Sentence, setup: Setup) -> Result:
        """Pair phrases in passes, and relations between interchangeable phrases."""
        rows = _match_in_passes(gold, system, labelled=setup["edition"] != "2019")
        partners = {p: g for g, p, kind in rows if kind in ("correct", "partial")}
        classes = list(range(len(gold.phrases)))
        for label, source, target in gold.relations:
            if label == SAME_AS:
                one, other = classes[source], classes[target]
                classes = [one if number == other else number for number in classes]
        free: defaultdict[tuple[str, int, int], list[int]] = defaultdict(list)
        for at, (label, source, target) in enumerate(gold.relations):
            free[label, classes[source], classes[target]].append(at)
        found: list[Row] = []
        for at, (label, source, target) in enumerate(system.relations):
            ends = partners.get(source, NONE), partners.get(target, NONE)
            wanted: list[int] = []
            if NONE not in ends:
                wanted = free.get((label, classes[ends[0]], classes[ends[1]]), wanted)
            if wanted:
                best = min(wanted, key=lambda g, ends=ends: _distance(gold, g, ends))  # type: ignore[misc]
                wanted.remove(best)
                found.append((best, at, "correct"))
            else:
                found.append((NONE, at, "spurious"))
        left = sorted(at for rows_ in free.values() for at in rows_)
        return {"phrases": rows, "relations": [*found, *((at, NONE, "missing") for at in left)]}

    own_settings = declare_settings(Setting("edition", "the year of the rules", option="--edition"))

    def settings(self, setup: Setup, /) -> Mapping[str, str]:
        """Return the options that the scores depend on."""
        return {"edition": setup["edition"]}


def _distance(gold: Sentence, at: int, ends: tuple[int, int]) -> int:
    """Return 0 for the relation between two phrases, 1 for its reverse, 2 for a class match."""
    label, *arguments = gold.relations[at]
    if tuple(arguments) == ends:
        return 0
    return 1 if label == SAME_AS and tuple(arguments[::-1]) == ends else 2


def _match_in_passes(gold: Sentence, system: Sentence, *, labelled: bool) -> list[Row]:
    """Pair phrases in three passes, using each gold phrase once."""
    golds, others = list(range(len(gold.phrases))), list(range(len(system.phrases)))
    found: list[Row] = []

    def first(fragments: tuple[Fragment, ...]) -> int | None:
        return next((g for g in golds if gold.phrases[g].fragments == fragments), None)

    def take(g: int, p: int, kind: str) -> None:
        golds.remove(g)
        others.remove(p)
        found.append((g, p, kind))

    for kind in ("correct", "incorrect"):
        for p in list(others):
            g = first(system.phrases[p].fragments)
            if g is None:
                continue
            same = gold.phrases[g].label == system.phrases[p].label
            if kind == "correct" and same:
                take(g, p, kind)
            elif kind == "incorrect":
                take(g, p, kind) if not same else _stop(gold)
    for p in list(others):
        g = next((g for g in golds if _touch(gold.phrases[g], system.phrases[p], labelled)), None)
        if g is not None:
            take(g, p, "partial")
    found += [(NONE, p, "spurious") for p in others]
    return [*found, *((g, NONE, "missing") for g in golds)]


def _stop(sentence: Sentence) -> NoReturn:
    raise InputError(
        "the released program stops at the labels of one span",
        where=f"sentence {called(sentence.name)}",
        remedy="Score with protocol='spec'",
    )


def _touch(one: Phrase, other: Phrase, labelled: bool) -> bool:  # noqa: FBT001
    """Return whether a fragment of one phrase starts in a fragment of the other."""
    if labelled and one.label != other.label:
        return False
    return any(
        start <= begin < end
        for a, b in ((one, other), (other, one))
        for start, end in a.fragments
        for begin, _ in b.fragments
    )
