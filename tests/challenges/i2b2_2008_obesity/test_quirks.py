"""i2b2 2008 obesity: each rule of the notes, on the recorded cases."""

import pytest
from conftest import DATA

import clineval
from clineval import InputWarning

NAME = "i2b2_2008_obesity"
CASES = DATA / "oracle" / NAME / "cases"
pytestmark = pytest.mark.filterwarnings("ignore::clineval.InputWarning")


def score(case, config="textual"):
    [folder] = CASES.glob(f"{case}_*")
    return clineval.score(NAME, folder / "system.xml", folder / "gold.xml", config=config)


def count(scores, prefix="micro"):
    return tuple(scores[f"{prefix}_{verdict}"] for verdict in ("tp", "fp", "fn"))


def test_pooled_classes_and_the_mean_of_diseases_differ():
    scores = score("b02")
    pooled = (6 / 7 + 0 + 1) / 3  # Y, Q and U
    assert scores["macro_f1"] == pytest.approx(pooled)
    assert scores["macro_all_f1"] == pytest.approx(pooled * 3 / 4)
    asthma, cad = 1, (2 / 3 + 0 + 1) / 3
    assert scores["diseases_macro_f1"] == pytest.approx((asthma + cad) / 2)
    assert scores["diseases_micro_f1"] == pytest.approx((1 + 5 / 6) / 2)


def test_a_class_that_neither_side_has_is_left_out():
    scores = score("b03")
    assert count(scores, "q") == (0, 0, 0)
    assert scores["macro_f1"] == pytest.approx(scores["macro_all_f1"] * 4 / 3)


def test_the_macro_average_of_a_disease_is_over_its_own_classes():
    scores = score("b04")
    there = [disease for disease in ("asthma", "cad") if sum(count(scores, f"{disease}_n"))]
    assert len(there) == 1
    for disease in ("asthma", "cad"):
        f1 = [
            scores[f"{disease}_{judgment}_f1"]
            for judgment in "ynqu"
            if sum(count(scores, f"{disease}_{judgment}"))
        ]
        assert scores[f"{disease}_macro_f1"] == pytest.approx(sum(f1) / len(f1))


def test_judgments_on_one_side():
    with pytest.warns(InputWarning, match="no predictions and counts as all missed: 2"):
        missed = score("b05")
    assert (missed["micro_fp"], missed["micro_fn"]) == (0, 1)
    with pytest.warns(InputWarning, match="count.? as all spurious: 2"):
        extra = score("b06")
    assert (extra["micro_fp"], extra["micro_fn"]) == (1, 0)


def test_u_is_no_intuitive_judgment():
    with pytest.warns(InputWarning, match="1 predicted answer is not a class"):
        scores = score("b07", "intuitive")
    assert (scores["micro_fp"], scores["micro_fn"]) == (0, 1)
    assert "u_f1" not in scores.values


def test_case_does_not_matter():
    scores = score("b08")
    assert scores["micro_f1"] == 1
    assert scores["micro_tp"] > 0


def test_diseases_on_one_side():
    with pytest.warns(InputWarning, match="2 documents lack predicted answers, .*: 1, 2"):
        lacking = score("b09")
    assert (lacking["micro_fp"], lacking["micro_fn"]) == (0, 2)
    extra = score("b10")
    assert extra["micro_fp"] > 0 == extra["micro_fn"]


def test_a_source_that_the_system_leaves_out_is_missed():
    assert score("b11")["micro_f1"] == 1
    with pytest.warns(InputWarning, match="2 documents have no predictions"):
        assert count(score("b11", "intuitive")) == (0, 0, 2)


def test_always_u_shows_why_macro_f1_ranks():
    scores = score("b12")
    assert scores["micro_f1"] > 2 * scores["macro_f1"]
