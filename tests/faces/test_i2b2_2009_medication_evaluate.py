"""The i2b2 2009 evaluate module: real evaluate, real processes."""

import json
import subprocess
import sys
import textwrap

import evaluate
import laws
import pytest
from conftest import ROOT

import clineval
from clineval.entries import Entry
from clineval.formats.i2b2_entries import format_entry, read_entries

NAME = "i2b2_2009_medication"
DEMO = ROOT / "metrics" / "clineval" / "demo" / NAME
NAMES = [path.name for path in sorted((DEMO / "records").iterdir())]
RECORDS = [(DEMO / "records" / name).read_text() for name in NAMES]
SETS = json.loads((DEMO / "evaluation_sets.json").read_text())


def as_objects(side):
    read = read_entries(DEMO / side)
    return [read[name] for name in NAMES]


def as_dicts(side):
    return [[entry.as_dict() for entry in entries] for entries in as_objects(side)]


def as_texts(side):
    return ["".join(map(format_entry, entries)) for entries in as_objects(side)]


@pytest.mark.parametrize("protocol", ["spec", "official"])
@pytest.mark.parametrize("form", [as_objects, as_dicts, as_texts])
def test_all_forms_of_input_score_like_the_files(form, protocol):
    metric = evaluate.load(NAME)
    result = metric.compute(
        predictions=form("tagger"), references=form("gold"), records=RECORDS, protocol=protocol
    )
    expected = clineval.score(
        NAME, DEMO / "tagger", DEMO / "gold", records=DEMO / "records", protocol=protocol
    )
    assert result == expected.as_dict()


def test_records_can_be_added_one_by_one_and_in_batches():
    found, gold = as_dicts("tagger"), as_dicts("gold")
    expected = evaluate.load(NAME).compute(predictions=found, references=gold, records=RECORDS)
    metric = evaluate.load(NAME)
    metric.add(prediction=found[0], reference=gold[0])
    metric.add_batch(predictions=found[1:4], references=gold[1:4])
    result = metric.compute(predictions=found[4:], references=gold[4:], records=RECORDS)
    assert result == expected


def test_options_reach_the_core():
    metric = evaluate.load(NAME)
    sides = {"predictions": as_dicts("tagger"), "references": as_dicts("gold")}
    result = metric.compute(
        **sides, records=RECORDS, subset="narrative", evaluation_sets=[SETS[n] for n in NAMES],
        per_document=True,
    )  # fmt: skip
    by_name = clineval.score(
        NAME, DEMO / "tagger", DEMO / "gold", records=DEMO / "records", subset="narrative",
        evaluation_sets=SETS,
    )  # fmt: skip
    assert [row["document"] for row in result["per_document"]] == [str(k) for k in range(10)]
    assert {key: result[key] for key in by_name.values} == by_name.values
    assert "|subset:narrative|" in result["signature"]


def test_an_entry_s_text_is_in_no_message():
    bad = [[{"m": {"text": "Szymanowski", "offsets": [[3, 2, 3, 1]]}}]]
    metric = evaluate.load(NAME)
    laws.refuses(
        lambda: metric.compute(predictions=bad, references=bad), "references, record 0, entry 0",
        text=("Szymanowski",),
    )  # fmt: skip
    assert metric.compute(predictions=[[]], references=[[]])["n_documents"] == 1


def test_two_processes_score_like_one(tmp_path):
    script = tmp_path / "script.py"
    script.write_text(
        textwrap.dedent(
            """
            import json, sys
            import evaluate

            found = [{"m": {"text": "lantus 7", "offsets": [[6, 1, 6, 2]]}, "ln": "list"}]
            rank = int(sys.argv[1])
            metric = evaluate.load(
                "i2b2_2009_medication", num_process=2, process_id=rank, experiment_id="two",
                cache_dir=sys.argv[2],
            )
            if rank:
                metric.add_batch(predictions=[found], references=[found])
            else:
                metric.add_batch(predictions=[found], references=[json.loads(sys.argv[3])])
            print(json.dumps(metric.compute()))
            """
        )
    )
    gold = [Entry.from_dict({"m": {"text": "lantus", "offsets": [[6, 1, 6, 1]]}}).as_dict()]
    command = [sys.executable, str(script)]
    other = subprocess.Popen([*command, "1", str(tmp_path), "0"], cwd=tmp_path)
    first = subprocess.run(
        [*command, "0", str(tmp_path), json.dumps(gold)],
        cwd=tmp_path, capture_output=True, text=True, check=True,
    )  # fmt: skip
    assert other.wait(60) == 0
    result = json.loads(first.stdout)
    assert result["n_documents"] == 2
    assert result["exact_vertical_medication_system_f1"] == 0.5
    assert result["inexact_vertical_medication_system_precision"] == 3 / 4


def test_the_documentation_runs():
    import doctest

    metric = evaluate.load(NAME)
    module = sys.modules[type(metric).__module__]
    result = doctest.testmod(module, extraglobs={"evaluate": evaluate})
    assert result.failed == 0
    assert result.attempted >= 9
