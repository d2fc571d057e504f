"""Ctrl-C ends a command in one line, wherever it is."""

from __future__ import annotations

import subprocess
import sys

import pytest

CODE = """
import sys
import clineval.cli
import clineval.cli.score as score

def stop(*_):
    raise KeyboardInterrupt

{place} = stop
sys.argv = ["clineval", "score", "clinical_spans", "gold", "system"]
clineval.cli.main()
"""


@pytest.mark.parametrize("place", ["clineval.cli.make_app", "score.find_challenges"])
def test_an_interrupt_ends_a_command_in_one_line(place):
    code = CODE.replace("{place}", place)
    words = [sys.executable, "-c", code]
    result = subprocess.run(words, capture_output=True, text=True, check=False)
    assert (result.returncode, result.stdout) == (130, "")
    assert result.stderr == "clineval: interrupted\n"
