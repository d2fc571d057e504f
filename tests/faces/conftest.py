"""The installed program, run in another directory."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

PROGRAM = shutil.which("clineval", path=str(Path(sys.executable).parent))


@pytest.fixture
def run(tmp_path):
    """Run ``clineval`` with some arguments; checks its exit status."""
    assert PROGRAM, "clineval is not installed beside this Python"

    def call(*arguments, status=0):
        result = subprocess.run(
            [PROGRAM, *map(str, arguments)],
            cwd=tmp_path, capture_output=True, text=True, check=False,
        )  # fmt: skip
        assert result.returncode == status, result.stderr
        return result

    return call
