"""Spaces: a metric with everything it needs, its card, and a page to try it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib.metadata import files as files_of
from pathlib import Path
from types import ModuleType

from clineval.base.errors import InputError
from clineval.base.files import copy_directory, make_directory, name_path, real_path, write_file
from clineval.base.version import __version__
from clineval.hf import metric_path
from clineval.hf.cards import read_card
from clineval.hf.outside import write_module
from clineval.hub import import_hub
from clineval.hub.flatten import BUNDLE, ROOT, bundle, collect, flat_name, flatten, from_bundle
from clineval.results.challenge import Challenge
from clineval.results.known.source import read_list
from clineval.results.registry import NAMES, find_challenge, find_package

REQUIREMENTS = ("evaluate>=0.4.6", "datasets>=3", "numpy>=1.26", "jinja2>=3.1")
_NEEDS = {"pytrec_eval": "pytrec-eval-terrier>=0.5.6"}
"""Package to its requirement; for others, the requirement is the name."""
_APP = '''\
"""The page of this Space: score files that users upload or paste."""

import sys
from pathlib import Path
from types import ModuleType

HERE = Path(__file__).resolve().parent

# make the modules of the file beside this one a package
space = ModuleType("space")
space.__path__ = [str(HERE)]
sys.modules["space"] = space

from space.clineval_core.clineval_hub_page import Sample
from space.clineval_core.clineval_hub_page import launch

SAMPLE = Sample(
    folder=HERE / "sample",
    gold={gold!r},
    systems={systems!r},
    options={options!r},
)

if __name__ == "__main__":
    launch({name!r}, SAMPLE)
'''
_CARD = '''\
"""The card of this Space's metric."""


def read_card(_name: str) -> str:
    """Return the card."""
    return {card!r}
'''
_LIST = '''\
"""The list of named gold standards of this Space's metric."""


def read_list(_challenge: object) -> str:
    """Return the list."""
    return {text!r}
'''


@dataclass(frozen=True, slots=True)
class Push:
    """The result of a push, or of a dry run: the Space's URL, and files with sizes in bytes."""

    url: str
    files: Mapping[str, int]


def build_space(name: str, out: Path) -> list[Path]:
    """Assemble the Space of a metric, in a folder for ``evaluate.load``.

    Args:
        name: the metric.
        out: a directory that is empty or does not exist.

    Returns:
        The files, sorted. For a metric of another package, these are its card and an evaluate
        module that imports the package.

    Raises:
        InputError: the metric is unknown, or the directory is not empty, cannot be written, or has
            a name that ``evaluate.load`` cannot load.
    """
    challenge = find_challenge(name)
    folder = real_path(out).name
    if "." in folder or folder in ("app", BUNDLE):
        raise InputError(
            "evaluate.load cannot load a folder with this name",
            where=name_path(out),
            remedy=f"Choose a name without a dot, such as {name}",
        )
    make_directory(out)
    if any(out.iterdir()):
        raise InputError("the directory is not empty", where=str(out), remedy="Pass a new one")
    if name in NAMES:
        source, needs = _write_space(challenge, out)
    else:
        source, needs = write_module(challenge), ("clineval", find_package(name))
    for script in {name, folder}:  # evaluate.load expects the folder's name
        write_file(out / f"{script}.py", source)
    write_file(out / "README.md", read_card(name))
    lines = (f"{line}\n" for line in (*REQUIREMENTS, *needs))
    write_file(out / "requirements.txt", "".join(lines))
    return sorted(path for path in out.rglob("*") if path.is_file())


def _write_space(challenge: Challenge, out: Path) -> tuple[str, Sequence[str]]:
    """Write the core, the page and a sample; return the metric's source and its requirements."""
    name = challenge.name
    module = Path(metric_path(name)).read_text("utf-8")
    rules = f"from clineval.challenges import {name}"
    page = (ROOT / "hub" / "page.py").read_text("utf-8")
    modules = {
        **collect(module, rules, page),
        "clineval_hub_page": flatten(page),
        "clineval_hf_cards": _CARD.format(card=read_card(name)),
        "clineval_results_known_source": _LIST.format(text=read_list(challenge)),
    }
    write_file(out / f"{BUNDLE}.py", bundle(modules, __version__))
    write_file(out / "LICENSE", find_license())
    write_file(out / "app.py", _write_app(challenge))
    copy_directory(challenge.task.corpora, out / "sample")
    copy_directory(ROOT / "workbench" / "web", out / "web")
    for script in ROOT.rglob("*page.js"):  # beside their modules, which are now files of the Space
        flat = flat_name(".".join((ROOT.name, *script.relative_to(ROOT).with_suffix("").parts)))
        if flat in modules:
            write_file(out / f"{flat}.js", script.read_bytes())
    needs = [_NEEDS.get(package, package) for package in (challenge.faces.needs or ())[:1]]
    return from_bundle(flatten(module)), needs


def find_license() -> str:
    """Return the text of clineval's license, from the source tree or from the installed package."""
    here = ROOT.parent.parent / "LICENSE"
    if (ROOT.parent.parent / "pyproject.toml").is_file() and here.is_file():
        return here.read_text("utf-8")
    files = files_of("clineval") or ()
    found = next((file for file in files if file.name == "LICENSE"), None)
    if found is None:
        raise InputError("the license is missing", remedy="Reinstall clineval")
    return found.read_text("utf-8")


def push_space(name: str, repo: str, folder: Path, *, private: bool, dry_run: bool) -> Push:
    """Publish a Space that was built in ``folder``.

    Args:
        name: the metric.
        repo: the Space, ``OWNER/NAME``; ``NAME`` must be the name of the metric.
        folder: the folder that :func:`build_space` filled.
        private: whether a new Space is private; an existing Space stays public or private.
        dry_run: whether to send nothing, and only list the files.

    Raises:
        InputError: the metric belongs to another package, the name is not valid for a Space,
            ``huggingface_hub`` is missing, or the Hub rejects the request.
    """
    if name not in NAMES:
        raise InputError(
            f"a Space cannot contain the package of {name}",
            remedy="Publish that package; 'clineval space build' makes a folder for evaluate.load",
        )
    owner, slash, last = repo.partition("/")
    if not owner or not slash or last != name:
        raise InputError(
            f"expected a Space OWNER/{name}",
            where="--repo",
            remedy="evaluate.load expects a file with the name of the Space",
        )
    files = [path for path in sorted(folder.rglob("*")) if path.is_file()]
    sizes = {path.relative_to(folder).as_posix(): path.stat().st_size for path in files}
    hub = import_hub()
    if not dry_run:
        _send(hub, name, repo, folder, private=private)
    return Push(f"{hub.constants.ENDPOINT}/spaces/{repo}", sizes)


def _send(hub: ModuleType, name: str, repo: str, folder: Path, *, private: bool) -> None:
    kind = {"repo_type": "space", "space_sdk": "gradio"}
    message = f"{name} from clineval {__version__}"
    # versions of huggingface_hub use different HTTP libraries
    failures = (OSError, *hub.errors.HfHubHTTPError.__bases__)
    try:
        api = hub.HfApi()
        api.create_repo(repo, private=private, exist_ok=True, **kind)
        api.upload_folder(
            repo_id=repo,
            repo_type="space",
            folder_path=str(folder),
            commit_message=message,
            delete_patterns="*",  # files of an earlier version
        )
    except failures as error:
        status = getattr(getattr(error, "response", None), "status_code", type(error).__name__)
        raise InputError(
            f"the Hub rejected the request: {status}",
            where=repo,
            remedy="Log in with 'hf auth login' as a user with write access, and try again",
        ) from None


def _write_app(challenge: Challenge) -> str:
    demo = challenge.demo
    if demo is None:
        raise InputError(f"{challenge.name} has no demo, and the page of a Space needs one")
    paths = {name: str(value) for name, value in demo.options.items() if isinstance(value, Path)}
    systems = dict(demo.systems)
    return _APP.format(gold=demo.gold, systems=systems, options=paths, name=challenge.name)
