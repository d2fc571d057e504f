"""MultiCardioNER 2024: what the released library prints and writes, digit by digit."""

from functools import partial
from pathlib import Path

import pytest
from oracles import Oracle, name_output
from span_tables import check, replay

from clineval.challenges.multicardioner24.printed import COMMANDS

ORACLE = Oracle("multicardioner24")
pytestmark = pytest.mark.filterwarnings("ignore::clineval.InputWarning")


def call(folder, task):
    def command(gold, found):
        mapping = folder / "mapping.tsv"
        return COMMANDS["multicardioner-2024"](
            gold, found, "track1", Path("OUT"), mapping, verbose=True
        )

    return replay("multicardioner24", command, folder, task)


@pytest.mark.parametrize("output", ORACLE.outputs("official.*.out"), ids=name_output)
def test_what_the_library_prints(output):
    check(output, partial(call, output.parent, output.name.split(".")[1]))
