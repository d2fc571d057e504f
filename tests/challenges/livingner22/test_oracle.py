"""LivingNER 2022: what the released library prints, digit by digit."""

from functools import partial

import pytest
from oracles import Oracle, name_output
from span_tables import check, replay

from clineval.challenges.livingner22.printed import COMMANDS

ORACLE = Oracle("livingner22")
pytestmark = pytest.mark.filterwarnings("ignore::clineval.InputWarning")


def call(folder, task):
    def command(gold, found):
        return COMMANDS["livingner-2022"](gold, found, task, folder / "codes.tsv")

    return replay("livingner22", command, folder, task)


@pytest.mark.parametrize("output", ORACLE.outputs("official.*.out"), ids=name_output)
def test_what_the_library_prints(output):
    check(output, partial(call, output.parent, output.name.split(".")[1]))
