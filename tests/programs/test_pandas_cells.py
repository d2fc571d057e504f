"""Tables as programs read them that have pandas read them: which lines are rows."""

import io

import pandas as pd
import pytest

from clineval.formats.files import TextFile
from clineval.programs.pandas_cells import Reading

LINES = ["", " ", "\t", " \t ", '""', '" "', '""\t""', '"\n"', '"\n" ', "1\t2"]


@pytest.mark.parametrize("line", LINES)
def test_a_line_is_a_row_where_pandas_takes_it_for_one(line):
    text = f"a\tb\n{line}\nx\ty\n"
    frame = Reading().read([TextFile("table", None, text.encode())])
    assert len(frame) == len(pd.read_csv(io.StringIO(text), sep="\t"))
