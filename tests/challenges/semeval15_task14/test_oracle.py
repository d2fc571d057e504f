"""SemEval-2015 Task 14 against the outputs of the released scripts."""

import re

import evaluate
import pytest
from commands import invoke
from conftest import DATA

import clineval
from clineval.challenges.semeval15_task14.printed import SLOT_LABELS, format_task1, format_task2

ORACLE = DATA / "oracle" / "semeval15_task14"
CASES = sorted(path.parent for path in ORACLE.glob("**/official.task1.out"))
pytestmark = pytest.mark.filterwarnings("ignore::clineval.InputWarning")


def official_output(case, task):
    """The file that the script wrote, without what it wrote beside it."""
    text = (case / f"official.task{task}.out").read_text()
    return "".join(
        line for line in text.splitlines(keepends=True) if not re.match(r"\s*\d+ STDERR:", line)
    )


def completed(written, ours):
    """What the script wrote, and after the point where it died, zeros for slots without weight."""
    done = written.count("\n")
    rest = ours.splitlines(keepends=True)[done:]
    return written + "".join(rest)


@pytest.mark.parametrize("case", CASES, ids=lambda path: path.name)
def test_the_command_line_writes_the_script_s_files(case, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    sides = ["-input", str(case / "pred"), "-gold", str(case / "gold")]
    first = invoke(["official", "semeval15-task1", "-n", "x", "-r", "1", *sides])
    second = invoke(["official", "semeval15-task2", "-n", "x", "-r", "2", "-t", "B", *sides])
    assert (first.exit_code, second.exit_code) == (0, 0)
    assert (tmp_path / "x_task1_run1.out").read_bytes() == official_output(case, 1).encode()
    ours = (tmp_path / "x_task2B_run2.out").read_text()
    written = official_output(case, 2)
    assert ours == completed(written, ours)
    assert [line.split(":")[0].strip() for line in ours.splitlines()[-9:]] == list(SLOT_LABELS)
    died = written.count("\n") < ours.count("\n")
    assert ("the released script stops here" in second.stderr) == died


@pytest.mark.parametrize("case", CASES, ids=lambda path: path.name)
def test_slots_at_which_the_script_dies_are_written_as_zero(case):
    score = clineval.score("semeval15_task14", case / "pred", case / "gold", protocol="official")
    written = official_output(case, 2).count("\n")
    totals = score.counts.totals
    undefined = [s for s in SLOT_LABELS.values() if totals[f"{s}_weight"] == 0]
    assert all(score[f"{slot}_weighted_accuracy"] == 0 for slot in undefined)
    first_undefined = [*SLOT_LABELS.values()].index(undefined[0]) if undefined else 9
    assert written == 9 + first_undefined


def as_strings(side):
    """The lines of a directory, one string for each document name."""
    documents = {}
    for file in sorted(side.iterdir()):
        for line in file.read_bytes().decode().splitlines(keepends=True):
            if line.strip():
                name = line.split("|")[0].lower()
                documents[name] = documents.get(name, "") + line.rstrip("\r\n") + "\n"
    return documents


@pytest.mark.parametrize("case", CASES, ids=lambda path: path.name)
def test_the_evaluate_module_gives_the_same_numbers(case):
    gold, found = as_strings(case / "gold"), as_strings(case / "pred")
    names = sorted({*gold, *found})
    references = [gold.get(name, "") for name in names]
    predictions = [found.get(name, "") for name in names]
    metric = evaluate.load("semeval15_task14")
    result = metric.compute(predictions=predictions, references=references, protocol="official")
    assert format_task1(result) == official_output(case, 1)
    ours = format_task2(result)
    assert ours == completed(official_output(case, 2), ours)


def test_the_oracle_is_complete():
    assert len(CASES) == 37
    assert {path.name for path in CASES} > {"clean_1", "full_2", "nasty_2", "q1_displaced"}
