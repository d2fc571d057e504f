"""Evaluations: a corpus read once and paired once; all that is ever asked follows from it.

evaluation = evaluate("semeval15_task14", predictions, references, config="task2b")
evaluation.counts            what is added up, stored, sent
evaluation.score()           what is divided
evaluation.outcomes          what became of every mention: groups, errors, agreement, reports
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import combinations
from typing import Any
from warnings import catch_warnings, simplefilter

import numpy as np

from clineval.base.arrays import FloatArray, IntArray
from clineval.base.errors import InputError
from clineval.base.ratios import Columns
from clineval.base.subjects import about, naming, naming_several, system_name
from clineval.evaluation.expected import check_dataset, expect_dataset
from clineval.evaluation.inputs import Inputs, open_inputs, read_inputs
from clineval.kinds.mentions.columns import Intake
from clineval.kinds.mentions.languages import name_languages
from clineval.kinds.mentions.outcomes import Outcomes, list_outcomes
from clineval.results.challenge import Challenge, Setup
from clineval.results.protocol import Corpus
from clineval.results.registry import find_challenge
from clineval.results.scores import Counts, Score


@dataclass(frozen=True, eq=False)
class Evaluation:
    """One system against the gold standard.

    Args:
        challenge: whose rules count.
        setup: configuration, protocol, and the options as they were resolved for the corpus.
        corpus: both sides.
        pairings: the index pairs of each block of the corpus.
        counts: what was counted of them.
        languages: name of a document to its language, where the files say it.

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
        """What became of every annotation; refused where a challenge cannot list them."""
        steps = self.setup.steps
        if not steps.listed:
            raise InputError(f"{self.challenge.name} has no mentions to list")
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
    """Judge what is asked for, once; the arguments are those of :func:`clineval.score`."""
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
    """Read both sides, pair them, count; stop before the division.

    Args:
        module: as in :func:`clineval.score`.
        predictions: as in :func:`clineval.score`.
        references: as in :func:`clineval.score`.
        config: as in :func:`clineval.score`.
        protocol: as in :func:`clineval.score`.
        options: the challenge's own options, and ``dataset``.

    Returns:
        The evaluation: its counts, its scores, and what became of every mention.

    Raises:
        InputError: as :func:`clineval.score`.

    Examples:
        >>> gold = [[{"spans": [[4, 15], [31, 38]], "cui": "C0344720"}]]
        >>> found = [[{"spans": [[4, 15]], "cui": "C0344720"}]]
        >>> outcomes = evaluate("semeval15_task14", found, gold).outcomes
        >>> {name: [match.verdicts[v] for v in match.verdict]
        ...  for name, match in outcomes.matches.items() if match.columns}
        {'strict': ['fp', 'fn'], 'relaxed': ['tp'], 'span': ['tp']}
    """
    setup = make_setup(module, config, protocol, **options)
    return evaluate_inputs(setup, open_inputs(references, [predictions]))[0]


def evaluate_systems(
    setup: Setup,
    systems: Mapping[str, object],
    references: object,
    names: Sequence[str] | None = None,
) -> dict[str, Evaluation]:
    """Evaluate several systems; the references are read once.

    Warnings name the system that they are about, if there are several, by its key or as ``names``
    have it.
    """
    inputs = open_inputs(references, list(systems.values()))
    with naming_several([*systems] if names is None else names):
        found = evaluate_inputs(setup, inputs)
    return dict(zip(systems, found, strict=True))


def evaluate_inputs(setup: Setup, inputs: Inputs) -> list[Evaluation]:
    """Evaluate every system of a corpus."""
    gold, systems = _read(setup, inputs)
    found = []
    for number, system in enumerate(systems):
        with about(system_name(number)):
            found.append(_evaluate(setup, gold, system))
    for evaluation in found[:1]:
        check_dataset(setup, evaluation.counts.digests, lambda: setup.steps.join(gold, gold, setup))
    return found


def evaluate_pairs(
    setup: Setup, annotators: Mapping[str, object]
) -> Iterator[tuple[str, str, Evaluation]]:
    """Evaluate every annotator against each before; the annotations of each are read once.

    Yields:
        The name of the annotator who stands as the gold standard, that of the other, and the
        evaluation of the other.
    """
    if setup.dataset:
        raise InputError("annotators are each other's gold standard", where="dataset")
    first, *others = annotators
    inputs = open_inputs(annotators[first], [annotators[name] for name in others])
    with naming(*annotators):
        read, sides = _read(setup, inputs)
    systems = dict(zip(others, sides, strict=True))
    for one, other in combinations(annotators, 2):
        gold = read if one == first else setup.steps.as_gold(read, systems[one], setup)
        with about(f"{other} against {one}"):
            found = _evaluate(setup, gold, systems[other])
        yield one, other, found


def evaluate_gold(setup: Setup, references: object) -> Evaluation:
    """Evaluate a gold standard of mentions, whose two sides are alike, against itself.

    It is read once, for what its outcomes tell of it.
    """
    gold, _ = _read(setup, open_inputs(references, []))
    return _evaluate(setup, gold, gold)


def read_gold(setup: Setup, inputs: Inputs) -> Corpus:
    """Read a gold standard alone, as both sides of a corpus."""
    references, _ = read_inputs(inputs, setup.challenge)
    gold, _ = setup.steps.read(references, [], setup)
    return _join_alone(setup, gold)


def _join_alone(setup: Setup, gold: object) -> Corpus:
    """Join a gold standard with itself; what is said of the other side then is of none."""
    with catch_warnings():
        simplefilter("ignore")
        corpus: Corpus = setup.steps.join(gold, gold, setup)
    return corpus


def _read(setup: Setup, inputs: Inputs) -> tuple[object, list[object]]:
    references, predictions = read_inputs(inputs, setup.challenge)
    return setup.steps.read(references, predictions, setup)


def _evaluate(setup: Setup, gold: object, prediction: object) -> Evaluation:
    found = _pair(setup.steps.join(gold, prediction, setup), setup)
    return replace(found, languages=name_languages(gold, prediction))


def _pair(corpus: Corpus, setup: Setup) -> Evaluation:
    """Pair and count block by block: a block's columns fit into the processor's cache."""
    setup = setup.steps.resolve(corpus, setup)
    pairings, tables = [], []
    for block in corpus.blocks():
        pairing = setup.steps.pair(block, setup)
        columns = count_block(block, pairing, setup)
        pairings.append(pairing)
        tables.append(np.column_stack([*columns.values()]))
    intake: Intake = getattr(corpus, "intake", None) or Intake({}, {})  # mentions can have one
    table = np.concatenate(tables, dtype=np.float64)
    counts = Counts(
        setup.challenge,
        setup.config,
        {"protocol": setup.protocol, **setup.steps.settings(setup), **intake.settings},
        (*columns, *intake.counts),
        corpus.documents,
        np.column_stack([table, *intake.counts.values()]),
        corpus.digests,
        setup.steps.detail(corpus, pairings, setup),
    )
    return Evaluation(setup.challenge, setup, corpus, pairings, counts)


def count_block(block: Corpus, pairing: object, setup: Setup) -> Columns:
    """Count a paired block, ``[documents]`` each: its rows, and what is none."""
    steps = setup.steps
    counted: dict[str, IntArray | FloatArray] = {}
    for rows in steps.list_matches(block, pairing, setup).values():
        counted |= rows.count(len(block.documents))
    columns = steps.complete(block, pairing, counted, setup)
    return setup.challenge.measures.complete(columns, setup.config)
