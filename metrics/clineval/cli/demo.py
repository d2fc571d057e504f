"""``clineval demo``: score systems on bundled corpora."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from importlib.util import find_spec
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from clineval.base.errors import InputError, unknown_name, warn
from clineval.base.files import (
    copy_directory,
    is_directory,
    is_file,
    is_there,
    name_path,
    read_bytes,
)
from clineval.cli.options import SPEC, argument, complete_metric, complete_protocol, option
from clineval.results.registry import all_challenges

if TYPE_CHECKING:  # the command line's help must not wait for NumPy
    from clineval.results.challenge import Challenge
    from clineval.results.task import Demo


def list_demos() -> list[Challenge]:
    """List the challenges with a demo, first those that need no options."""
    found = [challenge for challenge in all_challenges() if challenge.demo]
    return sorted(found, key=lambda challenge: bool(_demo_of(challenge).options))


def can_show(challenge: Challenge, protocol: str) -> bool:
    """Return whether the challenge has this protocol and its packages are installed."""
    installed = not challenge.faces.needs or find_spec(challenge.faces.needs[0]) is not None
    return installed and protocol in challenge.protocols


def _demo_of(challenge: Challenge) -> Demo:
    if challenge.demo is None:
        raise InputError(f"{challenge.name} has no demo")
    return challenge.demo


def demo(
    module: Annotated[
        str | None,
        argument(
            "The metric whose tables are shown; by default the main tables of all metrics.",
            autocompletion=complete_metric,
        ),
    ] = None,
    copy: Annotated[
        Path | None,
        option(
            None,
            "Copy the corpora, or only the corpus of MODULE, to this directory, to play with. It "
            "must be new, empty or an earlier copy. An earlier copy gets the files that it lacks.",
        ),
    ] = None,
    protocol: Annotated[
        str,
        typer.Option(
            help="The rules: spec, official, or another protocol of the metric.",
            metavar="NAME",
            autocompletion=complete_protocol,
        ),
    ] = SPEC,
) -> None:
    """Score systems on corpora that were written for this project, without any real patient.

    [bold]Examples[/bold]

      clineval demo

      clineval demo semeval15_task14 --copy here/
    """
    demos = list_demos()
    chosen = [challenge for challenge in demos if module in (None, challenge.name)]
    if not chosen:
        raise unknown_name("demo", module, [challenge.name for challenge in demos])
    if not module:
        chosen = [challenge for challenge in chosen if can_show(challenge, protocol)]
    if copy:
        copy_corpora(copy, [module] if module else None)
    for challenge in chosen:
        _show(challenge, protocol, whole=module is not None)
    first = chosen[0]
    _show_next_steps(first, copy / first.name if copy else first.task.corpora)


def _show(challenge: Challenge, protocol: str, *, whole: bool) -> None:
    from rich.console import Console

    from clineval.evaluation.evaluate import evaluate_systems
    from clineval.results.tables import print_table, stack_tables, text_of

    shown, corpus = _demo_of(challenge), challenge.task.corpora
    systems = {name: corpus / path for name, path in shown.systems.items()}
    setup = challenge.setup("default", protocol, _options_in(corpus, shown))
    evaluations = evaluate_systems(setup, systems, corpus / shown.gold)
    scores = {name: evaluation.score() for name, evaluation in evaluations.items()}
    console = Console(highlight=False)
    console.rule(shown.title, align="left", style="dim")
    tables = list(stack_tables({name: score.tables for name, score in scores.items()}))
    for table in tables if whole else tables[: shown.headline]:
        print_table(console, table)
    console.print()
    for name, result in scores.items():
        console.print(
            text_of(f"{name}: {result.signature_line}"),
            style="dim",
            soft_wrap=True,
        )
    console.print()


def _options_in(corpus: Path, shown: Demo) -> dict[str, object]:
    """Return the options of a demo, with paths in the folder of the corpus."""
    return {n: corpus / v if isinstance(v, Path) else v for n, v in shown.options.items()}


def copy_corpora(target: Path, names: Sequence[str] | None = None) -> None:
    """Copy corpora to a new or empty directory, or to an earlier copy, whose files stay.

    Args:
        target: the directory.
        names: the names of the challenges whose corpora are copied; None for all.
    """
    demos = {challenge.name: challenge.task.corpora for challenge in list_demos()}
    if not _may_be_copied_to(target, demos):
        remedy = "Pass a new or empty directory, or an earlier copy of a demo"
        raise InputError("already exists", where=name_path(target), remedy=remedy)
    corpora = demos if names is None else {name: demos[name] for name in names}
    files = dict(chain.from_iterable(map(_list_files, corpora, corpora.values())))
    there = [path for path in files if is_file(target / path)]
    changed = [p.as_posix() for p in there if read_bytes(target / p) != files[p].read_bytes()]
    warn(
        "{n} {file of the copy differs|files of the copy differ} from the demo's: {names}", changed
    )
    for name, corpus in corpora.items():
        copy_directory(corpus, target / name)


def _may_be_copied_to(target: Path, demos: Mapping[str, Path]) -> bool:
    """Return whether a path is free, is an empty directory, or has a file of an earlier copy."""
    if not is_there(target):
        return True
    files = chain.from_iterable(map(_list_files, demos, demos.values()))
    return is_directory(target) and (
        not any(target.iterdir()) or any(is_file(target / path) for path, _ in files)
    )


def _list_files(name: str, corpus: Path) -> Iterator[tuple[Path, Path]]:
    """Yield the files of a corpus: for each, its path in a copy and its path."""
    for path in corpus.rglob("*"):
        if path.is_file():
            yield Path(name) / path.relative_to(corpus), path


def _show_next_steps(challenge: Challenge, corpus: Path) -> None:
    from rich.console import Console

    from clineval.results.tables import text_of

    shown, name = _demo_of(challenge), challenge.name
    console = Console(highlight=False)
    console.print("Where to look next", style="bold")
    options = "".join(f" --{name} {value}" for name, value in _options_in(corpus, shown).items())
    steps = {
        "the notes, the gold standard, the systems": corpus,
        "all tables of one metric": f"clineval demo {name}",
        "your own system": f"clineval score {name} {corpus / shown.gold} MY_OUTPUT{options}",
        "what the scores mean": f"clineval describe {name}",
        "in a training loop": f'evaluate.load("{name}")',
    }
    for step, command in steps.items():
        console.print(text_of(f"  {step + ':':<43}{command}"), soft_wrap=True)
