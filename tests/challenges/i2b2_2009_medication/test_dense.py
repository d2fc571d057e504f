"""The i2b2 2009 medication challenge on records whose entries all overlap."""

import subprocess
import sys

import dense_entries
import laws
import pytest
from conftest import ROOT
from plain import i2b2_2009_medication_script as script
from thorough import thorough

import clineval
from clineval.challenges.i2b2_2009_medication import alignment, official
from clineval.challenges.i2b2_2009_medication import definition as plain
from clineval.formats.entry_lines import read_entries
from clineval.kinds.entries.entry import FIELD_NAMES, FIELDS
from clineval.kinds.mentions import batches

NAME = "i2b2_2009_medication"
LINES = [150] * 6
TEXT = "\n".join(" ".join("x" * size) for size in LINES)


def score(predictions, references, **options):
    return clineval.score(NAME, predictions, references, **options).as_dict()


def read(texts):
    return [[entry.as_dict() for entry in read_entries(text)[""]] for text in texts]


@pytest.fixture(params=[1 << 20, 50], ids=["whole", "in_parts"])
def at_once(request, monkeypatch):
    """Pairs are looked at part by part: here all together, and a few at a time."""
    monkeypatch.setattr(batches, "AT_ONCE", request.param)
    monkeypatch.setattr(official, "AT_ONCE", request.param)


@pytest.mark.usefixtures("at_once")
@pytest.mark.parametrize("kind", dense_entries.KINDS)
class TestAgainstThePlainScorers:
    def test_spec(self, kind):
        corpus = dense_entries.make(kind, 30, seed=1)
        expected = plain.score(*map(read, corpus), [TEXT])
        result = score(*corpus)
        assert {key: result[key] for key in expected} == pytest.approx(expected, abs=1e-12)

    def test_official(self, kind):
        found, gold = dense_entries.make(kind, 45, seed=2)
        result = score(found, gold, protocol="official")
        of_script = script.score(*(_by_name(side) for side in (gold, found)), {"0": LINES})
        for match in ("exact", "inexact"):
            for tag in ("X", *FIELDS):
                name = "horizontal" if tag == "X" else f"vertical_{FIELD_NAMES[FIELDS.index(tag)]}"
                direction = name.partition("_")[0]
                ours = [
                    result[f"{match}_{name}_patient_{measure}"]
                    for measure in ("f1", "precision", "recall")
                ]
                values = of_script[match, direction, "patient", tag]
                assert ours == pytest.approx(values, abs=1e-12)

    def test_the_order_of_entries_does_not_matter(self, kind):
        found, gold = map(read, dense_entries.make(kind, 25, seed=3))
        laws.order_of_units_does_not_matter(score, found, gold, seed=4)


def _by_name(texts):
    return {
        str(number): [
            {tag: list(phrase.offsets) for tag, phrase in entry.fields.items()}
            for entry in read_entries(text)[""]
        ]
        for number, text in enumerate(texts)
    }


@pytest.mark.usefixtures("at_once")
def test_records_are_aligned_each_for_itself():
    corpora = [dense_entries.make(kind, 12, seed=5) for kind in dense_entries.KINDS]
    found, gold = ([side for corpus in corpora for side in corpus[k]] for k in (0, 1))
    for protocol in ("spec", "official"):
        rows = clineval.score(NAME, found, gold, protocol=protocol).per_document
        for row, one, other in zip(rows, found, gold, strict=True):
            alone = score([one], [other], protocol=protocol)
            shared = {key: row[key] for key in row if key != "document"}
            assert shared == {key: alone[key] for key in shared}


class TestTooManyPairs:
    @pytest.mark.parametrize("protocol", ["spec", "official"])
    def test_are_refused(self, monkeypatch, protocol):
        monkeypatch.setattr(alignment, "MOST_PAIRS", 100)
        few, many = ("".join(dense_entries.make("same", size)[0]) for size in (10, 11))
        assert score([few], [few], protocol=protocol)["exact_horizontal_system_f1"] == 1
        laws.refuses(
            lambda: score([few, few], [few, many], protocol=protocol),
            "record 1: gold and predicted medications overlap in more than 4,000,000 pairs",
            "Check the offsets",
        )

    def test_are_counted_only_where_medications_overlap(self, monkeypatch):
        monkeypatch.setattr(alignment, "MOST_PAIRS", 100)
        apart = "".join(f'm="x" {line}:0 {line}:3\n' for line in range(1, 90))
        assert score([apart], [apart])["exact_horizontal_system_f1"] == 1


TWO_THOUSAND = """
import resource, sys
import clineval, dense_entries
found, gold = dense_entries.make(sys.argv[1], 2000)
result = clineval.score("i2b2_2009_medication", found, gold, protocol=sys.argv[2]).as_dict()
print(result["exact_horizontal_system_f1"])
unit = 1 if sys.platform == "darwin" else 1024
print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * unit)
"""


@thorough
@pytest.mark.parametrize(
    ("kind", "protocol"), [("nested", "spec"), ("same", "official"), ("nested", "official")]
)
def test_two_thousand_entries_a_side_need_less_than_a_gigabyte(kind, protocol):
    """The official protocol sorts near ties of nested medications into another order."""
    pytest.importorskip("resource")
    ran = subprocess.run(
        [sys.executable, "-c", TWO_THOUSAND, kind, protocol],
        check=True, capture_output=True, text=True, cwd=ROOT / "tests",
    )  # fmt: skip
    f1, peak = map(float, ran.stdout.split())
    assert peak < 1e9
    assert (f1 == 1) == ((kind, protocol) != ("nested", "official"))
