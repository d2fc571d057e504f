"""Data in each notation: against parsers and renderers that other people wrote."""

import csv
import json
from io import StringIO

import pytest
from hostile_names import NAMES, steers
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt
from rich.console import Console

from clineval.base.errors import InputError, InputWarning, one_line
from clineval.base.escaping import in_latex, in_markdown, visible, write_csv, write_json
from clineval.results.tables import Sheet, Table, as_latex, latex_of, markdown_of, print_table

MARKS = st.sampled_from(
    "=+-@\t\r\n'\"\x00\x1b\x7f\x9b\u202e\u2066\u2028\udc80<>[]()!:&;#*_`~|\\/x1 ."
)
HOSTILE = st.text(MARKS | st.characters())
RENDERER = MarkdownIt("commonmark").enable(["table", "strikethrough"])
RENDERER.validateLink = lambda _: True  # no help from its own list of schemes


@given(HOSTILE)
def test_what_is_visible_steers_nothing_and_stays_as_it_is(text):
    shown = visible(text)
    assert not any(map(steers, shown))
    assert visible(shown) == shown
    assert shown == text or any(map(steers, text))


@given(st.lists(HOSTILE))
def test_json_is_read_back_and_steers_nothing(texts):
    written = write_json(texts)
    assert json.loads(written) == texts
    assert not any(map(steers, written.replace("\n", "")))


@given(st.lists(st.tuples(HOSTILE, st.floats(allow_nan=False), st.integers()), min_size=1))
def test_csv_has_no_formulas_and_all_numbers(rows):
    written = write_csv(rows)
    read = list(csv.reader(StringIO(written)))
    assert len(read) == len(rows) == written.count("\n")
    for (text, number, count), cells in zip(rows, read, strict=True):
        assert (float(cells[1]), int(cells[2])) == (number, count)
        assert cells[0] in (visible(text), f"'{visible(text)}")
        if cells[0].startswith(("=", "+", "-", "@", "\t", "\r")):
            float(cells[0])


@pytest.mark.parametrize(
    ("cell", "written"),
    [("=1+1", "'=1+1"), ("+1-2", "'+1-2"), ("-x", "'-x"), ("@SUM(A1)", "'@SUM(A1)"),
     ("\t=1", "'\\t=1"), ("\r=1", "'\\r=1"), ("-", "'-"), ("-0.1", "-0.1"), ("+1e-5", "+1e-5"),
     (-0.1, "-0.1"), ("a=1", "a=1"), ("-\u0661", "'-\u0661"), ("", '""'), (None, '""')],
)  # fmt: skip
def test_text_of_csv_is_no_formula_and_numbers_are_numbers(cell, written):
    assert write_csv([[cell]]) == f"{written}\n"


@given(HOSTILE, HOSTILE)
def test_a_cell_of_markdown_is_text(title, cell):
    rendered = RENDERER.parse(markdown_of(Table(title, ("n",), ((cell, "1"),))))
    tokens = [token for token in rendered if token.type == "inline"]
    expected = [title, "", "n", cell, "1"] if visible(title).strip() else ["", "n", cell, "1"]
    assert [plain(token) for token in tokens] == [visible(text).strip() for text in expected]
    kinds = {token.type for token in rendered} - {"inline"}
    assert all(kind.startswith(("paragraph", "table", "t")) for kind in kinds), kinds


def plain(token):
    """The text of a line that has nothing but text in it."""
    assert {child.type for child in token.children} <= {"text", "text_special"}, token.children
    return "".join(child.content for child in token.children).strip()


@given(HOSTILE)
def test_markdown_of_a_score_reads_as_before(text):
    for name in ("body_location", "[0.1234, 0.5678]", "< 0.0001", "+0.0123"):
        assert in_markdown(name) == name
    assert visible(in_markdown(text)) == in_markdown(text)


def test_latex_has_minus_signs_where_there_are_numbers_and_names_its_package():
    rows = (("C-1 -2", "-0.1234", "[-0.5000, -0.1000]", "0.9 ± 0.1", "C-1", "2014-01-02"),)
    written = as_latex(Sheet(lambda: [Table("", ("n",) * 5, rows)], lambda: None))
    assert written.startswith("% needs \\usepackage{booktabs}\n")
    cells = r"C-1 -2 & $-$0.1234 & [$-$0.5000, $-$0.1000] & 0.9 $\pm$ 0.1 & C-1 & 2014-01-02 \\"
    assert cells in written.split("\n")


@given(HOSTILE)
def test_latex_has_no_commands_of_the_data(text):
    written = in_latex(text)
    for ours in (r"\textbackslash{}", r"\textasciitilde{}", r"\textasciicircum{}", r"$\times$",
                 r"$\pm$", "$<$", "$>$",
                 r"\&", r"\%", r"\$", r"\#", r"\_", r"\{", r"\}"):  # fmt: skip
        written = written.replace(ours, "")
    assert not set(written) & set("\\&%$#_{}~^")
    table = Table(text, (text,), ((text, text),))
    assert latex_of(table).splitlines()[0] == f"% {visible(text)}"


@given(st.text(MARKS) | st.sampled_from(NAMES))
def test_rich_prints_what_is_visible(text):
    buffer = StringIO()
    console = Console(file=buffer, width=10_000, force_terminal=True, color_system=None)
    print_table(console, Table(text, (text,), ((text, text),)))
    title, head, _, row = buffer.getvalue().split("\n")[1:5]
    assert title.rstrip() == visible(text).rstrip()
    assert head.strip() == visible(text).strip()
    assert row.strip().startswith(visible(text).strip())
    assert row.strip().endswith(visible(text).strip())


@given(HOSTILE)
def test_messages_are_one_line(text):
    for shown in (InputError(text, where=text, remedy=text), InputWarning(text)):
        assert not any(map(steers, str(shown)))
        assert one_line(text, 240) in str(shown)


@pytest.mark.parametrize("terminal", [False, True])
def test_headings_of_tables_are_never_cut(terminal):
    """Four counts of one match began alike, and could not be told apart."""
    names = tuple(f"strict_slots_{verdict}" for verdict in ("f1", "tp", "fp", "fn"))
    written = StringIO()
    console = Console(file=written, width=40, force_terminal=terminal, color_system=None)
    print_table(console, Table("Groups", names, (("no", *"1234"),)))
    text = written.getvalue()
    assert "…" not in text
    if not terminal:
        assert all(name in text for name in names)
