"""What a challenge is: its name, its sources, its configurations."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from inspect import cleandoc
from pathlib import Path


@dataclass(frozen=True, slots=True)
class ClassSlot:
    """The slot that says what an annotation is.

    Args:
        name: such as ``cui``, ``label`` or ``field``.
        word: what people call its values: ``code``, ``label``, ``field``.
        none: the value that stands for no class, such as ``cui-less``; empty if there is none.
    """

    name: str
    word: str
    none: str = ""


@dataclass(frozen=True, slots=True)
class Task:
    """What a challenge is: names, sources, configurations.

    Args:
        name: the module's name, as in ``clineval.score(name, ...)`` and in signatures.
        title: the challenge's own name, as tables and cards show it.
        homepage: where the challenge is described.
        citation: BibTeX.
        configs: configuration to a line that says what it scores; one called ``default`` is used
            unless another is asked for.
        definition: the specification: formulas, units, ranges and sources; the docstring of the
            challenge's file, ``__doc__``.
        file: that file, ``__file__``; the folder ``demo`` beside it has the bundled corpus.
        languages: with which codes names of documents begin or end where they tell a language,
            such as ``es`` in ``caso-1_es.txt``; empty where names tell none.

    Examples:
        >>> task = Task("wounds", "Wound findings")
        >>> task.name, task.configs
        ('wounds', {'default': 'all measures'})
    """

    name: str
    title: str
    homepage: str = ""
    citation: str = ""
    configs: Mapping[str, str] = field(default_factory=lambda: {"default": "all measures"})
    definition: str | None = None
    file: str = ""
    languages: tuple[str, ...] = ()

    @property
    def specification(self) -> str:
        """The definition without its indentation; empty if there is none."""
        return cleandoc(self.definition or "")

    @property
    def corpora(self) -> Path:
        """Where the bundled corpus is."""
        return Path(self.file).resolve().parent / "demo"

    @property
    def datasets(self) -> Path:
        """The list of gold standards that have names; see :mod:`clineval.results.known`.

        A challenge of one file, whose folder other packages share, has its name before that of the
        list.

        Examples:
            >>> Task("wounds", "Wounds", file="/site/wounds.py").datasets.name
            'wounds.datasets.toml'
            >>> Task("wounds", "Wounds", file="/site/wounds/__init__.py").datasets.name
            'datasets.toml'
        """
        path = Path(self.file).resolve()
        prefix = "" if path.stem == "__init__" else f"{path.stem}."
        return path.parent / f"{prefix}datasets.toml"


@dataclass(frozen=True, slots=True)
class Difference:
    """One rule on which the two protocols differ.

    Args:
        rule: what the rule is about.
        spec: what the challenge's document says.
        official: what the released script does.
        example: the smallest input on which the results differ.
    """

    rule: str
    spec: str
    official: str
    example: str


@dataclass(frozen=True, slots=True)
class Demo:
    """A bundled corpus with the outputs of some systems; all of it invented for this project.

    Args:
        title: what is scored, in a line.
        gold: path of the gold standard in the corpus.
        systems: system name to the path of its output in the corpus.
        options: options of the challenge; a Path is a path in the corpus.
        headline: how many tables are shown when all demos are.

    Examples:
        >>> demo = Demo("Wounds, by rules", "gold.jsonl", {"rules": "rules.jsonl"})
        >>> demo.gold, demo.headline
        ('gold.jsonl', 3)
    """

    title: str
    gold: str
    systems: Mapping[str, str]
    options: Mapping[str, object] = field(default_factory=dict)
    headline: int = 3
