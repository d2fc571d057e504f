"""Files of another format: errors say which it looks like, and what to do."""

import laws
import pytest
from docs import blank_doc
from spacy.tokens import DocBin

import clineval
from clineval.evaluation.convert import write

TEXT = "No fever."
DOCUMENTS = [clineval.Document("n0", [clineval.Mention([(3, 8)])], TEXT)]


@pytest.mark.parametrize("module", ["semeval15_task14", "clefehealth13_task1", "i2b2_2010"])
def test_brat_and_a_docbin_are_recognized(module, tmp_path):
    write(DOCUMENTS, tmp_path / "brat", "brat")
    DocBin(docs=[blank_doc(TEXT)]).to_disk(tmp_path / "docs.spacy")
    expected = {
        "brat": ("This is brat", "convert the directory first (clineval convert"),
        "brat/n0.ann": ("This is brat", "convert the directory"),
        "docs.spacy": ("This is a DocBin of spaCy", "convert it first (clineval convert"),
    }
    for name, parts in expected.items():
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
