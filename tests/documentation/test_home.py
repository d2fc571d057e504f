"""The home page and README.md: the groups of modules are those of the registry."""

from assembly.modules import MARK, list_groups, write_groups, write_rows
from pages import read

from clineval.results.registry import NAMES, find_challenge


def test_every_module_is_in_a_group():
    grouped = {name for _, names in list_groups() for name in names}
    assert grouped == {*NAMES}


def test_the_home_page_names_every_module():
    assert read("docs/home.md").count(MARK) == 1
    text = write_groups()
    for name in NAMES:
        assert f"(../hub_cards/{name}/README.md): {find_challenge(name).task.title}\n" in text


def test_the_readme_lists_the_modules_by_kind():
    """``PYTHONPATH=docs python -m assembly.modules`` prints the rows."""
    table = read("README.md").partition("| kind | annotations | modules |\n|---|---|---|\n")[2]
    assert table.partition("\n\n")[0] == write_rows()
