"""What the pages that Gradio serves have in common: uploaded files, and how they are served."""

from __future__ import annotations

import shutil
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from clineval.challenge import Challenge
from clineval.errors import InputError


def store_uploads(uploads: Sequence[str], folder: Path, *, alone: bool) -> Path:
    """Copy uploaded files to a new directory.

    Args:
        uploads: the paths that Gradio gives.
        folder: the directory, which is made.
        alone: whether a single file is given as a file; otherwise its directory is. See
            :func:`takes_single_files`.

    Returns:
        What to score.

    Raises:
        InputError: files of one name.
    """
    names = [Path(upload).name for upload in uploads]
    if len(set(names)) < len(names):
        raise InputError("two files have the same name", remedy="Upload each document once")
    folder.mkdir(parents=True)
    for upload, name in zip(uploads, names, strict=True):
        shutil.copy(upload, folder / name)
    return folder / names[0] if alone and len(names) == 1 else folder


def takes_single_files(challenge: Challenge) -> bool:
    """Whether a side may be one file; entries are named by their file's name in a directory."""
    return "records" not in challenge.options


def serving_settings(gr: Any) -> dict[str, Any]:
    """What ``launch`` takes: no public link, no other host, and nothing that advertises either.

    Args:
        gr: the module ``gradio``.
    """
    # the system's fonts: the default theme's would come from another host
    theme = gr.themes.Base(font=("system-ui", "sans-serif"), font_mono=("monospace",))
    return {"share": False, "ssr_mode": False, "footer_links": [], "theme": theme}
