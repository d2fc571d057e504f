"""Warnings say whom they are about: a side, or one of several systems."""

import json
import os
import re

import pytest
from processes import run_clineval
from thorough import each

import clineval
from clineval.base.errors import hear_warnings
from clineval.base.subjects import about, name_subject, naming, read_predictions, read_references
from clineval.evaluation.analysis.agreement import agree
from clineval.results.registry import NAMES, find_challenge
from clineval.workbench.build import build_workbench

pytestmark = pytest.mark.filterwarnings("ignore::clineval.InputWarning")
GOLD = [[{"spans": [[9 * k, 9 * k + 4]], "label": "A"}] for k in range(4)]
OTHER = [[{"spans": [[9 * k, 9 * k + 4]], "label": "B"}] for k in range(4)]
UNKNOWN = "1 label of predictions does not occur in the references"


@pytest.fixture
def brat(tmp_path):
    """Brat files with one, two and three relations."""
    for number, name in enumerate(("gold", "one", "two"), 1):
        (tmp_path / name).mkdir()
        lines = ["T1\tA 0 4\tpain", "T2\tB 5 9\tleft"]
        lines += [f"R{k}\tof Arg1:T1 Arg2:T2" for k in range(number)]
        (tmp_path / name / "a.ann").write_text("\n".join(lines) + "\n")
    return [tmp_path / name for name in ("gold", "one", "two")]


def heard_in(call):
    with hear_warnings() as heard:
        call()
    return heard


def test_a_single_system_is_named_by_its_side(brat):
    gold, system, _ = brat
    said = heard_in(lambda: clineval.score("clinical_spans", system, gold))
    assert [each.partition(" relation")[0] for each in said] == ["references: 1", "predictions: 2"]
    assert "clinical_relations scores relations" in said[0]


@pytest.mark.parametrize("notation", each(["json", "latex", "markdown"], ["json"]))
def test_several_systems_are_named(brat, notation):
    words = ("compare", "clinical_spans", *brat, "--trials", "9", "--format", notation)
    out = run_clineval(*words).stdout
    if notation == "json":
        out = "\n".join(json.loads(out)["warnings"])
    for name, number in (("references", 1), ("one", 2), ("two", 3)):
        assert re.search(rf"\b{name}: {number} relation", out), name


def test_a_label_that_no_reference_has_is_that_of_a_system():
    systems = {"same": GOLD, "other": OTHER}
    said = heard_in(lambda: clineval.compare("clinical_spans", systems, GOLD, trials=9))
    [unknown] = [each for each in said if UNKNOWN in each]
    assert unknown == f"other: {UNKNOWN}, and has F1 0 in the means over labels: B"
    page = build_workbench("clinical_spans", GOLD, systems, with_text=False)
    assert unknown in page.warnings


def test_a_missing_topic_is_that_of_a_run():
    corpus = find_challenge("clefehealth13_task3").task.corpora
    runs = {f"run{k}": corpus / f"team.run{k}.txt" for k in (1, 2)}
    page = build_workbench("clefehealth13_task3", corpus / "qrels.txt", runs)
    said = [each for each in page.warnings if "judged topic is missing" in each]
    assert [each.partition(":")[0] for each in said] == ["run2"]


def test_runs_and_processes_name_the_system_too(brat):
    gold, one, two = brat
    systems = {"base": clineval.Runs([one, two]), "ours": two}
    for jobs in (1, 2):
        options = {"labels": ["A"], "jobs": jobs}
        said = heard_in(lambda: clineval.compare("clinical_spans", systems, gold, **options))  # noqa: B023
        named = {each.partition(":")[0] for each in said if "labels" in each or "label " in each}
        assert named == {"references", "base, run 1", "base, run 2", "ours"}


def test_annotators_are_named(brat):
    gold, one, two = brat
    annotators = {"ann": gold, "ben": one, "cleo": two}
    said = heard_in(lambda: agree("clinical_spans", annotators))
    assert {each.partition(":")[0] for each in said if "relation" in each} == set(annotators)


def test_few_documents_with_errors_are_those_of_a_system():
    gold = [[{"spans": [[0, 4]], "label": "A"}]] * 40
    systems = {"good": gold[:38] + [[]] * 2, "bad": gold[:5] + [[]] * 35}

    def look():
        assert clineval.compare("clinical_spans", systems, gold, trials=9).sheet().tables()

    few = [each for each in heard_in(look) if each.count("few documents with")]
    assert [each.partition(":")[0] for each in few] == ["good", "bad"]


class Telling(os.PathLike):
    """A path that tells whom a warning would be about whenever it is looked at."""

    def __init__(self, path):
        self.path, self.seen = path, set()

    def __fspath__(self):
        self.seen.add(name_subject(""))
        return str(self.path)


@pytest.mark.parametrize("name", NAMES)
def test_every_challenge_knows_what_it_reads(name):
    """Whatever it may warn of meanwhile then has the name of the side or of the system."""
    challenge = find_challenge(name)
    corpus, demo = challenge.task.corpora, challenge.demo
    options = {n: corpus / v for n, v in demo.options.items()}
    setup = challenge.setup("default", "spec", options)
    paths = (demo.gold, *[*demo.systems.values()][:2])
    given = [Telling(corpus / path) for path in paths]
    with naming("truth", "first", "second"):
        setup.steps.read(given[0], given[1:], setup)
    for side, who in zip(given, ("truth: ", "first: ", "second: "), strict=True):
        assert who in side.seen
        assert side.seen <= {who, ""}


def test_names_with_braces_and_line_ends_are_harmless():
    with about("a{n}\n{one|many}"), hear_warnings() as heard:
        clineval.base.errors.warn("{n} {note|notes}: {names}", ["x"])
    assert heard == ["a(n)\\n(one|many): 1 note: x"]


def test_without_names_the_sides_are():
    seen = []
    read_references(lambda given, side: seen.append((name_subject("x"), given, side)), 1)
    read_predictions(lambda given, side: seen.append((name_subject("x"), given, side)), [2])
    assert seen == [("references: x", 1, "references"), ("predictions: x", 2, "predictions")]
