"""Stand-ins for the two scripts of the evaluation library of CANTEMIST 2020."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Annotated

import typer

from clineval.formats.delimited.code_tables import LISTS, read_valid
from clineval.formats.files import read_text_files
from clineval.kinds.codes.corpus import CodeCorpus
from clineval.kinds.mentions.pairing import Pairs
from clineval.kinds.pages import Scored
from clineval.programs.code_report import write_f1, write_map
from clineval.programs.code_scripts import AsPandas, check_valid
from clineval.programs.common_documents import take_documents
from clineval.programs.pandas_cells import stop
from clineval.programs.row_set_results import add_up, match_of
from clineval.programs.table_join_results import CODES, TASK, write_scores
from clineval.results.options import check_name
from clineval.results.scripts import Output, ScriptRun

_TASKS = ("ner", "norm", "coding")
Gold = Annotated[Path, typer.Option("-g", "--gs_path", help="Gold: folder; TSV for coding.")]
Found = Annotated[Path, typer.Option("-p", "--pred_path", help="Predictions, in the same form.")]
Files = Annotated[
    Path, typer.Option("-f", "--test_files_path", help="The documents whose predictions count.")
]


def main(gold: Gold, prediction: Found, task: TASK, codes: CODES = None) -> ScriptRun:
    """Print what CANTEMIST's main.py prints for -s ner, norm or coding, without ERROR lines."""
    check_name("subtask", task, _TASKS)
    run = f"{prediction}/" if prediction.is_dir() else str(prediction)

    def write(evaluation: Scored[CodeCorpus, Mapping[str, Pairs]]) -> Iterator[Output]:
        if task == "coding":
            yield from write_map(evaluation, run)
        else:
            tp, fp, fn = add_up(evaluation.counts, match_of(evaluation))
            if not (tp + fp and tp + fn):
                raise stop(
                    "no gold mention, or none predicted in the documents of the gold standard"
                )
            yield from write_scores(evaluation, run, 3, ".ann")

    return ScriptRun(task, prediction, gold, write, {"codes": codes} if codes else {})


def comp_f1(gold: Gold, prediction: Found, codes: CODES, files: Files) -> ScriptRun:
    """Print what CANTEMIST's comp_f1_diag_proc.py prints: F1 of codes, without 8000/6."""
    valid = None if codes is None else check_valid(read_valid(codes) or frozenset())
    found = AsPandas(LISTS, judged=False).read(prediction, valid)
    [listed] = read_text_files(files, pattern="", separator="\0")
    wanted = {line.strip() for _, line in listed.lines()}
    kept = take_documents(found, found.documents, wanted)

    def write(evaluation: Scored[CodeCorpus, Mapping[str, Pairs]]) -> Iterator[Output]:
        yield from write_f1(evaluation, str(prediction))

    return ScriptRun("codingf1", kept, gold, write, {"codes": valid})


COMMANDS: Mapping[str, Callable[..., ScriptRun]] = {
    "cantemist-2020": main,
    "cantemist-2020-f1": comp_f1,
}
