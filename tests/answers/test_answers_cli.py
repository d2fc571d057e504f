"""Answers on the command line: the numbers of Python, and no words of a note."""

import csv
import json
import re

import pytest
from answers.test_scoring import DEMO, MODULE, demo_answers
from commands import invoke

import clineval
from clineval.answers import Alignment, score
from clineval.formats.delimited.pipe import SLOTS, read_documents

GOLD, TEXT = DEMO / "gold", DEMO / "text"


@pytest.fixture
def answers(tmp_path):
    """The tagger's mentions as quotes; one more in each document that is in no note."""
    found, _ = demo_answers("tagger")
    lines = [
        {
            "id": name,
            "answer": json.dumps(
                [*items, {"text": "Quillfeather", "cui": "C1", "negation": "maybe"}]
            ),
        }
        for name, items in found.items()
    ]
    path = tmp_path / "answers.jsonl"
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    return path


@pytest.mark.parametrize("match", ["exact", "fuzzy", "text"])
def test_score_is_that_of_python(answers, match):
    options = ["--answers", "--text", TEXT, "--match", match, "--distance", "0.1"]
    done = invoke(["score", MODULE, GOLD, answers, *options, "--format", "json"])
    assert done.exit_code == 0, done.output
    result = json.loads(done.stdout)
    expected = score(
        MODULE, answers, GOLD, texts=TEXT, alignment=Alignment(match=match, distance=0.1)
    )
    assert result["scores"] == dict(expected.values)
    assert result["signature"] == str(expected.signature)
    assert result["scores"]["n_invalid"] == 24


def test_the_tables_show_what_was_counted(answers):
    done = invoke(["score", MODULE, GOLD, answers, "--answers", "--text", TEXT])
    assert re.search(r"^n_unaligned +24$", done.stdout, re.MULTILINE)
    assert "|answers:in-order,exact|" in done.stdout


def test_what_has_no_place_is_listed_without_words(answers, tmp_path):
    path = tmp_path / "unplaced.csv"
    invoke(["score", MODULE, GOLD, answers, "--answers", "--text", TEXT, "--unplaced", path])
    rows = list(csv.DictReader(path.read_text().splitlines()))
    assert [row["reason"] for row in rows] == ["unaligned", "invalid negation"] * 24
    found, _ = demo_answers("tagger")
    assert [(row["document"], int(row["position"])) for row in rows[::2]] == [
        (name, len(items)) for name, items in found.items()
    ]
    assert "Quillfeather" not in path.read_text()


def test_compare_and_errors_take_them_too(answers, tmp_path):
    other = tmp_path / "other.jsonl"
    other.write_text(answers.read_text().replace("Quillfeather", "edema"))
    asked = ["--answers", "--text", TEXT, "--align", "first"]
    done = invoke(
        [
            "compare",
            MODULE,
            GOLD,
            answers,
            other,
            *asked,
            "--score",
            "strict_f1",
            "--format",
            "json",
        ]
    )
    assert done.exit_code == 0, done.output
    expected = score(MODULE, answers, GOLD, texts=TEXT, alignment=Alignment("first"))
    assert str(expected["strict_f1"]) in done.stdout
    done = invoke(
        ["errors", MODULE, GOLD, answers, *asked, "--slot", "negation", "--format", "json"]
    )
    assert done.exit_code == 0, done.output


def test_the_report_shows_quotes_without_a_place_below_the_note(answers, tmp_path):
    from workbench.test_page import unpack

    page = tmp_path / "report.html"
    done = invoke(["report", MODULE, GOLD, answers, "--answers", "--text", TEXT, "-o", page])
    assert done.exit_code == 0, done.output
    texts = json.loads(unpack(page.read_text(), "chunk-0"))
    assert all(text.endswith("\nQuillfeather") for text in texts)
    head = json.loads(re.search(r'id="head">([^<]*)<', page.read_text())[1])
    assert head["systems"][0]["scores"]["n_unaligned"] == 24
    assert head["problems"]["offsets beyond the text"] == []
    done = invoke(
        ["report", MODULE, GOLD, answers, "--answers", "--text", TEXT, "--no-text", "-o", page]
    )
    assert done.exit_code == 0, done.output
    assert "chunk-0" not in page.read_text()


@pytest.mark.parametrize("target", ["pipe", "jsonl", "brat"])
def test_convert_writes_what_has_a_place(answers, tmp_path, target):
    out = tmp_path / ("out.jsonl" if target == "jsonl" else "out")
    with pytest.warns(clineval.InputWarning, match="left out: 24 quotes without a place"):
        done = invoke(
            ["convert", answers, out, "--from", "answers", "--text", TEXT, "--to", target]
        )
    assert done.exit_code == 0, done.output
    if target == "brat":
        return
    asked = {"config": "task1"}
    written = clineval.score(MODULE, out, GOLD, **asked)
    assert written.values == clineval.score(MODULE, DEMO / "tagger", GOLD, **asked).values
    if target == "pipe":
        placed = {d.id: d.mentions for d in read_documents(out, SLOTS)}
        wanted = {d.id: d.mentions for d in read_documents(DEMO / "tagger", SLOTS)}
        assert {n: {(m.spans, m.cui) for m in of} for n, of in placed.items()} == {
            n: {(m.spans, m.cui) for m in of} for n, of in wanted.items()
        }


ASKED = ["score", MODULE, GOLD, "answers", "--answers", "--text", TEXT]
CONVERTED = ["convert", "answers", "out", "--from", "answers", "--to", "pipe"]


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["score", MODULE, GOLD, DEMO / "tagger", "--align", "first"], "--align needs --answers"),
        (["score", MODULE, GOLD, "answers", "--answers"], "24 documents have answers, but no text"),
        ([*ASKED, "--match", "near"], "unknown match"),
        ([*ASKED, "--distance", "x"], "expected a number"),
        (CONVERTED, "24 documents have answers, but no text"),
        ([*CONVERTED, "--match", "text"], "does not compute offsets"),
    ],
)  # fmt: skip
def test_what_cannot_be_is_refused(arguments, said, answers):
    words = [
        answers if word == "answers" and arguments[at - 1] != "--from" else word
        for at, word in enumerate(arguments)
    ]
    done = invoke(words)
    assert done.exit_code
    assert said in str(done.exception)


def test_help_shows_the_options_in_a_panel_of_their_own():
    shown = invoke(["score", MODULE, "--help"], terminal_width=100).stdout
    assert "Answers of language models" in shown
    assert "--unplaced" in shown
    assert "Answers of language models" not in invoke(["score", "clinais23_b2", "--help"]).stdout
