"""HuggingFace ``evaluate``: load the metrics by name.

Nothing here imports ``evaluate``, which is an extra and slow to import.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory
from types import ModuleType
from typing import TYPE_CHECKING

from clineval.base.errors import InputError, unknown_name
from clineval.results.registry import NAMES, find_challenge, is_known

if TYPE_CHECKING:
    from evaluate import EvaluationModule

_PACKAGES = Path(__file__).resolve().parent.parent.parent
_HOMES = (_PACKAGES, _PACKAGES / "clineval_modules")  # in the source tree, in a wheel


def metric_path(name: str) -> str:
    """Return the file of an evaluate module, for ``evaluate.load(metric_path(name))``.

    Args:
        name: the metric, such as ``semeval15_task14``.

    Raises:
        InputError: there is no metric of that name.

    Examples:
        >>> Path(metric_path("semeval15_task14")).name
        'semeval15_task14.py'
    """
    for home in _HOMES:
        path = home / name / f"{name}.py"
        if name in NAMES and path.is_file():
            return str(path)
    if is_known(name):
        raise InputError(
            f"{name} is a metric of another package, without an evaluate module here",
            remedy="Use clineval.hf.load, or evaluate.load on the output of 'clineval space build'",
        )
    raise unknown_name("metric", name, NAMES)


def load(name: str, config: str | None = None, **options: object) -> EvaluationModule:
    """Call ``evaluate.load`` for a metric, regardless of files in the working directory.

    Args:
        name: the metric, such as ``semeval15_task14``, or a metric of another package.
        config: the configuration.
        options: further arguments of ``evaluate.load``, such as ``num_process``.

    Returns:
        The module, with ``compute``, ``add`` and ``add_batch``.

    Raises:
        InputError: there is no metric of that name.

    Examples:
        >>> metric = load("clefehealth13_task1", "task1a")
        >>> gold = [[{"spans": [[3, 8]], "cui": "C0015967"}]]
        >>> metric.compute(predictions=gold, references=gold)["exact_f1"]
        1.0
    """
    import evaluate

    if name in NAMES or not is_known(name):
        return evaluate.load(metric_path(name), config, **options)
    from clineval.hf.outside import write_module

    with TemporaryDirectory() as folder:  # evaluate keeps a copy
        module = Path(folder, f"{name}.py")
        module.write_text(write_module(find_challenge(name)), "utf-8")
        return evaluate.load(str(module), config, **options)


def register() -> None:
    """Make ``evaluate.load(name)`` find the metrics if the start-up hook is switched off.

    Examples:
        >>> import evaluate
        >>> register()
        >>> evaluate.load("semeval15_task14").name
        'semeval15_task14'
    """
    import evaluate.loading

    register_with(evaluate.loading)


def register_with(loading: ModuleType) -> None:
    """Let ``evaluate.loading`` search here for names alone, after the working directory."""
    find: Callable[..., object] = loading.evaluation_module_factory
    if hasattr(find, "__wrapped__"):
        return

    def evaluation_module_factory(path: str, *args: object, **options: object) -> object:
        in_working_directory = os.path.isfile(os.path.join(path, f"{path}.py"))  # noqa: PTH113, PTH118
        if path in NAMES and not in_working_directory:
            path = metric_path(path)
        return find(path, *args, **options)

    evaluation_module_factory.__wrapped__ = find  # type: ignore[attr-defined]
    loading.evaluation_module_factory = evaluation_module_factory  # type: ignore[attr-defined]
