"""lm-evaluation-harness: the functions that the YAML file of a task names.

The folder of a task contains a Python file, such as ``my_task.py``:

    from clineval.harness.lm_eval import CorpusTask

    task = CorpusTask("semeval15_task14", ["strict_f1", "n_unaligned"])
    process_results = task.process_results
    strict_f1, n_unaligned = task.aggregations

Its YAML file names them: ``process_results: !function my_task.process_results`` and, for each
score, ``{metric: strict_f1, aggregation: !function my_task.strict_f1, higher_is_better: true}``. A
document has the fields ``id``, ``note`` and ``gold``. ``gold`` contains the gold mentions as a
string of JSON, because Arrow would add None for slots that some mentions lack.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from clineval.answers import Alignment
from clineval.harness.samples import SampleScoring
from clineval.results.scorable import Counts

Aggregation = Callable[[Sequence[str]], float]


class CorpusTask:
    """The functions of a task that a challenge's metric scores.

    Args:
        module: the metric.
        keys: the scores in the task's ``metric_list``.
        config: the configuration.
        protocol: ``spec``, ``official``, or another protocol of the challenge.
        alignment: the policies for placing quotes.
        options: the metric's own options.

    Raises:
        InputError: the metric, configuration, protocol or an option is unknown; or the metric needs
            all documents at once, such as ``clinical_spans`` without ``labels=``.

    Examples:
        >>> task = CorpusTask("semeval15_task14", ["strict_f1"], config="task1")
        >>> gold = '[{"spans": [[3, 8]], "cui": "C1"}]'
        >>> document = {"id": "a", "note": "No edema.", "gold": gold}
        >>> results = task.process_results(document, ['[{"text": "edema", "cui": "C1"}]'])
        >>> [strict_f1] = task.aggregations
        >>> strict_f1([results["strict_f1"]])
        1.0
    """

    def __init__(
        self,
        module: str,
        keys: Sequence[str],
        *,
        config: str = "default",
        protocol: str = "spec",
        alignment: Alignment | None = None,
        **options: object,
    ) -> None:
        self._scoring = SampleScoring(module, tuple(keys), config, protocol, alignment, options)
        self._scoring.check_alone()

    def process_results(self, doc: Mapping[str, object], results: Sequence[str]) -> dict[str, str]:
        """Return the counts of a document, as JSON, under the key of each score."""
        counts = self._scoring.count_sample(results[0], doc, str(doc["id"]))
        return dict.fromkeys(self._scoring.keys, counts.to_json())

    @property
    def aggregations(self) -> tuple[Aggregation, ...]:
        """The functions that compute each score from the counts of all documents, by key."""
        return tuple(map(self._aggregation, self._scoring.keys))

    def _aggregation(self, key: str) -> Aggregation:
        def aggregate(items: Sequence[str]) -> float:
            return self._scoring.tell(map(Counts.from_json, items))[key]

        aggregate.__name__ = key
        return aggregate
