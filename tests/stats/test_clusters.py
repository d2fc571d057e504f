"""Clusters: documents that are drawn and swapped together."""

import json
from dataclasses import replace
from functools import partial

import laws
import numpy as np
import pytest
import simulation
from conftest import ROOT
from hypothesis import given
from hypothesis import strategies as st
from processes import run_clineval

import clineval
from clineval.evaluation.analysis.agreement import agree
from clineval.stats.clusters import Clusters, find_clusters
from clineval.stats.units import make_units

NAME = "semeval15_task14"
DEMO = ROOT / "metrics" / "clineval" / "challenges" / NAME / "demo"
COUNTS = clineval.count(NAME, DEMO / "tagger", DEMO / "gold", config="task1")
OTHERS = clineval.count(NAME, DEMO / "dictionary", DEMO / "gold", config="task1")
PATIENTS = {name: f"p{row % 8}" for row, name in enumerate(COUNTS.documents)}


def merge(counts):
    """The same corpus with a document for each patient: the rows added up by hand."""
    rows = [counts.take(range(first, len(counts), 8)) for first in range(8)]
    table = np.stack([part.table.sum(axis=0) for part in rows])
    names = tuple(f"p{row}" for row in range(8))
    return replace(counts, documents=names, cells=table, digests=np.zeros(8, np.uint64))


def test_drawing_clusters_is_drawing_documents_that_were_merged():
    score = COUNTS.score(confidence=0.95, cluster=PATIENTS)
    assert score.intervals == merge(COUNTS).score(confidence=0.95).intervals
    assert score.values == COUNTS.score().values


@pytest.mark.parametrize("test", ["ar", "bootstrap"])
def test_swapping_clusters_is_swapping_documents_that_were_merged(test):
    systems = {"dictionary": OTHERS, "tagger": COUNTS}
    found = clineval.compare_counts(systems, test=test, trials=300, cluster=PATIENTS)
    merged = {name: merge(counts) for name, counts in systems.items()}
    assert found.differences == clineval.compare_counts(merged, test=test, trials=300).differences


def test_a_cluster_for_each_document_is_no_cluster():
    alone = COUNTS.score(confidence=0.9)
    assert COUNTS.score(confidence=0.9, cluster=str).intervals == alone.intervals


def test_the_signature_says_how_many_clusters_there_are():
    assert "|cluster:8|v:" in str(COUNTS.score(confidence=0.95, cluster=PATIENTS).signature)
    compared = clineval.compare_counts({"a": OTHERS, "b": COUNTS}, trials=9, cluster=PATIENTS)
    assert "|cluster:8|test:ar|" in str(compared.signature)
    assert "cluster" not in str(COUNTS.score(confidence=0.95).signature)


@given(st.lists(st.sampled_from("abc"), min_size=1, max_size=9), st.randoms())
def test_units_are_the_sums_of_their_documents(clusters, random):
    names = [f"d{row}" for row in range(len(clusters))]
    table = np.arange(2.0 * len(names)).reshape(-1, 2)
    of = dict(zip(names, clusters, strict=True))
    digests = np.zeros(len(names), np.uint64)
    units = make_units(names, digests, table, Clusters(of))
    sums = {c: sum(table[k] for k in range(len(names)) if clusters[k] == c) for c in clusters}
    assert sorted(units.tolist()) == sorted(row.tolist() for row in sums.values())
    order = random.sample(range(len(names)), len(names))
    again = make_units([names[k] for k in order], digests, table[order], Clusters(of))
    assert again.tolist() == units.tolist()


def test_no_documents_no_units():
    assert make_units((), np.zeros(0, np.uint64), np.zeros((0, 2)), Clusters({})).shape == (0, 2)


@pytest.mark.parametrize(
    "text",
    [
        "a.txt\tp1\nb\tp2\n",
        "document,cluster\na,p1\n\nb,p2\n",
        '"a","p1"\r\nb, p2',
        "\ufeffa,p1\nb,p2",
    ],
)
def test_a_file_has_two_columns(tmp_path, text):
    path = tmp_path / "patients.csv"
    path.write_text(text, "utf-8")
    assert find_clusters(str(path)).number(["a.txt", "b"]).tolist() == [0, 1]


@pytest.mark.parametrize(
    ("text", "said"),
    [("a\n", ("patients.csv:1", "two columns", "got 1")), ("a,p1\nb,\n", ("patients.csv:2",)),
     ("a,p1,x\n", ("got 3",)), ("a,p1\na,p2\n", ("patients.csv:2", "different cluster")),
     ("a,p1\n", ("patients.csv: no cluster for 1 of 2 documents: b",)),
     ("a,p1\nb,p1\nc,p1\n", ("patients.csv: 1 of 3 documents is not in the corpus: c",))],
)  # fmt: skip
def test_what_is_no_file_of_clusters_is_refused(tmp_path, text, said):
    path = tmp_path / "patients.csv"
    path.write_text(text, "utf-8")
    laws.refuses(lambda: find_clusters(path).number(["a", "b"]), *said)


def test_a_file_that_is_not_text_is_refused(tmp_path):
    (tmp_path / "x.csv").write_bytes(b"\xff\xfe")
    laws.refuses(lambda: find_clusters(tmp_path / "x.csv"), "not UTF-8")
    laws.refuses(lambda: find_clusters(tmp_path / "none.csv"), "none.csv")


@pytest.mark.parametrize("given", [3, ["p1", "p2"]])
def test_what_gives_no_clusters_is_refused(given):
    laws.refuses(lambda: COUNTS.score(confidence=0.95, cluster=given), "mapping", "function")


def test_a_function_must_know_every_document():
    score = COUNTS.score(confidence=0.95, cluster={}.get)
    laws.refuses(lambda: score.intervals, "no cluster for 24 of 24 documents")


@pytest.mark.thorough
def test_intervals_of_patients_hold_the_true_f1_where_those_of_notes_do_not():
    # 200 corpora of 40 patients with 5 notes each: a standard error of 1.5 to 3 %
    options = {"corpora": 200, "patients": 40, "notes": 5, "seed": 3, "n_resamples": 500}
    assert simulation.coverage_of_patients(**options, clustered=False) < 0.8
    assert 0.9 <= simulation.coverage_of_patients(**options, clustered=True) <= 0.98


run = partial(run_clineval, cwd=DEMO)


@pytest.fixture
def patients(tmp_path):
    """A file of the demo's patients."""
    path = tmp_path / "patients.tsv"
    path.write_text("".join(f"{name}\t{of}\n" for name, of in PATIENTS.items()), "utf-8")
    return path


def test_commands_take_a_file_of_clusters(patients):
    options = ("--config", "task1", "--format", "json", "--cluster", patients)
    expected = COUNTS.score(confidence=0.95, cluster=patients)
    sides = (NAME, DEMO / "gold", DEMO / "tagger")
    scored = json.loads(run("score", *sides, *options, "--confidence", "0.95").stdout)
    assert scored["signature"] == str(expected.signature)
    assert scored["scores"]["strict_f1_low"] == expected.intervals["strict_f1"][0]
    compared = json.loads(run("compare", *sides, DEMO / "dictionary", *options).stdout)
    found = clineval.compare_counts({"a": COUNTS, "b": OTHERS}, cluster=PATIENTS)
    assert compared["differences"]["dictionary"]["strict_f1"]["p"] == (
        found.differences["b"]["strict_f1"].p
    )
    [agreed] = json.loads(run("agreement", *sides, *options).stdout)["pairs"]
    [expected] = agree(
        NAME, {"gold": DEMO / "gold", "tagger": DEMO / "tagger"}, config="task1", cluster=PATIENTS
    )
    assert agreed["signature"] == str(expected.score.signature)
    missing = run("score", *sides, "--cluster", "none.tsv", "--confidence", "0.9", status=2)
    assert "none.tsv" in missing.stderr


def count_of_patients(patients, notes, pattern="p{}-note{}.txt"):
    """Counts of some notes of each patient, half of which a system finds."""
    names = tuple(pattern.format(p, n) for p in range(patients) for n in range(notes))
    gold = [[{"spans": [[0, 4]], "cui": "C1"}] for _ in names]
    found = [gold[at] if at % 2 else [] for at in range(len(names))]
    return replace(clineval.count(NAME, found, gold, config="task1"), documents=names)


@pytest.mark.parametrize("by", ["prefix", r"^(p\d+)-", r"^p\d+"])
def test_names_say_what_belongs_together(by):
    counts = count_of_patients(40, 3)
    told = {name: name.split("-")[0] for name in counts.documents}
    by_name = counts.score(confidence=0.95, cluster=clineval.clusters_by(by))
    assert by_name.intervals == counts.score(confidence=0.95, cluster=told).intervals
    assert by_name.signature.settings["cluster"] == "40"


def test_a_name_without_a_cluster_is_refused():
    call = partial(count_of_patients(40, 3).score, confidence=0.95)
    score = call(cluster=clineval.clusters_by("q([0-9])"))
    laws.refuses(lambda: score.intervals, "cluster_by", "120 of 120 documents")


@pytest.mark.parametrize("pattern", ["", "(", "a{2,1}", 7, None])
def test_a_pattern_is_a_regular_expression(pattern):
    laws.refuses(lambda: clineval.clusters_by(pattern), "cluster_by", "regular expression")


def test_names_that_repeat_beginnings_give_a_hint():
    with pytest.warns(clineval.InputWarning, match="only 40 prefixes.*--cluster-by prefix"):
        assert count_of_patients(40, 3).score(confidence=0.95).intervals
    counts = count_of_patients(40, 3)
    with pytest.warns(clineval.InputWarning, match="only 40 prefixes"):
        clineval.compare_counts({"a": counts, "b": counts})


@pytest.mark.parametrize(
    ("patients", "notes", "pattern"),
    [(120, 1, "p{}-note{}"), (2, 60, "es{}-{}"), (40, 3, "{1}-{0}-note"), (40, 3, "note{}{:03}")],
)
def test_others_give_none(patients, notes, pattern):
    assert count_of_patients(patients, notes, pattern).score(confidence=0.95).intervals


def test_the_command_takes_a_file_or_names(tmp_path):
    counts = tmp_path / "counts.json"
    count_of_patients(40, 3).save(counts)
    planned = run_clineval("power", counts, "--cluster-by", "prefix", "--format", "json")
    assert json.loads(planned.stdout)["unit"] == "clusters"
    both = ("--cluster-by", "prefix", "--cluster", counts)
    assert "--cluster-by" in run_clineval("power", counts, *both, status=2).stderr
