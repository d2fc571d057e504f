"""Interpreters with chosen packages of this one's: made in a second, without the internet."""

import subprocess
import sys
from importlib.metadata import distribution, distributions

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name


def make_python(folder, packages):
    """A new environment in a folder, with distributions of this one's and nothing else.

    What is installed into it, by its own pip if that is among the packages, stays in the folder.
    """
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", folder], check=True)
    linked = folder / "packages"
    linked.mkdir()
    for name in packages:
        found = distribution(name)
        for top in {path.parts[0] for path in found.files} - {"..", "__pycache__"}:
            if not (linked / top).exists():
                (linked / top).symlink_to(found.locate_file(top))
    [site] = folder.glob("lib/python*/site-packages")
    (site / "packages.pth").write_text(f"{linked}\n")
    return folder / "bin" / "python"


def make_bare_python(folder):
    """An interpreter with all that this one has but clineval."""
    python = make_python(folder, {found.name for found in distributions()} - {"clineval"})
    code = "import importlib.util; assert importlib.util.find_spec('clineval') is None"
    subprocess.run([python, "-c", code], check=True)
    return python


def requirements_of(*wanted):
    """The names of all distributions that some need, as their metadata say, but these."""
    found, todo = set(), [Requirement(each) for each in wanted]
    while todo:
        asked = todo.pop()
        extras = {"", *asked.extras}
        for each in map(Requirement, distribution(asked.name).requires or ()):
            applies = not each.marker or any(each.marker.evaluate({"extra": e}) for e in extras)
            key = canonicalize_name(each.name), *sorted(each.extras)
            if applies and key not in found:
                found.add(key)
                todo.append(each)
    return {name for name, *_ in found} - {canonicalize_name(Requirement(e).name) for e in wanted}
