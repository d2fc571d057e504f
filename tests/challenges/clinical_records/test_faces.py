"""Records of a schema in every face: commands, pages, tables, Docs, and schemas of others."""

import json
import re

import evaluate
import pytest
from commands import invoke
from decoded_pages import decode_page
from hypothesis import given
from hypothesis import strategies as st

import clineval
import clineval.hf
from clineval import InputError
from clineval.results.registry import find_challenge
from clineval.training import compute_metrics_for, from_bigbio
from spacy_clin import score_docs

NAME = "clinical_records"
DEMO = find_challenge(NAME).task.corpora
SIDES = DEMO / "gold.jsonl", DEMO / "model.jsonl"
SCHEMA = json.loads((DEMO / "schema.json").read_text())
WAY = ("--schema", DEMO / "schema.json")
pytestmark = pytest.mark.filterwarnings("ignore::clineval.InputWarning")


def run(*words, status=0):
    done = invoke([*map(str, words)])
    assert done.exit_code == status, (done.output, done.exception)
    return json.loads(done.stdout) if "json" in words else done.stdout


@pytest.fixture(scope="module")
def scores():
    return clineval.score(NAME, SIDES[1], SIDES[0], schema=SCHEMA).as_dict()


def test_score(scores):
    found = run("score", NAME, *SIDES, *WAY, "--format", "json")
    assert found["scores"]["fields_mean_f1"] == scores["fields_mean_f1"]
    assert found["dataset"] == f"{NAME}/demo"
    for more in (("--jobs", 2), ("--confidence", 0.9)):
        again = run("score", NAME, *SIDES, *WAY, *more, "--format", "json")["scores"]
        assert again["medications_dose_f1"] == scores["medications_dose_f1"]
    table = run("score", NAME, *SIDES, *WAY)
    rows = re.findall(r"^(\w+) +[01]\.\d{4} +[01]\.\d{4} +[01]\.\d{4}$", table, re.MULTILINE)
    fields = [key.removesuffix("_f1") for key in scores if key.endswith("_f1")]
    assert rows == [name for name in fields if not name.startswith(("records", "fields"))]


def test_groups_count_the_records_of_their_list(scores):
    groups = run("score", NAME, *SIDES, *WAY, "--by", "slot:@list", "--format", "json")["groups"]
    assert groups["medications"]["records_match_tp"] == 8
    assert groups["medications.times"]["records_match_fn"] == 1
    parts = [group["records_exact_tp"] for group in groups.values()]
    assert sum(parts) == scores["records_exact_tp"]


def test_errors_and_confusions():
    kinds = run("errors", NAME, *SIDES, *WAY, "--format", "json")["kinds"]
    assert {kind: number for kind, number in kinds.items() if number} == {
        "right": 16, "record": 8, "spurious": 1, "missed": 1,
    }  # fmt: skip
    confused = run("errors", NAME, *SIDES, *WAY, "--slot", "setting", "--format", "json")
    cells = dict(zip(confused["values"], confused["confusion"], strict=True))
    assert sum(map(sum, confused["confusion"])) == 6, "only the objects that have the field"
    assert cells["emergency"][confused["values"].index("clinic")] == 1


def test_agreement_is_that_of_the_records_with_a_value_on_both_sides():
    [pair] = run("agreement", NAME, *SIDES, *WAY, "--format", "json")["pairs"]
    assert {slot: of["pairs"] for slot, of in pair["slots"].items()} | {"@list": 24} == {
        "@list": 24, **dict.fromkeys(("date", "setting", "complaint"), 6), "smoker": 4,
        "allergies": 3, **{f"medications.{name}": 8 for name in ("drug", "code")},
        "medications.dose": 7,
        **{f"medications.times.{name}": 10 for name in ("when", "tablets")},
    }  # fmt: skip
    setting = pair["slots"]["setting"]
    assert setting["agreement"] == pytest.approx(4 / 6)


def test_compare_and_validate(scores, tmp_path):
    systems = SIDES[1], DEMO / "rules.jsonl"
    compared = run("compare", NAME, SIDES[0], *systems, *WAY, "--format", "json")
    other = clineval.score(NAME, systems[1], SIDES[0], schema=SCHEMA)["fields_mean_f1"]
    assert compared["differences"]["rules"]["fields_mean_f1"]["value"] == pytest.approx(
        other - scores["fields_mean_f1"]
    )
    run("validate", NAME, *SIDES, *WAY)
    lines = SIDES[0].read_text().replace('"2024-03-05"', '"5 March"').replace('"latex"', "7")
    (tmp_path / "gold.jsonl").write_text(lines)
    told = run("validate", NAME, tmp_path / "gold.jsonl", *WAY, status=2)
    assert "gold.jsonl:1" in told
    assert "date: expected an ISO 8601 date" in told
    assert "gold.jsonl:3" in told


def test_convert_keeps_everything(tmp_path):
    run("convert", SIDES[0], tmp_path / "gold.json", "--module", NAME)
    run("convert", tmp_path / "gold.json", tmp_path / "again.jsonl", "--module", NAME)
    assert (tmp_path / "again.jsonl").read_text() == SIDES[0].read_text()
    found = clineval.read(SIDES[1], NAME)
    clineval.write(found, tmp_path / "found.jsonl", "jsonl", NAME)
    assert (tmp_path / "found.jsonl").read_text() == SIDES[1].read_text()


def test_the_page_shows_fields_only_where_records_have_them(tmp_path):
    (tmp_path / "notes").mkdir()
    run("report", NAME, *SIDES, *WAY, "--text", tmp_path / "notes", "-o", tmp_path / "r.html")
    page = decode_page((tmp_path / "r.html").read_text())
    assert "medications.times.when" in page
    assert "such field" not in page
    run("report", NAME, *SIDES, *WAY, "--no-text", "-o", tmp_path / "bare.html")
    bare = decode_page((tmp_path / "bare.html").read_text())
    assert "shortness of breath" not in bare
    assert "emergency" in bare, "values of an enum are the schema's"


def test_lists_and_modules(scores, tmp_path):
    sides = [
        [json.dumps(json.loads(line)["records"]) for line in path.read_text().splitlines()]
        for path in SIDES
    ]
    run("space", "build", NAME, tmp_path / "module")
    for metric in (clineval.hf.load(NAME), evaluate.load(str(tmp_path / "module"))):
        result = metric.compute(predictions=sides[1], references=sides[0], schema=SCHEMA)
        assert result["fields_mean_f1"] == scores["fields_mean_f1"]
    held = [{f"n{at}": json.loads(each) for at, each in enumerate(side)} for side in sides]
    found = clineval.score(NAME, held[1], held[0], schema=SCHEMA)
    assert found["documents_exact"] == scores["documents_exact"]


def test_what_records_lack_has_a_reason():
    reasons = find_challenge(NAME).kind.lacks
    assert reasons.keys() == {"adjudicate", "docs", "bigbio", "trainer"}
    with pytest.raises(InputError, match=reasons["docs"]):
        score_docs([], [], NAME)
    with pytest.raises(InputError, match=reasons["trainer"]):
        compute_metrics_for(NAME, None, [], ["a"])
    with pytest.raises(InputError, match=reasons["bigbio"]):
        from_bigbio([], NAME)


def test_several_systems_share_the_fields_of_the_gold_standard():
    gold = {"a": {"x": 1, "y": [{"z": "u"}]}}
    systems = {"one": {"a": {"x": 1, "w": 2}}, "two": {"a": {"y": [{"z": "u"}]}}}
    setup = clineval.evaluation.evaluate.make_setup(NAME)
    found = clineval.evaluation.evaluate.evaluate_systems(setup, systems, gold)
    assert [each.score()["x_f1"] for each in found.values()] == [1, 0]
    assert [each.score()["y_z_f1"] for each in found.values()] == [0, 1]


SHAPE = {
    "type": "object",
    "additionalProperties": False,
    "required": ["a"],
    "properties": {
        "a": {"type": "string", "minLength": 1, "maxLength": 2, "pattern": "^[xy]"},
        "b": {"type": ["integer", "boolean"], "minimum": 0, "exclusiveMaximum": 3},
        "c": {"enum": ["x", 1, True]},
        "d": {"type": "array", "items": {"type": "number", "maximum": 2}, "uniqueItems": True},
        "e": {"type": "object", "required": ["f"], "properties": {"f": {"const": "x"}}},
        "g": {
            "type": "array",
            "maxItems": 1,
            "items": {"type": "object", "properties": {"h": {"$ref": "#/properties/b"}}},
        },
    },
}
LEAVES = st.sampled_from(["x", "xy", "z", "xyz", 0, 1, 2, 2.0, 2.5, -1, 3, True, False])
VALUES = st.recursive(
    LEAVES,
    lambda inner: (
        st.lists(inner, max_size=2) | st.dictionaries(st.sampled_from("afh"), inner, max_size=2)
    ),
    max_leaves=4,
)
OBJECTS = st.dictionaries(st.sampled_from("abcdefgh"), VALUES, max_size=5)


@given(OBJECTS | st.fixed_dictionaries({"a": st.just("x")}, optional={
    "b": LEAVES, "c": LEAVES, "d": st.lists(LEAVES, max_size=2),
    "e": st.dictionaries(st.sampled_from("fz"), LEAVES, max_size=2),
    "g": st.lists(st.dictionaries(st.just("h"), LEAVES), max_size=2),
}))  # fmt: skip
def test_gold_is_valid_if_jsonschema_says_so(document):
    jsonschema = pytest.importorskip("jsonschema")
    newest = getattr(jsonschema, "Draft202012Validator", jsonschema.Draft7Validator)
    valid = newest(SHAPE).is_valid(document)
    try:
        clineval.score(NAME, [document], [document], schema=SHAPE)
    except InputError:
        assert not valid
    else:
        assert valid
