"""The line format of ShARe/CLEF 2013: reading, writing, cells with two characters between them."""

import laws
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import spans

from clineval import Document, Mention
from clineval.formats.delimited import clef
from clineval.formats.delimited.cells import Table, find_separators
from clineval.formats.files import normalize
from clineval.results.slots import Slot

CODE = [Slot("cui", "code")]


def documents():
    mentions = st.builds(
        lambda fragments, cui, kind: Mention(fragments, cui, {"type": kind}),
        spans(room=200),
        st.sampled_from(["C0000001", "CUI-less"]),
        st.sampled_from(["Disease_Disorder", "Acronym", "x y"]),
    )
    names = st.lists(st.sampled_from(["a.txt", "A.txt", "b"]), min_size=1, unique=True)
    return names.flatmap(
        lambda known: st.tuples(
            *(
                st.builds(Document, st.just(name), st.lists(mentions, min_size=1, max_size=4))
                for name in known
            )
        )
    )


@given(documents())
def test_what_is_written_is_read_back(written):
    text = "".join(map(clef.format_document, written))
    assert clef.read_documents(text) == list(written)


@given(documents())
def test_columns_hold_what_objects_hold(written):
    text = "".join(map(clef.format_document, written))
    side = clef.read_side(text, CODE, strict=True)
    assert side.documents == tuple(document.id for document in written)
    columns, cui = side.mentions, side.mentions.attributes["cui"]
    found = [
        (
            side.documents[columns.document[row]],
            tuple(
                (int(columns.starts[k]), int(columns.ends[k]))
                for k in range(columns.bounds[row], columns.bounds[row + 1])
            ),
            cui.values[cui.ids[row]],
        )
        for row in range(len(columns))
    ]
    assert found == [(d.id, m.spans, m.cui) for d in written for m in d.mentions]


def test_files_are_written_one_for_each_document(tmp_path):
    given_ = [Document("a.txt", [Mention([(1, 2), (5, 9)], None)]), Document("b.txt")]
    clef.write_documents(given_, tmp_path)
    assert (tmp_path / "a.pipe").read_text() == "a.txt||Disease_Disorder||CUI-less||1||2||5||9\n"
    assert [document.id for document in clef.read_documents(tmp_path)] == ["a.txt", "b.txt"]
    assert clef.read_side(tmp_path, CODE, strict=True).documents == ("a.txt", "b.txt")
    laws.refuses(lambda: clef.write_documents([Document(None)], tmp_path), "without id")


def test_backup_files_are_not_read(tmp_path):
    (tmp_path / "a.pipe.txt").write_text("a||T||C1||1||2\n")
    (tmp_path / "a.pipe.txt~").write_text("a||T||C1||3||4\n")
    for strict in (True, False):
        assert len(clef.read_side(tmp_path, CODE, strict=strict).mentions) == 1
    assert len(clef.read_documents(tmp_path)[0].mentions) == 1


def test_separators_at_the_end_are_harmless():
    line = "a||T||C1||1||2"
    expected = clef.read_documents(line)
    for end in ("||", "||||"):
        assert clef.read_documents(line + end) == expected
        for strict in (True, False):
            side = clef.read_side(line + end, CODE, strict=strict)
            assert (side.mentions.ends.tolist(), side.mentions.spelling.values) == ([2], ("",))


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("d||T||C1||1\n", "got 4 columns"),
        ("d||T||C1||1||2||3\n", "got 3 offsets"),
        ("d||T||C1||x||2\n", "numbers of one to nine digits"),
        ("d||T||C1||5||2\n", "fragment 5-2"),
        ("d||T||C1||1||5||4||9\n", "overlap"),
    ],
)
def test_the_reader_of_objects_names_the_line(text, said):
    laws.refuses(lambda: clef.read_documents("d||T||C1||1||2\n\n" + text), "<string>:3", said)


@given(st.text("|a\n", max_size=30), st.integers(1, 2))
def test_cells_are_those_of_split(text, width):
    separator = "|" * width
    table = Table.of([normalize("x", None, text.encode())], separator)
    lines = [line for line in text.split("\n") if line]
    assert len(table) == len(lines)
    for number, line in enumerate(lines):
        cells = line.split(separator)
        assert table.widths[number] == len(cells) - (cells[-1] == "")
        for column in range(4):
            cell = cells[column] if column < len(cells) else ""
            assert table.column(column).string(number) == cell
        rest = separator.join(cells[1:])
        while rest.endswith(separator):
            rest = rest[: -len(separator)]
        if "|" not in rest.replace(separator, ""):
            assert table.columns_from(1).string(number) == rest


@given(st.text("|a", max_size=30), st.integers(1, 3))
def test_separators_are_found_from_left_to_right(text, width):
    found = find_separators(np.frombuffer(text.encode(), np.uint8), b"|" * width).tolist()
    expected, at = [], text.find("|" * width)
    while at >= 0:
        expected.append(at)
        at = text.find("|" * width, at + width)
    assert found == expected


@pytest.mark.parametrize("strict", [True, False])
def test_files_without_lines_are_documents(strict, tmp_path):
    for name, mentions in (("a", [Mention([(0, 2)], "C1")]), ("b", [])):
        clef.write_documents([Document(name, mentions)], tmp_path / "gold")
    side = clef.read_side(tmp_path / "gold", [Slot("cui", "code")], strict=strict)
    assert side.documents == ("a.txt", "b.txt")
