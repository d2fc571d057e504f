"""Inspect: a scorer for answers with quotes, and the metric that adds up its counts.

The metadata of a sample contain the note as ``note`` and the gold mentions as ``gold``:

    Task(dataset=[Sample(id="n1", input=prompt, metadata={"note": ..., "gold": [...]})],
         solver=generate(), scorer=quoted_mentions("semeval15_task14"))

The value of a score is its counts, so epochs are pooled: Inspect averages values over epochs, and
ratios of averages equal ratios of sums. Set ``score_on_error=True``. A failed sample is then scored
as an empty answer, so its gold mentions are missed. Otherwise Inspect leaves the sample out, and
recall is too high.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

import numpy as np
from inspect_ai.scorer import Metric, SampleScore, Score, Scorer, Target, Value, metric, scorer
from inspect_ai.solver import TaskState

from clineval.answers import Alignment
from clineval.harness.samples import SampleScoring, tell
from clineval.results.registry import find_challenge
from clineval.results.scorable import Counts


@metric  # type: ignore[untyped-decorator]
def corpus_scores(module: str, keys: Sequence[str] = ()) -> Metric:
    """Score all samples together; the counts of each sample are a row.

    Without keys, return the main scores and the counts of the answers.
    """
    find_challenge(module)

    def compute(scores: list[SampleScore]) -> Value:
        return dict(tell(map(_counts_of, scores), keys))

    return compute


def _counts_of(sample: SampleScore) -> Counts:
    """Return the counts of a sample from its value, which is the mean over its epochs."""
    stored = Counts.from_json((sample.score.metadata or {})["counts"])
    value: Mapping[str, float] = sample.score.value
    return replace(stored, cells=np.array([[float(value[name]) for name in stored.columns]]))


def quoted_mentions(
    module: str,
    *,
    keys: Sequence[str] = (),
    config: str = "default",
    protocol: str = "spec",
    alignment: Alignment | None = None,
    **options: object,
) -> Scorer:
    """Make a scorer for answers that quote the note, by a challenge's metric.

    Args:
        module: the metric.
        keys: the scores to return; if empty, the main scores and the counts of the answers.
        config: the configuration.
        protocol: ``spec``, ``official``, or another protocol of the challenge.
        alignment: the policies for placing quotes.
        options: the metric's own options.

    Raises:
        InputError: the metric, configuration, protocol or an option is unknown; or the metric needs
            all samples at once, such as ``clinical_spans`` without ``labels=``.
    """
    scoring = SampleScoring(module, tuple(keys), config, protocol, alignment, options)
    scoring.check_alone()

    @scorer(metrics=[corpus_scores(module, list(keys))], name=f"clineval_{module}")  # type: ignore[untyped-decorator]
    def make() -> Scorer:
        async def score(state: TaskState, target: Target) -> Score:  # noqa: ARG001 - Inspect's
            answer = state.output.completion
            counts = scoring.count_sample(answer, state.metadata, str(state.sample_id))
            value = dict(zip(counts.columns, counts.table[0].tolist(), strict=True))
            return Score(value=value, answer=answer, metadata={"counts": counts.to_json()})

        return score

    build: Callable[[], Scorer] = make
    return build()
