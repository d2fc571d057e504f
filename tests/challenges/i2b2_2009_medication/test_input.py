"""Bad input of the i2b2 2009 challenge: messages name file, line and field, and no text."""

import laws
import pytest

import clineval

NAME = "i2b2_2009_medication"
GOOD = 'm="lantus" 1:1 1:1||ln="list"\n'
SECRET = ("Szymanowski", "kidney")


def call(found, gold=GOOD, **options):
    return lambda: clineval.score(NAME, [found], [gold], **options)


@pytest.mark.parametrize("protocol", ["spec", "official"])
@pytest.mark.parametrize(
    ("line", "said"),
    [
        ('m="Szymanowski" 5:1', ["m: expected offsets such as 5:1 5:3"]),
        ('m="Szymanowski" 5:1 5:3 5:4', ["m: expected offsets"]),
        ('m="Szymanowski" 5:1 5:3,', ["m: expected offsets"]),
        ('m="Szymanowski" a:1 5:3', ["m: expected offsets"]),
        ('m="Szymanowski" 5:1 5:1234567', ["m: expected offsets", "6 digits"]),
        ('m="x" 1:1 1:1||do="kidney"', ["do: the field has no offsets", 'Write do="nm"']),
        ('m="x" 1:1 1:1||do="nm" 1:1 1:1', ["do: a field that is nm has no offsets"]),
        ('m="x" 1:1 1:1||q="Szymanowski" 1:1 1:1', ["unknown field 'q'", "m, do, mo, f, du, r"]),
        ('m="x" 1:1 1:1||do="a" 1:1 1:1||do="b" 1:2 1:2', ["do: the field occurs twice"]),
        ('do="kidney" 1:1 1:1', ["the entry has no medication", "Give every entry a field m"]),
        ('m="nm"||do="kidney" 1:1 1:1', ["the entry has no medication"]),
        ('m="x" 1:1 1:1||Szymanowski kidney', ["expected fields such as"]),
        ('m="x" 1:1 1:1||m=kidney', ["expected fields such as"]),
        (
            'm="x" 1:1 1:1||ln="Szymanowski kidney"',
            ["ln: expected list or narrative, got a string"],
        ),
        ('m="x" 0:1 1:1', ["field m: there is no line 0", "lines count from 1"]),
        ('m="x" 1:1 1:1||do="y" 1:4 2:1', ["field do: the field crosses lines", "--records DIR"]),
    ],
)
def test_lines_that_cannot_be_read_are_refused(line, said, protocol, tmp_path):
    laws.refuses(
        call(f"{GOOD}\n{line}\n", protocol=protocol), "predictions, record 0:3", *said, text=SECRET
    )
    (tmp_path / "17.i2b2.entries").write_text(f"{GOOD}{line}\n")
    laws.refuses(
        lambda: clineval.score(NAME, tmp_path, tmp_path, protocol=protocol),
        f"{tmp_path.name}/17.i2b2.entries:2", *said, text=SECRET,
    )  # fmt: skip


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ('m="kidney" 1:3 1:1', "field m: the offsets end before they begin"),
        ('m="x" 1:1 1:1||r="kidney" 3:1 1:1', "field r: the offsets end before they begin"),
        ('m="kidney" 1:0 1:2,1:1 1:3', "field m: two fragments overlap"),
        ('m="kidney" 1:1 1:4', "field m: token 4 is beyond the line, which has 4 tokens"),
        ('m="kidney" 2:1 2:1', "field m: token 1 is beyond the line, which has 1 tokens"),
        (
            'm="x" 1:1 1:1||r="kidney" 9:0 9:0',
            "field r: there is no line 9, lines count from 1 to 3",
        ),
    ],
)
def test_offsets_that_are_not_in_the_record_are_refused(line, said):
    records = ["a b c d\n\ne f"]
    laws.refuses(call(f"{line}\n", records=records), "predictions, record 0:1", said, text=SECRET)


def test_a_blank_before_a_line_is_a_token_as_one_within_it_is():
    said = "token 4 is beyond the line, which has 3 tokens"
    for line in (" a b", "a  b"):
        laws.refuses(call('m="b" 1:1 1:4\n', records=[line]), said, text=SECRET)


LANTUS = {"text": "lantus", "offsets": [[1, 1, 1, 1]]}


@pytest.mark.parametrize(
    ("entry", "said"),
    [
        ({"do": LANTUS}, "the entry has no medication"),
        ({"m": None}, "the entry has no medication"),
        ({"m": LANTUS, "dosage": LANTUS}, "unknown field 'dosage'"),
        ({"m": "kidney"}, "m: expected a dict with 'text' and 'offsets', or None, got 'kidney'"),
        ({"m": {"text": "kidney"}}, "m: expected a dict"),
        ({"m": {"offsets": []}}, "m: the field has no offsets"),
        ({"m": {"offsets": [[1, 1]]}}, "m: expected a fragment [line, token, line, token]"),
        ({"m": {"offsets": [[1, 1, 1, 1.5]]}}, "m: expected a fragment"),
        ({"m": {"offsets": [[1, 1, 1, True]]}}, "m: expected a fragment"),
        ({"m": {"offsets": "1:1 1:1"}}, "m: expected offsets such as [[5, 1, 5, 3]]"),
        ({"m": {"offsets": 7}}, "m: expected offsets"),
        ({"m": {"offsets": [[1, -1, 1, 1]]}}, "m: fragment 1:-1 1:1: expected numbers from 0"),
        ({"m": {"offsets": [[1, 1, 1, 10**6]]}}, "expected numbers from 0 to 999999"),
        ({"m": {"offsets": [[1, 1, 1, 10**30]]}}, "expected numbers from 0 to 999999"),
        ({"m": LANTUS, "ln": "prose"}, "ln: expected list or narrative, got 'prose'"),
        ([LANTUS], "expected a dict, got a list"),
    ],
)
def test_dicts_that_cannot_be_read_are_refused(entry, said):
    found = [[{"m": LANTUS}], [{"m": LANTUS}, entry]]
    laws.refuses(
        lambda: clineval.score(NAME, found, [[], []]), "predictions, record 1, entry 1", said,
        text=SECRET[:1],
    )  # fmt: skip


def test_offsets_of_dicts_are_judged_like_those_of_files():
    reversed_ = {"m": {"text": "x", "offsets": [[1, 3, 1, 1]]}}
    laws.refuses(
        lambda: clineval.score(NAME, [[reversed_]], [[]]), "predictions, record 0, entry 0, field m"
    )
    laws.refuses(
        lambda: clineval.score(NAME, [[]], [[{"m": {"offsets": [[0, 0, 0, 0]]}}]]),
        "references, record 0, entry 0, field m", "there is no line 0",
    )  # fmt: skip


@pytest.mark.parametrize(
    ("found", "said"),
    [
        (7, "predictions: expected a list with one item for each record, or a path, got 7"),
        ({"a": 7}, "predictions, record a: expected a list of entries, got 7"),
        ([7], "predictions, record 0: expected a list of entries, got 7"),
        ([{"m": LANTUS}], "predictions, record 0: expected a list of entries, got a dict"),
        (["[{", "m"], "expected every string to be JSON"),
        ([], "got 0 documents with predictions and 1 with references"),
        ([[], []], "2 documents with predictions and 1 with references"),
        ("no/such/place", "no such file or directory"),
    ],
)
def test_sides_that_cannot_be_read_are_refused(found, said):
    laws.refuses(lambda: clineval.score(NAME, found, [[]]), said)


def test_numpy_integers_are_integers():
    import numpy as np

    found = [[{"m": {"offsets": [np.array([1, 1, 1, 2])]}}]]
    gold = [[{"m": {"offsets": [[1, 1, 1, 2]]}}]]
    assert clineval.score(NAME, found, gold)["exact_horizontal_system_f1"] == 1


def test_records_on_one_side_only_are_listed(tmp_path):
    for side, names in (("gold", "12"), ("sys", "23")):
        (tmp_path / side).mkdir()
        for name in names:
            (tmp_path / side / f"{name}.i2b2.entries").write_text(GOOD)
    with pytest.warns(clineval.InputWarning) as warned:
        result = clineval.score(NAME, tmp_path / "sys", tmp_path / "gold")
    said = sorted(str(warning.message) for warning in warned)
    assert said == [
        "1 document has no predictions and counts as all missed: 1",
        "1 predicted document is not in the gold standard and counts as all spurious: 3",
    ]
    assert result["exact_horizontal_system_f1"] == 0.5
    assert result["n_documents"] == 3


def test_records_without_text_are_listed():
    entries = [GOOD, GOOD]
    with pytest.warns(clineval.InputWarning, match="1 record has no text.*: 1"):
        clineval.score(NAME, entries, entries, records={"0": "a b"})


@pytest.mark.parametrize(
    ("records", "said"),
    [
        (["a", "b"], "records: expected 1 texts"),
        ([7], "text of 0: expected a string, got 7"),
        (7, "records: expected a list, a mapping or a directory, got 7"),
        ("no/such/place", "place: no such directory"),
    ],
)
def test_records_that_cannot_be_read_are_refused(records, said):
    laws.refuses(call(GOOD, records=records), said)
