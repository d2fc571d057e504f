"""Spaces: built, pushed to a local Hub, and loaded where clineval is not installed."""

import ast
import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from hub.hub_server import HubServer
from hub.spaces import clean, find_demo, make_bare_python

import clineval
from clineval.errors import InputError
from clineval.hub.flatten import flatten
from clineval.hub.spaces import build_space, push_space
from clineval.registry import NAMES

CLINEVAL = shutil.which("clineval", path=str(Path(sys.executable).parent))
LOAD = """
import importlib.util, json, sys
assert importlib.util.find_spec("clineval") is None, "clineval is installed here"
for name in ("rich", "typer"):  # what evaluate does not bring
    sys.modules[name] = None
import evaluate
results = {}
for name, options in json.loads(sys.argv[1]).items():
    metric = evaluate.load(f"acme/{name}")
    assert type(metric).__module__.startswith("evaluate_modules"), metric
    results[name] = metric.compute(**options)
print(json.dumps(results))
"""


@pytest.fixture(scope="module")
def bare(tmp_path_factory):
    return make_bare_python(tmp_path_factory.mktemp("bare"))


def demo_inputs(name):
    """The demo corpus, as options of ``compute`` that are plain data."""
    _, gold, system, options = find_demo(name)
    paths = {"predictions": system, "references": gold, **options}
    return {option: str(path) for option, path in paths.items()}


@pytest.fixture(scope="module")
def pushed():
    """A local Hub to which the command line pushed every metric."""
    with HubServer() as hub:
        for name in NAMES:
            done = subprocess.run(
                [CLINEVAL, "space", "push", name, "--repo", f"acme/{name}"],
                env=clean(HF_ENDPOINT=hub.url, HF_TOKEN="hf_local"),
                capture_output=True, text=True, check=False,
            )  # fmt: skip
            assert done.returncode == 0, done.stderr
        yield hub


@pytest.mark.filterwarnings("default::clineval.InputWarning")
def test_every_metric_scores_alike_without_clineval_online_and_offline(pushed, bare, tmp_path):
    inputs = {name: demo_inputs(name) for name in NAMES}
    expected = {}
    for name, options in inputs.items():
        sides = (options["predictions"], options["references"])
        others = {k: v for k, v in options.items() if k not in ("predictions", "references")}
        expected[name] = clineval.score(name, *sides, **others).as_dict()
    # the modules' cache is in tmp_path; offline the server is not there any more
    for offline in ("0", "1"):
        environment = clean(
            HF_ENDPOINT=pushed.url if offline == "0" else "http://127.0.0.1:9",
            HF_HOME=str(tmp_path),
            HF_EVALUATE_OFFLINE=offline,
        )
        done = subprocess.run(
            [bare, "-c", LOAD, json.dumps(inputs)],
            cwd=tmp_path, env=environment, capture_output=True, text=True, check=False,
        )  # fmt: skip
        assert done.returncode == 0, done.stderr[-3000:]
        assert json.loads(done.stdout.splitlines()[-1]) == json.loads(json.dumps(expected))
    assert any(request.startswith("GET /spaces/acme/") for request in pushed.requests)


def test_what_was_pushed_is_what_was_built(pushed, tmp_path):
    for name in NAMES:
        files = build_space(name, tmp_path / name)
        assert pushed.spaces[f"acme/{name}"] == {
            path.relative_to(tmp_path / name).as_posix(): path.read_bytes() for path in files
        }
        assert {"README.md", "app.py", "requirements.txt", f"{name}.py"} <= set(
            pushed.spaces[f"acme/{name}"]
        )


@pytest.mark.parametrize("name", NAMES)
def test_a_space_imports_nothing_of_the_installed_package(name, tmp_path):
    for path in build_space(name, tmp_path / "space"):
        if path.suffix == ".py":
            for node in ast.walk(ast.parse(path.read_text("utf-8"))):
                named = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
                module = node.module if isinstance(node, ast.ImportFrom) else None
                assert not any((m or "").split(".")[0] == "clineval" for m in (*named, module))


def test_a_space_is_built_into_an_empty_directory_only(tmp_path):
    build_space("clefehealth13_task2", tmp_path)
    with pytest.raises(InputError, match="not empty"):
        build_space("clefehealth13_task2", tmp_path)


def test_a_space_without_trec_eval_asks_for_it(tmp_path):
    build_space("clefehealth13_task3", tmp_path)
    assert "pytrec-eval-terrier" in (tmp_path / "requirements.txt").read_text()


def test_an_import_that_cannot_be_flattened_is_refused():
    with pytest.raises(InputError, match=r"import clineval\.scores"):
        flatten("import clineval.scores\n")


def test_dry_run_sends_nothing_and_lists_everything(tmp_path):
    with HubServer() as hub:
        done = subprocess.run(
            [CLINEVAL, "space", "push", "clefehealth13_task2", "--repo",
             "acme/clefehealth13_task2", "--private", "--dry-run"],
            env=clean(HF_ENDPOINT=hub.url), capture_output=True, text=True, check=False,
        )  # fmt: skip
        assert hub.requests == []
    assert done.returncode == 0, done.stderr
    listed = {line.split()[1] for line in done.stdout.splitlines()}
    files = build_space("clefehealth13_task2", tmp_path)
    assert listed == {path.relative_to(tmp_path).as_posix() for path in files}
    assert f"private Space {hub.url}/spaces/acme/clefehealth13_task2" in done.stderr


@pytest.mark.parametrize("private", [False, True])
def test_private_spaces_are_private(private, tmp_path, monkeypatch):
    name = "clefehealth13_task2"
    build_space(name, tmp_path)
    with HubServer() as hub:
        monkeypatch.setattr("huggingface_hub.constants.ENDPOINT", hub.url)
        monkeypatch.setattr("huggingface_hub.hf_api.constants.ENDPOINT", hub.url)
        monkeypatch.setenv("HF_TOKEN", "hf_local")
        push_space(name, f"acme/{name}", tmp_path, private=private, dry_run=False)
        assert bool(hub.private[f"acme/{name}"]) is private


def test_a_second_push_removes_the_files_of_an_earlier_version(tmp_path, monkeypatch):
    name = "clefehealth13_task2"
    files = build_space(name, tmp_path)
    with HubServer() as hub:
        monkeypatch.setattr("huggingface_hub.constants.ENDPOINT", hub.url)
        monkeypatch.setattr("huggingface_hub.hf_api.constants.ENDPOINT", hub.url)
        monkeypatch.setenv("HF_TOKEN", "hf_local")
        for older in ("clineval_gone.py", "sample/gone.pipe"):
            (tmp_path / older).write_text("")
        push_space(name, f"acme/{name}", tmp_path, private=False, dry_run=False)
        assert "clineval_gone.py" in hub.spaces[f"acme/{name}"]
        for older in ("clineval_gone.py", "sample/gone.pipe"):
            (tmp_path / older).unlink()
        push_space(name, f"acme/{name}", tmp_path, private=False, dry_run=False)
        left = {path.relative_to(tmp_path).as_posix() for path in files}
        assert set(hub.spaces[f"acme/{name}"]) == left


@pytest.mark.parametrize("status", [401, 500, None])
def test_a_hub_that_refuses_or_is_not_there_is_one_line(status):
    with HubServer() as hub:
        hub.refuse = status
        url = hub.url if status else "http://127.0.0.1:9"
        done = subprocess.run(
            [CLINEVAL, "space", "push", "clefehealth13_task2", "--repo",
             "acme/clefehealth13_task2"],
            env=clean(HF_ENDPOINT=url, HF_TOKEN="hf_local"),
            capture_output=True, text=True, check=False,
        )  # fmt: skip
    assert done.returncode == 2
    assert str(status or "ConnectError") in done.stderr
    assert "hf auth login" in done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize("repo", ["clinais23_b2", "acme/other", "/clinais23_b2"])
def test_a_space_has_the_name_of_its_metric(repo, tmp_path):
    with pytest.raises(InputError, match="OWNER/clinais23_b2"):
        push_space("clinais23_b2", repo, tmp_path, private=False, dry_run=True)
