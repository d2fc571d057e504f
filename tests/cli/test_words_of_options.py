"""Messages say what to do in the words of the command line, and what has no effect."""

import json
import re

import pytest
from processes import run_clineval
from thorough import each_module

from clineval.cli import make_app
from clineval.cli.messages import find_flags, use_flags
from clineval.cli.terminal import split_name
from clineval.results.registry import find_challenge

SPANS = [{"spans": [[0, 4]], "label": "P", "negated": True}]


@pytest.fixture
def files(tmp_path):
    """The same gold standard as JSON Lines, and as brat files of three documents."""
    lines = [{"id": f"d{k}", "text": "pain", "mentions": SPANS} for k in range(3)]
    (tmp_path / "gold.jsonl").write_text("\n".join(map(json.dumps, lines)))
    for number in range(3):
        for side in ("gold", "system"):
            (tmp_path / side).mkdir(exist_ok=True)
            (tmp_path / side / f"d{number}.ann").write_text("T1\tP 0 4\tpain\nA1\tNegated T1\n")
    return tmp_path


def refuse(files, *words):
    return run_clineval("score", "clinical_spans", *words, cwd=files, status=2).stderr


def test_what_cannot_go_on_names_a_way_out(files):
    sides, going = ("gold.jsonl", "system"), ("--keep-going", "left.jsonl")
    said = refuse(files, *sides, *going)
    assert said.startswith("clineval: --keep-going: ")
    assert said.endswith("Pass --labels\n")
    said = refuse(files, *sides, *going, "--labels", "P")
    assert "clineval convert" in said
    assert "keep_going" not in said


def test_the_way_out_leads_out(files):
    """Directories with few documents were refused like single files."""
    (files / "system" / "d1.ann").write_text("T1\tP 9 4\tpain\n")
    words = ("gold", "system", "--labels", "P", "--keep-going", "left.jsonl", "--format", "json")
    done = run_clineval("score", "clinical_spans", *words, cwd=files)
    assert json.loads(done.stdout)["scores"]["n_documents"] == 2
    [left] = map(json.loads, (files / "left.jsonl").read_text().splitlines())
    assert left["document"] == "d1.ann"


@pytest.mark.parametrize("command", ["score", "compare"])
def test_jobs_without_effect_are_said_to_have_none(files, command):
    sides = "gold.jsonl", "system"
    more = ("x=gold.jsonl", "--trials", "9") if command == "compare" else ()
    for words, reason in (
        ((), "Pass --labels"),
        (("--labels", "P"), "Pass Parquet files"),
    ):
        done = run_clineval(command, "clinical_spans", *sides, *more, *words, "--jobs", "2",
                            cwd=files)  # fmt: skip
        [said] = [line for line in done.stderr.splitlines() if "--jobs" in line]
        assert said.startswith("clineval: --jobs has no effect: ")
        assert reason in said
        alone = run_clineval(command, "clinical_spans", *sides, *more, *words, cwd=files)
        assert "--jobs" not in alone.stderr
        assert alone.stdout == done.stdout


def test_lines_are_counted_in_processes_if_their_labels_can_be_united(files):
    words = "clinical_spans", "gold.jsonl", "gold.jsonl", "--jobs", "2"
    assert "--jobs" not in run_clineval("score", *words, cwd=files).stderr
    several = run_clineval("compare", *words, "x=gold.jsonl", "--trials", "9", cwd=files)
    assert "--jobs has no effect" in several.stderr
    assert "Pass --labels" in several.stderr


@each_module()
def test_reasons_for_one_process_are_in_words_of_the_command_line(name):
    challenge = find_challenge(name)
    for protocol in challenge.protocols:
        setup = challenge.setup("default", protocol, {})
        flags = find_flags(make_app(["score", name]), ["score", name])
        said = use_flags(setup.steps.whole(setup), flags)
        assert not re.search(r"[a-z_]+=|\.\.\.|[{}\[\]]", said), said


def test_jobs_with_an_effect_say_nothing(files):
    words = ("clinical_spans", "gold", "system", "--labels", "P", "--jobs", "2")
    assert "--jobs" not in run_clineval("score", *words, cwd=files).stderr


def test_a_slot_in_other_case_is_asked_back(files):
    for asked in ("Negated", "NEGATED", "negatd"):
        said = refuse(files, "gold", "system", "--slots", asked)
        assert said.startswith(f"clineval: --slots: no mention has the slot '{asked}'")
        assert "Did you mean negated?" in said
    assert "Did you mean negated?" in refuse(
        files, "gold", "system", "--slots", "Negated", "--labels", "P"
    )


def test_a_label_without_a_key_is_named(files):
    (files / "odd.jsonl").write_text(json.dumps({"id": "d0", "mentions": [
        {"spans": [[0, 4]], "label": "?!"}]}))  # fmt: skip
    said = refuse(files, "gold.jsonl", "odd.jsonl")
    assert "the label '?!' has no letter or digit" in said
    assert said.endswith("leave it out with --labels\n")


@each_module()
def test_options_are_called_by_their_flags(name):
    """Each option of each command, also where its name in Python is another one."""
    declared = {o.name: o.flag or f"--{o.name.replace('_', '-')}" for o in
                find_challenge(name).options if o.kind != "column"}  # fmt: skip
    for command in ("score", "compare", "errors", "agreement", "report"):
        words = [command, name, "gold", "system"]
        flags = find_flags(make_app(words), words)
        for option, flag in declared.items():
            assert flags[option] == flag
            assert use_flags(f"{option}: wrong. Give {option}=", flags) == (
                f"{flag}: wrong. Give {flag}"
            )
        assert flags["cluster" if "cluster" in flags else "config"].startswith("--c")


def test_names_of_files_are_not_options():
    words = ["score", "clinical_spans", "labels", "labels=x.jsonl"]
    flags = find_flags(make_app(words), words)
    for message in ("labels: no such file", "labels=x.jsonl: no such file", "a/slots=: no"):
        assert use_flags(message, flags) == message
    assert use_flags("x", {}) == "x"


def test_no_message_for_the_command_line_is_in_words_of_python(files):
    """What was found there: ``labels=``, ``keep_going``, ``texts=``."""
    tried = (
        ("gold", "system", "--overlap", "word"),
        ("gold", "system", "--labels", "P,p"),
        ("gold.jsonl", "system", "--keep-going", "left.jsonl"),
    )
    for words in tried:
        said = refuse(files, *words)
        assert not re.search(r"\b[a-z_]+=|keep_going", said), said


def test_names_and_paths_may_have_equals_signs(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for name in ("sys.jsonl", "a=b.jsonl", "c"):
        (tmp_path / name).write_text("")
    for text, expected in (
        ("x=sys.jsonl", ("x", "sys.jsonl")),
        ("lr=0.1=sys.jsonl", ("lr=0.1", "sys.jsonl")),
        ("lr=0.1=sys.jsonl,c", ("lr=0.1", "sys.jsonl,c")),
        ("a=b.jsonl", ("", "a=b.jsonl")),
        ("x=a=b.jsonl", ("x", "a=b.jsonl")),
        ("x=absent", ("x", "absent")),
        ("absent", ("", "absent")),
        ("=c", ("", "=c")),
    ):
        assert split_name(text) == expected, text
