"""What models make of JSON: certain repairs, and nothing that is guessed."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clineval.answers.repair import read_items

WORDS = st.text(st.sampled_from('ab "\\{}[],:\n`é'), max_size=8)
ITEMS = st.lists(
    st.one_of(
        WORDS,
        st.dictionaries(
            st.sampled_from(["text", "cui", "negation"]),
            st.one_of(WORDS, st.none(), st.booleans()),
            max_size=3,
        ),
        st.builds(lambda words: {"text": words}, st.lists(WORDS, max_size=3)),
    ),
    max_size=4,
)
ANSWER = [{"text": "fever"}, {"text": ["left", "pain"], "negation": True}]


@given(ITEMS)
def test_json_is_read_as_it_is(items):
    for answer in (items, {"mentions": items}):
        assert read_items(json.dumps(answer)) == (items, "fine")
        assert read_items(answer) == (items, "fine")


@given(ITEMS.filter(bool), st.sampled_from([None, 1]), st.data())
def test_cut_off_anywhere_only_whole_items_are_left(items, indent, data):
    written = json.dumps(data.draw(st.sampled_from([items, {"mentions": items}])), indent=indent)
    cut = data.draw(st.integers(0, len(written) - 1))
    found, state = read_items(written[:cut])
    assert found == items[: len(found)]
    assert state in ("repaired", "unreadable")
    at_item = written.index("[") + 1
    if cut > at_item and not isinstance(items[0], str):
        assert state == "repaired" or not written[at_item:cut].strip()


@pytest.mark.parametrize(
    "around",
    [
        "```json\n{}\n```",
        "Here they are:\n{}\nLet me know.",
        "<think>a [b] c</think>{}",
        "\ufeff\n {}",
        "```\n{}```\n",
    ],
)
@pytest.mark.parametrize("answer", [ANSWER, {"entities": ANSWER}, {"extractions": ANSWER}])
def test_what_stands_around_is_left_out(around, answer):
    assert read_items(around.replace("{}", json.dumps(answer))) == (ANSWER, "repaired")


@pytest.mark.parametrize(
    "broken",
    [
        "I found nothing.", "", "null", "3", '"fever"',
        '[{"text": "a"} {"text": "b"}]', '[{"text": "a" "cui": null}]', '[{"text": "a"}}',
        '[{"text": "a"}] or [{"text": "b"}]', '{"a": ["x"], "b": ["y"]}',
        '{"text": "a"} or {"text": "b"}', '{"text": "a"}\n{"text": b}\n{"text": "c"}',
        '```\n[{"text": "a"}]\n```\n```\n[{"text": "b"}]\n```', '<think>[{"text": "a"}]',
        '{"mentions": null}', "['a' 'b']", "[" * 100_000, '{"mentions": ' * 50_000,
    ],
)  # fmt: skip
def test_what_could_be_anything_is_unreadable(broken):
    assert read_items(broken) == ([], "unreadable")


@pytest.mark.parametrize(
    ("written", "items"),
    [
        ('{"text": "a", "cui": null}\n{"text": "a"}', [{"text": "a", "cui": None}, {"text": "a"}]),
        ('```jsonl\n{"text": "a"},\n{"text": "b"}\n```', [{"text": "a"}, {"text": "b"}]),
        ('{"text": "a"}\n{"text": "b"}\n{"text": "c', [{"text": "a"}, {"text": "b"}]),
        ('<think>perhaps [{"text": "b"}]</think>[{"text": "a"}]', [{"text": "a"}]),
        ('perhaps [{"text": "b"}]</think>\n[{"text": "a"}]', [{"text": "a"}]),
        ('[{"text": "a, ]",}, {"text": "b"},]', [{"text": "a, ]"}, {"text": "b"}]),
        ("It's [{'text': 'a \"b\" \\'c', 'cui': None, 'body_location': []}]",
         [{"text": "a \"b\" 'c", "cui": None, "body_location": []}]),
        ("[{'text': \"b's\", 'generic': True}, {'text': 'c", [{"text": "b's", "generic": True}]),
        ('[the patient\'s] [{"text": "it\'s, ]"}]', [{"text": "it's, ]"}]),
    ],
)  # fmt: skip
def test_what_models_make_of_json_is_read_whole(written, items):
    assert read_items(written) == (items, "repaired")


@given(ITEMS.filter(bool))
def test_what_python_writes_is_read_as_json_is(items):
    assert read_items(f"Found: {items!r}.") == (items, "repaired")


@pytest.mark.parametrize("torn", ["[" + "'\\" * 20_000, '["' + '\\"' * 20_000 + "\\", "'" * 20_000])
def test_quotes_without_end_take_no_time(torn):
    assert read_items(torn)[0] == []


def test_the_same_answer_twice_is_certain():
    written = json.dumps(ANSWER)
    assert read_items(f"{written}\nAgain:\n{written}") == (ANSWER, "repaired")


def test_one_item_and_no_items():
    assert read_items('{"text": "fever"}') == ([{"text": "fever"}], "fine")
    assert read_items("{}") == read_items("[]") == ([], "fine")
