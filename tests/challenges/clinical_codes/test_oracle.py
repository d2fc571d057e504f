"""Corpora with the recorded outputs of two training codes, where our definition equals theirs."""

import csv
import json
from operator import itemgetter

import pytest
from conftest import DATA

import clineval

FOLDER = DATA / "oracle" / "clinical_codes"
CASES = sorted(folder.name for folder in FOLDER.iterdir() if folder.is_dir())
RANDOM = [name for name in CASES if name.startswith("random")]
ONE_SIDED = ("random_03_rare",)
"""Corpora with documents on one side only, which the programs leave out."""
pytestmark = pytest.mark.filterwarnings("ignore::clineval.InputWarning")


def read(name, file):
    return json.loads((FOLDER / name / file).read_text())


def gold_of(name):
    rows = [*csv.reader((FOLDER / name / "test_full.csv").read_text().splitlines())][1:]
    return {row[1]: [code for code in row[3].split(";") if code] for row in rows}


def score(name, **options):
    found = read(name, "pred_scores_test.json")
    return clineval.score(
        "clinical_codes", found, gold_of(name), codes=FOLDER / name / "codes.txt", **options
    )


@pytest.mark.parametrize("name", RANDOM)
def test_all_scores_are_those_of_the_definition(name):
    found, expected = score(name), read(name, "spec.json")
    flat = {key: value for key, value in expected.items() if not isinstance(value, dict)}
    for prefix in ("micro", "macro", "macro_gold"):
        flat |= {f"{prefix}_{k}": v for k, v in expected[prefix].items() if k != "codes"}
    assert {key: found[key] for key in flat} == pytest.approx(flat, abs=1e-12)


def ties_of(name, program):
    file = FOLDER / name / "ties.json"
    return json.loads(file.read_text()).get(program, {}) if file.exists() else {}


MICRO = {"micro_precision": "prec_micro", "micro_recall": "rec_micro", "micro_f1": "f1_micro"}
AREAS = {"auc_micro": "auc_micro", "auc_macro": "auc_macro"}
AT = {f"precision_at_{k}": f"prec_at_{k}" for k in (5, 8, 15)}
AT |= {f"recall_at_{k}": f"rec_at_{k}" for k in (5, 8, 15)}
NOT_THEIRS = {
    "i18_all_tied": ("micro_precision", "micro_f1"),
}
"""Scores that are nan without predictions; ours are 0."""


@pytest.mark.parametrize("name", [n for n in CASES if n not in (*ONE_SIDED, "i23_code_as_written")])
def test_micro_areas_and_cutoffs_are_those_of_caml(name):
    file = FOLDER / name / "official.caml.json"
    if not file.exists():
        assert "KeyError" in (FOLDER / name / "official.caml.out").read_text()
        assert score(name)["micro_f1"] > 0  # a document without gold codes is no error
        return
    found, theirs, ties = score(name), read(name, file.name), ties_of(name, "caml")
    size = len((FOLDER / name / "codes.txt").read_text().splitlines())
    for key, other in {**MICRO, **AREAS, **AT}.items():
        if key.startswith(NOT_THEIRS.get(name, "nothing")):
            continue
        low, high = ties.get(other, [theirs[other]] * 2)
        if key.startswith("precision"):  # theirs divide by the number of codes if it is below k
            k = int(key.rpartition("_")[2])
            low, high = (value * min(k, size) / k for value in (low, high))
        assert low - 1e-9 <= found[key] <= high + 1e-9, key


@pytest.mark.parametrize("name", [n for n in RANDOM if n not in ONE_SIDED])
def test_ranks_are_those_of_edin(name):
    """R-precision, MAP, the share of right documents, and macro F1 over the codes of gold."""
    found, theirs, ties = score(name), read(name, "official.edin.json"), ties_of(name, "edin")
    for key, other in {
        "map": "map_mullenbach",
        "r_precision": "precision@recall_mullenbach",
        "macro_gold_recall": "recall_macro",
        "macro_gold_f1": "f1_macro",
        "precision_at_8": "precision@8_mullenbach",
        "recall_at_15": "recall@15_mullenbach",
    }.items():
        low, high = ties.get(other, [theirs[other]] * 2)
        assert low - 1e-6 <= found[key] <= high + 1e-6, key
    [exact] = {theirs[key] for key in theirs if key.startswith("exact") and "mullen" in key}
    assert found["exact_match"] == pytest.approx(exact, abs=1e-6)


def test_a_score_of_half_is_not_predicted():
    """The programs predict a code above .5 (i11); so do we, unless the threshold is another one."""
    assert score("i11_half")["micro_tp"] < score("i11_half", threshold=0.499)["micro_tp"]


def test_a_tie_at_k_counts_in_proportion():
    """Two codes share the fifth place, and one of them is right (i17)."""
    assert score("i17_tie_at_k")["recall_at_5"] == 0.5


def test_codes_without_points_are_the_same_if_one_asks_for_it():
    """4019 has the highest score, and 401.9 is right (i23)."""
    written, other = (score("i23_code_as_written", ignore_points=of) for of in (False, True))
    assert itemgetter("micro_tp")(written) < itemgetter("micro_tp")(other)
