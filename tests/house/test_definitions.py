"""The definition of every challenge is code that reviewers can read, and that a test runs."""

import ast
import json
import re
import subprocess
import sys
from importlib import import_module

import pytest
from commands import invoke
from conftest import ROOT
from definitions import list_files, read_documents

import clineval
from clineval.cli.catalog import list_code_of as list_files_of
from clineval.results.registry import NAMES, find_challenge

HOME = ROOT / "metrics" / "clineval"
SHARED = sorted((HOME / "definitions").glob("*.py"))
OWN = {name: HOME / "challenges" / name / "definition.py" for name in NAMES}
MOST = 180
"""The lines of a file that a reviewer reads at one go."""
CASES = [(name, config) for name in NAMES for config in find_challenge(name).task.configs]
FACTS = {
    "codiesp20": lambda corpus: {"valid": (corpus / "codes_D.tsv").read_text("utf-8").split()},
    "clinical_records": lambda corpus: {
        "schema": json.loads((corpus / "schema.json").read_text("utf-8"))
    },
}
"""What a definition needs to know besides the documents."""

AS_DOCUMENTS = {"i2b2_2010"}
"""Modules whose files say more than documents: relations between ends that are no concepts."""


def list_imports(path):
    """The modules that a file imports."""
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            yield from (name.name for name in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield node.module


@pytest.mark.parametrize("path", [*OWN.values(), *SHARED], ids=lambda path: path.parent.name)
def test_it_is_short_and_imports_plain_python_only(path):
    assert len(path.read_text("utf-8").splitlines()) <= MOST
    for module in list_imports(path):
        top = module.partition(".")[0]
        assert top in sys.stdlib_module_names or module.startswith("clineval.definitions"), module


@pytest.mark.parametrize(("name", "config"), CASES)
@pytest.mark.filterwarnings("ignore::clineval.InputWarning")
def test_it_computes_the_main_scores_of_the_demo(name, config):
    """With all systems of the demo; every main score that the package has is compared."""
    challenge = find_challenge(name)
    facts = FACTS[name](challenge.task.corpora) if name in FACTS else {}
    options = {
        option: challenge.task.corpora / path for option, path in challenge.demo.options.items()
    }
    define = import_module(f"clineval.challenges.{name}.definition").score_documents
    gold, *systems = list_files(name, config)
    for system in systems:
        sides = [read_documents(path, name, config) for path in (gold, system)]
        found = define(*sides, config, **facts)
        given = sides[::-1] if name in AS_DOCUMENTS else (system, gold)
        ours = clineval.score(name, *given, config=config, **options)
        main = challenge.measures.headline or challenge.measures.ranking["default"]
        expected = {key: ours[key] for key in main if key in ours.values}
        assert expected
        assert {key: found.get(key) for key in expected} == pytest.approx(expected, abs=1e-12)


def test_definitions_import_nothing_that_scores():
    names = [f"clineval.challenges.{name}.definition" for name in NAMES]
    code = f"""
import importlib.util, json, sys
for path in {[str(path) for path in OWN.values()]}:
    spec = importlib.util.spec_from_file_location("definition", path)
    spec.loader.exec_module(importlib.util.module_from_spec(spec))
print(json.dumps(sorted(sys.modules)))
"""
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    ours = {name for name in json.loads(run.stdout) if name.startswith("clineval.")}
    assert len(names) == len(OWN)
    assert {name.split(".")[1] for name in ours} <= {"base", "definitions"}
    assert "numpy" not in json.loads(run.stdout)


@pytest.mark.parametrize("name", NAMES)
def test_a_command_prints_it(name):
    """In a pipe it is plain Python: the challenge's own file first, then the shared parts."""
    printed = invoke(["describe", name, "--code"]).stdout
    names = [line[2:] for line in printed.splitlines() if line.startswith("# clineval/")]
    files = [ROOT / "metrics" / place for place in names]
    assert files[0] == OWN[name]
    assert printed == "\n\n".join(
        f"# {place}\n{path.read_text('utf-8')}" for place, path in zip(names, files, strict=True)
    )
    imported = {module for path in files for module in list_imports(path)}
    parts = {f"clineval.definitions.{path.stem}" for path in files[1:]}
    assert {m for m in imported if m.startswith("clineval.")} - {"clineval.definitions"} <= parts


def test_it_is_coloured_on_a_terminal():
    terminal = {"FORCE_COLOR": "1", "TERM": "xterm-256color", "COLORTERM": "", "NO_COLOR": ""}
    printed = invoke(["describe", "distemist22", "--code"], env=terminal).stdout
    assert "\x1b[" in printed
    assert "def score_documents" in re.sub(r"\x1b\[[\d;]*m", "", printed)


def challenge_of(spec, folder):
    """A challenge of another package, which is one file of a folder."""
    file = folder / "wounds.py"
    file.write_text('"""A rule."""\n', "utf-8")
    task = clineval.Task("wounds", "Wounds", "https://x.org/", definition="d", file=str(file))
    return clineval.Challenge(task, {"spec": spec})


def test_a_rule_is_its_own_definition(tmp_path):
    spans = clineval.LabelledSpans(("WOUND",))
    rule = clineval.Rule(lambda *_: {"same": []}, spans, ("same",))
    assert [file.text for file in list_files_of(challenge_of(rule, tmp_path))] == [
        '"""A rule."""\n'
    ]
    with pytest.raises(clineval.InputError, match=r"the file wounds\.definition\.py beside"):
        list_files_of(challenge_of(spans, tmp_path))
    own = tmp_path / "wounds.definition.py"
    own.write_text("from clineval.definitions.rates import divide\n", "utf-8")
    files = list_files_of(challenge_of(rule, tmp_path))
    assert [file.name for file in files] == [
        "wounds.definition.py",
        "clineval/definitions/rates.py",
    ]
