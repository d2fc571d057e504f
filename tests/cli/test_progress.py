"""Progress on a terminal, in every command that can take long; nothing of it anywhere else."""

import json
import os
import shutil
import threading
import warnings
from contextlib import contextmanager

import pytest
from conftest import ROOT
from corpus_home import Home
from processes import call_program
from rich.cells import cell_len
from terminals import find_drawn, open_terminal, run_on_terminal, screen_of

from clineval.base.progress import metered, metered_by, track
from clineval.cli import progress

NAME = "semeval15_task14"
DEMO = ROOT / "metrics" / "clineval" / "challenges" / NAME / "demo"
GOLD, SYSTEM = DEMO / "gold", DEMO / "tagger"
SIDES = NAME, GOLD, SYSTEM
COMMANDS = {
    "score": ("score", *SIDES),
    "score with intervals": ("score", *SIDES, "--confidence", ".95"),
    "score in processes": ("score", "clinical_spans", "many.jsonl", "many.jsonl", "--jobs", "2"),
    "compare": ("compare", *SIDES, GOLD, "--trials", "9", "--resamples", "9"),
    "report": ("report", *SIDES, "--no-text"),
    "errors": ("errors", *SIDES),
    "convert": ("convert", GOLD, "new.jsonl"),
    "convert to files": ("convert", "gold.jsonl", "new", "--to", "pipe"),
    "validate": ("validate", NAME, GOLD),
    "agreement": ("agreement", *SIDES),
    "adjudicate": ("adjudicate", "gold", "remarks.json", "-o", "corrected"),
    "datasets get": ("datasets", "get", "meddocan19/open"),
}
STEPS = {
    "score": ["reading gold"],
    "score with intervals": ["resampling"],
    "score in processes": ["counting documents"],
    "compare": ["reading gold", "reading tagger", "resampling"],
    "report": ["reading gold"],
    "errors": ["reading gold", "joining the sides", "counting documents"],
    "convert": ["reading gold", "checking values", "formatting"],
    "convert to files": ["formatting", "writing new"],
    "validate": ["reading gold"],
    "agreement": ["reading gold", "counting documents", "resampling"],
    "adjudicate": ["reading gold", "finding documents", "correcting", "writing corrected"],
    "datasets get": ["127.0.0.1/gold.csv"],
}


@pytest.fixture
def folder(tmp_path):
    """A directory with the files that the commands need."""
    shutil.copytree(GOLD, tmp_path / "gold")
    for name, documents in (("gold.jsonl", 3), ("many.jsonl", 2100)):
        lines = (json.dumps({"id": f"note-{k}", "mentions": []}) for k in range(documents))
        (tmp_path / name).write_text("\n".join(lines) + "\n")
    document, spans, code = next(iter(GOLD.glob("*001*"))).read_text().split("|")[:3]
    remark = {"document": document, "side": "gold", "spans": spans, "class": code, "tags": [],
              "comment": "", "decision": "gold wrong", "to_spans": "", "to_class": "",
              "to_slots": {}}  # fmt: skip
    head = {"schema": "clineval remarks 1", "module": NAME, "config": "default"}
    (tmp_path / "remarks.json").write_text(json.dumps({**head, "remarks": [remark]}))
    return tmp_path


@pytest.fixture
def variables(tmp_path):
    """Variables of the environment with which a corpus can be downloaded from this computer."""
    home = Home()
    home.files["gold.csv"] = b"id,class\na,yes\n"
    thread = threading.Thread(target=home.serve_forever, args=(0.01,))
    thread.start()
    listed = tmp_path / "datasets.toml"
    listed.write_text(
        '[open]\nabout = "invented"\nlanguage = "es"\nlicence = "CC0"\naccess = "open"\n'
        f'source = "here"\ngold = "gold.csv"\n[[open.files]]\nurl = "{home.url("gold.csv")}"\n'
        'path = "gold.csv"\n'
    )
    yield {"DATASETS": str(listed), "CLINEVAL_CACHE": str(tmp_path / "cache"),
           "no_proxy": "127.0.0.1"}  # fmt: skip
    home.shutdown()
    thread.join()
    home.server_close()


def list_labels(written):
    """The labels of what was drawn, in their order."""
    return list(
        dict.fromkeys(line.split("  ")[0].removesuffix("...") for line in find_drawn(written))
    )


@pytest.mark.parametrize("name", COMMANDS)
def test_a_terminal_shows_progress_and_a_pipe_does_not(name, folder, variables):
    environment = {**os.environ, **variables}
    shutil.copytree(folder, folder / "piped")
    piped = call_program("eager", *COMMANDS[name], cwd=folder / "piped", env=environment)
    shutil.rmtree(folder / "cache", ignore_errors=True)
    written = run_on_terminal(
        "eager", *COMMANDS[name], cwd=folder, status=piped.returncode, **variables
    )
    assert piped.returncode == 0, piped.stderr
    assert "\r" not in piped.stderr
    assert "\x1b" not in written  # no colours, whatever NO_COLOR says
    assert set(STEPS[name]) <= set(list_labels(written))
    assert screen_of(written) == piped.stderr


@pytest.mark.parametrize("name", ["score", "score in processes", "compare", "convert to files"])
@pytest.mark.parametrize("step", [1, 3])
def test_an_interrupt_leaves_one_line(name, step, folder):
    words = COMMANDS[name]
    written = run_on_terminal("eager", *words, cwd=folder, status=130, INTERRUPT_AT=str(step))
    assert find_drawn(written)
    assert screen_of(written) == "clineval: interrupted\n"


def test_an_error_is_on_a_line_of_its_own(folder):
    (folder / "gold" / "z.pipe").write_text("no columns\n")
    words = ("score", NAME, "gold", "gold")
    piped = call_program("eager", *words, cwd=folder)
    written = run_on_terminal("eager", *words, cwd=folder, status=2)
    assert find_drawn(written)
    assert screen_of(written) == piped.stderr
    assert piped.stderr.startswith("clineval: gold/z.pipe:1: ")


@pytest.mark.parametrize("kind", ["dumb", "unknown"])
def test_terminals_that_cannot_move_the_cursor_show_no_progress(kind, folder):
    assert not run_on_terminal("eager", *COMMANDS["score"], cwd=folder, TERM=kind)


def test_nothing_is_shown_without_standard_error(monkeypatch):
    monkeypatch.setattr("sys.stderr", None)
    with progress.progress_shown(), metered(2, "reading") as advance:
        advance(1)


class Clock:
    """A clock that stands still unless it is moved."""

    def __init__(self):
        self.now = 100.0

    def __call__(self):
        return self.now


@pytest.fixture
def clock():
    return Clock()


@contextmanager
def shown_on(columns, clock):
    """Show progress on a terminal; yields a list that gets what was drawn, when all is done."""
    drawn = []
    with open_terminal(columns) as (file, close):
        line = progress.Line(file, clock)
        with metered_by(line.meter):
            yield drawn
        written = close()
    drawn += find_drawn(written)
    assert not screen_of(written).strip()


def test_a_line_says_how_far_a_count_is_and_when_it_ends(clock):
    with shown_on(80, clock) as drawn, metered(4000, "reading gold") as advance:
        clock.now += 1.9
        advance(500)  # too early
        clock.now += 0.1
        advance(500)
        clock.now += 0.05
        advance(500)  # too soon after the last
        clock.now += 0.95
        advance(500)
        clock.now += 3600 * 2
        advance(1000)
    assert drawn == [
        "reading gold  [##........] 25%, 0:00:06 left  1,000 of 4,000  500/s",
        "reading gold  [#####.....] 50%, 0:00:03 left  2,000 of 4,000  667/s",
        "reading gold  [#######...] 75%, 0:40:01 left  3,000 of 4,000  0/s",
    ]


def test_the_estimate_follows_the_last_half_minute(clock):
    with shown_on(80, clock) as drawn, metered(10_000, "x") as advance:
        clock.now += 1000
        advance(1000)  # slow, such as a network that does not answer
        for _ in range(300):
            clock.now += 0.1
            advance(10)
    assert drawn[0].split(",")[1] == " 2:30:00 left  1"
    assert "40%, 0:01:00 left" in drawn[-1]


def test_bytes_and_counts_without_a_total(clock):
    with shown_on(80, clock) as drawn:
        clock.now += 2
        with metered(4_000_000, "a.zip", size=True) as advance:
            clock.now += 1
            advance(1_500_000)
        with metered(None, "b.zip", size=True) as advance:
            clock.now += 1
            advance(1_500_000)
        with metered(None, "joining"):
            clock.now += 1
        with metered(0, "nothing"):
            pass
    assert drawn == [
        "a.zip  [..........] 0%, -:--:-- left  0.0 of 4.0 MB  0.0 MB/s",
        "a.zip  [###.......] 38%, 0:00:02 left  1.5 of 4.0 MB  1.5 MB/s",
        "b.zip...",
        "b.zip  1.5 MB  1.5 MB/s",
        "joining...",
        "nothing  [..........] 0%, -:--:-- left  0 of 0  0/s",
    ]


def test_only_the_outermost_count_is_shown(clock):
    with shown_on(80, clock) as drawn:
        clock.now += 2
        for _ in track("ab", "outer"):
            for _ in track("cd", "inner"):
                clock.now += 1
    assert {line.split("  ")[0] for line in drawn} == {"outer"}
    assert len(drawn) == 3


@pytest.mark.parametrize("columns", [0, 1, 20, 60, 200])
@pytest.mark.parametrize(
    "label", ["reading gold", "読む" * 40, "\x1b[31m\n" * 9, "caf\udce9 [bold]"]
)
def test_the_line_fits_the_terminal(columns, label, clock):
    with shown_on(columns, clock) as drawn, metered(4000, label) as advance:
        clock.now += 2
        advance(3)
    assert all(cell_len(line) < (columns or 80) for line in drawn)
    assert len(drawn) == (columns != 1)
    assert all(line.isprintable() for line in drawn)


def test_warnings_are_on_lines_of_their_own(clock):
    with open_terminal() as (file, close):
        line = progress.Line(file, clock)

        def show(message, *_):
            file.write(f"{message}\n")

        with warnings.catch_warnings(), metered_by(line.meter):
            warnings.simplefilter("always")
            warnings.showwarning = show
            with progress.line_before_warnings(line), metered(9, "reading") as advance:
                clock.now += 2
                advance(1)
                warnings.warn("one", stacklevel=1)
                clock.now += 2
                advance(1)
            warnings.warn("two", stacklevel=1)
        written = close()
    assert len(find_drawn(written)) == 2
    assert screen_of(written) == "one\ntwo\n"


def test_counts_that_are_never_finished_leave_nothing(clock):
    """A generator that an error interrupts is not closed before the error is printed."""
    with open_terminal() as (file, close):
        line = progress.Line(file, clock)
        clock.now += 2
        with metered_by(line.meter):
            items = iter(track("abc", "reading"))
            next(items)
        line.clear()
        file.write("error\n")
        written = close()
    assert find_drawn(written)
    assert screen_of(written) == "error\n"
