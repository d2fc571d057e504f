"""Write documents with annotations other than mentions, for conversion."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from pathlib import Path

from clineval.base.errors import InputError, warn
from clineval.base.files import name_path, write_file
from clineval.base.progress import track
from clineval.results.listed import Listed


def write_lines(lines: Iterable[dict[str, object]], path: Path) -> None:
    """Write a line of JSON for each document."""
    write_file(
        path,
        "".join(
            json.dumps(line, ensure_ascii=False) + "\n" for line in track(list(lines), "formatting")
        ),
    )


def refuse_ending(path: Path, items: str, endings: Sequence[str]) -> InputError:
    """Return the error for a file name whose ending does not identify a format."""
    problem = f"{items} can only be written to {' or '.join(endings)} files"
    return InputError(problem, where=name_path(path))


def warn_of_evidence(documents: Iterable[Listed]) -> None:
    """Warn that a format cannot contain the evidence of classes."""
    contents = ((of.name or "", of.content) for of in documents)
    names = [name for name, held in contents if isinstance(held, dict) and _has_evidence(held)]
    problem = "the evidence of {n} {document|documents} is left out: write .jsonl to keep it"
    warn(f"{problem}: {{names}}", names)


def _has_evidence(content: dict[str, object]) -> bool:
    return isinstance(content.get("evidence"), dict)


def warn_of_texts(documents: Iterable[Listed]) -> None:
    """Warn that a format cannot contain the texts of documents."""
    names = [document.name or "" for document in documents if document.text is not None]
    warn("the texts of {n} {document|documents} are left out: write .jsonl to keep them", names)


def warn_of_left_out(documents: Iterable[Listed]) -> None:
    """Issue the warnings about annotations that are not scored, one for all documents."""
    names: dict[str, list[str]] = {}
    for document in documents:
        for template in document.left_out:
            names.setdefault(template, []).append(document.name or "(no name)")
    for template, of in names.items():
        warn(template, of)
