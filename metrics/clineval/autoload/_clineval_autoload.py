"""Make ``evaluate.load("semeval15_task14")`` work without an import of clineval.

When Python starts, a file beside this one runs :func:`install`: up to Python 3.14
``clineval-autoload.pth``, from 3.15 on ``clineval-autoload.start`` (PEP 829). This takes about a
tenth of a millisecond, mostly to read this file. Nothing else is imported, and nothing happens
until ``evaluate.loading`` is imported. The hook never raises. ``CLINEVAL_AUTOLOAD=0`` switches it
off.

Python runs such files only in its own package folders. So the hook does not work if clineval was
installed with ``pip install --target``, is imported from a zip file or by ``PYTHONPATH``, or if
Python was started with ``-S`` or ``-I -S``. ``clineval.hf.load`` works in all of these cases.
"""

import os
import sys

# importing typing, importlib and __future__ would double the time, so annotations are strings
TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from importlib.machinery import ModuleSpec
    from types import ModuleType

_TARGET = "evaluate.loading"


class _Finder:
    """Waits for ``evaluate.loading`` and then registers the metrics with it."""

    @classmethod
    def find_spec(
        cls, name: str, path: "Sequence[str] | None" = None, target: "ModuleType | None" = None
    ) -> "ModuleSpec | None":
        """Find ``evaluate.loading`` as Python itself does, and hook into its execution."""
        if name != _TARGET:
            return None
        from importlib.machinery import PathFinder

        sys.meta_path.remove(cls)
        spec = PathFinder.find_spec(name, path, target)
        if spec is None or spec.loader is None:
            return None
        execute = spec.loader.exec_module

        def exec_module(module: "ModuleType") -> None:
            execute(module)
            _register(module)

        spec.loader.exec_module = exec_module  # type: ignore[method-assign]
        return spec


def _register(module: "ModuleType") -> None:
    try:
        from clineval.hf import register_with

        register_with(module)
    except Exception as error:  # noqa: BLE001 - evaluate must work even if clineval does not
        sys.stderr.write(f"clineval: the metrics are not registered ({type(error).__name__})\n")


def install() -> None:
    """Wait for evaluate, unless the hook is switched off or evaluate is already imported.

    In a virtual environment, Python runs the calling file twice; the second call does nothing.
    """
    waits = os.environ.get("CLINEVAL_AUTOLOAD") != "0" and _TARGET not in sys.modules
    if waits and _Finder not in sys.meta_path:
        sys.meta_path.insert(0, _Finder)
