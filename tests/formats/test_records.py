"""Lists of dicts: reading goes block by block, which must not be seen."""

import re

import laws
import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import mentions

import clineval
from clineval import Document, InputError, Mention
from clineval.formats import dicts as records
from clineval.formats import jsonl
from clineval.formats.delimited import pipe
from clineval.formats.delimited.pipe import SLOTS
from clineval.formats.dicts import read_records
from clineval.formats.given.mentions import read_side
from clineval.results.slots import Slot

GOOD = {"spans": [[0, 4]], "cui": "C1"}
FULL = {**GOOD, **{slot.name: slot.default for slot in SLOTS if slot.default}}
corpora = st.lists(st.lists(mentions(), max_size=4), max_size=6)


def rows(side):
    """What is said of each mention, however its values are numbered."""
    columns = side.mentions
    spans = [
        (columns.starts[low:high].tolist(), columns.ends[low:high].tolist())
        for low, high in zip(columns.bounds, columns.bounds[1:], strict=False)
    ]
    values = {
        name: [column.values[number] for number in column.ids]
        for name, column in columns.attributes.items()
    }
    return columns.document.tolist(), spans, values


@given(corpora, st.integers(1, 5))
def test_the_size_of_blocks_does_not_matter(documents, size):
    whole = read_records(documents, SLOTS)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(records, "_BLOCK", size)
        parts = read_records(iter(documents), SLOTS)
    assert rows(parts) == rows(whole)
    assert parts.documents == whole.documents


@given(corpora)
def test_slots_at_their_defaults_may_be_said(documents):
    """Dicts with all names are read in another way than those with some."""
    full = {name: value for name, value in FULL.items() if name not in GOOD}
    said = [[{**full, **mention} for mention in document] for document in documents]
    plain, spelled = read_records(documents, SLOTS), read_records(said, SLOTS)
    assert rows(spelled) == rows(plain)


@pytest.mark.parametrize("none", [[], (), set(), frozenset(), "", "NULL", None])
def test_a_set_without_codes_is_none(none):
    said, silent = {**GOOD, "body_location": none}, GOOD
    score = clineval.score("semeval15_task14", [[said, GOOD]], [[silent, silent]])
    assert (score["body_location_accuracy"], score["accuracy"]) == (1, 1)


def test_a_set_without_codes_is_none_in_objects_tables_and_files():
    said = {**GOOD, "body_location": []}
    plain, held = (Document("a.txt", [Mention.from_dict(given)]) for given in (GOOD, said))
    assert pipe.format_document(held, SLOTS) == pipe.format_document(plain, SLOTS)
    kind = pa.struct([("spans", pa.list_(pa.list_(pa.int64()))), ("cui", pa.string()),
                      ("body_location", pa.list_(pa.string()))])  # fmt: skip
    documents = pa.array([[said, {**GOOD, "body_location": None}]], type=pa.list_(kind))
    table = pa.table({"id": ["a.txt"], "gold": documents, "found": documents})
    columns = (clineval.Column(table, name) for name in ("found", "gold"))
    assert clineval.score("semeval15_task14", *columns)["accuracy"] == 1
    locations = clineval.evaluate("semeval15_task14", [[said]], [[GOOD]]).outcomes
    assert locations.value("body_location", locations.matches["span"], 0) == ("null", "null")


@pytest.mark.parametrize(
    ("bad", "parts"),
    [
        ({**FULL, "spans": [[9, 5]]}, ["fragment 9-5"]),
        ({**FULL, "spans": [[False, 5]]}, ["expected an integer offset, got False"]),
        ({**FULL, "negation": "perhaps"}, ["negation: expected one of no, yes"]),
        ({**FULL, "negation": ["yes"]}, ["negation: expected a string"]),
        ({**FULL, "cui": {}}, ["cui: expected a code or None"]),
        ({**FULL, "body_location": [["C1"]]}, ["body_location: expected codes or None"]),
        ({**GOOD, "negated": "yes"}, ["unknown slot 'negated'"]),
        ({"spans": [[0, 4]]}, ["'cui' is missing"]),
    ],
)
@pytest.mark.parametrize("good", [FULL, GOOD])
def test_what_is_wrong_is_found_in_any_block(good, bad, parts):
    documents = [[good] * records._BLOCK, [good], [good, good, bad]]
    laws.refuses(lambda: read_records(documents, SLOTS), "document 2, mention 2", *parts)


def test_sets_of_codes_are_values():
    sets = [{**FULL, "body_location": {"C2", "C1"}}, {**FULL, "body_location": ["C1", "C2"]}]
    column = read_records([sets], SLOTS).mentions.attributes["body_location"]
    assert {column.values[number] for number in column.ids} == {"C1,C2"}


def test_integers_of_numpy_are_offsets():
    table = np.array([[0, 4], [6, 9]])
    read = read_records([[{"spans": table, "cui": None}]], SLOTS)
    assert read.mentions.starts.tolist() == [0, 6]


@pytest.mark.parametrize("protocol", ["spec", "official"])
def test_sets_of_codes_are_the_same_however_they_are_written(protocol):
    """In strings with and without blanks, in lists, and in the lines of a file."""
    found = [[{**FULL, "body_location": "C2"}]]
    lines = "".join(
        f"a|0-4|C1|no|NULL|patient|NULL|no|NULL|unmarked|NULL|unmarked|NULL|false|NULL|false|NULL"
        f"|{code}|NULL|\n"
        for code in ("C2", "NULL", "c1")
    )
    forms = ["C2, NULL, c1", "NULL,C2,c1,C2", ["c1", "NULL", "C2"], ("C2", "c1", "NULL")]
    golds = [[lines], *([[{**FULL, "body_location": form}]] for form in forms)]
    scores = [
        clineval.score("semeval15_task14", found, gold, protocol=protocol).as_dict()
        for gold in golds
    ]
    assert scores[1:] == scores[:-1]
    assert scores[0]["body_location_accuracy"] == (protocol == "official")


LABEL = Slot("label", "label", required=True)
TYPE = Slot("type", "closed", ("problem", "test", "treatment"), required=True)


def test_labels_are_read_as_they_are_written():
    side = read_records([[{"spans": [[0, 4]], "label": "Ref Lab"}], []], [LABEL])
    assert side.mentions.attributes["label"].values == ("Ref Lab",)
    assert LABEL.fold("Ref Lab") == LABEL.spell("Ref Lab") == "Ref Lab"


@pytest.mark.parametrize("slot", [LABEL, TYPE])
@pytest.mark.parametrize(
    ("given", "told"),
    [
        ({}, "mention 0: '{}' is missing"),
        ({"{}": None}, "mention 0: {}: expected "),
        ({"{}": ""}, "mention 0: {}: expected "),
        ({"{}": "a\nb"}, "mention 0: {}: expected "),
        ({"{}": 3}, "mention 0: {}: expected "),
    ],
)
def test_a_class_is_never_guessed(slot, given, told):
    mention = {"spans": [[0, 4]], **{name.format(slot.name): v for name, v in given.items()}}
    with pytest.raises(InputError, match=re.escape(told.format(slot.name))):
        read_records([[mention]], [slot])


def test_objects_without_codes_are_read_where_there_are_none():
    told = Mention([(0, 4)], slots={"label": "Drug"}, coded=False)
    untold = Mention([(0, 4)], slots={"label": "Drug"})
    sides = [
        read_side([Document("d", [m])], [LABEL], strict=True, side="references")
        for m in (told, untold)
    ]
    assert [side.mentions.attributes["label"].values for side in sides] == [("Drug",)] * 2
    coded = Document("d", [Mention([(0, 4)], "C1", {"label": "Drug"})])
    with pytest.raises(InputError, match="unknown slot 'cui'"):
        read_side([coded], [LABEL], strict=True, side="references")


def test_what_has_no_code_is_not_written_where_codes_stand():
    line = '{"id": "d", "mentions": [{"id": "T1", "spans": [[0, 4]], "label": "Drug"}]}\n'
    [document] = jsonl.read_documents(line)
    assert jsonl.format_document(document) == line
    with pytest.raises(InputError, match="a mention has no 'cui'"):
        pipe.format_document(document, [], short=True)
