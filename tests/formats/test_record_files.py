"""Files of records: every form is the same corpus, and conversion changes none of it."""

import json

import pytest
from commands import invoke
from hypothesis import given
from hypothesis import strategies as st

import clineval
from clineval.results.registry import find_challenge

SYNUR, OE = "mediqa_synur26", "mediqa_oe25"
ORDER = {"order_type": "lab", "description": "lipid panel", "provenance": [1], "more": {"a": None}}
VALUES = st.recursive(
    st.none() | st.booleans() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=5,
)
NAMES = st.text("ab é\u2028\"'", min_size=1).filter(str.strip)
CORPORA = st.dictionaries(
    NAMES, st.lists(st.dictionaries(st.text(max_size=3), VALUES, max_size=3), max_size=3)
)


def convert(source, target, *options):
    done = invoke(["convert", source, target, "--module", OE, *options])
    assert done.exit_code == 0, done.output
    return done


@given(CORPORA)
def test_nothing_is_lost_on_the_way(tmp_path_factory, corpus):
    folder = tmp_path_factory.mktemp("records")
    first, lines, last = (folder / name for name in ("a.json", "b.jsonl", "c.json"))
    first.write_text(json.dumps(corpus))
    setup = find_challenge(OE).setup("default", "spec", {})
    form = setup.steps.document_form(setup)
    for source, target in ((first, lines), (lines, last)):
        assert form.write(form.list_files(source), target) == sum(map(len, corpus.values()))
    assert json.loads(last.read_text()) == corpus
    written = list(map(json.loads, lines.read_text().split("\n")[:-1]))
    assert written == [{"id": name, "orders": of} for name, of in corpus.items()]


def test_every_form_of_a_file_is_the_same_corpus(tmp_path):
    document = {"id": "5", "records": [{"id": "1", "value": 2}]}
    forms = {
        "lines.jsonl": json.dumps(document),
        "lines.txt": "\n" + json.dumps(document) + "\n",
        "object.json": json.dumps({"5": document["records"]}, indent=1),
        "nested.json": json.dumps({"5": {"observations": document["records"]}}),
        "string.json": json.dumps({"5": json.dumps(document["records"])}),
        "list.json": json.dumps([document]),
        "one.json": json.dumps({**document, "id": 5}, indent=1),
    }
    for name, text in forms.items():
        (tmp_path / name).write_text(text)
    for name in forms:
        score = clineval.score(SYNUR, tmp_path / name, tmp_path / "lines.jsonl")
        assert score["micro_tp"] == 1
        assert invoke(["validate", SYNUR, tmp_path / name]).exit_code == 0


def test_texts_stay_in_lines_and_a_string_of_records_is_opened(tmp_path):
    lines = tmp_path / "a.jsonl"
    document = {"id": "D1", "orders": json.dumps([ORDER]), "text": "A lipid panel."}
    lines.write_text(json.dumps(document))
    convert(lines, tmp_path / "b.jsonl")
    assert json.loads((tmp_path / "b.jsonl").read_text()) == {**document, "orders": [ORDER]}
    with pytest.warns(clineval.InputWarning, match="texts of 1 document are left out"):
        convert(lines, tmp_path / "c.json")
    assert json.loads((tmp_path / "c.json").read_text()) == {"D1": [ORDER]}


def test_a_submission_is_made_of_answers(tmp_path):
    answers, target = tmp_path / "answers.jsonl", tmp_path / "submission.json"
    said = {"D1": f"Orders: {[ORDER, 'x-ray']}", "D2": "None."}
    answers.write_text(
        "".join(json.dumps({"id": name, "answer": of}) + "\n" for name, of in said.items())
    )
    with (
        pytest.warns(clineval.InputWarning, match="cannot be read"),
        pytest.warns(clineval.InputWarning, match="left out 1 item"),
    ):
        shown = convert(answers, target, "--from", "answers")
    assert "2 documents, 1 record" in shown.stdout
    assert json.loads(target.read_text()) == {"D1": [ORDER], "D2": []}
    gold = {"D1": [ORDER], "D2": []}
    assert clineval.score(OE, target, gold)["average_f1"] == 1


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["a.jsonl", "b.txt"], "written to .json or .jsonl"),
        (
            ["a.jsonl", "b.json", "--to", "pipe"],
            "the names of the files determine the format of records",
        ),
        (["a.jsonl", "a.jsonl", "b.json"], "several sources"),
        (["bad.json", "b.json"], "bad.json, document a: expected a list of records, got 3"),
    ],
)
def test_what_cannot_be_converted_is_refused(tmp_path, monkeypatch, arguments, said):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "a.jsonl").write_text(json.dumps({"id": "a", "orders": [ORDER]}))
    (tmp_path / "bad.json").write_text('{"a": 3}')
    done = invoke(["convert", "--module", OE, *arguments])
    assert said in str(done.exception)
    assert not (tmp_path / "b.json").exists()


def test_validate_finds_every_problem_of_every_field(tmp_path):
    path = tmp_path / "gold.json"
    path.write_text(
        json.dumps({"a": [{**ORDER, "order_type": "x", "reason": 3.5}, 4], "b": None, "c": [{}]})
    )
    shown = invoke(["validate", OE, path])
    places = [line.partition("gold.json: ")[2] for line in shown.stdout.splitlines()]
    expected_places = [
        "document a, record 1: order_type: expected one of",
        "document a, record 2: expected an object",
        "document b: expected a list",
        "document c, record 1: description: expected a text",
        "document c, record 1: order_type: expected one of",
    ]
    assert len(places) == len(expected_places)
    for place, expected in zip(places, expected_places, strict=True):
        assert place.startswith(expected)


def test_a_part_of_a_published_file_is_converted(tmp_path):
    """MEDIQA-OE publishes one file of train and dev: https://github.com/jpcorb20/mediqa-oe."""
    source, target = tmp_path / "orders.json", tmp_path / "dev.json"
    parts = {"train": [], "dev": [{"id": "a", "expected_orders": [ORDER]}]}
    source.write_text(json.dumps({**parts, "train": [{"id": "b", "expected_orders": []}]}))
    assert "1 document, 1 record" in convert(source, target, "--part", "dev").stdout
    assert json.loads(target.read_text()) == {"a": [ORDER]}
    command = ["convert", source, target, "--module"]
    assert "train, dev. Name one with part or --part" in str(invoke([*command, OE]).exception)
    assert "'part'" in str(invoke([*command, SYNUR, "--part", "dev"]).exception)
    refused = invoke([*command, "semeval15_task14", "--part", "dev"]).exception
    assert "--part is for files of records" in str(refused)
