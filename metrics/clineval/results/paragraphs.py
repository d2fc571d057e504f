"""Paragraphs for a paper, with names in a typewriter's font and citations, in three notations."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from clineval.base.escaping import in_latex, in_markdown, visible


@dataclass(frozen=True, slots=True)
class Code:
    """A name or a signature, which is written as it is, in a typewriter's font."""

    text: str


@dataclass(frozen=True, slots=True)
class Cite:
    """Citations.

    Args:
        keys: the keys of BibTeX entries.
    """

    keys: tuple[str, ...]


Part = str | Code | Cite
Sentence = tuple[Part, ...]


@dataclass(frozen=True, slots=True)
class Methods:
    """A paragraph for a paper.

    Args:
        sentences: its sentences, each in parts.
        citations: the BibTeX entries that it cites.
    """

    sentences: tuple[Sentence, ...]
    citations: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ParagraphNotation:
    """How the parts of a paragraph are written.

    Args:
        text: writes words.
        code: writes a name.
        cite: writes citations.
        entries: writes BibTeX entries.
    """

    text: Callable[[str], str]
    code: Callable[[str], str]
    cite: Callable[[Sequence[str]], str]
    entries: Callable[[str], str]

    def write(self, methods: Methods) -> str:
        """Write a paragraph, and the entries that it cites."""
        sentences = ("".join(map(self._write, parts)) for parts in methods.sentences)
        entries = self.entries("\n\n".join(methods.citations))
        return f"{' '.join(sentences)}\n\n{entries}"

    def _write(self, part: Part) -> str:
        if isinstance(part, Code):
            return self.code(part.text)
        return f" {self.cite(part.keys)}" if isinstance(part, Cite) else self.text(part)


def _as_comment(entries: str) -> str:
    return "\n".join(f"% {line}".rstrip() for line in entries.splitlines())


PARAGRAPHS: Mapping[str, ParagraphNotation] = {
    "methods": ParagraphNotation(visible, visible, lambda keys: f"[{', '.join(keys)}]", str),
    "methods-markdown": ParagraphNotation(
        in_markdown,
        lambda text: f"`{visible(text)}`",
        lambda keys: f"[{'; '.join(f'@{key}' for key in keys)}]",
        lambda entries: f"```bibtex\n{entries}\n```",
    ),
    "methods-latex": ParagraphNotation(
        in_latex,
        lambda text: f"\\texttt{{{in_latex(text)}}}",
        lambda keys: f"\\cite{{{','.join(keys)}}}",
        _as_comment,
    ),
}
"""The notations of paragraphs."""
