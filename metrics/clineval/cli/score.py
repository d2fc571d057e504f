"""``clineval score``: files in, a table or machine-readable scores out."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from clineval.cli import options as shared
from clineval.cli.answers import take_answers
from clineval.cli.options import CONFIDENCE, OUTPUT, argument, option, setting
from clineval.cli.several import Result, choose_options, find_challenges, print_all, refuse_options
from clineval.cli.standard_input import take_file
from clineval.cli.terminal import WIDE, lay_out, printing_to

if TYPE_CHECKING:  # help must not wait for NumPy
    from clineval.evaluation.evaluate import Evaluation
    from clineval.formats.tables.arrow import Column
    from clineval.results.challenge import Challenge
    from clineval.results.scores import Score
    from clineval.results.tables import Sheet
    from clineval.stats.confidence import Confidence

EVERY = "every-eval-ever"
"""The notation of results for the database of this name."""
_MOST_GROUPS = 40
"""The most groups that a terminal shows. The other notations have all groups."""


def score(
    module: shared.Modules,
    gold: shared.Gold,
    pred: Annotated[
        Path | None,
        argument(
            "Predictions: directory or file. Leave it out if one file has both sides. With "
            "--dataset, a single path is the predictions. One path can be -, JSON Lines from "
            "standard input.",
            callback=take_file,
        ),
    ] = None,
    config: shared.Config = "default",
    protocol: shared.ProtocolOption = shared.SPEC,
    dataset: shared.DatasetOption = None,
    format: Annotated[  # noqa: A002
        str,
        setting(
            OUTPUT,
            "Output format: table, json, csv, latex, markdown; methods, methods-markdown or "
            "methods-latex, the paragraph for a paper; every-eval-ever, the JSON of that database; "
            "or a layout of the challenge.",
            autocompletion=lambda: [*(of.value for of in shared.PaperNotation), EVERY],
        ),
    ] = "table",
    output: Annotated[
        Path | None, option(OUTPUT, "Write to this file instead of printing.", "--output", "-o")
    ] = None,
    per_document: Annotated[
        bool, setting(OUTPUT, "Also write the scores of each document.", "--per-document")
    ] = False,
    scores: Annotated[
        list[str] | None,
        option(
            OUTPUT,
            "The scores to show, separated by commas, such as strict_f1,lenient_f1; by default "
            "all.",
            "--score",
        ),
    ] = None,
    by: shared.By = None,
    train: shared.Train = None,
    sections: shared.SectionsOption = None,
    confidence: Annotated[
        float | None,
        option(
            CONFIDENCE,
            "Also compute confidence intervals of this level, such as 0.95.",
        ),
    ] = None,
    n_resamples: shared.Resamples = 1000,
    seed: shared.Seed = 12345,
    interval: shared.Interval = "auto",
    cluster: shared.Cluster = None,
    cluster_by: shared.ClusterBy = None,
    plot: shared.Plot = None,
    document: Annotated[
        str | None,
        option(OUTPUT, "For sections: the document whose edits --plot draws instead of scores."),
    ] = None,
    save_counts: Annotated[
        Path | None, option(OUTPUT, "Also write the counts, as JSON, to this file.")
    ] = None,
    references_column: shared.ReferencesColumn = None,
    predictions_column: shared.PredictionsColumn = None,
    id_column: shared.IdColumn = None,
    jobs: shared.Jobs = None,
    keep_going: shared.KeepGoing = None,
    **options: object,
) -> None:
    """Score predictions against a gold standard.

    Several metrics, such as clinical_spans,clinical_relations, score the same files one after the
    other. Each gets the options that it has; JSON is then a list of results.

    Exit status: 0 if scored, 2 for bad input or usage.

    [bold]Examples[/bold]

      clineval score semeval15_task14 gold/ predicted/

      clineval score semeval15_task14 gold/ predicted/ --config task1 --protocol official

      clineval score semeval15_task14 gold/ predicted/ --format json | jq .scores.strict_f1

      clineval score semeval15_task14 gold/ predicted/ --format json -o result.json

      clineval score semeval15_task14 gold/ predicted/ --score strict_f1 --format latex

      clineval score semeval15_task14 gold/ predicted/ --confidence 0.95

      clineval score semeval15_task14 gold/ predicted/ --confidence 0.95 --format methods

      clineval score semeval15_task14 gold/ predicted/ --confidence 0.95 --plot scores.svg

      clineval score semeval15_task14 gold/ predicted/ --by slot:negation

      clineval score clinical_spans,clinical_relations gold/ predicted/

      clineval score meddocan19 predicted/ --dataset meddocan19/test

      clineval score clinais23_b2 gold.json predicted.json --format clinais

      clineval score semeval15_task14 gold/ answers.jsonl --answers --text notes/

      clineval score semeval15_task14 notes.parquet --predictions-column tagger --jobs 2
    """
    from clineval.base.errors import located
    from clineval.base.files import reading_once
    from clineval.results.tables import WRITERS

    challenges = find_challenges(module)
    keys = shared.split_names(scores)
    whole = {
        "--per-document": per_document,
        "--plot": plot,
        "--keep-going": keep_going,
        "--score": keys,
    }
    _check_usage(by, [name for name, given in whole.items() if given], document)
    single = {"--dataset": dataset, "--plot": plot, "--keep-going": keep_going}
    if len(challenges) > 1:
        refuse_options({**single, "--save-counts": save_counts})
    if dataset:
        options = {**options, "dataset": dataset}
    if dataset and pred is None:
        from clineval.evaluation.corpora import find_gold

        pred = gold
        gold, more = find_gold(dataset)
        options = {**more, **options}
    columns = references_column, predictions_column
    if id_column and _name_ids(challenges, gold, pred, columns):
        options, id_column = {**options, "id_column": id_column}, None
    references, predictions = _open_paths(challenges, gold, pred, columns, id_column)
    own = len(challenges) == 1 and format not in ("table", *WRITERS)
    layout = _find_layout(format, challenges[0], (pred or gold).stem, keys) if own else None
    if own:
        _check_layout(format, {"--by": by, "--per-document": per_document, "--score": keys})
    if keys and per_document:
        raise typer.BadParameter("cannot be combined with --per-document", param_hint="--score")
    clusters = shared.choose_clusters(cluster, cluster_by)
    how = _choose_intervals(confidence, n_resamples, seed, interval, clusters)
    settings = {"config": config, "protocol": protocol}
    groups = (by, train, sections) if by else None
    call = _Call(
        references, predictions, (pred or gold).name, how, groups, per_document, jobs, keep_going
    )
    if len(challenges) > 1:
        with reading_once():
            results = [
                located(each.name, call.score, each, own_settings, format)
                for each in challenges
                for own_settings in [{**settings, **choose_options(each, options)}]
            ]
        show_result = print_all(results, keys, format, call.width)
    else:
        result = call.score(challenges[0], {**settings, **options}, format)
        show_result = (
            partial(typer.echo, layout(result.score, per_document=per_document))
            if layout
            else lay_out(result.lay_out(keys), format, call.width)
        )
    if save_counts:
        result.score.counts.save(save_counts)
    if plot:
        _draw(result.score, document, plot)
    with printing_to(output):
        show_result()


def _choose_intervals(
    level: float | None, n_resamples: int, seed: int, interval: str, clusters: object
) -> Confidence | None:
    if level is None:
        return None
    from clineval.stats.confidence import Confidence

    return Confidence(level, n_resamples, seed, interval, clusters)


def _find_layout(
    notation: str, challenge: Challenge, system: str, keys: Sequence[str]
) -> Callable[..., str]:
    """Find the function that writes a score in a notation of few faces, or of the challenge."""
    from clineval.base.escaping import write_json
    from clineval.hub.every_eval_ever import describe_run
    from clineval.results.grids import find_writer

    if notation != EVERY:
        return find_writer(notation, challenge)
    return lambda score, **_: write_json(describe_run(score, system, keys))


def _check_layout(notation: str, given: Mapping[str, object]) -> None:
    """Reject options that a notation of few faces, or of the challenge, would ignore."""
    taken = ("--score",) if notation == EVERY else ("--per-document",)
    for flag, value in given.items():
        if value and flag not in taken:
            raise typer.BadParameter(
                f"cannot be combined with --format {notation}", param_hint=flag
            )


@dataclass(frozen=True, slots=True)
class _Call:
    """The sides of a call, and how it scores them, whatever the metric.

    ``groups`` has the values of ``--by``, ``--train`` and ``--sections``.
    """

    references: Path | Column
    predictions: Path | Column
    system: str
    how: Confidence | None
    groups: tuple[str, Path | None, Path | None] | None
    per_document: bool
    jobs: int | None
    keep_going: Path | None

    @property
    def width(self) -> int:
        """The least width of tables."""
        return WIDE if self.groups or self.per_document else 0

    def score(self, challenge: Challenge, settings: Mapping[str, object], notation: str) -> Result:
        """Score with one metric."""
        from clineval.base.errors import hear_warnings
        from clineval.evaluation.counting.count import count_inputs
        from clineval.evaluation.evaluate import evaluate_inputs, make_setup
        from clineval.evaluation.inputs import open_inputs
        from clineval.results.scores import Score

        with hear_warnings() as warned:
            systems = {self.system: self.predictions}
            scored = take_answers(challenge.name, self.references, systems, settings)
            setup = make_setup(challenge.name, **scored.options)
            inputs = open_inputs(scored.references, list(scored.systems.values()), setup)
            if self.groups:
                [evaluation] = evaluate_inputs(setup, inputs)
                found = Score(evaluation.counts, self.how)
                by, *files = self.groups
                groups = shared.read_groupings(setup, *files)
                return Result(
                    found, lambda _: _group(evaluation, found, by, notation, groups), warned
                )
            tell = partial(shared.say_why_jobs_do_nothing, setup) if (self.jobs or 1) > 1 else None
            counts = count_inputs(setup, inputs, self.jobs, None, self.keep_going, tell=tell)
            found = Score(counts, self.how)
        return Result(found, partial(_choose, found, per_document=self.per_document), warned)


def _open_paths(
    challenges: Sequence[Challenge],
    gold: Path,
    predictions: Path | None,
    columns: tuple[str | None, str | None],
    id_column: str | None,
) -> tuple[Path | Column, Path | Column]:
    """Return both sides, Parquet files as columns of their tables.

    The predictions may be left out if one file has both sides. Challenges that read tables with
    several columns get the files.
    """
    from clineval.formats.tables.arrow import Column, is_parquet

    one_file = all(challenge.faces.one_file for challenge in challenges)
    if predictions is None and not (one_file or is_parquet(gold)):
        raise typer.BadParameter("Missing argument: the predictions", param_hint="PRED")
    paths = gold, predictions or gold
    if not any(map(is_parquet, paths)):
        names = *columns, id_column
        for role, name in zip(("references", "predictions", "id"), names, strict=True):
            if name is not None:
                raise typer.BadParameter("is for Parquet files", param_hint=f"--{role}-column")
    if id_column is None and _read_tables(challenges, predictions, columns):
        return paths
    references, found = (
        Column(path, name or "", id_column) if is_parquet(path) else path
        for path, name in zip(paths, columns, strict=True)
    )
    return references, found


def _read_tables(
    challenges: Sequence[Challenge], predictions: Path | None, columns: Sequence[str | None]
) -> bool:
    """Return whether challenges may read Parquet files themselves: no column of a side is named."""
    able = all(challenge.faces.tables is not None for challenge in challenges)
    return able and predictions is not None and not any(columns)


def _name_ids(
    challenges: Sequence[Challenge],
    gold: Path,
    predictions: Path | None,
    columns: Sequence[str | None],
) -> bool:
    """Return whether an option of a challenge names the column of documents in these files."""
    from clineval.formats.tables.arrow import is_parquet

    names = {option.name for challenge in challenges for option in challenge.options}
    named = _read_tables(challenges, predictions, columns) or not is_parquet(gold)
    return "id_column" in names and named


def _check_usage(by: str | None, given: Sequence[str], document: str | None) -> None:
    """Reject options that cannot be combined. Those in ``given`` need the whole corpus."""
    if by and given:
        raise typer.BadParameter(f"cannot be combined with {given[0]}", param_hint="--by")
    if document and "--plot" not in given:
        raise typer.BadParameter("is for --plot", param_hint="--document")


def _draw(result: Score, document: str | None, path: Path) -> None:
    """Draw the scores, or the edits of a document."""
    from clineval.evaluation import plots
    from clineval.results.pictures.figures import save

    save(plots.plot_edits(result, document) if document else plots.plot_score(result), path)


def _choose(result: Score, keys: Sequence[str], *, per_document: bool) -> Sheet:
    """Lay out all scores, or those with the given keys."""
    from clineval.results.chosen import choose_scores

    return choose_scores(result, keys) if keys else result.sheet(per_document=per_document)


def _group(
    evaluation: Evaluation, result: Score, by: str, notation: str, groupings: shared.Groupings
) -> Sheet:
    """Lay out the scores of groups instead of the whole corpus."""
    from clineval.evaluation.analysis.breakdown import add_intervals, break_down
    from clineval.results.options import check_name
    from clineval.results.tables import WRITERS

    check_name("format of groups", notation, ("table", *WRITERS))
    breakdown = break_down(evaluation.outcomes, by, **groupings)
    if result.confidence:
        breakdown = add_intervals(breakdown, result)
    most = _MOST_GROUPS if notation == "table" else None
    return breakdown.sheet(result, most)
