"""All problems of files, from readers that stop at the first error or raise several at once."""

import json
from functools import partial
from itertools import pairwise
from pathlib import Path
from tempfile import TemporaryDirectory
from unittest.mock import patch
from warnings import catch_warnings, simplefilter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clineval.base.errors import InputError, InputWarning, raise_all, read_all
from clineval.challenges.clefehealth13_task2.items import ANSWERS
from clineval.formats import checking
from clineval.formats.checking import find_problems
from clineval.formats.delimited import clef, pipe
from clineval.formats.delimited import lines as documents
from clineval.formats.delimited.pipe import SLOTS
from clineval.formats.files import from_string, read_text_files
from clineval.results.challenge import Challenge
from clineval.results.measures import Measures
from clineval.results.protocol import Protocol
from clineval.results.registry import find_challenge
from clineval.results.task import Task

REST = "|no|NULL|patient|NULL|no|NULL|unmarked|NULL|unmarked|NULL|false|NULL|false|NULL|C7|NULL"
PIPE = [
    "", "d|1-2|C1", f"d|1-2,5-9|C1{REST}|", "d|5-9,1-2|C1", "d|2-1|C1", "d|1-9,2-3|C1",
    "d|x|C 1", " |1 2-3|C1", "d|1-2", "d|1-2|C1\0", f"d|1-2|C1{REST.replace('patient', 'me')}|",
    f"d|1-2|C1{REST.replace('|no|NULL', '|no|9-8')}|", f"d|x|C1{REST.replace('C7', 'C 7')}",
]  # fmt: skip
CLEF = [
    "", "d||T||C1||1||2", "d||T||C1,C2||1||2", "d||T||C 1||5||9||1||2", "d||T||C1||x||2",
    "d||T||C1||1||2||3", "d||T||C1||1", " ||T||C1||1||2", "d||T||C1||2||1", "d||T||C1||1||9||2||3",
]  # fmt: skip


def problems(text, read):
    """What is wrong with the lines of a file, each of which can be read by itself."""

    def read_path(source):
        for file in read_text_files(source, pattern=r"\.x$", separator="\0"):
            read(file)

    with TemporaryDirectory() as folder:
        path = Path(folder) / "a.x"
        path.write_text(text)
        found = checking.find_in_path(path, read_path, by_line=True)
        assert {problem.file for problem in found} <= {str(path)}
    return [(problem.line, problem.message) for problem in found]


@pytest.mark.parametrize(
    ("lines", "read"),
    [(PIPE, partial(pipe.check, slots=SLOTS)), (CLEF, partial(clef.check, slots=[ANSWERS]))],
    ids=["pipe", "clef"],
)
@given(st.data())
def test_problems_of_a_file_are_those_of_its_lines(lines, read, data):
    given_lines = data.draw(st.lists(st.sampled_from(lines), max_size=12))
    expected = [
        (number, message)
        for number, line in enumerate(given_lines, 1)
        for _, message in problems(line, read)
    ]
    assert problems("\n".join(given_lines), read) == expected


def stop_at_first(file, *, several=False):
    """No line is x, and no two lines that follow each other are the same."""
    rows = file.content.decode().split("\n")
    filled = [(number, row) for number, row in enumerate(rows, 1) if row]
    errors = [InputError("x", where=f"{file.label}:{n}") for n, row in filled if row == "x"]
    if not errors:
        again = (n for (_, a), (n, b) in pairwise(filled) if a == b)
        errors = [InputError("again", where=f"{file.label}:{number}") for number in again]
    raise_all(errors if several else errors[:1])


@given(st.lists(st.sampled_from(["x", "a", "b", ""]), max_size=12), st.booleans())
def test_problems_come_by_line_also_those_between_lines(rows, several):
    found = problems("\n".join(rows), partial(stop_at_first, several=several))
    bad = [number for number, row in enumerate(rows, 1) if row == "x"]
    assert [each for each in found if each[1] == "x"] == [(number, "x") for number in bad]
    assert [number for number, _ in found] == sorted(number for number, _ in found)
    rest = [(number, row) for number, row in enumerate(rows, 1) if row not in {"x", ""}]
    again = {n for (_, a), (n, b) in pairwise(rest) if a == b}
    between = [number for number, problem in found if problem != "x"]
    assert between == sorted(again), "each once"


def test_few_readings_find_the_problems_of_many_lines():
    calls = []

    def read(file):
        calls.append(file)
        pipe.check(file, SLOTS)

    text = "d|1-2|C1\nd|2-1|C1\nd|1-2\n" * 500
    assert len(problems(text, read)) == 1000
    assert len(calls) < 10


def test_a_file_that_is_no_lines_has_the_problems_that_its_reader_raises(tmp_path):
    def refuse(name):
        raise InputError("no text", where=f"{tmp_path.name}/a.json, note {name}")

    def read(source):
        [file] = read_text_files(source, pattern=r"\.json$", separator="{")
        read_all([partial(refuse, name) for name in json.loads(file.content)])

    (tmp_path / "a.json").write_text('["n1",\n"n2"]')
    found = checking.find_in_path(tmp_path, read)
    assert [(p.line, p.message) for p in found] == [
        (0, "note n1: no text"),
        (0, "note n2: no text"),
    ]


def test_an_error_of_no_line_ends_the_search():
    def read(_):
        raise InputError("no lines of a run")

    assert problems("a\nb", read) == [(1, "no lines of a run"), (2, "no lines of a run")]
    assert problems("", read) == [(0, "no lines of a run")]


@pytest.mark.filterwarnings("error::clineval.InputWarning")
def test_reading_again_does_not_warn_again():
    import warnings

    def read(file):
        warnings.warn("odd", InputWarning, stacklevel=1)
        stop_at_first(file)

    with pytest.warns(InputWarning, match="odd") as caught:
        problems("x\na\nx", read)
    assert len(caught) == 1


def test_ids_of_other_files_are_known(tmp_path):
    for name in "ab":
        (tmp_path / f"{name}.jsonl").write_text('{"id": "d", "mentions": []}\noops\n')
    challenge = find_challenge("semeval15_task14")
    found = [str(problem) for problem in find_problems(challenge, [tmp_path])]
    folder = tmp_path.name
    said = f"the document has the same 'id' as {folder}/a.jsonl:1"
    assert found == [
        f"{folder}/a.jsonl:2: expected one JSON object on the line",
        f"{folder}/b.jsonl:1: {said}. Give all mentions of a document on one line",
        f"{folder}/b.jsonl:2: expected one JSON object on the line",
    ]


def test_errors_of_all_columns_name_their_columns():
    with pytest.raises(InputError) as caught:
        pipe.check(from_string("x", f" |3-2|C 1{REST.replace('|no|NULL', '|no|9-8')}"), SLOTS)
    columns = [each.where for each in (caught.value, *caught.value.others)]
    assert columns == [f"x:1, column {number}" for number in (1, 2, 3, 5, 9)]


BIOC = """<collection><document><id>7</id><passage>
<annotation id="a"><infon key="type">Gene</infon><location offset="0" length="2"/></annotation>
<annotation id="b"><infon key="type">Disease</infon></annotation>
<annotation id="c"><infon key="type">Disease</infon><location offset="3" length="0"/></annotation>
</passage><relation id="r"><infon key="relation">PPI</infon></relation></document></collection>"""
CDR = [
    '{"id": "1", "mentions": [{"spans": [[0, 2]], "label": "Gene"}, {"label": "Disease"}]}',
    '{"id": "2", "mentions": []}',
    '{"id": "3", "mentions": [], "relations": [{"label": "CID", "from": "D1"}]}',
    '{"id": "2", "mentions": []}',
    "{",
]


@pytest.mark.parametrize(
    ("name", "text", "expected"),
    [
        (
            "a.xml",
            BIOC,
            [
                "a.xml: document 7, annotation a: unknown type 'Gene'",
                "a.xml: document 7, annotation b: a mention has no location",
                "a.xml: document 7, annotation c: location 3, length 0",
                "a.xml: document 7, relation r: unknown type 'PPI'",
            ],
        ),
        (
            "a.jsonl",
            "\n".join(CDR),
            [
                "a.jsonl:1: mention 0: unknown type 'Gene'",
                "a.jsonl:1: mention 1: expected a dict",
                "a.jsonl:3: relation 0: expected a dict",
                "a.jsonl:4: the document has the same 'id' as",
                "a.jsonl:5: ",
            ],
        ),
        (
            "a.PubTator",
            "7\t0\t2\tab\tGene\t\n7|t|ab\n7\tCID\tD1\n",
            ["a.PubTator:1: unknown type 'Gene'", "a.PubTator:3: a relation has 4 columns"],
        ),
    ],
)
def test_all_problems_of_concepts_and_relations_are_told(tmp_path, name, text, expected):
    path = tmp_path / name
    path.write_text(text)
    found = [str(problem) for problem in find_problems(find_challenge("bc5cdr"), [path])]
    assert len(found) == len(expected)
    assert all(map(str.__contains__, found, expected)), found


def test_all_problems_of_lines_of_relations_are_told(tmp_path):
    mention = '{"id": "T1", "spans": [[0, 2]], "label": "Drug"}'
    path = tmp_path / "a.jsonl"
    path.write_text(
        f'{{"id": "1", "mentions": [{mention}], "relations": [{{"label": "x"}}]}}\n'
        f'{{"id": "2", "mentions": [{mention}]}}\n'
        '{"id": "3", "mentions": [{"spans": [[0, 2]], "label": "Gene"}]}\n'
    )
    problems = list(find_problems(find_challenge("n2c2_2018_track2"), [path]))
    assert [problem.line for problem in problems] == [1, 3]


def test_a_protocol_that_reads_both_sides_at_once_cannot_be_validated(tmp_path):
    class Both(Protocol):
        def read(self, *_):
            return None, []

        join = pair = tally = read

    task = Task("both", "Both", "https://example.org", definition="Both.", file=__file__)
    challenge = Challenge(task, {"spec": Both()}, Measures.of())
    path = tmp_path / "a.jsonl"
    path.write_text("{}")
    with pytest.raises(InputError, match="both does not support validation of files"):
        list(find_problems(challenge, [path]))


def list_errors(check):
    """The errors of a check with their places, and its warnings."""
    with catch_warnings(record=True) as caught:
        simplefilter("always")
        try:
            check()
        except InputError as error:
            errors = [(each.where, each.problem) for each in (error, *error.others)]
        else:
            errors = []
    return errors, [str(each.message) for each in caught]


@pytest.mark.parametrize("format_", ["pipe", "clef", "clef repeats"])
@given(data=st.data(), block=st.integers(1, 4))
def test_files_that_are_checked_together_have_the_problems_of_each_alone(format_, data, block):
    """In the same order, whatever the files of a block are, and for all lines of both formats."""
    alone, together, lines = {
        "pipe": (partial(pipe.check, slots=SLOTS), partial(pipe.check_files, slots=SLOTS), PIPE),
        "clef": (partial(clef.check, slots=[ANSWERS]),
                 partial(clef.check_files, slots=[ANSWERS]), CLEF),
        "clef repeats": (partial(clef.check, slots=[ANSWERS], repeats=False),
                         partial(clef.check_files, slots=[ANSWERS], repeats=False), CLEF),
    }[format_]  # fmt: skip
    texts = data.draw(st.lists(st.lists(st.sampled_from(lines), max_size=3), max_size=9))
    files = [from_string(f"f{number}", "\n".join(text)) for number, text in enumerate(texts)]
    with patch.object(documents, "_BLOCK", block):
        found = list_errors(lambda: documents.check_together(files, together))
    assert found == list_errors(lambda: read_all(partial(alone, file) for file in files))
