"""The output of ``bc5cdr_eval.jar``, the program of BioCreative V CDR."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from clineval.challenges.bc5cdr.official import read_bioc, read_pubtator
from clineval.formats.pubtator.items import Draft
from clineval.kinds.mentions.columns import Side
from clineval.kinds.mentions.corpus import Corpus
from clineval.kinds.mentions.rows import Pairing
from clineval.kinds.pages import Scored
from clineval.programs.java_numbers import divide, java_double
from clineval.results.columns import MentionColumns
from clineval.results.scripts import Output, ScriptRun


class Evaluation(StrEnum):
    """The kinds of items that the program compares."""

    mention = "mention"
    id = "id"
    relation = "relation"


class Format(StrEnum):
    """The format of the files."""

    pubtator = "pubtator"
    bioc = "bioc"


_KINDS = {"mention": "mentions", "id": "concepts", "relation": "relations"}


def bc5cdr(
    evaluation: Annotated[
        Evaluation, typer.Argument(help="mention, id or relation.", case_sensitive=False)
    ],
    types: Annotated[str, typer.Argument(help="Such as Disease, 'Disease|Chemical' or CID.")],
    form: Annotated[
        Format, typer.Argument(metavar="format", help="pubtator or bioc.", case_sensitive=False)
    ],
    gold: Annotated[Path, typer.Argument(help="The gold standard.")],
    system: Annotated[Path, typer.Argument(help="The system's output.")],
) -> ScriptRun:
    """Print the items and scores of bc5cdr_eval.jar, the program of BioCreative V CDR."""
    kind = _KINDS[evaluation.value]
    bioc = form is Format.bioc
    sides = [_read(path, kind, types.split("|"), bioc=bioc) for path in (system, gold)]

    def write(found: Scored[Corpus, Pairing]) -> Iterator[Output]:
        yield Output("".join(_print(found, kind, evaluation.value, types_first=bioc)))

    return ScriptRun(kind, sides[0], sides[1], write)


COMMANDS: Mapping[str, Callable[..., ScriptRun]] = {"bc5cdr": bc5cdr}


def _read(path: Path, kind: str, types: list[str], *, bioc: bool) -> Side:
    """Read the items of a kind and of some types; types can have any name."""
    read = read_bioc(path) if bioc else read_pubtator(path)
    chosen = Draft()
    for name, items in read.items.items():
        chosen.add(name, (item for item in items if item[0] == kind and item[1] in types))
    return chosen.finish()


def _print(
    evaluation: Scored[Corpus, Pairing], kind: str, name: str, *, types_first: bool
) -> Iterator[str]:
    outcomes = evaluation.outcomes
    match = outcomes.matches[kind]
    for verdict in ("tp", "fn", "fp"):
        for row in match.rows(f"{kind}_{verdict}").tolist():
            gold = match.gold[row] >= 0
            side = outcomes.gold if gold else outcomes.prediction
            at = match.gold[row] if gold else match.prediction[row]
            item = _describe(side, at, kind, types_first=types_first)
            document = outcomes.documents[side.document[at]]
            yield f"INFO\t{verdict.upper()}\t{name}\t{document}\t{item}\n"
    yield from _print_scores(evaluation.counts.totals, kind)


def _describe(side: MentionColumns, row: int, kind: str, *, types_first: bool) -> str:
    """Format an item as the program does."""
    label, concept = (
        column.values[column.ids[row]]
        for column in (side.attributes["label"], side.attributes["concept"])
    )
    if kind != "mentions":
        return f"{label}\t{concept}"
    at = side.bounds[row]
    place = f"{side.starts[at]}\t{side.ends[at]}"
    return f"{label}\t{place}" if types_first else f"{place}\t{label}"


def _print_scores(totals: Mapping[str, float], kind: str) -> Iterator[str]:
    tp, fp, fn = (totals[f"{kind}_{verdict}"] for verdict in ("tp", "fp", "fn"))
    precision, recall = divide(tp, tp + fp), divide(tp, tp + fn)
    f1 = divide(2.0 * precision * recall, precision + recall)
    yield from (f"{n}: {int(v)}\n" for n, v in (("TP", tp), ("FP", fp), ("FN", fn)))
    scores = {"Precision": precision, "Recall": recall, "F-score": f1}
    yield from (f"{n}: {java_double(value)}\n" for n, value in scores.items())
