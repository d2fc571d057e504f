"""Commands import only what they use: each import delays a score of a few notes."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
DEMOS = ROOT / "metrics" / "clineval" / "challenges"
PIPE = [str(DEMOS / "semeval15_task14" / "demo" / side) for side in ("gold", "tagger")]
LINES = [str(DEMOS / "clinical_spans" / "demo" / f"{side}.jsonl") for side in ("gold", "tagger")]

NEVER = {
    "asyncio", "concurrent", "datasets", "evaluate", "huggingface_hub", "jinja2", "matplotlib",
    "multiprocessing", "numpy.ma", "numpy.random", "orjson", "pandas", "polars", "pyarrow",
    "scipy", "spacy", "sqlite3", "statistics", "torch", "unittest", "xml.dom",
}  # fmt: skip
"""Modules that no command of this test uses. Those that typer itself imports are not among them."""
SCORE = {
    "answers", "base", "challenges", "cli", "evaluation", "formats", "kinds", "programs",
    "protocols", "results", "stats",
}  # fmt: skip
"""Our packages that a score uses."""
FEW = {
    "html", "clineval.evaluation.counting.merging", "clineval.evaluation.counting.parts",
    "clineval.formats.conll.documents", "clineval.formats.dicts", "clineval.formats.line_index",
    "clineval.formats.tables.rows", "clineval.kinds.mentions.outcomes",
    "clineval.kinds.mentions.words", "clineval.results.item", "clineval.results.listed",
    "clineval.results.paragraphs", "clineval.results.reasoning", "clineval.results.scheme",
    "clineval.results.scripts", "clineval.results.sources", "clineval.results.verdicts",
    "clineval.stats.clusters", "clineval.stats.confidence", "clineval.stats.intervals",
}  # fmt: skip
"""Modules that a score of a few pipe files does not need: definitions of classes take long."""
DECLARING = {"base", "cli", "results"}
"""Our packages that name and declare what there is: help and completion need no others."""

CODE = """
import json, os, sys
from clineval.cli import main
try:
    main()
except SystemExit as end:
    assert not end.code
print(json.dumps([*{}]), file=sys.stderr)
"""


def call(words: list[str], listed: str, **variables: str) -> set[str]:
    """Call the command line, and return what an expression then lists."""
    code = f"import sys; sys.argv = {['clineval', *words]}\n{CODE.format(listed)}"
    result = subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True, text=True, check=True, env={**os.environ, **variables},
    )  # fmt: skip
    return set(json.loads(result.stderr.splitlines()[-1]))


def list_modules(words: list[str], **variables: str) -> set[str]:
    """List the modules that a call of the command line imports."""
    return call(words, "sys.modules", **variables)


def list_packages(modules: set[str]) -> set[str]:
    """List our own packages among modules."""
    return {name.split(".")[1] for name in modules if name.startswith("clineval.")}


@pytest.mark.parametrize("words", [["semeval15_task14", *PIPE], ["clinical_spans", *LINES]])
def test_a_score_imports_only_what_it_uses(words):
    modules = list_modules(["score", *words])
    assert not modules & NEVER
    assert list_packages(modules) <= SCORE
    commands = {name for name in modules if name.startswith("clineval.cli.")}
    parts = (
        "answers", "options", "parameters", "progress", "score", "several", "standard_input",
        "terminal",
    )  # fmt: skip
    assert commands == {f"clineval.cli.{part}" for part in parts}
    assert not {name for name in modules if name.startswith("clineval.evaluation.analysis")}


def test_a_score_of_pipe_files_defines_few_classes():
    assert not list_modules(["score", "semeval15_task14", *PIPE]) & FEW


@pytest.mark.skipif(sys.platform != "linux", reason="lists threads in /proc")
def test_a_score_starts_no_threads_for_products_of_matrices(monkeypatch):
    for name in ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS"):
        monkeypatch.delenv(name, raising=False)
    assert len(call(["score", "semeval15_task14", *PIPE], "os.listdir('/proc/self/task')")) == 1


def test_help_imports_nothing_that_scores():
    modules = list_modules(["--help"])
    assert not modules & {*NEVER, "numpy"}
    assert list_packages(modules) <= {*DECLARING, "hub"}


def test_completion_imports_nothing_that_scores():
    completed = {"COMP_WORDS": "clineval score sem", "COMP_CWORD": "2"}
    modules = list_modules([], _CLINEVAL_COMPLETE="complete_bash", **completed)
    assert not modules & {*NEVER, "numpy", "rich.console"}
    assert list_packages(modules) <= DECLARING


def test_a_stand_in_imports_its_own_challenge():
    listed = list_modules(["official", "--help"])
    assert not listed & NEVER
    assert list_packages(listed) <= SCORE - {"evaluation"}
    modules = list_modules(["official", "semeval15-task1", "--help"])
    assert not modules & NEVER
    challenges = {".".join(name.split(".")[:3]) for name in modules if name.endswith(".spec")}
    assert challenges == {"clineval.challenges.semeval15_task14"}
