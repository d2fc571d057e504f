"""Names and codes that look like markup, formulas and commands to a terminal, in every command."""

import csv
import json
import re
from io import StringIO

import pytest
from hostile_names import NAMES, escaped, steers
from terminals import run_on_terminal

NAME = "semeval15_task14"
CODES = ["".join(name.split()) for name in NAMES]  # with a space it would be text, and refused
SYSTEMS = ("[bold]a\x1b[1m.jsonl", "=b.jsonl")


@pytest.fixture(autouse=True)
def _corpus(tmp_path):
    """Lines of JSON: gold standard and two systems, in files of hostile names."""
    documents = [
        {"id": name, "mentions": [{"spans": [[0, 4]], "cui": code}]}
        for name, code in zip(NAMES, CODES, strict=True)
    ]
    wrong = [
        {**documents[at], "mentions": documents[at - 1]["mentions"]} for at in range(len(NAMES))
    ]
    for name, lines in (("gold.jsonl", documents), (SYSTEMS[0], wrong), (SYSTEMS[1], wrong[:-2])):
        content = "".join(json.dumps(line) + "\n" for line in lines)
        (tmp_path / name).write_text(content, "utf-8")


COMMANDS = {
    "documents": ("score", NAME, "gold.jsonl", SYSTEMS[0], "--per-document"),
    "groups": ("score", NAME, "gold.jsonl", SYSTEMS[0], "--by", "document"),
    "codes": ("score", NAME, "gold.jsonl", SYSTEMS[0], "--by", "code"),
    "errors": ("errors", NAME, "gold.jsonl", SYSTEMS[0], "--most", "99"),
    "confusion": ("errors", NAME, "gold.jsonl", SYSTEMS[0], "--slot", "cui", "--most", "99"),
    "systems": ("compare", NAME, "gold.jsonl", *SYSTEMS),
    "annotators": ("agreement", NAME, *SYSTEMS),
}
NAMED = {"documents": NAMES, "groups": NAMES, "systems": [name[:-6] for name in SYSTEMS]}


def check_plain(said):
    assert not any(steers(character) for character in said.replace("\n", ""))
    assert "Traceback" not in said


@pytest.mark.parametrize("notation", ["table", "json", "csv", "markdown", "latex"])
@pytest.mark.parametrize("command", COMMANDS)
def test_what_is_printed_steers_no_terminal(run, command, notation):
    done = run(*COMMANDS[command], "--format", notation)
    check_plain(done.stdout)
    check_plain(done.stderr)


@pytest.mark.parametrize("command", ["documents", "groups", "systems"])
def test_names_are_shown_as_they_are(run, command):
    said = run(*COMMANDS[command]).stdout
    for name in NAMED[command]:
        assert escaped(name) in said
    if command == "systems":
        systems = json.loads(run(*COMMANDS[command], "--format", "json").stdout)["systems"]
        assert list(systems) == list(NAMED[command])


@pytest.mark.parametrize("command", [name for name in COMMANDS if name != "annotators"])
def test_no_cell_of_csv_is_a_formula(run, command):
    said = run(*COMMANDS[command], "--format", "csv").stdout
    cells = [cell for row in csv.reader(StringIO(said)) for cell in row]
    for cell in cells:
        if re.match(r"[=+@\t\r-]", cell):
            float(cell)
    found = [cell for cell in cells if cell.startswith("'")]
    assert {"'=1+1", "'@SUM(A1)"} & set(found) or command in ("codes", "errors", "systems")
    assert found


@pytest.mark.parametrize("command", ["documents", "groups"])
def test_markdown_has_no_html_and_no_links(run, command):
    said = run(*COMMANDS[command], "--format", "markdown").stdout
    assert "&lt;img src=x>" in said
    assert r"[x\](javascript:alert(1))" in said


def test_warnings_and_errors_are_lines(run):
    warned = run("score", NAME, "gold.jsonl", SYSTEMS[1]).stderr
    assert warned.count("\n") == 1
    with_blank, without = NAMES[-2:]
    assert f"(name withheld, {len(with_blank)} characters), {without}\n" in warned
    missing = run("score", NAME, "\x1b[31m\n[/x]", "gold.jsonl", status=2).stderr
    assert missing.startswith("clineval: a string of 10 characters: no such file")
    check_plain(missing)
    usage = run("score", NAME, "gold.jsonl", "gold.jsonl", "--[/x]", status=2).stderr
    assert "--[/x]" in usage
    named = run("score", NAME, "gold.jsonl", "gold.jsonl", "--protocol", "[/x]", status=2).stderr
    assert named.startswith("clineval: unknown protocol a string of 4 characters, expected one of")


def test_problems_of_files_are_lines(run, tmp_path):
    (tmp_path / "some").mkdir()
    (tmp_path / "some" / "[bold]x\x1b[31m.pipe").write_text("\x1b[31m|3-1|C0000001|\n")
    done = run("validate", NAME, "some", status=2)
    assert r"[bold]x\x1b[31m.pipe:1" in done.stdout
    check_plain(done.stdout)
    check_plain(done.stderr)


def test_traces_of_the_released_script_are_lines(run, tmp_path):
    for side in ("gold", "pred"):
        (tmp_path / side).mkdir()
        (tmp_path / side / "a.pipe").write_text("[/x]\x1b[31m|1-2|C0000001|\n")
    arguments = ("-n", "t", "-r", "1", "-input", "pred", "-gold", "gold", "-trace", "1")
    said = run("official", "semeval15-task1", *arguments).stdout
    assert "TP\t[/x]\\x1b[31m\t1-2\t1-2" in said


def test_the_name_of_a_directory_is_plain_text_in_progress(tmp_path):
    folder = tmp_path / "[bold]:pill:\x1b[31m"
    folder.mkdir()
    (folder / "a.pipe").write_text("a|1-2|C0000001|\n")
    written = run_on_terminal("eager", "score", NAME, folder, folder, "--config", "task1")
    assert r"reading [bold]:pill:\x1b[31m" in written


@pytest.mark.parametrize("system", ["b" * 5000, f"A={'b' * 5000}", "loop.jsonl", "A=loop.jsonl"])
@pytest.mark.parametrize("words", [["compare", NAME, "gold.jsonl", SYSTEMS[0]],
                                   ["report", NAME, "gold.jsonl", "--no-text"],
                                   ["agreement", NAME, "gold.jsonl"]])  # fmt: skip
def test_what_no_system_can_hold_is_refused_in_a_line(run, tmp_path, words, system):
    (tmp_path / "loop.jsonl").symlink_to("loop.jsonl")
    said = run(*words, system, status=2).stderr
    check_plain(said)
    assert "no such file or directory" in said
