"""What a release is made with: files say the same of the version, the needs and the license."""

import json
import re
import subprocess
import sys
import tomllib
from xml.etree import ElementTree as ET

import pytest
import yaml
from cffconvert import Citation
from conftest import ROOT
from pages import read

import clineval

PROJECT = tomllib.loads(read("pyproject.toml"))["project"]
RECIPE = yaml.safe_load(read(".ci/conda/recipe.yaml"))
BADGES = ROOT / "hub_cards" / "badges"


def test_the_citation_is_one_that_machines_read():
    citation = Citation(read("CITATION.cff"))
    citation.validate()
    said = yaml.safe_load(read("CITATION.cff"))
    assert said["version"] == clineval.__version__
    assert said["license"] == PROJECT["license"]
    assert said["keywords"] == PROJECT["keywords"]


def test_zenodo_reads_what_the_citation_says():
    said, citation = json.loads(read(".zenodo.json")), yaml.safe_load(read("CITATION.cff"))
    assert said["title"] == citation["title"]
    assert said["description"] == citation["abstract"].strip()
    assert said["license"] == citation["license"]
    assert said["keywords"] == citation["keywords"]
    assert said["creators"] == citation["authors"]


def test_a_distribution_needs_the_address_of_the_repository(tmp_path):
    for address, status in (("https://example.org/OWNER/clineval", 1), ("https://a.org/b/c", 0)):
        (tmp_path / "repository.txt").write_text(f"{address}\n", "utf-8")
        script = tmp_path / "metadata.py"
        script.write_text(read(".ci/metadata.py"), "utf-8")
        done = subprocess.run([sys.executable, script], capture_output=True, text=True, check=False)
        assert done.returncode == status, done.stderr
        assert ("fill it in" in done.stderr) is bool(status)
    assert "\t$(BIN)/python .ci/metadata.py\n\trm -rf dist\n" in read("Makefile")


def test_the_address_stands_in_one_file_only():
    address = read(".ci/repository.txt").strip()
    search = ["git", "grep", "-lF", address]
    found = subprocess.run(search, cwd=ROOT, capture_output=True, text=True, check=False)
    assert set(found.stdout.split()) <= {".ci/repository.txt"}


def test_the_changelog_begins_with_this_version():
    first = re.search(r"^## (\S+?),? ", read("CHANGELOG.md"), re.MULTILINE)[1]
    assert first == clineval.__version__


def test_the_recipe_says_what_the_package_says():
    assert RECIPE["context"]["version"] == clineval.__version__
    needs = [re.sub(r"\s", "", need) for need in RECIPE["requirements"]["run"]]
    assert needs[0] == "python>=${{python_min}}"
    assert f">={RECIPE['context']['python_min']}" == PROJECT["requires-python"]
    assert sorted(needs[1:]) == sorted(n for n in PROJECT["dependencies"] if ";" not in n)
    [script] = RECIPE["build"]["python"]["entry_points"]
    name, target = script.split(" = ")
    assert {name: target} == PROJECT["scripts"]


def test_the_recipe_builds_with_the_backend():
    backend = tomllib.loads(read("pyproject.toml"))["build-system"]["requires"]
    host = {need.replace(" ", "") for need in RECIPE["requirements"]["host"]}
    assert host == {"python${{python_min}}.*", "pip", *backend}


@pytest.mark.parametrize("tag", [f"v{clineval.__version__}", "v0.0.9", f"{clineval.__version__}0"])
def test_a_release_refuses_a_tag_of_another_version(tag):
    steps = yaml.safe_load(read(".github/workflows/release.yml"))["jobs"]["build"]["steps"]
    [commands] = [step["run"] for step in steps if "TAG" in step.get("env", {})]
    check = commands.splitlines()[-1]
    done = subprocess.run(["bash", "-euc", check], cwd=ROOT, env={"TAG": tag}, check=False)
    assert (done.returncode == 0) == (tag == f"v{clineval.__version__}")


def test_only_the_job_that_publishes_may_prove_who_it_is():
    workflow = yaml.safe_load(read(".github/workflows/release.yml"))
    allowed = {name: job.get("permissions") for name, job in workflow["jobs"].items()}
    assert workflow["permissions"] == {"contents": "read"}
    assert allowed == {"build": None, "publish": {"id-token": "write"}}
    assert workflow["jobs"]["publish"]["environment"] == "pypi"


@pytest.mark.parametrize("path", sorted(BADGES.iterdir()), ids=lambda path: path.stem)
def test_a_badge_shows_what_readers_without_pictures_are_told(path):
    picture = ET.fromstring(path.read_text("utf-8"))
    name = {"svg": "http://www.w3.org/2000/svg"}
    shown = ": ".join(text.text for text in picture.iterfind(".//svg:text", name))
    assert shown == picture.findtext("svg:title", namespaces=name) == picture.get("aria-label")
    assert f"![{shown}]({path.relative_to(ROOT).as_posix()})" in read("README.md")
