"""``clineval.count`` and ``clineval.score``: count parts and merge the counts."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from clineval.base.errors import InputError, shown
from clineval.base.files import Source
from clineval.base.progress import Advance, metered, metered_by
from clineval.base.subjects import naming
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
from clineval.results.scorable import Counts
from clineval.results.scores import Score

if TYPE_CHECKING:  # a few documents are not counted in parts, and scores may have no intervals
    from clineval.evaluation.counting.parts import Counter, Result

_AT_ONCE = (
    "these documents can only be read all at once. Pass Parquet files or JSON Lines, which "
    "clineval convert writes, or directories with files of the same names on both sides"
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
        predictions: the predictions of a system, as one of:

            - a list or an iterator with one item for each document: a list of mentions as dicts,
              a :class:`~clineval.Document`, or a string in the challenge's file format;
            - the path of files in the challenge's format, or of a Parquet file;
            - a :class:`~clineval.Column` of a table.
        references: the gold standard, in any of these forms.
        config: the configuration of the challenge; ``default`` scores all of it.
        protocol: ``spec`` for the definition in the challenge's document, ``official`` for
            the numbers that the released script prints.
        confidence: the level of confidence intervals, between 0 and 1, such as 0.95; None for no
            intervals. See :mod:`clineval.stats.confidence`.
        n_resamples: the number of bootstrap resamples for intervals, at least 1.
        seed: the seed of resampling, 0 or more.
        interval: ``auto``, or ``percentile``, ``bca`` or ``binomial`` for all scores.
        cluster: the documents that belong together and are resampled together, such as the
            documents of a patient: a mapping or a function from their names to names of clusters,
            or the path of a file with two columns, document and cluster.
        jobs: as in :func:`count`.
        batch_size: as in :func:`count`.
        keep_going: as in :func:`count`.
        dataset: the name that the gold standard must have, such as ``meddocan19/test``;
            ``clineval datasets`` lists the known names.
        options: the challenge's own options; ``clineval score MODULE --help`` explains them.

    Returns:
        The scores: use ``score["strict_f1"]``, ``score.as_dict()``, ``score.per_document`` or
        ``score.intervals``. ``score.dataset`` is the name of the gold standard if it is known.

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
    from clineval.stats.confidence import Confidence

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
    """Count as :func:`score` does, without computing scores.

    Counts of parts of a corpus add up: ``(count(...) + count(...)).score()``.

    Tables, iterators, JSON Lines, and directories with a file for each document are read in parts.
    Memory then holds a part, and a row of counts for each document. Directories are read at once if
    the files of the two sides have different names. Other single files are always read at once. So
    is any input if an option depends on all documents. ``jobs`` and ``batch_size`` do not change
    the counts.

    Args:
        module: as in :func:`score`.
        predictions: as in :func:`score`.
        references: as in :func:`score`.
        config: as in :func:`score`.
        protocol: as in :func:`score`.
        jobs: the number of processes. None chooses one for each core on Linux, and a single one
            for small corpora, lists, iterators, and programs with threads.
        batch_size: the number of documents in a part; None chooses it for the input.
        keep_going: a file. Documents that cannot be counted are left out, and their names and
            problems are written to this file as JSON Lines. The signature states their number.
        options: as in :func:`score`.

    Returns:
        The counts, a row for each document.

    Raises:
        InputError: as in :func:`score`, or all documents would be left out.

    Examples:
        >>> gold = ([{"spans": [[k, k + 4]], "cui": "C0020538"}] for k in range(5000))
        >>> found = ([{"spans": [[k, k + 4]], "cui": None}] for k in range(5000))
        >>> count("semeval15_task14", found, gold, config="task1").totals["strict_fp"]
        5000.0
    """
    check_number("jobs", jobs)
    check_number("batch_size", batch_size)
    setup = make_setup(module, config, protocol, **options)
    inputs = open_inputs(references, [predictions], setup)
    return count_inputs(setup, inputs, jobs, batch_size, keep_going)


def count_inputs(  # noqa: PLR0913 - as count
    setup: Setup,
    inputs: Inputs,
    jobs: int | None = None,
    batch_size: int | None = None,
    keep_going: Source | None = None,
    *,
    tell: Callable[[str], None] | None = None,
) -> Counts:
    """Count one system, in parts if possible; the arguments are those of :func:`count`.

    ``tell`` receives the reason if several processes are asked for and have no effect.
    """
    lists = batch_size is not None or jobs is not None or keep_going is not None
    parts = cut(inputs, setup, batch_size, lists=lists, jobs=jobs)
    if parts is None and keep_going is not None:  # a few documents; each can be left out
        parts = cut(inputs, setup, 1, lists=True)
    together = _depends_on_all(setup, parts)
    if tell and (parts is None or together) and (reason := why_at_once(setup, inputs)):
        tell(reason)
    if keep_going is not None and (parts is None or together):
        raise InputError(together or _AT_ONCE, where="keep_going")
    counts = None
    if parts is not None and not together:
        counts = _count_parts(setup, parts, jobs, keep_going)
    if counts is None:
        return evaluate_inputs(setup, inputs)[0].counts
    once = isinstance(inputs, Streams)  # these cannot be read again
    check_dataset(setup, counts.digests, None if once else lambda: read_gold(setup, inputs))
    return counts


def _depends_on_all(setup: Setup, parts: Parts | None) -> str:
    """Return why documents cannot be counted independently, after names are united if possible."""
    if parts is None or not parts.unites:
        return depends_on_all(setup)
    from clineval.evaluation.counting.found_names import assume_names

    return depends_on_all(assume_names(setup))


def why_at_once(setup: Setup, inputs: Inputs, *, several: bool = False) -> str:
    """Return why a corpus is not counted in parts, and what to do; empty if it is.

    The systems of a comparison (``several``) share the names that are found in their data.
    """
    parts = cut(inputs, setup, 1, lists=True)
    together = depends_on_all(setup) if several else _depends_on_all(setup, parts)
    return together or ("" if parts else _AT_ONCE)


def count_systems(
    setup: Setup,
    systems: Mapping[str, object],
    references: object,
    jobs: int | None = None,
    names: Sequence[str] | None = None,
) -> dict[str, Counts]:
    """Count several systems; warnings name them as in :func:`evaluate_systems`.

    With several processes each system is counted separately, in parts. Otherwise, and if the
    corpus cannot be cut, all systems are counted together, so that the references are read once.
    """
    alone = {name: open_inputs(references, [system], setup) for name, system in systems.items()}
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
    """Return whether a corpus would be counted in several processes."""
    if jobs == 1 or depends_on_all(setup):
        return False
    parts = cut(inputs, setup, None, lists=jobs is not None)
    return parts is not None and _choose_jobs(parts, jobs) > 1


def depends_on_all(setup: Setup) -> str:
    """Return why documents cannot be counted independently; empty if they can."""
    for option in setup.challenge.options:
        if option.kind == "column" and setup[option.name] is not None:
            return f"{option.name} has a value for each item. Count all items at once"
    return str(setup.steps.whole(setup))


def make_part_counter(setup: Setup, source: str, *, keep_going: bool = False) -> Counter:
    """Make a counter for parts of a corpus that no process has as a whole.

    Args:
        setup: the setup.
        source: the kind of input, for the error message.
        keep_going: whether to leave out documents that cannot be counted.

    Raises:
        InputError: the setup depends on all documents.
    """
    together = depends_on_all(setup)
    if setup.dataset:
        together = (
            "dataset needs all documents. Leave it out: the signature names the gold standard"
        )
    if together:
        raise InputError(f"{source} are counted in parts, but {together}")
    from clineval.evaluation.counting.parts import Counter

    return Counter(setup, keep_going)


def check_number(name: str, value: object) -> None:
    """Reject a value that is neither a positive integer nor None."""
    if value is not None and (isinstance(value, bool) or not isinstance(value, int) or value < 1):
        raise InputError(f"expected a positive integer, got {shown(value)}", where=name)


def _choose_jobs(parts: Parts, jobs: int | None) -> int:
    from clineval.evaluation.counting.workers import usual_jobs  # slow; one process can skip it

    number = jobs or parts.jobs or usual_jobs()
    return number if parts.documents is None else min(number, -(-parts.documents // parts.size))


def _count_parts(
    setup: Setup, parts: Parts, jobs: int | None, keep_going: Source | None
) -> Counts | None:
    """Count all parts; None if the corpus must be counted at once, see :func:`.merging.merge`."""
    from clineval.evaluation.counting.merging import merge, write_left_out
    from clineval.evaluation.counting.parts import Counter, ListPart
    from clineval.evaluation.counting.workers import map_in_order

    # no part is the requested gold standard
    counter = Counter(replace(setup, dataset=""), keep_going is not None)
    results = map_in_order(counter, parts.parts, _choose_jobs(parts, jobs))
    # parts are shown by one bar, and have no bars of their own
    with metered(parts.documents, "counting documents") as advance, metered_by(None):
        uniting = counter.setup if parts.unites else None
        merged = merge(
            _advancing(results, advance), again=parts.again, alone=parts.alone, setup=uniting
        )
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
