"""The house: eight floors, and what is a challenge's own lives with it."""

import re

import grimp
import pytest
from conftest import ROOT

tomllib = pytest.importorskip("tomllib", reason="Python 3.11 has it")

GRAPH = grimp.build_graph("clineval", "spacy_clin", cache_dir=None)
CHALLENGES = "clineval.challenges."
CONTRACTS = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["tool"]["importlinter"]
FLOORS = CONTRACTS["contracts"][0]["layers"]


def owners_of(module, known):
    """The challenges that a module is imported for; None stands for everything else."""
    importers = GRAPH.find_modules_that_directly_import(module)
    return {
        by.removeprefix(CHALLENGES).partition(".")[0]
        if by.startswith(CHALLENGES)
        else known.get(by)
        for by in importers
    }


def test_what_one_challenge_alone_imports_is_in_its_folder():
    general = {module for module in GRAPH.modules if not module.startswith(CHALLENGES)}
    alone = {}
    for _ in general:  # what is imported for what is alone is alone, too
        found = {m: owners_of(m, alone) for m in general - alone.keys()}
        new = {m: of.pop() for m, of in found.items() if len(of) == 1 and None not in of}
        if not new:
            break
        alone |= new
    assert alone == {}


def test_no_challenge_imports_from_the_folder_of_another():
    homes = {
        m: m.removeprefix(CHALLENGES).partition(".")
        for m in GRAPH.modules
        if m.startswith(CHALLENGES)
    }
    folders = {name for name, dot, _ in homes.values() if dot}
    for module, (name, *_) in homes.items():
        needed = {
            homes[m][0] for m in GRAPH.find_modules_directly_imported_by(module) & homes.keys()
        }
        assert needed & folders <= {name}, module


def test_the_map_draws_the_floors_of_the_contract():
    """Each floor of the picture is one of the contract, in its order, and nothing is left out."""
    text = (ROOT / "metrics" / "README.md").read_text("utf-8")
    [picture] = re.findall(r"```mermaid\n(.*?)```", text, re.DOTALL)
    drawn = [re.findall(r"[a-z]+", of) for of in re.findall(r'\["<b>(.*?)</b>', picture)]
    assert drawn == [re.findall(r"[a-z]+", floor) for floor in FLOORS]
    arrows = re.findall(r"(\d)(?= --> (\d))", picture)
    assert arrows == [(str(at), str(at - 1)) for at in range(len(FLOORS), 1, -1)]


@pytest.mark.parametrize("floor", FLOORS)
def test_every_floor_says_what_lives_there(floor):
    for name in re.findall(r"[a-z]+", floor):
        module = ROOT / "metrics" / "clineval" / name
        file = module / "__init__.py" if module.is_dir() else module.with_suffix(".py")
        assert re.match(r'"""[^"]{20,}', file.read_text("utf-8")), name
