"""Ids become the names of files in the directory that was named, and nowhere else."""

import json
from contextlib import suppress
from pathlib import Path

import laws
import numpy as np
import pytest
from commands import invoke
from hypothesis import given
from hypothesis import strategies as st

import clineval
from clineval import Document, InputError, InputWarning, Mention
from clineval.base.files import write_file
from clineval.cli import make_app
from clineval.evaluation import convert as converting
from clineval.formats import entry_lines
from clineval.formats.writing import name_file, name_files, write_files
from clineval.kinds.entries.entry import Entry

FORMATS = ("pipe", "pipe3", "clef", "brat")
ENTRY = Entry.from_dict({"m": {"text": "x", "offsets": [[1, 0, 1, 0]]}})
NO_NAMES = (
    "../../x", "../x.txt", "/x", "a/b", "..\\x", "\\\\host\\x", "C:x", "c:\\x", "a:stream",
    "a\0b", "a\nb", "a\x1b[31mb", "a\u2028b", "\ud800", "CON", "nul.txt", "com1.a", "LPT9 ", "aux",
    "x" * 300, "é" * 126 + ".txt", "", ".txt",
)  # fmt: skip


def writers(ids):
    """What writes files that are named after ids, all of them."""
    documents = [Document(id_, [Mention([(0, 2)], "C1")], "No") for id_ in ids]
    for name in FORMATS:
        yield lambda path, name=name: converting.write_documents(documents, path, name)
    yield lambda path: entry_lines.write_entries({id_: [ENTRY] for id_ in ids}, path)


@pytest.mark.parametrize("id_", NO_NAMES, ids=ascii)
def test_ids_that_are_no_names_of_files_are_refused(id_, tmp_path):
    target = tmp_path / "a" / "b"
    # of i2b2's records .txt is part of the name
    for write in list(writers([id_]))[: 4 if id_ == ".txt" else None]:
        laws.refuses(lambda write=write: write(target), "file")
    assert list(tmp_path.iterdir()) == [], "nothing is written, not even the directory"


@pytest.mark.parametrize(
    "ids", [("note", "NOTE"), ("straße", "STRASSE"), ("caf\u00e9", "cafe\u0301")], ids=ascii
)
def test_ids_that_give_one_name_are_refused(ids, tmp_path):
    for write in writers(["first", *ids]):
        laws.refuses(lambda write=write: write(tmp_path / "a"), "the same name", *map(str, ids))
    assert list(tmp_path.iterdir()) == []


def test_a_note_and_a_note_txt_are_one_file(tmp_path):
    for write in list(writers(["note", "note.txt"]))[: len(FORMATS)]:
        laws.refuses(lambda write=write: write(tmp_path), "the same name", "note, note.txt")


@pytest.mark.parametrize(
    "id_", ["note-1", "00098-016139-DISCHARGE_SUMMARY", "a b", "año", "1", "CONTROL", "a..b", "x.y"]
)
def test_ordinary_ids_are_names(id_, tmp_path):
    for format_, write in zip(FORMATS, writers([f"{id_}.txt"]), strict=False):
        folder = tmp_path / format_
        write(folder)
        assert {path.stem for path in folder.iterdir()} == {id_}
        [read] = converting.read_documents(folder, "pipe" if format_ == "pipe3" else format_)
        assert read.id == f"{id_}.txt"


@given(st.text())
def test_no_text_leads_out_of_a_directory(text):
    with suppress(InputError):
        [name] = name_files([text], ".pipe")
        assert Path("folder", name).parent == Path("folder")
        assert Path(name).name == name == f"{text}.pipe"
        assert len(name.encode()) <= 255


def test_a_name_of_a_directory_is_no_name_of_a_file():
    for name in (".", ".."):
        laws.refuses(lambda name=name: name_file(name, "-n"), "-n: ", "directory")


def test_what_cannot_be_written_is_said(tmp_path):
    file = tmp_path / "file"
    file.write_text("")
    laws.refuses(lambda: write_files(file, [("a", "")]), "file: cannot be written: File exists")
    laws.refuses(lambda: write_file(file / "a", ""), "cannot be written")
    laws.refuses(lambda: write_file(tmp_path / "b", "No\ud800"), "b: character 2")
    laws.refuses(lambda: write_file(tmp_path / ("c" * 300), ""), "cannot be written")
    assert [path.name for path in tmp_path.iterdir()] == ["file"]


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        ({"cui": "C1|no"}, "|"),
        ({"cui": "C1\nd|3-4|C2"}, "line end"),
        ({"cui": 5}, "cui"),
        ({"spans": 5}, "spans"),
        ({"cues": 5}, "cues"),
        ({"negation": "yes|zzz"}, "negation"),
        ({"negation": ["yes"]}, "negation"),
        ({"negation": 5}, "negation"),
        ({"body_location": {"x": 1}}, "body_location"),
        ({"body_location": ["C1", 5]}, "body_location"),
    ],
    ids=str,
)
def test_values_that_break_a_line_are_refused(changed, said, tmp_path):
    mention = {"spans": [[0, 2]], "cui": "C1", **changed}
    source = tmp_path / "x.jsonl"
    source.write_text(json.dumps({"id": "d", "mentions": [mention]}))
    arguments = ["convert", str(source), str(tmp_path / "out"), "--to", "pipe"]
    laws.refuses(lambda: make_app([*map(str, arguments)])(arguments, standalone_mode=False), said)


HELD = [
    (np.True_, True), (np.int64(0), False), ({"C2", "C1"}, ("C1", "C2")), (["C1"], ("C1",)),
    (np.str_("C1"), "C1"), (None, None),
]  # fmt: skip


@pytest.mark.parametrize("name", ["jsonl", "parquet"])
@pytest.mark.parametrize(
    ("given", "held"), HELD, ids=["true", "false", "set", "list", "string", "none"]
)
def test_values_of_truth_and_sets_are_written_as_python_s_own(given, held, name, tmp_path):
    written = []
    for number, value in enumerate((given, held)):
        mentions = [Mention([(0, 2)], None, {"note": value})]
        path = tmp_path / f"{number}.{name}"
        clineval.write([Document("d", mentions, "No")], path, name)
        written.append(path.read_bytes())
    assert written[0] == written[1]


@pytest.mark.parametrize("name", [*FORMATS, "jsonl", "parquet", "tsv"])
@pytest.mark.parametrize(
    ("mention", "said"),
    [
        (
            Mention([(0, 2)], None, {"severity": np.int64(3)}),
            "'severity': expected a string, a boolean or",
        ),
        (Mention([(0, 2)], None, {"severity": float("nan")}), "got nan"),
        (Mention([(0, 2)], None, {"severity": {3}}), "got a set"),
        (Mention([(0, 2)], None, {"severity": {"a": 1}}), "got a dict"),
        (Mention([(0, 2)], None, {"body_location": ["C1", 5]}), "'body_location': expected"),
    ],
    ids=["number", "nan", "numbers", "dict", "codes"],
)
def test_what_no_file_can_hold_is_refused(mention, said, name, tmp_path):
    documents = [Document("d", [mention], "No")]
    laws.refuses(
        lambda: clineval.write(documents, tmp_path / "x", name), "document d, mention 0", said
    )
    assert not (tmp_path / "x").exists()


HALF = "\ud800"


@pytest.mark.parametrize("name", ["jsonl", "parquet"])
@pytest.mark.parametrize(
    "document",
    [
        Document(HALF, [Mention([(0, 2)], "C1")], "No"),
        Document("d", [Mention([(0, 2)], "C1")], f"No {HALF}"),
        Document("d", [Mention([(0, 2)], HALF)], "No"),
        Document("d", [Mention([(0, 2)], None, {"severity": HALF})], "No"),
        Document("d", [Mention([(0, 2)], None, {HALF: "x"})], "No"),
        Document("d", [Mention([(0, 2)], slots={"label": HALF}, coded=False)], "No"),
    ],
    ids=["id", "text", "code", "value", "slot", "label"],
)
def test_half_a_character_is_refused(document, name, tmp_path):
    laws.refuses(
        lambda: clineval.write([document], tmp_path / "x", name), "x: ", "half of a surrogate pair"
    )
    assert not (tmp_path / "x").exists()


@pytest.mark.parametrize(
    "line", ['{"id": "d", "mentions": [5]}', '{"id":"d","mentions":[],"text":5}']
)
def test_lines_that_are_no_documents_are_refused(line, tmp_path):
    (tmp_path / "x.jsonl").write_text(line)
    laws.refuses(lambda: converting.read_documents(tmp_path / "x.jsonl", "jsonl"), "x.jsonl:1", "5")


@pytest.mark.parametrize("name", ["../evil", "/tmp/evil", "sub/team", "C:evil", "nul", "x" * 300])
def test_the_team_s_name_is_no_path(name, tmp_path, monkeypatch):
    (tmp_path / "work" / "sub").mkdir(parents=True)
    gold = tmp_path / "gold"
    gold.mkdir()
    (gold / "d.pipe").write_text("d|1-2|C1|\n")
    monkeypatch.chdir(tmp_path / "work")
    common = ["-n", name, "-r", "1", "-input", str(gold), "-gold", str(gold)]
    for script in (["semeval15-task1"], ["semeval15-task2", "-t", "A"]):
        arguments = ["official", *script, *common]
        if name == "nul":  # NUL_task1_run1.out is no device
            make_app([*map(str, arguments)])(arguments, standalone_mode=False)
        else:
            laws.refuses(
                lambda a=arguments: make_app([*map(str, a)])(a, standalone_mode=False),
                "-n: the name of a file",
            )
    assert {p.name for p in tmp_path.rglob("*evil*")} | {
        p.name for p in tmp_path.rglob("*team*")
    } == set()


@pytest.mark.parametrize("to", ["pipe", "pipe3", "clef", "brat", "xml", "con"])
def test_a_refused_conversion_leaves_no_folder(tmp_path, to):
    """The labels have no place in formats of codes; the others lack the text of the note."""
    line = {"id": "a", "mentions": [{"spans": [[0, 7]], "label": "Drug"}]}
    source, target = tmp_path / "a.jsonl", tmp_path / "out"
    source.write_text(json.dumps(line) + "\n")
    done = invoke(["convert", source, target, "--to", to, "--module", "clinical_spans"])
    assert isinstance(done.exception, InputError)
    assert not target.exists()


@pytest.mark.parametrize("to", ["pipe", "pipe3", "clef"])
def test_types_that_become_mentions_without_a_code_are_counted(tmp_path, to):
    (tmp_path / "gold").mkdir()
    lines = "T1\tDrug 0 7\taspirin\nT2\tDisease_Disorder 8 12\tpain\n"
    (tmp_path / "gold" / "a.ann").write_text(lines)
    with pytest.warns(InputWarning, match="cannot represent the types of 1 mention$"):
        invoke(["convert", tmp_path / "gold", tmp_path / "out", "--to", to])
