"""Clinical TempEval: unusual files in the program, and by the definition."""

import shutil

import pytest
from commands import invoke
from conftest import DATA
from laws import refuses

import clineval
from clineval import InputError, InputWarning

NAME = "clinical_tempeval"
CASES = DATA / "oracle" / NAME / "cases"
REFUSED = {
    "a21": r"gold/.*gold\.completed\.xml:\d+: Target: expected the id of an entity",
    "a22": r"system/.*system\.completed\.xml:\d+: Target: expected the id of an entity",
    "a26": r"gold/ID001_clinic_001: expected one file, got 2\. Choose it by a regular expression",
    "a27": r"gold/.*:10: the id of another annotation of the file",
    "a28": r"system/.*:2: not well-formed XML",
    "a29": r"system/.*:9: expected entity or relation, got another element",
    "a30": r"system/.*:9: span: expected pairs of numbers such as 10,15;20,25",
    "a34": r"gold/.*:\d+: a mention has no fragment",
}


def sides_of(case):
    [folder] = CASES.glob(f"{case}_*")
    return folder / "system", folder / "gold"


def count(case, key, protocol="spec"):
    score = clineval.score(NAME, *sides_of(case), protocol=protocol)
    return tuple(score[f"{key}_{verdict}"] for verdict in ("tp", "fp", "fn"))


@pytest.mark.filterwarnings("ignore::clineval.InputWarning")
@pytest.mark.parametrize(
    ("case", "key", "spec", "official"),
    [
        ("a05", "event_span", (2, 0, 0), (1, 1, 1)),
        ("a08", "event_polarity", (1, 1, 0), (1, 1, 0)),
        ("a13", "event_type", (0, 1, 0), (1, 1, 1)),
        ("a14", "timex3_class", (0, 0, 0), (0, 1, 1)),
        ("a15", "timex3_class", (1, 0, 0), (0, 1, 1)),
        ("a20", "links_as_written", (1, 0, 0), (1, 0, 0)),
        ("a24", "event_span", (2, 0, 1), (2, 0, 1)),
        ("a25", "event_span", (2, 1, 0), (2, 0, 0)),
        ("a31", "event_span", (1, 0, 1), (1, 0, 1)),
        ("a33", "event_polarity", (1, 0, 0), (1, 0, 0)),
    ],
)
def test_rules_that_differ(case, key, spec, official):
    assert count(case, key) == spec
    assert count(case, key, "official") == official


@pytest.mark.parametrize("case", REFUSED)
def test_what_is_refused(case):
    with pytest.raises(InputError, match=REFUSED[case]):
        clineval.score(NAME, *sides_of(case))


def test_an_end_that_is_not_annotated_makes_the_link_wrong():
    with pytest.warns(InputWarning, match="predictions: 1 end of a link is no entity of the file"):
        assert count("a19", "links_as_written") == (0, 1, 1)
    [folder] = CASES.glob("a19_*")
    with pytest.warns(InputWarning, match="no entity"):
        score = clineval.score(NAME, folder / "system", folder / "system")
    assert (score["links_as_written_tp"], score["links_written_f1"]) == (0, 0)
    message = "temporal closure requires links between two annotations. The program stops here"
    refuses(lambda: count("a19", "links_written", "official"), message)


def test_zeros_are_ones_in_the_program():
    for protocol, value in (("spec", 0), ("official", 1)):
        score = clineval.score(NAME, *sides_of("a09"), protocol=protocol)
        assert (score["event_span_precision"], score["event_span_f1"]) == (value, 0)
        score = clineval.score(NAME, *sides_of("a10"), protocol=protocol)
        assert (score["event_span_recall"], score["event_span_f1"]) == (value, 0)


def test_a_cycle_implies_nothing():
    mentions = [
        {"id": name, "spans": [[at, at + 1]], "label": "EVENT"} for at, name in enumerate("abc")
    ]
    pairs = ("ab", "bc", "ca"), ("ac", "bc")
    found, gold = (
        {
            "mentions": mentions,
            "relations": [{"label": "CONTAINS", "from": a, "to": b} for a, b in ends],
        }
        for ends in pairs
    )
    for protocol, recall in (("spec", 0.5), ("official", 1)):
        score = clineval.score(NAME, [found], [gold], protocol=protocol)
        assert score["links_written_recall"] == recall


def test_overlapping_spans_are_paired_one_to_one():
    assert count("a37", "event_overlap") == (1, 1, 1)


def test_a_pattern_chooses_files(tmp_path):
    [folder] = CASES.glob("a26_*")
    score = clineval.score(
        NAME, folder / "system", folder / "gold", xml_names=r"(gold|system)\.completed"
    )
    assert score["event_span_tp"] == 1
    other = tmp_path / "system" / "ID001_clinic_001"
    shutil.copytree(next((folder / "system").iterdir()), other)
    for path in other.iterdir():
        if "system2" in path.name:
            path.unlink()
        else:
            path.rename(other / "result.xml")
    score = clineval.score(NAME, tmp_path / "system", folder / "gold", xml_names=r"gold\.comp")
    assert score["event_span_tp"] == 1
    message = "xml_names: expected a regular expression"
    refuses(lambda: clineval.score(NAME, other, other, xml_names="("), message)


def test_the_stand_in_reads_other_names(monkeypatch):
    [folder] = CASES.glob("a26_*")
    monkeypatch.chdir(folder)
    call = ["official", "anafora-evaluate", "-r", "gold", "-p", "system"]
    done = invoke([*call, "-x", r"(gold|system)\.completed"])
    assert "expected one" not in done.stderr
    both = invoke([*call, "--temporal-closure", "--overlap"])
    assert "cannot be combined" in str(both.exception)


def test_a_document_type_and_other_encodings_are_refused():
    body = "<data><annotations></annotations></data>"
    for head, message in (
        ('<!DOCTYPE data [<!ENTITY a "b">]>', "document types"),
        ('<?xml version="1.0" encoding="latin-1"?>', "expected encoding UTF-8"),
    ):
        refuses(lambda head=head: clineval.score(NAME, [head + body], [body]), message)
    commented = f"<!-- <!DOCTYPE data> -->{body}"
    assert clineval.score(NAME, [commented], [body])["n_documents"] == 1


def test_a_text_that_is_not_utf_8_does_not_matter(tmp_path):
    [folder] = CASES.glob("a02_*")
    gold = shutil.copytree(folder / "gold", tmp_path / "gold")
    [document] = gold.iterdir()
    (document / document.name).write_bytes(b"caf\xe9")
    with pytest.warns(InputWarning, match="1 text is not UTF-8, and is not shown"):
        score = clineval.score(NAME, folder / "system", gold)
    assert score.values == clineval.score(NAME, folder / "system", folder / "gold").values
    (document / document.name).write_text("one two three four five", "utf-8")
    evaluation = clineval.evaluate(NAME, folder / "system", gold)
    assert evaluation.corpus.texts == {0: "one two three four five"}
