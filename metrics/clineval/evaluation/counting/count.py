"""``clineval.count`` and ``clineval.score``: parts are counted, and put together."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from clineval.base.errors import InputError, shown
from clineval.base.files import Source
from clineval.base.progress import Advance, metered
from clineval.base.subjects import naming
from clineval.evaluation.counting.merging import merge, write_left_out
from clineval.evaluation.counting.parts import Counter, ListPart, Result
from clineval.evaluation.counting.sources import Parts, cut
from clineval.evaluation.evaluate import (
    evaluate_inputs,
    evaluate_systems,
    make_setup,
    read_gold,
)
from clineval.evaluation.expected import check_dataset
from clineval.evaluation.inputs import Inputs, Streams, open_inputs
from clineval.results.challenge import Challenge, Setup
from clineval.results.scores import Counts, Score
from clineval.stats.confidence import Confidence

_AT_ONCE = (
    "these documents can only be read at once. Give Parquet files, which clineval convert writes, "
    "or directories with a file of the same name for each document on both sides"
)


def score(  # noqa: PLR0913 - one function for all
    module: str | Challenge,
    predictions: object,
    references: object,
    *,
    config: str = "default",
    protocol: str = "spec",
    confidence: float | None = None,
    n_resamples: int = 1000,
    seed: int = 12345,
    interval: str = "auto",
    cluster: object = None,
    jobs: int | None = None,
    batch_size: int | None = None,
    keep_going: Source | None = None,
    dataset: str | None = None,
    **options: object,
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
            with this probability; None for none. See :mod:`clineval.stats.confidence`.
        n_resamples: how many corpora are drawn for it.
        seed: of the drawing.
        interval: ``auto``, or ``percentile``, ``bca`` or ``binomial`` for all scores alike.
        cluster: which documents belong together and are drawn together, such as the notes of a
            patient: a mapping or a function from their names to those of clusters, or the path of
            a file with two columns, document and cluster.
        jobs: as in :func:`count`.
        batch_size: as in :func:`count`.
        keep_going: as in :func:`count`.
        dataset: the name of the gold standard that the references must be, such as
            ``meddocan19/test``; ``clineval datasets`` lists those that are known.
        options: the challenge's own options; ``clineval score MODULE --help`` explains them.

    Returns:
        The scores; ``score["strict_f1"]``, ``score.as_dict()``, ``score.per_document``,
        ``score.intervals``; ``score.dataset``, the name of the gold standard if it is known.

    Raises:
        InputError: an unknown name, or input that cannot be scored.

    Examples:
        >>> gold = [[{"spans": [[4, 15], [31, 38]], "cui": "C0344720"}]]
        >>> found = [[{"spans": [[4, 15]], "cui": "C0344720"}]]
        >>> result = score("semeval15_task14", found, gold, config="task1")
        >>> result["strict_f1"], result["relaxed_f1"]
        (0.0, 1.0)
    """
    counts = count(
        module,
        predictions,
        references,
        config=config,
        protocol=protocol,
        jobs=jobs,
        batch_size=batch_size,
        keep_going=keep_going,
        dataset=dataset,
        **options,
    )
    if confidence is None:
        return Score(counts)
    return Score(counts, Confidence(confidence, n_resamples, seed, interval, cluster))


def count(  # noqa: PLR0913 - as score
    module: str | Challenge,
    predictions: object,
    references: object,
    *,
    config: str = "default",
    protocol: str = "spec",
    jobs: int | None = None,
    batch_size: int | None = None,
    keep_going: Source | None = None,
    **options: object,
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

    Returns:
        The counts, a row for each document.

    Raises:
        InputError: as :func:`score`; or all documents would be left out.

    Examples:
        >>> gold = ([{"spans": [[k, k + 4]], "cui": "C0020538"}] for k in range(5000))
        >>> found = ([{"spans": [[k, k + 4]], "cui": None}] for k in range(5000))
        >>> count("semeval15_task14", found, gold, config="task1").totals["strict_fp"]
        5000.0
    """
    check_number("jobs", jobs)
    check_number("batch_size", batch_size)
    setup = make_setup(module, config, protocol, **options)
    inputs = open_inputs(references, [predictions])
    return count_inputs(setup, inputs, jobs, batch_size, keep_going)


def count_inputs(
    setup: Setup,
    inputs: Inputs,
    jobs: int | None = None,
    batch_size: int | None = None,
    keep_going: Source | None = None,
) -> Counts:
    """Count one system, in parts if that can be; the arguments are those of :func:`count`."""
    lists = batch_size is not None or jobs is not None or keep_going is not None
    parts = cut(inputs, setup, batch_size, lists=lists)
    if parts is None and keep_going is not None:  # a few documents, which each can be left out
        parts = cut(inputs, setup, 1, lists=True)
    together = depends_on_all(setup)
    if keep_going is not None and (parts is None or together):
        raise InputError(together or _AT_ONCE, where="keep_going")
    counts = None
    if parts is not None and not together:
        of_any = replace(setup, dataset="")  # no part is the whole that is asked for
        counts = _count_parts(Counter(of_any, keep_going is not None), parts, jobs, keep_going)
    if counts is None:
        return evaluate_inputs(setup, inputs)[0].counts
    once = isinstance(inputs, Streams)  # nobody can read these again
    check_dataset(setup, counts.digests, None if once else lambda: read_gold(setup, inputs))
    return counts


def why_at_once(setup: Setup, inputs: Inputs) -> str:
    """Say why a corpus is not counted in parts, and what to do, in a sentence; empty if it is."""
    together = depends_on_all(setup)
    return together or ("" if cut(inputs, setup, 1, lists=True) else _AT_ONCE)


def count_systems(
    setup: Setup,
    systems: Mapping[str, object],
    references: object,
    jobs: int | None = None,
    names: Sequence[str] | None = None,
) -> dict[str, Counts]:
    """Count several systems, which warnings name as :func:`evaluate_systems` does.

    With several processes each system is counted by itself, in parts; otherwise, and where the
    corpus cannot be cut, all of them at once, so that the references are read once.
    """
    alone = {name: open_inputs(references, [system]) for name, system in systems.items()}
    if any(isinstance(each, Streams) for each in alone.values()) or not all(
        _takes_processes(setup, each, jobs) for each in alone.values()
    ):
        found = evaluate_systems(setup, systems, references, names)
        return {name: evaluation.counts for name, evaluation in found.items()}
    counted = {}
    for name, (key, each) in zip(names or [*systems], alone.items(), strict=True):
        with naming("references", name):
            counted[key] = count_inputs(setup, each, jobs)
    return counted


def _takes_processes(setup: Setup, inputs: Inputs, jobs: int | None) -> bool:
    """Tell whether a corpus would be counted in several processes."""
    if jobs == 1 or depends_on_all(setup):
        return False
    parts = cut(inputs, setup, None, lists=jobs is not None)
    return parts is not None and _choose_jobs(parts, jobs) > 1


def depends_on_all(setup: Setup) -> str:
    """Say why documents cannot be counted independently, in a sentence; empty if they can."""
    for option in setup.challenge.options:
        if option.kind == "column" and setup[option.name] is not None:
            return f"{option.name} has a value for each item. Count all items at once"
    return str(setup.steps.whole(setup))


def make_part_counter(setup: Setup, source: str, *, keep_going: bool = False) -> Counter:
    """Make the counter of parts of something that nobody has as a whole.

    Raises:
        InputError: what is asked depends on all documents; ``source`` says of what they are.
    """
    together = depends_on_all(setup)
    if setup.dataset:
        together = "dataset is all of them. The scores of the sum say which one it is"
    if together:
        raise InputError(f"counts of {source} are taken in parts, but {together}")
    return Counter(setup, keep_going)


def check_number(name: str, value: object) -> None:
    """Refuse what is neither a positive integer nor None."""
    if value is not None and (isinstance(value, bool) or not isinstance(value, int) or value < 1):
        raise InputError(f"expected a positive integer, got {shown(value)}", where=name)


def _choose_jobs(parts: Parts, jobs: int | None) -> int:
    from clineval.evaluation.counting.workers import usual_jobs  # slow, and not for one process

    number = jobs or parts.jobs or usual_jobs()
    return number if parts.documents is None else min(number, -(-parts.documents // parts.size))


def _count_parts(
    counter: Counter, parts: Parts, jobs: int | None, keep_going: Source | None
) -> Counts | None:
    """Count all parts; None if two have the same document, so that they belong together."""
    from clineval.evaluation.counting.workers import map_in_order

    results = map_in_order(counter, parts.parts, _choose_jobs(parts, jobs))
    with metered(parts.documents, "counting documents") as advance:
        merged = merge(_advancing(results, advance), again=parts.again)
    if merged.repeated:
        return None
    if keep_going is not None:
        write_left_out(merged.left_out, keep_going)
    counts = merged.finish()
    if counts is None:  # there were no parts
        counts = counter(ListPart([], [], 0)).counts
    if counts is None:
        raise InputError("expected at least one document")
    return counts


def _advancing(results: Iterable[Result], advance: Advance) -> Iterator[Result]:
    for result in results:
        yield result
        advance(result.size)
