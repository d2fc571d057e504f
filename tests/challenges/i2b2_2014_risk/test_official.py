"""i2b2 2014 risk factors: the released script's outputs, and what spec makes of the same input."""

import csv
import json
import re
from itertools import pairwise

import pytest
from commands import invoke
from oracles import Oracle, name_output

import clineval
from clineval import InputError
from clineval.challenges.i2b2_2014_risk.printed import Track, evaluate_cr
from clineval.evaluation.evaluate import evaluate

NAME = "i2b2_2014_risk"
ORACLE = Oracle(NAME)
pytestmark = pytest.mark.filterwarnings("ignore::clineval.InputWarning")


def call(folder, words="", **options):
    """The stand-in's output; ``words`` may begin with ``all:`` and ``not:``, as in the data."""
    run = evaluate_cr(
        Track.cr,
        [folder / "system"],
        folder / "gold",
        words=words.replace("all:", "").replace("not:", ""),
        conjunctive="all:" in words,
        invert="not:" in words,
        **options,
    )
    evaluation = evaluate(NAME, run.predictions, run.references, protocol="official")
    return "".join(written.text for written in run.write(evaluation))


@pytest.mark.parametrize("output", ORACLE.outputs("official.out"), ids=name_output)
def test_what_it_prints(output):
    expected = output.read_text("utf-8")
    if "rc=1\n" in expected:
        arguments = (output.parent / "system", output.parent / "gold")
        done = invoke(["official", "i2b2-2014-risk", "cr", *arguments])
        assert isinstance(done.exception, InputError), "main turns it into status 2 and one line"
        assert done.stdout == ""
        assert "\n" not in str(done.exception)
    else:
        assert call(output.parent) == expected


@pytest.mark.parametrize("output", ORACLE.outputs("official.filters.json"), ids=name_output)
def test_what_it_prints_under_filters(output):
    for words, expected in json.loads(output.read_text("utf-8")).items():
        lines = [re.sub(" +", " ", line).strip() for line in call(output.parent, words).split("\n")]
        shown = [line for line in lines if line and not line.startswith(("---", "WARNING"))]
        assert shown == expected, words


@pytest.mark.parametrize("output", ORACLE.outputs("official.counts.tsv"), ids=name_output)
def test_its_counts_of_each_record(output):
    with output.open(encoding="utf-8") as file:
        rows = list(csv.DictReader(file, delimiter="\t"))
    for words in {row["filter"] for row in rows}:
        expected = [tuple(row.values())[1:] for row in rows if row["filter"] == words]
        found, report = [], ""
        lines = call(output.parent, words, verbose=True).split("\n")
        for line, following in pairwise(lines):
            if line.startswith("Report for "):
                report = line.removeprefix("Report for ").removesuffix(":").strip()
            if counts := re.match(r"\[(\d+)\((\d+)\)(\d+)\]", following):
                found.append((report, line[:25].strip(), *counts.groups()))
        assert sorted(found) == sorted(expected), words


@pytest.mark.parametrize("output", ORACLE.outputs("spec.json"), ids=name_output)
def test_what_spec_gives_on_random_corpora(output):
    result = clineval.score(NAME, output.parent / "system", output.parent / "gold")
    prefixes = {"micro": "micro", "record": "record", "macro over tags": "macro"}
    for name, expected in json.loads(output.read_text("utf-8")).items():
        expected.pop("records", None)
        found = {key: result[f"{prefixes.get(name, name.lower())}_{key}"] for key in expected}
        assert found == pytest.approx(expected, rel=0, abs=1e-9), name


CASES = {
    "r08": (1, 0, 0), "r11": (1, 0, 0), "r15": (2, 0, 0), "r16": (2, 1, 0), "r17": (0, 1, 3),
    "r18": (0, 1, 1), "r19": (0, 1, 1), "r20": (1, 0, 0), "r21": (1, 0, 0), "r22": (1, 0, 0),
    "r26": (1, 0, 1), "r27": (1, 1, 2), "r28": (0, 1, 1), "r29": (1, 0, 0), "r30": (0, 0, 1),
    "r34": (1, 1, 1),
}  # fmt: skip
"""tp, fp and fn under spec, where it differs from the script or could be thought to."""
REFUSED = {
    "r10": ("system/100-01.xml:5: expected the element CAD, got 'cad'", True),
    "r25": ("system/100-01.xml:1: expected an element that contains TAGS", False),
    "r32": ("the document has the same 'id' as", False),
}
"""What spec rejects: the message, and whether only a gold standard is rejected."""


@pytest.mark.parametrize(
    "folder", sorted((ORACLE.here / "cases").iterdir()), ids=lambda path: path.name
)
def test_spec_on_the_cases(folder):
    case, sides = folder.name.partition("_")[0], (folder / "system", folder / "gold")
    if case in REFUSED:
        said, gold_alone = REFUSED[case]
        wrong = (sides[1], sides[0]) if gold_alone else sides
        with pytest.raises(InputError) as caught:
            clineval.score(NAME, *wrong)
        assert said in str(caught.value)
        return
    result = clineval.score(NAME, *sides)
    counts = tuple(result[f"micro_{name}"] for name in ("tp", "fp", "fn"))
    if case in CASES:
        assert counts == CASES[case]
    else:
        official = clineval.score(NAME, *sides, protocol="official")
        assert counts == tuple(official[f"micro_{name}"] for name in ("tp", "fp", "fn"))


def test_names_in_another_case_are_spurious_in_predictions():
    """r10: the gold standard has a CAD and a CHD; the system a cad and a Cad."""
    folder = ORACLE.here / "cases" / "r10_name_case"
    with pytest.warns(clineval.InputWarning, match="not tags of the challenge"):
        result = clineval.score(NAME, folder / "system", folder / "gold")
    assert [result[f"micro_{key}"] for key in ("tp", "fp", "fn")] == [0, 2, 1]


def test_what_is_not_scored_in_predictions_is_warned_of():
    folder = ORACLE.here / "cases" / "r19_place_is_ignored"
    with pytest.warns(clineval.InputWarning, match="1 predicted document has tags with start"):
        clineval.score(NAME, folder / "system", folder / "gold")
    deeper = ORACLE.here / "cases" / "r26_deeper"
    with pytest.warns(clineval.InputWarning, match="several TAGS") as caught:
        clineval.score(NAME, deeper / "system", deeper / "gold")
    assert not any("predicted document has tags" in str(each.message) for each in caught)


@pytest.mark.parametrize(
    ("case", "said"),
    [
        ("r16_unknown_values", "have values that are not listed|has values that are not listed"),
        ("r15_missing_attribute", "values that are not listed"),
    ],
)
def test_values_that_are_not_listed_are_warned_of(case, said):
    folder = ORACLE.here / "cases" / case
    with pytest.warns(clineval.InputWarning, match=said):
        clineval.score(NAME, folder / "system", folder / "gold")


def test_means_over_records_leave_out_those_without_tags():
    """r29: a record with a right tag, and one with nothing on either side."""
    folder = ORACLE.here / "cases" / "r29_empty_record"
    for protocol, expected in (("spec", 1.0), ("official", 0.5)):
        result = clineval.score(NAME, folder / "system", folder / "gold", protocol=protocol)
        assert result["record_precision"] == result["record_f1"] == expected


def test_the_command_takes_the_script_s_arguments(tmp_path):
    """Also several folders of systems, of which later files replace earlier ones."""
    folder = ORACLE.here / "cases" / "r32_two_suffixes"
    arguments = ["official", "i2b2-2014-risk", "cr", folder / "system", folder / "gold"]
    assert invoke(arguments).stdout == (folder / "official.out").read_text("utf-8")
    assert invoke([*arguments, "--filter", "MEDICATION", "--invert"]).stdout == call(
        folder, "not:MEDICATION"
    )
    more = tmp_path / "more"
    more.mkdir()
    better = (folder / "gold" / "100-01.xml").read_text("utf-8")
    (more / "100-01run2.xml").write_text(better, "utf-8")
    both = [*arguments[:3], folder / "system", more, folder / "gold"]
    _, first, second = re.split(r"(?=^run)", invoke(both).stdout, flags=re.MULTILINE)
    assert "0.6667         0.6667" in first
    assert "1.0            1.0" in second


def test_a_file_against_a_file_shows_the_record_alone():
    folder = ORACLE.here / "cases" / "r31_micro_macro"
    files = [folder / side / "100-01.xml" for side in ("system", "gold")]
    shown = invoke(["official", "i2b2-2014-risk", "cr", *files]).stdout
    assert "[4(2)2]" in shown
    assert "Macro" not in shown


def test_a_folder_without_systems_prints_nothing(tmp_path):
    folder = ORACLE.here / "cases" / "r01_identical"
    done = invoke(["official", "i2b2-2014-risk", "cr", tmp_path, folder / "gold"])
    assert (done.exit_code, done.stdout) == (0, "")


def test_a_word_that_the_script_does_not_know_is_warned_of():
    folder = ORACLE.here / "cases" / "r35_filter_readme"
    shown = call(folder, "before DCT")
    warning = 'WARNING: could not find valid class attribute for "before DCT", + skipping.\n'
    assert shown == warning + call(folder)
