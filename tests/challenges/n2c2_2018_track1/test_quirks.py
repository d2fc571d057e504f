"""n2c2 2018 Track 1: what the program does to unusual input, and what the definition does."""

import json
import shutil

import pytest
from conftest import DATA

import clineval
from clineval import InputError, InputWarning
from clineval.challenges.n2c2_2018_track1.measures import CRITERIA

NAME = "n2c2_2018_track1"
CASES = DATA / "oracle" / NAME / "cases"
ALL = len(CRITERIA)
pytestmark = pytest.mark.filterwarnings("ignore::clineval.InputWarning")


def folder_of(case):
    [folder] = CASES.glob(f"{case}_*")
    return folder


def score(case, protocol="spec", *, swapped=False):
    sides = folder_of(case) / "system", folder_of(case) / "gold"
    return clineval.score(NAME, *(sides[::-1] if swapped else sides), protocol=protocol)


def write_lines(documents):
    return "".join(f"{json.dumps(document)}\n" for document in documents)


def write_table(documents):
    rows = [list(documents[0]), *(list(document.values()) for document in documents)]
    return "".join(f"{','.join(row)}\n" for row in rows)


def count(scores, prefix):
    return tuple(scores[f"{prefix}_{verdict}"] for verdict in ("tp", "fp", "fn"))


@pytest.mark.parametrize(
    ("case", "micro", "balanced", "macro"),
    [("t02", 0.5, 0.5, 0.5), ("t03", 0.5, 0.5, 0.5), ("t04", 1, 1, (ALL - 0.5) / ALL)],
)
def test_absent_classes_count_as_0_in_the_program_and_are_left_out_here(
    case, micro, balanced, macro
):
    keys = ("micro_overall_f1", "balanced_accuracy", "macro_overall_f1")
    assert [score(case)[key] for key in keys] == [1, 1, 1]
    found = [score(case, "official")[key] for key in keys]
    assert found == pytest.approx([micro, balanced, macro])


def test_a_value_of_a_system_that_is_neither_class_is_missed_and_not_spurious():
    with pytest.warns(InputWarning, match="2 predicted answers are not classes .*: 1, 2"):
        found = score("t10")
    for scores in (found, score("t10", "official")):
        assert (count(scores, "met"), count(scores, "not_met")) == ((12, 0, 1), (12, 0, 1))


def test_inner_blanks_are_no_part_of_a_value():
    with pytest.warns(InputWarning, match="1 predicted answer is not a class"):
        assert count(score("t12"), "not_met") == (12, 0, 1)


@pytest.mark.parametrize("write", [list, write_lines, write_table])
def test_blanks_matter_in_every_format(write):
    gold = [{"id": "1", **dict.fromkeys(CRITERIA, "not met")}]
    found = [gold[0] | {"ENGLISH": " NOT MET ", "HBA1C": "not  met", "CREATININE": "notmet"}]
    with pytest.warns(InputWarning, match="2 predicted answers are not classes"):
        scores = clineval.score(NAME, write(found), write(gold))
    assert (scores["micro_tp"], scores["micro_fp"], scores["micro_fn"]) == (ALL - 2, 0, 2)


def test_a_value_of_gold_that_is_neither_class_is_refused():
    with pytest.raises(InputError, match=r"gold/1\.xml:\d+: \S+: expected one of met, not"):
        score("t11")
    with pytest.warns(InputWarning, match="2 gold answers are not classes and count as no answer"):
        assert score("t11", "official")["micro_fp"] > 0


@pytest.mark.parametrize(
    ("case", "swapped"), [("t13", False), ("t14", True), ("t15", False), ("t22", False)]
)
def test_an_answer_that_a_system_lacks_is_missed(case, swapped):
    with pytest.warns(InputWarning, match="1 document lacks predicted answers, .* missed: 100"):
        scores = score(case, swapped=swapped)
    missed = scores["micro_fn"]
    assert (scores["micro_tp"], scores["micro_fp"]) == (ALL - missed, 0)
    assert missed == (1 if case in ("t13", "t14") else ALL)
    with pytest.raises(InputError, match="the released program stops here"):
        score(case, "official", swapped=swapped)


@pytest.mark.parametrize(
    ("case", "swapped", "missing"),
    [("t13", True, "ABDOMINAL"), ("t14", False, "MI-6MOS"), ("t15", True, "ABDOMINAL, ADVANCED")],
)
def test_gold_must_answer_all_criteria(case, swapped, missing):
    with pytest.raises(InputError, match=f"document 100: no answer to .*{missing}"):
        score(case, swapped=swapped)


def test_an_attribute_that_is_missing_is_no_answer(tmp_path):
    shutil.copytree(folder_of("t01"), tmp_path / "t01")
    [file, *_] = sorted((tmp_path / "t01" / "system").iterdir())
    file.write_text(file.read_text().replace('<HBA1C met="', '<HBA1C was="'))
    gold = tmp_path / "t01" / "gold"
    with pytest.warns(InputWarning, match="1 predicted answer is not a class"):
        assert clineval.score(NAME, file.parent, gold)["micro_fn"] == 1
    with pytest.raises(InputError, match=r"\.xml:\d+: HBA1C: expected the attribute met"):
        clineval.score(NAME, gold, file.parent)
    with pytest.raises(InputError, match="the released program stops here"):
        clineval.score(NAME, file.parent, gold, protocol="official")


def test_elements_that_are_no_criteria_do_not_count():
    assert score("t19")["micro_overall_f1"] == score("t16")["micro_overall_f1"] == 1
    with pytest.raises(InputError, match="expected the attribute met: the released program"):
        score("t16", "official")


def test_broken_xml_is_refused_with_file_and_line():
    for protocol in ("spec", "official"):
        with pytest.raises(InputError, match=r"100\.xml:2: not well-formed XML"):
            score("t17", protocol)


def test_two_answers_are_none_and_the_program_takes_the_last_one():
    with pytest.warns(InputWarning, match="2 questions have two answers .* unanswered: 1, 2"):
        assert score("t18")["micro_fn"] == 2
    assert count(score("t18", "official"), "micro") == (25, 1, 1)  # once the last one is right
    with pytest.warns(InputWarning, match="1 question has two answers"):
        assert score("t21")["micro_fn"] == 1
    for case in ("t18", "t21"):
        with pytest.raises(InputError, match=r"\.xml:\d+: ABDOMINAL: there is an answer already"):
            score(case, swapped=True)


def test_the_same_answer_twice_is_one(tmp_path):
    shutil.copytree(folder_of("t01"), tmp_path / "t01")
    for side in ("system", "gold"):
        for file in (tmp_path / "t01" / side).iterdir():
            line = next(line for line in file.read_text().splitlines() if "<HBA1C" in line)
            file.write_text(file.read_text().replace(line, f"{line}\n{line.upper().lower()}"))
    assert clineval.score(NAME, tmp_path / "t01/system", tmp_path / "t01/gold")["micro_tp"] == 26


def test_patients_on_one_side_count_and_the_program_skips_them():
    with pytest.warns(InputWarning) as heard:
        scores = score("t23")
    said = " ".join(str(warning.message) for warning in heard)
    assert "1 document has no predictions and counts as all missed: 3" in said
    assert "2 predicted documents are not in the gold standard and count as all spurious" in said
    assert (scores["micro_fn"], scores["micro_fp"]) == (ALL, 2 * ALL)
    with pytest.warns(InputWarning, match="on one side only and does not count"):
        official = score("t23", "official")
    assert (official["micro_fn"], official["micro_fp"]) == (0, 0)


def test_without_common_patients_all_is_missed_and_spurious():
    scores = score("t24")
    assert (scores["micro_tp"], scores["micro_fp"], scores["micro_fn"]) == (0, ALL, ALL)


@pytest.mark.parametrize("case", ["t08", "t09", "t20", "t25", "t26", "t28"])
def test_what_makes_no_difference(case):
    spec, official = score(case), score(case, "official")
    for key in ("met_f1", "not_met_f1", "micro_tp", "micro_fp", "micro_fn"):
        assert spec[key] == official[key]
    assert spec["micro_tp"] > 2 * spec["micro_fn"]
