"""Tables of Spark, with a real session on two cores; make test-spark installs what they need."""

import os
import shutil
import subprocess
import sys
from datetime import date
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from lists import DOCUMENTS, OPTIONS
from needs import need
from outside import CASES as CHALLENGES
from outside import install
from outside_cases import EVERY, SOURCES
from pages import code_of

import clineval
import clineval.spark
from clineval.results.registry import find_challenge
from clineval.spark.files import find_blocks

need("pyspark", "spark")
from pyspark.sql.pandas.types import to_arrow_schema  # noqa: E402
from pyspark.sql.types import StringType, StructField, StructType  # noqa: E402

PAGE = "metrics/clineval/evaluation/counting/README.md"
NAME = "semeval15_task14"
GOLD = [[{"spans": [[at, at + 4]], "cui": "C0000001"}] for at in range(20)]
FOUND = [[] if at % 3 else mentions for at, mentions in enumerate(GOLD)]
CASES = [(name, p) for name in DOCUMENTS for p in find_challenge(name).protocols]
pytestmark = pytest.mark.filterwarnings("default")  # what Spark warns of is its own


@pytest.fixture(scope="module")
def session(tmp_path_factory):
    with install(tmp_path_factory.mktemp("site"), **SOURCES):  # before the workers start
        session = clineval.spark.start(2)
        session.sparkContext.setLogLevel("OFF")
        yield session
        session.stop()


@pytest.fixture(scope="module", params=["as files", "as rows"])
def frame(request, session, tmp_path_factory):
    found = frame_of(session, tmp_path_factory.mktemp("tables"), GOLD, FOUND)
    return found if request.param == "as files" else found.repartition(2)


def frame_of(session, folder, references, predictions, names=None):
    size = len(references)
    names = names or [f"note-{at:02}" for at in range(size)]
    wards = ["north" if at % 2 else "south" for at in range(size)]
    days = [date(2026, 11, 1 + at % 2) for at in range(size)]
    columns = {"note": names, "ward": wards, "day": days, "gold": references, "tagger": predictions}
    path = folder / "the notes, 100% ü.parquet"
    pq.write_table(pa.table(columns), path, row_group_size=3)
    return session.read.parquet(str(path))


COLUMNS = {"references": "gold", "predictions": "tagger", "id": "note"}


def blocks_of(frame, size=2, **more):
    columns = {**COLUMNS, **more}
    chosen = frame.select(*(frame[name].alias(role) for role, name in columns.items()))
    return find_blocks(frame, columns, to_arrow_schema(chosen.schema), size)


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
        for some in (frame, frame.repartition(1), frame.repartition(3)):
            same(clineval.spark.count(some, name, batch_size=2, **COLUMNS, **asked), whole)
    else:  # rows are sentences
        counts = clineval.spark.count(frame, name, batch_size=2, **COLUMNS, **asked)
        assert counts.totals == whole.totals


CLASSES = {
    "questions": (
        [{"smoking": "past", "pain": "no"}, {"smoking": "never", "pain": None}],
        [{"smoking": "past", "pain": "yes"}, {"smoking": None, "pain": None}],
        {"classes": {"smoking": ["past", "never"], "pain": ["yes", "no"]}},
        {"accuracy": 1 / 3, "smoking_accuracy": 1 / 2, "micro_precision": 1 / 2},
    ),
    "several answers": (
        [["fever", "rash"], []],
        [["fever"], ["rash"]],
        {"classes": ["fever", "rash"], "several": True},
        {"micro_f1": 1 / 2, "accuracy": 0, "hamming_loss": 1 / 2},
    ),
    "probabilities": (
        ["past", "never"],
        [{"probabilities": {"past": 0.75, "never": 0.25}},
         {"probabilities": {"past": 0.5, "never": 0.5}}],
        {"classes": ["past", "never"], "positive": "past", "threshold": 0.5},
        {"past_recall": 1, "past_precision": 1 / 2, "roc_auc": 1, "brier": (1 / 16 + 1 / 4) / 2},
    ),
}  # fmt: skip


@pytest.mark.parametrize("case", CLASSES)
def test_classes_of_any_scheme(session, tmp_path, case):
    gold, found, options, scores = CLASSES[case]
    whole = clineval.count("clinical_classes", found, gold, **options)
    frame = frame_of(session, tmp_path, gold, found)
    counts = clineval.spark.count(frame, "clinical_classes", batch_size=1, **COLUMNS, **options)
    same(counts, whole.named("note-00", "note-01"))
    score = counts.score()
    assert {key: score[key] for key in scores} == pytest.approx(scores)


CODED = [["401.9", "428.0"], ["486"], [], ["428.0"], ["486", "401.9"], ["V58.61"], ["401.9"]]
WITH_SCORES = [
    [{"code": code, "score": round(0.2 + 0.1 * (at + 3 * place) % 0.8, 2)}
     for place, code in enumerate(["401.9", "428.0", "486", "38.93"])]
    for at in range(len(CODED))
]  # fmt: skip


@pytest.mark.parametrize("protocol", find_challenge("icd_coding").protocols)
def test_scores_that_do_not_add_up_are_those_of_one_run(session, tmp_path, protocol):
    """Means over codes and areas are computed from the codes of all parts, with the same digits."""
    coded = [codes or ["V45.81"] for codes in CODED] if protocol == "caml" else CODED
    options = {
        "protocol": protocol,
        "codes": ["401.9", "428.0", "486", "38.93", "V58.61", "V45.81"],
    }
    whole = clineval.score("icd_coding", WITH_SCORES, coded, **options)
    frame = frame_of(session, tmp_path, coded, WITH_SCORES)
    for parts in (1, 2, 7):
        counts = clineval.spark.count(
            frame.repartition(parts), "icd_coding", batch_size=1, **COLUMNS, **options
        )
        found = counts.score()
        names = "micro_f1", "macro_f1", "auc_micro", "auc_macro"
        assert [found[name] for name in names] == [whole[name] for name in names]
        assert dict(found.values) == pytest.approx(dict(whole.values), abs=1e-15)


@pytest.mark.parametrize("given", ["icd9cm", "a file", "a mapping"])
def test_a_hierarchy_of_codes_is_read_once_and_sent_to_the_workers(session, tmp_path, given):
    parents = {code: [code.partition(".")[0]] if "." in code else [] for of in CODED for code in of}
    parents |= {code: [] for above in parents.values() for code in above}
    tree = tmp_path / "tree.csv"
    rows = [f"{code},{above}" for code, each in parents.items() for above in each or [""]]
    tree.write_text("\n".join(["code,parent", *rows, ""]))
    found = [["401.1"], ["486"], ["428"], [], ["486", "038.9"], ["V58"], []]
    options = {"hierarchy": {"a file": tree, "a mapping": parents}.get(given, given)}
    whole = clineval.count("clinical_codes", found, CODED, **options)
    frame = frame_of(session, tmp_path, CODED, found)
    names = [f"note-{at:02}" for at in range(len(CODED))]
    for parts in (1, 3):
        counts = clineval.spark.count(
            frame.repartition(parts), "clinical_codes", batch_size=1, **COLUMNS, **options
        )
        same(counts, whole.named(*names))
        assert 0 < counts.score()["h_f1"] < 1


@pytest.mark.parametrize("case", CHALLENGES, ids=lambda case: case.name)
@pytest.mark.filterwarnings("ignore::clineval.InputWarning")
def test_challenges_of_other_packages(session, tmp_path, case):
    """They are installed where the workers are."""
    whole = clineval.count(case.name, case.found, case.gold).named("note-00", "note-01")
    frame = frame_of(session, tmp_path, case.gold, case.found)
    for some in (frame, frame.repartition(2)):
        same(clineval.spark.count(some, case.name, batch_size=1, **COLUMNS), whole)
    groups = clineval.spark.count(frame, case.name, by="ward", **COLUMNS)
    same(groups["north"], whole.take([1]))


@pytest.mark.parametrize("case", EVERY, ids=lambda case: case.name)
def test_every_kind_gives_what_a_hand_gives(session, tmp_path, case):
    frame = frame_of(session, tmp_path, case.gold, case.found)
    names = [f"note-{at:02}" for at in range(len(case.gold))]
    whole = clineval.count(case.name, case.found, case.gold).named(*names)
    for some in (frame, frame.repartition(2)):
        counts = clineval.spark.count(some, case.name, batch_size=1, **COLUMNS)
        same(counts, whole)
        score = counts.score()
        assert {key: score[key] for key in case.scores} == pytest.approx(case.scores)
    groups = clineval.spark.count(frame, case.name, by="ward", **COLUMNS)
    same(groups["north"], whole.take([1]))


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
        ({"references": "nowhere"}, "unknown column 'nowhere'"),
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


@pytest.mark.parametrize("partitions", [None, 2])
def test_a_broken_row(session, tmp_path, partitions):
    broken = [*GOLD[:3], [{"spans": [[9, 4]], "cui": "C0000001"}], *GOLD[3:]]
    frame = frame_of(session, tmp_path, broken, broken)
    frame = frame.repartition(partitions) if partitions else frame
    with pytest.raises(clineval.InputError, match="note-03, mention 0: fragment 9-4"):
        clineval.spark.count(frame, NAME, **COLUMNS)
    listed = tmp_path / "left_out.jsonl"
    counts = clineval.spark.count(frame, NAME, keep_going=listed, **COLUMNS)
    assert len(counts) == 20
    assert counts.settings["left_out"] == "1"
    assert "note-03" in listed.read_text()


def test_a_name_that_is_missing(session, tmp_path):
    nameless = frame_of(session, tmp_path, GOLD, FOUND, [None] * len(GOLD))
    for some in (nameless, nameless.repartition(2)):
        with pytest.raises(clineval.InputError, match="expected a name, got null"):
            clineval.spark.count(some, NAME, **COLUMNS)


def test_files_as_they_lie(session, tmp_path):
    frame = frame_of(session, tmp_path, GOLD, FOUND)
    path = str(next(tmp_path.iterdir()))
    groups = [list(range(at, at + 2)) for at in range(0, 6, 2)] + [[6]]
    assert blocks_of(frame, 4) == [(path, some) for some in groups]
    assert blocks_of(frame.select("gold", "tagger", "note"), 4) == blocks_of(frame, 4)
    assert blocks_of(frame, group="ward") is not None
    twice = session.read.parquet(path, path)
    assert len(blocks_of(twice)) == 14
    with pytest.raises(clineval.InputError, match="documents with the same name"):
        clineval.spark.count(twice, NAME, **COLUMNS)


def test_one_column_on_both_sides(frame):
    counts = clineval.spark.count(frame, NAME, **{**COLUMNS, "predictions": "gold"})
    assert counts.score()["strict_f1"] == 1


def test_files_without_rows(session, tmp_path):
    frame_of(session, tmp_path, GOLD, FOUND)
    path = next(tmp_path.iterdir())
    pq.write_table(pq.read_table(path).slice(0, 0), tmp_path / "none.parquet")
    nothing = session.read.parquet(str(tmp_path / "none.parquet"))
    for frame in (nothing, nothing.repartition(1)):
        assert len(clineval.spark.count(frame, NAME, **COLUMNS)) == 0
        assert clineval.spark.count(frame, NAME, by="ward", **COLUMNS) == {}
    both = session.read.parquet(str(path), str(tmp_path / "none.parquet"))
    assert len(clineval.spark.count(both, NAME, **COLUMNS)) == 20


def test_what_only_spark_knows(session, tmp_path):
    frame = frame_of(session, tmp_path, GOLD, FOUND)
    path = str(next(tmp_path.iterdir()))
    longer = StructType([*frame.schema, StructField("new", StringType())])
    frame.write.partitionBy("ward").parquet(str(tmp_path / "wards"))
    frame.write.json(str(tmp_path / "json"))
    wards = session.read.parquet(str(tmp_path / "wards"))
    made = [
        frame.where("ward = 'north'"),
        frame.limit(5),
        frame.union(frame),
        frame.withColumn("gold", frame.tagger),
        frame.repartition(2),
        session.read.schema(frame.schema).json(str(tmp_path / "json")),
        session.read.schema(longer).parquet(path),
        session.createDataFrame(frame.collect(), frame.schema),
    ]
    assert [blocks_of(each, group="new" if "new" in each.columns else "ward") for each in made] == (
        [None] * len(made)
    )
    assert blocks_of(frame, group="day") is None
    assert blocks_of(wards) is not None
    assert blocks_of(wards, group="ward") is None
    groups = clineval.spark.count(frame, NAME, by="day", **COLUMNS)
    assert set(groups) == {date(2026, 11, 1), date(2026, 11, 2)}
    north = in_order(clineval.spark.count(made[0], NAME, **COLUMNS))
    same(clineval.spark.count(wards, NAME, by="ward", **COLUMNS)["north"], north)
    Path(path).write_bytes(b"PAR1")
    assert blocks_of(frame) is None


def test_a_damaged_file(session, tmp_path):
    frame = frame_of(session, tmp_path, GOLD, FOUND)
    path = next(tmp_path.iterdir())
    whole = path.read_bytes()
    path.write_bytes(whole[:4] + b"\xff" * 400 + whole[404:])
    with pytest.raises(clineval.InputError, match=r"ü\.parquet: the Parquet file is damaged"):
        clineval.spark.count(frame, NAME, **COLUMNS)


def test_without_java(monkeypatch, tmp_path):
    monkeypatch.setenv("JAVA_HOME", str(tmp_path))
    with pytest.raises(clineval.InputError, match=r"Java, which is not installed.*openjdk-17"):
        clineval.spark.check_java(17)


def test_java_that_is_too_old(monkeypatch, tmp_path):
    java = tmp_path / "bin" / "java"
    java.parent.mkdir()
    java.write_text("#!/bin/sh\necho 'openjdk version \"1.8.0_392\"' >&2\n")
    java.chmod(0o755)
    monkeypatch.setenv("JAVA_HOME", str(tmp_path))
    with pytest.raises(
        clineval.InputError, match=r"needs Java 17 or later, but this is Java 8.*openjdk-17"
    ):
        clineval.spark.check_java(17)
    clineval.spark.check_java(8)


def test_the_pages_scripts(session, tmp_path, capsys):
    pytest.importorskip("datasets")
    from datasets import Dataset

    rows = frame_of(session, tmp_path, GOLD, FOUND)
    path = str(tmp_path / "hospital.parquet")  # Spark stays in the directory where it started
    rows.withColumnRenamed("ward", "hospital").write.parquet(path)
    spark, mapped = (block.replace("notes.parquet", path) for block in code_of(PAGE, "python"))
    dataset = Dataset.from_parquet(str(next(tmp_path.glob("the*.parquet"))))
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
