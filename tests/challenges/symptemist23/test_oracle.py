"""SympTEMIST 2023: what the released library prints and writes, digit by digit."""

from functools import partial
from pathlib import Path

import pytest
from oracles import Oracle, name_output
from span_tables import check, replay

from clineval.challenges.symptemist23.printed import COMMANDS

ORACLE = Oracle("symptemist23")
pytestmark = pytest.mark.filterwarnings("ignore::clineval.InputWarning")


def call(folder, task):
    def command(gold, found):
        return COMMANDS["symptemist-2023"](gold, found, task, Path("OUT"), verbose=True)

    return replay("symptemist23", command, folder, task)


@pytest.mark.parametrize("output", ORACLE.outputs("official.*.out"), ids=name_output)
def test_what_the_library_prints(output):
    check(output, partial(call, output.parent, output.name.split(".")[1]))
