"""``clineval demo``: systems on bundled corpora."""

from __future__ import annotations

import shutil
from collections.abc import Mapping
from dataclasses import dataclass, field
from importlib.util import find_spec
from pathlib import Path
from typing import Annotated, Any

import typer

from clineval.cli.score import Protocol, complete_metric
from clineval.errors import InputError
from clineval.registry import find_challenge

CORPORA = Path(__file__).resolve().parent.parent / "demo"


@dataclass(frozen=True, slots=True)
class Demo:
    """A bundled corpus with the outputs of some systems; all of it invented for this project.

    Args:
        module: the metric; the corpus is the folder of that name.
        title: what is scored, in a line.
        gold: path of the gold standard in the corpus.
        systems: system name to the path of its output in the corpus.
        options: options of the metric; a Path is a path in the corpus.
        headline: how many tables are shown when all demos are.
        needs: a package of an extra; without it the demo is left out when all are shown.
    """

    module: str
    title: str
    gold: str
    systems: Mapping[str, str]
    options: Mapping[str, Any] = field(default_factory=dict)
    headline: int = 3
    needs: str = ""

    def can_show(self, protocol: Protocol) -> bool:
        """Whether the metric has this protocol, and all that it needs is installed."""
        installed = not self.needs or find_spec(self.needs) is not None
        return installed and protocol.value in find_challenge(self.module).protocols


DEMOS = (
    Demo(
        "semeval15_task14",
        "SemEval-2015 Task 14: a dictionary and a tagger on 24 notes",
        "gold",
        {"dictionary": "dictionary", "tagger": "tagger"},
    ),
    Demo(
        "clefehealth13_task1",
        "ShARe/CLEF eHealth 2013 Task 1: the same notes and systems in that lab's format",
        "gold.pipe",
        {"dictionary": "dictionary.pipe", "tagger": "tagger.pipe"},
    ),
    Demo(
        "clefehealth13_task2",
        "ShARe/CLEF eHealth 2013 Task 2: the abbreviations of these notes",
        "gold.pipe",
        {"dictionary": "dictionary.pipe", "first sense": "first_sense.pipe"},
    ),
    Demo(
        "clefehealth13_task3",
        "ShARe/CLEF eHealth 2013 Task 3: two runs on 8 topics",
        "qrels.txt",
        {"run 1": "team.run1.txt", "run 2": "team.run2.txt"},
        headline=1,
        needs="pytrec_eval",
    ),
    Demo(
        "clinais23_b2",
        "ClinAIS 2023: a classifier of windows and a tagger on 6 notes in Spanish",
        "gold.json",
        {"windows": "windows.json", "tagger": "tagger.json"},
    ),
    Demo(
        "i2b2_2009_medication",
        "i2b2 2009 medication challenge: rules and a tagger on 10 records",
        "gold",
        {"rules": "rules", "tagger": "tagger"},
        {"records": Path("records")},
        headline=1,
    ),
)


def demo(
    module: Annotated[
        str | None,
        typer.Argument(
            help="Show all tables of this metric; otherwise the main ones of all metrics.",
            autocompletion=complete_metric,
            show_default=False,
        ),
    ] = None,
    copy: Annotated[
        Path | None,
        typer.Option(help="Copy the corpora to this directory, to play with.", show_default=False),
    ] = None,
    protocol: Annotated[Protocol, typer.Option(help="Whose rules count.")] = Protocol.spec,
) -> None:
    """Score systems on corpora that were written for this project: no real patient.

    [bold]Examples[/bold]

      clineval demo

      clineval demo semeval15_task14 --copy here/
    """
    chosen = [shown for shown in DEMOS if module in (None, shown.module)]
    if not chosen:
        names = ", ".join(known.module for known in DEMOS)
        raise InputError(f"there is no demo of that name, expected one of {names}")
    if not module:
        chosen = [known for known in chosen if known.can_show(protocol)]
    corpora = _copy_corpora(copy) if copy else CORPORA
    for shown in chosen:
        _show(shown, protocol, None if module else shown.headline)
    _show_next_steps(chosen[0], corpora)


def _show(shown: Demo, protocol: Protocol, most: int | None) -> None:
    from rich.console import Console

    from clineval.report.tables import compare_tables, print_table
    from clineval.scoring import score

    corpus = CORPORA / shown.module
    options = _options_in(corpus, shown)
    scores = {
        name: score(
            shown.module,
            corpus / path,
            corpus / shown.gold,
            protocol=protocol.value,
            **options,
        )
        for name, path in shown.systems.items()
    }
    console = Console(highlight=False)
    console.rule(shown.title, align="left", style="dim")
    for table in list(compare_tables(scores))[:most]:
        print_table(console, table)
    console.print()
    for name, result in scores.items():
        console.print(f"{name}: {result.signature}", style="dim", soft_wrap=True)
    console.print()


def _options_in(corpus: Path, shown: Demo) -> dict[str, Any]:
    """The options of a demo, with the paths where the corpus is."""
    return {
        name: corpus / value if isinstance(value, Path) else value
        for name, value in shown.options.items()
    }


def _copy_corpora(target: Path) -> Path:
    if target.exists():
        raise InputError("already exists", where=str(target), remedy="Give a new directory")
    return Path(shutil.copytree(CORPORA, target))


def _show_next_steps(shown: Demo, corpora: Path) -> None:
    from rich.console import Console

    corpus = corpora / shown.module
    console = Console(highlight=False)
    console.print("Where to look next", style="bold")
    options = "".join(f" --{name} {value}" for name, value in _options_in(corpus, shown).items())
    own = f"clineval score {shown.module} {corpus / shown.gold} MY_OUTPUT{options}"
    steps = {
        "the notes, the gold standard, the systems": corpus,
        "all tables of one metric": f"clineval demo {shown.module}",
        "your own system": own,
        "what the scores mean": f"clineval describe {shown.module}",
        "in a training loop": f'evaluate.load("{shown.module}")',
    }
    for step, command in steps.items():
        console.print(f"  {step + ':':<43}{command}", soft_wrap=True)
