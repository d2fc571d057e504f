"""MultiClinAI 2026: what the released program prints, digit by digit."""

from functools import partial

import pytest
from oracles import Oracle, name_output
from span_tables import check, replay

from clineval.challenges.multiclinai26.printed import COMMANDS

ORACLE = Oracle("multiclinai26")
pytestmark = pytest.mark.filterwarnings("ignore::clineval.InputWarning")


def call(folder, entity):
    def command(gold, found):
        return COMMANDS["multiclinai-2026"](gold, found, entity)

    return replay("multiclinai26", command, folder, "ner")


@pytest.mark.parametrize("output", ORACLE.outputs("official.ner*.out"), ids=name_output)
def test_what_the_program_prints(output):
    _, _, *entity, _ = output.name.split(".")
    check(output, partial(call, output.parent, *(entity or [None])))
