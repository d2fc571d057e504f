"""Print what the evaluation library of DrugProt prints."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping
from pathlib import Path
from typing import Annotated

import numpy as np
import typer

from clineval.base.narrowing import as_type
from clineval.challenges.drugprot21.official import ProgramCorpus
from clineval.challenges.drugprot21.spec import TYPES
from clineval.kinds.pages import AnyScored
from clineval.kinds.relations.measures import MICRO
from clineval.results.averages import label_key
from clineval.results.scores import Score
from clineval.results.scripts import Output, ScriptRun

_HEAD = """\
Loading GS files...
Loading prediction files...
Checking GS files...
Checking Predictions files...
Formatting data...
Computing DrugProt (BioCreative VII) metrics ...
(p = Precision, r=Recall, f1 = F1 score)
By relation type
"""
_NAMES = {"precision": "p", "recall": "r", "f1": "f1"}
Gold = Annotated[Path, typer.Option("-g", "--gs_path", help="TSV file of gold relations.")]
Entities = Annotated[Path, typer.Option("-e", "--ent_path", help="TSV file of entities.")]
Predictions = Annotated[Path, typer.Option("-p", "--pred_path", help="TSV file of predictions.")]
Listed = Annotated[Path, typer.Option("--pmids", help="File of PMIDs, one on each line.")]


def drugprot(gold: Gold, entities: Entities, predictions: Predictions, pmids: Listed) -> ScriptRun:
    """Print what DrugProt's library prints; it sorts the names of absent types."""

    def write(evaluation: AnyScored) -> Iterator[Output]:
        golds, found = as_type(evaluation.corpus, ProgramCorpus).types
        yield Output(_format(evaluation.score(), golds, found))

    options = {"entities": entities, "pmids": pmids}
    return ScriptRun("default", predictions, gold, write, options)


COMMANDS: Mapping[str, Callable[..., ScriptRun]] = {"drugprot-2021": drugprot}


def _format(score: Score, golds: Collection[str], found: Collection[str]) -> str:
    text = _HEAD + "".join(_format_row(score, of, label_key(of)) for of in TYPES if of in golds)
    for name, types in (("Gold Standard", golds), ("Predictions", found)):
        absent = ",".join(sorted({*TYPES}.difference(types)))
        text += f"The following relations are not present in the {name}: {absent}\n"
    text += "\nGobal results across all DrugProt relations (micro-average)\n"
    return text + _format_row(score, MICRO, MICRO)


def _format_row(score: Score, label: str, key: str) -> str:
    values = {name: np.round(score[f"{key}_{of}"], 3) for of, name in _NAMES.items()}
    return "".join(f"{name}_{label}={value}\n" for name, value in values.items())
