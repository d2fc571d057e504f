"""How many documents it takes to see a difference: formulas, and by simulation."""

import json

import laws
import numpy as np
import pytest
import simulation
from programs import run_clineval

import clineval
from clineval.results.tables import as_text


def draw_better(random, mentions, ease):
    """The counts of a system that finds more than that of ``simulation.draw_system``."""
    return simulation.draw_system(random, mentions, ease**0.8)


def draw_pilot(random, documents):
    drawn = simulation.draw_documents(random, documents)
    return [draw(random, *drawn) for draw in (simulation.draw_system, draw_better)]


def test_the_number_is_that_of_the_formula():
    """Mentions of documents of one are coins: 70 and 80 of 100, ten of them different."""
    gold = [[{"spans": [[0, 4]], "cui": "C1"}]] * 100
    found = [gold[:70] + [[]] * 30, gold[:80] + [[]] * 20]
    pilot = [clineval.count("semeval15_task14", side, gold) for side in found]
    [two] = clineval.plan(pilot, 0.1, scores=["strict_recall"]).plans
    variance = 0.1 * 0.9 * 100 / 99  # of a difference of 0 or 1 in a document
    assert two.deviation**2 == pytest.approx(variance)
    assert two.documents == int(np.ceil(variance * (1.959964 + 0.841621) ** 2 / 0.1**2))
    assert two.observed == pytest.approx(0.1)
    [one] = clineval.plan(pilot[:1], 0.1, scores=["strict_recall"]).plans
    assert one.deviation**2 == pytest.approx(2 * 0.7 * 0.3 * 100 / 99)
    assert one.observed is None
    assert two.visible == pytest.approx(0.1 * (two.deviation**2 * 7.8489 / 0.01 / 100) ** 0.5, 1e-3)


def test_a_difference_is_seen_as_often_as_planned():
    pilot = draw_pilot(np.random.default_rng(1), 400)
    [found] = clineval.plan(pilot, 0.04, scores=["strict_f1"]).plans
    true = draw_pilot(np.random.default_rng(2), 200_000)
    difference = true[1].score()["strict_f1"] - true[0].score()["strict_f1"]
    [needed] = clineval.plan(pilot, difference, scores=["strict_f1"]).plans
    assert found.documents != needed.documents
    seen, corpora = 0, 150
    for corpus in range(corpora):
        systems = draw_pilot(np.random.default_rng(100 + corpus), needed.documents)
        compared = clineval.compare_counts(
            dict(zip("AB", systems, strict=True)), trials=300, n_resamples=1
        )
        seen += compared.differences["B"]["strict_f1"].p < 0.05
    assert 0.7 <= seen / corpora <= 0.9  # a standard error of 3 %


def test_a_pilot_that_does_not_vary_says_nothing():
    gold = [[{"spans": [[0, 4]], "cui": "C1"}]] * 40
    pilot = [clineval.count("semeval15_task14", gold, gold)] * 2
    planned = clineval.plan(pilot, 0.1, scores=["strict_recall"])
    [plan] = planned.plans
    assert (plan.observed, plan.deviation, plan.documents, plan.visible) == (0, 0, None, None)
    assert "–" in as_text(planned.sheet())


def test_clusters_are_what_is_counted():
    pilot = draw_pilot(np.random.default_rng(3), 120)
    planned = clineval.plan(pilot, 0.05, cluster=lambda name: int(name) // 3)
    assert (planned.unit, planned.pilot) == ("clusters", 40)


@pytest.mark.parametrize(
    ("options", "said"),
    [({"difference": 0}, "difference"), ({"power": 1}, "power"), ({"confidence": 95}, "confidence"),
     ({"scores": ["f1"]}, "strict_f1"), ({"pilot": []}, "one system or of two")],
)  # fmt: skip
def test_what_cannot_be_planned_is_refused(options, said):
    given = {"pilot": draw_pilot(np.random.default_rng(3), 40), "difference": 0.1, **options}
    laws.refuses(lambda: clineval.plan(**given), said)


def test_a_pilot_of_one_document_is_refused():
    pilot = [counts.take([0]) for counts in draw_pilot(np.random.default_rng(3), 5)]
    laws.refuses(lambda: clineval.plan(pilot, 0.1), "two documents")


def test_the_command_line_plans(tmp_path):
    pilot = draw_pilot(np.random.default_rng(5), 60)
    for name, counts in zip("ab", pilot, strict=True):
        counts.save(tmp_path / f"{name}.json")
    files = [tmp_path / "a.json", tmp_path / "b.json"]
    expected = clineval.plan(pilot, 0.03)
    shown = json.loads(run_clineval("power", *files, "--difference", "0.03", "--format", "json")
                       .stdout)  # fmt: skip
    assert [plan["documents"] for plan in shown["plans"]] == [
        plan.documents for plan in expected.plans
    ]
    table = run_clineval("power", *files, "--difference", "0.03").stdout
    assert "To see a difference of 0.03 with 80 % power at 95 %, from 60 documents" in table
    assert str(expected.plans[0].documents) in table
    assert run_clineval("power", *files, "--format", "csv").stdout.startswith(",difference,")
    assert "none.json" in run_clineval("power", "none.json", status=2).stderr
