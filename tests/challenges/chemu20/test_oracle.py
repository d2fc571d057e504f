"""ChEMU 2020: what brateval prints and counts, and the counts by the definition."""

import json
import re

import pytest
from commands import invoke
from oracles import Oracle, name_output
from processes import run_clineval

import clineval
from clineval import InputError

NAME = "chemu20"
ORACLE = Oracle(NAME, "brateval")
CASES = ORACLE.here / "cases"
CALL = re.compile(r"^--- (entities|relations) (.*) (\w+)\n", re.MULTILINE)
COUNTS = ("tp", "fp", "fn")
pytestmark = pytest.mark.filterwarnings("ignore::clineval.InputWarning")


def calls_of(output):
    """The settings of each recorded call, and what it printed."""
    _, *parts = CALL.split(output.read_text("utf-8"))
    return [tuple(parts[at : at + 4]) for at in range(0, len(parts), 4)]


def arguments_of(folder, kind, places, types):
    config = folder / "annotation.conf"
    more = ["-config", str(config)] if config.is_file() else []
    sides = ["-e", str(folder / "system"), "-g", str(folder / "gold")]
    words = ["-s", *places.split(), "-t", types, *more]
    return ["official", "brateval", f"Compare{kind.capitalize()}", *sides, *words]


def counts_of(scores, prefix):
    return tuple(scores[f"{prefix}_{name}"] for name in COUNTS)


def test_all_outputs_are_there():
    outputs = [name_output(path) for path in ORACLE.outputs("official.out")]
    assert len(outputs) >= 54
    assert all(len(calls_of(path)) == 8 for path in ORACLE.outputs("official.out"))


@pytest.mark.parametrize("output", ORACLE.outputs("official.out"), ids=name_output)
def test_what_the_program_prints(output, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for kind, places, types, expected in calls_of(output):
        done = invoke(arguments_of(output.parent, kind, places, types))
        if expected.endswith("rc=1\n"):
            assert isinstance(done.exception, InputError)
            assert done.stdout == ""
            continue
        folder = output.parent
        names = {"GOLD": folder / "gold", "SYSTEM": folder / "system"}
        for name, path in {**names, "CONF": folder / "annotation.conf"}.items():
            expected = expected.replace(name, str(path), 1)  # noqa: PLW2901
        assert (done.exit_code, done.stdout) == (0, expected), (kind, places, types)


@pytest.mark.parametrize(
    ("case", "kind", "problem"),
    [
        ("b30_document_missing_crash", "entities", "stops, because b has no file"),
        ("b36_offset_word_crash", "entities", "a.ann:1: the released script stops at this line"),
        ("b37_no_end_crash", "relations", "a.ann:1: the released script stops at this line"),
        ("b58_relation_argument_missing_crash", "relations", "a.ann:3: the released script stops"),
        ("b62_relation_document_missing_crash", "relations", "stops, because b has no file"),
    ],
)
def test_where_the_program_stops_there_is_one_line_and_no_score(case, kind, problem):
    done = run_clineval(*arguments_of(CASES / case, kind, "exact", "exact"), status=2)
    assert done.stdout == ""
    assert problem in done.stderr
    assert len(done.stderr.splitlines()) == 1


@pytest.mark.parametrize("output", ORACLE.outputs("official.json"), ids=name_output)
def test_all_counts_of_the_program(output):
    sides = output.parent / "system", output.parent / "gold"
    if (output.parent / "annotation.conf").is_file() or "subfolder" in output.parent.name:
        return  # what the command prints is compared
    for call, rows in json.loads(output.read_text("utf-8")).items():
        kind, *places, types = call.split()
        options = {
            "config": kind,
            "protocol": "official",
            "types": {"inexact": "any"}.get(types, types),
        }
        if rows == "crash":
            with pytest.raises(InputError, match=r"the released (script|program) stops"):
                clineval.score(NAME, *sides, **options)
            continue
        scores = clineval.score(NAME, *sides, **options)
        assert counts_of(scores, places[0]) == tuple(rows["all"][:3]), call
        for label, counts in rows.items():
            key = f"{label.lower()}_{places[0]}"
            if f"{key}_tp" in scores:
                assert counts_of(scores, key) == tuple(counts[:3]), (call, label)


@pytest.mark.parametrize("output", ORACLE.outputs("spec.json"), ids=name_output)
def test_counts_by_the_definition(output):
    sides = output.parent / "system", output.parent / "gold"
    for call, rows in json.loads(output.read_text("utf-8")).items():
        kind, places, *_ = call.split()
        types = "any" if call.endswith("any type") else "exact"
        scores = clineval.score(NAME, *sides, config=kind, types=types)
        whole = clineval.score(NAME, *sides, types=types)
        for label, counts in rows.items():
            own = places if label == "all" else f"{label.lower()}_{places}"
            assert counts_of(scores, own) == tuple(counts), (call, label)
            shared = f"{kind}_{places}" if label == "all" else own
            assert counts_of(whole, shared) == tuple(counts), (call, label)
