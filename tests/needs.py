"""Packages that only some of the make targets install."""

import os
from importlib import import_module

import pytest


def need(package, target):
    """Import a package, or skip the tests of the file where it is absent.

    ``make test-training``, ``make test-pages`` and the others name their target, so that nothing
    is skipped there.
    """
    if os.environ.get("CLINEVAL_TESTS") == target:
        return import_module(package)
    return pytest.importorskip(package, reason=f"make test-{target} has {package}")
