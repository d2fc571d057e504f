"""Spaces: built, pushed to a local Hub, and loaded where clineval is not installed."""

import ast
import json
import subprocess
import sys
import textwrap

import evaluate
import pytest
from conftest import ROOT
from environments import make_bare_python
from hub.hub_server import HubServer
from hub.spaces import clean, find_demo
from processes import run_clineval
from thorough import choose

import clineval
from clineval.base.errors import InputError
from clineval.hub.flatten import flat_name, flatten
from clineval.hub.spaces import build_space, push_space
from clineval.results.registry import NAMES, find_challenge
from clineval.results.views import ListView

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
pytestmark = pytest.mark.grows
SPACES = choose(("clefehealth13_task2", "clefehealth13_task3", "i2b2_2009_medication"), NAMES)
"""With no extra, with one, and with records beside the annotation."""


@pytest.fixture(scope="module")
def bare(tmp_path_factory):
    return make_bare_python(tmp_path_factory.mktemp("bare"))


def demo_inputs(name):
    """The demo corpus, as options of ``compute`` that are plain data."""
    _, gold, system, options = find_demo(name)
    paths = {"predictions": system, "references": gold, **options}
    return {option: str(path) for option, path in paths.items()}


@pytest.fixture(scope="module")
def built(tmp_path_factory):
    """Every Space in a directory: name to its files."""
    folder = tmp_path_factory.mktemp("spaces")
    return {name: build_space(name, folder / name) for name in SPACES}


def folder_of(files):
    """The directory of a Space."""
    return next(path.parent for path in files if path.name == "app.py")


@pytest.fixture(scope="module")
def pushed():
    """A local Hub to which the command line pushed every metric."""
    with HubServer() as hub:
        for name in SPACES:
            environment = clean(HF_ENDPOINT=hub.url, HF_TOKEN="hf_local")
            run_clineval("space", "push", name, "--repo", f"acme/{name}", env=environment)
        yield hub


@pytest.mark.filterwarnings("default::clineval.InputWarning")
def test_every_metric_scores_alike_without_clineval_online_and_offline(pushed, bare, tmp_path):
    inputs = {name: demo_inputs(name) for name in SPACES}
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
    fetched = [r for r in pushed.requests if r.startswith("GET /spaces/acme/") and ".py" in r]
    names = {request.split("/")[3] + "/" + request.split("/")[-1].split()[0] for request in fetched}
    # the metric and the core in one file, of each Space
    assert names == {
        f"{name}/{file}" for name in SPACES for file in (f"{name}.py", "clineval_core.py")
    }


def test_what_was_pushed_is_what_was_built(pushed, built):
    for name, files in built.items():
        assert pushed.spaces[f"acme/{name}"] == {
            path.relative_to(folder_of(files)).as_posix(): path.read_bytes() for path in files
        }
        outermost = {path for path in pushed.spaces[f"acme/{name}"] if "/" not in path}
        scripts = {path for path in outermost if path.endswith("_page.js")}  # of lists of items
        assert len(scripts) <= 1
        assert outermost - scripts == {
            "LICENSE", "README.md", "app.py", "clineval_core.py", "requirements.txt", f"{name}.py",
        }  # fmt: skip
        assert pushed.spaces[f"acme/{name}"]["LICENSE"] == (ROOT / "LICENSE").read_bytes()


def nodes_of(code):
    """All syntax of a file, and of the modules that it holds as strings."""
    for node in ast.walk(ast.parse(code)):
        yield node
        if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]).startswith("SOURCES["):
            yield from ast.walk(ast.parse(ast.literal_eval(node.value)))


def test_modules_of_the_bundle_are_those_of_the_package(built, tmp_path):
    """Their names, files and sources, as tracebacks and help show them."""
    folder = folder_of(built["clefehealth13_task2"])
    code = f"""
        import inspect, sys; sys.path.insert(0, {str(folder.parent)!r})
        from {folder.name}.clineval_core import clineval_challenges_clefehealth13_task2 as home
        from {folder.name}.clineval_core import clineval_challenges_clefehealth13_task2_spec as spec
        print(spec.__file__); print(inspect.getsource(spec.compare)); print(home.CHALLENGE.name)
        print(len(home.CHALLENGE.task.specification) > 500)
    """
    done = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(code)], cwd=tmp_path, capture_output=True, text=True,
        check=True,
    )  # fmt: skip
    lines = done.stdout.splitlines()
    assert lines[0] == str(folder / "clineval_challenges_clefehealth13_task2_spec.py")
    assert lines[1].startswith("def compare(")
    assert lines[-2:] == ["clefehealth13_task2", "True"]


@pytest.mark.parametrize("name", SPACES)
def test_a_space_imports_nothing_of_the_installed_package(name, built):
    for path in built[name]:
        if path.suffix == ".py":
            for node in nodes_of(path.read_text("utf-8")):
                named = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
                module = node.module if isinstance(node, ast.ImportFrom) else None
                assert not any((m or "").split(".")[0] == "clineval" for m in (*named, module))


SHOW = """
import json, sys
from importlib.abc import MetaPathFinder
from pathlib import Path
from types import ModuleType

class Without(MetaPathFinder):
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] == "clineval":
            raise ModuleNotFoundError(name)

sys.meta_path.insert(0, Without())
name, folder, gold, system, options = json.loads(sys.argv[1])
space = ModuleType("space")
space.__path__ = [folder]
sys.modules["space"] = space
from space.clineval_core import clineval_hub_page as page

sample = page.Sample(Path(folder, "sample"), gold, {"system": system}, options)
paths = [Path(folder, "sample", side) for side in (gold, system)]
files = [sorted(path.iterdir()) if path.is_dir() else [path] for path in paths]
sides = [page.Given(tuple(map(str, each)), "") for each in files]
print(page.show_score(page.find_challenge(name), sample, *sides, {}, "default", "spec"))
"""


@pytest.mark.parametrize("name", ["clefehealth13_task3", "clinais23_b2", "meddocan19"])
def test_a_page_of_a_space_needs_nothing_of_the_installed_package(name, tmp_path):
    """Pages are imported when they are asked for, which no list of imports shows."""
    build_space(name, tmp_path / name)
    demo = find_challenge(name).demo
    given = [name, str(tmp_path / name), demo.gold, next(iter(demo.systems.values())), {}]
    shown = subprocess.run([sys.executable, "-W", "ignore", "-c", SHOW, json.dumps(given)],
                           capture_output=True, text=True, check=False)  # fmt: skip
    assert 'id="result"' in shown.stdout, shown.stderr


def test_a_space_is_built_into_an_empty_directory_only(tmp_path):
    build_space("clefehealth13_task2", tmp_path)
    with pytest.raises(InputError, match="not empty"):
        build_space("clefehealth13_task2", tmp_path)


def test_evaluate_loads_a_space_from_a_folder_of_any_name(tmp_path):
    build_space("clefehealth13_task2", tmp_path / "my-space")
    metric = evaluate.load(str(tmp_path / "my-space"))
    line = ["a.txt||Acronym||C1||0||3"]
    assert metric.compute(predictions=line, references=line)["strict_correct"] == 1
    for name in ("v1.0", "app", "clineval_core"):  # files of these names would be others
        with pytest.raises(InputError, match="cannot load a folder with this name"):
            build_space("clefehealth13_task2", tmp_path / name)
        assert not (tmp_path / name).exists()


def test_a_space_without_trec_eval_asks_for_it(built):
    requirements = folder_of(built["clefehealth13_task3"]) / "requirements.txt"
    assert "pytrec-eval-terrier" in requirements.read_text()


def test_an_import_that_cannot_be_flattened_is_refused():
    with pytest.raises(InputError, match=r"import clineval\.results\.scores"):
        flatten("import clineval.results.scores\n")


def test_dry_run_sends_nothing_and_lists_everything(built):
    with HubServer() as hub:
        done = run_clineval(
            "space", "push", "clefehealth13_task2", "--repo", "acme/clefehealth13_task2",
            "--private", "--dry-run", env=clean(HF_ENDPOINT=hub.url),
        )  # fmt: skip
        assert hub.requests == []
    listed = {line.split()[1] for line in done.stdout.splitlines()}
    files = built["clefehealth13_task2"]
    assert listed == {path.relative_to(folder_of(files)).as_posix() for path in files}
    assert f"private Space {hub.url}/spaces/acme/clefehealth13_task2" in done.stderr


@pytest.mark.parametrize("private", [False, True])
def test_private_spaces_are_private(private, built, monkeypatch):
    name = "clefehealth13_task2"
    folder = folder_of(built[name])
    with HubServer() as hub:
        monkeypatch.setattr("huggingface_hub.constants.ENDPOINT", hub.url)
        monkeypatch.setattr("huggingface_hub.hf_api.constants.ENDPOINT", hub.url)
        monkeypatch.setenv("HF_TOKEN", "hf_local")
        push_space(name, f"acme/{name}", folder, private=private, dry_run=False)
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
        done = run_clineval(
            "space", "push", "clefehealth13_task2", "--repo", "acme/clefehealth13_task2",
            env=clean(HF_ENDPOINT=url, HF_TOKEN="hf_local"), status=2,
        )  # fmt: skip
    assert str(status or "ConnectError") in done.stderr
    assert "hf auth login" in done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize("repo", ["clinais23_b2", "acme/other", "/clinais23_b2"])
def test_a_space_has_the_name_of_its_metric(repo, tmp_path):
    with pytest.raises(InputError, match="OWNER/clinais23_b2"):
        push_space("clinais23_b2", repo, tmp_path, private=False, dry_run=True)


@pytest.mark.parametrize("name", [n for n in NAMES if find_challenge(n).kind.name == "codes"])
def test_a_space_holds_the_modules_of_its_pages(name, tmp_path):
    """The name of a module must be written where its page is declared, or the Space lacks it."""
    faces = find_challenge(name).faces
    views = [view for view in (faces.page, *faces.pages.values()) if isinstance(view, ListView)]
    build_space(name, tmp_path)
    core = (tmp_path / "clineval_core.py").read_text("utf-8")
    assert views
    assert [v.module for v in views if f"SOURCES['{flat_name(v.module)}']" not in core] == []
