"""Plain tables of codes are read column by column, with the result of reading row by row."""

import pytest

import clineval
from clineval.formats.given.scored_codes import read_score_files
from clineval.kinds.codes.corpus import codes_of

PLAIN = "filename,code\na,I10\nb,J45\n\na,E11.9\nc,I10\n"
OTHERS = {
    "blanks": PLAIN.replace("J45", " J45 "),
    "quotes": PLAIN.replace("J45", '"J45"'),
    "columns in another order": "code,filename\nI10,a\nJ45,b\nE11.9,a\nI10,c\n",
    "another column": PLAIN.replace("filename,code\n", "filename,code,x\n").replace("\na,", "\na,"),
    "several codes": "filename,codes\na,I10;E11.9\nb,J45\nc,I10\n",
}


def describe(text):
    side = read_score_files(text, "references")
    rows = zip(side.mentions.document.tolist(), codes_of(side.mentions), strict=True)
    return side.documents, sorted((side.documents[at], code) for at, code in rows)


@pytest.mark.parametrize("name", [name for name in OTHERS if name != "another column"])
def test_they_are_those_of_other_tables(name):
    assert describe(PLAIN) == describe(OTHERS[name])


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (OTHERS["another column"], r":2: expected 3 cells, as in the header, got 2"),
        (PLAIN + "a,no code\n", r":7: code: expected codes without blanks"),
        (PLAIN + ",I10\n", r":7: expected the name of a document"),
        (PLAIN + "a,I10,x\n", r":7: expected 2 cells, as in the header, got 3"),
    ],
)
def test_errors_have_lines(text, message):
    with pytest.raises(clineval.InputError, match=message):
        read_score_files(text, "references")


def test_documents_without_codes_are_kept():
    documents, rows = describe(PLAIN + "d,\n")
    assert documents == ("a", "b", "c", "d")
    assert rows == describe(PLAIN)[1]


def test_wrong_gold_codes_have_lines(tmp_path):
    path = tmp_path / "gold.csv"
    path.write_text(PLAIN)
    with pytest.raises(clineval.InputError, match=r"gold.csv:3: 1 code is not in the list"):
        clineval.score("clinical_codes", path, path, codes=["I10", "E11.9"])
