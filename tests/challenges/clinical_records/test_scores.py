"""Records of a schema: equal to a plain scorer, to examples by hand, and to laws."""

import json
import random

import pytest
from conftest import DATA
from hypothesis import given
from hypothesis import strategies as st
from laws import (
    counts_of_parts_add_up,
    counts_survive_json,
    order_of_documents_does_not_matter,
    perfect_predictions_score_one,
    strict_is_at_most_relaxed,
)
from thorough import fewer

import clineval
from clineval import InputError
from clineval.challenges.clinical_records.definition import possible_counts
from clineval.evaluation.analysis.mistakes import count_mistakes

NAME = "clinical_records"
CASES = json.loads((DATA / "oracle" / NAME / "cases.json").read_text())
pytestmark = pytest.mark.filterwarnings("ignore::clineval.InputWarning")
SUB = {"type": "object", "properties": {"code": {"type": "string", "x-compare": "code"}}}
ITEM = {
    "type": "object",
    "properties": {
        "when": {"enum": ["am", "pm", None]},
        "n": {"type": "number"},
        "subs": {"type": "array", "items": SUB},
    },
}
RECORD = {
    "type": "object",
    "properties": {
        "name": {"type": "string", "x-compare": "fold"},
        "text": {"type": "string", "x-compare": "words"},
        "dose": {
            "type": ["number", "string"],
            "x-compare": "number",
            "x-unit": "mg",
            "x-tolerance": 0.5,
        },
        "more": {
            "type": "object",
            "properties": {
                "tags": {"type": "array", "items": {"type": "string", "x-compare": "fold"}},
                "items": {"type": "array", "items": ITEM},
            },
        },
        "left": {"x-ignore": True},
    },
}
KEYED = {**RECORD, "properties": {
    **RECORD["properties"], "name": {"type": "string", "x-compare": "fold", "x-key": True},
}}  # fmt: skip
SCHEMAS = {
    "one": RECORD,
    "list": {"type": "array", "items": RECORD},
    "key": {"type": "array", "items": KEYED},
}


def choices(*values):
    return st.sampled_from([None, *values])


SUBS = st.fixed_dictionaries({"code": choices("I10", "i1.0", "J45")})
ITEMS = st.fixed_dictionaries({
    "when": choices("am", "pm"), "n": choices(1, 1.0, 2), "subs": st.lists(SUBS, max_size=2),
})  # fmt: skip
RECORDS = st.fixed_dictionaries({
    "name": choices("Aspirin", "aspirin ", "heparin"),
    "text": choices("left knee", "Left, knee pain", "knee 2.5 mg"),
    "dose": choices(1, "1.5 mg", 2.0, 2.5),
    "more": st.one_of(st.none(), st.fixed_dictionaries({
        "tags": st.lists(st.sampled_from("aAb"), max_size=3),
        "items": st.lists(ITEMS, max_size=2),
    })),
    "left": choices("x", 5),
})  # fmt: skip
LISTS = st.lists(RECORDS, max_size=3)


def documents(name):
    return RECORDS if name == "one" else LISTS


def score(pairs, schema, **options):
    golds, founds = map(list, zip(*pairs, strict=True))
    return clineval.score(NAME, founds, golds, schema=schema, **options)


def totals_of(pairs, schema):
    golds, founds = map(list, zip(*pairs, strict=True))
    totals = clineval.count(NAME, founds, golds, schema=schema).totals
    others = ("documents_right", "documents_scored")
    return {key: value for key, value in totals.items() if value and key not in others}


@pytest.mark.parametrize("name", SCHEMAS)
@fewer(0.5)
@given(st.data())
def test_counts_are_those_of_a_plain_scorer(name, data):
    gold, found = data.draw(documents(name)), data.draw(documents(name))
    counted = totals_of([(gold, found)], SCHEMAS[name])
    possible = possible_counts(gold, found, SCHEMAS[name])
    assert any(counted == pytest.approx(each) for each in possible), possible


ALIKE = st.lists(ITEMS, max_size=2).map(
    lambda items: {"name": "a", "text": None, "dose": None, "more": {"tags": [], "items": items}}
)


@pytest.mark.parametrize("name", ["list", "key"])
@given(st.lists(ALIKE, max_size=3), st.lists(ALIKE, max_size=3))
def test_what_is_inside_decides_between_objects_that_are_equal_otherwise(name, gold, found):
    counted = totals_of([(gold, found)], SCHEMAS[name])
    possible = possible_counts(gold, found, SCHEMAS[name])
    assert any(counted == pytest.approx(each) for each in possible), possible


@pytest.mark.parametrize("name", SCHEMAS)
@given(st.data())
def test_scores_follow_from_the_counts(name, data):
    pair = st.tuples(documents(name), documents(name))
    pairs = data.draw(st.lists(pair, min_size=1, max_size=3))
    scores = score(pairs, SCHEMAS[name]).as_dict()
    totals = totals_of(pairs, SCHEMAS[name])
    means = []
    for field in ("name", "text", "dose", "more_tags", "more_items_n", "more_items_subs_code"):
        if field in ("text", "more_tags"):
            precision, recall = (
                totals.get(f"{field}_{key}_sum", 0) / (totals.get(f"{field}_{side}") or 1)
                for key, side in (("precision", "predicted"), ("recall", "gold"))
            )
        else:
            tp, fp, fn = (totals.get(f"{field}_{key}", 0) for key in ("tp", "fp", "fn"))
            precision, recall = tp / ((tp + fp) or 1), tp / ((tp + fn) or 1)
        f1 = 2 * precision * recall / ((precision + recall) or 1)
        expected = [precision, recall, f1]
        found = [scores[f"{field}_{key}"] for key in ("precision", "recall", "f1")]
        assert found == pytest.approx(expected)
        if any(key.startswith(f"{field}_") for key in totals):
            means.append(expected)
    when = [scores[f"more_items_when_{key}"] for key in ("precision", "recall", "f1")]
    means += [when] if any(key.startswith("more_items_when_") for key in totals) else []
    mean = [sum(column) / len(means) for column in zip(*means, strict=True)] or [0, 0, 0]
    assert [scores[f"fields_mean_{key}"] for key in ("precision", "recall", "f1")] == (
        pytest.approx(mean)
    )


def mix(value, chance):
    """The same value with every list in it in another order."""
    if isinstance(value, dict):
        return {name: mix(part, chance) for name, part in value.items()}
    if isinstance(value, list):
        return [mix(part, chance) for part in chance.sample(value, len(value))]
    return value


@pytest.mark.parametrize("name", SCHEMAS)
@given(st.data(), st.integers(0, 999))
def test_order_of_nested_lists_does_not_matter(name, data, seed):
    pair = st.tuples(documents(name), documents(name))
    pairs = data.draw(st.lists(pair, min_size=1, max_size=2))
    chance = random.Random(seed)
    mixed = [(mix(gold, chance), mix(found, chance)) for gold, found in pairs]
    schema = SCHEMAS[name]
    assert score(mixed, schema).as_dict() == score(pairs, schema).as_dict()


@pytest.mark.parametrize("name", SCHEMAS)
@given(st.data(), st.integers(0, 999))
def test_laws(name, data, seed):
    pair = st.tuples(documents(name), documents(name))
    pairs = data.draw(st.lists(pair, min_size=1, max_size=3))
    golds, founds = map(list, zip(*pairs, strict=True))

    def of(predictions, references):
        return clineval.score(NAME, predictions, references, schema=SCHEMAS[name]).as_dict()

    def count(predictions, references):
        return clineval.count(NAME, predictions, references, schema=SCHEMAS[name])

    order_of_documents_does_not_matter(of, founds, golds, seed, near=1e-12)
    strict_is_at_most_relaxed(of, founds, golds, "records_exact", "records_match")
    counts_of_parts_add_up(count, founds, golds)
    counts_survive_json(count, founds, golds)


def is_filled(record):
    return any(record[key] for key in ("name", "text", "dose"))


@given(st.lists(RECORDS.filter(is_filled), min_size=1, max_size=3))
def test_perfect_predictions_score_one(records):
    def of(predictions, references):
        return clineval.score(NAME, predictions, references, schema=SCHEMAS["list"]).as_dict()

    for record in records:
        if record["more"]:  # an object without values shares nothing with itself
            record["more"]["items"] = [i for i in record["more"]["items"] if i["when"] or i["n"]]
            for item in record["more"]["items"]:
                item["subs"] = [sub for sub in item["subs"] if sub["code"]]
    keys = ("records_match_f1", "records_exact_f1", "documents_exact", "fields_mean_f1")
    perfect_predictions_score_one(of, [records], keys)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["name"])
def test_worked_examples(case):
    result = clineval.score(NAME, case["found"], case["gold"], schema=case["schema"]).as_dict()
    assert {key: result[key] for key in case["scores"]} == pytest.approx(case["scores"])


def test_without_a_schema_the_gold_standard_determines_the_fields():
    gold = [{"drug": "aspirin", "dose": 5, "tags": ["a"], "times": [{"n": 1}]}]
    found = [{"drug": "Aspirin", "dose": 5.0, "tags": ["a", "b"], "times": [], "more": 1}]
    with pytest.warns(clineval.InputWarning, match="1 property is ignored"):
        scores = clineval.score(NAME, found, gold).as_dict()
    assert (scores["drug_f1"], scores["dose_f1"], scores["tags_recall"]) == (0, 1, 1)
    assert scores["times_n_fn"] == 1
    assert "compare:dose=number+drug=equal+tags=set+times_n=number" in scores["signature"]


def test_errors_compare_whole_records():
    gold = [[{"drug": "aspirin", "dose": 5}, {"drug": "heparin", "dose": 2}]]
    found = [[{"drug": "aspirin", "dose": 5.4}, {"drug": "insulin"}]]
    dose = {"type": "number", "x-tolerance": 0.5}
    drug = {"type": "string", "x-key": True}
    items = {"type": "object", "properties": {"drug": drug, "dose": dose}}
    schema = {"type": "array", "items": items}
    outcomes = clineval.evaluate(NAME, found, gold, schema=schema).outcomes
    kinds = {kind: number for kind, number in count_mistakes(outcomes).items() if number}
    assert kinds == {"right": 1, "spurious": 1, "missed": 1}


PLAIN = {"type": "object", "properties": {"a": {"type": "string"}}}


def of_field(**facts):
    return {"type": "object", "properties": {"a": facts}}


WRONG = [
    ({"properties": {"a": {"x-weight": 2}}}, "#/properties/a: unknown keyword 'x-weight'"),
    ({"properties": {"a": {"contains": {}}}}, "#/properties/a: unknown keyword 'contains'"),
    ({"type": "string"}, "#: expected an object with 'properties'"),
    (of_field(**{"type": "number", "x-compare": "words"}), "#/properties/a/x-compare: words comp"),
    (of_field(**{"x-compare": "near"}), "#/properties/a/x-compare: unknown comparison"),
    (of_field(**{"x-compare": "enum"}), "expected 'enum' with the values"),
    (of_field(**{"type": "string", "x-tolerance": 1}), "#/properties/a/x-tolerance: expected it"),
    (of_field(**{"type": "number", "x-tolerance": -1}), "at least 0"),
    (of_field(**{"type": "number", "x-unit": "mg"}), "whose type includes string"),
    (of_field(**{"type": "string", "x-key": 1}), "#/properties/a/x-key: expected true or false"),
    (of_field(**{"$ref": "other.json#/a"}), "a reference inside the file"),
    (of_field(**{"$ref": "#/$defs/none"}), "the reference leads to no part of the file"),
    (of_field(**{"$ref": "#"}), "a schema that contains itself"),
    (of_field(type="text"), "#/properties/a/type: unknown type 'text'"),
    (of_field(anyOf=[{"type": "string"}, {"type": "number"}]), "one alternative besides null"),
    (of_field(type="array", items={"type": "array", "items": {}}), "inner list"),
    (of_field(**{"properties": {"b": {}}, "x-compare": "fold"}), "not at an object"),
    (of_field(pattern="("), "#/properties/a/pattern: expected a regular expression"),
    (of_field(minimum="1"), "#/properties/a/minimum: expected a number"),
    ({"properties": {"a-b": {}, "a b": {}}}, "would be named like the field"),
    ({"properties": {"--": {}}}, "no letter or digit"),
    ({"properties": {"records_exact": {}}}, "named like"),
    ({"properties": {"a": {}}, "required": ["b"]}, "#/required: 'b' is no property"),
    ({"properties": {"a": {}}, "additionalProperties": {}}, "expected true or false"),
    ({"properties": {}}, "expected at least one field"),
    ([], "schema: expected the path of a file or a dict"),
]


@pytest.mark.parametrize(("schema", "message"), WRONG, ids=[message for _, message in WRONG])
def test_a_wrong_schema_is_an_error_with_its_place(schema, message):
    with pytest.raises(InputError) as caught:
        clineval.score(NAME, [{"a": "x"}], [{"a": "x"}], schema=schema)
    assert message in str(caught.value)


LIMITED = {
    "type": "object",
    "required": ["id"],
    "additionalProperties": False,
    "properties": {
        "id": {"type": "string", "minLength": 2},
        "day": {"type": "string", "format": "date"},
        "kind": {"enum": ["a", "b"]},
        "dose": {"type": ["number", "string"], "x-compare": "number", "x-unit": "mg"},
        "n": {"type": "integer", "minimum": 1},
        "tags": {"type": "array", "maxItems": 1, "items": {"type": "string"}},
        "inner": {"type": "object", "properties": {"x": {"type": "boolean"}}},
        "list": {
            "type": "array",
            "maxItems": 1,
            "items": {"type": "object", "properties": {"y": {"type": "string"}}},
        },
    },
}
VIOLATIONS = [
    ({"id": 5}, "id: expected string", "id"),
    ({"id": "x"}, "id: expected string within the limits of the schema", "id"),
    ({"day": "2024-02-30"}, "day: expected an ISO 8601 date", "day"),
    ({"kind": "c"}, "kind: expected one of the values", "kind"),
    ({"dose": "5 g"}, "dose: expected number or string, with the unit mg or none", "dose"),
    ({"n": 0}, "n: expected integer within the limits", "n"),
    ({"n": 1.5}, "n: expected integer", "n"),
    ({"tags": ["a", "b"]}, "tags: expected a list whose length", "tags"),
    ({"tags": [1]}, "tags: expected a list whose length and members", "tags"),
    ({"inner": 5}, "inner: expected an object", "inner_x"),
    ({"list": 5}, "list: expected a list of objects", ""),
    ({"list": [5]}, "document 0, list 1: expected an object, got 5", "list_y"),
    ({"list": [{"y": "a"}, {"y": "b"}]}, "the list violates maxItems", ""),
    ({"other": 5}, "1 property is not in the schema", ""),
]


@pytest.mark.parametrize(("part", "message", "field"), VIOLATIONS)
def test_gold_that_violates_the_schema_is_an_error_and_a_prediction_is_wrong(part, message, field):
    document = {"id": "ab", **part}
    with pytest.raises(InputError) as caught:
        clineval.score(NAME, [{"id": "ab"}], [document], schema=LIMITED)
    assert message in str(caught.value)
    with pytest.warns(clineval.InputWarning, match="1 document has predictions that violate"):
        scores = clineval.score(NAME, [document], [{"id": "ab"}], schema=LIMITED).as_dict()
    if field:
        assert scores[f"{field}_fp" if field != "tags" else "tags_precision"] == (field != "tags")
        assert scores[f"{field}_f1"] == 0


def test_a_missing_required_property_is_an_error_in_gold_and_missed_in_predictions():
    with pytest.raises(InputError, match="the required property 'id' is missing"):
        clineval.score(NAME, [{"id": "ab"}], [{"n": 1}], schema=LIMITED)
    scores = clineval.score(NAME, [{"n": 1}], [{"id": "ab", "n": 1}], schema=LIMITED).as_dict()
    assert (scores["id_fn"], scores["id_fp"], scores["n_f1"]) == (1, 0, 1)


def test_errors_name_file_and_line(tmp_path):
    gold, found, schema = (tmp_path / name for name in ("gold.jsonl", "found.jsonl", "schema.json"))
    gold.write_text('{"id": "a", "records": {"a": "x"}}\n{"id": "b", "records": {"a": 5}}\n')
    found.write_text('{"id": "a", "records": {"a": "x"}}\n')
    schema.write_text(json.dumps(PLAIN))
    with pytest.raises(InputError) as caught:
        clineval.score(NAME, found, gold, schema=schema)
    assert "gold.jsonl:2: a: expected string, got 5" in str(caught.value)
    schema.write_text('{"properties": {"a": {"oops": 1}}}')
    with pytest.raises(InputError, match="schema: #/properties/a: unknown keyword 'oops'"):
        clineval.score(NAME, found, gold, schema=schema)


def test_one_object_is_expected_where_the_schema_describes_one():
    with pytest.raises(InputError, match="expected one object, because the schema describes one"):
        clineval.score(NAME, [{"a": "x"}], [[{"a": "x"}, {"a": "y"}]], schema=PLAIN)
    found = clineval.score(NAME, [[{"a": "x"}, {"a": "x"}]], [{"a": "x"}], schema=PLAIN).as_dict()
    assert (found["a_fp"], found["a_fn"]) == (1, 1)


def test_schemas_of_pydantic_are_read():
    """Optional fields and nested models, as its model_json_schema() writes them."""
    drug = {"properties": {"name": {"title": "Name", "type": "string"},
                           "mg": {"anyOf": [{"type": "number"}, {"type": "null"}],
                                  "default": None, "title": "Mg"}},
            "required": ["name"], "title": "Drug", "type": "object"}  # fmt: skip
    schema = {"$defs": {"Drug": drug}, "title": "Note", "type": "object", "properties": {
        "main": {"anyOf": [{"$ref": "#/$defs/Drug"}, {"type": "null"}], "default": None},
        "drugs": {"items": {"$ref": "#/$defs/Drug"}, "title": "Drugs", "type": "array"},
    }, "required": ["drugs"]}  # fmt: skip
    gold = [{"main": None, "drugs": [{"name": "a", "mg": 5}, {"name": "b", "mg": None}]}]
    scores = clineval.score(NAME, gold, gold, schema=schema).as_dict()
    assert (scores["drugs_name_tp"], scores["drugs_mg_tp"], scores["main_name_tp"]) == (2, 1, 0)
    assert scores["documents_exact"] == 1


def test_a_challenge_of_your_own_can_fix_its_schema():
    task = clineval.Task("visits", "Visits", "https://example.org/", definition="", file="")
    visits = clineval.Challenge(task, {"spec": clineval.ShapedRecords(SCHEMAS["key"])})
    gold = [[{"name": "Aspirin", "dose": 1}, {"name": "heparin"}]]
    found = [[{"name": "aspirin", "dose": "1.5 mg"}]]
    scores = clineval.score(visits, found, gold).as_dict()
    assert scores == {
        **clineval.score(NAME, found, gold, schema=SCHEMAS["key"]).as_dict(),
        "signature": scores["signature"],
    }
    assert (scores["name_recall"], scores["dose_f1"]) == (0.5, 1)
    with pytest.raises(InputError, match="unknown keyword"):
        clineval.ShapedRecords({"properties": {"a": {"x-near": 1}}})
