"""CANTEMIST 2020: what the two released scripts print, digit by digit."""

import re
from functools import partial

import pytest
from oracles import Oracle, name_output
from span_tables import check

from clineval.challenges.cantemist20.printed import COMMANDS
from clineval.evaluation.evaluate import evaluate

NAME = "cantemist20"
ORACLE = Oracle(NAME)
pytestmark = pytest.mark.filterwarnings("ignore::clineval.InputWarning")
ERROR = re.compile(r"ERROR in .*?Skipping this file\.\.\.\n", re.DOTALL)
"""What main.py says of a file, with a line of it; the stand-in warns of the file instead."""


def call(folder, task):
    """What a script's stand-in prints."""
    codes, listed = folder / "codes.tsv", folder / "test_files.txt"
    if task == "codingf1":
        sides = folder / "gold.coding.tsv", folder / "pred.coding.tsv"
        run = COMMANDS["cantemist-2020-f1"](*sides, codes, listed)
    elif task == "coding":
        sides = folder / "gold.coding.tsv", folder / "pred.coding.tsv"
        run = COMMANDS["cantemist-2020"](*sides, task, codes)
    else:
        run = COMMANDS["cantemist-2020"](folder / "gold", folder / "sys", task)
    asked = {"config": run.config, "protocol": "official", **run.options}
    evaluation = evaluate(NAME, run.predictions, run.references, **asked)
    return "".join(each.text for each in run.write(evaluation)).replace(f"{folder}/", ""), ""


@pytest.mark.parametrize("output", ORACLE.outputs("official.*.out"), ids=name_output)
def test_what_the_scripts_print(output, tmp_path):
    kept = tmp_path / output.name
    kept.write_text(ERROR.sub("", output.read_text("utf-8")), "utf-8")
    check(kept, partial(call, output.parent, output.name.split(".")[1]))
