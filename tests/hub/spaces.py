"""What the tests of Spaces share."""

import os
import subprocess
import sys
import sysconfig
from pathlib import Path

from conftest import ROOT

from clineval.cli.demo import DEMOS

CORPORA = ROOT / "metrics" / "clineval" / "demo"


def clean(**more):
    """The environment without what steers the Hub's libraries, Python and clineval."""
    kept = {k: v for k, v in os.environ.items() if not k.startswith(("HF_", "PYTHON", "CLINEVAL"))}
    return {**kept, "HF_HUB_DISABLE_TELEMETRY": "1", **more}


def make_bare_python(folder):
    """An interpreter with all that this one has but clineval: its packages, not its .pth files."""
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", folder], check=True)
    python = folder / "bin" / "python"
    code = "import sysconfig; print(sysconfig.get_path('purelib'))"
    site = subprocess.run([python, "-c", code], capture_output=True, text=True, check=True)
    path = Path(site.stdout.strip()) / "packages.pth"
    path.write_text(f"{sysconfig.get_path('purelib')}\n{sysconfig.get_path('platlib')}\n")
    code = "import importlib.util; assert importlib.util.find_spec('clineval') is None"
    subprocess.run([python, "-c", code], check=True)
    return python


def find_demo(name):
    """The demo of a metric, and the files of its first system and of its options."""
    [demo] = [demo for demo in DEMOS if demo.module == name]
    corpus = CORPORA / name
    options = {
        option: corpus / value for option, value in demo.options.items() if isinstance(value, Path)
    }
    return demo, corpus / demo.gold, corpus / next(iter(demo.systems.values())), options


def read_excerpt(name, path):
    """What to paste of a file: all; of entries only those that need no record beside them."""
    text = Path(path).read_text("utf-8")
    return "".join(text.splitlines(keepends=True)[:5]) if name == "i2b2_2009_medication" else text
