"""Intervals and comparisons of groups: against the corpus with the other mentions taken out."""

import json

import laws
import numpy as np
import pytest
from conftest import ROOT
from demos import arguments_of
from processes import run_clineval
from thorough import each

import clineval
from clineval import evaluate
from clineval.evaluation.analysis.breakdown import add_intervals, break_down
from clineval.evaluation.analysis.compared_groups import compare_groups
from clineval.results.registry import NAMES, find_challenge

NAME = "semeval15_task14"
DEMO = ROOT / "metrics" / "clineval" / "challenges" / NAME / "demo"
LISTED = [name for name in NAMES if find_challenge(name).steps.listed]


@pytest.mark.filterwarnings("ignore::clineval.InputWarning")
@pytest.mark.parametrize("name", each(LISTED))
def test_groups_have_the_scores_of_the_breakdown_and_intervals(name):
    sides, options = arguments_of(name)
    evaluation = evaluate(name, *sides, **options)
    by = f"slot:{next(iter(evaluation.outcomes.gold.attributes))}"
    whole = evaluation.score(confidence=0.9, n_resamples=50)
    groups = break_down(evaluation.outcomes, by)
    sure = add_intervals(groups, whole)
    for group in groups.names:
        plain, score = groups.values[group], sure.sure[group]
        assert {key: score.get(key) for key in plain} == pytest.approx(plain)
        for key, (low, high) in score.intervals.items():
            assert low <= plain[key] + 1e-12
            assert plain[key] <= high + 1e-12 or score.interval_methods[key] != "binomial"


def test_a_group_is_the_corpus_without_the_other_mentions():
    random = np.random.default_rng(5)
    gold = [
        [{"spans": [[9 * k, 9 * k + 4]], "cui": "C1", "negation": random.choice(["yes", "no"])}
         for k in range(6)] for _ in range(40)
    ]  # fmt: skip
    found = [[m for m in note if random.random() < 0.7] for note in gold]
    whole = evaluate(NAME, found, gold, config="task1")
    groups = add_intervals(
        break_down(whole.outcomes, "slot:negation"), whole.score(confidence=0.95)
    )
    for value in ("yes", "no"):
        sides = ([[m for m in n if m["negation"] == value] for n in side] for side in (found, gold))
        alone = clineval.score(NAME, *sides, config="task1", confidence=0.95)
        assert groups.sure[value]["strict_recall"] == alone["strict_recall"]
        expected = alone.intervals["strict_recall"]
        assert groups.sure[value].intervals["strict_recall"] == pytest.approx(expected)


def test_single_documents_have_no_interval():
    (predicted, gold), _ = arguments_of(NAME)
    evaluation = evaluate(NAME, predicted, gold)
    by_document = break_down(evaluation.outcomes, "document")
    laws.refuses(
        lambda: add_intervals(by_document, evaluation.score(confidence=0.9)), "single document"
    )
    laws.refuses(
        lambda: compare_groups(NAME, {"a": gold, "b": predicted}, gold, "document"),
        "single document",
    )


def test_the_command_line_shows_intervals_of_groups():
    sides = (NAME, DEMO / "gold", DEMO / "tagger", "--by", "slot:negation", "--confidence", "0.95")
    evaluation = evaluate(NAME, DEMO / "tagger", DEMO / "gold")
    groups = add_intervals(
        break_down(evaluation.outcomes, "slot:negation"), evaluation.score(confidence=0.95)
    )
    low, high = groups.sure["yes"].intervals["span_f1"]
    assert f"[{low:.4f}, {high:.4f}]" in run_clineval("score", *sides).stdout
    shown = json.loads(run_clineval("score", *sides, "--format", "json").stdout)
    assert shown["groups"]["yes"]["span_f1_low"] == low
    assert shown["interval_methods"]["yes"]["span_f1"] == "binomial"
    head, *rows = run_clineval("score", *sides, "--format", "csv").stdout.splitlines()
    assert "span_f1_high" in head.split(",")
    assert len({row.count(",") for row in (head, *rows)}) == 1


def test_systems_are_compared_in_every_group():
    systems = {name: DEMO / name for name in ("dictionary", "tagger")}
    found = compare_groups(NAME, systems, DEMO / "gold", "slot:negation", config="task1")
    scores = {
        name: break_down(evaluate(NAME, path, DEMO / "gold", config="task1").outcomes,
                         "slot:negation").values
        for name, path in systems.items()
    }  # fmt: skip
    for group, compared in found.groups.items():
        expected = scores["tagger"][group]["strict_f1"] - scores["dictionary"][group]["strict_f1"]
        assert compared.differences["tagger"]["strict_f1"].value == pytest.approx(expected)
    words = ("compare", NAME, DEMO / "gold", *systems.values(), "--config", "task1",
             "--by", "slot:negation")  # fmt: skip
    shown = json.loads(run_clineval(*words, "--format", "json").stdout)
    assert shown["groups"]["yes"]["differences"]["tagger"]["strict_f1"]["p"] == (
        found.groups["yes"].differences["tagger"]["strict_f1"].p
    )
    assert "yes  tagger" in run_clineval(*words).stdout
    assert run_clineval(*words, "--format", "csv").stdout.startswith("group,score,system,")
    assert "neither" in run_clineval(*words, "--plot", "a.svg", status=2).stderr


@pytest.mark.filterwarnings("ignore::clineval.InputWarning")
@pytest.mark.parametrize("name", each(LISTED))
def test_every_challenge_compares_groups(name):
    """Differences are those of the scores of the breakdowns."""
    (first, gold), options = arguments_of(name)
    sides = {"first": first, "second": arguments_of(name, system=1)[0][0]}
    outcomes = {key: evaluate(name, side, gold, **options).outcomes for key, side in sides.items()}
    by = f"slot:{next(iter(outcomes['first'].gold.attributes))}"
    values = {key: break_down(of_side, by).values for key, of_side in outcomes.items()}
    found = compare_groups(name, sides, gold, by, trials=9, n_resamples=20, **options)
    for group in {*values["first"]} & {*values["second"]}:
        for key, difference in found.groups[group].differences["second"].items():
            expected = values["second"][group][key] - values["first"][group][key]
            assert difference.value == pytest.approx(expected)
            assert difference.low - 1e-12 <= difference.value <= difference.high + 1e-12
            assert 0 < difference.p <= 1


@pytest.mark.parametrize("name", sorted({*NAMES} - {*LISTED}))
def test_rankings_have_no_groups_and_say_so(name):
    (predicted, gold), options = arguments_of(name)
    sides = {"a": predicted, "b": predicted}
    laws.refuses(lambda: compare_groups(name, sides, gold, "document", **options), "document")
    laws.refuses(lambda: compare_groups(name, sides, gold, "length", **options), name)


def test_a_group_that_a_system_lacks_counts_nothing_for_it():
    gold = [[{"spans": [[0, 4]], "cui": "C1"}]] * 2
    more = [[*gold[0], {"spans": [[9, 12]], "cui": "C9"}], gold[1]]
    found = compare_groups(NAME, {"a": gold, "b": more}, gold, "code", config="task1")
    assert found.groups["c9"].scores["a"]["strict_fp"] == 0
    assert found.groups["c9"].scores["b"]["strict_fp"] == 1
