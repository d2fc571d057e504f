"""The description of a challenge: its name, its sources and its configurations."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from inspect import cleandoc
from pathlib import Path


@dataclass(frozen=True, slots=True)
class ClassSlot:
    """The slot that holds the class of an annotation.

    Args:
        name: its name, such as ``cui``, ``label`` or ``field``.
        word: the usual word for its values: ``code``, ``label``, ``field``.
        none: the value that stands for no class, such as ``cui-less``; empty if there is none.
    """

    name: str
    word: str
    none: str = ""


@dataclass(frozen=True, slots=True)
class Task:
    """The description of a challenge: names, sources and configurations.

    Args:
        name: the module's name, as in ``clineval.score(name, ...)`` and in signatures.
        title: the challenge's own name, as tables and cards show it.
        homepage: the address of the challenge's description.
        citation: the citation as BibTeX.
        configs: configuration to a line about it; ``default`` is used unless another is requested.
        definition: the specification with formulas, units, ranges and sources: the docstring of the
            challenge's file, ``__doc__``.
        file: that file, ``__file__``; the folder ``demo`` beside it holds the bundled corpus.
        languages: codes at the beginning or end of names of documents that identify their
            languages, such as ``es`` in ``caso-1_es.txt``; empty if names do not identify
            languages.

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
        """The folder of the bundled corpus."""
        return Path(self.file).resolve().parent / "demo"

    @property
    def datasets(self) -> Path:
        """The file that lists gold standards with names; see :mod:`clineval.results.known`.

        If a challenge is one file in a shared folder, the name of the list begins with its name.

        Examples:
            >>> Task("wounds", "Wounds", file="/site/wounds.py").datasets.name
            'wounds.datasets.toml'
            >>> Task("wounds", "Wounds", file="/site/wounds/__init__.py").datasets.name
            'datasets.toml'
        """
        return self._beside("datasets.toml")

    @property
    def published(self) -> Path:
        """The file with the published results of systems; see :mod:`clineval.results.known`.

        Examples:
            >>> Task("wounds", "Wounds", file="/site/wounds.py").published.name
            'wounds.published.json'
        """
        return self._beside("published.json")

    @property
    def code(self) -> Path:
        """The file with the definition as plain Python, for readers; it may be missing.

        Examples:
            >>> Task("wounds", "Wounds", file="/site/wounds.py").code.name
            'wounds.definition.py'
        """
        return self._beside("definition.py")

    def _beside(self, name: str) -> Path:
        """Return a file beside the challenge's; it has a prefix if the folder is shared."""
        path = Path(self.file).resolve()
        prefix = "" if path.stem == "__init__" else f"{path.stem}."
        return path.parent / f"{prefix}{name}"


@dataclass(frozen=True, slots=True)
class Difference:
    """One rule on which the protocols differ.

    Args:
        rule: the subject of the rule.
        spec: the rule in the challenge's document.
        official: the behaviour of the released script; empty if there is no such protocol.
        example: the smallest input on which the results differ.
        others: further protocols to their behaviour.
    """

    rule: str
    spec: str
    official: str
    example: str
    others: Mapping[str, str] = field(default_factory=dict)

    def under(self, protocol: str) -> str:
        """Return the rule of a protocol.

        Examples:
            >>> Difference("ties", "half", "", "", {"caml": "none"}).under("caml")
            'none'
        """
        return {"spec": self.spec, "official": self.official, **self.others}[protocol]


@dataclass(frozen=True, slots=True)
class Demo:
    """A bundled corpus with the outputs of some systems, all invented for this project.

    Args:
        title: a line about the scored annotations.
        gold: path of the gold standard in the corpus.
        systems: system name to the path of its output in the corpus.
        options: options of the challenge; a ``Path`` is relative to the corpus.
        headline: the number of tables to show if all demos are shown.

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
