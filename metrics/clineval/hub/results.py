"""Results on model cards: convert the JSON of ``clineval score`` to the Hub's metadata."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from clineval.base.errors import InputError, shown
from clineval.base.files import (
    is_there,
    make_directory,
    name_path,
    read_json,
    real_path,
    write_file,
)
from clineval.formats.files import read_text
from clineval.formats.writing import name_file, write_files
from clineval.hub import import_hub
from clineval.results.options import check_name
from clineval.results.registry import find_challenge
from clineval.results.scores import Score
from clineval.results.signature import Signature

if TYPE_CHECKING:
    from huggingface_hub import EvalResult


def to_eval_results(  # noqa: PLR0913 - the fields of the Hub's metadata
    scores: Score | Mapping[str, object],
    *,
    dataset: str,
    dataset_name: str | None = None,
    split: str | None = None,
    keys: Sequence[str] | None = None,
    source_url: str | None = None,
) -> list[EvalResult]:
    """Return scores as entries of a model card's metadata, each with the signature.

    Args:
        scores: a :class:`~clineval.Score`, the dict that an evaluate module returned, or the
            object that ``clineval score --format json`` prints.
        dataset: the data set's name on the Hub, such as ``owner/name``.
        dataset_name: the readable name of the data set; by default ``dataset``.
        split: the split, such as ``test``.
        keys: the scores to show; by default the headline scores of the metric's first table.
        source_url: the address of the source of the results.

    Returns:
        One ``huggingface_hub.EvalResult`` for each key.

    Raises:
        InputError: scores have no signature, a key is unknown, or ``huggingface_hub`` is missing.

    Examples:
        >>> import clineval
        >>> gold = [[{"spans": [[4, 15]], "cui": "C0344720"}]]
        >>> score = clineval.score("semeval15_task14", gold, gold, config="task1")
        >>> results = to_eval_results(score, dataset="me/notes", split="test")
        >>> [(result.metric_name, result.metric_value) for result in results][2]
        ('strict_f1', 1.0)
        >>> results[0].metric_args["signature"][:40]
        'semeval15_task14|task1|protocol:spec|ove'
    """
    hub = import_hub()
    values, text = _read(scores)
    signature = Signature.parse(text)
    challenge = find_challenge(signature.metric)
    chosen = list(keys) if keys else _headline(signature.metric, values)
    for key in chosen:
        check_name("score", key, values)
    return [
        hub.EvalResult(
            task_type=challenge.kind_of(signature.config).hub_task,
            task_name=challenge.task.title,
            dataset_type=dataset,
            dataset_name=dataset_name or dataset,
            dataset_split=split,
            metric_type=signature.metric,
            metric_name=key,
            metric_config=signature.config,
            metric_value=values[key],
            metric_args={"signature": text},
            source_name="clineval" if source_url else None,
            source_url=source_url,
        )
        for key in chosen
    ]


def read_result(path: Path) -> Mapping[str, object]:
    """Read a file written by ``clineval score --format json``.

    Raises:
        InputError: the file does not exist, or has other content.
    """
    remedy = "Create it: clineval score ... --format json -o RESULT.json"
    result = read_json(path, "a file with one JSON object", remedy)
    if not isinstance(result, dict):
        raise InputError(f"expected one JSON object, got {shown(result)}", where=name_path(path))
    return result


def write_to_card(
    path: Path, results: Iterable[EvalResult], *, model: str | None = None
) -> list[str]:
    """Write results to a model card's metadata; replace earlier values of the same scores.

    Args:
        path: the card; it is created if it does not exist.
        results: the results of :func:`to_eval_results`.
        model: the model's name; by default the name in the card, or the name of its directory.

    Returns:
        The scores that are new or changed.

    Raises:
        InputError: the card's metadata cannot be read, or the card cannot be written.
    """
    name = model or real_path(path).parent.name
    card = _open_card(path, name)
    known: list[EvalResult] = list(card.data.eval_results or [])
    before = {_identity(result): result.metric_value for result in known}
    new = {_identity(result): result for result in results}
    kept = [result for result in known if _identity(result) not in new]
    card.data.model_name = model or card.data.model_name or name
    card.data.eval_results = [*kept, *new.values()]
    make_directory(path.parent)
    write_file(path, str(card))
    return [r.metric_name or "" for key, r in new.items() if before.get(key) != r.metric_value]


def _open_card(path: Path, name: str) -> Any:
    """Open the model card of a file; a new one if there is none."""
    from yaml import YAMLError

    text = read_text(path) if is_there(path) else f"---\n{{}}\n---\n# {name}\n"
    try:
        return import_hub().ModelCard(text)
    except (YAMLError, ValueError, TypeError, LookupError, AttributeError):
        raise InputError(
            "the metadata between the lines --- are not YAML, or have an invalid model-index",
            where=name_path(path),
            remedy="Correct them, or delete them to create new ones",
        ) from None


def write_eval_results(
    card: Path, results: Sequence[EvalResult], *, task: str = "default", main: bool = True
) -> list[Path]:
    """Write results beside a model card as the Hub's evaluation results, ``.eval_results/*.yaml``.

    The Hub shows them on the model's page and on the leaderboard of the data set. Each score has
    its own file, with the score's name and the signature as notes. Existing files are replaced.

    Args:
        card: the model card.
        results: the results of :func:`to_eval_results`.
        task: the task of the data set; each task has a leaderboard.
        main: whether to write only the challenge's main score, because a leaderboard shows one
            number for each system.

    Returns:
        The files.

    Raises:
        InputError: ``huggingface_hub`` is too old to support evaluation results.
    """
    hub = import_hub()
    if not hasattr(hub, "EvalResultEntry"):
        raise InputError(
            "huggingface_hub has no EvalResultEntry", remedy="pip install -U huggingface_hub"
        )
    paths = []
    if main:  # the first score of the challenge's headline, or else the first score
        found = {result.metric_name: result for result in results}
        headline = find_challenge(results[0].metric_type).measures.headline
        results = [next((found[key] for key in headline if key in found), results[0])]
    for result in results:
        signature = (result.metric_args or {})["signature"]
        entry = hub.EvalResultEntry(
            dataset_id=result.dataset_type,
            task_id=task,
            value=result.metric_value,
            source_url=result.source_url,
            source_name=result.source_name,
            notes=f"{result.metric_name}; {signature}",
        )
        text = hub.utils.yaml_dump(hub.eval_result_entries_to_yaml([entry]))
        protocol = Signature.parse(signature).settings["protocol"]
        parts = (result.metric_type, result.metric_config or "", protocol, result.metric_name or "")
        name = name_file(f"{'-'.join(parts)}.yaml", "evaluation results")
        write_files(card.parent / ".eval_results", [(name, text)])
        paths.append(card.parent / ".eval_results" / name)
    return paths


def _identity(result: EvalResult) -> tuple[str | None, ...]:
    """Return the values that identify the entry of a score."""
    signature: str = (result.metric_args or {}).get("signature", "")
    protocols = [part for part in signature.split("|") if part.startswith("protocol:")]
    return (
        result.task_type, result.dataset_type, result.dataset_split, result.metric_type,
        result.metric_name, result.metric_config, *protocols[:1],
    )  # fmt: skip


def _headline(metric: str, values: Mapping[str, float]) -> list[str]:
    """Return the scores (without counts) of the first table with scores, and the main scores."""
    challenge = find_challenge(metric)
    for grid in challenge.measures.grids:
        keys = [key for row in grid.rows.values() for key in row]
        found = [key for key in keys if isinstance(values.get(key), float)]
        if found:
            others = values.keys() - found
            return [*(key for key in challenge.measures.headline[:1] if key in others), *found]
    return [key for key, value in values.items() if isinstance(value, float)]


def _read(scores: Score | Mapping[str, object]) -> tuple[Mapping[str, float], str]:
    """Read the scores and their signature."""
    result: Mapping[str, object] = scores.as_dict() if isinstance(scores, Score) else scores
    text = result.get("signature")
    if not isinstance(text, str):
        raise InputError(
            "expected scores with their signature",
            remedy="Pass a Score, the result of a metric's compute, or the JSON of clineval score",
        )
    nested = result.get("scores")
    values = nested if isinstance(nested, Mapping) else result
    return {k: v for k, v in values.items() if isinstance(v, (int, float))}, text
