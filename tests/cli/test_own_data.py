"""Bad files of a user's own data: one line that names the place, without text of notes."""

import json

import pytest
from processes import run_clineval

NOTE = "Patient Hidden coughs"
MENTIONS = [
    {"id": "T1", "label": "A", "spans": [[0, 1]]},
    {"id": "T2", "label": "B", "spans": [[2, 3]]},
]
GOOD = {
    "relations": {
        "mentions": MENTIONS,
        "relations": [{"label": "R", "from": "T1", "to": "T2"}],
    },
    "codes": {"codes": ["I10"]},
    "records": {"records": {"dose": 5}},
    "events": {"events": [{"label": "A", "spans": [[0, 1]], "arguments": []}]},
    "classes": {"smoking": "past", "pain": "no"},
}
SCHEMA = '{"type": "object",\n "properties": {"dose": %s}}'
NUMBER = '{"type": "number"}'


def relate(mentions=MENTIONS, **parts):
    return {"mentions": mentions, "relations": [{**GOOD["relations"]["relations"][0], **parts}]}


def event(*arguments, **parts):
    return {"events": [{"label": "A", "spans": [[0, 1]], "arguments": [*arguments], **parts}]}


def shares(**of_classes):
    return {"probabilities": {"smoking": of_classes}}


BAD = [
    ("relations", relate(to=NOTE), ":2, relation 0: to: no mention has this id"),
    ("relations", relate(to="T1"), ":2, relation 0: the relation connects a mention with itself"),
    ("relations", relate(label=5), ":2, relation 0: label: expected a label"),
    ("relations", relate([{"label": "A", "spans": [[3, 1]]}]), ":2, mention 0: fragment 3-1"),
    ("relations", relate([{"label": "A", "spans": [[0, 10**30]]}]), "100 bits is larger than"),
    ("relations", NOTE, ":2: expected one JSON object on the line"),
    ("relations", relate(label="?"), "'?' has no letter or digit"),
    ("codes", {"codes": [NOTE]}, ":2: expected a code without blanks"),
    ("codes", {"codes": [{"code": "I10", "score": 2}]}, ":2: score: expected a number from 0 to 1"),
    ("codes", {"codes": [{"code": "I10", "score": float("nan")}]}, ":2: expected one JSON object"),
    ("codes", {"id": "a", "codes": []}, ":2: the document has the same 'id' as "),
    ("codes", {"codes": ["I10"], NOTE: 1}, ":2: unknown a string of 21 characters"),
    ("records", {"records": NOTE}, ":2: expected an object or a list"),
    ("records", '{"id": "b", "records": {"dose": 1, "dose": 2}}', "the key dose occurs twice"),
    ("records", '{"id": "b", "records": ' + "[" * 9999, "nested too deeply"),
    ("records", {"id": ["b"], "records": {}}, ":2: id: expected the name of a document"),
    ("events", event(more=NOTE), ":2, event 0: unknown 'more'"),
    ("events", event({"label": "B"}), ":2, event 0, argument 0: 'spans' is missing"),
    ("events", event({"label": "B", "value": 5}), ":2, mention 1: value: expected a value"),
    ("events", event(label=f"{NOTE}\n"), ":2, event 0: label: expected a label"),
    ("classes", NOTE, ":2: expected one JSON object on the line"),
    ("classes", {"id": ["b"], "smoking": "past"}, ":2: expected a string 'id'"),
    ("classes", {"id": "a", "smoking": "past"}, "bad.jsonl: the document a occurs twice"),
    ("classes", shares(past=2), ":2: probabilities, smoking, past: expected a number from 0 to 1"),
    ("classes", shares(past=float("nan")), ":2: expected one JSON object on the line, NaN is not"),
]
SCHEMAS = [
    (SCHEMA % '{"x-foo": 1}', "#/properties/dose: unknown keyword 'x-foo', expected one of x-"),
    (SCHEMA % '{"x-compare": "judge"}', "/x-compare: unknown comparison 'judge', expected one of"),
    (SCHEMA % '{"type": "number", "x-tolerance": -1}', "/x-tolerance: expected a number of at"),
    (SCHEMA % '{"$ref": "http://example.org/"}', "#/properties/dose/$ref: expected a reference"),
    (SCHEMA % "{", "expected a JSON Schema, line 2, column "),
    ('{"$ref": "#"}', "a schema that contains itself is not supported"),
    ("[]", "expected the path of a file or a dict, got a list"),
]
OPTIONS = [
    ("codes", ("--threshold", "nan"), "--threshold: expected a number from 0 to 1, got 'nan'"),
    ("codes", ("--cutoffs", "5,zero"), "--cutoffs: expected whole numbers from 1 on, such"),
    ("relations", ("--symmetric", "Q"), "unknown symmetric type 'Q', expected one of R"),
    ("relations", ("--types", "R-1,R_1"), "'R_1' would be called 'r_1' in the results, like 'R-1'"),
    ("events", ("--events", "Q"), "unknown event type 'Q', expected one of A"),
    ("events", ("--labeled-arguments", "Q"), "unknown argument 'Q', because there is none"),
    (
        "classes",
        ("--positive", "Q"),
        "--positive: no class is called 'Q', expected one of no, past",
    ),
    ("classes", ("--threshold", "nan"), "--threshold: expected a number from 0 to 1, got 'nan'"),
    ("classes", ("--classes", "past,Past"), "the class 'Past' would be called 'past' in the"),
    ("classes", ("--label-column", "Q"), "classes.jsonl:1: unknown 'smoking', expected Q, id"),
]


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for kind, document in GOOD.items():
        (tmp_path / f"{kind}.jsonl").write_text(json.dumps({"id": "a", **document}) + "\n")
    (tmp_path / "schema.json").write_text(SCHEMA % NUMBER)
    (tmp_path / "empty").mkdir()
    return tmp_path


def refuse(kind, gold, found, *words):
    done = run_clineval("score", f"clinical_{kind}", gold, found, *words, status=2)
    [said] = done.stderr.splitlines()
    assert said.startswith("clineval: ")
    assert "Hidden" not in done.stderr + done.stdout
    assert not done.stdout
    return said


@pytest.mark.parametrize(("kind", "document", "said"), BAD)
def test_a_bad_line_is_named(folder, kind, document, said):
    line = document if isinstance(document, str) else json.dumps({"id": "b", **document})
    good = folder / f"{kind}.jsonl"
    (folder / "bad.jsonl").write_text(good.read_text() + line + "\n")
    told = refuse(kind, good.name, "bad.jsonl")
    assert said in told
    assert "bad.jsonl:2" in told or not said.startswith(":2")


@pytest.mark.parametrize(("schema", "said"), SCHEMAS)
def test_a_bad_schema_is_named(folder, schema, said):
    (folder / "schema.json").write_text(schema)
    told = refuse("records", "records.jsonl", "records.jsonl", "--schema", "schema.json")
    assert told.startswith("clineval: --schema: ")
    assert said in told


@pytest.mark.parametrize(("kind", "words", "said"), OPTIONS)
def test_a_bad_option_is_named(folder, kind, words, said):  # noqa: ARG001 - where the files are
    assert said in refuse(kind, f"{kind}.jsonl", f"{kind}.jsonl", *words)


@pytest.mark.parametrize("kind", GOOD)
def test_other_files_are_named(folder, kind):
    gold = f"{kind}.jsonl"
    (folder / "binary.jsonl").write_bytes(bytes(range(128, 256)))
    assert "binary.jsonl:1: byte 0 is not UTF-8" in refuse(kind, gold, "binary.jsonl")
    assert "empty: expected files" in refuse(kind, gold, "empty")
    assert "absent.jsonl: no such file" in refuse(kind, gold, "absent.jsonl")
    (folder / "note.txt").write_text(NOTE)
    assert "note.txt:1: " in refuse(kind, gold, "note.txt")


def test_invalid_values_are_errors_in_gold_and_wrong_in_predictions(folder):
    (folder / "other.jsonl").write_text(json.dumps({"id": "a", "records": {"dose": NOTE}}) + "\n")
    schema = ("--schema", "schema.json")
    told = refuse("records", "other.jsonl", "records.jsonl", *schema)
    assert "other.jsonl:1: dose: expected number, got a string of 21 characters" in told
    words = ("score", "clinical_records", "records.jsonl", "other.jsonl", *schema)
    done = run_clineval(*words, "--format", "json")
    assert json.loads(done.stdout)["scores"]["dose_fp"] == 1
    assert "violate the schema" in done.stderr
    assert "Hidden" not in done.stderr
