"""Files of codes: predicted codes, scores, both, feather tables; and what is wrong with them."""

import pytest
from conftest import ROOT

import clineval
from clineval import InputError

NAME = "icd_coding"
DEMO = ROOT / "metrics" / "clineval" / "challenges" / NAME / "demo"
GOLD = 'SUBJECT_ID,HADM_ID,TEXT,LABELS\n1,a,x,401.9;428.0\n2,b,"a, b",486\n'
pytestmark = pytest.mark.filterwarnings("ignore::clineval.InputWarning")


@pytest.fixture
def gold(tmp_path):
    (tmp_path / "gold").mkdir()
    path = tmp_path / "gold" / "test_full.csv"
    path.write_text(GOLD)
    return path


def write(folder, name, text):
    folder.joinpath(name).write_text(text)
    return folder / name


def test_predicted_codes_alone_leave_out_ranks_and_areas(tmp_path, gold):
    found = write(tmp_path, "preds_test.psv", "a|401.9|486\nb|\n")
    with pytest.warns(clineval.InputWarning, match="have no scores: ranks and areas are left out"):
        result = clineval.score(NAME, found, gold)
    assert (result["micro_tp"], result["micro_fp"], result["micro_fn"]) == (1, 1, 2)
    assert not {"auc_micro", "precision_at_5"} & {*result}


def test_scores_alone_are_predicted_above_the_threshold(tmp_path, gold):
    found = write(tmp_path, "pred_scores_test.json", '{"a": {"401.9": 0.5, "428.0": 0.6}}')
    result = clineval.score(NAME, found, gold)
    assert (result["micro_tp"], result["micro_fn"]) == (1, 2)
    assert clineval.score(NAME, found, gold, threshold=0.4)["micro_tp"] == 2


def test_a_folder_has_codes_and_scores(tmp_path, gold):
    folder = tmp_path / "run"
    folder.mkdir()
    write(folder, "preds_test.psv", "a|486\nb|486\n")
    write(folder, "pred_100_scores_test.json", '{"a": {"401.9": 0.9, "428.0": 0.8}, "c": {}}')
    with pytest.warns(clineval.InputWarning) as caught:
        result = clineval.score(NAME, folder, gold)
    assert (result["micro_tp"], result["micro_fp"], result["recall_at_5"]) == (1, 1, 1)
    told = " ".join(str(each.message) for each in caught)
    assert "1 document has no scores" in told
    assert "1 document has scores and no list of codes" in told


def test_a_folder_with_two_files_of_scores_is_refused(tmp_path, gold):
    for name in ("pred_scores_test.json", "pred_100_scores_test.json"):
        write(tmp_path, name, "{}")
    with pytest.raises(InputError, match="expected one file of each sort"):
        clineval.score(NAME, tmp_path, gold)


def test_tables_of_edin_hold_both_sides(tmp_path):
    pa = pytest.importorskip("pyarrow")
    feather = pytest.importorskip("pyarrow.feather")
    table = pa.table(
        {
            "401.9": pa.array([0.9, 0.2], pa.float32()),
            "428.0": pa.array([0.1, 0.7], pa.float32()),
            "target": [["401.9"], ["401.9", "428.0"]],
            "_id": [7, 8],
        }
    )
    path = tmp_path / "predictions.feather"
    feather.write_feather(table, path)
    result = clineval.score(NAME, path, path, protocol="edin")
    assert result["micro_f1"] == pytest.approx(0.8)
    assert (result["n_documents"], result["auc_macro"]) == (2, 1)
    write(tmp_path, "other.feather", "no table")
    with pytest.raises(InputError, match="not a feather table"):
        clineval.score(NAME, tmp_path / "other.feather", path)
    feather.write_feather(table.drop_columns(["_id"]), path)
    with pytest.raises(InputError, match="expected the columns _id and target"):
        clineval.score(NAME, path, path)


@pytest.mark.parametrize(
    ("name", "text", "problem"),
    [
        ("p.psv", "a|401.9\na|486\n", r"p\.psv:2: the document has the same 'id'"),
        ("p.psv", "|401.9\n", r"p\.psv:1: expected the name"),
        ("p.psv", "a|no fever\n", r"p\.psv:1: expected a code without blanks"),
        ("p.json", '{"a": {"486": 7}}', "document a: score: expected a number from 0 to 1"),
        ("p.json", '{"a": [1]}', "expected an object of codes and scores"),
        ("p.json", '{"a": {"486": 0.1}}\n{', r"p\.json:2: expected an object"),
        ("p.json", '{"a": {}, "a": {}}', "the key a occurs twice"),
        ("p.csv", "S,H,T,LABELS\n1,a\n", r"p\.csv:2: expected the columns SUBJECT_ID"),
    ],
)
def test_an_error_names_the_place(tmp_path, gold, name, text, problem):
    with pytest.raises(InputError, match=problem):
        clineval.score(NAME, write(tmp_path, name, text), gold)


def test_codes_without_points_are_diagnoses():
    with pytest.warns(clineval.InputWarning, match="have no points: they are read as diagnoses"):
        result = clineval.score(NAME, [["4019", "3893"]], [["401.9", "38.93"]])
    assert (result["micro_tp"], result["micro_fp"]) == (1, 1)
    other = clineval.score(NAME, [["4019", "3893"]], [["401.9", "38.93"]], ignore_points=True)
    assert other["micro_tp"] == 2


def test_a_procedure_is_no_diagnosis_of_the_same_digits():
    assert clineval.score(NAME, [["40.19"]], [["401.9"]])["micro_tp"] == 0


def test_files_become_json_lines(tmp_path, run):
    target = tmp_path / "out.jsonl"
    run("convert", DEMO / "classifier.json", target, "--module", NAME)
    sides = (DEMO / "gold.csv",)
    one, other = (
        dict(clineval.score(NAME, of, *sides)) for of in (DEMO / "classifier.json", target)
    )
    assert one == other
    assert len(target.read_text().splitlines()) == 8
    run("validate", NAME, DEMO / "gold.csv", DEMO / "dictionary.psv", DEMO / "classifier.json")
