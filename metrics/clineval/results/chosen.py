"""Some scores instead of all, such as the scores in a paper's table."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from clineval.results.described import Described
from clineval.results.options import check_name
from clineval.results.scores import Score, describe_score
from clineval.results.tables import Sheet, Table, format_value
from clineval.stats.cautions import explain_few


def choose_scores(score: Score, keys: Sequence[str]) -> Sheet:
    """Lay out chosen scores and counts, a row for each, like :meth:`Score.sheet`.

    Args:
        score: the scores of a system.
        keys: the scores to show; ``all`` alone stands for all of them.

    Raises:
        InputError: a score does not exist.

    Examples:
        >>> import clineval
        >>> mention = {"spans": [[4, 15]], "cui": "C0344720"}
        >>> score = clineval.score("semeval15_task14", [[mention]], [[mention]], config="task1")
        >>> choose_scores(score, ["strict_f1"]).data()["scores"]
        {'strict_f1': 1.0}
    """
    if list(keys) == ["all"]:
        return score.sheet()
    for key in keys:
        check_name("score", key, score.shown)
    chosen = list(dict.fromkeys(keys))
    score = replace(score, asked=tuple(chosen))
    return Sheet(
        lambda: [_tabulate(score, chosen)],
        lambda: _describe(score, chosen),
        lambda: _list(score, chosen),
        score.heading,
        score.signature_line,
        lambda: explain_few([key for key in chosen if key in score.few_units]),
        methods=lambda: describe_score(score, chosen),
    )


def _tabulate(score: Score, keys: Sequence[str]) -> Table:
    level = score.confidence
    head = ("score", *([f"{100 * level.level:g} %"] if level else []))
    shown = score.shown
    rows = (
        (key, format_value(shown[key]), *([score.format_interval(key)] if level else []))
        for key in keys
    )
    return Table("Scores", head, tuple(rows))


def _describe(score: Score, keys: Sequence[str]) -> Described:
    """Return these scores as :meth:`Score.sheet` describes them for programs."""
    data = score.describe()
    kept = {name for key in keys for name in (key, f"{key}_low", f"{key}_high")}
    data["scores"] = {key: value for key, value in data["scores"].items() if key in kept}
    if score.confidence:
        methods = data["interval_methods"]
        data["interval_methods"] = {key: methods[key] for key in keys if key in methods}
        data["few_units"] = [key for key in data["few_units"] if key in keys]
    return data


def _list(score: Score, keys: Sequence[str]) -> Iterator[Sequence[object]]:
    """Yield these scores as the lines of a spreadsheet, like :meth:`Score.sheet`."""
    kept = {name for key in keys for name in (key, f"{key}_low", f"{key}_high")}
    head, *lines = (score.sheet().lines or list)()
    yield head
    yield from (line for line in lines if line[0] in kept or line[0] in ("signature", "dataset"))
