"""The README's training script, as a reader copies it."""

import re
import subprocess
import sys

from conftest import ROOT
from needs import need

need("torch", "training")
need("accelerate", "training")


def test_the_script_runs_and_prints_what_it_says(tmp_path):
    readme = (ROOT / "README.md").read_text("utf-8")
    section = readme.partition("## In a training loop with transformers")[2].partition("\n## ")[0]
    blocks = re.findall(r"^```python\n(.*?)^```", section, re.DOTALL | re.MULTILINE)
    script = "\n".join(blocks)
    done = subprocess.run(
        [sys.executable, "-c", script], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr[-3000:]
    printed = [line for line in done.stdout.splitlines() if not line.startswith("{")]
    said = re.findall(r"^print.*  # (.*)$", script, re.MULTILINE)
    assert len(said) == 2
    assert [line for line in printed if line in said] == said
    assert any(line.startswith("semeval15_task14|default|protocol:spec") for line in printed)
