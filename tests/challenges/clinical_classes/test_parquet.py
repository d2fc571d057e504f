"""Parquet files with several columns of answers: they score as tables in CSV do."""

import pytest

import clineval
from clineval import InputError, InputWarning
from tests.commands import invoke

pa = pytest.importorskip("pyarrow")
pq = pytest.importorskip("pyarrow.parquet")
NAME = "clinical_classes"
IDS = ["a", "b", "c"]
GOLD = {"id": IDS, "smoking": ["past", "never", "never"], "pain": ["yes", "no", None]}
FOUND = {
    "id": ["c", "a", "b"],
    "smoking": ["never", "past", "past"],
    "pain": ["no", "no", "no"],
}


@pytest.fixture
def save(tmp_path):
    def save_columns(name, **columns):
        path = tmp_path / name
        if name.endswith(".csv"):
            rows = [[*columns], *zip(*columns.values(), strict=True)]
            lines = [",".join("" if cell is None else str(cell) for cell in row) for row in rows]
            path.write_text("\n".join(lines) + "\n")
        else:
            pq.write_table(pa.table(columns), path)
        return path

    return save_columns


def call(*arguments):
    result = invoke(arguments)
    assert result.exit_code == 0, result.output
    return result.stdout


def as_long(side):
    rows = [
        (name, question, answer)
        for question in ("smoking", "pain")
        for name, answer in zip(side["id"], side[question], strict=True)
        if answer
    ]
    return dict(zip(("id", "question", "answer"), map(list, zip(*rows, strict=True)), strict=True))


def test_commands_read_wide_and_long_files(save):
    paths = [save("gold.csv", **GOLD), save("found.csv", **FOUND)]
    paths += [save("gold.parquet", **GOLD), save("found.parquet", **FOUND)]
    paths += [save("long_gold.parquet", **as_long(GOLD)), save("long.parquet", **as_long(FOUND))]
    expected = clineval.score(NAME, paths[1], paths[0]).values
    assert expected["accuracy"] == 3 / 6
    for gold, found in ((2, 3), (4, 5), (2, 5), (0, 3), (4, 1)):
        out = call("score", NAME, paths[gold], paths[found], "--format", "csv")
        assert out == call("score", NAME, paths[0], paths[1], "--format", "csv")
        assert clineval.score(NAME, paths[found], paths[gold]).values == expected
    assert call("errors", NAME, *paths[2:4]) == call("errors", NAME, *paths[:2])
    summary = call("validate", NAME, paths[2], "--summary")
    assert summary.replace("gold.parquet", "gold.csv") == (
        call("validate", NAME, paths[0], "--summary")
    )


def test_options_name_the_columns(save):
    gold = save("gold.parquet", note=IDS, smoking=GOLD["smoking"], pain=GOLD["pain"], age=[1, 2, 3])
    found = save("found.parquet", note=FOUND["id"], pain=FOUND["pain"], smoking=FOUND["smoking"])
    columns = "--id-column", "note", "--label-column", "smoking,pain"
    with pytest.warns(InputWarning, match="references: 1 column is ignored: 'age'"):
        run = call("score", NAME, gold, found, *columns, "--format", "json")
    assert '"accuracy": 0.5,' in run
    with pytest.warns(InputWarning, match=r"is ignored: 'pain'|are ignored: 'pain', 'age'"):
        one = clineval.score(NAME, found, gold, id_column="note", label_column="smoking")
    assert one["accuracy"] == 2 / 3
    with pytest.raises(InputError, match=r"expected a column mood, got 'note', 'smoking'"):
        clineval.score(NAME, found, gold, id_column="note", label_column="mood")
    with pytest.raises(InputError, match="there is no column 'references'"):
        raise invoke(["score", NAME, gold]).exception


def test_one_column_is_read_as_before(save):
    gold = save("gold.parquet", note=["b", "a"], references=["x", "y"], text=["m", "n"])
    found = save("found.parquet", note=["a", "b"], predictions=["y", "x"], text=["n", "m"])
    for scores in (
        clineval.score(NAME, found, gold, id_column="note"),
        clineval.score(
            NAME,
            clineval.Column(found, "predictions", "note"),
            clineval.Column(gold, "references", "note"),
        ),
    ):
        assert scores["accuracy"] == 1
    two = save("two.parquet", id=IDS, one=["x", "y", "x"], other=["x", "x", "x"])
    named = "--references-column", "one", "--predictions-column", "other"
    assert '"accuracy": 0.6666' in call("score", NAME, two, *named, "--format", "json")


@pytest.mark.parametrize(
    "answers",
    [
        [True, False, True],
        [1, 0, 1],
        pa.array(["1", "0", "1"]).dictionary_encode(),
        pa.array(["1", "0", "1"], pa.large_string()),
    ],
)
def test_types_of_answers(answers, save):
    words = ["true", "false", "true"] if answers[0] is True else ["1", "0", "1"]
    gold = save("gold.csv", id=IDS, first=words, second=["u", "v", None])
    found = save("found.parquet", id=IDS, first=answers, second=["u", "v", None])
    scores = clineval.score(NAME, found, gold)
    assert (scores["accuracy"], scores["questions"]) == (1, 5)
    assert clineval.score(NAME, gold, found).values == scores.values


def test_lists_are_several_answers(save):
    side = {"id": IDS, "signs": [["fever", "cough"], [], None], "drugs": [["a"], ["b", None], []]}
    path = save("gold.parquet", **side)
    objects = {
        name: {"signs": signs or [], "drugs": [drug for drug in drugs if drug]}
        for name, signs, drugs in zip(*side.values(), strict=True)
    }
    scores = clineval.score(NAME, objects, path)
    assert (scores["accuracy"], scores["questions"], scores["micro_tp"]) == (1, 6, 4)
    assert clineval.score(NAME, path, objects).values == scores.values
    single = save("single.parquet", id=IDS, signs=["fever", "cough", ""], drugs=["a", "b", ""])
    with pytest.raises(InputError, match=r"gold.parquet, row 0: signs: there is an answer already"):
        clineval.score(NAME, path, single)


def test_probabilities_are_those_of_csv(save):
    shares = {"smoking=past": [0.75, 0.25, 0.5], "smoking=never": [0.25, 0.75, 0.5]}
    columns = {"id": IDS, **shares, "pain=yes": [1, 0, None], "pain=no": [0.0, 1.0, None]}
    gold = save("gold.parquet", **GOLD)
    found = [save(f"found.{ending}", **columns) for ending in ("parquet", "csv")]
    scores = [clineval.score(NAME, path, gold) for path in found]
    assert scores[0].values == scores[1].values
    assert scores[0]["smoking_past_roc_auc"] == 1
    broken = save("broken.parquet", **{**columns, "smoking=past": [0.5, float("nan"), 2.0]})
    with pytest.raises(InputError, match=r"row 1: probabilities, smoking, past: expected a number"):
        clineval.score(NAME, broken, gold)


def test_row_labels_of_pandas_are_no_question(save):
    path = save("gold.parquet", **GOLD, __index_level_0__=[5, 6, 7])
    assert clineval.score(NAME, path, path)["questions"] == 5


@pytest.mark.parametrize(
    ("columns", "problem"),
    [
        ({"id": ["a", None, "c"]}, r"p.parquet, row 1: the name of the document is missing"),
        ({"id": ["a", "b", "a"]}, r"p.parquet: the document a occurs twice"),
        ({"id": [1.5, 2, 3]}, r"id: expected strings or integers, got a column of double"),
        ({"smoking": [1.0, 2, 3]}, r"of double. Write whole numbers as integers"),
        ({"pain": [{"a": 1}] * 3}, r"pain: expected strings, .* or lists of these, got a column"),
        ({"Pain": ["yes"] * 3}, r"the column pain occurs twice"),
        ({"text": [1, 2, 3]}, r"text: expected strings, got a column of int64"),
    ],
)
def test_bad_files_are_rejected(columns, problem, save):
    gold, found = save("gold.csv", **GOLD), save("p.parquet", **{**GOLD, **columns})
    with pytest.raises(InputError, match=problem):
        clineval.score(NAME, found, gold)


def test_columns_that_are_missing_are_named(save, tmp_path):
    gold = save("gold.csv", **GOLD)
    nameless = save("p.parquet", smoking=GOLD["smoking"], pain=GOLD["pain"])
    with pytest.raises(InputError, match="expected a column id, got 'smoking', 'pain'"):
        clineval.score(NAME, nameless, gold)
    (tmp_path / "text.parquet").write_text("id,smoking\n")
    with pytest.raises(InputError, match="not a Parquet file"):
        clineval.score(NAME, tmp_path / "text.parquet", gold)
    doubled = pa.table([IDS, IDS, IDS], names=["id", "q", "q"])
    pq.write_table(doubled, tmp_path / "twice.parquet")
    with pytest.raises(InputError, match="the column q occurs twice"):
        clineval.score(NAME, tmp_path / "twice.parquet", gold)


def test_a_long_file_has_one_answer_to_each_question(save):
    columns = {"id": ["a", "b", "a"], "question": ["q", "q", "q"], "answer": ["x", "y", "y"]}
    path = save("long.parquet", **columns)
    with pytest.raises(InputError, match=r"long.parquet, row 2: q: there is an answer already"):
        clineval.score(NAME, path, path)
    assert clineval.score(NAME, path, path, several=True)["micro_tp"] == 3
