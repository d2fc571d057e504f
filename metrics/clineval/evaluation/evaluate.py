"""Evaluations: read and pair a corpus once, and compute everything else from the pairs.

evaluation = evaluate("semeval15_task14", predictions, references, config="task2b")
evaluation.counts            counts, which can be added, stored, sent
evaluation.score()           scores, computed from the counts
evaluation.outcomes          the outcome of every mention: groups, errors, agreement, reports
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import combinations
from typing import TYPE_CHECKING, Any
from warnings import catch_warnings, simplefilter

import numpy as np

from clineval.base.arrays import FloatArray, IntArray
from clineval.base.errors import InputError
from clineval.base.files import reading_once
from clineval.base.progress import metered
from clineval.base.ratios import Columns
from clineval.base.subjects import about, naming, naming_several, system_name
from clineval.evaluation.expected import check_dataset, expect_dataset
from clineval.evaluation.inputs import Inputs, Stored, open_inputs, read_inputs
from clineval.formats.stored import find_records
from clineval.kinds.documents import check_shared
from clineval.kinds.mentions.columns import Intake
from clineval.kinds.mentions.languages import name_languages
from clineval.results.challenge import Challenge, Setup
from clineval.results.protocol import Corpus
from clineval.results.registry import find_challenge
from clineval.results.scorable import Counts
from clineval.results.scores import Score

if TYPE_CHECKING:  # scores need counts only
    from clineval.kinds.mentions.outcomes import Outcomes


@dataclass(frozen=True, eq=False)
class Evaluation:
    """The evaluation of one system against the gold standard.

    Args:
        challenge: the challenge whose rules apply.
        setup: the configuration, the protocol, and the options as resolved for the corpus.
        corpus: both sides.
        pairings: the index pairs of each block of the corpus.
        counts: the counts of these pairs.
        languages: maps names of documents to their languages, if the files state them.

    Examples:
        >>> gold = [[{"spans": [[0, 5]], "cui": "C0015967"}]]
        >>> evaluation = evaluate("semeval15_task14", [[]], gold)
        >>> evaluation.counts.totals["strict_fn"], evaluation.score()["strict_recall"]
        (1.0, 0.0)
    """

    challenge: Challenge
    setup: Setup
    corpus: Corpus
    pairings: Sequence[object]
    counts: Counts
    languages: Mapping[str, str] = field(default_factory=dict)

    @cached_property
    def outcomes(self) -> Outcomes:
        """The outcome of every annotation; an InputError if the challenge cannot list them."""
        steps = self.setup.steps
        if not steps.listed:
            raise InputError(f"{self.challenge.name} does not list mentions")
        from clineval.kinds.mentions.outcomes import list_outcomes

        found = list_outcomes(self.corpus, self.pairings, self.setup)
        return replace(found, languages=self.languages)

    def score(self, **confidence: Any) -> Score:
        """Compute the scores.

        Args:
            confidence: the arguments of :meth:`Counts.score`.
        """
        return self.counts.score(**confidence)


def make_setup(
    module: str | Challenge, config: str = "default", protocol: str = "spec", **options: object
) -> Setup:
    """Validate the arguments of :func:`clineval.score` once, and return the setup."""
    dataset = options.pop("dataset", None)
    setup = find_challenge(module).setup(config, protocol, options)
    return setup if dataset is None else expect_dataset(setup, dataset)


def evaluate(
    module: str | Challenge,
    predictions: object,
    references: object,
    *,
    config: str = "default",
    protocol: str = "spec",
    **options: object,
) -> Evaluation:
    """Read both sides, pair them and count, without computing scores.

    Args:
        module: as in :func:`clineval.score`.
        predictions: as in :func:`clineval.score`.
        references: as in :func:`clineval.score`.
        config: as in :func:`clineval.score`.
        protocol: as in :func:`clineval.score`.
        options: the challenge's own options, and ``dataset``.

    Returns:
        The evaluation: its counts, its scores, and the outcome of every mention.

    Raises:
        InputError: as in :func:`clineval.score`.

    Examples:
        >>> gold = [[{"spans": [[4, 15], [31, 38]], "cui": "C0344720"}]]
        >>> found = [[{"spans": [[4, 15]], "cui": "C0344720"}]]
        >>> outcomes = evaluate("semeval15_task14", found, gold).outcomes
        >>> {name: [match.verdicts[v] for v in match.verdict]
        ...  for name, match in outcomes.matches.items() if match.columns}
        {'strict': ['fp', 'fn'], 'relaxed': ['tp'], 'span': ['tp']}
    """
    setup = make_setup(module, config, protocol, **options)
    return evaluate_inputs(setup, open_inputs(references, [predictions], setup))[0]


def evaluate_systems(
    setup: Setup,
    systems: Mapping[str, object],
    references: object,
    names: Sequence[str] | None = None,
) -> dict[str, Evaluation]:
    """Evaluate several systems; the references are read once.

    If there are several systems, warnings name the system by its key, or as in ``names``.
    """
    inputs = open_inputs(references, list(systems.values()), setup)
    with naming_several([*systems] if names is None else names):
        found = evaluate_inputs(setup, inputs)
    return dict(zip(systems, found, strict=True))


def evaluate_inputs(setup: Setup, inputs: Inputs) -> list[Evaluation]:
    """Evaluate every system of a corpus."""
    if isinstance(inputs, Stored):
        rows = range(len(inputs.references))
        setup = setup.with_options(**find_records(inputs.references, rows, setup))
    gold, systems = _read(setup, inputs)
    found = []
    for number, system in enumerate(systems):
        with about(system_name(number)):
            found.append(_evaluate(setup, gold, system))
    for evaluation in found[:1]:
        check_dataset(setup, evaluation.counts.digests, lambda: setup.steps.join(gold, gold, setup))
    return found


def evaluate_pairs(
    setup: Setup, annotators: Mapping[str, object], system: Mapping[str, object] | None = None
) -> Iterator[tuple[str, str, Evaluation]]:
    """Evaluate every annotator against each earlier one.

    A system, with its name, is evaluated against every annotator.

    Yields:
        The name of the annotator who serves as the gold standard, the name of the other
        annotator, and the evaluation of the other.
    """
    if setup.dataset:
        raise InputError(
            "the annotators are compared with each other and not with a gold standard",
            where="dataset",
        )
    everybody = {**annotators, **(system or {})}
    first, *others = everybody
    inputs = open_inputs(everybody[first], [everybody[name] for name in others], setup)
    references, predictions = read_inputs(inputs, setup.challenge)
    people = [references, *predictions][: len(annotators)]
    with reading_once():
        setup = setup.steps.unite_annotators(people, setup)
        with naming(*everybody):
            read, sides = setup.steps.read(references, predictions, setup)
    systems = dict(zip(others, sides, strict=True))
    for one, other in combinations(everybody, 2):
        gold = read if one == first else setup.steps.as_gold(read, systems[one], setup)
        check_shared(gold, systems[other], one, other)
        with about(f"{other} against {one}"):
            found = _evaluate(setup, gold, systems[other])
        yield one, other, found


def evaluate_gold(setup: Setup, references: object) -> Evaluation:
    """Evaluate a gold standard of mentions against itself, to get its outcomes.

    Both sides must have the same form. The gold standard is read once.
    """
    gold, _ = _read(setup, open_inputs(references, [], setup))
    return _evaluate(setup, gold, gold)


def read_gold(setup: Setup, inputs: Inputs) -> Corpus:
    """Read a gold standard alone, as both sides of a corpus."""
    references, _ = read_inputs(inputs, setup.challenge)
    gold, _ = setup.steps.read(references, [], setup)
    return _join_alone(setup, gold)


def _join_alone(setup: Setup, gold: object) -> Corpus:
    """Join a gold standard with itself, and ignore warnings about the other side."""
    with catch_warnings():
        simplefilter("ignore")
        corpus: Corpus = setup.steps.join(gold, gold, setup)
    return corpus


def _read(setup: Setup, inputs: Inputs) -> tuple[object, list[object]]:
    references, predictions = read_inputs(inputs, setup.challenge)
    return setup.steps.read(references, predictions, setup)


def _evaluate(setup: Setup, gold: object, prediction: object) -> Evaluation:
    with metered(None, "joining the sides"):
        corpus: Corpus = setup.steps.join(gold, prediction, setup)
    return _pair(corpus, setup, name_languages(gold, prediction))


def _pair(corpus: Corpus, setup: Setup, languages: Mapping[str, str]) -> Evaluation:
    """Pair and count block by block. The columns of a block fit into the processor's cache."""
    setup = setup.steps.resolve(corpus, setup)
    pairings, tables = [], []
    with metered(len(corpus.documents), "counting documents") as advance:
        for block in corpus.blocks():
            pairing = setup.steps.pair(block, setup)
            columns = count_block(block, pairing, setup)
            pairings.append(pairing)
            tables.append(np.array([*columns.values()]).T)
            advance(len(block.documents))
    intake: Intake = getattr(corpus, "intake", None) or Intake({}, {})  # mentions can have one
    table = np.ascontiguousarray(np.concatenate(tables, dtype=np.float64))
    counts = Counts(
        setup.challenge,
        setup.config,
        {"protocol": setup.protocol, **setup.steps.settings(setup), **intake.settings},
        (*columns, *intake.counts),
        corpus.documents,
        np.column_stack([table, *intake.counts.values()]) if intake.counts else table,
        corpus.digests,
        setup.steps.detail(corpus, pairings, setup),
        setup.steps.list_labels(corpus, setup),
    )
    return Evaluation(setup.challenge, setup, corpus, pairings, counts, languages)


def count_block(block: Corpus, pairing: object, setup: Setup) -> Columns:
    """Count a paired block, ``[documents]`` each: its rows, and counts that are not rows."""
    steps = setup.steps
    counted: dict[str, IntArray | FloatArray] = {}
    for rows in steps.list_matches(block, pairing, setup).values():
        counted |= rows.count(len(block.documents))
    columns = steps.complete(block, pairing, counted, setup)
    return setup.measures.complete(columns, setup.config)
