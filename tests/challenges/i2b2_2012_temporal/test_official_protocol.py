"""Protocol ``official`` gives the numbers of the program's sums."""

from dataclasses import replace

import pytest
from oracles import Oracle

from clineval.challenges.i2b2_2012_temporal import CHALLENGE
from clineval.challenges.i2b2_2012_temporal.measures import MEASURES
from clineval.challenges.i2b2_2012_temporal.official.measures import MEASURES as SCORES
from clineval.challenges.i2b2_2012_temporal.official.protocol import OPTIONS, Official
from clineval.evaluation.evaluate import evaluate_inputs
from clineval.evaluation.inputs import open_inputs

ORACLE = Oracle("i2b2_2012_temporal")
CORPORA = [of for of in ORACLE.outputs("official.out") if of.parent.name.startswith("random")]
WITH_OFFICIAL = replace(
    CHALLENGE,
    protocols={**CHALLENGE.protocols, "official": Official()},
    measures=MEASURES.with_protocols({"official": SCORES}),
    options=OPTIONS,
)
MODES = {
    "": {},
    "-exact": {"spans": "exact"},
    "-partialCredit": {"spans": "partial"},
    **{f"--{links}": {"links": links} for links in ("oo", "oc", "cc")},
    "-tlink": {"config": "links"},
    "-tlink --oc": {"config": "links", "links": "oc"},
}
NAMES = {"EVENT": "event", "TIMEX3": "timex3", "TLINK": "links"}
ROWS = {
    "Precision": "precision", "Recall": "recall", "Average P&R": "average", "F measure": "f1",
    "type": "type", "Polarity": "polarity", "Modality": "modality", "Val": "value",
    "Modifier": "modifier",
}  # fmt: skip
pytestmark = pytest.mark.filterwarnings("ignore::clineval.InputWarning")


def sums_of(output, options):
    """The recorded sums of a call."""
    text = output.read_text("latin-1")
    sections = dict(s.split("\n", 1) for s in text.split("=== ")[1:])
    found, part = {}, ""
    for line in sections[options].partition("Aggregated Scores")[2].splitlines():
        name, _, value = (word.strip() for word in line.partition(":"))
        part = NAMES.get(name, part)
        if name in ROWS and value:
            found[f"{part}_{ROWS[name]}"] = value
    return found


def score(gold, system, *, config="default", **options):
    """The scores of a system."""
    setup = WITH_OFFICIAL.setup(config, "official", options)
    [evaluation] = evaluate_inputs(setup, open_inputs(gold, [system], setup))
    return evaluation.score()


@pytest.mark.parametrize("options", MODES)
@pytest.mark.parametrize("output", CORPORA, ids=lambda path: path.parent.name)
def test_scores_are_those_of_the_sums(output, options):
    found = score(output.parent / "gold", output.parent / "system", **MODES[options])
    expected = sums_of(output, options)
    assert expected
    assert {name: f"{found[name]:.4f}" for name in expected} == expected
