"""The installed program, run in another directory."""

from functools import partial

import pytest
from programs import run_clineval


@pytest.fixture
def run(tmp_path):
    """Run ``clineval`` with some arguments; checks its exit status."""
    return partial(run_clineval, cwd=tmp_path)
