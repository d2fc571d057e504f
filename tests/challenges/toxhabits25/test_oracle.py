"""ToxHabits 2025: what the released library prints once its list of labels is mended."""

from functools import partial

import pytest
from oracles import Oracle, name_output
from span_tables import check, replay

from clineval.challenges.toxhabits25.printed import COMMANDS

ORACLE = Oracle("toxhabits25")
pytestmark = pytest.mark.filterwarnings("ignore::clineval.InputWarning")


def call(folder, task):
    def command(gold, found):
        return COMMANDS["toxhabits-2025"](gold, found, "ner")

    return replay("toxhabits25", command, folder, task)


@pytest.mark.parametrize("output", ORACLE.outputs("official.*.labels.out"), ids=name_output)
def test_what_the_library_prints(output):
    check(output, partial(call, output.parent, output.name.split(".")[1]))
