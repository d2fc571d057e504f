"""Tables of codes and their names."""

import pytest

from clineval import InputError
from clineval.workbench.code_names import read_names


@pytest.mark.parametrize(
    "text",
    ['code,name\nC1,Rash\nC2,"Pain, of chest"\n', "C1\tRash\tmore\nC2\tPain, of chest\n\n"],
)
def test_a_table_is_separated_by_commas_or_by_tabs(tmp_path, text):
    (tmp_path / "names").write_text(text)
    assert read_names(tmp_path / "names") == {"C1": "Rash", "C2": "Pain, of chest"}


def test_of_several_names_the_first_counts(tmp_path):
    (tmp_path / "names.csv").write_text("C1,Rash\nC1,Exanthema\n")
    assert read_names(tmp_path / "names.csv") == {"C1": "Rash"}
    assert read_names(None) == {}
    assert read_names({"C1": "Rash"}) == {"C1": "Rash"}


@pytest.mark.parametrize("line", ["C2", "C2,", ",Pain"])
def test_a_line_without_a_code_or_a_name_is_refused(tmp_path, line):
    (tmp_path / "names.csv").write_text(f"C1,Rash\n{line}\n")
    with pytest.raises(InputError, match=r"names.csv:2: expected a code, a comma or a tab"):
        read_names(tmp_path / "names.csv")


def test_what_is_no_mapping_of_texts_is_refused():
    with pytest.raises(InputError, match="expected codes and their names"):
        read_names({"C1": 1})
