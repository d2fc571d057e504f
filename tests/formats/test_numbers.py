"""Numbers of thousands of digits and beyond all machines: read or refused, in every format."""

import laws
import pyarrow as pa
import pytest

import clineval
from clineval import InputError, Mention

DIGITS = ["9" * 5000, "9" * 20, str(2**63), str(2**31)]
CON = 'c="x" 1:{} 1:1||t="problem"\n'
BIOC = (
    "<collection><document><id>1</id><passage><annotation id='1'><infon key='type'>Disease</infon>"
    "<infon key='MESH'>D1</infon><location offset='{}' length='1'/></annotation></passage>"
    "</document></collection>"
)
FILES = {
    ("i2b2_2010", "a.con"): CON,
    ("bc5cdr", "a.PubTator"): "1\t0\t{}\tx\tDisease\tD1\n",
    ("bc5cdr", "a.xml"): BIOC,
    ("meddocan19", "a.ann"): "T1\tPAIS 0 {}\tx\n",
    ("livingner22", "a.tsv"): "filename\tlabel\toff0\toff1\tspan\nd\tHUMAN\t0\t{}\tx\n",
    ("distemist22", "a.tsv"): "filename\tlabel\toff0\toff1\tspan\nd\tENFERMEDAD\t0\t{}\tx\n",
    (
        "symptemist23",
        "a.tsv",
    ): "filename\tlabel\tstart_span\tend_span\ttext\nd\tSINTOMA\t0\t{}\tx\n",
    ("cantemist20", "a.ann"): "T1\tMORFOLOGIA_NEOPLASIA 0 {}\tx\n",
    ("toxhabits25", "a.tsv"): "filename\tlabel\toff0\toff1\tspan\nd\tDrug\t0\t{}\tx\n",
    ("medprocner23", "a.tsv"): "filename\tlabel\toff0\toff1\tspan\nd\tx\t0\t{}\tx\n",
    ("pharmaconer19", "a.ann"): "T1\tPROTEINAS 0 {}\tx\n",
    ("n2c2_2018_track2", "a.ann"): "T1\tDrug 0 {}\tx\n",
    ("n2c2_2022_sdoh", "a.ann"): "T1\tDrug 0 {}\tx\nE1\tDrug:T1\n",
    ("n2c2_2022_cmed", "a.ann"): "T1\tDrug 0 {}\tx\n",
    ("ehealthkd20", "a.ann"): "T1\tConcept 0 {}\tx\n",
    ("semeval15_task14", "a.pipe"): "a.pipe|0-{}|C1|no|no|no|no|no|no|no|no|no\n",
    ("codiesp20", "a.tsv"): "a\tDIAGNOSTICO\ti10\tx\t0 {}\n",
}


@pytest.mark.parametrize("digits", DIGITS, ids=len)
@pytest.mark.parametrize("protocol", ["spec", "official"])
@pytest.mark.parametrize(("name", "file"), FILES)
def test_offsets_beyond_all_notes(name, file, protocol, digits, tmp_path):
    """A released program may pass over such a line; nothing else than an error says no."""
    path = tmp_path / file
    path.write_text(FILES[name, file].format(digits))
    config = "X" if name == "codiesp20" else "default"
    try:
        clineval.score(name, tmp_path, tmp_path, config=config, protocol=protocol)
    except InputError:
        return
    assert protocol == "official"


@pytest.mark.parametrize(
    ("name", "file", "key"),
    [
        ("i2b2_2010", "a.con", "concepts_strict_tp"),
        ("bc5cdr", "a.PubTator", "mentions_tp"),
    ],
)
def test_leading_zeros_are_no_large_numbers(name, file, key, tmp_path):
    (tmp_path / file).write_text(FILES[name, file].format("0" * 5000 + "1"))
    assert clineval.score(name, tmp_path, tmp_path, protocol="official")[key] == 1


@pytest.mark.parametrize("control", ["\x1c", "\x1d", "\x1e", "\x1f"])
def test_controls_behind_an_offset_are_blanks(control):
    """Python's ``strip`` takes them off, its ``int`` does not."""
    line = f"1\t0\t5{control}\tFever\tDisease\tD1\n"
    assert clineval.score("bc5cdr", line, line)["mentions_tp"] == 1


@pytest.mark.parametrize("offset", [-1, 2**31, -(10**5000), 10**5000], ids=range(4))
def test_objects_are_judged_as_files_are(offset):
    problem = "is negative" if offset < 0 else "is larger than 2147483647"
    spans = [[offset, 5] if offset < 0 else [0, offset]]
    laws.refuses(lambda: Mention(spans), problem)
    mention = {"spans": spans, "label": "x"}
    laws.refuses(lambda: clineval.score("clinical_spans", [[mention]], [[]]), problem)


def test_numbers_of_arrow_are_shown_as_they_are():
    kind = pa.list_(pa.struct([("spans", pa.list_(pa.list_(pa.uint64()))), ("cui", pa.string())]))
    table = pa.table({"mentions": pa.array([[{"spans": [[0, 2**64 - 1]], "cui": "C1"}]], kind)})
    column = clineval.Column(table)
    laws.refuses(
        lambda: clineval.score("clefehealth13_task1", column, column),
        "mention 0: offset 18446744073709551615 is larger than 2147483647",
    )


@pytest.mark.parametrize("ids", [1000, 100])
def test_a_relation_of_many_concepts_is_refused(ids):
    many = "|".join(f"D{at}" for at in range(ids))
    line = f"1\tCID\t{many}\t{many}\n"
    laws.refuses(lambda: clineval.score("bc5cdr", line, line), f"{ids**2:,} pairs of concepts")
    few = "1\tCID\tC1|C2\tD1|D2|D3\n"
    assert clineval.score("bc5cdr", few, few)["relations_tp"] == 6
