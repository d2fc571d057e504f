"""Generate the page of results and the tables in the metric cards."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from clineval.base.errors import InputError
from clineval.base.errors import agree as number_of
from clineval.base.escaping import in_markdown
from clineval.hub.reproduced.records import (
    PROTOCOLS,
    Collection,
    Ranking,
    Run,
    list_rankings,
)

_PLACE = re.compile(r"(?<=<!-- reproduced: begin -->\n).*?(?=<!-- reproduced: end -->)", re.DOTALL)
_HEAD = ["run", "score", "published", "`official`", "`spec`", "reproduced"]
_FOLDED = 8
"""The maximum number of rows that a card shows without folding."""
_PRINTED = len("0.1234")


def renew_page(page: str, collections: Sequence[Collection]) -> str:
    """Return the page with updated results between its two marks."""
    rankings = [ranking for collection in collections for ranking in collection.rankings]
    parts = [f"\n{describe(rankings)}\n", *map(_write_collection, collections), ""]
    return _fill(page, "\n".join(parts), "the page of results")


def renew_card(card: str, collections: Iterable[Collection], module: str) -> str:
    """Return a metric card with updated results between its two marks.

    Raises:
        InputError: there are results, but no marks.
    """
    rankings = list(list_rankings(collections, module))
    if not rankings:
        return card
    where = "Sources and signatures are in `hub_cards/reproduced` in the repository."
    long = [ranking for ranking in rankings if len(ranking.runs) > _FOLDED]
    short = [ranking for ranking in rankings if ranking not in long]
    parts = [f"\n{describe(rankings)} {where}\n", *map(_fold, long)]
    rows = [[in_markdown(one.title), *_row(run)] for one in short for run in one.runs]
    parts += [_table(["results", *_HEAD], rows)] if rows else []
    return _fill(card, "\n".join([*parts, ""]), f"card of {module}")


def describe(rankings: Sequence[Ranking]) -> str:
    """Count the published, recomputed and reproduced results in a sentence.

    Examples:
        >>> from clineval.hub.reproduced.records import Ranking, Run
        >>> runs = Run("a", {"f1": "0.5"}, "a", {"f1": 0.5}), Run("b", {"f1": "0.6"})
        >>> describe([Ranking("Test", "bc5cdr", "its paper", runs)])
        'Of 2 published results, clineval recomputes 1 and reproduces 1 under `official`.'
    """
    runs = [run for ranking in rankings for run in ranking.runs]
    ours = [run for run in runs if run.official]
    same = sum(run.agrees for run in ours)
    return (
        number_of("Of {n} published {result|results}, ", len(runs))
        + f"clineval recomputes {len(ours)} and reproduces {same} under `official`."
    )


def _write_collection(collection: Collection) -> str:
    facts = [f"Home: {_link(collection.home)}"]
    facts += [f"version: {in_markdown(collection.version)}"] if collection.version else []
    facts += [f"licence: {in_markdown(collection.licence)}"] if collection.licence else []
    tables = "\n".join(map(_write_ranking, collection.rankings))
    return f"## {in_markdown(collection.name)}\n\n{'; '.join(facts)}.\n\n{tables}"


def _write_ranking(ranking: Ranking) -> str:
    parts = [
        f"### {in_markdown(ranking.title)}, `{ranking.module}`\n",
        f"Published in {_link(ranking.source)}:\n",
        _table(_HEAD, map(_row, ranking.runs)),
        *(f"- {note}" for note in _notes(ranking)),
    ]
    return "\n".join(parts).rstrip("\n") + "\n"


def _fold(ranking: Ranking) -> str:
    summary = f"<b>{in_markdown(ranking.title)}</b>. {describe([ranking])}"
    table = _table(_HEAD, map(_row, ranking.runs))
    return f"<details><summary>{summary}</summary>\n\n{table}\n</details>\n"


def _table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    lines = [head, ["---"] * len(head), *rows]
    return "".join(f"| {' | '.join(line)} |\n" for line in lines)


def _row(run: Run) -> list[str]:
    key, said = next(iter(run.published.items()))
    ours = [_show(getattr(run, protocol).get(key)) for protocol in PROTOCOLS]
    published = said if len(said) <= _PRINTED else _show(float(said))
    return [in_markdown(run.run), f"`{key}`", published, *ours, _judge(run)]


def _judge(run: Run) -> str:
    if run.official and run.agrees:
        return "yes"
    verdict = "no" if run.official else "not computed here"
    public = run.official or run.file
    why = run.why or ("" if public else "No public file with the output is known.")
    return f"{verdict}. {in_markdown(why)}" if why else verdict


def _show(score: float | None) -> str:
    return "–" if score is None else f"{score:.4f}"


def _notes(ranking: Ranking) -> Iterator[str]:
    for protocol, signature in ranking.signatures.items():
        yield f"`{protocol}`, computed on {ranking.date}: `{signature}`"
    for run in ranking.runs:
        if run.refused:
            yield f"{in_markdown(run.run)}, under `spec`: {in_markdown(run.refused)}"


def _link(source: str) -> str:
    """Write an address as a link, and anything else unchanged."""
    return f"<{source}>" if source.startswith("https://") else in_markdown(source)


def _fill(page: str, text: str, where: str) -> str:
    if not _PLACE.search(page):
        raise InputError(
            "the marks of the results are missing",
            where=where,
            remedy="Add the lines <!-- reproduced: begin --> and <!-- reproduced: end -->",
        )
    return _PLACE.sub(lambda _: text, page, count=1)
