"""Plots: what they draw, and the files that the command line writes."""

import re
import sys
from collections import Counter
from xml.etree import ElementTree as ET

import laws
import matplotlib as mpl
import numpy as np
import pytest
from demos import arguments_of
from matplotlib import pyplot as plt
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.container import ErrorbarContainer
from thorough import each, each_module

import clineval
from clineval import evaluate, plan
from clineval.evaluation import plots
from clineval.evaluation.analysis.agreement import agree
from clineval.evaluation.analysis.mistakes import confuse
from clineval.results.pictures.figures import save
from clineval.results.registry import find_challenge

DEMO = find_challenge("semeval15_task14").task.corpora
NAME = "semeval15_task14"
pytestmark = pytest.mark.filterwarnings("ignore::clineval.InputWarning")
mpl.use("agg")
SYSTEMS = {name: DEMO / name for name in ("dictionary", "tagger")}
COMPARISON = clineval.compare(NAME, SYSTEMS, DEMO / "gold", config="task1", trials=100)


def test_scores_stand_at_their_values_with_their_intervals():
    keys = ["strict_f1", "relaxed_f1"]
    figure = plots.plot_comparison(COMPARISON, keys)
    axes, _ = figure.axes
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


def bars_of(axes):
    """Series to the value and the interval of each of its points."""
    found = {}
    for bars in axes.containers:
        points, _, (ranges,) = bars.lines
        ends = [segment[:, 0].tolist() for segment in ranges.get_segments()]
        found[bars.get_label()] = list(zip(points.get_xdata().tolist(), ends, strict=True))
    return found


def test_differences_stand_beside_the_scores():
    keys = ["strict_f1", "relaxed_f1"]
    scores, beside = plots.plot_comparison(COMPARISON, keys).axes
    own = COMPARISON.plot(keys)
    for axes in (beside, own):
        found = bars_of(axes)
        assert found["dictionary"] == [(0.0, [0.0, 0.0])] * 2
        for (value, ends), key in zip(found["tagger"], keys, strict=True):
            difference = COMPARISON.differences["tagger"][key]
            assert value == difference.value
            assert ends == pytest.approx([difference.low, difference.high])
    assert scores.get_ylim() == beside.get_ylim()
    laws.refuses(lambda: COMPARISON.plot(["x"]), "unknown score")
    plt.close("all")


@each_module()
def test_every_score_is_drawn_where_it_is(name):
    """All shares that the tables show, in their order; counts are not drawn."""
    sides, options = arguments_of(name)
    score = clineval.score(name, *sides, confidence=0.9, n_resamples=20, **options)
    [axes] = plots.plot_score(score).axes
    drawn = Counter(point for points in bars_of(axes).values() for point, _ in points)
    values = {key: value for key, value in score.items() if key not in score.counts.columns}
    known = {f"{value:.4f}": value for value in values.values()}
    shown = [cell for table in score.tables for row in table.rows for cell in row[1:]]
    expected = Counter(known[cell] for cell in shown if cell in known and "." in cell)
    further = re.search(r"(\d+) further table", axes.get_xlabel())
    assert {round(value, 4) for value in drawn} <= {round(value, 4) for value in expected}
    if not further:
        assert sum(drawn.values()) == sum(expected.values())
    low, high = axes.get_xlim()
    assert low < min(drawn) <= max(drawn) < high
    intervals = {tuple(np.round(bounds, 6)) for bounds in score.intervals.values()}
    ends = {tuple(np.round(e, 6)) for points in bars_of(axes).values() for _, e in points}
    assert ends <= intervals


def test_a_score_draws_on_axes_that_it_is_given_and_on_its_own():
    score = COMPARISON.scores["tagger"]
    figure, axes = plt.subplots()
    assert score.plot(axes) is axes
    own = score.plot()
    assert own.figure is not figure
    assert [t.get_text() for t in own.get_yticklabels()] == ["strict", "relaxed"]
    assert own.get_xlabel() == "score, 95 % interval"
    plt.close("all")


def test_agreement_has_kappa_and_alpha_with_their_intervals():
    found = agree(NAME, {"a": DEMO / "gold", "b": DEMO / "tagger"})
    [axes] = plots.plot_agreement(found).axes
    slots = found[0].slots.values()
    assert bars_of(axes)["kappa"] == [
        (of.kappa, pytest.approx([*of.bounds("kappa")])) for of in slots
    ]
    assert [value for value, _ in bars_of(axes)["alpha"]] == [of.alpha for of in slots]


def test_curves_of_power_pass_through_what_is_needed():
    pilot = [score.counts for score in COMPARISON.scores.values()]
    planned = plan(pilot, 0.05)
    [axes] = plots.plot_power(planned).axes
    curves = {line.get_label(): line.get_xydata() for line in axes.lines}
    for of in planned.plans:
        x, y = curves[of.score].T
        assert np.interp(of.documents, x, y) == pytest.approx(0.05, rel=0.02)
        assert np.interp(planned.pilot, x, y) == pytest.approx(of.visible, rel=0.02)
    gold = [[{"spans": [[0, 4]], "cui": "C1"}]] * 2
    still = plan([clineval.count(NAME, gold, gold)], 0.05)
    laws.refuses(lambda: plots.plot_power(still), "does not vary")


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


LONG = ["a" * 40, "CLINICAL_BERT_" * 20, "clinical-bert " * 9]


@pytest.mark.parametrize("name", each(LONG, LONG[1:2]))
def test_no_text_is_outside_the_figure(name):
    """Long names included: titles are broken, legends stand below, middles are left out."""
    counts = [score.counts for score in COMPARISON.scores.values()]
    systems = {f"{name}{k}": counts[k % 2] for k in range(12)}
    long = clineval.compare_counts(systems, trials=9)
    outcomes = evaluate(NAME, DEMO / "tagger", DEMO / "gold").outcomes
    folder = find_challenge("clinais23_b2").task.corpora
    edits = clineval.score("clinais23_b2", folder / "tagger.json", folder / "gold.json")
    for figure in (
        plots.plot_comparison(long, ["strict_f1", "relaxed_f1"]),
        plots.plot_documents(long, "strict_f1"),
        plots.plot_score(long.scores[f"{name}0"]),
        plots.plot_agreement(agree(NAME, {name: DEMO / "gold", "b": DEMO / "tagger"})),
        plots.plot_power(plan(counts[:1], 0.05)),
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
    laws.refuses(lambda: plots.plot_comparison(COMPARISON, ["strict_f1"]), "clineval[plot]")


def test_the_command_line_writes_png_and_svg(run, tmp_path):
    sides = (DEMO / "gold", DEMO / "dictionary", DEMO / "tagger")
    run("compare", NAME, *sides, "--plot", "a.svg", "--scatter", "b.png")
    run("errors", NAME, DEMO / "gold", DEMO / "tagger", "--slot", "severity",
        "--plot", "c.svg")  # fmt: skip
    folder = find_challenge("clinais23_b2").task.corpora
    edits = (folder / "gold.json", folder / "windows.json", "--document", "nota-01")
    run("score", "clinais23_b2", *edits, "--plot", "d.svg")
    run("score", NAME, DEMO / "gold", DEMO / "tagger", "--plot", "e.svg", "--save-counts", "e.json")
    run("agreement", NAME, DEMO / "gold", DEMO / "tagger", "--plot", "f.svg")
    run("power", "e.json", "--plot", "g.svg")
    for name in ("a.svg", *(f"{letter}.svg" for letter in "cdefg")):
        assert ET.parse(tmp_path / name).getroot().tag.endswith("svg")
    assert (tmp_path / "b.png").read_bytes().startswith(b"\x89PNG")
    before = (tmp_path / "a.svg").read_bytes()
    run("compare", NAME, *sides, "--plot", "a.svg")
    assert (tmp_path / "a.svg").read_bytes() == before


@pytest.mark.parametrize(
    ("arguments", "said"),
    [(("compare", NAME, DEMO / "gold", DEMO / "gold", DEMO / "tagger", "--plot", "a.pdf"), ".svg"),
     (("errors", NAME, DEMO / "gold", DEMO / "tagger", "--plot", "a.png"), "--slot"),
     (("score", NAME, DEMO / "gold", DEMO / "tagger", "--plot", "a"), "ends in .png or .svg"),
     (("score", NAME, DEMO / "gold", DEMO / "tagger", "--plot", "a.png", "--by", "label"), "--by"),
     (("score", NAME, DEMO / "gold", DEMO / "tagger", "--document", "x"), "--plot"),
     (("score", NAME, DEMO / "gold", DEMO / "tagger", "--plot", "a.png", "--document", "x"),
      "no edits")],
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
        "scores": plots.plot_comparison(compared, ["strict_f1"]),
        "documents": plots.plot_documents(compared, "strict_f1"),
        "codes": plots.plot_confusion(confuse(evaluate(NAME, gold, gold).outcomes, "cui")),
    }
    for kind, figure in figures.items():
        path = tmp_path / f"{kind}.svg"
        with mpl.rc_context({"svg.fonttype": "none"}):
            save(figure, path)
        written = "".join(ET.parse(path).getroot().itertext())
        assert "$\\frac$\\x1b" in written
