"""Plots: what they draw, and the files that the command line writes."""

import shutil
import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree as ET

import laws
import numpy as np
import pytest
from conftest import ROOT
from matplotlib.container import ErrorbarContainer

import clineval
from clineval.analysis.mistakes import confuse
from clineval.analysis.outcomes import find_outcomes
from clineval.report import plots

CORPORA = ROOT / "metrics" / "clineval" / "demo"
DEMO = CORPORA / "semeval15_task14"
NAME = "semeval15_task14"
SYSTEMS = {name: DEMO / name for name in ("dictionary", "tagger")}
COMPARISON = clineval.compare(NAME, SYSTEMS, DEMO / "gold", config="task1", trials=100)
PROGRAM = shutil.which("clineval", path=str(Path(sys.executable).parent))


def test_scores_stand_at_their_values_with_their_intervals():
    keys = ["strict_f1", "relaxed_f1"]
    [axes] = plots.plot_scores(COMPARISON, keys).axes
    drawn = [bars for bars in axes.containers if isinstance(bars, ErrorbarContainer)]
    for bars, score in zip(drawn, COMPARISON.scores.values(), strict=True):
        points, _, (ranges,) = bars.lines
        assert points.get_xdata().tolist() == [score[key] for key in keys]
        for segment, key in zip(ranges.get_segments(), keys, strict=True):
            assert segment[:, 0] == pytest.approx(score.intervals[key])
    names = [text.get_text() for text in axes.get_legend().get_texts()]
    assert names == list(SYSTEMS)


def test_documents_stand_at_their_scores():
    [axes] = plots.plot_documents(COMPARISON, "strict_f1").axes
    points = axes.collections[0].get_offsets()
    for column, score in enumerate(COMPARISON.scores.values()):
        expected = [row["strict_f1"] for row in score.per_document]
        assert np.asarray(points[:, column]).tolist() == expected


def test_confusion_has_a_number_in_every_cell():
    outcomes = find_outcomes(NAME, DEMO / "tagger", DEMO / "gold")
    confusion = confuse(outcomes, "severity")
    [axes] = plots.plot_confusion(confusion).axes
    numbers = [int(text.get_text()) for text in axes.texts]
    assert numbers == confusion.table.ravel().tolist()


def test_every_edit_of_a_note_is_drawn():
    folder = CORPORA / "clinais23_b2"
    score = clineval.score("clinais23_b2", folder / "windows.json", folder / "gold.json")
    row = score.per_document[0]
    [axes] = plots.plot_edits(score, row["document"]).axes
    assert len(axes.lines) == len(row["edits"]) + len(row["matched"])
    kinds = {edit["kind"] for edit in row["edits"]} | {"match"}
    assert {text.get_text() for text in axes.get_legend().get_texts()} == kinds
    laws.refuses(lambda: plots.plot_edits(score, "x"), "unknown document")
    laws.refuses(lambda: plots.plot_edits(COMPARISON.scores["tagger"], "x"), "no edits")


def test_without_matplotlib_the_message_says_what_to_install(monkeypatch):
    monkeypatch.setitem(sys.modules, "matplotlib.figure", None)
    laws.refuses(lambda: plots.plot_scores(COMPARISON, ["strict_f1"]), "clineval[plot]")


def run(folder, *arguments, status=0):
    result = subprocess.run(
        [PROGRAM, *map(str, arguments)], cwd=folder, capture_output=True, text=True, check=False
    )
    assert result.returncode == status, result.stderr
    return result


def test_the_command_line_writes_png_and_svg(tmp_path):
    sides = (DEMO / "gold", DEMO / "dictionary", DEMO / "tagger")
    run(tmp_path, "compare", NAME, *sides, "--plot", "a.svg", "--scatter", "b.png")
    run(tmp_path, "errors", NAME, DEMO / "gold", DEMO / "tagger", "--slot", "severity",
        "--plot", "c.svg")  # fmt: skip
    folder = CORPORA / "clinais23_b2"
    run(tmp_path, "score", "clinais23_b2", folder / "gold.json", folder / "windows.json",
        "--plot", "d.svg")  # fmt: skip
    for name in ("a.svg", "c.svg", "d.svg"):
        assert ET.parse(tmp_path / name).getroot().tag.endswith("svg")
    assert (tmp_path / "b.png").read_bytes().startswith(b"\x89PNG")
    before = (tmp_path / "a.svg").read_bytes()
    run(tmp_path, "compare", NAME, *sides, "--plot", "a.svg")
    assert (tmp_path / "a.svg").read_bytes() == before


@pytest.mark.parametrize(
    ("arguments", "said"),
    [(("compare", NAME, DEMO / "gold", DEMO / "gold", DEMO / "tagger", "--plot", "a.pdf"), ".svg"),
     (("errors", NAME, DEMO / "gold", DEMO / "tagger", "--plot", "a.png"), "--slot"),
     (("score", NAME, DEMO / "gold", DEMO / "tagger", "--plot", "a.png"), "no edits")],
)  # fmt: skip
def test_bad_usage_ends_with_status_2(tmp_path, arguments, said):
    result = run(tmp_path, *arguments, status=2)
    assert said in " ".join(result.stderr.split())
    assert not list(tmp_path.iterdir())
