"""A leaderboard as files: a page, Markdown and JSON."""

from __future__ import annotations

from pathlib import Path

from clineval.evaluation.leaderboard import Leaderboard
from clineval.formats.writing import write_files
from clineval.results.tables import as_html, as_json, as_markdown

_PAGE = """<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>Leaderboard</title>
<style>
:root {{ color-scheme: light dark; font-family: system-ui, sans-serif; line-height: 1.5 }}
body {{ margin: 2rem auto; max-width: 60rem; padding: 0 1rem }}
table {{ border-collapse: collapse; display: block; overflow-x: auto }}
caption {{ font-weight: bold; text-align: left; padding: .5rem 0 }}
th, td {{ border-bottom: 1px solid #8886; padding: .3rem .8rem; text-align: right }}
th:first-child {{ text-align: left }}
code {{ overflow-wrap: anywhere }}
</style>
<main>
{tables}
</main>
</html>
"""


def write_leaderboard(board: Leaderboard, folder: Path) -> list[Path]:
    """Write ``index.html``, ``README.md`` and ``leaderboard.json``.

    Args:
        board: the leaderboard.
        folder: the folder; it is created if it does not exist.

    Returns:
        The files.
    """
    sheet = board.sheet()
    files = {
        "index.html": _PAGE.format(tables=as_html(sheet)),
        "README.md": f"# Leaderboard\n\n{as_markdown(sheet)}\n",
        "leaderboard.json": f"{as_json(sheet)}\n",
    }
    write_files(folder, files.items())
    return [folder / name for name in files]
