"""GutBrainIE 2026: the released program's output and digits, and the scores by the page."""

import json

import pytest
from commands import invoke
from oracles import Oracle, name_output
from processes import run_clineval

import clineval
from clineval import InputError

NAME = "gutbrainie26"
ORACLE = Oracle(NAME)
TASKS = {
    "NER": "ner",
    "NERD": "nerd",
    "mention_level_RE": "mention_relations",
    "concept_level_RE": "concept_relations",
}
KEYS = ("macro_precision", "macro_recall", "mean_f1", "micro_precision", "micro_recall", "micro_f1")
each_task = pytest.mark.parametrize("task", TASKS)
pytestmark = pytest.mark.filterwarnings("ignore::clineval.InputWarning")


def part_of(output, task):
    """The part of a recorded output that belongs to a subtask."""
    parts = f"\n{output.read_text('utf-8')}".split("\n--- ")
    [part] = (text for head, _, text in (each.partition("\n") for each in parts) if head == task)
    return part if part.endswith("\n") else f"{part}\n"


@each_task
@pytest.mark.parametrize("output", ORACLE.outputs("official.out"), ids=name_output)
def test_what_the_program_prints(output, task):
    sides = (output.parent / name for name in ("gold.json", "pred.json"))
    arguments = ["official", "gutbrainie-2026", task, *sides]
    expected = part_of(output, task)
    if expected.endswith("rc=1\n"):
        done = run_clineval(*arguments, status=2)
        errors = [line for line in done.stderr.splitlines() if "warning" not in line]
        assert (done.stdout, len(errors)) == ("", 1)
        return
    done = invoke(arguments)
    assert (done.exit_code, done.stdout) == (0, expected)


@each_task
@pytest.mark.parametrize("output", ORACLE.outputs("official.json"), ids=name_output)
def test_all_digits_of_the_program(output, task):
    expected = json.loads(output.read_text("utf-8"))[task]
    sides = output.parent / "pred.json", output.parent / "gold.json"
    if isinstance(expected, str):  # the name of an exception
        with pytest.raises(InputError, match="released program"):
            clineval.score(NAME, *sides, config=TASKS[task], protocol="official")
        return
    score = clineval.score(NAME, *sides, config=TASKS[task], protocol="official")
    assert [score[key] for key in KEYS] == expected


@each_task
@pytest.mark.parametrize("output", ORACLE.outputs("spec.json"), ids=name_output)
def test_scores_by_the_definition(output, task):
    expected = json.loads(output.read_text("utf-8"))[task]
    sides = output.parent / "pred.json", output.parent / "gold.json"
    score, whole = clineval.score(NAME, *sides, config=TASKS[task]), clineval.score(NAME, *sides)
    assert [score[f"micro_{of}"] for of in ("tp", "fp", "fn")] == expected["micro"][:3]
    rates = [f"{mean}_{of}" for mean in ("micro", "macro") for of in ("precision", "recall", "f1")]
    numbers = [*expected["micro"][3:], *expected["macro"], expected["mean_f1"]]
    for found in (score, {key: whole[f"{TASKS[task]}_{key}"] for key in (*rates, "mean_f1")}):
        assert [found[key] for key in (*rates, "mean_f1")] == pytest.approx(numbers, rel=1e-14)
