"""Plots: what they draw, and the files that the command line writes."""

import sys
from xml.etree import ElementTree as ET

import laws
import matplotlib as mpl
import numpy as np
import pytest
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.container import ErrorbarContainer

import clineval
from clineval import evaluate
from clineval.evaluation import plots
from clineval.evaluation.analysis.mistakes import confuse
from clineval.results.registry import find_challenge

DEMO = find_challenge("semeval15_task14").task.corpora
NAME = "semeval15_task14"
SYSTEMS = {name: DEMO / name for name in ("dictionary", "tagger")}
COMPARISON = clineval.compare(NAME, SYSTEMS, DEMO / "gold", config="task1", trials=100)


def test_scores_stand_at_their_values_with_their_intervals():
    keys = ["strict_f1", "relaxed_f1"]
    figure = plots.plot_scores(COMPARISON, keys)
    [axes] = figure.axes
    drawn = [bars for bars in axes.containers if isinstance(bars, ErrorbarContainer)]
    for bars, score in zip(drawn, COMPARISON.scores.values(), strict=True):
        points, _, (ranges,) = bars.lines
        assert points.get_xdata().tolist() == [score[key] for key in keys]
        for segment, key in zip(ranges.get_segments(), keys, strict=True):
            assert segment[:, 0] == pytest.approx(score.intervals[key])
    names = [text.get_text() for text in figure.legends[0].get_texts()]
    assert names == list(SYSTEMS)
    assert figure.get_suptitle().replace("\n", " ") == COMPARISON.heading
    assert axes.get_xlabel() == "score, 95 % interval"


def test_documents_stand_at_their_scores():
    [axes] = plots.plot_documents(COMPARISON, "strict_f1").axes
    points = axes.collections[0].get_offsets()
    for column, score in enumerate(COMPARISON.scores.values()):
        expected = [row["strict_f1"] for row in score.per_document]
        assert np.asarray(points[:, column]).tolist() == expected


def test_confusion_has_a_number_in_every_cell():
    outcomes = evaluate(NAME, DEMO / "tagger", DEMO / "gold").outcomes
    confusion = confuse(outcomes, "severity")
    axes, shades = plots.plot_confusion(confusion).axes  # and what the shades mean
    assert "share" in shades.get_ylabel()
    numbers = [int(text.get_text()) for text in axes.texts]
    assert numbers == confusion.table.ravel().tolist()


def test_every_edit_of_a_note_is_drawn():
    folder = find_challenge("clinais23_b2").task.corpora
    score = clineval.score("clinais23_b2", folder / "windows.json", folder / "gold.json")
    row = score.per_document[0]
    [axes] = plots.plot_edits(score, row["document"]).axes
    assert len(axes.lines) == len(row["edits"]) + len(row["matched"])
    kinds = {edit["kind"] for edit in row["edits"]} | {"match"}
    assert {text.get_text() for text in axes.get_legend().get_texts()} == kinds
    laws.refuses(lambda: plots.plot_edits(score, "x"), "unknown document")
    laws.refuses(lambda: plots.plot_edits(COMPARISON.scores["tagger"], "x"), "no edits")


@pytest.mark.parametrize("name", ["a" * 40, "CLINICAL_BERT_" * 20, "clinical-bert " * 9])
def test_no_text_is_outside_the_figure(name):
    """Long names included: titles are broken, legends stand below, middles are left out."""
    counts = [score.counts for score in COMPARISON.scores.values()]
    systems = {f"{name}{k}": counts[k % 2] for k in range(12)}
    long = clineval.compare_counts(systems, trials=9)
    outcomes = evaluate(NAME, DEMO / "tagger", DEMO / "gold").outcomes
    folder = find_challenge("clinais23_b2").task.corpora
    edits = clineval.score("clinais23_b2", folder / "tagger.json", folder / "gold.json")
    for figure in (
        plots.plot_scores(long, ["strict_f1", "relaxed_f1"]),
        plots.plot_documents(long, "strict_f1"),
        plots.plot_confusion(confuse(outcomes, "severity")),
        *(plots.plot_edits(edits, name) for name in edits.counts.documents),
    ):
        FigureCanvasAgg(figure).draw()
        width, height = figure.get_size_inches()
        drawn = figure.get_tightbbox()
        assert min(drawn.x0, drawn.y0) >= -0.01
        assert drawn.x1 <= width + 0.01
        assert drawn.y1 <= height + 0.01


def test_without_matplotlib_the_message_says_what_to_install(monkeypatch):
    monkeypatch.setitem(sys.modules, "matplotlib.figure", None)
    laws.refuses(lambda: plots.plot_scores(COMPARISON, ["strict_f1"]), "clineval[plot]")


def test_the_command_line_writes_png_and_svg(run, tmp_path):
    sides = (DEMO / "gold", DEMO / "dictionary", DEMO / "tagger")
    run("compare", NAME, *sides, "--plot", "a.svg", "--scatter", "b.png")
    run("errors", NAME, DEMO / "gold", DEMO / "tagger", "--slot", "severity",
        "--plot", "c.svg")  # fmt: skip
    folder = find_challenge("clinais23_b2").task.corpora
    run("score", "clinais23_b2", folder / "gold.json", folder / "windows.json",
        "--plot", "d.svg")  # fmt: skip
    for name in ("a.svg", "c.svg", "d.svg"):
        assert ET.parse(tmp_path / name).getroot().tag.endswith("svg")
    assert (tmp_path / "b.png").read_bytes().startswith(b"\x89PNG")
    before = (tmp_path / "a.svg").read_bytes()
    run("compare", NAME, *sides, "--plot", "a.svg")
    assert (tmp_path / "a.svg").read_bytes() == before


@pytest.mark.parametrize(
    ("arguments", "said"),
    [(("compare", NAME, DEMO / "gold", DEMO / "gold", DEMO / "tagger", "--plot", "a.pdf"), ".svg"),
     (("errors", NAME, DEMO / "gold", DEMO / "tagger", "--plot", "a.png"), "--slot"),
     (("score", NAME, DEMO / "gold", DEMO / "tagger", "--plot", "a.png"), "no edits")],
)  # fmt: skip
def test_bad_usage_ends_with_status_2(run, tmp_path, arguments, said):
    result = run(*arguments, status=2)
    assert said in " ".join(result.stderr.split())
    assert not list(tmp_path.iterdir())


def test_names_and_codes_are_no_formulas(tmp_path):
    """To matplotlib, what stands between two dollar signs is a formula."""
    name = "$\\frac$\x1b"
    gold = [[{"spans": [[0, 4]], "cui": name}]] * 2
    compared = clineval.compare(NAME, {name: gold, "b": gold}, gold, config="task1", trials=9)
    figures = {
        "scores": plots.plot_scores(compared, ["strict_f1"]),
        "documents": plots.plot_documents(compared, "strict_f1"),
        "codes": plots.plot_confusion(confuse(evaluate(NAME, gold, gold).outcomes, "cui")),
    }
    for kind, figure in figures.items():
        path = tmp_path / f"{kind}.svg"
        with mpl.rc_context({"svg.fonttype": "none"}):
            plots.save(figure, path)
        written = "".join(ET.parse(path).getroot().itertext())
        assert "$\\frac$\\x1b" in written
