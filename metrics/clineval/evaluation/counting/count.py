"""``clineval.count`` and ``clineval.score``: parts are counted, and put together."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from clineval.base.errors import InputError, agree, join_warnings, shown, warn, warn_user
from clineval.base.progress import metered
from clineval.evaluation.counting.gathering import Gathering
from clineval.evaluation.counting.leaving_out import write_left_out
from clineval.evaluation.counting.parts import Counter, LeftOut, ListPart, Result, input_warnings
from clineval.evaluation.counting.sources import Parts, cut
from clineval.evaluation.counting.workers import map_in_order, usual_jobs
from clineval.evaluation.evaluate import evaluate
from clineval.results.challenge import Challenge, Setup
from clineval.results.registry import NAMES, find_challenge
from clineval.results.scores import Counts, Score

File = str | os.PathLike[str]
_LEFT_OUT = "left_out"


class _TogetherError(Exception):
    """Documents of several parts belong together."""


def score(  # noqa: PLR0913 - one function for all
    module: str | Challenge,
    predictions: Any,
    references: Any,
    *,
    config: str = "default",
    protocol: str = "spec",
    confidence: float | None = None,
    n_resamples: int = 1000,
    seed: int = 12345,
    interval: str = "auto",
    cluster: Any = None,
    jobs: int | None = None,
    batch_size: int | None = None,
    keep_going: File | None = None,
    **options: Any,
) -> Score:
    """Score predictions against references.

    Args:
        module: the metric, such as ``semeval15_task14``; ``clineval list`` lists them.
        predictions: what the system found: for each document a list of mentions as dicts, or
            a :class:`~clineval.Document`, or a string in the challenge's file format; or an
            iterator of these; or the path of files in that format; or a :class:`~clineval.Column`
            of a table, or the path of a Parquet file.
        references: the gold standard, in any of these forms.
        config: which part of the challenge; ``default`` scores all of it.
        protocol: ``spec`` for the definition in the challenge's document, ``official`` for
            the numbers that the released script prints.
        confidence: such as .95, to get for every score the interval that holds the true value
            with this probability; None for none. See :mod:`clineval.statistics.confidence`.
        n_resamples: how many corpora are drawn for it.
        seed: of the drawing.
        interval: ``auto``, or ``percentile``, ``bca`` or ``binomial`` for all scores alike.
        cluster: which documents belong together and are drawn together, such as the notes of a
            patient: a mapping or a function from their names to those of clusters, or the path of
            a file with two columns, document and cluster.
        jobs: as in :func:`count`.
        batch_size: as in :func:`count`.
        keep_going: as in :func:`count`.
        options: the challenge's own options; ``clineval score MODULE --help`` explains them.

    Returns:
        The scores; ``score["strict_f1"]``, ``score.as_dict()``, ``score.per_document``,
        ``score.intervals``.

    Raises:
        InputError: an unknown name, or input that cannot be scored.

    Examples:
        >>> gold = [[{"spans": [[4, 15], [31, 38]], "cui": "C0344720"}]]
        >>> found = [[{"spans": [[4, 15]], "cui": "C0344720"}]]
        >>> result = score("semeval15_task14", found, gold, config="task1")
        >>> result["strict_f1"], result["relaxed_f1"]
        (0.0, 1.0)
    """
    asked: dict[str, Any] = {"config": config, "protocol": protocol, **options}
    asked |= {"jobs": jobs, "batch_size": batch_size, "keep_going": keep_going}
    return count(module, predictions, references, **asked).score(
        confidence=confidence,
        n_resamples=n_resamples,
        seed=seed,
        interval=interval,
        cluster=cluster,
    )


def count(  # noqa: PLR0913 - as score
    module: str | Challenge,
    predictions: Any,
    references: Any,
    *,
    config: str = "default",
    protocol: str = "spec",
    jobs: int | None = None,
    batch_size: int | None = None,
    keep_going: File | None = None,
    **options: Any,
) -> Counts:
    """Count as :func:`score` does, and stop before the division.

    Counts of parts of a corpus add up: ``(count(...) + count(...)).score()``.

    Tables, iterators, and directories with a file for each document are read in parts, so that
    memory holds a part and a row of counts for each document. Directories are read at once where
    the two sides' files have different names; so are single files, and whatever an option makes
    depend on all documents. The counts are the same whatever is said of jobs and sizes.

    Args:
        module: as in :func:`score`.
        predictions: as in :func:`score`.
        references: as in :func:`score`.
        config: as in :func:`score`.
        protocol: as in :func:`score`.
        jobs: how many processes count; None for as many as there are cores on Linux, one for small
            corpora, lists, iterators, and programs that have threads.
        batch_size: how many documents a part has; None for what suits the input.
        keep_going: leave out documents that cannot be counted, and write their names and what is
            wrong to this file, a JSON object a line; the signature says how many they are.
        options: as in :func:`score`.

    Raises:
        InputError: as :func:`score`; or all documents would be left out.

    Examples:
        >>> gold = ([{"spans": [[k, k + 4]], "cui": "C0020538"}] for k in range(5000))
        >>> found = ([{"spans": [[k, k + 4]], "cui": None}] for k in range(5000))
        >>> count("semeval15_task14", found, gold, config="task1").totals["strict_fp"]
        5000.0
    """
    challenge = find_challenge(module)
    _check_number("jobs", jobs)
    _check_number("batch_size", batch_size)
    asked = {"config": config, "protocol": protocol, **options}
    lists = batch_size is not None or jobs is not None or keep_going is not None
    parts = cut(challenge, references, predictions, options, batch_size, lists=lists)
    if parts is None:
        if keep_going is not None:
            raise InputError("keep_going: these documents can only be read at once")
        return evaluate(challenge, predictions, references, **asked).counts
    setup = challenge.setup(config, protocol, options)
    together = depends_on_all(challenge, setup)
    if keep_going is not None and together:
        raise InputError(f"keep_going: {together}")
    if together and parts.again:
        return evaluate(challenge, predictions, references, **asked).counts
    if together:
        references, predictions = _gather(parts)
        return evaluate(challenge, predictions, references, **asked).counts
    counter = make_counter(challenge, setup, options, keep_going=keep_going is not None)
    try:
        return _count_parts(counter, parts, jobs, keep_going)
    except _TogetherError:
        return evaluate(challenge, predictions, references, **asked).counts


def depends_on_all(challenge: Challenge, setup: Setup) -> str:
    """Say why documents cannot be counted independently, in a sentence; empty if they can."""
    for option in challenge.options:
        if option.kind == "column" and setup[option.name] is not None:
            return f"{option.name} has a value for each item. Count all items at once"
    return str(setup.steps.whole(setup))


def make_counter(
    challenge: Challenge, setup: Setup, given: Iterable[str], *, keep_going: bool = False
) -> Counter:
    """Make the counter of a part.

    Args:
        challenge: the metric; it goes to other processes by its name where it is one of ours.
        setup: what is asked of it; files that options name have been read.
        given: the options that were given.
        keep_going: whether documents that cannot be counted are left out.
    """
    options = {name: setup[name] for name in given}
    other = None if challenge.name in NAMES else challenge
    return Counter(challenge.name, setup.config, setup.protocol, options, keep_going, other)


def make_part_counter(  # noqa: PLR0913 - as count
    module: str,
    config: str,
    protocol: str,
    options: Mapping[str, Any],
    what: str,
    *,
    keep_going: bool = False,
) -> Counter:
    """Make the counter of parts of something that nobody has as a whole.

    Raises:
        InputError: what is asked depends on all documents; ``what`` says of what they are.
    """
    challenge = find_challenge(module)
    setup = challenge.setup(config, protocol, options)
    together = depends_on_all(challenge, setup)
    if together:
        raise InputError(f"counts of {what} are taken in parts, but {together}")
    return make_counter(challenge, setup, options, keep_going=keep_going)


def _check_number(name: str, value: Any) -> None:
    if value is not None and (isinstance(value, bool) or not isinstance(value, int) or value < 1):
        raise InputError(f"expected a positive integer, got {shown(value)}", where=name)


def _gather(parts: Parts) -> tuple[list[Any], list[Any]]:
    """Gather the documents of iterators in lists."""
    sides: tuple[list[Any], list[Any]] = [], []
    for part in parts.parts:
        if isinstance(part, ListPart):
            sides[0].extend(part.references)
            sides[1].extend(part.predictions)
    return sides


def _count_parts(
    counter: Counter, parts: Parts, jobs: int | None, keep_going: File | None
) -> Counts:
    number = jobs or parts.jobs or usual_jobs()
    if parts.documents is not None:
        number = min(number, -(-parts.documents // parts.size))
    results = map_in_order(counter, parts.parts, number)
    with metered(parts.documents, "counting documents") as advance:
        merged = merge(_advancing(results, advance), separate=parts.again)
    if merged is None:
        merged = counter(ListPart([], [], 0)).counts, [], []
    counts, told, left_out = merged
    tell(told)
    if keep_going is not None:
        write_left_out(left_out, Path(keep_going))
        counts = say_left_out(counts, left_out)
    if counts is None:
        raise InputError("expected at least one document")
    return counts


def _advancing(results: Iterable[Result], advance: Any) -> Iterator[Result]:
    for result in results:
        yield result
        advance(result.size)


def merge(
    results: Iterable[Result], *, separate: bool
) -> tuple[Counts | None, list[Warning], list[LeftOut]] | None:
    """Merge counts, warnings and left out documents of all parts; None if there are no parts.

    Args:
        results: of the parts, in order.
        separate: whether a document of two parts means that the parts belong together.

    Raises:
        InputError: the first of the parts.
    """
    found = Gathering()
    told: list[Warning] = []
    left_out: list[LeftOut] = []
    known: set[str] = set()
    any_part = False
    for result in results:
        any_part = True
        if result.error is not None:
            tell(told)
            raise result.error
        told += result.warnings
        left_out += result.left_out
        if result.counts is None:
            continue
        found.add(result.counts)
        keys = set(map(_document_key, result.counts.documents))
        if len(keys) < len(result.counts.documents) or not known.isdisjoint(keys):
            _refuse_repeats(separate=separate)
        known |= keys
    if not any_part:
        return None
    return found.finish(), told, left_out


def _document_key(name: str) -> str:
    """Return the key that names of one document share; the name itself if it is that key."""
    key = name.lower().removesuffix(".txt")
    return name if key == name else key


def _refuse_repeats(*, separate: bool) -> None:
    """Refuse a document that is in two parts, as its two halves should have met."""
    if separate:
        raise _TogetherError
    raise InputError(
        "documents of the same name came in several batches",
        remedy="Give each document once, both sides in the same order",
    )


def tell(told: Iterable[Warning]) -> None:
    """Warn of what parts had to say, once for all."""
    about, others = input_warnings(list(told))
    for warning in (*join_warnings(about), *others):
        warn_user(warning)


def say_left_out(counts: Counts | None, left_out: list[LeftOut]) -> Counts | None:
    """Warn of left out documents, and return counts whose signature says how many they are."""
    if not left_out:
        return counts
    if counts is None:
        which = f"{{the only document was|all {len(left_out)} documents were}} left out"
        raise InputError(f"{agree(which, len(left_out))}, the first for: {left_out[0].problem}")
    names = [each.name for each in left_out]
    warn("{n} {document|documents} cannot be counted and {was|were} left out: {names}", names)
    return replace(counts, settings={**counts.settings, _LEFT_OUT: str(len(left_out))})
