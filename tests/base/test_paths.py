"""What is a path, how messages name it, and that messages are one line."""

import ast
import json
import os
import pickle
import warnings
from pathlib import Path

import laws
import pytest
from conftest import ROOT
from hypothesis import given
from hypothesis import strategies as st

import clineval
from clineval import Counts, InputError, InputWarning
from clineval.base.errors import listed, shown, shown_name
from clineval.base.files import find_path, is_there, name_path, read_bytes, read_json, write_file
from clineval.base.strict_json import NotJsonError, parse_json
from clineval.results.registry import NAMES

NAME = "semeval15_task14"
SOURCES = sorted([*(ROOT / "metrics").rglob("*.py"), *(ROOT / "spacy_clin").rglob("*.py")])


@pytest.mark.parametrize("text", ["", "a|b", "a\nb", "|"])
def test_text_has_the_separator_or_a_line_end(text, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert find_path(text, "|") is None
    laws.refuses(lambda: find_path(text), "no such file or directory")


def test_what_is_there_is_a_path(tmp_path):
    (tmp_path / "a b.pipe").write_text("")
    for path in (tmp_path, tmp_path / "a b.pipe"):
        assert find_path(path, "|") == find_path(str(path), "|") == path


@given(st.text())
def test_any_string_is_text_or_a_path_or_is_refused_without_being_quoted(text):
    if not text or "|" in text or "\n" in text:
        assert find_path(text, "|") is None
    elif not is_there(text):
        message = laws.refuses(lambda: find_path(text, "|"), "no such file or directory")
        assert message.isprintable()
        assert len(message) < 200
        if any(map(str.isspace, text)):
            assert message.startswith(f"a string of {len(text)} characters: ")


def test_files_are_named_with_their_directory(tmp_path):
    file = tmp_path / "gold of\n1\x1b[31m" / ("long" * 40 + ".pipe")
    file.parent.mkdir()
    file.write_text("d|x\n")
    assert name_path(tmp_path) == tmp_path.name
    folder, name = name_path(file).split("/")
    assert folder == r"gold of\n1\x1b[31m"
    assert name.startswith("longlong")
    assert name.endswith("long.pipe")
    assert len(name) <= 64
    for source in (file, file.parent):
        message = laws.refuses(lambda s=source: clineval.score(NAME, s, s), f"{folder}/{name}:1")
        assert message.isprintable()


@pytest.mark.parametrize(
    ("path", "named"),
    [
        ("no/such/place.json", "place.json"),
        (Path("my notes/place.json"), "place.json"),
        ("my notes/place.json", "a string of 19 characters"),
        (Path("No fever"), "a string of 8 characters"),
        ("a" * 65, "a string of 65 characters"),
        ("/", "/"),
        (".", "."),
    ],
)
def test_what_is_not_there_is_named_if_it_has_the_form_of_a_name(path, named):
    assert name_path(path) == named


@pytest.mark.parametrize("content", [b"{", b"\xff", b"[" * 100_000, b"9" * 5000], ids=len)
def test_what_is_no_json(content, tmp_path):
    (tmp_path / "x.json").write_bytes(content)
    laws.refuses(lambda: read_json(tmp_path / "x.json", "a list"), "x.json: expected a list")


def test_no_permission(tmp_path):
    if os.geteuid() == 0:
        pytest.skip("root may read everything")
    (tmp_path / "x.json").write_text("{}")
    (tmp_path / "x.json").chmod(0)
    laws.refuses(lambda: read_json(tmp_path / "x.json"), "cannot be read: Permission denied")


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("No fever", "document (name withheld, 8 characters), mention 0"),
        ("\u3000", "document (name withheld, 1 character), mention 0"),
        ("\u0378", r"document \u0378, mention 0"),  # which no character has
        ("a.txt", "document a.txt, mention 0"),
    ],
)
def test_documents_are_named_without_words_and_in_print(name, told):
    bad = [clineval.Document(name, [clineval.Mention([(1, 2)], "C1", {"negation": "x"})])]
    assert laws.refuses(lambda: clineval.score(NAME, bad, bad), told).isprintable()


@pytest.mark.parametrize(
    ("module", "endings"),
    [
        ("bc5cdr", "'.pubtator' or '.txt'"),
        ("clefehealth13_task1", "'.pipe'"),
        ("i2b2_2014_deid", "'.xml'"),
    ],
)
def test_what_files_are_expected(module, endings, tmp_path):
    (tmp_path / "x").touch()
    said = f"expected files whose names contain {endings}, got 1 file with other names"
    laws.refuses(lambda: clineval.score(module, tmp_path, tmp_path), said)


def test_messages_are_one_line_of_bounded_length():
    name = "a\nb\x1b[31m\u2028" * 1000
    gold = [clineval.Document(name, [])]
    bad = [clineval.Document(name, [clineval.Mention([(1, 2)], "C1", {"negation": "x y"})])]
    message = laws.refuses(lambda: clineval.score(NAME, bad, gold), "mention 0", "negation")
    assert message.isprintable()
    assert len(message) < 1000
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        clineval.score(NAME, [clineval.Document("b", [])], gold)
    assert len(caught) == 2
    for warning in caught:
        assert str(warning.message).isprintable()
        assert len(str(warning.message)) < 300


def test_warnings_and_errors_travel_between_processes():
    for error in (InputError("a", where="b\n", remedy="c"), InputWarning("a\nb")):
        assert str(pickle.loads(pickle.dumps(error))) == str(error)


def test_values_are_described():
    assert shown(10**5000) == "an integer of 16610 bits"
    assert shown_name("No fever") == "a string of 8 characters"
    assert shown_name("task9") == "'task9'"
    assert len(listed(["x" * 1000] * 1000)) < 1500


def test_names_of_another_kind_are_refused():
    for config in (["task1"], {}, 5, None, "No fever"):
        laws.refuses(lambda c=config: clineval.score(NAME, [], [], config=c), "unknown config")


def test_no_error_is_raised_on_top_of_another():
    """What is raised in a handler without ``from None`` shows the error before, and its value."""
    raised = (
        (path, node)
        for path in SOURCES
        for handler in filter(is_handler, ast.walk(ast.parse(path.read_text("utf-8"))))
        for node in filter(is_raise, ast.walk(handler))
    )
    assert [f"{p}:{n.lineno}" for p, n in raised if n.exc and not is_from_none(n)] == []


def is_handler(node):
    return isinstance(node, ast.ExceptHandler)


def is_raise(node):
    return isinstance(node, ast.Raise)


def is_from_none(node):
    return isinstance(node.cause, ast.Constant) and node.cause.value is None


COLUMNS = [f"{kind}_{verdict}" for kind in ("strict", "relaxed") for verdict in ("tp", "fp", "fn")]
ROW = [1, 0, 2.5, 1, 0, 0]


def stored(**changed):
    fields = {
        "format": "clineval counts 1", "metric": NAME, "config": "task1",
        "settings": {"protocol": "spec"}, "columns": COLUMNS, "documents": ["d"],
        "table": [ROW], "digests": [2**64 - 1], "details": [],
    }  # fmt: skip
    return {**fields, **changed}


def test_counts_are_read_back():
    counts = Counts.from_json(json.dumps(stored()))
    assert counts.table.tolist() == [ROW]
    assert counts.digests.tolist() == [2**64 - 1]
    assert Counts.from_json(counts.to_json()) == counts


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        ({"format": "clineval counts 2"}, "expected JSON of the format"),
        ({"metric": "x"}, "unknown metric"), ({"metric": 5}, "metric"),
        ({"config": None}, "config"),
        ({"settings": []}, "settings"), ({"settings": {"protocol": 5}}, "settings"),
        ({"columns": "ab"}, "columns"), ({"columns": [1, 2]}, "columns"),
        ({"columns": [*COLUMNS[:5], COLUMNS[0]]}, "columns: expected each"),
        ({"columns": [*COLUMNS[:5], "x"]}, "columns: expected each"),
        ({"columns": [*COLUMNS, COLUMNS[0]], "table": [[*ROW, 1]]}, "columns: expected each"),
        ({"config": "task3"}, "unknown config 'task3'"),
        ({"table": [[-1, *ROW[1:]]]}, "expected counts of at least 0, got less in strict_tp"),
        ({"documents": None}, "documents"), ({"documents": ["d", "e"]}, "table"),
        ({"table": ["John Smith"]}, "table: expected 1 lists of 6 numbers"),
        ({"table": [["John", "Smith"]]}, "table"), ({"table": [[1]]}, "table"),
        ({"table": [[True, 1]]}, "table"), ({"table": [[10**400, *ROW[1:]]]}, "finite"),
        ({"table": [[float("nan"), *ROW[1:]]]}, "finite"),
        ({"table": [[2**60, *ROW[1:]]]}, "at most 9007199254740992"),
        ({"table": [[[1, 2], [3, 4]]]}, "table"),
        ({"digests": [-1]}, "digests"), ({"digests": [2**64]}, "digests"),
        ({"digests": [1.5]}, "digests"), ({"digests": []}, "digests"),
        ({"details": {}}, "details"), ({"details": ["x"]}, "details"),
        ({"details": [{}, {}]}, "details"),
    ],
    ids=str,
)  # fmt: skip
def test_counts_that_were_not_written_by_us_are_refused(changed, said):
    text = json.dumps(stored(**changed))
    laws.refuses(lambda: Counts.from_json(text), said, text=("John", "Smith"))


@pytest.mark.parametrize("text", ["", "[]", "5", "[" * 100_000, '{"format": "clineval counts 1"}'])
def test_texts_that_are_no_counts_are_refused(text):
    laws.refuses(lambda: Counts.from_json(text))


def test_files_that_are_no_counts_are_refused(tmp_path):
    (tmp_path / "x.json").write_bytes(b"\xff")
    laws.refuses(lambda: Counts.load(tmp_path / "x.json"), "expected JSON of the format")
    laws.refuses(lambda: Counts.load("nowhere.json"), "nowhere.json: cannot be read")


@pytest.mark.parametrize("name", ["pipe", "device", "folder"])
def test_what_is_no_file_is_refused_at_once(name, tmp_path):
    path = {"pipe": tmp_path / "a.pipe", "device": Path("/dev/zero"), "folder": tmp_path}[name]
    if name == "pipe":
        os.mkfifo(path)
    if name == "device" and not path.exists():
        pytest.skip("no such device")
    with pytest.raises(InputError, match="expected a file, got a directory, a pipe or a device"):
        read_bytes(path)


@pytest.mark.parametrize("name", NAMES)
def test_directories_that_cannot_be_read_are_refused(name, tmp_path):
    (tmp_path / "a.pipe").symlink_to("a.pipe")
    for call in (clineval.score, clineval.count):
        laws.refuses(lambda call=call: call(name, tmp_path, tmp_path), "cannot be read")


def test_files_beyond_the_limit_are_refused(tmp_path, monkeypatch):
    path = tmp_path / "a.pipe"
    path.write_bytes(b"12345")
    monkeypatch.setenv("CLINEVAL_MAX_BYTES", "4")
    with pytest.raises(InputError, match=r"larger than 4 bytes. Raise CLINEVAL_MAX_BYTES"):
        read_bytes(path)
    monkeypatch.setenv("CLINEVAL_MAX_BYTES", "5")
    assert read_bytes(path) == b"12345"
    monkeypatch.setenv("CLINEVAL_MAX_BYTES", "many")
    with pytest.raises(InputError, match="CLINEVAL_MAX_BYTES: expected a number of bytes"):
        read_bytes(path)


def test_what_was_there_stays_where_writing_fails(tmp_path, monkeypatch):
    path = tmp_path / "scores.json"
    write_file(path, "old")

    def fail(*_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "replace", fail)
    with pytest.raises(InputError, match="cannot be written: No space left"):
        write_file(path, "new")
    assert {file.name: file.read_text() for file in tmp_path.iterdir()} == {"scores.json": "old"}


@pytest.mark.parametrize("path", [".", "..", "/"])
def test_a_directory_is_no_place_of_a_file(path):
    laws.refuses(lambda: write_file(Path(path), ""), "cannot be written: Is a directory")


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ('{"a": 1, "a": 2}', "the key a occurs twice in one object"),
        ('{"No fever": 1, "No fever": 2}', "a key of 8 characters occurs twice in one object"),
        ("[NaN]", "NaN is not a finite number"),
        ("[" * 100_000, "a number has too many digits, or lists are nested too deeply"),
        ('{"a": }', "column 7: not JSON"),
    ],
)
def test_json_is_read_whole_or_not_at_all(text, told):
    with pytest.raises(NotJsonError) as caught:
        parse_json(text)
    assert str(caught.value) == told
    assert caught.value.__suppress_context__ or caught.value.__context__ is None
