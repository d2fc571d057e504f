"""The table of outcome measures: all scores of the page, and no sum that no score is."""

import csv
import io

import pytest
from demos import arguments_of

from clineval.workbench.build import build_workbench

pytestmark = pytest.mark.filterwarnings("ignore::clineval.InputWarning")
KINDS = {
    "n2c2_2018_track2": {
        "concepts": "concepts_micro_strict",
        "relations": "relations_micro_strict",
    },
    "i2b2_2010": {f"{kind}s": f"{kind}s_strict" for kind in ("concept", "assertion", "relation")},
    "bc5cdr": {kind: kind for kind in ("mentions", "concepts", "relations")},
    "medmentions": {kind: kind for kind in ("mentions", "typed", "linked", "concepts")},
    "ncbi_disease": {kind: kind for kind in ("mentions", "linked", "concepts")},
}


def rows_of(module):
    """The scores of a demo's first system, and the rows of its table."""
    (found, gold), options = arguments_of(module)
    bench = build_workbench(module, gold, {"one": found}, with_text=False, **options)
    return bench.scores["one"], list(csv.DictReader(io.StringIO(bench.measures)))


@pytest.mark.parametrize(
    "module",
    [
        "semeval15_task14",
        "i2b2_2009_medication",
        "clinais23_b2",
        "clefehealth13_task3",
        "codiesp20",
    ],
)
def test_all_scores_are_stored(module):
    if module == "clefehealth13_task3":
        pytest.importorskip("pytrec_eval")
    score, rows = rows_of(module)
    told = {row["score"]: row["value"] for row in rows if row["score"]}
    assert list(told) == list(score.values)
    for key, value in score.values.items():
        assert float(told[key]) == pytest.approx(value, abs=5e-7)


@pytest.mark.parametrize("module", KINDS)
def test_kinds_that_no_score_adds_up_are_not_added_up(module):
    score, rows = rows_of(module)
    counted = [r for r in rows if (r["match"], r["criterion"], r["score"]) == ("exact", "both", "")]
    totals = {row["class"]: row for row in counted if row["class"].startswith("All")}
    assert set(totals) == {f"All {kind}" for kind in KINDS[module]}
    for kind, prefix in KINDS[module].items():
        for name in ("tp", "fp", "fn", "f1"):
            assert float(totals[f"All {kind}"][name]) == pytest.approx(
                score[f"{prefix}_{name}"], abs=5e-7
            )


def test_a_code_that_the_gold_standard_lacks_has_no_accuracy():
    _, rows = rows_of("clefehealth13_task2")
    lacking = [r for r in rows if not r["score"] and r["tp"] == r["fn"] == "0"]
    assert lacking
    assert {row["accuracy"] for row in lacking} == {""}
