"""Build the Workbench's page from files."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any, cast

from clineval.base.errors import InputError, hear_warnings
from clineval.evaluation.compare import compare_counts
from clineval.evaluation.comparison import Comparison
from clineval.evaluation.evaluate import evaluate_systems, make_setup
from clineval.results.registry import find_challenge
from clineval.results.scorable import Counts
from clineval.results.scores import Score
from clineval.results.views import ListView, MentionView
from clineval.stats.confidence import Confidence
from clineval.workbench.buckets import read_extras
from clineval.workbench.code_names import read_names
from clineval.workbench.items import show_items
from clineval.workbench.mentions import show_mentions
from clineval.workbench.page import Subject, Workbench

_LEVEL = 0.95
_FEWEST = 2
_TRIALS = 10_000


@dataclass(frozen=True, slots=True)
class Showing:
    """The ways in which a page can show its subject."""

    subject: Subject

    def mentions(self, view: MentionView, /) -> Workbench:
        """Show mentions in their notes."""
        return show_mentions(self.subject, view)

    def items(self, view: ListView, /) -> Workbench:
        """Show lists of items."""
        return show_items(self.subject, view)


def build_workbench(  # noqa: PLR0913 - as in clineval.score
    module: str,
    references: object,
    systems: Mapping[str, object],
    *,
    config: str = "default",
    protocol: str = "spec",
    notes: object = None,
    with_text: bool = True,
    train: object = None,
    sections: str | Path | None = None,
    names: Mapping[str, str] | str | Path | None = None,
    printed: Sequence[str] = (),
    cluster: object = None,
    **options: Any,
) -> Workbench:
    """Score systems, and gather everything that a page shows.

    Args:
        module: the metric.
        references: the gold standard, as in :func:`clineval.score`.
        systems: maps systems to their predictions; others are compared with the first.
        config: as in :func:`clineval.score`.
        protocol: as in :func:`clineval.score`.
        notes: the texts, as a directory, a mapping or a list, for challenges whose files do not
            contain them.
        with_text: False for a page without any text of a note.
        train: the gold standard of the training corpus, for groups of seen and unseen codes.
        sections: the sections of the notes, a JSON Lines file, for groups of sections.
        names: names of codes, as a mapping or a file.
        printed: names of documents that are printed with the page; if empty, the open document.
        cluster: the documents that are resampled together for intervals, as in
            :func:`clineval.score`.
        options: the challenge's own options.

    Raises:
        InputError: an unknown metric, no system, or input that cannot be scored.

    Examples:
        >>> gold = [[{"spans": [[3, 7]], "cui": "C0015230"}]]
        >>> bench = build_workbench("semeval15_task14", gold, {"A": [[]]}, notes=["No rash."])
        >>> bench.to_html()[:15]
        '<!doctype html>'
    """
    challenge = find_challenge(module)  # its error suggests names
    view = challenge.faces.page_of(config)
    if view is None:
        raise InputError(f"{module} declares no view, which a page needs")
    if not systems:
        raise InputError("expected at least one system, got none")
    asked = {"config": config, "protocol": protocol, **options}
    with hear_warnings() as heard:
        setup = make_setup(module, **asked)
        evaluations = evaluate_systems(setup, systems, references)
        scores = {name: evaluation.score() for name, evaluation in evaluations.items()}
        found = list(evaluations.values())
        extras = read_extras(found[0], train, sections, asked)
        subject = Subject(setup, found, scores, notes, with_text, extras, read_names(names))
        shown = view.show(Showing(subject))
        of_scores = len(heard)
        counts = {name: of.counts for name, of in evaluations.items()}
        described, estimated = _estimate(counts, cluster)
        # without systems that have too few documents for intervals
        enough = {
            n: of for n, of in estimated.items() if len(of.counts) >= _FEWEST and of.intervals
        }
    return replace(
        shown,
        comparison=described,
        estimated=enough,
        printed=_find_printed(printed, cast("Sequence[str]", shown.tables["documents"])),
        warnings=heard,
        of_scores=of_scores,
    )


def _find_printed(names: Sequence[str], documents: Sequence[str]) -> list[str]:
    """Return the documents with these names, which may lack ``.txt``."""
    known = {name.removesuffix(".txt"): name for name in documents} | {n: n for n in documents}
    if unknown := [name for name in names if name not in known]:
        raise InputError(
            f"no document to print is named {unknown[0]}",
            remedy="Pass names of documents as in the page's list of reports",
        )
    return [known[name] for name in names]


def _estimate(
    counts: Mapping[str, Counts], cluster: object
) -> tuple[dict[str, object] | None, Mapping[str, Score]]:
    """Compare several systems with the first one, and compute the intervals of their scores."""
    if len(counts) == 1:
        how = Confidence(_LEVEL, cluster=cluster)
        return None, {name: Score(of, how) for name, of in counts.items()}
    compared = compare_counts(counts, trials=_TRIALS, confidence=_LEVEL, cluster=cluster)
    return _describe(compared), compared.scores


def _describe(compared: Comparison) -> dict[str, object]:
    """Return the differences for the page."""
    every = [found for of in compared.differences.values() for found in of.values()]
    return {
        "test": f"approximate randomization, {_TRIALS:,} trials",
        "exact": all(difference.exact for difference in every),
        "differences": {
            name: {key: asdict(difference) for key, difference in of.items()}
            for name, of in compared.differences.items()
        },
    }
