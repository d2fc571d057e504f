"""Challenges of other people, installed for some tests: a file each, with an entry point."""

import json
import os
import sys
from contextlib import contextmanager
from dataclasses import dataclass

import pytest
from conftest import DATA


@dataclass(frozen=True)
class Case:
    """A challenge, and a corpus with one system.

    Right: the first mention; by overlap also the second, which the system ends elsewhere; another
    mention has the right span and another class.
    """

    name: str
    slot: str
    """Of its classes, which people call by ``word``."""
    word: str
    classes: tuple[str, str, str]
    """That of the boundary, and what was taken for what."""
    texts: list[str]
    gold: list[list[dict]]
    found: list[list[dict]]

    def write(self, folder):
        """Write both sides as JSON Lines; returns their paths, the texts in both."""
        paths = [folder / "gold.jsonl", folder / "found.jsonl"]
        for path, side in zip(paths, (self.gold, self.found), strict=True):
            lines = [
                json.dumps({"id": f"n{at}", "mentions": mentions, "text": text}) + "\n"
                for at, (mentions, text) in enumerate(zip(side, self.texts, strict=True))
            ]
            path.write_text("".join(lines))
        return paths


WOUNDS = Case(
    "wound_findings",
    "label",
    "label",
    ("DRESSING", "WOUND", "DRESSING"),
    ["Sore at heel and toe. Gauze dry.", "Deep cut; foam."],
    [
        [
            {"spans": [[0, 4], [8, 12]], "label": "WOUND"},
            {"spans": [[22, 27]], "label": "DRESSING"},
        ],
        [{"spans": [[5, 8]], "label": "WOUND"}, {"spans": [[10, 14]], "label": "DRESSING"}],
    ],
    [
        [
            {"spans": [[0, 4], [8, 12]], "label": "WOUND"},
            {"spans": [[22, 31]], "label": "DRESSING"},
        ],
        [{"spans": [[5, 8]], "label": "DRESSING"}, {"spans": [[0, 4]], "label": "WOUND"}],
    ],
)
CONCEPTS = Case(
    "trial_concepts",
    "type",
    "concept",
    ("treatment", "test", "problem"),
    ["No fever. aspirin given.", "ecg"],
    [
        [
            {"spans": [[3, 8]], "type": "problem", "assertion": "absent", "conditional": True},
            {"spans": [[10, 17]], "type": "treatment"},
        ],
        [{"spans": [[0, 3]], "type": "test"}],
    ],
    [
        [{"spans": [[3, 8]], "type": "problem"}, {"spans": [[10, 23]], "type": "treatment"}],
        [{"spans": [[0, 3]], "type": "problem"}],
    ],
)
CASES = (WOUNDS, CONCEPTS)


@contextmanager
def install(folder, **others):
    """Install both challenges into a folder, for this process and those that it starts.

    Others are packages by name, each a source.
    """
    files = {case.name: (DATA / "outside" / f"{case.name}.py").read_text() for case in CASES}
    for name, source in {**files, **others}.items():
        _write_package(folder, name, source)
    known = filter(None, [str(folder), os.environ.get("PYTHONPATH")])
    try:
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(sys, "path", [str(folder), *sys.path])
            patch.setenv("PYTHONPATH", os.pathsep.join(known))
            _forget()
            yield folder
    finally:
        for name in files:
            sys.modules.pop(name, None)
        _forget()


def _write_package(folder, name, source):
    """Write a package of one file, as an installer leaves it."""
    (folder / f"{name}.py").write_text(source)
    information = folder / f"{name}-1.0.dist-info"
    information.mkdir()
    text = f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n"
    (information / "METADATA").write_text(text)
    points = f"[clineval.challenges]\n{name} = {name}:CHALLENGE\n"
    (information / "entry_points.txt").write_text(points)


def _forget():
    """Forget which challenges are installed, which a process asks once."""
    for name, module in [*sys.modules.items()]:
        if name.split(".")[0] in ("clineval", "spacy_clin"):
            for value in [*vars(module).values()]:
                if hasattr(value, "cache_clear"):
                    value.cache_clear()
