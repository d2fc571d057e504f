"""Score published outputs again, from the user's own copies of the files."""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

from clineval.base.errors import InputError, InputWarning, located, unknown_name
from clineval.base.files import is_directory, is_there
from clineval.evaluation.corpora import folder_of
from clineval.evaluation.evaluate import evaluate
from clineval.results.known.names import find_dataset
from clineval.results.known.published import Collection, Ranking, Run
from clineval.results.registry import is_known
from clineval.results.scores import Score
from clineval.results.signature import Signature

Scored = tuple[Run, Mapping[str, str]]
"""A run with its scores, and a dict from protocol to signature."""


def score_collections(collections: Iterable[Collection], files: Path) -> Iterator[Collection]:
    """Score the runs of collections whose files are in a folder; others stay unchanged.

    Args:
        collections: the published results.
        files: a folder with a subfolder for each collection.
    """
    for collection in collections:
        folder = files / collection.name
        rankings = tuple(
            score_ranking(ranking, folder) if is_here(ranking, folder) else ranking
            for ranking in collection.rankings
        )
        yield replace(collection, rankings=rankings)


def is_here(ranking: Ranking, folder: Path) -> bool:
    """Return whether all files of a ranking are here, and clineval has its challenge."""
    public = bool(ranking.gold) and is_known(ranking.module)
    return public and not list_missing(ranking, folder) and find_gold(ranking, folder) is not None


def list_missing(ranking: Ranking, folder: Path) -> list[str]:
    """List the files of a ranking that are not in a folder; see also :func:`find_gold`."""
    gold = [ranking.gold] if ranking.gold and find_gold(ranking, folder) is None else []
    files = [*gold, *ranking.files.values(), *(run.file for run in ranking.runs)]
    return [name for name in files if name and not is_there(folder / name)]


def find_gold(ranking: Ranking, folder: Path) -> Path | None:
    """Return the gold standard of a ranking: in a folder, or else a downloaded one of its name.

    Returns:
        The path; None if it is not on this computer.
    """
    if ranking.gold and is_there(folder / ranking.gold):
        return folder / ranking.gold
    if not ranking.dataset:
        return None
    dataset = find_dataset(f"{ranking.module}/{ranking.dataset}")
    corpus = folder_of(dataset)
    return corpus / dataset.gold if dataset.gold and is_directory(corpus) else None


def score_ranking(ranking: Ranking, folder: Path) -> Ranking:
    """Score the runs of a ranking; set its date to today if anything changed.

    Raises:
        InputError: ``official`` rejects a file, or runs have different signatures.
    """
    scored = [score_run(ranking, run, folder) for run in ranking.runs]
    signatures = join_signatures(ranking.title, [signatures for _, signatures in scored])
    today = replace(ranking, runs=tuple(run for run, _ in scored))
    if today == ranking and _made_alike(signatures, ranking.signatures):
        return ranking
    date = datetime.now(UTC).date().isoformat()
    return replace(today, signatures=signatures, date=date)


def score_run(ranking: Ranking, run: Run, folder: Path) -> Scored:
    """Score a run with the files in a folder; a run without a public output stays unchanged.

    Raises:
        InputError: ``official`` rejects a file.
    """
    if not run.file:
        return run, {}
    where = f"{ranking.title}, {run.run}"
    official = located(where, _score, ranking, run.file, folder, "official")
    signatures = {"official": str(official.signature)}
    run = replace(run, official=located(where, _take, official, run), spec={}, refused="")
    try:
        spec = _score(ranking, run.file, folder, "spec")
    except InputError as error:  # released programs also read invalid files
        return replace(run, refused=str(error)), signatures
    return replace(run, spec=_take(spec, run)), {**signatures, "spec": str(spec.signature)}


def _take(score: Score, run: Run) -> dict[str, float]:
    if unknown := run.published.keys() - score.keys():
        raise unknown_name("score", min(unknown), score.keys(), where=run.run)
    return {key: score[key] for key in run.published}


def _score(ranking: Ranking, file: str, folder: Path, protocol: str) -> Score:
    files = {option: folder / name for option, name in ranking.files.items()}
    options = {**ranking.options.get(protocol, {}), **files}
    with warnings.catch_warnings():  # warnings about these outputs are known
        warnings.simplefilter("ignore", InputWarning)
        return evaluate(
            ranking.module, folder / file, find_gold(ranking, folder),
            config=ranking.config, protocol=protocol, **options,
        ).score()  # fmt: skip


def join_signatures(title: str, found: Iterable[Mapping[str, str]]) -> dict[str, str]:
    """Return the signatures of a ranking, by protocol.

    Raises:
        InputError: two runs have different ones.
    """
    joined: dict[str, str] = {}
    for protocol, signature in (pair for signatures in found for pair in signatures.items()):
        if joined.setdefault(protocol, signature) != signature:
            raise InputError(
                f"the ranking has the signatures {joined[protocol]} and {signature}", where=title
            )
    return joined


def _made_alike(now: Mapping[str, str], before: Mapping[str, str]) -> bool:
    """Return whether signatures differ at most in the version."""
    return list(map(_shorten, now.items())) == list(map(_shorten, before.items()))


def _shorten(pair: tuple[str, str]) -> tuple[str, str, str, dict[str, str]]:
    protocol, text = pair
    signature = Signature.parse(text)
    settings = {name: value for name, value in signature.settings.items() if name != "v"}
    return protocol, signature.metric, signature.config, settings
