"""What the tests of Spaces share."""

import os
from pathlib import Path

from clineval.results.registry import find_challenge


def clean(**more):
    """The environment without what steers the Hub's libraries, Python and clineval."""
    kept = {k: v for k, v in os.environ.items() if not k.startswith(("HF_", "PYTHON", "CLINEVAL"))}
    return {**kept, "HF_HUB_DISABLE_TELEMETRY": "1", **more}


def find_demo(name):
    """The demo of a metric, and the files of its first system and of its options."""
    demo, corpus = find_challenge(name).demo, find_challenge(name).task.corpora
    options = {
        option: corpus / value for option, value in demo.options.items() if isinstance(value, Path)
    }
    return demo, corpus / demo.gold, corpus / next(iter(demo.systems.values())), options


def read_excerpt(name, path):
    """What to paste of a file: all, but of entries only those that need no record beside them."""
    text = Path(path).read_text("utf-8")
    return "".join(text.splitlines(keepends=True)[:5]) if name == "i2b2_2009_medication" else text
