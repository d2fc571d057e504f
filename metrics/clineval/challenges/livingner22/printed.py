"""Stand-in for the evaluation library of LivingNER 2022."""

from collections.abc import Iterator

from clineval.challenges.livingner22 import HEADERS
from clineval.challenges.livingner22.impact import IMPACTS
from clineval.kinds.pages import AnyScored
from clineval.programs.row_set_results import measure
from clineval.programs.table_join_results import CODES, GOLD, PREDICTION, TASK, JoiningLibrary
from clineval.results.options import check_name
from clineval.results.scorable import Counts
from clineval.results.scripts import Output, ScriptRun

LIBRARY = JoiningLibrary("LivingNER", {"ner": "ner", "norm": "norm"}, HEADERS, blank="")
_RULE = "-" * 53 + "\n"
_PARTS = {
    "Basic metrics (not taking into account NCBI codes, just Y/N assignment)\n": "",
    "Complex metrics (taking into account NCBI codes)\n": "_species",
}


def format_impact(counts: Counts) -> str:
    """Format precision, recall and F1 of each kind of impact, without and with species."""
    totals = dict(zip(counts.columns, counts.table.sum(axis=0).tolist(), strict=True))
    parts = []
    for heading, end in _PARTS.items():
        parts += [heading, _RULE]
        for impact, name in IMPACTS.items():
            cells = measure(*(totals[f"{name}{end}_{of}"] for of in ("tp", "fp", "fn")))
            rows = zip(("Precision", "Recall", "F1score"), cells, strict=True)
            parts += [f"{impact}\n", *(f"{key} = {value}\n" for key, value in rows), _RULE]
        parts.append("\n\n\n")
    return "".join(parts)


def call(gold: GOLD, prediction: PREDICTION, task: TASK, codes: CODES = None) -> ScriptRun:
    """Print what LivingNER's library prints for -s ner, norm or app."""
    check_name("subtask", task, (*LIBRARY.tasks, "app"))
    if task != "app":
        return LIBRARY.command(gold, prediction, task, codes)

    def write(evaluation: AnyScored) -> Iterator[Output]:
        yield Output(format_impact(evaluation.counts))

    return ScriptRun("app", prediction, gold, write, {"codes": codes} if codes else {})


COMMANDS = {"livingner-2022": call}
