"""What JSON may not hold, in every reader: Python's parser would lose or change it."""

import re

import pytest
from demos import arguments_of
from hypothesis import given
from hypothesis import strategies as st

import clineval
from clineval.base.files import read_json
from clineval.base.strict_json import NotJsonError, iterate_object, parse_flat, parse_json
from clineval.formats.checking import find_problems
from clineval.formats.given.text_files import read_texts
from clineval.formats.section_lines import read_sections
from clineval.results.registry import NAMES, find_challenge

REJECTED = {
    "a repeated key": ('1, "zz": 1', "the key zz occurs twice"),
    "a repeated key, once escaped": ('1, "\\u007az": 1', "the key zz occurs twice"),
    "a repeated key below": ('[{"a": {"b": 1, "b": 2}}]', "the key b occurs twice"),
    "NaN": ("NaN", "NaN is not a finite number"),
    "infinity": ("-Infinity", "-Infinity is not a finite number"),
    "a number that becomes infinite": ("1e999", "a number is too large"),
    "half of a pair": ('"a\\ud800"', "half of a surrogate pair"),
    "the other half": ('"\\uDFFFa"', "half of a surrogate pair"),
    "two halves apart": ('["\\ud83d", "\\ude00"]', "half of a surrogate pair"),
    "half of a pair in a key": ('{"\\udbff": 1}', "half of a surrogate pair"),
    "5,000 digits": ("9" * 5000, "a number has too many digits, or lists are nested too deeply"),
    "depth": ("[" * 100_000 + "]" * 100_000, "lists are nested too deeply"),
    "objects in depth": ('{"a":' * 100_000 + "1" + "}" * 100_000, "lists are nested too deeply"),
}
"""A value of the key ``zz``, and the problem."""
ACCEPTED = {
    "a pair": ('"\\ud83d\\ude00"', "\U0001f600"),
    "a backslash before half of a pair": ('"\\\\ud800"', "\\ud800"),
    "characters beside a backslash": ('"\\u00fcd800"', "\u00fcd800"),
    "30 digits": ("9" * 30, int("9" * 30)),
    "a large number": ("1e300", 1e300),
}


def spoil(text, value):
    """Put a value into the first object of a text."""
    return re.sub(r"\{", lambda _: f'{{"zz": {value}, ', text, count=1)


@pytest.mark.parametrize(("value", "problem"), REJECTED.values(), ids=REJECTED)
def test_parsers(value, problem):
    text = f'{{"zz": {value}}}'
    assert parse_flat(text) is None
    for parse in (parse_json, lambda text: [*iterate_object(text)]):
        with pytest.raises(NotJsonError, match=problem):
            parse(text)


@pytest.mark.parametrize(("value", "expected"), ACCEPTED.values(), ids=ACCEPTED)
def test_accepted(value, expected):
    text = f'{{"zz": {value}}}'
    assert parse_json(text) == dict(iterate_object(text)) == {"zz": expected}
    assert parse_flat(text) in (None, {"zz": expected})


PIECE = st.sampled_from(["\\ud83d", "\\uDE00", "\\u0041", "\\\\", "ud800", "\u00e9", ":"])


@given(st.lists(PIECE))
def test_no_parser_returns_half_of_a_pair(pieces):
    text = f'{{"a": "{"".join(pieces)}"}}'
    for parse in (parse_flat, parse_json, lambda text: dict(iterate_object(text))):
        try:
            found = parse(text)
        except NotJsonError:
            continue
        if found is not None:
            found["a"].encode()


def gold_of(name):
    """The first file of JSON of a demo's gold standard; None if it has another format."""
    gold = arguments_of(name)[0][1]
    files = sorted(gold.rglob("*")) if gold.is_dir() else [gold]
    return next((file for file in files if file.suffix in (".json", ".jsonl")), None)


CHALLENGES = [name for name in NAMES if gold_of(name)]


@pytest.mark.parametrize(("value", "problem"), REJECTED.values(), ids=REJECTED)
@pytest.mark.parametrize("name", CHALLENGES)
def test_gold_standards(name, value, problem, tmp_path):
    """Also if they are checked."""
    gold = gold_of(name)
    path = tmp_path / gold.name
    path.write_text(spoil(gold.read_text("utf-8"), value), "utf-8")
    with pytest.raises(clineval.InputError, match=problem) as raised:
        clineval.score(name, gold, path, **arguments_of(name)[1])
    assert gold.name in raised.value.where
    found = [str(each) for each in find_problems(find_challenge(name), [path])]
    assert any(problem in each and gold.name in each for each in found)


LINES = {
    "clinical_spans": '{"id": "a", "mentions": [{"spans": [[0, 4]], "label": "Drug"}]}',
    "clinical_relations": '{"id": "a", "mentions": [], "relations": []}',
    "clinical_events": '{"id": "a", "mentions": []}',
    "clinical_records": '{"id": "a", "records": [{"drug": "aspirin"}]}',
    "clinical_classes": '{"id": "a", "smoker": "yes"}',
    "clinical_codes": '{"id": "a", "codes": ["I10"]}',
    "codiesp20": '{"id": "a", "codes": ["i10"]}',
}
"""A line of JSON Lines of each kind of annotation."""
WAYS = {"at once": {}, "in parts": {"batch_size": 1}, "in processes": {"batch_size": 1, "jobs": 2}}
SPOILT = [
    (way, value) for way in WAYS for value in REJECTED if "jobs" not in WAYS[way] or value == "NaN"
]


@pytest.mark.parametrize(("way", "value"), SPOILT)
@pytest.mark.parametrize("name", LINES)
def test_lines(name, way, value, tmp_path):
    spoilt, problem = REJECTED[value]
    line = LINES[name]
    lines = [line, line.replace('"a"', '"b"', 1), spoil(line, spoilt).replace('"a"', '"c"', 1)]
    path = tmp_path / "gold.jsonl"
    path.write_text("\n".join(lines))
    with pytest.raises(clineval.InputError, match=problem) as raised:
        clineval.score(name, path, path, **WAYS[way])
    assert "gold.jsonl:3" in raised.value.where


OTHERS = {
    "a file with one value": (read_json, '{"a": 1}'),
    "texts": (read_texts, '{"id": "a", "text": ""}'),
    "sections": (read_sections, '{"id": "a", "sections": []}'),
    "counts": (clineval.Counts.load, '{"a": 1}'),
}


@pytest.mark.parametrize(("value", "problem"), REJECTED.values(), ids=REJECTED)
@pytest.mark.parametrize("what", OTHERS)
def test_other_files(what, value, problem, tmp_path):
    read, text = OTHERS[what]
    path = tmp_path / "a.jsonl"
    path.write_text(spoil(text, value))
    with pytest.raises(clineval.InputError, match=problem):
        read(path)
