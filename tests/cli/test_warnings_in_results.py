"""What a command warns of goes where its numbers go."""

import json

import pytest
from conftest import ROOT
from processes import run_clineval

SEMEVAL = ROOT / "metrics" / "clineval" / "challenges" / "semeval15_task14" / "demo"
GOLD, TAGGER, DICTIONARY = (SEMEVAL / name for name in ("gold", "tagger", "dictionary"))
WARNING = "only 24 documents: below 30, intervals and p-values are unreliable. Annotate more"
COMMANDS = {
    "score": ("score", "semeval15_task14", GOLD, TAGGER, "--confidence", "0.95"),
    "compare": ("compare", "semeval15_task14", GOLD, TAGGER, DICTIONARY, "--trials", "99"),
}


@pytest.mark.parametrize("command", COMMANDS)
def test_warnings_are_in_json_and_notes_of_papers(command):
    shown = {
        notation: run_clineval(*COMMANDS[command], "--format", notation)
        for notation in ("json", "markdown", "latex", "table")
    }
    assert json.loads(shown["json"].stdout)["warnings"] == [WARNING]
    for notation in ("markdown", "latex"):
        comment = "% " if notation == "latex" else ""
        assert f"\n\n{comment}Warning: {WARNING}\n" in shown[notation].stdout, notation
    assert WARNING not in shown["table"].stdout  # a terminal shows it above
    assert all(of.stderr.count(WARNING) == 1 for of in shown.values())


def test_without_a_warning_there_is_none():
    shown = run_clineval("score", "semeval15_task14", GOLD, TAGGER, "--format", "json")
    assert "warnings" not in json.loads(shown.stdout)
