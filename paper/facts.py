"""Compute the numbers of the paper, and write them into it: ``.venv/bin/python paper/facts.py``.

A number stands between two comments, which no reader of the printed paper sees: the first has the
name of a fact, the second is empty.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from pathlib import Path

import scores

from clineval.results.known.published import Collection, Run, list_published
from clineval.results.registry import NAMES, find_challenge

ROOT = Path(__file__).resolve().parents[1]
PAPER = ROOT / "paper" / "paper.md"
OTHERS = ROOT / "hub_cards" / "other_scorers" / "README.md"
OWN = "clinical_"
"""The beginning of the names of modules that belong to no challenge, and follow no program."""
FREE = "all_correct+files_not_in_gs"
"""The published run with documents that the gold standard lacks."""

EXAMPLES = {
    "snomed_nan": ("SNOMED CT entity linking", "the short span first"),
    "snomed": ("SNOMED CT entity linking", "another order"),
    "chemo": ("ChemoTimelines", "a wrong relation"),
    "dragon": ("dragon_eval", "a new label"),
    "tieval": ("tieval", "precision is recall"),
}
"""Fact to the section and the example of a scorer on the page about other scorers."""

NUMBER = re.compile(r"<!--(\w+)-->.*?<!---->")
_EXAMPLE = re.compile(r"^\| (?!example |---).*\|$", re.MULTILINE)


def compute_facts() -> dict[str, str]:
    """Return each number of the paper by the name of its fact, as it is printed.

    What other scorers do is counted on the page about them, results in those that were reproduced.
    """
    challenges = [find_challenge(name) for name in NAMES]
    collections = tuple(one for of in challenges for one in list_published(of))
    parts = [part for part in OTHERS.read_text("utf-8").split("\n## ") if _EXAMPLE.search(part)]
    officials = {of.name for of in challenges if "official" in of.protocols}
    own = [name for name in NAMES if name.startswith(OWN) and name not in officials]
    return {
        "challenges": str(len(NAMES) - len(own)),
        "own": str(len(own)),
        "officials": str(len(officials)),
        "rules": str(sum(len(challenge.differences) for challenge in challenges)),
        "examples": str(sum(len(_EXAMPLE.findall(part)) for part in parts)),
        "scorers": str(len(parts)),
        **_count_results(collections),
        **{name: _print(value) for name, value in scores.score_all().items()},
        **_read_examples(parts),
    }


def write_facts(text: str, facts: Mapping[str, str]) -> str:
    """Return a text with each number as the facts have it.

    Raises:
        KeyError: the text names a fact that there is not.
    """
    return NUMBER.sub(lambda found: f"<!--{found[1]}-->{facts[found[1]]}<!---->", text)


def _count_results(collections: tuple[Collection, ...]) -> dict[str, str]:
    runs = [run for of in collections for ranking in of.rankings for run in ranking.runs]
    computed = [run for run in runs if run.official]
    [free] = [run for run in computed if run.run == FREE]
    return {
        "published": str(len(runs)),
        "collections": str(len(collections)),
        "computed": str(len(computed)),
        "same": str(sum(run.agrees for run in computed)),
        "free_official": _ranking_score(free, free.official),
        "free_spec": _ranking_score(free, free.spec),
    }


def _print(value: float | str) -> str:
    return f"{value:.3f}" if isinstance(value, float) else str(value)


def _read_examples(parts: Sequence[str]) -> dict[str, str]:
    """Return what a scorer prints for an example, and what clineval gives."""
    facts = {}
    for name, (section, example) in EXAMPLES.items():
        [part] = [part for part in parts if part.startswith(f"{section}\n")]
        [row] = [row for row in _EXAMPLE.findall(part) if row.startswith(f"| {example} |")]
        facts[name], facts[f"{name}_spec"] = row.split(" | ")[-3:-1]
    return facts


def _ranking_score(run: Run, scores: Mapping[str, float]) -> str:
    return f"{scores[next(iter(run.published))]:.3f}"


if __name__ == "__main__":
    PAPER.write_text(write_facts(PAPER.read_text("utf-8"), compute_facts()), "utf-8")
