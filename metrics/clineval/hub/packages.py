"""A new package with a metric of your own: definition, demo, tests, card, leaderboard.

The folder ``starters`` has the definition and the demo of each kind of annotation, and the files
that all kinds have. ``@NAME@`` and other words between ``@`` are filled in.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from keyword import iskeyword
from pathlib import Path
from runpy import run_path

from clineval.base.errors import InputError, shown, unknown_name
from clineval.base.files import is_there, list_directory, make_directory, name_path, write_file
from clineval.base.version import __version__
from clineval.evaluation.counting import score
from clineval.hf.outside import write_card
from clineval.hub.benchmarks import Benchmark, write_benchmark
from clineval.hub.starters import KINDS, STARTERS
from clineval.results.challenge import Challenge
from clineval.results.registry import is_known, lending

_COMMON = {
    "pyproject.toml.txt": "pyproject.toml",
    "README.md.txt": "README.md",
    "tests/test_definition.py.txt": "tests/test_definition.py",
    "submission.yml.txt": ".github/workflows/submission.yml",
}
"""The files of all kinds to their places in the package."""
_TITLE = re.compile(r"[^\W_][\w .,:;()/&+-]*", re.ASCII)
_NAME = re.compile(r"[a-z][a-z0-9]*(_[a-z0-9]+)*")
_WORD = re.compile(r"@([A-Z]+)@")


@dataclass(frozen=True, slots=True)
class Package:
    """A package to write.

    Args:
        name: the name of the metric, and of its module: lower-case letters, digits and ``_``.
        kind: one of :data:`~clineval.hub.starters.KINDS`.
        title: the name of the challenge for people; by default made of ``name``.

    Raises:
        InputError: the name is taken or not a name of a module, the kind is unknown, or the title
            has characters that could end a string.

    Examples:
        >>> Package("wound_findings", "spans").shown
        'Wound findings'
    """

    name: str
    kind: str
    title: str = ""

    def __post_init__(self) -> None:
        if self.kind not in KINDS:
            raise unknown_name("kind", self.kind, KINDS)
        if not _NAME.fullmatch(self.name) or iskeyword(self.name):
            problem = f"expected lower-case letters, digits and _, got {shown(self.name)}"
            raise InputError(problem, where="name", remedy="Choose a name such as wound_findings")
        if is_known(self.name):
            problem = f"there is a metric called {self.name!r}"
            raise InputError(problem, where="name", remedy="Choose another name")
        if not _TITLE.fullmatch(self.shown):
            problem = f"expected letters, digits and .,:;()/&+-, got {shown(self.title)}"
            raise InputError(problem, where="--title")

    @property
    def shown(self) -> str:
        """The name for people."""
        return self.title or self.name.replace("_", " ").capitalize()

    @property
    def ending(self) -> str:
        """The ending of the files of the demo."""
        [gold] = (STARTERS / self.kind / "demo").glob("gold.*")
        return gold.suffix[1:]

    def list_files(self, words: Mapping[str, str]) -> Iterator[tuple[str, str]]:
        """Yield the places and contents of files, with words filled in."""
        for starter, place in _COMMON.items():
            yield place, _fill((STARTERS / "common" / starter).read_text("utf-8"), words)

    def list_definition(self, words: Mapping[str, str]) -> Iterator[tuple[str, str]]:
        """Yield the definition and its demo."""
        text = (STARTERS / self.kind / "definition.txt").read_text("utf-8")
        yield f"{self.name}/__init__.py", _fill(text, words)
        for path in sorted((STARTERS / self.kind / "demo").iterdir()):
            yield f"{self.name}/demo/{path.name}", path.read_text("utf-8")
            if path.stem != "gold":
                yield f"submissions/{path.name}", path.read_text("utf-8")


def write_package(package: Package, folder: Path) -> list[Path]:
    """Write a package into a new or empty folder.

    Args:
        package: the package.
        folder: the folder.

    Returns:
        The files.

    Raises:
        InputError: the folder has files, or cannot be written.
    """
    if is_there(folder) and list_directory(folder):
        problem = "the folder is not empty"
        raise InputError(problem, where=name_path(folder), remedy="Choose a new folder: -o FOLDER")
    words = {
        "NAME": package.name,
        "TITLE": package.shown,
        "DISTRIBUTION": package.name.replace("_", "-"),
        "ENDING": package.ending,
        "VERSION": __version__,
    }
    _write(folder, package.list_definition(words))
    challenge = _load(folder / package.name / "__init__.py")
    demo = folder / package.name / "demo"
    value = _score(challenge, demo, package.ending)
    with lending(challenge):
        asked = _write_hub(challenge, folder / "hub")
        _write(folder, [("CARD.md", write_card(challenge))])
    _, summary, *_ = challenge.task.specification.split("\n\n")
    hub = (STARTERS / "common" / "HUB.md.txt").read_text("utf-8") if asked else ""
    more = {"SCORE": repr(value), "SUMMARY": summary, "HUB": hub}
    _write(folder, package.list_files({**words, **more}))
    return sorted(path for path in folder.rglob("*") if path.is_file())


def _write(folder: Path, files: Iterator[tuple[str, str]] | list[tuple[str, str]]) -> None:
    for place, text in files:
        make_directory((folder / place).parent)
        write_file(folder / place, text)


def _fill(text: str, words: Mapping[str, str]) -> str:
    return _WORD.sub(lambda match: words[match[1]], text)


def _load(path: Path) -> Challenge:
    """Run the definition, which is one of ours, without importing it for good."""
    challenge: Challenge = run_path(str(path))["CHALLENGE"]
    return challenge


def _score(challenge: Challenge, demo: Path, ending: str) -> float:
    """Compute the ranking score of the better system of the demo."""
    sides = (demo / f"{name}.{ending}" for name in ("good", "gold"))
    [key, *_] = challenge.measures.rank_by("default")
    return round(float(score(challenge, *sides).values[key] or 0), 4)


def _write_hub(challenge: Challenge, folder: Path) -> bool:
    """Write the files of a benchmark of the Hub; return False if models cannot be asked."""
    if "answers" in challenge.kind.lacks:
        return False
    write_benchmark(Benchmark(challenge.name, "OWNER/NAME"), folder)
    return True
