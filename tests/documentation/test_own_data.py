"""The page on one's own data: the lines and commands of its table are run further down the page."""

import re

import pytest
from pages import code_of, read

from clineval.results.registry import NAMES, find_challenge

PAGE = "docs/own_data.md"
TABLE = read(PAGE).partition("|---|---|---|\n")[2].partition("\n\n")[0]
ROWS = [
    [cell.strip() for cell in row.strip("|").split(" | ")]
    for row in TABLE.splitlines()
]  # fmt: skip
RUN = [line for block in code_of(PAGE, "sh") for line in block.splitlines()]


def test_every_module_of_any_scheme_has_a_row():
    own = {
        name
        for name in NAMES
        if name.startswith("clinical_") and "official" not in find_challenge(name).protocols
    }
    assert own <= {command.split()[2] for *_, command in ROWS}


@pytest.mark.parametrize(("_kind", "line", "command"), ROWS)
def test_its_line_and_its_command_are_run(_kind, line, command):
    assert line.strip("`") in RUN
    pattern = re.escape(command.strip("`"))
    for placeholder in ("GOLD", "SYSTEM", "SCHEMA"):
        pattern = pattern.replace(placeholder, r"\S+")
    assert any(re.match(pattern, command) for command in RUN)
