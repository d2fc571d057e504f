"""Options that several commands have: those of the challenges, and those of intervals."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from functools import wraps
from pathlib import Path
from typing import Annotated, Any

import typer


def _option(help: str, *names: str) -> Any:  # noqa: A002 - typer's word
    return typer.Option(*names, help=help, show_default=False)


OF_CHALLENGES: Mapping[str, Any] = {
    "overlap": Annotated[
        str | None, _option("character or word: what overlapping mentions share.")
    ],
    "text": Annotated[
        Path | None, _option("Directory of the notes, for reports and --overlap word.")
    ],
    "weights": Annotated[
        str | None,
        _option(
            "share, references, or a file made by 'clineval prevalence'; for sections, clinais "
            "or a file."
        ),
    ],
    "n_t": Annotated[int | None, _option("Sections: boundaries move by less than this.", "--n-t")],
    "b_weights": Annotated[str | None, _option("Sections: unweighted or scaled, for B.")],
    "labels": Annotated[str | None, _option("Sections: all labels, with commas between them.")],
    "measures": Annotated[
        str | None,
        _option("Measures of trec_eval with commas between them, official, or all_trec."),
    ],
    "complete": Annotated[
        bool | None, _option("Whether judged topics that a run lacks count 0, or not at all.")
    ],
    "relevance_level": Annotated[int | None, _option("Lowest judgment that is relevant.")],
    "records": Annotated[
        Path | None, _option("Directory of the records, whose lines fields may cross.")
    ],
    "subset": Annotated[str | None, _option("list or narrative: these entries only.")],
    "evaluation_sets": Annotated[
        Path | None, _option("JSON file: record name to A, B or C, to score each set.")
    ],
}
"""The options of all challenges, as the command line names them."""


def with_options_of_challenges(command: Callable[..., None]) -> Callable[..., None]:
    """Give a command the options of all challenges, which it takes as ``**options``.

    It gets those that were given, as ``clineval.score`` takes them.
    """
    own = inspect.signature(command, eval_str=True)
    named = [p for p in own.parameters.values() if p.kind is not inspect.Parameter.VAR_KEYWORD]
    added = [
        inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=None, annotation=annotation)
        for name, annotation in OF_CHALLENGES.items()
    ]

    @wraps(command)
    def call(**given: Any) -> None:
        options = {name: given.pop(name) for name in OF_CHALLENGES}
        command(**given, **_as_arguments(options))

    parameters = [*named, *added]
    call.__signature__ = own.replace(parameters=parameters)  # type: ignore[attr-defined]
    call.__annotations__ = {p.name: p.annotation for p in parameters}
    return call


def _as_arguments(options: Mapping[str, Any]) -> dict[str, Any]:
    """What was given, by the names and in the types of ``clineval.score``."""
    given = {name: value for name, value in options.items() if value is not None}
    if "text" in given:
        given["texts"] = given.pop("text")
    if "labels" in given:
        given["labels"] = given["labels"].split(",")
    return given


Plot = Annotated[
    Path | None,
    typer.Option(help="Also draw it, to a .png or .svg file.", show_default=False),
]
Resamples = Annotated[
    int, typer.Option("--resamples", help="How many corpora are drawn for intervals.")
]
Seed = Annotated[int, typer.Option(help="Of all that is random.")]
Interval = Annotated[str, typer.Option(help="percentile, or bca: corrected for bias and skewness.")]
