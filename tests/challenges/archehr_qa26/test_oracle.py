"""The outputs of ArchEHR-QA's programs, byte for byte, and what spec makes of the same input."""

import json

import pytest
from oracles import Oracle, name_output
from processes import call_program

import clineval
from clineval import InputError

NAME = "archehr_qa26"
ORACLE = Oracle(NAME)
GRADES = ("essential", "supplementary", "not-relevant")
pytestmark = pytest.mark.filterwarnings("ignore::clineval.InputWarning")


def call(folder, subtask, target):
    ids = folder / "case_ids.txt"
    words = ["--case_ids_to_score", *ids.read_text().split()] if ids.exists() else []
    sides = "--submission_path", folder / f"subtask{subtask}.json", *words
    paths = (*sides, "--key_path", folder / "key.json", "--out_file_path", target)
    return call_program("clineval", "official", f"archehr-2026-task{subtask}", *paths)


@pytest.mark.parametrize("output", ORACLE.outputs("official.[24].*"), ids=name_output)
def test_what_the_programs_write(output, tmp_path):
    target = tmp_path / "deep" / "scores.json"
    done = call(output.parent, output.name.split(".")[1], target)
    if output.suffix == ".out":
        assert "rc=1" in output.read_text("utf-8")
        assert done.returncode == 2
        assert done.stderr.count("\n") == 1
        assert not done.stdout
        assert not target.exists()
    else:
        assert done.returncode == 0, done.stderr
        assert target.read_text("utf-8") + "\n" == output.read_text("utf-8")
        assert f"Scores saved to: {target}\n" in done.stdout


@pytest.mark.parametrize("subtask", [2, 4])
@pytest.mark.parametrize("path", ORACLE.outputs("official.[24].json"), ids=name_output)
def test_the_protocol_gives_the_programs_numbers(path, subtask):
    expected = json.loads(path.read_text("utf-8"))
    folder = path.parent
    if path.name != f"official.{subtask}.json" or (folder / "case_ids.txt").exists():
        return
    sides = folder / f"subtask{subtask}.json", folder / "key.json"
    if json.loads(sides[1].read_text("utf-8")) == []:
        return  # means over no cases are nan
    for config in ("default", f"subtask{subtask}"):
        result = clineval.score(NAME, *sides, config=config, protocol="official")
        shown = {key: result[key] * 100 for key in expected if key in result.values}
        if any(json.loads(sides[0].read_text("utf-8"))[0]["prediction"]):
            assert shown.keys() == expected.keys()
        if config != "default":
            assert shown == pytest.approx(expected, rel=0, abs=1e-10)


@pytest.mark.parametrize("path", ORACLE.outputs("spec.json"), ids=name_output)
def test_spec_on_random_corpora(path):
    """The gold standard as items, because spec refuses keys with citations of no sentence."""
    expected = json.loads(path.read_text("utf-8"))
    key = json.loads((path.parent / "key.json").read_text("utf-8"))
    gold = {case["case_id"]: [*graded(case), *case["clinician_answer_sentences"]] for case in key}
    for subtask in (2, 4):
        found = path.parent / f"subtask{subtask}.json"
        result = clineval.score(NAME, found, gold, config=f"subtask{subtask}")
        for name, scores in expected.items():
            if name.startswith("links") == (subtask == 4):
                for score, value in scores.items():
                    if score != "cases":
                        key = f"{name.removeprefix('links_')}_{score}"
                        assert result[key] == pytest.approx(value, rel=0, abs=1e-9), key


def graded(case):
    """The sentences of a case; a grade that is unknown is not relevant."""
    for sentence in case["answers"]:
        known = sentence["relevance"].lower() in GRADES
        yield {**sentence, "relevance": sentence["relevance"] if known else "not-relevant"}


def score_case(name, subtask, **options):
    [folder] = (ORACLE.here / "cases").glob(f"{name}_*")
    sides = folder / f"subtask{subtask}.json", folder / "key.json"
    return clineval.score(NAME, *sides, config=f"subtask{subtask}", **options)


CASES = [
    # case, subtask, counts of strict or links, counts of lenient, macro F1
    ("a02", 2, (2, 2, 1), (2, 0, 1)),
    ("a04", 2, (0, 0, 3), (0, 0, 3)),
    ("a05", 2, (1, 0, 0), (1, 0, 0)),
    ("a05", 4, (1, 0, 0), None),
    ("a06", 2, (1, 1, 0), (1, 1, 0)),
    ("a07", 2, (1, 1, 0), (1, 0, 0)),
    ("a09", 2, (0, 0, 0), (0, 0, 0)),
    ("a09", 4, (0, 0, 0), None),
    ("a11", 2, (2, 1, 1), (2, 1, 1)),
    ("a12", 2, (2, 0, 1), (2, 0, 1)),
    ("a14", 2, (1, 0, 2), (1, 0, 2)),
    ("a15", 2, (2, 0, 1), (2, 0, 1)),
    ("a16", 2, (1, 3, 2), (1, 3, 2)),
    ("a16", 4, (0, 2, 4), None),
    ("a17", 4, (1, 0, 3), None),
    ("a18", 2, (1, 0, 2), (1, 0, 2)),
    ("a18", 4, (0, 0, 4), None),
    ("a19", 2, (0, 1, 3), (0, 1, 3)),
    ("a19", 4, (0, 1, 4), None),
    ("a20", 4, (0, 1, 4), None),
    ("a21", 4, (0, 1, 4), None),
    ("a22", 2, (0, 1, 3), (0, 1, 3)),
    ("a22", 4, (0, 1, 4), None),
    ("a23", 2, (1, 0, 2), (1, 0, 2)),
    ("a24", 2, (1, 0, 2), (1, 0, 2)),
    ("a26", 2, (1, 1, 0), (1, 0, 0)),
    ("a29", 2, (0, 0, 0), (0, 0, 0)),
    ("a35", 4, (2, 0, 0), None),
]


@pytest.mark.parametrize(("name", "subtask", "main", "lenient"), CASES)
def test_spec_on_the_cases(name, subtask, main, lenient):
    result = score_case(name, subtask)
    counts = {
        match: tuple(result[f"{match}_{of}"] for of in ("tp", "fp", "fn"))
        for match in (("strict_micro", "lenient_micro") if subtask == 2 else ("micro",))
    }
    assert counts == (
        {"strict_micro": main, "lenient_micro": lenient} if lenient else {"micro": main}
    )


@pytest.mark.parametrize(("name", "subtask"), [("a05", 2), ("a05", 4), ("a07", 2), ("a09", 2)])
def test_cases_with_nothing_on_both_sides_are_left_out_of_means(name, subtask):
    result = score_case(name, subtask)
    expected = {
        ("a05", 2): {"strict_macro_f1": 1, "lenient_macro_f1": 1},
        ("a05", 4): {"macro_f1": 1},
        ("a07", 2): {"strict_macro_f1": 0.5, "lenient_macro_f1": 1},
        ("a09", 2): {"strict_macro_f1": 0, "strict_micro_f1": 0},
    }[name, subtask]
    assert {key: result[key] for key in expected} == expected


REFUSED = [
    ("a13", 2, r"key\.json, document 2: the document has the same 'id' as"),
    ("a25", 2, r"key\.json, document 1, item 3: relevance: expected one of essential"),
    ("a27", 4, r"key\.json, document 1: 1 citation is not among the 'answers'\. Correct"),
    ("a28", 4, r"key\.json, document 1, item 13: expected a list of ids"),
    ("a30", 4, r"key\.json, document 1: expected 'clinician_answer_sentences'"),
]


@pytest.mark.parametrize(("name", "subtask", "message"), REFUSED)
def test_spec_refuses_gold_standards(name, subtask, message):
    with pytest.raises(InputError, match=message):
        score_case(name, subtask)


WARNED = [
    ("a12", 2, "1 document is predicted more than once; the predictions are united"),
    ("a14", 2, "1 document has no predictions and counts as all missed: 2"),
    ("a15", 2, "1 predicted document is not in the gold standard and counts as all spurious: 3"),
    ("a16", 2, "3 predicted sentences and links are not in the gold standard's lists"),
    ("a16", 4, "2 predicted sentences and links are not in the gold standard's lists"),
    ("a19", 2, "1 predicted item is neither a sentence nor a link, and counts as wrong"),
    ("a22", 4, "1 predicted item is neither a sentence nor a link, and counts as wrong"),
]


@pytest.mark.parametrize(("name", "subtask", "message"), WARNED)
@pytest.mark.filterwarnings("default::clineval.InputWarning")
def test_spec_warns(name, subtask, message):
    with pytest.warns(clineval.InputWarning, match=message):
        score_case(name, subtask)


def test_the_order_of_cases_does_not_matter():
    [folder] = (ORACLE.here / "cases").glob("a36_*")
    cases = json.loads((folder / "subtask2.json").read_text("utf-8"))
    there, back = (
        clineval.score(NAME, {each["case_id"]: each["prediction"] for each in of},
                       folder / "key.json", config="subtask2").values
        for of in (cases, cases[::-1])
    )  # fmt: skip
    assert there == back


@pytest.mark.parametrize("name", ["a01", "a02", "a10", "a11", "a26", "a34", "a35"])
def test_spec_equals_the_programs_where_nothing_is_odd(name):
    for subtask in (2, 4):
        [folder] = (ORACLE.here / "cases").glob(f"{name}_*")
        if (folder / f"subtask{subtask}.json").exists():
            spec, official = (score_case(name, subtask, protocol=of) for of in ("spec", "official"))
            assert spec.values == pytest.approx(official.values, rel=0, abs=1e-12)
