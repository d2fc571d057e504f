"""evaluate's ``num_process=2``: two real processes add their documents, the first one computes."""

import json
import os
import subprocess
import sys
from itertools import product

import pytest

import clineval
from clineval.formats.delimited.pipe import SLOTS, format_document

DISORDERS = [
    [
        {"spans": [[4, 15], [31, 38]], "cui": "C0344720", "severity": "moderate"},
        {"spans": [[50, 58]], "cui": None, "body_location": ["C1", "C2"]},
    ],
    [],
    [{"spans": [[0, 9]], "cui": "C0032285", "negation": "yes"}],
]
FOUND = [
    [DISORDERS[0][0], {"spans": [[52, 58]], "cui": None}],
    [],
    [{"spans": [[0, 9]], "cui": "C1"}],
]
BAD = [[{"spans": [[9, 2]], "cui": None}]]
MEDICATION = [{"m": {"text": "lantus", "offsets": [[6, 1, 6, 1]]}, "do": None}]
LONGER = [{"m": {"text": "lantus 7", "offsets": [[6, 1, 6, 2]]}, "ln": "list"}]
SECTIONS = [
    {"start": 0, "end": 8, "label": "TREATMENT"},
    {"start": 8, "end": 21, "label": "EVOLUTION"},
]
NOTE = {"text": "Reposo. Mejora clara.", "sections": SECTIONS}
LABELS = [["TREATMENT", None, None, "EVOLUTION", None], [None, None]]


def as_strings(side):
    documents = (
        clineval.Document(f"d{number}", map(clineval.Mention.from_dict, mentions))
        for number, mentions in enumerate(side)
    )
    return [format_document(document, SLOTS) for document in documents]


SIDES = {
    "dicts": ("semeval15_task14", FOUND, DISORDERS),
    "strings": ("semeval15_task14", as_strings(FOUND), as_strings(DISORDERS)),
    "mentions": ("clefehealth13_task1", FOUND[1:], [[], FOUND[0][1:]]),
    "codes": ("clefehealth13_task2", ["C1", None], [["C2", "C1"], ["CUI-less"]]),
    "rankings": (
        "clefehealth13_task3",
        [{"q1": {"a": 2.0, "b": 1.5}}, {"q2": {"e": 2.0, "d": 1.0}}],
        [{"q1": {"a": 1, "b": 0, "c": 2}}, {"q2": {"d": 1}}],
    ),
    "entries": ("i2b2_2009_medication", [LONGER, LONGER], [MEDICATION, LONGER]),
    "lists of codes": ("codiesp20", [["i10", "j45"], []], [["j45"], ["i10"]]),
    "labels": ("clinais23_b2", [[*LABELS[0][:3], None, "EVOLUTION"], LABELS[1]], LABELS),
    "sections": ("clinais23_b2", [NOTE, {**NOTE, "sections": []}], [NOTE, NOTE]),
}
"""Module, predictions and references of some documents."""

OPTIONS = {"labels": {"n_t": 30}}

SHARES = {"both have some": 1, "the first has none": 0, "the second has none": None}
"""Where the second process's documents begin."""

WAYS = ("added", "computed")
"""How each process gives its documents; in the first way one without any gives nothing at all."""

CASES = {
    f"{name}, {share}, {way}": (name, share, way)
    for name, share, way in product(SIDES, SHARES, WAYS)
    if way == "added" or name == "dicts"
}

WORKER = """
import json, sys
import evaluate
from clineval import InputError

rank = int(sys.argv[1])
for case, (module, way, options, *shares) in json.load(open("cases.json")).items():
    predictions, references = shares[rank]
    metric = evaluate.load(module, num_process=2, process_id=rank, experiment_id=case,
                           cache_dir="cache", timeout=120)
    try:
        if way == "computed":
            result = metric.compute(predictions=predictions, references=references, **options)
        else:
            if predictions:
                metric.add(prediction=predictions[0], reference=references[0])
                metric.add_batch(predictions=predictions[1:], references=references[1:])
            result = metric.compute(**options)
    except InputError as error:
        result = str(error)
    print(json.dumps([case, result]))
"""


def shares_of(sides, share):
    """What each process has of both sides."""
    at = SHARES[share]
    halves = (slice(None, at), slice(at, None) if at is not None else slice(0))
    return [[side[half] for side in sides] for half in halves]


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("processes")


@pytest.fixture(scope="module")
def results(folder):
    """What each of the two processes got, by case."""
    cases = {
        case: (SIDES[name][0], way, OPTIONS.get(name, {}), *shares_of(SIDES[name][1:], share))
        for case, (name, share, way) in CASES.items()
    }
    cases["bad"] = ("semeval15_task14", "added", {}, [FOUND, DISORDERS], [BAD, BAD])
    (folder / "cases.json").write_text(json.dumps(cases))
    processes = [
        subprocess.Popen(
            [sys.executable, "-c", WORKER, str(rank)], cwd=folder,
            env={**os.environ, "HF_EVALUATE_OFFLINE": "1"},
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        )
        for rank in (0, 1)
    ]  # fmt: skip
    try:
        outputs = [process.communicate(timeout=600) for process in processes]
    finally:
        for process in processes:
            process.kill()
    errors = [error[-2000:] for _, error in outputs]
    assert [process.returncode for process in processes] == [0, 0], "\n".join(errors)
    return [dict(map(json.loads, out.splitlines())) for out, _ in outputs]


@pytest.mark.parametrize("case", CASES)
def test_they_score_as_one_whichever_has_the_documents(results, case):
    first, second = results
    name, _, _ = CASES[case]
    assert first[case] == clineval.score(*SIDES[name], **OPTIONS.get(name, {})).as_dict()
    assert second[case] is None


def test_an_error_leaves_no_document_on_the_disk(results, folder):
    first, second = results
    assert "fragment 9-2" in first["bad"]
    assert second["bad"] is None
    assert not list(folder.rglob("*.arrow"))
