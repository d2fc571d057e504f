"""Which part of the tests a make target asks for, and packages that only some targets install."""

import os
from importlib import import_module

import pytest

ASKED = os.environ.get("CLINEVAL_TESTS", "")
"""``thorough``; ``rest``, what that has beyond the fast part; or a target with an environment of
its own, whose tests all run, with few examples; empty for the fast part."""
THOROUGH = ASKED in {"thorough", "rest"}


def need(package, target):
    """Import a package, or skip the tests of the file where it is absent.

    ``make test-training``, ``make test-pages`` and the others name their target, so that nothing
    is skipped there.
    """
    if target == ASKED:
        return import_module(package)
    return pytest.importorskip(package, reason=f"make test-{target} has {package}")
