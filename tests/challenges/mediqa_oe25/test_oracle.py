"""The outputs of MEDIQA-OE's program, and what spec makes of the same input."""

import json

import pytest
from oracles import Oracle, name_output

import clineval
from clineval import InputError
from clineval.challenges.mediqa_oe25.printed import mediqa_oe
from clineval.evaluation.evaluate import evaluate

NAME = "mediqa_oe25"
ORACLE = Oracle(NAME)
pytestmark = pytest.mark.filterwarnings("ignore::clineval.InputWarning")


def call(folder, target):
    """What the stand-in prints, and its file."""
    run = mediqa_oe(folder / "gold.json", folder / "system.json", None, target)
    asked = {"protocol": "official", **run.options}
    printed, file = run.write(evaluate(NAME, run.predictions, run.references, **asked))
    assert (file.folder, file.file) == (str(target), "scores.json")
    return printed.text, file.text


@pytest.mark.parametrize("output", ORACLE.outputs("official.json"), ids=name_output)
def test_the_file_of_scores(output, tmp_path):
    _, written = call(output.parent, tmp_path)
    expected = json.loads(output.read_text("utf-8"))
    scores = json.loads(written)
    assert [*scores] == [*expected]
    assert scores == pytest.approx(expected, rel=0, abs=1e-12)


@pytest.mark.parametrize("output", ORACLE.outputs("printed.out"), ids=name_output)
def test_what_the_program_prints(output, tmp_path):
    printed, _ = call(output.parent, tmp_path)
    turns, scores = (text.partition("{\n")[::2] for text in (printed, output.read_text("utf-8")))
    assert turns[0] == scores[0]
    found, expected = (json.loads("{" + text) for text in (turns[1], scores[1]))
    assert [*found] == [*expected]
    for field, values in expected.items():
        assert [*found[field]] == [*values]
        assert found[field] == pytest.approx(values, rel=0, abs=1e-12)


@pytest.mark.parametrize("output", ORACLE.outputs("official.out"), ids=name_output)
def test_where_the_program_stops_there_is_an_error(output, tmp_path):
    assert "rc=1" in output.read_text("utf-8")
    with pytest.raises(InputError, match="the released program stops"):
        call(output.parent, tmp_path)


CASES = {
    "o02": {"match_tp": 1, "match_fp": 1, "description_f1": 0.5},
    "o03a": {"description_precision": 1 / 3, "description_recall": 1},
    "o03b": {"description_precision": 1 / 3, "description_recall": 1},
    "o03c": {"strict_tp": 1, "description_recall": 1},
    "o03d": {"order_type_tp": 2, "reason_f1": 1},
    "o03e": {"order_type_tp": 1},
    "o07": {"description_precision": 2 / 3, "description_recall": 2 / 3},
    "o09": {"strict_f1": 1},
    "o10": {"match_tp": 0},
    "o12b": {"match_fp": 1, "match_tp": 1},
    "o15": {"order_type_tp": 2, "match_tp": 2},
    "o16": {"match_fp": 1, "match_fn": 1},
    "o17": {"match_fp": 1, "match_fn": 1},
    "o20": {"reason_f1": 0.5},
    "o23": {"provenance_precision": 0.5, "provenance_recall": 1 / 3},
    "o25": {"provenance_f1": 1},
    "o26": {"provenance_precision": 1 / 3, "provenance_recall": 0.5},
    "o28": {"provenance_f1": 0, "match_f1": 1},
    "o29": {"provenance_f1": 1},
    "o30": {"provenance_recall": 0},
    "o31": {"provenance_f1": 0},
    "o33": {"match_fn": 1, "match_tp": 1},
    "o38": {"match_fp": 1, "match_fn": 1, "description_f1": 0},
    "o43": {"order_type_f1": 1, "reason_f1": 1},
}
"""Scores under spec."""
REFUSED = {"o12": "description", "o13": "description", "o14": "order_type"}
"""The field of the gold standard that is refused."""


@pytest.mark.parametrize(
    "folder", sorted((ORACLE.here / "cases").iterdir()), ids=lambda path: path.name
)
def test_spec_on_the_cases(folder):
    case = folder.name.partition("_")[0]
    sides = folder / "system.json", folder / "gold.json"
    if case in REFUSED:
        with pytest.raises(InputError, match=f"document e, record .: {REFUSED[case]}: expected"):
            clineval.score(NAME, *sides)
        return
    result = clineval.score(NAME, *sides)
    expected = CASES.get(case, {})
    assert {key: result[key] for key in expected} == pytest.approx(expected)
