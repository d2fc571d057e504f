"""The tables of the page on signatures, from the declarations of the fields."""

from __future__ import annotations

import json
import re
import sys
from dataclasses import asdict
from pathlib import Path

from clineval.results.comparable import find_settings
from clineval.results.registry import NAMES, find_challenge
from clineval.results.settings import GENERAL, Setting

PAGE = Path(__file__).parents[2] / "metrics" / "clineval" / "results" / "README.md"
MARK = "<!-- comparable -->"
"""The place of the form on the site's page."""
_FORM = """
<form id="comparable" class="comparable">
<label>First signature <textarea name="first" rows="3" spellcheck="false"></textarea></label>
<label>Second signature <textarea name="second" rows="3" spellcheck="false"></textarea></label>
<p role="status"><strong id="comparable-answer"></strong></p>
<table id="comparable-fields"></table>
</form>
<script type="application/json" id="comparable-rules">{data}</script>
"""
_TABLE = re.compile(r"^\| field \|.*\n(?:\|.*\n)*", re.MULTILINE)
_DIFFERS = {
    "no": "no",
    "yes": "yes",
    "docs": "only if `refs` agrees",
    "version": "yes, unless the [changelog](../../../CHANGELOG.md) lists a changed score of the "
    "metric between the two versions",
}


def write_general() -> str:
    """Return the table of the fields that every metric can have."""
    rows = (f"| `{each.name}` | {each.meaning} | {_differs(each)} |" for each in GENERAL)
    return "\n".join(["| field | meaning | may it differ? |", "|---|---|---|", *rows])


def _differs(setting: Setting) -> str:
    remark = f"; {setting.remark}" if setting.remark else ""
    return _DIFFERS[setting.may_differ] + remark


def write_own() -> str:
    """Return the table of the fields of metrics; equal fields have one row."""
    metrics: dict[Setting, list[str]] = {}
    for name in NAMES:
        for setting in find_challenge(name).own_settings:
            metrics.setdefault(setting, []).append(f"`{name}`")
    rows = (
        f"| `{each.name}` | {', '.join(names)} | {each.meaning} |"
        for each, names in sorted(metrics.items(), key=lambda item: item[0].name)
    )
    return "\n".join(["| field | metrics | meaning |", "|---|---|---|", *rows])


def with_tables(page: str) -> str:
    """Return the page with its two tables, as the declarations have them."""
    tables = iter((write_general(), write_own()))
    return re.sub(
        r"^\| field \|.*?(?=^[^|]|\Z)",
        lambda _: f"{next(tables)}\n",
        page,
        flags=re.MULTILINE | re.DOTALL,
    )


def write_form() -> str:
    """Return the form that compares two signatures, and the rules of all metrics."""
    rules = {name: [asdict(each) for each in find_settings(name).values()] for name in NAMES}
    data = json.dumps(rules, ensure_ascii=False).replace("<", "\\u003c")
    return _FORM.format(data=data)


if __name__ == "__main__":
    PAGE.write_text(with_tables(PAGE.read_text("utf-8")), "utf-8")
    sys.stdout.write(f"{PAGE}\n")
