"""Where a report finds the notes: in or beside the gold standard, in a directory, in a file."""

import json
import re
import shutil
from functools import partial

import laws
import numpy as np
import pytest
from canary import NOTE, SECRET
from conftest import ROOT
from processes import run_clineval

import clineval
from clineval import InputError
from clineval.formats.given.texts import find_texts
from clineval.stats.confidence import Confidence, intervals_of, intervals_of_shares
from clineval.workbench.build import build_workbench

DEMO = ROOT / "metrics" / "clineval" / "challenges"
SEMEVAL = DEMO / "semeval15_task14" / "demo"
N2C2 = DEMO / "n2c2_2018_track2" / "demo"
TEXTS = {"a.txt": "No rash.", "b": "Fever."}


@pytest.fixture(scope="module")
def documents():
    read = clineval.read(SEMEVAL / "gold", "semeval15_task14", texts=SEMEVAL / "text")
    assert all(document.text for document in read)
    return read


def write(documents, path, kind):
    from clineval.evaluation.convert import write as write_documents

    write_documents(documents, path, kind)
    return path


def chunks_of(page):
    return re.findall(r'id="chunk-\d+">([^<]*)<', page.read_text())


def report(*arguments, status=0):
    return run_clineval("report", *arguments, status=status)


@pytest.mark.filterwarnings("ignore:the format cannot represent the cues")
@pytest.mark.parametrize("kind", ["jsonl", "parquet"])
def test_a_gold_standard_with_texts_needs_no_others(documents, tmp_path, kind):
    if kind == "parquet":
        pytest.importorskip("pyarrow")
    gold = write(documents, tmp_path / f"gold.{kind}", kind)
    found = SEMEVAL / "tagger"
    if kind == "parquet":
        found = write(clineval.read(found, "semeval15_task14"), tmp_path / "found.parquet", kind)
    pages = [tmp_path / "a.html", tmp_path / "b.html", tmp_path / "c.html"]
    report("semeval15_task14", gold, found, "-o", pages[0])
    report("semeval15_task14", gold, found, "--text", SEMEVAL / "text", "-o", pages[1])
    report("semeval15_task14", SEMEVAL / "gold", SEMEVAL / "tagger", "--text", gold, "-o", pages[2])
    first, second, third = map(chunks_of, pages)
    assert first == second == third
    assert first
    report("semeval15_task14", gold, found, "--no-text", "-o", pages[0])
    assert chunks_of(pages[0]) == []


def test_texts_beside_the_annotations_are_found(tmp_path):
    shutil.copytree(N2C2 / "gold", tmp_path / "gold")
    sides = (tmp_path / "gold", N2C2 / "tagger", "-o", tmp_path / "a.html")
    said = report("n2c2_2018_track2", *sides, status=2)
    assert "expected --text" in said.stderr
    shutil.copytree(N2C2 / "text", tmp_path / "gold", dirs_exist_ok=True)
    report("n2c2_2018_track2", *sides)
    report("n2c2_2018_track2", N2C2 / "gold", *sides[1:3], tmp_path / "b.html", "--text",
           N2C2 / "text")  # fmt: skip
    assert chunks_of(tmp_path / "a.html") == chunks_of(tmp_path / "b.html")


def test_a_gold_standard_without_texts_is_refused(documents, tmp_path):
    from dataclasses import replace

    gold = write([replace(each, text=None) for each in documents], tmp_path / "g.jsonl", "jsonl")
    said = report("semeval15_task14", gold, SEMEVAL / "tagger", "-o", tmp_path / "a.html", status=2)
    assert "expected --text" in said.stderr
    assert not (tmp_path / "a.html").exists()


def test_names_of_notes_may_lack_their_ending(tmp_path):
    path = tmp_path / "notes.jsonl"
    path.write_text("".join(json.dumps({"id": k, "text": v}) + "\n" for k, v in TEXTS.items()))
    found = find_texts(["a", "a.txt", "b", "b.txt", "c"], path, "notes")
    assert found == ("No rash.", "No rash.", "Fever.", "Fever.", None)


@pytest.mark.parametrize(
    ("name", "content", "said"),
    [("n.jsonl", '{"id": "a", "text": 1}\n', "n.jsonl:1: text: expected a string"),
     ("n.jsonl", '{"id": 1}\n', "n.jsonl:1: expected a string 'id'"),
     ("n.jsonl", '{"id": "a"}\n{"id": "a"}\n', "the same 'id' as"),
     ("n.jsonl", "[]\n", "expected an object"),
     ("n.txt", "No rash.", "with 'id' and 'text'")],
)  # fmt: skip
def test_a_file_of_something_else_is_refused_at_its_line(tmp_path, name, content, said):
    (tmp_path / name).write_text(content)
    laws.refuses(lambda: find_texts(["a"], tmp_path / name, "notes"), said, text=("rash",))


@pytest.mark.parametrize("interval", ["auto", "percentile", "bca"])
def test_shares_have_the_intervals_that_each_would_have_alone(interval):
    """Dense, rare, absent and perfect ones, in 400 documents."""
    random = np.random.default_rng(4)
    wholes = random.poisson([5.0, 3.0, 0.02, 0.0, 2.0, 0.2], (400, 6))
    parts = random.binomial(wholes, [0.7, 0.96, 0.5, 0.5, 1.0, 0.6])
    counts = [np.column_stack(of).astype(np.int32) for of in zip(parts.T, wholes.T, strict=True)]
    how = Confidence(0.95, n_resamples=300, interval=interval)

    def share(totals):
        found = np.zeros(len(totals))
        return {"x": np.divide(*totals.T, out=found, where=totals[:, 1] > 0)}

    expected = [intervals_of(share, of.astype(float), how)["x"] for of in counts]
    assert intervals_of_shares(counts, how) == expected
    assert len({of.method for of in expected}) == (2 if interval == "auto" else 1)


@pytest.mark.filterwarnings("ignore::clineval.InputWarning")
def test_words_in_place_of_a_label_are_not_on_a_page_without_texts(tmp_path):
    """A released program takes any cell for a label; a file may have its columns swapped."""
    head = "filename\tlabel\tstart_span\tend_span\ttext\tcode\n"
    gold, found = tmp_path / "gold.tsv", tmp_path / "found.tsv"
    gold.write_text(f"{head}d1\tPROCEDIMIENTO\t0\t3\tTAC\t12\n")
    found.write_text(f"{head}d1\t{NOTE}\t0\t3\n")
    arguments = ("medprocner23", gold, {"system": found})
    with pytest.raises(InputError, match=r"label \(name withheld, 33 characters\)") as refused:
        build_workbench(*arguments, protocol="official", with_text=False)
    assert SECRET not in str(refused.value)
    found.write_text(f"{head}d1\tOTRO\t0\t3\n")
    page = build_workbench(*arguments, protocol="official", with_text=False)
    assert "OTRO" in page.to_html()


@pytest.mark.parametrize("where", ["label", "severity"])
@pytest.mark.filterwarnings("ignore::clineval.InputWarning")
def test_nor_in_place_of_a_word_that_may_be_any_unless_the_user_names_it(where):
    """Where every word is a label, or a slot's value."""
    mention = {"spans": [[0, 3]], "label": "Drug", "severity": "mild"}
    page_of = partial(build_workbench, "clinical_spans", [[mention]], with_text=False)
    with pytest.raises(InputError, match=f"{where} .name withheld, 33 characters") as refused:
        page_of({"system": [[{**mention, where: NOTE}]]})
    assert SECRET not in str(refused.value)
    found = {"system": [[{**mention, "label": "adverse event"}]]}
    with pytest.raises(InputError, match="pass it in labels"):
        page_of(found)
    assert "adverse event" in page_of(found, labels=["Drug", "adverse event"]).to_html()
    assert "Adverse_event" in page_of({"system": [[{**mention, where: "Adverse_event"}]]}).to_html()
