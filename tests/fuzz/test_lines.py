"""Lines that end in another way, or do not end: the same scores, or a refusal."""

import pytest
from canary import SECRET
from hypothesis import given
from hypothesis import strategies as st
from thorough import each_case, thorough

import clineval
from clineval.formats.checking import find_problems
from clineval.results.registry import NAMES, find_challenge
from fuzz.contract import FEW, keep, share
from fuzz.test_python import ONE_PLACE, files_of, validate

OTHERS = {
    ("livingner22", "app"): ("gold_app.tsv", "tagger_app.tsv"),
    ("medprocner23", "index"): ("gold_index.tsv", "tagger_index.tsv"),
    ("cantemist20", "coding"): ("gold_coding.tsv", "tagger_coding.tsv"),
    ("cantemist20", "codingf1"): ("gold_coding.tsv", "tagger_coding.tsv"),
    ("codiesp20", "X"): ("gold_X.tsv", "dictionary_X.tsv"),
    ("pharmaconer19", "indexing"): ("gold_codes", "tagger_codes"),
}
"""Files of configurations that score another layout than the demo's."""
LINED = [
    *((name, "default") for name in NAMES if not files_of(name)[0][0].endswith(".json")),
    *OTHERS,
]
"""What is scored line by line; of the others, JSON says what a line end is."""


def lined_files(name, config):
    """Name and text of the file of each side."""
    if (name, config) not in OTHERS:
        return files_of(name)
    paths = [find_challenge(name).task.corpora / path for path in OTHERS[name, config]]
    files = [min(path.iterdir()) if path.is_dir() else path for path in paths]
    return [(file.name, file.read_text("utf-8")) for file in files]


def has_header(name, config):
    return lined_files(name, config)[1][1].startswith("file")


FAST = (("medprocner23", "default"), ("livingner22", "app"))
TABLES = [
    case if case in FAST else pytest.param(*case, marks=thorough)
    for case in LINED
    if has_header(*case)
]
TESTS = len(LINED) + len(TABLES)


def score(name, found, gold, **way):
    return keep(lambda: clineval.score(name, found, gold, **way).as_dict())


def ways_of(data, name, config):
    """A protocol that has the configuration, with it."""
    protocol = data.draw(st.sampled_from(sorted(find_challenge(name).protocols)))
    known = [config] if (name, config) in OTHERS else list(find_challenge(name).task.configs)
    return {"config": data.draw(st.sampled_from(known)), "protocol": protocol}


@st.composite
def rows_of(draw, text):
    """The first line of a file, and some of the others in some order."""
    first, *others = text.splitlines()
    size = draw(st.integers(0, min(len(others), 12)))
    return first, draw(st.permutations(others))[:size]


@pytest.mark.parametrize(("name", "config"), each_case(LINED))
@share("lines", TESTS, each=5, few=min(4, FEW), suppress_health_check=ONE_PLACE)
@given(data=st.data())
def test_line_ends(name, config, data, place):
    """What is scored does not depend on how lines end, unless the file is refused as a whole."""
    (own, gold), (_, found) = lined_files(name, config)
    first, rows = data.draw(rows_of(found))
    end = data.draw(st.sampled_from(["\r", "\r", "\r\n", "one"]))
    odd = data.draw(st.integers(0, len(rows)))
    ends = ["\n"] * len(rows)
    ends = [*ends[:odd], "\r", *ends[odd:]] if end == "one" else [end] * (len(rows) + 1)
    way = ways_of(data, name, config)
    usual, other = place / "usual" / own, place / "other" / own
    for path, between in ((usual, ["\n"] * len(ends)), (other, ends)):
        path.parent.mkdir(exist_ok=True)
        lines = zip((first, *rows), between, strict=True)
        path.write_bytes("".join(map("".join, lines)).encode())
    sides = [(usual, gold), (other, gold)]
    if data.draw(st.booleans()):
        sides = [(gold, usual), (gold, other)]
    expected, result = (score(name, *side, **way) for side in sides)
    assert result is None or result == expected
    if expected is not None and way == {"config": "default", "protocol": "spec"}:
        said = problems_of(name, other)
        assert said or result == expected, "a check finds what a score refuses"


def problems_of(name, path):
    found = keep(lambda: list(find_problems(find_challenge(name), [path])))
    return found is None or found


@pytest.mark.parametrize(("name", "config"), TABLES)
@share("lines", TESTS, each=2, few=min(4, FEW), suppress_health_check=ONE_PLACE)
@given(data=st.data())
def test_rows_in_a_header(name, config, data, place):
    """A row behind the header, as where a line end is lost, is refused, and is in no message."""
    (own, gold), (_, found) = lined_files(name, config)
    header, rows = data.draw(rows_of(found))
    row = data.draw(st.sampled_from(found.splitlines()[1:])).split("\t")
    row[data.draw(st.integers(1, len(row) - 1))] = SECRET
    between = data.draw(st.sampled_from(["\t", "\r", "\r\t", " ", "\x0b", "\x1c", "\u2028"]))
    path = place / own
    header = f"{header}{between}" + "\t".join(row)
    path.write_bytes("".join(f"{line}\n" for line in (header, *rows)).encode())
    way = ways_of(data, name, config)
    sides = (path, gold) if data.draw(st.booleans()) else (gold, path)
    refused = score(name, *sides, **way) is None
    if between != "\r":
        assert refused
    if way == {"config": "default", "protocol": "spec"}:
        keep(lambda: validate(name, path))
