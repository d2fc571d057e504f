"""MedProcNER 2023: what the released library prints and writes, digit by digit."""

from functools import partial
from pathlib import Path

import pytest
from oracles import Oracle, name_output
from span_tables import check, replay

import clineval
from clineval import InputError
from clineval.challenges.medprocner23.printed import COMMANDS

ORACLE = Oracle("medprocner23")
READ = {"index_column_codes_in_prediction_kills", "index_column_code_in_gold_kills"}
"""Cases at which the library stops for the name of a column, of which we take both."""
pytestmark = pytest.mark.filterwarnings("ignore::clineval.InputWarning")


def call(folder, task):
    def command(gold, found):
        return COMMANDS["medprocner-2023"](gold, found, task, Path("OUT"), verbose=True)

    return replay("medprocner23", command, folder, task)


@pytest.mark.parametrize("output", ORACLE.outputs("official.*.out"), ids=name_output)
def test_what_the_library_prints(output):
    folder, task = output.parent, output.name.split(".")[1]
    if folder.name in READ:
        assert "Micro-average F-score: 1.0" in call(folder, task)[1]
    else:
        check(output, partial(call, folder, task))


@pytest.mark.parametrize("empty", ["gold", "found"])
def test_codes_need_a_row_on_both_sides(empty, tmp_path):
    """The library joins the groups of the rows, and ends in an AttributeError without any."""
    paths = {side: tmp_path / f"{side}.tsv" for side in ("gold", "found")}
    for side, path in paths.items():
        path.write_text("filename\tcodes\n" + ("d\t1+2\n" if side != empty else ""))
    with pytest.raises(InputError, match="expected codes of documents below the header"):
        clineval.score(
            "medprocner23", paths["found"], paths["gold"], config="index", protocol="official"
        )
