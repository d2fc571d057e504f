"""How many documents it takes to see a difference: formulas, and by simulation."""

import json

import laws
import numpy as np
import pytest
import simulation
from processes import run_clineval
from scipy import stats

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
    freedom = 2 * 100 / (1 / 0.09 - 3 - 1)  # of a coin that shows heads in a tenth of all throws
    assert two.freedom == pytest.approx(freedom)
    reach = stats.t.ppf(0.975, freedom) + stats.t.ppf(0.8, freedom)
    assert two.documents == int(np.ceil(variance * reach**2 / 0.1**2))
    assert two.visible == pytest.approx(reach * (variance / 100) ** 0.5, 1e-3)
    assert two.observed == pytest.approx(0.1)
    [one] = clineval.plan(pilot[:1], 0.1, scores=["strict_recall"]).plans
    assert one.deviation**2 == pytest.approx(2 * 0.7 * 0.3 * 100 / 99)
    assert one.observed is None


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
    assert (plan.observed, plan.deviation) == (0, 0)
    assert {plan.documents, plan.low, plan.high, plan.visible} == {None}
    assert "–" in as_text(planned.sheet())


def test_half_of_the_pilots_answer_within_the_range_of_another():
    """Two of every five to three: the ranges say it of themselves, see bench_power.py."""
    random = np.random.default_rng(11)
    plans = [
        clineval.plan(draw_pilot(random, 60), 0.05, scores=["strict_f1"]).plans[0]
        for _ in range(60)
    ]
    within = [a.low <= b.documents <= a.high for a in plans for b in plans if a is not b]
    assert 0.38 <= np.mean(within) <= 0.62
    assert all(plan.low <= plan.documents <= plan.high for plan in plans)


def test_several_pilots_are_as_one_of_all_documents():
    """If they are of one sort; and what all say lies in a narrower range."""
    random = np.random.default_rng(6)
    pilots = [draw_pilot(random, 120) for _ in range(4)]
    one, every = (clineval.plan(of, 0.02, scores=["strict_f1"]) for of in (pilots[0], pilots))
    whole = [
        clineval.Counts.sum(
            of.named(*(f"{k}-{name}" for name in of.documents)) for k, of in enumerate(side)
        )
        for side in zip(*pilots, strict=True)
    ]
    [together] = clineval.plan(whole, 0.02, scores=["strict_f1"]).plans
    [alone], [all_four] = one.plans, every.plans
    assert (every.pilot, every.pilots, one.pilots) == (480, 4, 1)
    assert all_four.documents == pytest.approx(together.documents, rel=0.04)
    assert all_four.observed == pytest.approx(together.observed, abs=0.002)
    assert all_four.high - all_four.low < 0.8 * (alone.high - alone.low)
    assert "480 documents in 4 pilots" in as_text(every.sheet())


def test_pilots_that_cannot_be_put_together_are_refused():
    pilot = draw_pilot(np.random.default_rng(3), 40)
    laws.refuses(lambda: clineval.plan([pilot, pilot[:1]], 0.1), "got one and two")
    gold = [[{"spans": [[0, 4]], "cui": "C1"}]] * 40
    other = [clineval.count("semeval15_task14", gold, gold)] * 2
    laws.refuses(lambda: clineval.plan([pilot, other], 0.1), "config")


def test_documents_of_several_pilots_are_warned_of():
    gold = [[{"spans": [[0, 4]], "cui": "C1"}]] * 40
    pilot = [clineval.count("semeval15_task14", found, gold)
             for found in (gold[:20] + [[]] * 20, gold)]  # fmt: skip
    with pytest.warns(clineval.InputWarning, match="40 documents are in more than one pilot"):
        clineval.plan([pilot, pilot], 0.1)


def test_clusters_are_what_is_counted():
    pilot = draw_pilot(np.random.default_rng(3), 120)
    planned = clineval.plan(pilot, 0.05, cluster=lambda name: int(name) // 3)
    assert (planned.unit, planned.pilot) == ("clusters", 40)


@pytest.mark.parametrize(
    ("options", "said"),
    [({"difference": 0}, "difference"), ({"power": 1}, "power"), ({"confidence": 95}, "confidence"),
     ({"power": 0.05}, "level of the test"), ({"difference": 1e-7}, "between 1e-06 and 1"),
     ({"pilot": [1]}, "a result of clineval.count"), ({"pilot": [[]]}, "one or two systems"),
     ({"scores": ["f1"]}, "strict_f1"), ({"pilot": []}, "one or two systems")],
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
    assert "To detect a difference of 0.03 with 80 % power at 95 %, from 60 documents" in table
    found = expected.plans[0]
    assert str(found.documents) in table
    assert f"{found.low} to {found.high}" in table
    assert "range: where half of other pilots" in table
    more = run_clineval("power", *files, "--pilot", ",".join(map(str, files)), "--format", "json")
    assert (json.loads(more.stdout)["pilots"], json.loads(more.stdout)["pilot"]) == (2, 120)
    assert run_clineval("power", *files, "--format", "csv").stdout.startswith(",difference,")
    assert "none.json" in run_clineval("power", "none.json", status=2).stderr
