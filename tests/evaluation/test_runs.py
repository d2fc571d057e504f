"""Several runs of a system: means, deviations, a test over documents and runs."""

import csv
import json
from io import StringIO
from statistics import mean, stdev

import laws
import pytest
import simulation
from conftest import ROOT
from processes import run_clineval

import clineval
from clineval.evaluation.plots import plot_comparison

NAME = "semeval15_task14"
DEMO = ROOT / "metrics" / "clineval" / "challenges" / NAME / "demo"
PATHS = {name: DEMO / name for name in ("dictionary", "tagger", "gold")}
COUNTS = {
    name: clineval.count(NAME, path, DEMO / "gold", config="task1") for name, path in PATHS.items()
}
RUNS = [COUNTS["tagger"], COUNTS["gold"], COUNTS["dictionary"]]


def test_a_system_is_the_mean_of_its_runs():
    compared = clineval.compare_counts({"one": COUNTS["dictionary"], "three": RUNS})
    values = [counts.score()["strict_f1"] for counts in RUNS]
    score = compared.scores["three"]
    assert score["strict_f1"] == pytest.approx(mean(values))
    assert score.deviations["strict_f1"] == pytest.approx(stdev(values))
    difference = compared.differences["three"]["strict_f1"]
    assert difference.value == pytest.approx(mean(values) - values[2])
    assert difference.low < difference.value < difference.high
    assert compared.differences["three"]["strict_f1"].method == "student"
    low, high = score.intervals["strict_f1"]
    assert 0 <= low < score["strict_f1"] < high <= 1
    assert str(compared.signature).endswith("|test:runs|runs:1,3|v:" + clineval.__version__)
    assert "t test over documents and runs" in repr(compared)


def test_runs_that_are_all_alike_leave_only_the_documents():
    alike = {"a": [COUNTS["dictionary"]] * 2, "b": [COUNTS["tagger"]] * 2}
    found = clineval.compare_counts(alike).differences["b"]["strict_f1"]
    one = clineval.compare_counts({name: of[0] for name, of in alike.items()})
    expected = one.differences["b"]["strict_f1"]
    assert found.value == expected.value
    assert (found.low, found.high) == pytest.approx((expected.low, expected.high))
    assert found.p == pytest.approx(expected.p, abs=0.02)
    same = clineval.compare_counts({"a": [COUNTS["tagger"]] * 2, "b": COUNTS["tagger"]})
    assert same.differences["b"]["strict_f1"].p == 1


def test_the_order_of_runs_and_of_documents_does_not_matter():
    forth = clineval.compare_counts({"a": COUNTS["dictionary"], "b": RUNS})
    turned = [counts.take(range(len(counts))[::-1]) for counts in RUNS[::-1]]
    back = clineval.compare_counts({"a": COUNTS["dictionary"], "b": turned})
    left, right = (of.differences["b"]["strict_f1"] for of in (forth, back))
    assert (left.value, left.low, left.p) == pytest.approx((right.value, right.low, right.p))


def test_equal_systems_with_runs_differ_in_about_5_percent_of_corpora():
    # 300 corpora: a standard error of 1.3 %; benchmarks/bench_confidence.py has more of them
    assert 0.01 <= simulation.rejections_of_runs(300, 60, 3, seed=5) <= 0.09


def test_python_takes_runs_of_predictions():
    systems = {"a": clineval.Runs([PATHS["dictionary"], PATHS["tagger"]]), "b": PATHS["gold"]}
    compared = clineval.compare(NAME, systems, DEMO / "gold", config="task1")
    expected = clineval.compare_counts(
        {"a": [COUNTS["dictionary"], COUNTS["tagger"]], "b": COUNTS["gold"]}
    )
    assert compared.differences == expected.differences
    laws.refuses(
        lambda: clineval.compare(NAME, {"a": clineval.Runs(), "b": PATHS["gold"]}, DEMO / "gold"),
        "without runs",
    )


def test_the_command_line_takes_runs():
    runs = ",".join(str(PATHS[name]) for name in ("tagger", "gold", "dictionary"))
    words = ("compare", NAME, DEMO / "gold", f"base={PATHS['dictionary']}", f"ours={runs}",
             "--config", "task1")  # fmt: skip
    expected = clineval.compare_counts({"base": COUNTS["dictionary"], "ours": RUNS})
    shown = json.loads(run_clineval(*words, "--format", "json").stdout)
    score = expected.scores["ours"]
    assert shown["systems"]["ours"]["strict_f1_sd"] == score.deviations["strict_f1"]
    assert shown["systems"]["ours"]["runs"] == 3
    assert shown["differences"]["ours"]["strict_f1"]["p"] == (
        expected.differences["ours"]["strict_f1"].p
    )
    table = run_clineval(*words).stdout
    assert "ours (3 runs)" in table
    assert f"{score['strict_f1']:.4f} ± {score.deviations['strict_f1']:.4f}" in table
    rows = list(csv.DictReader(StringIO(run_clineval(*words, "--format", "csv").stdout)))
    assert [row["runs"] for row in rows[:2]] == ["1", "3"]
    twice = run_clineval(*words[:3], f"a={runs}", f"a={runs}", status=2)
    assert "same name" in twice.stderr


def test_the_plot_shows_every_run():
    compared = clineval.compare_counts({"one": COUNTS["dictionary"], "three": RUNS})
    axes, _ = plot_comparison(compared, ["strict_f1"]).axes
    [dots] = axes.collections[-1:]
    assert sorted(x for x, _ in dots.get_offsets()) == pytest.approx(
        sorted(counts.score()["strict_f1"] for counts in RUNS)
    )
