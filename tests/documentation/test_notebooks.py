"""The tutorials as they are stored: run as a whole, short, and with nothing of the day in them."""

import re

import pytest
from assembly.notebooks import render
from assembly.pages import TUTORIALS
from notebooks import code_cells, path_of, stored
from pages import without_code

NOTEBOOKS = {name: path_of(name) for name in TUTORIALS}
CHANCE = re.compile(r"/tmp/|/home/|/work/|\b0x[0-9a-f]{6,}|\b\d\d:\d\d:\d\d\b|\x1b")
"""Places, addresses in memory, times and colours."""
MINUTES, WORDS_A_MINUTE = 5, 200


def test_every_notebook_is_a_page():
    [folder] = {path.parent for path in NOTEBOOKS.values()}
    assert {*NOTEBOOKS.values()} == {*folder.glob("*.ipynb")}


@pytest.mark.parametrize("path", NOTEBOOKS.values(), ids=NOTEBOOKS)
class TestATutorial:
    def test_it_was_run_from_its_beginning_and_nothing_failed(self, path):
        cells = code_cells(stored(path.stem))
        assert [cell["execution_count"] for cell in cells] == [*range(1, len(cells) + 1)]
        assert not [o for cell in cells for o in cell["outputs"] if o["output_type"] == "error"]

    def test_what_is_stored_is_the_same_every_day(self, path):
        assert CHANCE.findall(render(path).text) == []

    def test_it_takes_less_than_five_minutes_to_read(self, path):
        prose = without_code(render(path).text)
        code = [line for cell in code_cells(stored(path.stem)) for line in cell["source"]]
        lines = len([line for line in code if line.strip()])
        # a line of code takes as long as ten words
        assert len(prose.split()) + 10 * lines < MINUTES * WORDS_A_MINUTE

    def test_its_pictures_say_what_they_show(self, path):
        rendered = render(path)
        said = re.findall(r"^!\[(.*)\]\((.*)\)$", rendered.text, re.MULTILINE)
        assert {*rendered.pictures} <= {name for _, name in said}
        assert rendered.pictures
        assert all(len(shown.split()) > 4 for shown, _ in said)
