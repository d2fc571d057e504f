"""The definition of a challenge as code, which the site shows below its card."""

from __future__ import annotations

from pathlib import Path

from clineval.results.code import CodeFile, list_code
from clineval.results.registry import NAMES, find_challenge

_SECTION = """
## The definition as code

This file computes the scores in plain Python. The tests compare it with the package, on random data
and on the demo. `clineval describe {name} --code` prints it.

{own}
{shared}"""


def write_code(source: str) -> str:
    """Return the section with the code of a challenge.

    Args:
        source: the path of a page in the repository.

    Returns:
        The section in Markdown; an empty string for a page that is no card of a challenge.
    """
    name = Path(source).parent.name
    if source != f"hub_cards/{name}/README.md" or name not in NAMES:
        return ""
    own, *shared = list_code(find_challenge(name).task)
    parts = "".join(map(_fold, shared))
    return _SECTION.format(name=name, own=_fence(own), shared=parts)


def _fence(file: CodeFile) -> str:
    return f"```python\n{file.text}```\n"


def _fold(file: CodeFile) -> str:
    summary = f"<summary>Shared part: <code>{file.name}</code></summary>"
    return f'\n<details markdown="1">{summary}\n\n{_fence(file)}\n</details>\n'
