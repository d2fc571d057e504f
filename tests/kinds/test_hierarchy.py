"""Hierarchies of codes: files, mappings and names; levels and ancestors, against plain loops."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from clineval import InputError, InputWarning
from clineval.definitions import hierarchy
from clineval.formats.hierarchies import read_hierarchy
from clineval.kinds.codes.hierarchy import Hierarchy

TWO_PARENTS = {
    "pneumonia": ["lung", "infection"],
    "flu": ["infection"],
    "asthma": ["lung"],
    "lung": None,
    "infection": None,
}


def write(folder, text, name="tree.csv"):
    path = folder / name
    path.write_text(text, "utf-8")
    return path


def names(hierarchy, codes, lists):
    every = (*hierarchy.codes, *codes)
    owner, values = lists.spread(np.arange(len(codes)))
    found = [set() for _ in codes]
    for at, value in zip(owner.tolist(), values.tolist(), strict=True):
        found[at].add(every[value])
    return found


def lineage(parents, codes):
    """Codes with their ancestors, and the codes at each level, as sets of names."""
    hierarchy = read_hierarchy(parents)
    lineage = hierarchy.trace(codes)
    return names(hierarchy, codes, lineage.nodes), [
        names(hierarchy, codes, lineage.at_level(level)) for level in hierarchy.levels
    ]


def test_a_code_with_two_parents():
    nodes, (tops, below) = lineage(TWO_PARENTS, ["pneumonia", "lung", "unknown"])
    assert nodes == [{"pneumonia", "lung", "infection"}, {"lung"}, {"unknown"}]
    assert tops == [{"lung", "infection"}, {"lung"}, {"unknown"}]
    assert below == [{"pneumonia"}, {"lung"}, {"unknown"}]


def test_a_single_top_is_left_out():
    rooted = {"A": "root", "A1": "A", "B": "root"}
    nodes, levels = lineage(rooted, ["A1", "B", "root"])
    assert nodes == [{"A1", "A"}, {"B"}, set()]
    assert levels == [[{"A"}, {"B"}, set()], [{"A1"}, {"B"}, set()]]
    assert list(read_hierarchy(rooted).levels) == [1, 2]


@st.composite
def hierarchies(draw):
    """Codes with parents among the codes before them."""
    size = draw(st.integers(1, 12))
    return {
        f"c{at}": [f"c{above}" for above in draw(st.sets(st.integers(0, at - 1), max_size=3))]
        if at
        else []
        for at in range(size)
    }


@given(hierarchies())
def test_ancestors_and_levels_are_those_of_plain_loops(parents):
    tree = hierarchy.Tree(parents)
    codes = [*parents, "unknown"]
    nodes, levels = lineage(parents, codes)
    assert nodes == [tree.extend(code) for code in codes]
    assert list(read_hierarchy(parents).levels) == tree.levels
    for level, found in zip(tree.levels, levels, strict=True):
        assert found == [tree.cut(code, level) for code in codes]


def test_files_and_mappings_are_the_same(tmp_path):
    lines = [(code, above) for code, each in TWO_PARENTS.items() for above in each or [""]]
    commas = "code,parent\n" + "".join(f"{code},{above}\n" for code, above in lines)
    tabs = "name\tparent\tcode\n" + "".join(f"a b\t{above}\t{code}\n" for code, above in lines)
    quoted = 'Code,"parent"\r\n' + "".join(f'"{code}","{above}"\r\n' for code, above in lines)
    mapped = read_hierarchy(TWO_PARENTS)
    for text in (commas, tabs, quoted):
        found = read_hierarchy(write(tmp_path, text))
        assert found.codes == mapped.codes
        assert found.parents.values.tolist() == mapped.parents.values.tolist()
        assert len(found.name) == len(mapped.name) == 12
    assert read_hierarchy(write(tmp_path, commas + "\n\n")).codes == mapped.codes


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("code;parent\nA;B\n", r"tree.csv:1: expected a header with the columns code and parent"),
        ("A,B\n", r"tree.csv:1: expected a header"),
        ("", r"tree.csv:1: expected a header"),
        ("code,parent\n", r"hierarchy: expected lines with a code and its parent, got none"),
        ("code,parent\nA,B\nC\n", r"tree.csv:3: expected 2 columns, got 1"),
        ("code,parent\n,B\n", r"tree.csv:2: expected codes without blanks, got a string of 0"),
        ("code,parent\nA,a b\n", r"tree.csv:2: expected codes without blanks"),
        ("code,parent\nA,A\n", r"its own ancestor, by the lines .*tree.csv:2$"),
        (
            "code,parent\nX,A\nA,B\nB,C\nC,A\nC,D\n",
            r"its own ancestor, by the lines .*tree.csv:3, .*tree.csv:4, .*tree.csv:5$",
        ),
        ("code,parent\nA,\nA,B\n", r"tree.csv:3: the code has a parent here, and none in .*csv:2"),
    ],
)
def test_wrong_files(tmp_path, text, message):
    with pytest.raises(InputError, match=message):
        read_hierarchy(write(tmp_path, text))


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ("icd11", "hierarchy: unknown hierarchy 'icd11', expected one of icd9cm"),
        ("icd10+icd12", "unknown hierarchy 'icd12'"),
        ("nowhere.csv", "nowhere.csv: no such file"),
        (3, "hierarchy: expected a file of codes and parents, a mapping .*, got 3"),
        ({"A": 3}, "hierarchy: expected codes and parents, got 3"),
        ({"A": "B", "B": "A"}, "hierarchy: a code is its own ancestor"),
    ],
)
def test_wrong_values(given, message):
    with pytest.raises(InputError, match=message):
        read_hierarchy(given)


@pytest.mark.parametrize("cell", ["B", '"B"', " B "])
def test_lines_keep_their_numbers_however_cells_are_written(tmp_path, cell):
    path = write(tmp_path, f"code,parent\n\nA,{cell}\n\nB,C\nC,A\n")
    places = r"the lines .*tree.csv:3, .*tree.csv:5, .*tree.csv:6$"
    with pytest.raises(InputError, match=places):
        read_hierarchy(path)


def test_repeated_lines_count_once(tmp_path):
    with pytest.warns(InputWarning, match="^1 line of the hierarchy repeats another one"):
        found = read_hierarchy(write(tmp_path, "code,parent\nA,B\nA,B\n"))
    assert found.parents.values.tolist() == [1]


def test_codes_that_are_compared_as_equal_are_one_code():
    found = Hierarchy.of("x", [("a1", "A"), ("A1", "B"), ("b", "")])
    with pytest.warns(InputWarning, match="2 codes of the hierarchy are compared as equal"):
        folded = found.over([], str.lower)
    assert names(folded, ["a1", "b"], folded.trace(["a1", "b"]).nodes) == [{"a1", "a", "b"}, {"b"}]
    circle = Hierarchy.of("x", [("a", "b"), ("B", "A")])
    with (
        pytest.warns(InputWarning, match="compared as equal"),
        pytest.raises(InputError, match="because codes differ only in upper and lower case"),
    ):
        circle.over([], str.lower)


@pytest.mark.parametrize(
    ("name", "codes"),
    [
        ("icd9cm", {"401.9": "401", "V58.61": "V58.6 V58", "e888.9": "e888", "E8889": "E888"}),
        ("icd9cm", {"38.93": "38.9 38", "4019": "401", "250.00": "250.0 250", "486": ""}),
        ("icd10", {"I25.10": "I25.1 I25", "i2510": "i251 i25", "I10": ""}),
        ("icd10cm", {"S52.044Q": "S52.044 S52.04 S52.0 S52", "C7A.00": "C7A.0 C7A"}),
        ("icd10pcs", {"02TN": "02T 02 0", "0PSGXZZ": "0PSGXZ 0PSGX 0PSG 0PS 0P 0"}),
        ("atc", {"A10BA02": "A10BA A10B A10 A", "A10B": "A10 A"}),
        ("icd10cm+icd10pcs", {"n44.8": "n44", "bw03zzz": "bw03zz bw03z bw03 bw0 bw b"}),
    ],
)
def test_names_follow_from_prefixes(name, codes):
    hierarchy = read_hierarchy(name).over(codes, str)
    nodes = names(hierarchy, [*codes], hierarchy.trace([*codes]).nodes)
    assert nodes == [{code, *above.split()} for code, above in codes.items()]


@pytest.mark.parametrize(
    ("name", "code"),
    [("atc", "A1"), ("atc", "A10BA0"), ("icd10", "I10."), ("icd10", "C7A"), ("icd9cm", "3.8")],
)
def test_other_forms_of_codes_are_unknown(name, code):
    assert not read_hierarchy(name).knows(code, str)
