"""Tables of Spark, with a real session on two cores; make test-spark installs what they need."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from lists import DOCUMENTS, OPTIONS
from needs import need
from pages import code_of

import clineval
import clineval.spark
from clineval.registry import find_challenge

need("pyspark", "spark")

PAGE = "metrics/clineval/counting/README.md"
NAME = "semeval15_task14"
GOLD = [[{"spans": [[at, at + 4]], "cui": "C0000001"}] for at in range(20)]
FOUND = [[] if at % 3 else mentions for at, mentions in enumerate(GOLD)]
CASES = [(name, p) for name in DOCUMENTS for p in find_challenge(name).protocols]
pytestmark = pytest.mark.filterwarnings("default")  # what Spark warns of is its own


@pytest.fixture(scope="module")
def session():
    session = clineval.spark.start(2)
    session.sparkContext.setLogLevel("OFF")
    yield session
    session.stop()


@pytest.fixture(scope="module")
def frame(session, tmp_path_factory):
    return frame_of(session, tmp_path_factory.mktemp("tables"), GOLD, FOUND)


def frame_of(session, folder, references, predictions):
    names = [f"note-{at:02}" for at in range(len(references))]
    wards = ["north" if at % 2 else "south" for at in range(len(references))]
    columns = {"note": names, "ward": wards, "gold": references, "tagger": predictions}
    pq.write_table(pa.table(columns), folder / "notes.parquet")
    return session.read.parquet(str(folder / "notes.parquet"))


COLUMNS = {"references": "gold", "predictions": "tagger", "id": "note"}


def in_order(counts):
    return counts.take(np.argsort(counts.documents))


def same(counts, whole):
    assert in_order(counts) == whole
    assert str(counts.score().signature) == str(whole.score().signature)


@pytest.mark.parametrize(("name", "protocol"), CASES)
@pytest.mark.filterwarnings("ignore::clineval.InputWarning")
def test_any_partitioning(session, tmp_path, name, protocol):
    documents = DOCUMENTS[name]
    references, predictions = documents * 2, [*documents[1:], documents[0]] * 2
    asked = {"protocol": protocol, **OPTIONS.get(name, {})}
    whole = clineval.count(name, predictions, references, **asked)
    frame = frame_of(session, tmp_path, references, predictions)
    names = [row.note for row in frame.select("note").collect()]
    if len(whole) == len(names):
        whole = whole.named(*names)
        for partitions in (1, 3):
            some = frame.repartition(partitions)
            same(clineval.spark.count(some, name, batch_size=2, **COLUMNS, **asked), whole)
    else:  # rows are sentences
        counts = clineval.spark.count(frame, name, batch_size=2, **COLUMNS, **asked)
        assert counts.totals == whole.totals


def test_groups(frame):
    groups = clineval.spark.count(frame, NAME, by="ward", **COLUMNS)
    names = [f"note-{at:02}" for at in range(20)]
    whole = clineval.count(NAME, FOUND, GOLD).named(*names)
    same(groups["north"], whole.take(range(1, 20, 2)))
    same(groups["south"], whole.take(range(0, 20, 2)))


def test_rows_without_names(frame):
    columns = {"references": "gold", "predictions": "tagger"}
    counts = clineval.spark.count(frame, NAME, **columns)
    assert len(set(counts.documents)) == 20
    assert counts.totals == clineval.count(NAME, FOUND, GOLD).totals


@pytest.mark.parametrize(
    ("options", "problem"),
    [
        ({"references": "nowhere"}, "there is no column 'nowhere'"),
        ({"weights": "references"}, "depends on all references"),
        ({"protocol": "other"}, "unknown protocol"),
    ],
)
def test_errors_before_any_job(frame, options, problem):
    with pytest.raises(clineval.InputError, match=problem):
        clineval.spark.count(frame, NAME, **{**COLUMNS, **options})


def test_a_schema_that_does_not_fit(session, tmp_path):
    wrong = [[{"spans": [[1, 2]], "mood": "x"}]]
    frame = frame_of(session, tmp_path, wrong, wrong)
    with pytest.raises(clineval.InputError, match="unknown slot 'mood'"):
        clineval.spark.count(frame, NAME, **COLUMNS)


def test_a_broken_row(session, tmp_path):
    broken = [*GOLD[:3], [{"spans": [[9, 4]], "cui": "C0000001"}], *GOLD[3:]]
    frame = frame_of(session, tmp_path, broken, broken)
    with pytest.raises(clineval.InputError, match="note-03, mention 0: fragment 9-4"):
        clineval.spark.count(frame, NAME, **COLUMNS)
    listed = tmp_path / "left_out.jsonl"
    counts = clineval.spark.count(frame, NAME, keep_going=listed, **COLUMNS)
    assert len(counts) == 20
    assert counts.settings["left_out"] == "1"
    assert "note-03" in listed.read_text()


def test_without_java(monkeypatch, tmp_path):
    monkeypatch.setenv("JAVA_HOME", str(tmp_path))
    with pytest.raises(clineval.InputError, match=r"there is none.*openjdk-17"):
        clineval.spark.check_java(17)


def test_java_that_is_too_old(monkeypatch, tmp_path):
    java = tmp_path / "bin" / "java"
    java.parent.mkdir()
    java.write_text("#!/bin/sh\necho 'openjdk version \"1.8.0_392\"' >&2\n")
    java.chmod(0o755)
    monkeypatch.setenv("JAVA_HOME", str(tmp_path))
    with pytest.raises(clineval.InputError, match=r"needs Java 17, and found Java 8.*openjdk-17"):
        clineval.spark.check_java(17)
    clineval.spark.check_java(8)


def test_the_pages_scripts(session, tmp_path, capsys):
    pytest.importorskip("datasets")
    from datasets import Dataset

    rows = frame_of(session, tmp_path, GOLD, FOUND)
    path = str(tmp_path / "hospital.parquet")  # Spark stays in the directory where it started
    rows.withColumnRenamed("ward", "hospital").write.parquet(path)
    spark, mapped = (block.replace("notes.parquet", path) for block in code_of(PAGE, "python"))
    dataset = Dataset.from_parquet(str(tmp_path / "notes.parquet"))
    scope = {"clineval": clineval, "dataset": dataset}
    exec(spark, scope)
    assert set(scope["by_hospital"]) == {"north", "south"}
    assert "strict" in capsys.readouterr().out
    whole = in_order(scope["counts"])
    exec(mapped, scope)
    assert scope["counts"] == whole


JOB = """
import sys
from pyspark.sql import SparkSession

import clineval.spark


def locate(rows):
    import clineval

    return [clineval.__file__]


session = SparkSession.builder.getOrCreate()
print("WORKERS", *session.sparkContext.parallelize([1], 1).mapPartitions(locate).collect())
counts = clineval.spark.count(session.read.parquet(sys.argv[1]), "semeval15_task14", id="id")
print("COUNTED", len(counts), counts.score()["strict_f1"])
"""


def test_the_commands_for_a_cluster(tmp_path):
    """The workers take the package from the file that is sent along, which must be called a zip."""
    submit = "".join(code_of(PAGE, "bash")).split("\n")[-2]
    assert submit.endswith("spark-submit --py-files clineval.zip job.py")
    package = Path(clineval.__file__).parent
    sent = shutil.make_archive(str(tmp_path / "clineval"), "zip", package.parent, package.name)
    table = pa.table(
        {"id": [str(at) for at in range(20)], "references": GOLD, "predictions": FOUND}
    )
    pq.write_table(table, tmp_path / "notes.parquet")
    (tmp_path / "job.py").write_text(JOB)
    done = subprocess.run(
        [Path(sys.executable).parent / "spark-submit", "--master", "local[2]",
         "--py-files", sent, tmp_path / "job.py", tmp_path / "notes.parquet"],
        env={**os.environ, "PYSPARK_PYTHON": sys.executable, "SPARK_LOCAL_IP": "127.0.0.1"},
        cwd=tmp_path, capture_output=True, text=True, check=False,
    )  # fmt: skip
    told = dict(line.split(" ", 1) for line in done.stdout.splitlines() if line[:1].isupper())
    assert Path(sent).name in told.get("WORKERS", ""), done.stderr[-3000:]
    assert told["COUNTED"] == f"20 {clineval.score(NAME, FOUND, GOLD)['strict_f1']}"
