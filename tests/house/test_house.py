"""The house: ten floors, and what is a challenge's own lives with it."""

import re
import tomllib
from functools import cache

import grimp
import pytest
from conftest import ROOT

from clineval.results.registry import NAMES

GRAPH = grimp.build_graph("clineval", "spacy_clin", cache_dir=None)
CHALLENGES = "clineval.challenges."
CONTRACTS = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["tool"]["importlinter"]
FLOORS = CONTRACTS["contracts"][0]["layers"]


HOME = ROOT / "metrics" / "clineval" / "challenges"
FOLDERS = {path.parent.name for path in HOME.glob("*/__init__.py")}
LOWER = FLOORS[FLOORS.index("challenges") + 1 :]
BELOW = tuple(f"clineval.{name}." for floor in LOWER for name in re.findall(r"[a-z]+", floor))
"""The floors that serve challenges, also those outside of clineval."""
DEFINITIONS = "clineval.definitions."


def home_of(module):
    """The challenge in whose folder a module is; None for what is in none."""
    name = module.removeprefix(CHALLENGES).partition(".")[0]
    return name if module.startswith(CHALLENGES) and name in FOLDERS else None


def served_by(module):
    """The challenge that a face is about: the only one from whose folder it imports, if any."""
    homes = {home_of(needed) for needed in GRAPH.find_modules_directly_imported_by(module)}
    known = homes - {None}
    return known.pop() if len(known) == 1 else None


@cache
def importers_of(module):
    """The modules that import a module, each with whether its own importers need it too."""
    importers = GRAPH.find_modules_that_directly_import(module)
    return {
        importer: importer.startswith((*BELOW, CHALLENGES)) and home_of(importer) is None
        for importer in importers
    }


def users_of(module):
    """The challenges for which a module is there; None among them stands for all.

    Types alone may need each other in a circle.
    """
    users, visited, waiting = set(), {module}, [module]
    while waiting:
        for importer, passes_on in importers_of(waiting.pop()).items():
            if not passes_on:
                users.add(home_of(importer) or served_by(importer))
            elif importer not in visited:
                visited.add(importer)
                waiting.append(importer)
    return users


def test_the_floor_of_challenges_has_folders_only():
    """Each is a challenge, which the registry names or a challenge of clineval's own imports."""
    loose = [path.name for path in HOME.glob("*.py") if path.name != "__init__.py"]
    assert (loose, sorted(FOLDERS)) == ([], sorted(NAMES))


def test_what_one_challenge_alone_needs_is_in_its_folder():
    """Also what it needs through others, and what only a face for it imports besides.

    A kind of annotation may have one challenge so far, and so may a protocol that is defined.
    """
    kinds = {m for m in GRAPH.modules if m.endswith(".kind") or m.startswith(DEFINITIONS)}
    below = {module for module in GRAPH.modules if module.startswith(BELOW)} - kinds
    users = {module: users_of(module) for module in below}
    assert {m: of for m, of in users.items() if len(of) == 1 and None not in of} == {}


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
    arrows = re.findall(r"(\d+)(?= --> (\d+))", picture)
    assert arrows == [(str(at), str(at - 1)) for at in range(len(FLOORS), 1, -1)]


@pytest.mark.parametrize("floor", FLOORS)
def test_every_floor_says_what_lives_there(floor):
    for name in re.findall(r"[a-z]+", floor):
        module = ROOT / "metrics" / "clineval" / name
        file = module / "__init__.py" if module.is_dir() else module.with_suffix(".py")
        assert re.match(r'"""[^"]{20,}', file.read_text("utf-8")), name
