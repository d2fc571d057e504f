"""The entries format: reading, writing, round trips, and both readers alike."""

import laws
import numpy as np
import pytest
from conftest import DATA, ROOT
from entry_strategies import entries
from hypothesis import given
from hypothesis import strategies as st

from clineval.base.errors import InputError
from clineval.challenges.i2b2_2009_medication.items import read_side
from clineval.formats.entry_lines import (
    format_entry,
    read_entries,
    record_names,
    write_entries,
)
from clineval.kinds.entries.entry import Entry, Phrase, sort_offsets

DEMO = ROOT / "metrics" / "clineval" / "challenges" / "i2b2_2009_medication" / "demo"
ORACLE = DATA / "oracle" / "i2b2_2009_medication"
LINE = (
    'm="lantus" 6:1 6:1||do="7 units" 6:2 6:3||mo="nm"||f="q.p.m" 6:5 6:5||du="nm"||r="nm"'
    '||ln="list"\n'
)


def columns_of(given):
    side = read_side(given, side="")
    e = side.entries
    genres = [e.genre.values[k] for k in e.genre.ids]
    arrays = (e.record, e.bounds, e.field, e.first, e.last)
    return [array.tolist() for array in arrays], genres


def test_a_line_is_read_and_written():
    entry = read_entries(LINE)[""][0]
    assert entry.fields["do"] == Phrase("7 units", [(6, 2, 6, 3)])
    assert list(entry.fields) == ["m", "do", "f"]
    assert entry.genre == "list"
    assert format_entry(entry) == LINE


def test_quotes_discontiguous_fields_and_remarks_survive():
    line = (
        'm="the "baby" aspirin" 3:1 3:3||do="nm"||mo="nm"||f="b.i.d. ... p.r.n." 3:9 3:9,4:0 4:0'
        '||du="nm"||r="nm"||e="start"||t="past"||c="factual"||ln="narrative"\n'
    )
    entry = read_entries(line)[""][0]
    assert entry.fields["m"].text == 'the "baby" aspirin'
    assert entry.fields["f"].offsets == ((3, 9, 3, 9), (4, 0, 4, 0))
    assert entry.remarks == {"e": "start", "t": "past", "c": "factual"}
    assert format_entry(entry) == line
    assert Entry.from_dict(entry.as_dict()) == entry


def test_blanks_around_separators_and_offsets_do_not_matter():
    spaced = (
        ' m="lantus"  6:1  6:1 || do="7 units" 6:2\t6:3 ||mo="nm"|| f="q.p.m"6:5 6:5||du="nm"'
        '||r="nm"|| ln="list" ||\r\n\n   \n'
    )
    assert read_entries(spaced) == read_entries(LINE)
    assert columns_of(spaced) == columns_of(LINE)
    commas = 'm="x" 1:1 1:1 , 2:1  2:2,3:0 3:0\n'
    assert columns_of(commas) == columns_of('m="x" 1:1 1:1,2:1 2:2,3:0 3:0\n')
    assert columns_of('m="x" 1:1 1:1||||ln="list"') == columns_of('m="x" 1:1 1:1||ln="list"')


def test_line_ends_and_byte_order_marks_do_not_matter():
    for text in (f"\ufeff{LINE}", LINE.replace("\n", "\r\n"), f"\n{LINE}\n\n", f"{LINE[:-1]}   "):
        assert columns_of(text)[1] == columns_of(LINE)[1]
        assert columns_of(text)[0][1:] == columns_of(LINE)[0][1:]


@given(st.lists(st.lists(entries(), max_size=4), max_size=3))
def test_entries_survive_files_and_both_readers_agree(tmp_path_factory, records):
    objects = {str(k): [Entry.from_dict(e) for e in r] for k, r in enumerate(records)}
    folder = tmp_path_factory.mktemp("entries")
    write_entries(objects, folder)
    if not records:
        return
    assert read_entries(folder) == objects
    assert columns_of(folder) == columns_of(records)
    assert columns_of(list(objects.values())) == columns_of(records)
    assert record_names(folder) == list(objects)


@pytest.mark.parametrize("side", ["gold", "rules", "tagger"])
def test_the_demo_is_written_back_byte_for_byte(side):
    for path in sorted((DEMO / side).iterdir()):
        written = "".join(map(format_entry, read_entries(path)[path.name.split(".")[0]]))
        assert written == path.read_text()


@pytest.mark.parametrize("case", ["random_1", "random_2", "random_3"])
def test_both_readers_agree_on_the_oracle(case):
    for side in ("gold", "sys"):
        objects = read_entries(ORACLE / case / side)
        assert columns_of(ORACLE / case / side) == columns_of(list(objects.values()))


def test_positions_and_places_are_those_of_the_file(tmp_path):
    (tmp_path / "11.i2b2.entries").write_text("\n" + LINE)
    (tmp_path / "12.i2b2.entries").write_text("")
    (tmp_path / "notes.txt").write_text("not an entries file")
    side = read_side(tmp_path, side="references")
    assert side.documents == ("11", "12")
    with pytest.raises(InputError) as raised:
        side.entries.refuse(np.array([False, True, True]), lambda k: f"fragment {k}")
    assert str(raised.value) == f"{tmp_path.name}/11.i2b2.entries:2, field do: fragment 1"
    assert np.array_equal(side.entries.first >> 20, [6, 6, 6])


@pytest.mark.parametrize(
    "wrong",
    [
        "m=lantus 6:1 6:1",
        'q="x" 1:1 1:1',
        'm="x" 1:1',
        'm="x" 1:1 1:1,',
        'm="x"',
        'm="nm" 1:1 1:1',
        'm="x" 1:1 1:1||m="y" 1:2 1:2',
        'm="nm"||do="x" 1:1 1:1',
        'm="x" 1:1 1:1||ln="prose"',
    ],
)
def test_lines_that_are_wrong_alike_are_refused_at_once(wrong, tmp_path):
    lines = [LINE.strip(), wrong, LINE.strip(), wrong, wrong, LINE.strip()]
    (tmp_path / "11.i2b2.entries").write_text("\n".join(lines))
    with pytest.raises(InputError) as raised:
        read_side(tmp_path, side="references")
    found = [error.where for error in (raised.value, *raised.value.others)]
    assert [where.split(",")[0] for where in found] == [
        f"{tmp_path.name}/11.i2b2.entries:{n}" for n in (2, 4, 5)
    ]


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("m=lantus 6:1 6:1", "expected fields such as"),
        ('q="x" 1:1 1:1', "unknown field 'q'"),
        ('m="x" 1:1', "m: expected offsets"),
        ('m="x"', "m: the field has no offsets"),
        ('m="nm" 1:1 1:1', "m: a field that is nm has no offsets"),
        ('m="x" 1:1 1:1||m="y" 1:2 1:2', "m: the field occurs twice"),
        ('m="x" 1:3 1:1', "m: fragment 1:3 1:1 ends before it begins"),
        ('m="x" 1:1 1:3,1:2 1:4', "m: fragments 1:1 1:3 and 1:2 1:4 overlap"),
        ('m="x" 0:1 1:1', "m: fragment 0:1 1:1: lines count from 1"),
        ('m="nm"||do="x" 1:1 1:1', "the entry has no medication"),
        ('m="x" 1:1 1:1||ln="prose"', "ln: expected list or narrative, got 'prose'"),
    ],
)
def test_the_reader_of_objects_names_the_line_and_the_field(line, said):
    laws.refuses(lambda: read_entries(f"{LINE}{line}\n"), "<string>:2", said)


def test_what_the_format_cannot_write_is_refused():
    entry = Entry({"m": Phrase("a || b", [(1, 1, 1, 3)])})
    laws.refuses(lambda: format_entry(entry), "m: the entries format cannot contain")


def test_objects_compare_print_and_pickle():
    import pickle

    entry = read_entries(LINE)[""][0]
    assert pickle.loads(pickle.dumps(entry)) == entry
    assert hash(entry) == hash(read_entries(LINE)[""][0])
    assert "lantus" not in repr(entry.fields["m"])
    laws.refuses(lambda: Entry({"q": entry.fields["m"]}), "unknown field 'q'")
    assert sort_offsets([(2, 0, 2, 0), (1, 1, 1, 1)]) == ((1, 1, 1, 1), (2, 0, 2, 0))
