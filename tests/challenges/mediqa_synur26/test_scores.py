"""MEDIQA-SYNUR 2026 against a plain scorer on random observations, and the laws."""

import json
from contextlib import suppress

import laws
import pytest
from hypothesis import given
from hypothesis import strategies as st

import clineval
from clineval.challenges.mediqa_synur26 import definition as plain
from clineval.evaluation.analysis.agreement import agree
from clineval.evaluation.analysis.mistakes import find_frequent
from clineval.evaluation.evaluate import evaluate

NAME = "mediqa_synur26"
pytestmark = pytest.mark.filterwarnings("ignore::clineval.InputWarning")
PLAIN_VALUES = st.sampled_from(
    [1, 1.0, True, 5, "5", "F", "Fahrenheit", "fahrenheit", "C", "CELSIUS", "c", None, "", "a", 0.1]
)
VALUES = st.recursive(
    PLAIN_VALUES,
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from("xy"), inner, max_size=2)
    ),
    max_leaves=4,
)
TYPES = st.sampled_from(["MULTI_SELECT", "MULTI_SELECT", "STRING", "NUMERIC"])
RECORDS = st.builds(
    lambda concept, of, value, name: {
        "id": concept, "value_type": of, "value": value, "name": name,
    },
    st.sampled_from(["1", "2", 2, "3"]), TYPES, VALUES, st.just("Pain"),
)  # fmt: skip
DOCUMENTS = st.lists(RECORDS, max_size=5)
CORPORA = st.integers(1, 4).flatmap(
    lambda size: st.tuples(*[st.lists(DOCUMENTS, min_size=size, max_size=size)] * 2)
)


def score(predictions, references, **options):
    return clineval.score(NAME, predictions, references, **options).as_dict()


def count(predictions, references):
    return clineval.count(NAME, predictions, references)


@given(st.dictionaries(st.sampled_from("abc"), DOCUMENTS), st.data())
def test_a_plain_scorer_counts_the_same(references, data):
    predictions = data.draw(st.dictionaries(st.sampled_from("abcd"), DOCUMENTS))
    expected = plain.count(predictions, references)
    result = score(predictions, references)
    for prefix, counts in expected.items():
        assert tuple(result[f"{prefix}_{key}"] for key in laws.COUNTS) == counts


@given(CORPORA, st.integers(0, 99))
def test_laws(corpus, seed):
    references, predictions = corpus
    laws.hold_for_the_engine(score, count, corpus, seed)
    laws.order_of_units_does_not_matter(score, predictions, references, seed)
    if count(references, references).totals["micro_tp"]:
        laws.perfect_predictions_score_one(score, references, ["micro_f1", "concept_f1"])


@given(CORPORA, st.integers(0, 99))
def test_no_order_changes_what_became_of_records(corpus, seed):
    references, predictions = corpus
    mixed = laws.shuffled(predictions, seed), laws.shuffled(references, seed + 1)
    found = []
    for sides in ((predictions, references), mixed):
        outcomes = evaluate(NAME, *sides).outcomes
        match = outcomes.matches[outcomes.widest]
        rows = [outcomes.value("record", match, row) for row in range(len(match))]
        found.append(sorted(rows, key=repr))
    assert found[0] == found[1]


@given(CORPORA)
def test_swapping_sides_swaps_scores_where_nothing_is_a_list(corpus):
    flat = [
        [[r for r in document if not isinstance(r["value"], list)] for document in side]
        for side in corpus
    ]
    laws.swapping_sides_swaps_precision_and_recall(score, *flat, ["micro", "concept"])


def test_forms_of_input(tmp_path):
    records = [{"id": "1", "value_type": "NUMERIC", "value": 5}, {"id": 2, "value": ["a", "b"]}]
    lines = tmp_path / "a.jsonl"
    lines.write_text(json.dumps({"id": "d", "observations": json.dumps(records)}) + "\n\n")
    forms = (
        lines, lines.read_text(), {"d": records}, [{"id": "d", "records": records}],
        [json.dumps({"id": "d", "observations": records})], tmp_path, {"d": json.dumps(records)},
    )  # fmt: skip
    for form in forms:
        for other in forms:
            assert score(form, other)["micro_tp"] == 3
    assert score([records], [json.dumps(records)])["micro_f1"] == 1


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("{", "a.jsonl:2: expected one JSON object on the line"),
        ("[]", "a.jsonl:2: expected an object with 'observations' or 'records'"),
        ('{"id": "e", "observations": [], "records": []}', "a.jsonl:2: expected an object with"),
        ('{"id": " ", "observations": []}', "a.jsonl:2: id: expected the name of a document"),
        ('{"id": "e", "observations": "["}', "a.jsonl:2: expected a list of records in a string"),
        ('{"id": "e", "observations": {}}', "a.jsonl:2: expected a list of records, got"),
        ('{"id": "e", "observations": [7]}', "a.jsonl:2, record 1: expected an object"),
        ('{"id": "e", "observations": [{"id": "1"}, {"value": 3}]}',
         "a.jsonl:2, record 2: id: expected a word or words, got None"),
        ('{"id": "e", "observations": [{"id": {}, "value": 3}]}', "record 1: id: expected a word"),
        ('{"id": "e", "observations": [{"id": "1", "value_type": 1.5, "value": NaN}]}',
         "a.jsonl:2: expected one JSON object on the line, NaN is not a finite number"),
        ('{"id": "d", "observations": []}', "a.jsonl:2: the document has the same 'id' as"),
    ],
)  # fmt: skip
def test_a_bad_line_of_the_gold_standard_is_named(tmp_path, line, said):
    path = tmp_path / "a.jsonl"
    path.write_text('{"id": "d", "observations": []}\n' + line + "\n")
    laws.refuses(lambda: clineval.score(NAME, {"d": []}, path), said)


def test_what_a_system_says_is_scored_and_warned_of(tmp_path):
    path = tmp_path / "a.jsonl"
    path.write_text('{"id": "d", "observations": [7, {"value": 5}, {"id": "1", "value": 5}]}\n')
    with pytest.warns(
        clineval.InputWarning, match="1 document has invalid predicted records, .*: d$"
    ):
        result = score(path, {"d": [{"id": "1", "value": 5}]})
    assert [result[f"micro_{key}"] for key in laws.COUNTS] == [1, 2, 0]


def test_annotators_with_odd_records_are_refused():
    whole = {"d": [{"id": "1", "value": 5}]}
    [found] = agree(NAME, {"one": whole, "two": {"d": [{"id": "1", "value": 6}]}})
    assert (found.score["concept_f1"], found.score["micro_f1"]) == (1, 0)
    assert set(found.slots) == {"concept", "value"}
    with pytest.raises(clineval.InputError, match="an annotator has invalid records"):
        agree(NAME, {"one": whole, "two": {"d": [7]}, "three": whole})


def test_errors_name_concept_and_value():
    gold = [[{"id": "5", "name": "Unit", "value": "F"}, {"id": "7", "name": "", "value": 3}]] * 12
    found = [[{"id": "5", "name": "Temp", "value": "C"}, {"id": "7", "value": "3"}]] * 12
    mistakes = find_frequent(evaluate(NAME, found, gold).outcomes)
    assert [(m.kind, m.gold, m.prediction, len(m)) for m in mistakes] == [
        ("value", "5 Unit: F", "5 Unit: C", 12),
        ("value", "7: 3", '7: "3"', 12),
    ]


def test_values_without_an_order_are_refused_without_a_trace_of_them():
    record = {"id": "5", "value_type": "", "name": "Unit", "value": ["F", {"low": 1}]}
    with pytest.raises(clineval.InputError, match="cannot be sorted") as caught:
        clineval.score(NAME, [[record]], [[record]], protocol="official")
    assert caught.value.__suppress_context__


@pytest.mark.parametrize("depth", [10, 400, 490, 600, 900, 3000])
def test_values_that_are_nested_deeply_are_right_or_refused(depth):
    """How deep is too deep is for the interpreter to say, as it is under the script."""
    value = []
    for _ in range(depth):
        value = [value]
    record = {"id": "5", "value_type": "MULTI_SELECT", "name": "Unit", "value": value}
    with suppress(clineval.InputError):
        scores = clineval.score(NAME, [[record]], [[record]], protocol="official")
        assert scores["micro_f1"] == 1
        return
    assert depth > 10


@pytest.mark.parametrize("depth", [250, 900, 50_000])
def test_a_gold_value_that_is_nested_too_deeply_is_called_so(depth):
    value = []
    for _ in range(depth):
        value = [value]
    document = [{"id": "1", "value_type": "STRING", "value": value, "name": "Pain"}]
    laws.refuses(
        lambda: clineval.score(NAME, [document], [document]),
        "value: a value with too many brackets, expected fewer than 200",
    )


@pytest.mark.parametrize("value", ["Infinity", "-Infinity", "NaN", "1e999", "[1, NaN]"])
@pytest.mark.parametrize("whole", [False, True])
def test_a_system_s_value_that_is_no_number_is_wrong(tmp_path, value, whole):
    def write(name, value):
        record = f'{{"id": "7", "value_type": "NUMERIC", "value": {value}}}'
        other = '{"id": "8", "value_type": "NUMERIC", "value": 1}'
        held = f'{{"id": "1", "observations": [{record}, {other}]}}'
        path = tmp_path / f"{name}.json{'' if whole else 'l'}"
        path.write_text(f"[{held}]" if whole else f"{held}\n")
        return path

    gold, found = write("gold", 98.0), write("found", value)
    score = clineval.score(NAME, found, gold)
    counts = [score[key] for key in ("micro_tp", "micro_fp", "micro_fn", "concept_tp")]
    assert counts == [1, 1, 1, 2]
    texts = [path.read_text().strip().removeprefix("[").removesuffix("]") for path in (found, gold)]
    assert clineval.score(NAME, [texts[0]], [texts[1]])["micro_tp"] == 1
    laws.refuses(
        lambda: clineval.score(NAME, gold, found), "" if value == "1e999" else "finite number"
    )
