"""i2b2 2006 smoking: each rule of the notes, on the recorded cases."""

import pytest
from conftest import DATA

import clineval
from clineval import InputWarning

NAME = "i2b2_2006_smoking"
CASES = DATA / "oracle" / NAME / "cases"
pytestmark = pytest.mark.filterwarnings("ignore::clineval.InputWarning")


def score(case):
    [folder] = CASES.glob(f"{case}_*")
    return clineval.score(NAME, folder / "system.xml", folder / "gold.xml")


def count(scores, prefix="micro"):
    return tuple(scores[f"{prefix}_{verdict}"] for verdict in ("tp", "fp", "fn"))


@pytest.mark.parametrize(
    ("case", "counts", "macro", "macro_all"),
    [
        ("s01", (1, 0, 0), 1, 1),
        ("s02", (0, 0, 0), 1, 4 / 5),  # SMOKER on neither side
        ("s03", (0, 1, 0), 3 / 5, 3 / 5),  # predicted only: its F1 is 0, and so is another's
        ("s04", (0, 0, 1), (3 + 2 / 3) / 5, (3 + 2 / 3) / 5),
    ],
)
def test_a_class_that_neither_side_has_is_left_out_of_the_macro_average(
    case, counts, macro, macro_all
):
    scores = score(case)
    assert count(scores, "smoker") == counts
    found = scores["macro_f1"], scores["macro_all_f1"]
    assert found == pytest.approx((macro, macro_all))


@pytest.mark.parametrize("case", ["s06", "s07"])
def test_without_one_of_the_five_statuses_there_is_no_answer(case):
    with pytest.warns(InputWarning, match="1 document lacks predicted answers, .* missed: 3"):
        scores = score(case)
    assert count(scores) == (4, 0, 1)
    assert (scores["micro_precision"], scores["micro_recall"]) == (1, 4 / 5)


def test_a_status_that_is_none_of_the_five_is_counted_in_a_warning():
    with pytest.warns(InputWarning, match="1 predicted answer is not a class"):
        score("s07")


def test_records_on_one_side():
    with pytest.warns(InputWarning, match="1 document has no predictions .* missed: 5"):
        assert count(score("s08")) == (4, 0, 1)
    with pytest.warns(InputWarning, match="1 predicted document .* spurious: 5"):
        assert count(score("s09")) == (4, 1, 0)
    with pytest.warns(InputWarning, match="5 documents have no predictions"):
        assert count(score("s10")) == (0, 0, 5)


def test_macro_f1_is_the_mean_of_the_f1_of_classes():
    scores = score("s12")
    means = scores["macro_precision"], scores["macro_recall"]
    assert means == (5 / 8, 5 / 8)
    assert (scores["macro_f1"], scores["macro_f1_of_means"]) == (2 / 5, 5 / 8)
