"""Generate the page of results and the tables in the metric cards."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence

from clineval.base.errors import InputError
from clineval.base.errors import agree as number_of
from clineval.base.escaping import in_markdown
from clineval.results.known.published import (
    PROTOCOLS,
    Collection,
    Ranking,
    Run,
    list_rankings,
)
from clineval.results.registry import find_challenge

_PLACE = re.compile(r"(?<=<!-- reproduced: begin -->\n).*?(?=<!-- reproduced: end -->)", re.DOTALL)
_HEAD = ["run", "score", "published", "`official`", "`spec`", "reproduced"]
_FOLDED = 8
"""The maximum number of rows that a card shows without folding."""
_PRINTED = len("0.1234")


def renew_page(page: str, results: Mapping[str, Sequence[Collection]]) -> str:
    """Return the page with updated results between its two marks: a table for each challenge."""
    every = [ranking for of in results.values() for one in of for ranking in one.rankings]
    sections = (_write_module(name, collections) for name, collections in results.items())
    return _fill(page, "\n".join([f"\n{describe(every)}\n", *sections, ""]), "the page of results")


def renew_card(card: str, collections: Iterable[Collection], module: str) -> str:
    """Return a metric card with updated results between its two marks.

    Raises:
        InputError: there are results, but no marks.
    """
    rankings = list(list_rankings(collections, module))
    if not rankings:
        return card
    where = "Sources and signatures are in `hub_cards/reproduced` in the repository."
    again = f"`clineval reproduce {module}` computes the scores again."
    long = [ranking for ranking in rankings if len(ranking.runs) > _FOLDED]
    short = [ranking for ranking in rankings if ranking not in long]
    parts = [f"\n{describe(rankings)} {where} {again}\n", *map(_fold, long)]
    rows = [[in_markdown(one.title), *_row(run)] for one in short for run in one.runs]
    parts += [_table(["results", *_HEAD], rows)] if rows else []
    return _fill(card, "\n".join([*parts, ""]), f"card of {module}")


def describe(rankings: Sequence[Ranking]) -> str:
    """Count the published, recomputed and reproduced results in a sentence.

    Examples:
        >>> from clineval.results.known.published import Ranking, Run
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


def _write_module(name: str, collections: Sequence[Collection]) -> str:
    rankings = [ranking for collection in collections for ranking in collection.rankings]
    rows = [
        [in_markdown(ranking.title), *_row(run), ranking.date or "–", _signature(ranking, run)]
        for ranking in rankings
        for run in ranking.runs
    ]
    notes = [f"- {note}" for ranking in rankings for note in _notes(ranking)]
    parts = [
        f"## {in_markdown(find_challenge(name).task.title)}\n",
        f"Module: [`{name}`](../{name}/README.md). {describe(rankings)}\n",
        *map(_write_source, collections),
        "",
        _table(["results", *_HEAD, "date", "signature"], rows),
        *notes,
        *([""] if notes else []),
    ]
    return "\n".join(parts)


def _write_source(collection: Collection) -> str:
    """Write an item about a collection: its home, version, licence, publications and outputs."""
    facts = [f"Home: {_link(collection.home)}"]
    facts += [f"version: {in_markdown(collection.version)}"] if collection.version else []
    facts += [f"licence: {in_markdown(collection.licence)}"] if collection.licence else []
    sources = dict.fromkeys(ranking.source for ranking in collection.rankings)
    published = ", ".join(map(_link, sources))
    how = (
        f" Outputs: `clineval datasets get {collection.module}/{collection.name} --systems`."
        if collection.downloads
        else ""
    )
    about = f"{'; '.join(facts)}. Published in {published}.{how}"
    return f"- **{in_markdown(collection.name)}**. {about}"


def _signature(ranking: Ranking, run: Run) -> str:
    """Write the signature of our score under ``official``, if there is one."""
    return in_markdown(ranking.signatures["official"]) if run.official else "–"


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
    title = in_markdown(ranking.title)
    if "spec" in ranking.signatures:
        yield f"{title}, `spec`: `{ranking.signatures['spec']}`"
    for run in ranking.runs:
        if run.refused:
            yield f"{title}, {in_markdown(run.run)}, under `spec`: {in_markdown(run.refused)}"


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
