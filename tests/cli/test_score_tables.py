"""The command line on tables, in several processes, and with notes that cannot be read."""

import json
import os
import signal
import subprocess
import sys

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from commands import invoke
from demos import arguments_of

import clineval
from clineval.base.files import name_path
from clineval.base.progress import metered_by
from clineval.evaluation.convert import list_formats, read_documents, write_documents

NAME = "semeval15_task14"
(TAGGER, GOLD), _ = arguments_of(NAME)
pytestmark = pytest.mark.filterwarnings("ignore::clineval.InputWarning")
DOCUMENTS = [[{"spans": [[at, at + 4]], "cui": "C0000001"}] for at in range(6)]
NAMES = [f"note-{at}" for at in range(6)]


@pytest.fixture
def tables(tmp_path):
    """Both sides of the demo as Parquet."""
    for name, path in (("gold", GOLD), ("tagger", TAGGER)):
        done = invoke(["convert", path, tmp_path / f"{name}.parquet"])
        assert done.exit_code == 0, done.output
    return tmp_path / "gold.parquet", tmp_path / "tagger.parquet"


def scores_of(*arguments):
    done = invoke(["score", NAME, *arguments, "--format", "json"])
    assert done.exit_code == 0, done.output
    return json.loads(done.stdout)


def test_tables_and_files_give_the_same(tables):
    whole = scores_of(GOLD, TAGGER)
    assert scores_of(*tables)["scores"] == whole["scores"]
    assert scores_of(*tables, "--jobs", "2") == scores_of(*tables)
    assert scores_of(GOLD, TAGGER, "--jobs", "2") == whole


def test_one_table_with_both_sides(tmp_path):
    path = tmp_path / "notes.parquet"
    pq.write_table(pa.table({"note": NAMES, "gold": DOCUMENTS, "tagger": DOCUMENTS}), path)
    columns = ("--references-column", "gold", "--predictions-column", "tagger")
    found = scores_of(path, *columns, "--id-column", "note", "--per-document")
    assert found["scores"]["strict_f1"] == 1.0
    assert [row["document"] for row in found["per_document"]] == NAMES
    assert "--references-column" in str(invoke(["score", NAME, path]).exception)


def test_groups_of_a_table(tables):
    done = invoke(["score", NAME, *tables, "--by", "slot:negation", "--format", "json"])
    assert done.exit_code == 0, done.output


@pytest.mark.parametrize(
    ("arguments", "problem"),
    [
        (("--id-column", "note"), "is for Parquet files"),
        (("--jobs", "0"), "--jobs"),
        (("--by", "document", "--keep-going", "x"), "--by: cannot be combined with --keep-going"),
    ],
)
def test_usage(arguments, problem):
    done = invoke(["score", NAME, GOLD, TAGGER, *arguments])
    assert done.exit_code == 2
    assert problem in " ".join(done.stderr.replace("│", " ").split())


def test_a_note_that_cannot_be_read(tmp_path):
    broken = [*DOCUMENTS[:5], [{"spans": [[9, 4]], "cui": "C0000001"}]]
    path, left_out, counts = (tmp_path / name for name in ("n.parquet", "left.jsonl", "c.json"))
    pq.write_table(pa.table({"id": NAMES, "references": broken, "predictions": broken}), path)
    problem = "note-5, mention 0: fragment 9-4: the end is not after the start"
    assert problem in str(invoke(["score", NAME, path]).exception)
    found = scores_of(path, "--keep-going", left_out, "--save-counts", counts)
    assert found["scores"]["strict_tp"] == 5
    assert "|left_out:1|" in found["signature"]
    assert json.loads(left_out.read_text())["document"] == "note-5"
    assert clineval.Counts.load(counts).settings["left_out"] == "1"


def test_conversion_keeps_what_scores_depend_on(tmp_path):
    path = tmp_path / "gold.parquet"
    documents = clineval.read(GOLD, NAME)
    write_documents(documents, path, "parquet")
    again = read_documents(path, "parquet")
    assert [document.id for document in again] == [document.id for document in documents]
    same = clineval.count(NAME, again, documents)
    assert same == clineval.count(NAME, documents, documents)
    assert "parquet" in list_formats()


@pytest.mark.parametrize(
    ("content", "problem"),
    [(b"no table", "not a Parquet file"), (None, "expected the columns id and mentions")],
)
def test_tables_that_cannot_be_converted(tmp_path, content, problem):
    path = tmp_path / "x.parquet"
    if content is None:
        pq.write_table(pa.table({"a": [1]}), path)
    else:
        path.write_bytes(content)
    assert problem in str(invoke(["convert", path, tmp_path / "x.jsonl"]).exception)


@pytest.fixture
def told():
    """What is told of progress meanwhile."""
    told = []

    class Meter:
        def __init__(self, total, label, **_):
            told.append((total, label))

        def __enter__(self):
            return told.append

        def __exit__(self, *_):
            told.append("done")

    with metered_by(Meter):
        yield told


def test_progress_tells_documents(told):
    clineval.count(NAME, DOCUMENTS, DOCUMENTS, batch_size=4)
    assert told == [(6, "counting documents"), 4, 2, "done"]


def test_progress_tells_documents_of_lines(told, tmp_path):
    """50,000 notes were read for 20 seconds without a sign of life."""
    lines = (json.dumps({"id": str(k), "mentions": []}) for k in range(2500))
    (tmp_path / "gold.jsonl").write_text("\n".join(lines) + "\n")
    sides = [tmp_path / "gold.jsonl"] * 2
    clineval.count("clinical_spans", *sides)
    (first, *steps, last), told[:] = [*told], []
    assert (first, sum(steps), last) == ((2500, "counting documents"), 2500, "done")
    assert len(steps) > 1


def test_progress_tells_the_bytes_of_large_files(told, tmp_path):
    text = "No fever. " * 1000
    lines = (json.dumps({"id": str(k), "mentions": [], "text": text}) for k in range(150))
    path = tmp_path / "gold.jsonl"
    path.write_text("\n".join(lines) + "\n")
    size = path.stat().st_size
    clineval.evaluate("clinical_spans", path, path)  # at once
    (first, *steps, last) = told[: told.index("done") + 1]
    assert (first, sum(steps), last) == ((size, f"reading {name_path(path)}"), size, "done")
    assert len(steps) > 10
    joined = [(None, "joining the sides"), "done", (150, "counting documents"), 150, "done"]
    assert told[-5:] == joined


SLEEPERS = """
import os, time
from clineval.evaluation.counting.workers import map_in_order

def sleep(number):
    os.write(1, f"{os.getpid()}\\n".encode())  # whole lines, as both write to one pipe
    time.sleep(600)

list(map_in_order(sleep, range(4), 2))
"""


def test_an_interrupt_ends_all_processes():
    program = subprocess.Popen(
        [sys.executable, "-c", SLEEPERS], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    workers = [int(program.stdout.readline()) for _ in range(2)]
    program.send_signal(signal.SIGINT)
    _, said = program.communicate(timeout=120)
    assert said.count("Traceback") == 1  # its own
    assert said.strip().endswith("KeyboardInterrupt")
    for worker in workers:
        with pytest.raises(ProcessLookupError):
            os.kill(worker, 0)


def test_processes_end_with_the_one_that_started_them():
    program = subprocess.Popen([sys.executable, "-c", SLEEPERS], stdout=subprocess.PIPE)
    assert [program.stdout.readline() for _ in range(2)]
    program.kill()
    program.communicate(timeout=120)  # until nobody holds the pipe


AHEAD = """
import os
from clineval.evaluation.counting.workers import AHEAD, map_in_order

waiting, release = os.pipe()
last = 2 * AHEAD - 1
yielded = []

def do(number):
    if number == 0:
        os.read(waiting, 1)
    if number == last:
        os.write(release, b"!")
    return number

def tasks():
    for number in range(3 * last):
        assert number <= last or yielded, number
        yield number

for number in map_in_order(do, tasks(), 2):
    yielded.append(number)
assert yielded == list(range(3 * last))
"""


def test_no_more_tasks_are_taken_than_may_wait_for_the_first():
    subprocess.run([sys.executable, "-c", AHEAD], check=True, timeout=120)


ENDING = """
import os
from clineval.evaluation.counting.workers import map_in_order

list(map_in_order(lambda number: os._exit(1), range(4), 2))
"""


def test_a_process_that_ends_is_told_of():
    done = subprocess.run(
        [sys.executable, "-c", ENDING], capture_output=True, text=True, check=False
    )
    assert "a process ended early" in done.stderr
