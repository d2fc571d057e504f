"""Every challenge of the registry has all that a challenge needs."""

import ast
import inspect

import evaluate
import pytest
from conftest import DATA, ROOT

from clineval.base.ratios import prf_keys
from clineval.results.known.names import list_datasets
from clineval.results.registry import NAMES, find_challenge

pytestmark = pytest.mark.parametrize("name", NAMES)
OF_ONE_KIND = {
    "metrics/clineval/training/__init__.py",  # names that users import
    "spacy_clin/medications.py",  # what needs spaCy is not in the challenge's folder
    "spacy_clin/sections.py",
}
"""Files outside of the challenges that may import a kind of annotation that one challenge has."""
GENERAL = [
    path
    for folder in ("metrics/clineval", "spacy_clin")
    for path in sorted((ROOT / folder).rglob("*.py"))
    if "challenges" not in path.parts
    and path.name != "registry.py"
    and path.relative_to(ROOT).as_posix() not in OF_ONE_KIND
]
"""The files that know of no challenge."""


def test_it_is_declared_in_full(name):
    challenge = find_challenge(name)
    assert challenge.name == name
    assert set(challenge.task.configs) >= {"default"}
    assert "spec" in challenge.protocols
    assert challenge.task.citation.startswith("@")
    assert challenge.task.homepage.startswith("https://")
    assert challenge.task.specification.count("\n") > 10
    assert challenge.faces.page is not None
    assert challenge.demo is not None


def test_its_options_are_explained(name):
    for option in find_challenge(name).options:
        assert option.help.endswith(".")
        assert option.kind != "choice" or option.choices
        option.judge(option.default)


def test_no_general_code_names_it(name):
    """Prose and examples may; code that knows one challenge is not general."""
    assert [f"{path.relative_to(ROOT)}:{line}" for path, line in places_of(name)] == []


def test_general_code_is_searched(name):
    """Wherever code can name a challenge, it is found; files of all folders are searched."""
    inside = [path.relative_to(ROOT).parts for path in GENERAL]
    assert "spacy_clin" in {parts[0] for parts in inside}
    folders = {parts[2] for parts in inside if parts[0] == "metrics"}
    assert folders >= {
        "cli",
        "hub",
        "training",
        "workbench",
        "evaluation",
        "formats",
        "results",
        "base",
    }
    for code in (
        f"x = '{name}'", f"x = f'{name}_{{y}}'", f"from a import {name}", f"import a.{name}.b",
        f"from a.{name} import b", f"def {name}(): pass", f"class A{name}: pass", f"x.{name}",
        f"x({name}=1)", f"def x({name}): pass", f"{name} = 1", f"x = {{'{name}': 1}}",
    ):  # fmt: skip
        assert list(lines_of(name, code)) == [1], code
    for prose in (f"'Such as {name}.'", f"x = 1  # {name}", f'"""Of {name}\n"""'):
        assert list(lines_of(name, prose)) == []


def places_of(name):
    sources = ((path, path.read_text("utf-8")) for path in GENERAL)
    return [(path, line) for path, source in sources for line in lines_of(name, source)]


def lines_of(name, source):
    """The lines of code that name something: identifiers, and strings that are no prose."""
    if name not in source:
        return
    for node in ast.walk(ast.parse(source)):
        words = [value for _, value in ast.iter_fields(node) if isinstance(value, str)]
        if any(name in word and not any(map(str.isspace, word)) for word in words):
            yield node.lineno


def test_its_main_scores_exist(name):
    challenge = find_challenge(name)
    keys = [
        key for main in challenge.measures.headline for key in prf_keys(main.removesuffix("_f1"))
    ]
    tables = [grid.find(keys) if grid.find else grid.rows for grid in challenge.measures.grids]
    assert set(challenge.measures.headline) <= {
        key for t in tables for row in t.values() for key in row
    }


def test_its_evaluate_module_takes_the_same_options(name):
    metric = evaluate.load(name)
    assert metric.name == name
    parameters = inspect.signature(metric._compute).parameters.values()
    assert all(p.kind is not inspect.Parameter.VAR_KEYWORD for p in parameters)
    options = {p.name: p.default for p in parameters if p.kind is inspect.Parameter.KEYWORD_ONLY}
    expected = {option.name: option.default for option in find_challenge(name).options}
    intervals = {"confidence": None, "n_resamples": 1000, "seed": 12345, "interval": "auto",
                 "cluster": None, "dataset": None}  # fmt: skip
    shapes = {"per_document": False, "numbers_only": False}
    assert options == {"protocol": "spec", **expected, **intervals, **shapes}


def test_its_evaluate_module_is_thin(name):
    source = (ROOT / "metrics" / name / f"{name}.py").read_text()
    assert "def _compute" not in source
    assert "def " not in source


def test_it_has_goldens_and_a_demo(name):
    assert (DATA / "oracle" / name / "PROVENANCE.md").is_file()
    assert (ROOT / "metrics" / "clineval" / "challenges" / name / "demo").is_dir()


def test_its_demo_is_a_known_gold_standard(name):
    """``clineval datasets digest NAME GOLD --format toml`` prints the entry."""
    known = {dataset.part: dataset for dataset in list_datasets(find_challenge(name))}
    assert known["demo"].digests


def test_its_tables_show_keys_that_exist(name):
    challenge = find_challenge(name)
    keys = {key for grid in challenge.measures.grids for row in grid.rows.values() for key in row}
    assert keys


def test_the_training_table_shows_what_ranks_models(name):
    """In every configuration; and the short name of a ratio ends in its letter."""
    challenge = find_challenge(name)
    docs, ranking = challenge.faces.docs, challenge.measures.ranking
    columns, names = (docs.columns, docs.names) if docs else ({}, {})
    for config in challenge.task.configs if docs else ():
        ranked = ranking.get(config, ranking["default"])
        assert ranked
        assert {*ranked} <= {*columns.get(config, columns["default"])}
    for key, short in names.items():
        ending = {"precision": "p", "recall": "r", "f1": "f"}.get(key.rpartition("_")[2])
        assert ending is None or short.rpartition("_")[2] == ending
