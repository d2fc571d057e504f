"""Rewrite Markdown of GitHub for Python-Markdown: front matter, links, lists, formulas."""

from __future__ import annotations

import os.path
import posixpath
import re
from collections.abc import Mapping

import yaml

from assembly.formulas import set_formula

_FENCED = re.compile(r"(^```.*?^```$)", re.DOTALL | re.MULTILINE)
_FRONT_MATTER = re.compile(r"\A---\n(.*?)^---\n", re.DOTALL | re.MULTILINE)
_LINK = re.compile(r"(\[[^\]]*\]\()(?![a-z]+:|#)([^)\s#]+)(#[^)\s]*)?\)")
_NESTED = re.compile(r"^(  )(?=- )", re.MULTILINE)
_CODE_WITH_BAR = re.compile(r"`[^`\n]*\\\|[^`\n]*`")
_FLOORS = re.compile(r"^```mermaid\n(.*?)^```$", re.DOTALL | re.MULTILINE)
_FORMULA = re.compile(r"^\$\$\n(.*?)^\$\$$", re.DOTALL | re.MULTILINE)
_FLOOR = re.compile(r'\["<b>(.*?)</b><br>(.*?)"\]')


def rewrite(text: str, source: str, targets: Mapping[str, str]) -> str:
    """Return the text of a page for the site.

    Args:
        text: the text of the file.
        source: the path of the file in the repository.
        targets: the place in the site of each linked file of the repository.
    """
    front = _FRONT_MATTER.match(text)
    meta = yaml.safe_load(front[1]) if front else {}
    body = _FLOORS.sub(_draw_floors, text[front.end() :] if front else text)
    body = _FORMULA.sub(lambda formula: set_formula(formula[1]), body)
    parts = _FENCED.split(body)  # prose, code, prose, …
    parts[::2] = [_rewrite_prose(part, source, targets) for part in parts[::2]]
    kept = {name: meta[name] for name in ("description", "hide") if meta.get(name)}
    head = f"---\n{yaml.safe_dump(kept)}---\n" if kept else ""
    return head + "".join(parts)


def title_of(text: str) -> str:
    """Return the name of a page in the navigation: its heading up to a colon."""
    heading = re.search(r"^# (.*)$", _FENCED.sub("", text), re.MULTILINE)
    title = (heading[1] if heading else "?").partition(": ")[0].replace("`", "")
    challenge = re.fullmatch(r"Metric Card for (?:the )?(.*)", title)
    # labelled spans, but not i2b2 and eHealth
    return re.sub(r"^[a-z]+\b", lambda word: word[0].title(), challenge[1]) if challenge else title


def links_of(text: str, source: str) -> set[str]:
    """Return the files of the repository that a page links to."""
    return {
        _resolve(target, source)
        for part in _FENCED.split(text)[::2]
        for _, target, _ in _LINK.findall(part)
    }


def _rewrite_prose(text: str, source: str, targets: Mapping[str, str]) -> str:
    def lead_anew(link: re.Match[str]) -> str:
        target = targets[_resolve(link[2], source)]
        here = posixpath.dirname(targets[source])
        return f"{link[1]}{os.path.relpath(target, here or '.')}{link[3] or ''})"

    text = _LINK.sub(lead_anew, text)
    text = _NESTED.sub("    ", text)  # Python-Markdown indents by four spaces, GitHub by two
    # on GitHub a bar ends a cell even in code; Python-Markdown would show the backslash
    text = _CODE_WITH_BAR.sub(lambda code: code[0].replace(r"\|", "|"), text)
    return text.replace("<details>", '<details markdown="1">')


def _resolve(target: str, source: str) -> str:
    return posixpath.normpath(posixpath.join(posixpath.dirname(source), target))


def _draw_floors(picture: re.Match[str]) -> str:
    """Draw the layers of the core as a list, because Mermaid would load from another host."""
    floors = _FLOOR.findall(picture[1])
    rows = "".join(f"<li><b>{names}</b><br>{what}</li>" for names, what in floors)
    return f'<ol class="floors" reversed>{rows}</ol>'
