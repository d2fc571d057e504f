"""The pipe format and JSON Lines: reading, writing, round trips."""

import laws
import pytest
from conftest import DATA
from hypothesis import given
from hypothesis import strategies as st
from strategies import corpora, spans

from clineval import Document, InputWarning, Mention
from clineval.base.files import name_path
from clineval.challenges.semeval15_task14 import CHALLENGE
from clineval.formats import jsonl
from clineval.formats.checking import find_problems
from clineval.formats.delimited import clef, pipe
from clineval.formats.delimited.pipe import SLOTS
from clineval.formats.given import mentions as inputs
from clineval.formats.given.texts import with_texts

DEMO = DATA.parents[1] / "metrics" / "clineval" / "challenges" / "semeval15_task14" / "demo"
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
    left = pipe.read_side(text + "\n", SLOTS, strict=True)
    objects = pipe.read_documents(text + "\n", SLOTS)
    right = inputs.read_side(objects, SLOTS, strict=True, side="")
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
    slots = "yes|NULL|patient|NULL|no|NULL|unmarked|NULL|unmarked|NULL|false|NULL|false|NULL"
    row = f"d.txt|1-2|C1|{slots}|NULL|NULL"
    plain = pipe.read_side(f"{row}|\n{row}|\n", SLOTS, strict=True)
    for text in (f"{row}\r\n{row}|\r\n", f"\ufeff{row}|\n\n{row}", f"{row}|\n  \n{row}|"):
        other = pipe.read_side(text, SLOTS, strict=True)
        assert rows(other.mentions) == rows(plain.mentions)


def test_three_columns_leave_slots_absent():
    side = pipe.read_side("d|1-2|C1\nd|3-4|C2|\n", SLOTS, strict=True)
    assert {name: {c.values[k] for k in c.ids} for name, c in side.mentions.attributes.items()} == {
        "cui": {"c1", "c2"},
        **{slot.name: {""} for slot in SLOTS if slot.name != "cui"},
    }


def test_document_names_compare_without_case_and_show_as_first_written():
    with pytest.warns(InputWarning, match=r"differ only in case count as one: d\.TXT"):
        side = pipe.read_side("D.txt|1-2|C1\nd.TXT|3-4|C1\n", [SLOTS[0]], strict=True)
    assert side.documents == ("D.txt",)


@pytest.mark.parametrize(
    ("reader", "line"),
    [(pipe, "{}|{}-{}|{}|\n"), (clef, "{0}||T||{3}||{1}||{2}\n")],
    ids=["pipe", "clef"],
)
def test_a_nul_makes_another_name_and_another_code_and_is_refused_under_spec(reader, line):
    text = line.format("a", 1, 2, "C1") + line.format("a\0", 1, 2, "C1\0")
    side = reader.read_side(text, [SLOTS[0]], strict=False)
    assert side.documents == ("a", "a\0")
    assert side.mentions.attributes["cui"].fold(str.lower, ("c1", "c1\0")).ids.tolist() == [0, 1]
    laws.refuses(
        lambda: reader.read_side(text, [SLOTS[0]], strict=True), "<string>:2: a NUL character"
    )
    strings = [line.format("a", 1, 2, "C1"), line.format("b", 1, 2, "C1\0")]
    laws.refuses(
        lambda: reader.read_strings(strings, [SLOTS[0]], strict=True), "document 1:1: a NUL"
    )


def test_a_value_of_a_closed_set_with_a_nul_is_another_value():
    line = "a|1-2|C1|{}|NULL|patient|NULL|no|NULL|unmarked|NULL|unmarked|NULL|false|NULL|false|NULL"
    text = "".join(line.format(value) + "|NULL|NULL|\n" for value in ("no", "no\0"))
    side = pipe.read_side(text, SLOTS, strict=False)
    negation = side.mentions.attributes["negation"]
    assert [negation.values[k] for k in negation.ids] == ["no", "no\0"]


def test_an_id_on_two_lines_of_json_lines_is_refused(tmp_path):
    line = '{"id": "secret", "mentions": [{"spans": [[1, 2]], "cui": null}]}\n'
    path = tmp_path / "a.jsonl"
    path.write_text(line + "\n" + line)
    for reader in (lambda: inputs.read_side(path, SLOTS, strict=True, side=""),
                   lambda: jsonl.read_documents(path)):  # fmt: skip
        laws.refuses(
            reader, f"{name_path(path)}:3", f"{name_path(path)}:1", "one line", text=["secret"]
        )
    both = [line.strip()] * 2
    laws.refuses(
        lambda: inputs.read_side(both, SLOTS, strict=True, side=""), "repeated document ids"
    )
    found = [str(problem) for problem in find_problems(CHALLENGE, [path])]
    said = f"the document has the same 'id' as {name_path(path)}:1"
    assert found == [f"{name_path(path)}:3: {said}. Give all mentions of a document on one line"]


def test_a_nul_is_a_problem_of_a_file(tmp_path):
    path = tmp_path / "a.pipe"
    path.write_text("a|1-2|C1\na|1-2|C1\0\n")
    assert any(
        str(p).startswith(f"{name_path(path)}:2: a NUL") for p in find_problems(CHALLENGE, [path])
    )


def test_offsets_may_exceed_the_packed_range_of_places():
    text = "".join(f"{k}.txt|{k}-999999999|C1\n" for k in range(999_999_900, 999_999_998))
    side = pipe.read_side(text, [SLOTS[0]], strict=True)
    assert side.mentions.ends.max() == 999_999_999


def test_many_files_are_read_in_pieces(monkeypatch):
    """A document may be spread over pieces; its mentions come together in the order of files."""
    whole = pipe.read_side(DEMO / "gold", SLOTS, strict=True)
    monkeypatch.setattr("clineval.formats.delimited.cells._CHUNK", 2000)
    pieces = pipe.read_side(DEMO / "gold", SLOTS, strict=True)
    assert rows(pieces.mentions) == rows(whole.mentions)
    assert pieces.documents == whole.documents


def test_a_document_in_several_files_comes_together(write_pipe, monkeypatch):
    monkeypatch.setattr("clineval.formats.delimited.cells._CHUNK", 1)
    folder = write_pipe("gold", a="d|1-2|C1\n", b="e|1-2|C1\n", c="d|3-4|C2\n")
    side = pipe.read_side(folder, SLOTS, strict=True)
    assert [row[:2] for row in rows(side.mentions)] == [(0, "1-2"), (0, "3-4"), (1, "1-2")]


def test_short_lines_are_skipped_with_a_warning_where_the_script_skips_them():
    with pytest.warns(InputWarning, match="1 line without a second column.*<string>:2"):
        side = pipe.read_side("d|1-2|C1\nshort\n", SLOTS, strict=False)
    assert len(side.mentions) == 1


def test_short_files_are_written_for_task_1(tmp_path):
    documents = [Document("a.txt", [Mention([(1, 2)], None)]), Document("b.txt")]
    pipe.write_documents(documents, tmp_path, SLOTS, short=True)
    assert (tmp_path / "a.pipe").read_text() == "a.txt|1-2|CUI-less|\n"
    assert pipe.read_documents(tmp_path, SLOTS) == [
        Document("a.txt", [Mention([(1, 2)], "CUI-less")]), Document("b.txt")
    ]  # fmt: skip
    laws.refuses(lambda: pipe.write_documents([Document(None)], tmp_path, SLOTS), "without id")


@pytest.mark.parametrize(
    ("text", "said"),
    [("d|1-2|C1|no\n", "got 4"), ("d|x|C1\n", "expected spans"), ("d|2-1|C1\n", "fragment 2-1")],
)
def test_the_reader_of_objects_names_the_line(text, said):
    laws.refuses(lambda: pipe.read_documents("\n" + text, SLOTS), "<string>:2", said)


def test_the_reader_of_objects_knows_the_values():
    row = pipe.format_document(Document("d", [Mention([(1, 2)])]), SLOTS)
    bad = row.replace("|patient|", "|nobody|")
    laws.refuses(lambda: pipe.read_documents(bad, SLOTS), "subject: expected one of patient")


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("Smith has pneumonia {", "one JSON object"),
        ("[1]", "expected an object, got a list"),
        ('{"id": 3, "mentions": []}', "expected a string 'id'"),
        ('{"id": "a"}', "expected a list 'mentions'"),
        ('{"id": "a", "mentions": [{"cui": null}]}', "no 'spans'"),
        ('{"id": "a", "mentions": [{"spans": [[2, 1]], "cui": null}]}', "fragment 2-1"),
    ],
)
def test_bad_json_lines_are_named(line, said, tmp_path):
    file = tmp_path / "a.jsonl"
    file.write_text('{"id": "z", "mentions": []}\n' + line + "\n")
    laws.refuses(lambda: jsonl.read_documents(file), "a.jsonl:2", said, text=["Smith"])


def test_json_lines_carry_texts(tmp_path):
    documents = [Document("a", [Mention([(0, 4)], "C1")], text="left é atrium")]
    jsonl.write_documents(documents, tmp_path / "a.jsonl")
    assert jsonl.read_documents(tmp_path / "a.jsonl") == documents
    side = inputs.read_side(tmp_path / "a.jsonl", SLOTS, strict=True, side="")
    assert side.texts == ("left é atrium",)


def test_broken_json_among_strings_is_refused():
    laws.refuses(
        lambda: inputs.read_side(["[]", "d|1-2|C1"], SLOTS, strict=True, side="references"),
        "references", "every string to be JSON",
    )  # fmt: skip


class TestTexts:
    SIDE = pipe.read_side("a|0-4|C1\nb|0-4|C1\n", SLOTS, strict=True)

    def test_from_a_list_a_mapping_or_a_directory(self, tmp_path):
        (tmp_path / "a.txt").write_text("left")
        (tmp_path / "b").write_text("right")
        for given_texts in (["left", "right"], {"a": "left", "b": "right"}, tmp_path):
            assert with_texts(self.SIDE, given_texts).texts == ("left", "right")
        assert with_texts(self.SIDE, {"a": "left"}).texts == ("left", None)

    def test_bad_ones_are_refused(self, tmp_path):
        (tmp_path / "a").write_bytes(b"\xe9")
        for bad, said in [
            (["left"], "expected 2 texts"),
            ({"a": 3}, "text of a: expected a string, got 3"),
            (tmp_path / "x", "no such directory"),
            (tmp_path, "not UTF-8"),
            (3, "a list, a mapping or a directory"),
        ]:
            laws.refuses(lambda bad=bad: with_texts(self.SIDE, bad), said)


@pytest.mark.parametrize("name", ["note", "note.txt"])
def test_documents_with_and_without_lines_have_names_of_one_form(name, tmp_path):
    """A file without lines has its name only; it must not be another document than one with."""
    filled, empty = Document(name, [Mention([(0, 2)], "C1")]), Document(name)
    for folder, document in (("a", filled), ("b", empty)):
        pipe.write_documents([document], tmp_path / folder, SLOTS)
    names = [pipe.read_documents(tmp_path / folder, SLOTS)[0].id for folder in "ab"]
    assert names == ["note.txt", "note.txt"]


def test_blanks_between_body_locations_are_not_written(tmp_path):
    mention = Mention([(0, 2)], "C1", {"body_location": "C7, C8"})
    pipe.write_documents([Document("note", [mention])], tmp_path / "a", SLOTS)
    [document] = pipe.read_documents(tmp_path / "a", SLOTS)
    assert document.mentions[0].slots["body_location"] == ("C7", "C8")
