"""What the pages that Gradio serves have in common: uploaded files, and how they are served."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from clineval.base.errors import InputError
from clineval.base.files import make_directory, read_bytes, write_file


def store_uploads(uploads: Sequence[str], folder: Path, *, alone: bool) -> Path:
    """Copy uploaded files to a new directory.

    A single file that is given ``alone`` is scored itself; otherwise the directory is.

    Raises:
        InputError: files of one name, or a copy cannot be written.
    """
    names = [Path(upload).name for upload in uploads]
    if len(set(names)) < len(names):
        raise InputError("two files have the same name", remedy="Upload each document once")
    make_directory(folder)
    for upload, name in zip(uploads, names, strict=True):
        write_file(folder / name, read_bytes(upload))
    return folder / names[0] if alone and len(names) == 1 else folder


def serving_settings(gr: Any) -> dict[str, Any]:
    """Return how Gradio serves a page: not for other hosts, and nothing that advertises them."""
    # the system's fonts: the default theme's would come from another host
    theme = gr.themes.Base(font=("system-ui", "sans-serif"), font_mono=("monospace",))
    return {"ssr_mode": False, "footer_links": [], "theme": theme}


def mark_ready(page: Any) -> None:
    """Give a page's body the attribute ``data-ready`` once Gradio listens to all that is in it.

    What is clicked or uploaded before then can be lost.
    """
    page.load(None, js="() => { document.body.dataset.ready = 'true'; }")
