"""What the released program of i2b2/VA 2010 prints, byte for byte."""

import os
from pathlib import Path

import pytest
from commands import invoke
from conftest import DATA, SHARED

import clineval
from clineval import InputError
from clineval.workbench import build_workbench

OWN = DATA / "oracle" / "i2b2_2010"
OTHERS = SHARED / "oracle" / "i2b2va_2010"
CASES = sorted((OWN / "cases").iterdir())
CORPORA = sorted(OWN.glob("random_*"))
MORE = sorted(OTHERS.glob("random_*")) if OTHERS.is_dir() else []
DEFAULT = ["-rcp", "reference/", "-scp", "system/"]
CALLS = {
    "official.out": [],
    "official.exact.out": ["-ft", "con", "-ex", "exact"],
    "official.inexact.out": ["-ft", "con", "-ex", "inexact"],
    "official.perfile.out": ["-ba", "perfile"],
}
pytestmark = pytest.mark.filterwarnings("ignore::clineval.InputWarning")


def printed(folder, arguments):
    """Standard output, and standard error with a mark before each line, as the oracle has it."""
    before = Path.cwd()
    os.chdir(folder)
    try:
        done = invoke(["official", "i2b2-2010", *arguments])
    finally:
        os.chdir(before)
    assert done.exit_code == 0, done.output
    said = [line for line in done.stderr.splitlines() if not line.startswith("clineval: warning")]
    return done.stdout + "".join(f"STDERR: {line}\n" for line in said)


@pytest.mark.parametrize("case", CASES, ids=lambda path: path.name)
def test_a_case_is_printed_byte_for_byte(case):
    given = case / "args"
    arguments = given.read_text().split() if given.exists() else DEFAULT
    assert printed(case, arguments) == (case / "official.out").read_text("utf-8")


@pytest.mark.parametrize("corpus", [*CORPORA, *MORE], ids=lambda path: path.name)
@pytest.mark.parametrize("name", CALLS)
def test_a_corpus_is_printed_byte_for_byte(corpus, name):
    if not (corpus / name).exists():
        pytest.skip("the program was not called so")
    expected = (corpus / name).read_text("utf-8")
    assert printed(corpus, [*DEFAULT, *CALLS[name]]) == expected


@pytest.mark.parametrize("corpus", CORPORA, ids=lambda path: path.name)
def test_scores_are_those_that_the_program_prints(corpus):
    scores = clineval.score(
        "i2b2_2010", corpus / "system", corpus / "reference", protocol="official"
    )
    rows = {
        "Class Exact Span": "concepts_strict",
        "Class Inexact Span": "concepts_lenient",
        "Exact Span With Matching Assertion": "assertions_strict",
        "Concept With Matching Span and Relation": "relations_strict",
        "Exact Span With Matching Class for Test": "test_strict",
        "TeRP With Exact Span And Matching Relations": "terp_strict",
    }
    seen = set()
    for line in (corpus / "official.out").read_text("utf-8").splitlines():
        label, _, cells = line.partition(" ->\t")
        if label in rows:
            seen.add(label)
            recall, precision, f1 = map(float, cells.split("\t")[3:])
            for measure, value in (("recall", recall), ("precision", precision), ("f1", f1)):
                expected = 0.0 if value != value else value  # noqa: PLR0124 - NaN
                assert scores[f"{rows[label]}_{measure}"] == pytest.approx(expected), label
    assert len(seen) >= len(rows) - 3


def test_a_line_that_no_page_can_hold_is_refused_with_its_document(tmp_path):
    line = 'c="chest pain" 2147483647:2 2147483647:3||t="problem"\n'
    for side in ("gold", "system"):
        (tmp_path / side).mkdir()
        (tmp_path / side / "note-7.con").write_text(line)
    sides = tmp_path / "gold", {"one": tmp_path / "system"}
    how = {"config": "concepts", "protocol": "official"}
    score = clineval.score("i2b2_2010", sides[1]["one"], sides[0], **how)
    assert score["concepts_strict_f1"] == 1.0
    with pytest.raises(
        InputError, match=r"document note-7\.: a mention is at position 2147483647004"
    ):
        build_workbench("i2b2_2010", *sides, with_text=False, **how)
