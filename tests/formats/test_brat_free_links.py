"""Relations of any scheme in brat's files: roles of any name, events as ends, equivalences."""

import pytest

from clineval import InputError
from clineval.formats.brat.columns import read_files
from clineval.formats.brat.standoff import open_files
from clineval.results.slots import Slot

pytestmark = pytest.mark.filterwarnings("ignore:.*event:clineval.InputWarning")
MENTIONS = "T1\tDrug 0 4\tdrug\nT2\tSign 5 9\tsign\nT3\tSign 10 14\tsign\n"


def read(lines):
    """The relations of a file: type, source and target."""
    side = read_files(open_files(MENTIONS + lines), Slot("label", "label"), free=True)
    relations = side.relations
    label = [relations.label.values[at] for at in relations.label.ids.tolist()]
    return [*zip(label, relations.source.tolist(), relations.target.tolist(), strict=True)]


@pytest.mark.parametrize(
    ("lines", "expected"),
    [
        ("R1\tR Arg1:T1 Arg2:T2\n", [("R", 0, 1)]),
        ("R1\tR Arg2:T1 Arg1:T2\n", [("R", 1, 0)]),
        ("R1\tPart-of Whole:T3 Part:T2\n", [("Part-of", 2, 1)]),
        ("E1\tRaise:T2 Theme:T1\nE2\tFall:T3\nR1\tBefore Arg1:E1 Arg2:E2\n", [("Before", 1, 2)]),
        ("*\tEquiv T3 T1 T2\n", [("Equiv", 2, 0), ("Equiv", 2, 1)]),
        ("E1\tRaise:T2\n*\tEquiv E1 T1\n", [("Equiv", 1, 0)]),
        ("A1\tNegated T1\n#1\tAnnotatorNotes T1\tx\n", []),
    ],
)
def test_they_are_read(lines, expected):
    assert read(lines) == expected


@pytest.mark.parametrize(
    ("lines", "problem"),
    [
        ("R1\tR Arg1:T1\n", "4: expected R1<tab>Type"),
        ("R1\tR Arg1:T1 Arg2:T9\n", "4: one of these ids"),
        ("R1\tR Arg1:T1 Arg2:E1\n", "4: one of these ids"),
        ("R1\tR Arg1:T1 Arg2:T1\n", "4: the relation connects a mention with itself"),
        ("R1\tR Arg1:T1 Arg2:T2\nR1\tR Arg1:T1 Arg2:T3\n", "5: the id occurs twice"),
        ("*\tEquiv T1\n", "4: expected [*]<tab>Type"),
        ("*\tEquiv T1 T9\n", "4: one of these ids"),
        ("E1\tRaise:T1\nR1\tR Arg1:E1 Arg2:T1\n", "5: the relation connects a mention with itself"),
    ],
)
def test_malformed_lines_are_rejected(lines, problem):
    with pytest.raises(InputError, match=problem):
        read(lines)
