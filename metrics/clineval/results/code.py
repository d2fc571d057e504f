"""The definition of a challenge as code: plain Python that reviewers read, and nothing calls."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from clineval.results.task import Task

_ROOT = Path(__file__).resolve().parents[2]
_SHARED = "clineval.definitions"


@dataclass(frozen=True, slots=True)
class CodeFile:
    """A file of a definition.

    Args:
        path: the file.
        name: its place, such as ``clineval/definitions/rates.py``.
    """

    path: Path
    name: str

    @property
    def text(self) -> str:
        """The code."""
        return self.path.read_text("utf-8")


def list_code(task: Task) -> list[CodeFile]:
    """List the files of a definition: the challenge's own, and the shared parts that it imports.

    Args:
        task: the description of the challenge.

    Returns:
        The files, the challenge's own first; none if it has no definition as code.

    Examples:
        >>> from clineval.results.registry import find_challenge
        >>> [file.path.name for file in list_code(find_challenge("distemist22").task)]
        ['definition.py', 'linked_spans.py', 'documents.py', 'rates.py']
    """
    waiting = [task.code] if task.code.is_file() else []
    known: dict[Path, CodeFile] = {}
    while waiting:
        path = waiting.pop(0)
        if path not in known:
            known[path] = CodeFile(path, _name(path))
            waiting += _list_shared(known[path].text)
    return list(known.values())


def _name(path: Path) -> str:
    inside = path.is_relative_to(_ROOT)
    return path.relative_to(_ROOT).as_posix() if inside else path.name


def _list_shared(text: str) -> Iterator[Path]:
    """Yield the shared parts that a file imports, in order."""
    for node in ast.walk(ast.parse(text)):
        module = node.module if isinstance(node, ast.ImportFrom) else None
        if module == _SHARED and isinstance(node, ast.ImportFrom):
            yield from (_find(f"{module}.{alias.name}") for alias in node.names)
        elif module and module.startswith(f"{_SHARED}."):
            yield _find(module)


def _find(module: str) -> Path:
    return _ROOT.joinpath(*module.split(".")).with_suffix(".py")
