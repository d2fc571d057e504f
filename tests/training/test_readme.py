"""The training page's script, as a reader copies it."""

import re
import subprocess
import sys

from needs import need
from pages import code_of

need("torch", "training")
need("accelerate", "training")

PAGE = "metrics/clineval/training/README.md"


def test_the_script_runs_and_prints_what_it_says(tmp_path):
    script = "\n".join(code_of(PAGE, "python"))
    done = subprocess.run(
        [sys.executable, "-c", script], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr[-3000:]
    printed = [line for line in done.stdout.splitlines() if not line.startswith("{")]
    said = re.findall(r"^print.*  # (.*)$", script, re.MULTILINE)
    assert len(said) == 2
    assert [line for line in printed if line in said] == said
    assert any(line.startswith("semeval15_task14|default|protocol:spec") for line in printed)
