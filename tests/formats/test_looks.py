"""Files of another format: errors say which it looks like, and what to do."""

import laws
import pytest
from commands import invoke
from docs import blank_doc
from spacy.tokens import DocBin

import clineval
from clineval.evaluation.convert import write

TEXT = "No fever."
DOCUMENTS = [clineval.Document("n0", [clineval.Mention([(3, 8)])], TEXT)]


@pytest.mark.parametrize("module", ["semeval15_task14", "clefehealth13_task1", "i2b2_2010"])
def test_brat_and_a_docbin_are_recognized(module, tmp_path):
    write(DOCUMENTS, tmp_path / "brat", "brat")
    DocBin(docs=[blank_doc(TEXT)]).to_disk(tmp_path / "docs.bin")
    expected = {
        "brat": ("This is brat", "convert the directory first (clineval convert"),
        "brat/n0.ann": ("This is brat", "convert the directory"),
        "docs.bin": ("This is a spaCy DocBin", "give the file the suffix .spacy"),
    }
    for name, parts in expected.items():
        if (module, name) == ("i2b2_2010", "docs.bin"):  # reads only directories
            continue
        path = tmp_path / name
        laws.refuses(lambda path=path: clineval.score(module, path, path), *parts, text=["fever"])


def test_a_packed_file_is_to_be_unpacked(tmp_path):
    path = tmp_path / "packed.pipe"
    path.write_bytes(b"\x1f\x8b\x08\xff")
    laws.refuses(lambda: clineval.score("semeval15_task14", path, path), "This is gzip: unpack it")


def test_lines_of_another_ending_are_read_as_before(tmp_path):
    path = tmp_path / "gold.ann"
    path.write_text("n0|3-8|C0015967\n")
    assert clineval.score("semeval15_task14", path, path, config="task1")["strict_tp"] == 1


def test_parquet_is_named(tmp_path):
    path = tmp_path / "notes.parquet"
    path.write_bytes(b"PAR1\x15\x04\x15\xfe")
    done = invoke(["validate", "clinical_spans", path])
    assert (done.exit_code, done.stdout.count("\n")) == (2, 1)
    assert "This is Parquet: for a metric of mentions, convert it first" in done.stdout


OTHERS = {
    "1|t|Some fever\n1\t5\t10\tfever\tDisease\tD1\n": "This is PubTator",
    "Torsade\tB-Disease\nof\tO\nit\tO\n": "These are words with tags",
    "a B\nb I\nc O\n": "These are words with tags",
    "<n><TEXT>x</TEXT><TAGS/></n>": "This is i2b2's XML",
}


READ = {"clinical_spans": "These are words with tags"}
"""What a metric reads in files with any names: tests/formats/test_conll.py."""


@pytest.mark.parametrize(
    ("name", "content"),
    [
        (name, content)
        for name in ("semeval15_task14", "clinical_spans", "distemist22", "n2c2_2018_track2")
        for content, expected in OTHERS.items()
        if READ.get(name) != expected
    ],
)
def test_text_of_another_format_is_named(tmp_path, name, content):
    path = tmp_path / "a.data"
    path.write_text(content)
    laws.refuses(lambda: clineval.score(name, path, path), OTHERS[content])
    done = invoke(["validate", name, path])
    assert (done.exit_code, done.stdout.count("\n")) == (2, 1)
    assert "expected another format" in done.stdout


def test_pubtator_of_any_types_is_read_for_spans(tmp_path):
    lines = ["1|t|Some fever", "1\t5\t10\tfever\tModifier\tD1", "1\tAssociation\tD1\tD2\tNovel"]
    (tmp_path / "a.txt").write_text("\n".join([*lines, ""]))
    words = ["--from", "pubtator", "--module", "clinical_spans"]
    done = invoke(["convert", tmp_path / "a.txt", tmp_path / "a.jsonl", *words])
    assert done.exit_code == 0, done.output
    [document] = clineval.read(tmp_path / "a.jsonl", "clinical_spans")
    assert [mention.slots["label"] for mention in document.mentions] == ["Modifier"]
    assert [relation.label for relation in document.relations] == ["Association"]
    laws.refuses(lambda: clineval.score("bc5cdr", *[tmp_path / "a.txt"] * 2), "unknown type")
