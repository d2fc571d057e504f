"""eHealth-KD against what the released programs of 2019, 2020 and 2021 printed."""

import pytest
from commands import invoke
from conftest import DATA
from laws import refuses

import clineval

ORACLE = DATA / "oracle" / "ehealthkd20"
CORPORA = sorted(path.parent for path in ORACLE.glob("*/*/pred"))
EDITIONS = {
    "2020": ("official", "gold/scenario.txt", "pred/scenario.txt"),
    "2019": ("official2019", "gold19/input_x.txt", "pred19/input_x.txt"),
}
SCENARIOS = {1: (), 2: ("--skip-B",), 3: ("--skip-A",)}
RUNS = [
    (corpus, edition, scenario)
    for corpus in CORPORA
    for edition, (name, *_) in EDITIONS.items()
    for scenario in SCENARIOS
    if (corpus / f"{name}.scenario{scenario}.out").is_file()
]
EMPTY = "ValueError: Precision not allowed in integer format specifier"
"""How the program of 2019 ends where a denominator is 0."""
pytestmark = pytest.mark.filterwarnings("ignore::clineval.InputWarning")


def named(value):
    return getattr(value, "name", str(value))


def printed_by_the_program(corpus, edition, scenario):
    """Standard output, and the error that ended the program if there was one."""
    text = (corpus / f"{EDITIONS[edition][0]}.scenario{scenario}.out").read_text()
    lines = text.splitlines(keepends=True)
    output = "".join(x for x in lines if not x.startswith(("STDERR: ", "rc=")))
    said = [line for line in lines if line.startswith("STDERR: ") and "Warning" not in line]
    return output, said[-1] if said else ""


def test_all_runs_are_there():
    assert (len(CORPORA), len(RUNS)) == (89, 519)


@pytest.mark.parametrize(("corpus", "edition", "scenario"), RUNS, ids=named)
def test_the_command_line_prints_what_the_program_prints(corpus, edition, scenario):
    gold, system = (str(corpus / path) for path in EDITIONS[edition][1:])
    output, error = printed_by_the_program(corpus, edition, scenario)
    run = invoke(["official", f"ehealthkd-{edition}", gold, system, *SCENARIOS[scenario]])
    if error and EMPTY not in error:
        assert isinstance(run.exception, clineval.InputError), error
        assert "the released program stops" in str(run.exception)
        return
    assert run.exit_code == 0, run.stderr
    if EMPTY in error:
        assert run.stdout.startswith(output.split("-" * 20)[0])
        assert "0.0" in run.stdout
    else:
        assert run.stdout == output


@pytest.mark.parametrize("corpus", [c for c in CORPORA if c.parent.name == "random"], ids=named)
def test_2021_agrees_with_2020(corpus):
    sides = corpus / "pred" / "scenario.txt", corpus / "gold" / "scenario.txt"
    text = (corpus / "official2021.out").read_text()
    if "rc=0" not in text:
        refuses(
            lambda: clineval.score("ehealthkd20", *sides, protocol="official"),
            "the released program stops",
        )
        return
    expected = dict(
        line.removeprefix("STDERR: ").split(":") for line in text.splitlines() if "_f1:" in line
    )
    for config, scenario in (("main", 1), ("taskA", 2), ("taskB", 3)):
        score = clineval.score(
            "ehealthkd20", *sides, config=config, protocol="official", edition="2021"
        )
        wanted = float(expected[f"scenario{scenario}_f1"])
        assert score["f1"] == pytest.approx(wanted, rel=0, abs=1e-12)


@pytest.mark.parametrize(
    "case", sorted(path.parent for path in ORACLE.glob("*/*/official.verbose.out")), ids=named
)
def test_lists_of_annotations_are_the_program_s(case):
    sides = (str(case / side / "scenario.txt") for side in ("gold", "pred"))
    run = invoke(["official", "ehealthkd-2020", *sides, "--verbose"])
    assert run.stdout == (case / "official.verbose.out").read_text()
