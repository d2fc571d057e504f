"""MedProcNER 2023: what the released library prints and writes, digit by digit."""

from functools import partial
from pathlib import Path

import pytest
from oracles import Oracle, name_output
from span_tables import check, replay

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
