"""JSON Lines of mentions are read block by block; reading at once is slower and words errors.

Both ways give the same columns or the same error, whatever the lines.
"""

import json
from dataclasses import fields
from functools import partial

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import corpora

from clineval import InputError
from clineval.base.strict_json import NotJsonError, parse_flat, parse_json
from clineval.formats.delimited import pipe
from clineval.formats.given import mention_lines, mentions
from clineval.results.slots import ANY, Slot

SLOTS = {
    "label": (Slot("label", "label", required=True), Slot(ANY, "free")),
    "pipe": pipe.SLOTS,
}
PART = st.sampled_from([
    *('"id"', '"mentions"', '"spans"', '"label"', '"text"', '"relations"', '"language"', '"cui"'),
    *(":", ",", "{", "}", "[", "]", "null", "true", "0", "-1", "1.0", "1e999", "NaN", "1" * 30),
    *('"a"', '""', '"\\ud800"', '"\\":"', '": "', " ", "\n", "\t", "\r", '"id": "a"', "9" * 5000),
])  # fmt: skip


def read(lines, slots, path, monkeypatch, *, at_once):
    path.write_bytes(lines.encode())
    with monkeypatch.context() as patch:
        if at_once:
            patch.setattr(mention_lines, "read_mentions", lambda *_: None)
        try:
            return mentions.read_side(str(path), slots, strict=True, side="predictions")
        except InputError as error:
            return str(error), [str(other) for other in error.others]


def plain(side):
    """The content of a side, its columns and theirs as lists."""
    if isinstance(side, np.ndarray):
        return side.dtype.str, side.tolist()
    if isinstance(side, dict):
        return {key: plain(value) for key, value in side.items()}
    if hasattr(side, "__dataclass_fields__"):
        return [(f.name, plain(getattr(side, f.name))) for f in fields(side)]
    return side


def same_both_ways(lines, slots, path, monkeypatch):
    ways = [read(lines, slots, path, monkeypatch, at_once=way) for way in (False, True)]
    assert plain(ways[0]) == plain(ways[1])
    return ways[0]


@st.composite
def mutated(draw):
    """Lines of documents, with parts put into them, taken out and repeated."""
    document = st.fixed_dictionaries(
        {
            "id": st.sampled_from(["a", "b", "c", "d"]) | st.none() | st.integers(),
            "mentions": st.lists(
                st.fixed_dictionaries(
                    {"spans": st.sampled_from([[[0, 4]], [[0, 2], [5, 6]], [[True, 4]], [], 3])},
                    optional={
                        "label": st.sampled_from(["Drug", "ADE", "", None, 3, "a\u0085"]),
                        "cui": st.sampled_from(["C0015967", None, "C1 C2"]),
                        "polarity": st.sampled_from(["yes", "no", "perhaps", ["yes"], None]),
                        "other": st.sampled_from([True, None, "x", {"y": 1}, [1]]),
                        "id": st.just("T1"),
                    },
                ),
                max_size=3,
            ),
        },
        optional={
            "text": st.sampled_from(["Fever: none", 'a ":" b', None, 3, "\ud7ff\U0001f600"]),
            "relations": st.sampled_from([[], None, [{"label": "r"}], {}, 3]),
            "language": st.sampled_from(["es", None, "\n", 3]),
            "more": st.just(1),
        },
    )
    lines = "\n".join(map(json.dumps, draw(st.lists(document, max_size=4))))
    for _ in range(draw(st.integers(0, 2))):
        at, end = sorted(draw(st.tuples(*[st.integers(0, len(lines))] * 2)))
        lines = lines[:at] + draw(PART | st.just(lines[at:end] * 2)) + lines[end:]
    return lines


@pytest.mark.parametrize("slots", SLOTS.values(), ids=SLOTS)
@given(lines=mutated())
def test_lines_give_the_same_columns_or_the_same_error_both_ways(slots, lines, tmp_path_factory):
    folder = tmp_path_factory.mktemp("lines")
    with pytest.MonkeyPatch.context() as monkeypatch:
        same_both_ways(lines, slots, folder / "a.jsonl", monkeypatch)


@given(corpora())
def test_documents_give_the_same_columns_both_ways(tmp_path_factory, corpus):
    lines = "".join(
        json.dumps({"id": f"n{at}", "mentions": document}) + "\n"
        for at, document in enumerate(corpus[0])
    )
    path = tmp_path_factory.mktemp("lines") / "a.jsonl"
    with pytest.MonkeyPatch.context() as monkeypatch:
        same_both_ways(lines, SLOTS["pipe"], path, monkeypatch)


@given(mutated())
def test_quick_parsing_accepts_nothing_that_exact_parsing_rejects(lines):
    for line in lines.split("\n"):
        found = parse_flat(line)
        if found is not None:
            assert repr(found) == repr(parse_json(line))


REJECTED = {
    "a repeated key": '{"id": "a", "mentions": [], "id": "a"}',
    "a repeated key of a mention": '{"id": "a", "mentions": [{"spans": [[0, 4]], "spans": []}]}',
    "a repeated key beside a list": '{"id": "a", "mentions": [{"a": 1, "a": 2}, "b"]}',
    "a repeated key below": '{"id": "a", "mentions": [{"spans": [], "b": {"c": 1, "c": 2}}]}',
    "a repeated key beside colons": '{"text": "\\u003a", "mentions": [], "id": "a", "id": ":"}',
    "a repeated key with blanks": '{"id": "a", "mentions" : [], "id" : "\\":"}',
    "a repeated key, once escaped": '{"id": "a", "mentions": [], "\\u0069d": "a"}',
    "NaN": '{"id": "a", "mentions": [], "text": NaN}',
    "infinity": '{"id": "a", "mentions": [], "text": -Infinity}',
    "a number that becomes infinite": '{"id": "a", "mentions": [], "text": 1e999}',
    "a number with 5,000 digits": f'{{"id": "a", "mentions": [], "text": {"9" * 5000}}}',
    "lists of depth 100,000": '{"id": "a", "mentions": ' + "[" * 100_000 + "]" * 100_000 + "}",
    "a second object": '{"id": "a", "mentions": []} {}',
    "a comma at the end": '{"id": "a", "mentions": [],}',
    "a tab in a string": '{"id": "a\t", "mentions": []}',
}


@pytest.mark.parametrize("line", REJECTED.values(), ids=REJECTED)
def test_no_way_accepts_json_that_loses_or_changes_a_part(line, tmp_path, monkeypatch):
    assert parse_flat(line) is None
    with pytest.raises(NotJsonError):
        parse_json(line)
    lines = '{"id": "b", "mentions": []}\n' + line
    message, _ = same_both_ways(lines, SLOTS["label"], tmp_path / "a.jsonl", monkeypatch)
    assert "a.jsonl:2: expected one JSON object on the line" in message


def test_usual_lines_are_read_block_by_block(tmp_path, monkeypatch):
    """Otherwise the tests above compare one way with itself."""
    mention = {"spans": [[0, 4]], "label": "Drug", "id": "T1"}
    relations = [{"label": "r", "from": "T1", "to": "T1"}]
    line = {"id": "a", "mentions": [mention] * 2, "text": 'No: ":"', "relations": relations}
    path = tmp_path / "a.jsonl"
    path.write_text(json.dumps(line) + "\n\n" + json.dumps({**line, "id": "b"}))
    read_whole = partial(pytest.fail, "read at once")
    monkeypatch.setattr(mentions, "_read_items", lambda *_, **__: read_whole())
    side = mentions.read_side(str(path), SLOTS["label"], strict=True, side="")
    assert side.keys == ("a", "b")
    assert len(side.mentions) == 4
