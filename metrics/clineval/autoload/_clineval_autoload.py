"""Makes ``evaluate.load("semeval15_task14")`` work with no import of clineval.

When Python starts, a file beside this one runs :func:`install`: up to Python 3.14
``clineval-autoload.pth``, from 3.15 on ``clineval-autoload.start`` (PEP 829). It costs about a
tenth of a millisecond, nearly all of it to read this file: nothing else is imported, and nothing
happens until ``evaluate.loading`` is. It never raises. ``CLINEVAL_AUTOLOAD=0`` switches it off.

Python runs such files only in its own folders of packages. So the hook does not work where
clineval was installed with ``pip install --target``, is imported from a zip file or by
``PYTHONPATH``, or where Python was started with ``-S`` or ``-I -S``; ``clineval.hf.load`` does.
"""

import os
import sys

# typing, importlib and __future__ would cost as much as all the rest, so annotations are strings
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
        """Find ``evaluate.loading`` as Python itself would, and hook into its execution."""
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
    except Exception as error:  # noqa: BLE001 - evaluate must work, whatever is wrong with us
        sys.stderr.write(f"clineval: its metrics are not registered ({type(error).__name__})\n")


def install() -> None:
    """Wait for evaluate, unless it is switched off or already here.

    In a virtual environment Python runs the file that calls this twice; the second call does
    nothing.
    """
    waits = os.environ.get("CLINEVAL_AUTOLOAD") != "0" and _TARGET not in sys.modules
    if waits and _Finder not in sys.meta_path:
        sys.meta_path.insert(0, _Finder)
