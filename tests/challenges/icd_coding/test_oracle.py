"""Corpora with the recorded outputs of both training codes, and with the values of ``spec``."""

import json
import math
import re

import pytest
from commands import invoke
from conftest import DATA

import clineval

FOLDER = DATA / "oracle" / "icd_coding"
CORPORA = sorted(file.parent for file in FOLDER.glob("**/test_full.csv"))
CUTOFFS = [5, 8, 10, 15]
EDIN = {"exact_match_ratio": "exact_match", "map": "map", "precision@recall": "r_precision"}
PROGRAMS = {"prec": "precision", "rec": "recall", "acc": "accuracy", "f1": "f1"}
pytestmark = pytest.mark.filterwarnings("ignore::clineval.InputWarning")


def read(corpus, file):
    path = corpus / file
    return json.loads(path.read_text()) if path.exists() else {}


def case(name):
    return FOLDER / "cases" / name


def score(corpus, found=None, **options):
    given = corpus if found is None else corpus / found
    options = {"codes": corpus / "codes.txt", **options}
    return clineval.score("icd_coding", given, corpus / "test_full.csv", **options)


def name_caml(key):
    """Our key of a score of CAML."""
    if found := re.match(r"(prec|rec|acc|f1)_(micro|macro|at_\d+)$", key):
        score, of = PROGRAMS[found[1]], found[2]
        return f"{score}_{of}" if of.startswith("at") else f"{of}_{score}"
    return key


def name_edin(key):
    """Our key of a score of Edin et al."""
    bare = key.removesuffix("_mullenbach")
    end = key[len(bare) :]
    if found := re.match(r"(precision|recall|f1|fpr)_(micro|macro)$", bare):
        return f"{found[2]}_{found[1]}{end}"
    return EDIN.get(bare, bare.replace("@", "_at_")) + end


def unite(precision, recall):
    return 2 * precision * recall / (precision + recall) if precision + recall else 0


@pytest.mark.parametrize("corpus", CORPORA, ids=lambda corpus: corpus.name)
def test_all_numbers_of_caml(corpus):
    theirs = read(corpus, "official.caml.json")
    if not theirs:
        with pytest.raises(clineval.InputError):
            score(corpus, protocol="caml")
        return
    found, ties = score(corpus, protocol="caml"), read(corpus, "ties.json").get("caml", {})
    for k in (5, 8, 15):
        if f"prec_at_{k}" in ties or f"rec_at_{k}" in ties:
            keys = f"prec_at_{k}", f"rec_at_{k}"
            ends = zip(*(ties.get(key, [theirs[key]] * 2) for key in keys), strict=True)
            ties[f"f1_at_{k}"] = [unite(*end) for end in ends]
    for key, value in theirs.items():
        ours = found[name_caml(key)]
        if key in ties:
            low, high = ties[key]
            assert low - 1e-9 <= ours <= high + 1e-9, key
        elif key.startswith("auc"):
            assert ours == pytest.approx(value, abs=1e-12), key
        else:
            assert ours == (0 if math.isnan(value) else value), key


@pytest.mark.parametrize("corpus", CORPORA, ids=lambda corpus: corpus.name)
def test_all_numbers_of_edin(corpus):
    theirs, ties = read(corpus, "official.edin.json"), read(corpus, "ties.json").get("edin", {})
    found = score(corpus, protocol="edin", cutoffs=CUTOFFS) if theirs else {}
    for key, value in theirs.items():
        if key.startswith("tuned") or isinstance(value, str):
            continue
        low, high = ties.get(key, [0 if math.isnan(value) else value] * 2)
        assert low - 1e-6 <= found[name_edin(key)] <= high + 1e-6, key


@pytest.mark.parametrize("corpus", [c for c in CORPORA if c.name.startswith("random")], ids=str)
def test_all_numbers_of_the_definition(corpus):
    expected = read(corpus, "spec.json")
    flat = {key: value for key, value in expected.items() if not isinstance(value, dict)}
    for prefix in ("micro", "macro", "macro_gold"):
        flat |= {f"{prefix}_{k}": v for k, v in expected[prefix].items() if k != "codes"}
    found = score(corpus)
    assert {key: found[key] for key in flat} == pytest.approx(flat, abs=1e-9)


def test_a_tuned_threshold_gives_the_tuned_f1():
    """The threshold of i31 is tuned over all codes; f1 of all codes is then that of the program."""
    corpus = case("i31_threshold_tuning")
    theirs = read(corpus, "official.edin.json")
    found = score(corpus, protocol="edin", threshold=theirs["tuned_threshold_micro"])
    assert found["micro_f1_mullenbach"] == pytest.approx(theirs["tuned_f1_micro"], abs=1e-6)


def test_the_command_stops_where_the_program_stops(run):
    for name in ("i05_document_without_gold_crash", "i13_one_document_crash", "i24_unknown_code",
                 "i25_unknown_gold_crash"):  # fmt: skip
        corpus = case(name)
        words = ["score", "icd_coding", corpus / "test_full.csv", corpus]
        done = run(*words, "--codes", corpus / "codes.txt", "--protocol", "caml", status=2)
        assert done.stdout == "", name
        assert len(done.stderr.strip().splitlines()) == 1, name


SPEC = {
    "i02_macro_f1": {"macro_f1": (0.8 + 2 / 3) / 4},
    "i03_code_nowhere": {"macro_f1": 1, "macro_recall": 1},
    "i04_code_predicted_only": {"micro_fp": 3, "macro_f1": 0.5, "macro_gold_f1": 1},
    "i05_document_without_gold_crash": {"micro_tp": 1, "micro_fp": 2, "precision_at_5": 0.2},
    "i06_document_not_predicted": {"micro_fn": 1, "micro_tp": 2},
    "i07_document_without_gold_line": {"micro_fp": 4, "micro_tp": 2},
    "i08_empty_prediction": {"micro_fn": 2, "micro_tp": 1},
    "i09_nothing_predicted": {"micro_precision": 0, "micro_f1": 0},
    "i10_nothing_right": {"micro_f1": 0, "precision_at_5": 0},
    "i11_half": {"micro_tp": 1, "micro_fp": 0},
    "i12_files_differ": {"micro_tp": 1, "micro_fp": 2, "auc_micro": 1},
    "i13_one_document_crash": {"micro_f1": 1},
    "i15_k_beyond_codes": {"precision_at_5": 0.4, "recall_at_5": 1},
    "i17_tie_at_k": {"recall_at_5": 0.5, "precision_at_5": 0.1},
    "i18_all_tied": {"precision_at_5": 3 / 18, "auc_micro": 0.5},
    "i23_code_as_written": {"micro_tp": 2, "micro_f1": 1},
    "i24_unknown_code": {"micro_fp": 1, "micro_tp": 2},
}


@pytest.mark.parametrize("name", SPEC)
def test_the_rules_of_the_definition(name):
    found = score(case(name))
    assert {key: found[key] for key in SPEC[name]} == pytest.approx(SPEC[name])


def test_a_gold_code_outside_the_label_set_is_refused_with_its_line():
    with pytest.raises(clineval.InputError, match=r"test_full\.csv:2"):
        score(case("i25_unknown_gold_crash"))


def test_e_codes_are_diagnoses_on_both_sides():
    corpus = case("i28_by_type_e_with_point")
    words = ["score", "icd_coding", str(corpus / "test_full.csv"), str(corpus / "preds_test.psv")]
    result = invoke([*words, "--by", "slot:type", "--format", "json"])
    groups = json.loads(result.stdout)["groups"]
    assert groups["diagnosis"]["micro_fp"] == score(corpus)["micro_fp"] == 0
    assert score(corpus, protocol="caml")["f1_diag"] < 1
