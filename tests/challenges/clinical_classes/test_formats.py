"""Files and objects of classes: every form says the same; what is wrong is told with its place."""

import json

import numpy as np
import pytest

import clineval
from clineval import InputError, InputWarning
from clineval.evaluation.convert import read, write

NAME = "clinical_classes"
GOLD = {"n1": ("past", "yes"), "n2": ("never", "no"), "n3": ("never", None)}
FOUND = {"n1": ("past", "no"), "n2": ("past", "no"), "n3": ("never", "no")}
WIDE = {"smoking": 0, "pain": 1}


def as_wide(side, sep=","):
    rows = [sep.join([name, *(answer or "" for answer in of)]) for name, of in side.items()]
    return sep.join(["id", *WIDE]) + "\n" + "\n".join(rows) + "\n"


def as_long(side):
    rows = [
        f"{name},{question},{side[name][at]}"
        for question, at in WIDE.items()
        for name in side
        if side[name][at]
    ]
    return "id,question,answer\n" + "\n".join(rows) + "\n"


def as_objects(side):
    return [
        {"id": name, **{question: of[at] for question, at in WIDE.items()}}
        for name, of in side.items()
    ]


def as_lines(side):
    return "".join(json.dumps(each) + "\n" for each in as_objects(side))


FORMS = {
    "wide.csv": as_wide,
    "bom.csv": lambda side: "\ufeff" + as_wide(side),
    "semicolons.csv": lambda side: as_wide(side, ";"),
    "tabs.tsv": lambda side: as_wide(side, "\t"),
    "tabs.csv": lambda side: as_wide(side, "\t"),
    "upper.csv": lambda side: (
        as_wide(side).upper().replace("N1", "n1").replace("N2", "n2").replace("N3", "n3")
    ),
    "breaks.csv": lambda side: as_wide(side).replace("\n", "\r\n"),
    "long.csv": as_long,
    "lines.jsonl": as_lines,
}


@pytest.fixture
def expected():
    return clineval.score(NAME, as_objects(FOUND), as_objects(GOLD)).values


@pytest.mark.parametrize("found", FORMS)
@pytest.mark.parametrize("gold", FORMS)
def test_files_of_every_form_score_the_same(gold, found, tmp_path, expected):
    paths = [tmp_path / f"{side}_{name}" for side, name in (("gold", gold), ("found", found))]
    for path, name, side in zip(paths, (gold, found), (GOLD, FOUND), strict=True):
        path.write_bytes(FORMS[name](side).encode())
    assert clineval.score(NAME, paths[1], paths[0]).values == expected


def test_objects_of_every_form_score_the_same(expected):
    named = {each["id"]: {q: each[q] for q in WIDE} for each in as_objects(FOUND)}
    assert clineval.score(NAME, named, as_objects(GOLD)).values == expected
    texts = [json.dumps(each) for each in as_objects(FOUND)]
    assert clineval.score(NAME, texts, as_objects(GOLD)).values == expected


@pytest.mark.parametrize("form", [list, tuple, np.array, lambda side: [{"label": v} for v in side],
                                  lambda side: [{"class": v} for v in side],
                                  lambda side: [{"answer": v} for v in side]])  # fmt: skip
@pytest.mark.parametrize("values", [["a", "b", "a"], [0, 1, 0], [True, False, True]])
def test_one_question_needs_no_name(form, values):
    other = [values[0], values[0], values[0]]
    scores = clineval.score(NAME, form(other), form(values))
    assert scores["accuracy"] == pytest.approx(2 / 3)
    assert scores.values == clineval.score(NAME, other, values).values
    assert clineval.score(NAME, form(other), values).values == scores.values


@pytest.mark.parametrize("heading", ["label", "Class", "ANSWER", "smoking"])
def test_predictions_may_call_the_only_question_otherwise(heading, tmp_path):
    gold, found = tmp_path / "gold.csv", tmp_path / "found.csv"
    gold.write_text("id,smoking\na,past\nb,never\n")
    found.write_text(f"id,{heading}\na,past\nb,past\n")
    assert clineval.score(NAME, found, gold)["accuracy"] == 0.5
    lines = [{heading.lower(): "past"}, {heading.lower(): "past"}]
    assert (
        clineval.score(NAME, lines, [{"smoking": "past"}, {"smoking": "never"}])["accuracy"] == 0.5
    )


def test_columns_are_chosen(tmp_path):
    gold, found = tmp_path / "gold.csv", tmp_path / "found.csv"
    gold.write_text("patient,note,status,pain\n1,a,past,yes\n1,b,never,no\n")
    found.write_text("note,pain,status\na,no,past\nb,no,never\n")
    with pytest.raises(InputError, match="expected a column id, got 'patient', 'note'"):
        clineval.score(NAME, found, gold)
    with pytest.warns(InputWarning) as caught:
        scores = clineval.score(NAME, found, gold, id_column="note", label_column="status")
    assert scores["accuracy"] == 1
    assert "pain" not in str(scores.signature)
    messages = sorted(str(each.message) for each in caught)
    assert messages == ["predictions: 1 column is ignored: 'pain'",
                        "references: 2 columns are ignored: 'patient', 'pain'"]  # fmt: skip
    with pytest.warns(InputWarning, match="1 column is ignored: 'patient'"):
        both = clineval.score(NAME, found, gold, id_column="note", label_column=["status", "pain"])
    assert (both["status_accuracy"], both["pain_accuracy"]) == (1, 0.5)


def test_keys_are_chosen():
    gold = [{"note": "a", "status": "past", "age": 3}, {"note": "b", "status": "never", "age": 4}]
    with pytest.warns(InputWarning, match="1 key is ignored: 'age'"):
        scores = clineval.score(NAME, gold, gold, id_column="note", label_column="status")
    assert scores["accuracy"] == 1
    assert "past_tp" in scores
    assert scores.counts.documents == ("a", "b")


def test_a_column_of_labels_is_the_only_question():
    gold = [{"label": "past", "age": "3"}, {"label": "never", "age": "4"}]
    with pytest.warns(InputWarning, match="references: 1 key is ignored: 'age'"):
        scores = clineval.score(NAME, ["past", "never"], gold)
    assert scores["accuracy"] == 1


def test_questions_that_the_gold_standard_lacks_are_ignored_with_a_warning():
    with pytest.warns(InputWarning, match="predictions: 1 key is ignored: 'itch'"):
        scores = clineval.score(NAME, [{"pain": "a", "itch": "b"}], [{"pain": "a"}])
    assert scores["accuracy"] == 1
    with pytest.raises(InputError, match="document 0: unknown 'itch', expected pain, rash"):
        clineval.score(NAME, [{"itch": "a"}], [{"pain": "a", "rash": "b"}])


def test_answers_that_are_no_classes_count_as_no_answer():
    with pytest.warns(
        InputWarning, match="2 predicted answers are not classes and count as no ans"
    ):
        scores = clineval.score(NAME, ["c", "b", "?"], ["a", "b", "b"])
    assert (scores["micro_fp"], scores["micro_fn"], scores["questions"]) == (0, 2, 3)
    with pytest.raises(InputError, match=r"document 2: .*expected one of a, b, got 'c'"):
        clineval.score(NAME, ["a"] * 3, ["a", "b", "c"], classes=["a", "b"])


def test_two_answers_are_an_error_with_their_place(tmp_path):
    path = tmp_path / "gold.csv"
    path.write_text("id,question,answer\na,pain,yes\nb,pain,no\na,pain,no\n")
    with pytest.raises(InputError, match=r"gold.csv:4: pain: there is an answer already"):
        clineval.score(NAME, path, path)
    assert clineval.score(NAME, path, path, several=True)["questions"] == 2
    with pytest.raises(InputError, match=r"predictions, document 0: .*there is an answer already"):
        clineval.score(NAME, [["a", "b"], "b"], ["a", "b"])
    path.write_text("id,label\na,yes\na,no\n")
    with pytest.raises(InputError, match="the document a occurs twice"):
        clineval.score(NAME, path, path)


def test_rows_of_a_table_are_several_answers(tmp_path):
    path = tmp_path / "gold.csv"
    path.write_text("id,label\na,fever\na,cough\nb,\n")
    scores = clineval.score(NAME, path, {"a": ["fever", "cough"], "b": []})
    assert (scores["accuracy"], scores["questions"]) == (1, 2)
    assert "|several:yes|" in str(scores.signature)
    again = clineval.score(NAME, path, path, several=True)
    assert again.values == scores.values


@pytest.mark.parametrize(
    ("classes", "problem"),
    [
        (3, "expected a list of classes"),
        (["a", 3], "expected classes as strings"),
        (["a", "A"], "would be called 'a' in the results, like 'a'"),
        (["+"], "has no letter or digit to name its scores by"),
        (["micro"], "'micro' is reserved for scores of all classes"),
        (["x micro"], "the names of a question and of a class give two scores the same name"),
        ({"q": "a"}, "expected a list of classes for each question, such as"),
        ({"a": ["b", "c"], "d": ["a b", "b"]}, "the names of a question and of a class give two"),
        ({"balanced": ["a"], "q": ["a"]}, "'balanced' is reserved"),
    ],
)
def test_wrong_classes_are_rejected(classes, problem):
    with pytest.raises(InputError, match=problem):
        clineval.score(NAME, ["a"], ["a"], classes=classes)


@pytest.mark.parametrize("gold", [["a", "-a"], [{"a": "b", "d": "a b"}, {"a": "c", "d": "b"}]])
def test_names_of_the_data_are_rejected_like_those_of_options(gold):
    with pytest.raises(InputError, match=r"in the results|two scores the same name"):
        clineval.score(NAME, gold, gold)


@pytest.mark.parametrize(
    ("gold", "problem"),
    [
        ([1.5], "answer: expected a class, got 1.5"),
        ([{"label": {"a": 1}}], "label: expected a class, got a dict"),
        (3, "expected a class for each document"),
        (["a", {"id": "x", "label": "b"}], "1 of 2 documents have no id"),
    ],
)
def test_wrong_gold_standards_are_rejected(gold, problem):
    with pytest.raises(InputError, match=problem):
        clineval.score(NAME, gold, gold)


def test_classes_of_files(tmp_path):
    lines, shapes = tmp_path / "classes.txt", tmp_path / "classes.json"
    lines.write_text("past\nnever\n\ncurrent\n")
    scores = clineval.score(NAME, ["current"], ["past"], classes=lines)
    assert scores["current_fp"] == 1
    assert str(scores.signature) == str(
        clineval.score(NAME, ["current"], ["past"], classes="past,never,current").signature
    )
    shapes.write_text(json.dumps({"smoking": ["past", "never"], "pain": ["yes", "no"]}))
    gold = [{"smoking": "past"}]
    with pytest.warns(InputWarning, match="1 predicted answer is not a class"):
        scores = clineval.score(NAME, [{"smoking": "yes"}], gold, classes=str(shapes))
    assert {"pain_yes_tp", "smoking_never_tp"} <= {*scores.values}
    with pytest.raises(InputError, match="smoking: expected one of past, never, got 'yes'"):
        clineval.score(NAME, gold, [{"smoking": "yes"}], classes=str(shapes))


@pytest.mark.parametrize("ending", ["csv", "tsv", "jsonl"])
@pytest.mark.parametrize("gold", [
    ["past", "never", None], [["fever", "cough"], [], ["fever"]],
    [{"pain": "yes", "smoking": "past"}, {"pain": None, "smoking": "never"}, {}],
])  # fmt: skip
def test_documents_survive_files(gold, ending, tmp_path):
    named = {f"n{number}": document for number, document in enumerate(gold)}
    lines = [
        {"id": name, **(d if isinstance(d, dict) else {"label": d})} for name, d in named.items()
    ]
    first = tmp_path / "first.jsonl"
    first.write_text("".join(json.dumps(line) + "\n" for line in lines))
    again = tmp_path / f"again.{ending}"
    write(read(first, NAME), again, module=NAME)
    several = {"several": isinstance(gold[0], list)}
    scores = clineval.score(NAME, again, first, **several)
    assert scores["accuracy"] == 1
    assert clineval.score(NAME, first, again, **several).values == scores.values
