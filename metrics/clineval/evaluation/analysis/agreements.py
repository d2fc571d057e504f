"""The agreement of all annotators: of every two, of all together, and of people with a system."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from clineval.base.errors import InputError, called
from clineval.evaluation.analysis.agreement import Agreement, agree
from clineval.evaluation.analysis.agreement_tables import describe
from clineval.evaluation.analysis.ceiling import Ceiling, find_ceiling
from clineval.evaluation.analysis.scales import Scale
from clineval.evaluation.analysis.together import Together, compare_together
from clineval.results.tables import Sheet, as_html, as_text

if TYPE_CHECKING:
    from matplotlib.figure import Figure


@dataclass(frozen=True, eq=False)
class Agreements:
    """The agreement of annotators.

    Args:
        pairs: the agreement of every two annotators.
        together: the agreement of three or more annotators together in classes, codes of documents
            or fields of records; None for two annotators, and for other annotations.
        ceiling: the agreement of people next to that of a system; None without a system.

    Examples:
        >>> anna, ben = ["no", "no", "yes", "yes"], ["no", "no", "yes", "no"]
        >>> found = agreement("clinical_classes", {"anna": anna, "ben": ben})
        >>> len(found.pairs), found.together, found.ceiling
        (1, None, None)
    """

    pairs: tuple[Agreement, ...]
    together: Together | None = None
    ceiling: Ceiling | None = None

    def sheet(self) -> Sheet:
        """Return the agreement for the writers of tables."""
        return describe(self.pairs, self.together, self.ceiling)

    def plot(self) -> Figure:
        """Draw the agreement of every two annotators, with intervals.

        Raises:
            InputError: matplotlib is not installed.
        """
        from clineval.evaluation.plots import plot_agreement

        return plot_agreement(self.pairs)

    def __repr__(self) -> str:
        return as_text(self.sheet())

    def _repr_html_(self) -> str:
        return as_html(self.sheet())


def agreement(  # noqa: PLR0913 - as in clineval.score
    module: str,
    annotators: Mapping[str, object],
    *,
    system: Mapping[str, object] | None = None,
    scale: object = None,
    config: str = "default",
    protocol: str = "spec",
    confidence: float = 0.95,
    cluster: object = None,
    **options: object,
) -> Agreements:
    """Measure the agreement of people with each other, and of a system with people.

    Args:
        module: the metric.
        annotators: maps the names of two or more people to their annotations, each as in
            :func:`clineval.score`.
        system: maps the name of one system to its predictions. The result then has the human
            ceiling, which is the agreement of people, next to the agreement of the system.
        scale: the answers in their order, the lowest first, as a list or with commas between them.
            Questions whose answers are all on the scale also have weighted kappa, linear and
            quadratic, and ordinal alpha.
        config: as in :func:`clineval.score`.
        protocol: as in :func:`clineval.score`.
        confidence: the level of the intervals.
        cluster: the documents that belong together, as in :func:`clineval.score`.
        options: the challenge's own options.

    Returns:
        The agreement. ``pairs`` has the scores of every two annotators, and ``kappa``, ``ac1`` and
        ``alpha`` of their answers to each question; ``str()`` of it is a table.

    Raises:
        InputError: fewer than two annotators, more than one system, an invalid scale, or input that
            cannot be scored.

    Examples:
        >>> anna, ben = ["no", "no", "yes", "yes"], ["no", "no", "yes", "no"]
        >>> [pair] = agreement("clinical_classes", {"anna": anna, "ben": ben}).pairs
        >>> pair.slots["answer"].kappa, round(pair.slots["answer"].ac1, 4)
        (0.5, 0.5294)
    """
    judge = _check_system(system, annotators)
    pairs = agree(
        module,
        annotators,
        config=config,
        protocol=protocol,
        confidence=confidence,
        cluster=cluster,
        scale=scale,
        system=system,
        **options,
    )
    human = [pair for pair in pairs if not judge or pair.second != judge]
    together = compare_together(human, Scale.parse(scale))
    return Agreements(tuple(pairs), together, find_ceiling(pairs, judge) if judge else None)


def _check_system(system: Mapping[str, object] | None, annotators: Mapping[str, object]) -> str:
    """Return the name of the system, or an empty string without one."""
    if system is None:
        return ""
    if not isinstance(system, Mapping) or len(system) != 1:
        problem = "expected one system, as a dict from its name to its predictions"
        raise InputError(problem, where="system")
    [name] = system
    if name in annotators:
        problem = f"{called(name)} is also the name of an annotator"
        raise InputError(problem, where="system", remedy="Rename the system")
    return name
