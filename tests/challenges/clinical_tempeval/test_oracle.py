"""Clinical TempEval: what anafora.evaluate prints, and the counts by the definition."""

import json

import pytest
from commands import invoke
from oracles import Oracle, name_output
from processes import run_clineval

import clineval
from clineval import InputError
from clineval.challenges.clinical_tempeval.measures import ROWS

NAME = "clinical_tempeval"
ORACLE = Oracle(NAME)
CALL = ("official", "anafora-evaluate", "-r", "gold", "-p", "system")
CONTAINERS = "TLINK:Type:CONTAINS"
CLOSED = f"-i {CONTAINERS} --temporal-closure"
OTHERS = "-e EVENT:DocTimeRel EVENT:ContextualAspect EVENT:Permanence"
RATES = ("precision", "recall", "f1")
pytestmark = pytest.mark.filterwarnings("ignore::clineval.InputWarning")


def sections_of(output):
    """The options of each recorded call, and what it printed."""
    sections = output.read_text("utf-8").split("=== ")[1:]
    return {options: text for options, _, text in (s.partition("\n") for s in sections)}


def split(text):
    """Standard output, and standard error."""
    lines = text.splitlines(keepends=True)
    logged = [line.removeprefix("LOG:") for line in lines if line.startswith("LOG:")]
    return "".join(line for line in lines if not line.startswith("LOG:")), "".join(logged)


def rates_of(text):
    """Row to its rates, as printed."""
    cells = (line.split("\t") for line in text.splitlines())
    return {row.strip(): rates[3:] for row, *rates in cells if row.strip()}


def test_all_outputs_are_there():
    calls = [sections_of(path) for path in ORACLE.outputs("official.out")]
    if ORACLE.there.is_dir():
        assert (len(calls), sum(map(len, calls))) == (70, 427)
    assert len(calls) >= 31


@pytest.mark.parametrize("output", ORACLE.outputs("official.out"), ids=name_output)
def test_what_the_program_prints(output, monkeypatch):
    monkeypatch.chdir(output.parent)
    for options, expected in sections_of(output).items():
        done = invoke([*CALL, *options.split()])
        if expected.startswith("rc="):
            assert isinstance(done.exception, InputError)
            assert done.stdout == ""
            continue
        assert (done.exit_code, done.stdout, done.stderr) == (0, *split(expected)), options


@pytest.mark.parametrize("case", ["a28_broken_xml_crash", "a27b_duplicate_id_system_crash"])
def test_an_exception_is_one_line_and_status_2(case):
    done = run_clineval(*CALL, cwd=ORACLE.here / "cases" / case, status=2)
    assert done.stdout == ""
    assert done.stderr.count("\n") == 1
    assert ".system.completed.xml:" in done.stderr


@pytest.mark.parametrize("output", ORACLE.outputs("official.out"), ids=name_output)
def test_official_gives_the_numbers_of_the_table(output, monkeypatch):
    monkeypatch.chdir(output.parent)
    sections = sections_of(output)
    try:
        score = clineval.score(NAME, "system", "gold", protocol="official")
    except InputError:
        assert any(text.startswith("rc=") for text in sections.values())
        return
    table = rates_of(sections[""])
    task = rates_of(invoke([*CALL, *OTHERS.split()]).stdout)
    wanted = {row.name: table.get(":".join(row.row)) for row in ROWS if len(row.row) > 1}
    wanted |= {"event_all": task.get("EVENT"), "timex3_all": task.get("TIMEX3")}
    wanted["links_as_written"] = table.get(CONTAINERS)
    wanted["links_written"] = rates_of(sections[CLOSED]).get(CONTAINERS)
    for name, rates in wanted.items():
        found = [f"{score[f'{name}_{rate}']:5.3f}" for rate in RATES]
        assert found == (rates or ["1.000"] * 3), name


@pytest.mark.parametrize("output", ORACLE.outputs("spec.json"), ids=name_output)
def test_counts_of_the_definition(output):
    score = clineval.score(NAME, output.parent / "system", output.parent / "gold")
    expected = json.loads(output.read_text("utf-8"))
    closed = expected.pop("closure")
    assert closed == {
        "right_p": score["links_written_tp"],
        "right_r": score["links_written_gold_tp"],
        "system": score["links_written_tp"] + score["links_written_fp"],
        "gold": score["links_written_gold_tp"] + score["links_written_gold_fn"],
    }
    names = {":".join(row.row): row.name for row in ROWS} | {CONTAINERS: "links_as_written"}
    for row, counts in expected.items():
        tp, fp, fn = (score[f"{names[row]}_{verdict}"] for verdict in ("tp", "fp", "fn"))
        assert {"gold": tp + fn, "right": tp, "system": tp + fp} == counts, row
