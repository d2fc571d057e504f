"""A benchmark on the Hub: ``eval.yaml`` for a data set, and the matching task of Inspect.

The Hub identifies a benchmark by that file, and each task in it has a leaderboard. The Hub accepts
only frameworks and scorers from its own lists, and Inspect's own scorers do not support spans.
``inspect eval hf/OWNER/NAME`` counts the answers that are identical to the gold standard.
``task.py`` uses the same prompt and rows, and computes the challenge's own score.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path
from textwrap import indent

from clineval.answers.options import find_taking
from clineval.base.errors import InputError, shown, warn
from clineval.base.escaping import visible
from clineval.base.files import is_file, is_there, name_path, read_bytes
from clineval.base.version import __version__
from clineval.formats.writing import write_files
from clineval.harness.samples import SampleScoring
from clineval.kinds.asking import quote
from clineval.results.challenge import Challenge
from clineval.results.kind import Kind

_NAME = r"[\w.+-]+"
_CONFIGURATION = """\
# Written by clineval {version}. The Hub accepts only Inspect's own scorers, and "exact" requires
# answers identical to the gold standard. For the challenge's own score: inspect eval task.py
name: {title}
description: {description}
evaluation_framework: inspect-ai

tasks:
  - id: {task}
    config: {subset}
    split: {split}

    field_spec:
      input: note
      target: gold
      metadata: [note, gold]

    solvers:
      - name: system_message
        args:
          template: |
{prompt}
      - name: generate

    scorers:
      - name: exact
"""
_TASK = '''\
"""Compute the challenge's own score of a language model, for each row and for all rows together.

    pip install 'clineval[answers,evaluate,inspect]'
    inspect eval task.py --model MODEL

Each row has the note as "note" and the JSON of its gold standard as "gold". The prompt and the
split come from eval.yaml. To use rows from a local folder, pass -T dataset=FOLDER.
"""

from pathlib import Path

import yaml
from inspect_ai import Task, task
from inspect_ai.dataset import Sample, hf_dataset
from inspect_ai.solver import generate, system_message

from clineval.harness.inspect import quoted_mentions

[BENCHMARK] = yaml.safe_load(Path(__file__).with_name("eval.yaml").read_text("utf-8"))["tasks"]


def as_sample(row):
    kept = {{"note": row["note"], "gold": row["gold"]}}
    return Sample(id=row.get("id"), input=row["note"], target=row["gold"], metadata=kept)


@task(name={task})
def benchmark(dataset={dataset}):
    rows = hf_dataset(
        dataset, name=BENCHMARK["config"], split=BENCHMARK["split"], sample_fields=as_sample
    )
    return Task(
        dataset=rows,
        solver=[system_message(BENCHMARK["solvers"][0]["args"]["template"]), generate()],
        scorer=quoted_mentions({module}, config={config}, protocol={protocol}),
        score_on_error=True,  # all gold annotations of a note without an answer are missed
    )
'''


@dataclass(frozen=True, slots=True)
class Benchmark:
    """A benchmark: the metric and the data set.

    Args:
        module: the challenge's name.
        dataset: the data set's name on the Hub, ``OWNER/NAME``.
        subset: the data set's configuration, which the Hub calls a subset.
        split: the split of the data set.
        config: the challenge's configuration.
        protocol: ``spec``, ``official``, or another protocol of the challenge.

    Raises:
        InputError: the challenge does not accept answers, the configuration or protocol is
            unknown, or a name is not valid on the Hub.

    Examples:
        >>> Benchmark("semeval15_task14", "me/notes", config="task1").task
        'semeval15_task14-task1'
    """

    module: str
    dataset: str
    subset: str = "default"
    split: str = "test"
    config: str = "default"
    protocol: str = "spec"

    def __post_init__(self) -> None:
        scoring = SampleScoring(self.challenge.name, (), self.config, self.protocol)
        problem = f"--config: the configuration {self.config!r} of {self.module} does not accept"
        self._kind.check("answers", f"{problem} answers", "Choose another configuration")
        if scoring.together:
            warn(f"task.py: {scoring.together} to quoted_mentions")
        for option, said, pattern in (
            ("dataset", self.dataset, f"{_NAME}/{_NAME}"),
            ("subset", self.subset, _NAME),
            ("split", self.split, _NAME),
        ):
            if not re.fullmatch(pattern, said, re.ASCII):
                form = "OWNER/NAME, as on the Hub" if "/" in pattern else "a name"
                raise InputError(f"expected {form}, got {shown(said)}", where=f"--{option}")

    @property
    def challenge(self) -> Challenge:
        """The challenge, which must accept answers."""
        return find_taking(self.module)

    @property
    def _kind(self) -> Kind:
        """The kind of annotation of the configuration."""
        return self.challenge.setup(self.config, self.protocol, {}).steps.kind

    @property
    def task(self) -> str:
        """The name of the leaderboard: the challenge, and settings other than the defaults."""
        protocol = self.protocol if self.protocol != "spec" else ""
        config = self.config if self.config != "default" else ""
        return "-".join(filter(None, (self.module, config, protocol)))

    @property
    def title(self) -> str:
        """The challenge's own name, on one line."""
        return visible(self.challenge.task.title)

    @property
    def prompt(self) -> str:
        """The instructions before a note: the form of an answer, and its fields."""
        return SampleScoring(self.module, (), self.config, self.protocol).prompt


def write_benchmark(benchmark: Benchmark, folder: Path) -> list[Path]:
    """Write ``eval.yaml`` and ``task.py`` into a folder, which is created if necessary.

    Returns:
        The two files.

    Raises:
        InputError: one of them exists with different content.
    """
    scored = visible(benchmark.challenge.task.configs[benchmark.config])
    texts = {
        "eval.yaml": _CONFIGURATION.format(
            version=__version__,
            title=quote(benchmark.title),
            description=quote(f"{benchmark.title}: {scored}, scored by clineval"),
            task=quote(benchmark.task),
            subset=quote(benchmark.subset),
            split=quote(benchmark.split),
            prompt=indent(benchmark.prompt, " " * 12),
        ),
        "task.py": _TASK.format(
            task=quote(benchmark.task),
            dataset=quote(benchmark.dataset),
            module=quote(benchmark.module),
            config=quote(benchmark.config),
            protocol=quote(benchmark.protocol),
        ),
    }
    for name, text in texts.items():
        path = folder / name
        if is_there(path) and not (is_file(path) and read_bytes(path) == text.encode()):
            problem, remedy = "it exists with other content", "Remove it, or choose another folder"
            raise InputError(problem, where=name_path(path), remedy=remedy)
    write_files(folder, texts.items())
    return [folder / name for name in texts]
