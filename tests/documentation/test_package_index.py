"""The README as a package index shows it: its links and pictures lead into the repository."""

import json
import os
import re
import subprocess
import sys
import zipfile

import pytest
from archives import unpack
from conftest import ROOT
from pages import blocks_of, read

WHERE = {"GITHUB_REPOSITORY": "acme/clineval", "GITHUB_SHA": "c0ffee"}
BASE = "https://github.com/acme/clineval"


def python(*arguments, cwd, **variables):
    kept = {name: value for name, value in os.environ.items() if not name.startswith("GITHUB_")}
    done = subprocess.run(
        [sys.executable, *map(str, arguments)], cwd=cwd, env={**kept, **variables},
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def readme_of(folder, **variables):
    metadata = json.loads(python("-m", "hatchling", "metadata", cwd=folder, **variables))
    assert metadata["readme"]["content-type"] == "text/markdown"
    return metadata["readme"]["text"]


@pytest.fixture(scope="module")
def dist(tmp_path_factory):
    """A wheel and a source distribution, built where the repository is known."""
    out = tmp_path_factory.mktemp("dist")
    python("-m", "build", "--no-isolation", "--outdir", out, ROOT, cwd=out, **WHERE)
    return out


def test_links_are_absolute_where_the_repository_is_known():
    text = readme_of(ROOT, **WHERE)
    targets = re.findall(r"\]\(([^)\s]+)\)", text)
    ours = [target for target in targets if target.startswith(BASE)]
    assert len(ours) > 10
    assert all(target.startswith("https://") for target in targets)
    for target in ours:
        kind, commit, path = target.removeprefix(f"{BASE}/").split("/", 2)
        assert commit == "c0ffee"
        assert kind == ("raw" if path.endswith((".png", ".svg")) else "blob")
        assert (ROOT / path.partition("#")[0]).is_file()
    assert any(target.endswith(".png") for target in ours)
    assert all(f"{block}```" in text for _, block in blocks_of("README.md"))


def test_another_server_is_taken():
    text = readme_of(ROOT, GITHUB_SERVER_URL="https://git.example.org", **WHERE)
    assert "](https://git.example.org/acme/clineval/blob/c0ffee/LICENSE)" in text


def test_an_index_shows_the_addresses():
    metadata = json.loads(python("-m", "hatchling", "metadata", cwd=ROOT))
    address = read(".ci/repository.txt").strip()
    assert set(metadata["urls"]) == {"Source", "Documentation", "Changelog", "Issues"}
    for place in metadata["urls"].values():
        path = place.removeprefix(address).removeprefix("/blob/main/")
        assert path in ("", "/issues") or (ROOT / path).is_file()


def test_the_readme_stays_as_it_is_where_the_repository_is_not_known():
    assert readme_of(ROOT) == read("README.md")
    assert readme_of(ROOT, GITHUB_SHA="c0ffee") == read("README.md")


@pytest.mark.thorough
def test_wheel_and_source_distribution_carry_it(dist):
    [wheel], [source] = dist.glob("*.whl"), dist.glob("*.tar.gz")
    with zipfile.ZipFile(wheel) as archive:
        [name] = [n for n in archive.namelist() if n.endswith(".dist-info/METADATA")]
        metadata = archive.read(name).decode()
        inside = [n for n in archive.namelist() if n.endswith("README.md")]
    assert metadata.endswith(readme_of(ROOT, **WHERE))
    assert all(name.startswith("clineval_modules/") for name in inside)
    folder = unpack(source, dist / "unpacked")
    # a wheel that is made of the source distribution, wherever, has its links too
    assert readme_of(folder) == readme_of(ROOT, **WHERE)
    python("-m", "twine", "check", "--strict", wheel, source, cwd=dist)
