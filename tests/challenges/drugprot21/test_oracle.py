"""DrugProt: what the released library prints and counts, and the definition beside it."""

import json

import pytest
from commands import invoke
from oracles import Oracle, name_output

import clineval
from clineval import InputError
from clineval.results.averages import label_key

ORACLE = Oracle("drugprot21")
OUTPUTS = ORACLE.outputs("official.out")
SPECS = ORACLE.outputs("spec.json")
NUMBERS = ("tp", "fp", "fn", "precision", "recall", "f1")
pytestmark = pytest.mark.filterwarnings("ignore::clineval.InputWarning")


def score(folder, protocol):
    options = {"entities": folder / "gs_entities.tsv", "pmids": folder / "pmids.txt"}
    sides = folder / "pred_relations.tsv", folder / "gs_relations.tsv"
    return clineval.score("drugprot21", *sides, protocol=protocol, **options)


def check_numbers(found, expected):
    assert {of: [found[f"{label_key(of)}_{n}"] for n in NUMBERS] for of in expected} == expected


def test_all_outputs_are_here():
    assert len(OUTPUTS) == 51
    assert len(SPECS) == 5


@pytest.mark.parametrize("output", OUTPUTS, ids=name_output)
def test_an_output_is_printed_byte_for_byte(output):
    folder = output.parent
    words = ["official", "drugprot-2021", "-g", folder / "gs_relations.tsv"]
    words += ["-e", folder / "gs_entities.tsv", "-p", folder / "pred_relations.tsv"]
    done = invoke([*words, "--pmids", folder / "pmids.txt"])
    expected = output.read_text("utf-8")
    if "rc=1" in expected:  # the command line prints it on one line and ends with status 2
        assert isinstance(done.exception, InputError)
        assert "\n" not in str(done.exception)
        assert not done.stdout
        return
    assert done.exit_code == 0, done.output
    assert done.stdout == expected


@pytest.mark.parametrize("output", OUTPUTS, ids=name_output)
def test_numbers_are_equal_to_the_last_digit(output):
    file = output.with_name("official.json")
    if not file.exists():
        with pytest.raises(InputError, match="released program stops"):
            score(output.parent, "official")
        return
    found = score(output.parent, "official")
    check_numbers(found, json.loads(file.read_text("utf-8")))


@pytest.mark.parametrize("file", SPECS, ids=name_output)
def test_the_definition_beside_the_library(file):
    found = score(file.parent, "spec")
    check_numbers(found, json.loads(file.read_text("utf-8")))
