"""The pipe format and JSON Lines: reading, writing, round trips."""

from conftest import DATA
from hypothesis import given
from hypothesis import strategies as st
from strategies import corpora, spans

from clineval import Document, Mention
from clineval.challenges.semeval15_task14 import SLOTS
from clineval.formats import jsonl, pipe, pipe_columns, sides

DEMO = DATA.parents[1] / "metrics" / "clineval" / "demo" / "semeval15_task14"
FOLDERS = ("gold", "dictionary", "tagger")


@st.composite
def documents(draw):
    """Documents with slots, several locations, and cues."""
    result = []
    for number, mentions in enumerate(draw(corpora())[0]):
        written = []
        for mention in mentions:
            slots = {slot.name: slot.default for slot in SLOTS if slot.default} | mention
            locations = slots["body_location"]
            codes = locations if isinstance(locations, list) else locations.split(",")
            slots["body_location"] = tuple(code.strip().upper() for code in codes)
            spans_, code = slots.pop("spans"), slots.pop("cui")
            cued = [name for name in slots if name != "body_location"]
            cued += [f"body_location:{location}" for location in slots["body_location"]]
            cues = {name: draw(spans()) for name in cued if draw(st.booleans())}
            written.append(Mention(spans_, code or "CUI-less", slots, cues))
        result.append(Document(f"d{number}.txt", written))
    return result


def merged(document):
    """Consecutive lines of one mention become one, as in reading."""
    return Document(document.id, pipe._merge(document.mentions))


@given(documents())
def test_writing_and_reading_changes_nothing(given_documents):
    expected = [merged(document) for document in given_documents if document.mentions]
    text = "".join(pipe.format_document(document, SLOTS) for document in expected)
    assert pipe.read_documents(text + "\n", SLOTS) == expected
    assert "".join(pipe.format_document(d, SLOTS) for d in expected) == text


@given(documents())
def test_json_lines_change_nothing(given_documents):
    text = "".join(map(jsonl.format_document, given_documents))
    assert jsonl.read_documents(text + "\n") == given_documents


@given(documents())
def test_the_two_readers_agree(given_documents):
    """Objects through the list reader give the columns that the bulk reader gives."""
    given_documents = [document for document in given_documents if document.mentions]
    text = "".join(pipe.format_document(document, SLOTS) for document in given_documents)
    left = pipe_columns.read_side(text + "\n", SLOTS, strict=True)
    objects = pipe.read_documents(text + "\n", SLOTS)
    right = sides.read_side(objects, SLOTS, strict=True, side="")
    assert left.documents == right.documents
    left_rows, right_rows = rows(left.mentions), rows(right.mentions)
    assert sorted(map(repr, expand(right_rows))) == sorted(map(repr, left_rows))


def rows(columns):
    return [
        (
            int(columns.document[row]),
            columns.text_of_spans(row),
            {n: c.values[c.ids[row]].lower() for n, c in columns.attributes.items()},
        )
        for row in range(len(columns))
    ]


def expand(some_rows):
    """One row for each body location, as the format has it."""
    for document, span, values in some_rows:
        for location in values["body_location"].split(","):
            yield document, span, values | {"body_location": location}


def test_the_demo_corpus_survives_a_round_trip_byte_for_byte(tmp_path):
    for folder in FOLDERS:
        pipe.write_documents(pipe.read_documents(DEMO / folder, SLOTS), tmp_path / folder, SLOTS)
        for file in sorted((DEMO / folder).iterdir()):
            assert (tmp_path / folder / file.name).read_bytes() == file.read_bytes(), file.name


def test_line_ends_byte_order_marks_and_a_missing_last_separator_do_not_matter():
    row = "d.txt|1-2|C1|yes|NULL|patient|NULL|no|NULL|unmarked|NULL|unmarked|NULL|false|NULL|false|NULL|NULL|NULL"
    plain = pipe_columns.read_side(f"{row}|\n{row}|\n", SLOTS, strict=True)
    for text in (f"{row}\r\n{row}|\r\n", f"\ufeff{row}|\n\n{row}", f"{row}|\n  \n{row}|"):
        other = pipe_columns.read_side(text, SLOTS, strict=True)
        assert rows(other.mentions) == rows(plain.mentions)


def test_three_columns_leave_slots_absent():
    side = pipe_columns.read_side("d|1-2|C1\nd|3-4|C2|\n", SLOTS, strict=True)
    assert {name: set(c.values[k] for k in c.ids) for name, c in side.mentions.attributes.items()} == {
        "cui": {"c1", "c2"},
        **{slot.name: {""} for slot in SLOTS if slot.name != "cui"},
    }


def test_document_names_compare_without_case_and_show_as_first_written():
    side = pipe_columns.read_side("D.txt|1-2|C1\nd.TXT|3-4|C1\n", [SLOTS[0]], strict=True)
    assert side.documents == ("D.txt",)


def test_offsets_may_exceed_the_packed_range_of_places():
    text = "".join(f"{k}.txt|{k}-999999999|C1\n" for k in range(999_999_900, 999_999_998))
    side = pipe_columns.read_side(text, [SLOTS[0]], strict=True)
    assert side.mentions.ends.max() == 999_999_999
